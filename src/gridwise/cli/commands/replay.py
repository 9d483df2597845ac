"""`gridwise replay`: a recorded game, position by position.

Full screen where the terminal can, forward and back. Otherwise all positions are printed; with
`--at` only the one after so many moves.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from gridwise.cli.arguments import (
    AT,
    FileArgument,
    JsonOption,
    LinearOption,
    PlainOption,
    finite_option,
)
from gridwise.cli.console import Console, full_screen_possible, print_json, run_app
from gridwise.core.outcome import DRAW, RESULT_MARKS
from gridwise.core.position import Position
from gridwise.engine.analysis import answer
from gridwise.errors import BadRequest, printable
from gridwise.play.match import HUMAN
from gridwise.play.records import Record, read_record, recorded_positions
from gridwise.play.session import player_names
from gridwise.show.svg import svg as draw_svg

LONGEST_NAME = 100  # characters of a name, a date or a reason that somebody has put into a file
DELAY = finite_option("Play by itself, with this many seconds for each move.", 0.001, 3600)
SVG = "Print an SVG picture of a position."


def replay(
    file: FileArgument,
    at: Annotated[int | None, typer.Option(metavar="N", help=f"Only one position. {AT}")] = None,
    delay: Annotated[float | None, DELAY] = None,
    svg: Annotated[bool, typer.Option("--svg", help=SVG)] = False,
    json: JsonOption = False,
    plain: PlainOption = False,
    linear: LinearOption = False,
) -> None:
    """Show every position, or one of them; at a terminal, one at a time and back again."""
    record = read_record(file)
    one_position = svg or json or at is not None
    if not (plain or linear or one_position) and full_screen_possible():
        raise typer.Exit(run_app(delay=delay, screen=("replay", record, delay is None)))
    positions = recorded_positions(record)
    number = position_number(positions, -1 if at is None else at)
    if json:
        print_json(_as_data(record, positions[number]))
        return
    if svg:
        print(draw_svg(positions[number].view))
        return
    console = Console(simple=plain, linear=linear)
    console.say(*heading(record))
    if one_position:
        _print_one(console, record, positions, number)
    else:
        _print_all(console, record, positions, delay)


def _print_one(
    console: Console, record: Record, positions: Sequence[Position], number: int
) -> None:
    """A position, and how the game stands or went on there."""
    console.say("")
    console.show(positions[number].view)
    console.say("")
    if number < len(record.moves):
        console.say(f"{_move_label(record, positions, number)}.")
        console.say(f"Player {positions[number].turn} to move; {record.moves[number]} was played.")
    else:
        console.say(standing(record, positions[number]))


def _print_all(
    console: Console, record: Record, positions: Sequence[Position], delay: float | None
) -> None:
    """Every position under the move that led to it, and at the end how the game stands."""
    names = player_names(record.players)
    for number, position in enumerate(positions):
        if number and delay:
            sys.stdout.flush()
            time.sleep(delay)
        label = _move_label(record, positions, number)
        console.say("", label if number else f"{label}.")
        if number:
            console.say(f"{position.last_line(names)}.")
        console.show(position.view)
    console.say("", standing(record, positions[-1]))


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


def _move_label(record: Record, positions: Sequence[Position], number: int) -> str:
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
    named = (player.removeprefix(f"{HUMAN}:") for player in record.players)
    one, two = (printable(name, LONGEST_NAME) for name in named)
    return one, two


def standing(record: Record, last: Position) -> str:
    """The result, or who is to move."""
    if not record.finished:
        return f"Unfinished: Player {last.turn} to move."
    winner = RESULT_MARKS.index(record.result)
    who = "A draw" if winner == DRAW else f"Player {winner} won"
    how = printable(record.termination, LONGEST_NAME)
    return f"{who}: {how}." if how else f"{who}."
