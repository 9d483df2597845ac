"""`gridwise prepare`: compile the engine before anyone has to wait for it."""

from __future__ import annotations

import time

from gridwise.core.registry import games
from gridwise.engine.evaluate import evaluate
from gridwise.engine.evaluation import Limits
from gridwise.play.match import Match


def prepare() -> None:
    """Compile, and print how long it took. Games without hidden cells are quick anyway."""
    for game in games():
        if game.has_hidden_cells:
            print(f"Preparing the engine for {game.title}, once: up to half a minute.", flush=True)
            began = time.monotonic()
            evaluate(Match(game, seed=1).position, Limits(nodes=50))
            print(f"Done in {time.monotonic() - began:.1f} s.")
