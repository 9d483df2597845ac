"""`gridwise prepare`: compile the engine before anyone has to wait for it."""

from __future__ import annotations

import time

from gridwise.core.registry import games
from gridwise.engine.chance.mcts import search_claims
from gridwise.engine.compiled.kernels import is_cached
from gridwise.engine.evaluate import evaluate
from gridwise.engine.evaluation import Limits
from gridwise.play.match import Match
from gridwise.show.progress import notify_if_slow


def prepare() -> None:
    """Compile, and print how long it took. Games without hidden cells are quick anyway."""
    for game in games():
        if not game.has_hidden_cells:
            continue
        ready = is_cached(game, search_claims)
        if not ready:
            print(f"Preparing the engine for {game.title}, once: up to half a minute.", flush=True)
        began = time.monotonic()
        with notify_if_slow():
            # Also where it is cached: what cannot be loaded, for whatever reason, is compiled anew.
            evaluate(Match(game, seed=1).position, Limits(nodes=50))
        if ready:
            print(f"The engine for {game.title} is ready: there is nothing to do.")
        else:
            print(f"Done in {time.monotonic() - began:.1f} s.")
