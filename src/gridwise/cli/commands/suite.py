"""`gridwise suite`: a fixed suite of positions with exact values, printed or written to a file.

`gridwise grade GAME --answers FILE` scores answers to it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gridwise.cli.arguments import GameArgument, whole_option
from gridwise.cli.console import print_json, wrapped
from gridwise.core.registry import game as game_named
from gridwise.engine.review import in_words
from gridwise.lab.suites import VERSIONS, SuiteRow
from gridwise.lab.suites import suite as suite_of

PART = typer.Option(metavar="PART", help="Only the part train, or test.")
VERSION = typer.Option(metavar="VERSION", help="The version of the suite.")
HEAD = whole_option("Only this many rows, from the first.", 1)
JSON = typer.Option("--json", help="Print JSON, an object a row.")
TO = typer.Option(metavar="FILE", help="Write the rows, to .jsonl or .parquet.")


def suite(
    game: GameArgument,
    version: Annotated[str, VERSION] = VERSIONS[-1],
    part: Annotated[str, PART] = "",
    head: Annotated[int | None, HEAD] = None,
    json: Annotated[bool, JSON] = False,
    to: Annotated[Path | None, TO] = None,
) -> None:
    """Print a suite's rows, or write them to a file."""
    rows = suite_of(game_named(game), version)
    rows = rows.part(part) if part else rows
    rows = rows[:head]
    if to:
        rows.write(to)
        print(f"Wrote {len(rows):,} positions to {to}.")
    elif json:
        for row in rows:
            print_json(row.as_dict())
    else:
        print(f"{rows.game.title}, suite {rows.label}: {len(rows):,} positions.")
        for row in rows:
            print("", *(wrapped(line, " " * 9) for line in _shown(row)), sep="\n")


def _shown(row: SuiteRow) -> list[str]:
    played = " ".join(row.moves) or "no moves yet"
    options = ", ".join(f"{each.move} {in_words(each)}" for each in row.evaluation.moves)
    return [
        f"{row.id}: {row.phase}, difficulty {row.difficulty}, Player {row.position.turn} to move",
        f"  board  {row.board}",
        f"  moves  {played}",
        f"  best   {' '.join(row.best_moves)}",
        f"  worth  {options}",
    ]
