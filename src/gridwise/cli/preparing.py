"""`gridwise prepare`: compile what is needed before anyone has to wait for it."""

from __future__ import annotations

import time

from gridwise.core.registry import games
from gridwise.engine.worth import Limits, weigh
from gridwise.play.match import Match


def prepare_engine() -> None:
    """Compile, and say how long it took. The other games are quick without."""
    for game in games():
        if game.hides:
            print(f"Preparing the engine for {game.title}, once: up to half a minute.", flush=True)
            began = time.monotonic()
            weigh(Match(game, seed=1).position, Limits(nodes=50))
            print(f"Done in {time.monotonic() - began:.1f} s.")
