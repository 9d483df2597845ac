"""`gridwise show`: the last position of a recorded game, or the one after any of its moves."""

from __future__ import annotations

import json as json_text
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from gridwise.cli.arguments import AtOption, FileArgument, JsonOption, LinearOption, PlainOption
from gridwise.cli.console import Console
from gridwise.core.outcome import DRAW, RESULT_MARKS
from gridwise.core.position import Position
from gridwise.engine.analysis import answer
from gridwise.errors import BadRequest, printable
from gridwise.play.records import Record, read_record, recorded_positions
from gridwise.show.svg import svg as draw_svg

LONGEST_NAME = 100  # characters of a name, a date or a reason that somebody has put into a file


def show(
    file: FileArgument,
    at: AtOption = -1,
    svg: Annotated[bool, typer.Option("--svg", help="Print an SVG picture.")] = False,
    json: JsonOption = False,
    plain: PlainOption = False,
    linear: LinearOption = False,
) -> None:
    """Draw a position, and say how the game stands."""
    record = read_record(file)
    positions = recorded_positions(record)
    number = position_number(positions, at)
    position = positions[number]
    if json:
        print(json_text.dumps(_as_data(record, position)))
        return
    if svg:
        print(draw_svg(position.view))
        return
    console = Console(simple=plain, linear=linear)
    console.say(*heading(record), "")
    console.show(position.view)
    console.say("")
    if number < len(record.moves):
        console.say(f"{move_label(record, positions, number)}.")
        console.say(f"Player {position.turn} to move; {record.moves[number]} was played.")
    else:
        console.say(standing(record, position))


def _as_data(record: Record, position: Position) -> dict[str, Any]:
    """A position of a record as JSON has it: what `analyze` says about it, and who played."""
    described = answer(position, None)
    facts = ("game", "board", "moves", "to_move", "result", "reason", "scores", "legal")
    about = {"players": list(record.players), "date": record.date, "final_result": record.result}
    return {name: described[name] for name in facts} | about


def position_number(positions: Sequence[Position], at: int) -> int:
    """The number of a position, counted from the start, or backwards where `at` is negative."""
    count = len(positions)
    if not -count <= at < count:
        raise BadRequest(
            f"There is no position {at}: --at takes 0 to {count - 1} in this game, "
            f"or -1 to {-count} counted from the end."
        )
    return at % count


def move_label(record: Record, positions: Sequence[Position], number: int) -> str:
    """`Move 3, Player 1: 1,1` for a position, by the move that led to it."""
    if not number:
        return "Start of the game"
    return f"Move {number}, Player {positions[number - 1].turn}: {record.moves[number - 1]}"


def heading(record: Record) -> list[str]:
    """The game, the date and the players."""
    one, two = player_labels(record)
    date = f", {printable(record.date, LONGEST_NAME)}" if record.date else ""
    return [f"{record.game.title}{date}", f"Player 1: {one}", f"Player 2: {two}"]


def player_labels(record: Record) -> tuple[str, str]:
    """The names of the players, fit to be printed."""
    one, two = (printable(player, LONGEST_NAME) for player in record.players)
    return one, two


def standing(record: Record, last: Position) -> str:
    """The result, or who is to move."""
    if not record.finished:
        return f"Unfinished: Player {last.turn} to move."
    winner = RESULT_MARKS.index(record.result)
    who = "A draw" if winner == DRAW else f"Player {winner} won"
    how = printable(record.termination, LONGEST_NAME)
    return f"{who}: {how}." if how else f"{who}."
