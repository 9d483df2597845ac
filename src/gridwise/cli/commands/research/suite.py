"""`gridwise suite`: a fixed suite of positions with exact values: print, export, score answers."""

from __future__ import annotations

import json as json_text
from pathlib import Path
from typing import Annotated

import typer

from gridwise.arena.grades.table_files import read_rows
from gridwise.arena.grading import score_answers
from gridwise.arena.players import NO_ACTION
from gridwise.arena.suites import VERSIONS, Suite, SuiteRow
from gridwise.arena.suites import suite as suite_of
from gridwise.cli.arguments import GameArgument, number_option
from gridwise.cli.console import wrapped
from gridwise.core.registry import game as game_named
from gridwise.engine.review import in_words
from gridwise.errors import BadRequest, MoveError, quoted

PART = typer.Option(metavar="PART", help="Only the part train, or test.")
VERSION = typer.Option(metavar="VERSION", help="The version of the suite.")
HEAD = number_option(
    "--head", "Only this many rows, from the first.", "a whole number from 1 up", above=0
)
JSON = typer.Option("--json", help="Print JSON: an object a row, or one with the score.")
TO = typer.Option(metavar="FILE", help="Write the rows, to .jsonl or .parquet.")
ANSWERS = typer.Option(
    metavar="FILE", help='Score answers: JSON Lines like {"id": "…", "move": "…"}.'
)


def suite(
    game: GameArgument,
    version: Annotated[str, VERSION] = VERSIONS[-1],
    part: Annotated[str, PART] = "",
    head: Annotated[int | None, HEAD] = None,
    json: Annotated[bool, JSON] = False,
    to: Annotated[Path | None, TO] = None,
    answers: Annotated[Path | None, ANSWERS] = None,
) -> None:
    """Print a suite's rows, write them to a file, or score answers to them."""
    rows = suite_of(game_named(game), version)
    rows = rows.part(part) if part else rows
    rows = rows[:head]
    if answers:
        _score(rows, answers, json=json)
    elif to:
        rows.write(to)
        print(f"Wrote {len(rows):,} positions to {to}.")
    elif json:
        for row in rows:
            print(json_text.dumps(row.as_dict()))
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


def _score(rows: Suite, answers: Path, *, json: bool) -> None:
    """Score a file of answers, all of them to rows of the suite; the rest is left out."""
    by_id = {row.id: row for row in rows}
    actions: dict[str, int] = {}
    for number, answer in read_rows(answers):
        given = answer if isinstance(answer, dict) else {}
        row = by_id.get(str(given.get("id")))
        if row is None or "move" not in given:
            raise BadRequest(
                f'Line {number} of the answers is not {{"id": …, "move": …}} with the id of one of '
                f"these {len(rows):,} positions: {quoted(str(answer))}."
            )
        if row.id in actions:
            raise BadRequest(f"Line {number} answers {row.id} a second time.")
        actions[row.id] = _action(row, given["move"])
    if not actions:
        raise BadRequest(f"There is no answer in {quoted(str(answers), 200)}.")
    answered = rows.where(lambda row: row.id in actions)
    report = score_answers(answered, [actions[row.id] for row in answered], answers.name)
    if json:
        print(report.to_json())
        return
    print(wrapped(report.table(), " " * 11))
    if len(answered) < len(rows):
        print(f"\nAnswered: {len(answered):,} of {len(rows):,} positions.")


def _action(row: SuiteRow, move: object) -> int:
    """The action that an answer means; NO_ACTION if it is no legal move."""
    try:
        if not isinstance(move, int | str) or isinstance(move, bool):
            return NO_ACTION
        return row.position.read(move)
    except MoveError:
        return NO_ACTION
