"""`gridwise ladder`: how strong the bots are, told by games."""

from __future__ import annotations

from gridwise.core.registry import game as game_of
from gridwise.core.registry import games
from gridwise.engine.ladder import ladder
from gridwise.show.progress import Progress


def print_ladder(key: str, pairs: int, seed: int) -> None:
    """Each level against the one below, each board twice with sides swapped."""
    print(f"{pairs} boards each, every board twice with sides swapped; 95 % intervals.\n")
    print(f"{'game':16} {'level':8} {'against':8} {'score':>7}  interval")
    for game in [game_of(key)] if key else games():
        progress = Progress(f"Playing {game.title}", pairs)
        for row in ladder(game, pairs, seed, progress):
            progress.close()
            verdict = "" if row.clear else "  not clear: too few games"
            interval = f"{row.low:.1%} to {row.high:.1%}"
            who = f"{game.key:16} {row.level:8} {row.against:8}"
            print(f"{who} {row.score:7.1%}  {interval}{verdict}", flush=True)
