"""`gridwise review`: a recorded game, move by move, and where it was won and lost."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from gridwise.cli.arguments import (
    FileArgument,
    JsonOption,
    LinearOption,
    PlainOption,
    finite_option,
)
from gridwise.cli.commands.replay import player_labels, standing
from gridwise.cli.console import Console, full_screen_possible, print_json, run_app, wrapped
from gridwise.engine.review import SECONDS, Review, limits_for, review_data, rows, summary
from gridwise.engine.review import review as review_positions
from gridwise.errors import BadRequest
from gridwise.play.ladder import Help
from gridwise.play.library import Library
from gridwise.play.look_back import Exploration, mistake_lines
from gridwise.play.match import one_person
from gridwise.play.records import Record, read_record, recorded_positions
from gridwise.play.session import player_names
from gridwise.play.values import MARKED
from gridwise.show.progress import Progress, notify_if_slow

THINK = finite_option("How many seconds to think about each move.", 0.001, 3600)


def review(
    file: FileArgument,
    seconds: Annotated[float, THINK] = SECONDS,
    json: JsonOption = False,
    plain: PlainOption = False,
    linear: LinearOption = False,
) -> None:
    """Review a game: full screen where the terminal can, otherwise printed."""
    record = read_record(file)
    if not record.moves:
        raise BadRequest(f"{file} has no moves yet: there is nothing to review.")
    mark_as_helped(file)
    if not (json or plain or linear) and full_screen_possible():
        raise typer.Exit(run_app(screen=("review", record, seconds)))
    reviewed = _reviewed(record, seconds)
    if json:
        print_json(_as_data(record, reviewed))
    else:
        _print(Console(simple=plain, linear=linear), record, reviewed)


def mark_as_helped(file: Path) -> None:
    """Note in the games that are still to be won that somebody sees what their moves are worth."""
    library = Library()
    helped = [saved for saved in library.helped_by_review(file) if Help.VALUES not in saved.help]
    for saved in helped:
        library.note_help(saved, Help.VALUES)
    if helped:
        print(MARKED, file=sys.stderr)


def print_review(console: Console, record: Record) -> None:
    """Review a game that has moves, and print the review."""
    _print(console, record, _reviewed(record, SECONDS))


def _reviewed(record: Record, seconds: float) -> Review:
    progress = Progress("Reviewing the moves", len(record.moves))
    with notify_if_slow():
        limits = limits_for(record.game, seconds)
        reviewed = review_positions(recorded_positions(record), limits, progress)
    progress.close()
    return reviewed


def _print(console: Console, record: Record, reviewed: Review) -> None:
    one, two = player_labels(record)
    last = recorded_positions(record)[-1]
    console.say(f"{record.game.title}: {one} against {two}.", standing(record, last), "")
    if console.linear:
        console.say_wrapped(*_sentences(reviewed), "")
    else:
        console.say(*_table(reviewed), "", *_graph(reviewed), "")
    names = player_names(record.players, one_person(record.players))
    for line in summary(reviewed, names):
        console.say(wrapped(line, "  "))
    lines = mistake_lines(Exploration(record), reviewed, names)
    if lines:
        console.say("", "How it could have gone on:")
    for line in lines:
        console.say(wrapped(line, "  "))


def _as_data(record: Record, reviewed: Review) -> dict[str, Any]:
    """The review as JSON has it."""
    about = {"game": record.game.key, "players": list(record.players), "result": record.result}
    turning = [number + 1 for number in reviewed.turning_points]
    return about | review_data(reviewed) | {"turning_points": turning}


def _sentences(reviewed: Review) -> list[str]:
    """The table as sentences; they say what the graph shows, too."""
    lines = []
    for row, decision in zip(rows(reviewed), reviewed.decisions, strict=True):
        which = f"Move {row.number}, " if row.number else ""
        better = f" Better: {row.better}." if row.better else ""
        lines.append(
            f"{which}Player {row.player}: {row.move}, {decision.grade}, {row.worth}.{better}"
        )
    return lines


def _table(reviewed: Review) -> list[str]:
    """A line for each move: what it was worth, and what would have been better."""
    table = rows(reviewed)
    width = max(4, *(len(row.move) for row in table)) + 1
    lines = [f"    {'':9} {'move':{width}} {'result':16} best"]
    for row in table:
        number, move = str(row.number or ""), f"{row.move:{width}}"
        lines.append(
            f"{number:>3} Player {row.player}  {move} {row.worth:16} {row.better}".rstrip()
        )
    return lines


def _graph(reviewed: Review) -> list[str]:
    """Who was winning, move by move: a line that runs between the two players."""
    lines = []
    for level, name in ((4, "Player 1"), (3, ""), (2, "even"), (1, ""), (0, "Player 2")):
        marks = "".join("*" if round(points * 4) == level else " " for points in reviewed.graph)
        lines.append(f"{name:>9} |{marks}".rstrip())
    return [*lines, f"{'':9} +{'-' * len(reviewed.graph)}"]
