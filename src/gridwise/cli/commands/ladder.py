"""`gridwise ladder`: how strong the bots are, measured in games."""

from __future__ import annotations

from typing import Annotated

from gridwise.arena.ladder import ladder as standings
from gridwise.cli.arguments import SEED, OptionalGameArgument, number_option
from gridwise.core.registry import game as game_named
from gridwise.core.registry import games
from gridwise.show.progress import Progress

PAIRS = number_option(
    "--pairs", "How many boards; each is played twice.", "a whole number from 2 up", above=1
)


def ladder(
    game: OptionalGameArgument = "",
    pairs: Annotated[int, PAIRS] = 400,
    seed: Annotated[int, SEED] = 0,
) -> None:
    """Print each level's score against the one below, each board played twice."""
    print(f"Each pair plays {pairs} boards, each board twice with sides swapped. 95 % intervals.\n")
    print(f"{'game':16} {'level':8} {'against':8} {'score':>7}  interval")
    for played in [game_named(game)] if game else games():
        progress = Progress(f"Playing {played.title}", pairs)
        for row in standings(played, pairs, seed, progress):
            progress.close()
            verdict = "" if row.clear else "  not clear: too few games"
            interval = f"{row.low:.1%} to {row.high:.1%}"
            who = f"{played.key:16} {row.level:8} {row.against:8}"
            print(f"{who} {row.score:7.1%}  {interval}{verdict}", flush=True)
