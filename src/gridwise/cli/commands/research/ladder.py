"""`gridwise ladder`: how strong the bots are, measured in games."""

from __future__ import annotations

import json as json_text
from typing import Annotated

from gridwise.arena.ladder import ladder as standings
from gridwise.cli.arguments import SEED, JsonOption, OptionalGameArgument, number_option
from gridwise.core.registry import game as game_named
from gridwise.core.registry import games
from gridwise.show.progress import Progress

PAIRS = number_option(
    "--pairs", "How many boards; each is played twice.", "a whole number from 2 up", above=1
)
HEAD = """Each pair plays {} boards, each board twice with sides swapped. 95 % intervals.

game             level    against    score  interval"""


def ladder(
    game: OptionalGameArgument = "",
    pairs: Annotated[int, PAIRS] = 400,
    seed: Annotated[int, SEED] = 0,
    json: JsonOption = False,
) -> None:
    """Print each level's score against the one below, each board played twice."""
    chosen = [game_named(game)] if game else games()
    if not json:
        print(HEAD.format(pairs))
    rows = []
    for played in chosen:
        progress = Progress(f"Playing {played.title}", pairs)
        for row in standings(played, pairs, seed, progress):
            progress.close()
            rows.append({"game": played.key, **row._asdict(), "clear": row.clear})
            if json:
                continue
            verdict = "" if row.clear else "  not clear: too few games"
            interval = f"{row.low:.1%} to {row.high:.1%}"
            who = f"{played.key:16} {row.level:8} {row.against:8}"
            print(f"{who} {row.score:7.1%}  {interval}{verdict}", flush=True)
    if json:
        print(json_text.dumps({"seed": seed, "rows": rows}))
