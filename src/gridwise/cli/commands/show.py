"""`gridwise show`: the last position of a recorded game."""

from __future__ import annotations

from typing import Annotated

import typer

from gridwise.cli.arguments import FileArgument, LinearOption, PlainOption
from gridwise.cli.console import Console
from gridwise.core.outcome import DRAW, RESULT_MARKS, Outcome, Termination
from gridwise.core.position import Position
from gridwise.play.records import Record, read_record
from gridwise.show.svg import svg as draw_svg


def show(
    file: FileArgument,
    svg: Annotated[bool, typer.Option("--svg", help="Print an SVG picture.")] = False,
    plain: PlainOption = False,
    linear: LinearOption = False,
) -> None:
    """Draw the last position, and say how the game stands."""
    record = read_record(file)
    last = recorded_positions(record)[-1]
    if svg:
        print(draw_svg(last.view))
        return
    console = Console(simple=plain, linear=linear)
    console.say(*heading(record), "")
    console.show(last.view)
    console.say("", standing(record, last))


def recorded_positions(record: Record) -> list[Position]:
    """The positions of a record; the last one has the outcome of the record."""
    *before, last = record.positions()
    if record.finished and not last.outcome:
        ending = record.ending or Termination.RESIGNATION
        winner = RESULT_MARKS.index(record.result)
        last = last.ended(Outcome(winner, ending, record.termination), record.board)
    return [*before, last]


def heading(record: Record) -> list[str]:
    """The game, the date and the players."""
    one, two = record.players
    date = f", {record.date}" if record.date else ""
    return [f"{record.game.title}{date}", f"Player 1: {one}", f"Player 2: {two}"]


def standing(record: Record, last: Position) -> str:
    """The result, or who is to move."""
    if not record.finished:
        return f"Unfinished: Player {last.turn} to move."
    winner = RESULT_MARKS.index(record.result)
    who = "A draw" if winner == DRAW else f"Player {winner} won"
    return f"{who}: {record.termination}." if record.termination else f"{who}."
