"""The commands that look at things: rules, show, replay, analyze."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, BinaryIO

from gridwise.cli.console import Console, may_colour
from gridwise.cli.options import evened
from gridwise.cli.progress import THINKING, patience
from gridwise.core.registry import game as game_of
from gridwise.core.view import View
from gridwise.engine.analysis import LONGEST_LINE, analyze_line, answer, usual_board
from gridwise.engine.worth import POINTS
from gridwise.errors import BadRequest, quoted
from gridwise.play.records import Record, Step, read_record
from gridwise.show.pages import rules_page
from gridwise.show.svg import svg as draw_svg


def print_rules(key: str, *, simple: bool) -> None:
    """The rules page: set for a terminal, or as its plain text."""
    page = rules_page(game_of(key))
    if simple or not may_colour(sys.stdout):
        print(page)
        return
    from rich.console import Console as RichConsole  # noqa: PLC0415 - 60 ms, only to set type
    from rich.markdown import Markdown  # noqa: PLC0415

    RichConsole().print(Markdown(page))


# Records


def show_record(path: Path, *, svg: bool, simple: bool, linear: bool) -> None:
    """The last position of a record, and how the game stands."""
    record = read_record(path)
    steps = list(record.steps())
    last = steps[-1]
    view = _view(record, last, _cell_of(record, steps, len(steps) - 1), is_last=True)
    if svg:
        print(draw_svg(view))
        return
    console = Console(simple=simple, linear=linear)
    console.say(*_heading(record), "")
    console.show(view)
    console.say("", _standing(record, last))


def replay_record(path: Path, *, simple: bool, linear: bool) -> None:
    """A record position by position; at a terminal, a key at a time and back again."""
    record = read_record(path)
    steps = list(record.steps())
    console = Console(simple=simple, linear=linear)
    console.say(*_heading(record))
    at = 0
    while at < len(steps):
        step = steps[at]
        console.say("", _caption(record, steps, at))
        cell = _cell_of(record, steps, at)
        console.show(_view(record, step, cell, is_last=at == len(steps) - 1))
        if at == len(steps) - 1:
            console.say("", _standing(record, step))
        at = _next(console, at, len(steps))


def _next(console: Console, at: int, count: int) -> int:
    """Where to go from one position: on, back, to a number, or out."""
    if not console.interactive:
        return at + 1
    last = at == count - 1
    on = "" if last else "Enter: on, "
    try:
        text = console.ask(f"({on}b: back, a number: that move, q: leave) ").strip().casefold()
    except EOFError:
        console.say("")
        text = "q"
    places = {"": at if last else at + 1, "b": max(0, at - 1), "q": count}
    if text in places:
        return places[text]
    if text.isdecimal() and int(text) < count:
        return int(text)
    console.say(f"There is no position {quoted(text)}: they go from 0 to {count - 1}.")
    return at


def _heading(record: Record) -> list[str]:
    one, two = record.players
    date = f", {record.date}" if record.date else ""
    return [f"{record.game.title}{date}", f"Player 1: {one}", f"Player 2: {two}"]


def _caption(record: Record, steps: list[Step], at: int) -> str:
    if at == 0:
        return "The beginning."
    mover = steps[at - 1].state.turn
    return f"Move {at}, Player {mover}: {record.moves[at - 1]}"


def _cell_of(record: Record, steps: list[Step], at: int) -> int:
    """The cell of the move that led to a position; -1 at the beginning."""
    if at == 0:
        return -1
    before = steps[at - 1]
    return record.game.words.target(before.board, before.state, steps[at].action)


def _standing(record: Record, last: Step) -> str:
    if record.finished:
        return f"Result: {record.result} ({record.termination})"
    return f"Unfinished: Player {last.state.turn} to move."


def _view(record: Record, step: Step, last: int, *, is_last: bool) -> View:
    game = record.game
    stopped = None
    if is_last and record.finished:
        stopped = {"1-0": 1, "0-1": 2, "1/2-1/2": 3}[record.result]
    board = record.board if stopped else step.board
    return game.view(board, step.state, last, stopped)


# Positions


def board_request(key: str, board: str, target: int | None, *, handicap: bool) -> dict[str, Any]:
    """The part of a request that says which game and on which board; raises GridwiseError."""
    if not key:
        raise BadRequest("Say which game: gridwise analyze GAME, or give --batch FILE.")
    game = game_of(key)
    asked = game.parse_board(board or usual_board(game), target)
    if handicap:
        asked = evened(game, asked)
    request = {"game": key, "board": game.board_text(asked), "handicap": asked.handicap}
    return request | ({"target": asked.target} if game.target else {})


def analyze_one(request: dict[str, Any], *, as_json: bool, simple: bool) -> None:
    """One position, for a person or as JSON."""
    with patience(THINKING):
        found = answer(request)
    if as_json:
        print(json.dumps(found))
        return
    _print_position(request, found, simple=simple)


def _print_position(request: dict[str, Any], found: dict[str, Any], *, simple: bool) -> None:
    game = game_of(request["game"])
    board = game.parse_board(found["board"], request.get("target"), request["handicap"])
    state = game.rules.start(board, request["first"])
    for move in found["moves"]:
        state = game.rules.play(board, state, game.read_move(board, state, move))
    console = Console(simple=simple)
    console.show(game.view(board, state))
    console.say("")
    if found["result"]:
        how = "a draw" if found["result"] == "draw" else f"won by Player {found['result'][1]}"
        console.say(f"The game is over: {how} ({found['reason']}).")
    elif not found["options"]:
        console.say(f"Player {found['to_move']} to move: {' '.join(found['legal'])}")
    else:
        console.say(f"Player {found['to_move']} to move: {_worth(found)}.", "")
        console.say(*_options(found))


def _options(found: dict[str, Any]) -> list[str]:
    """A line a move, the best marked."""
    best = max(_rank(option) for option in found["options"])
    width = max(len(option["move"]) for option in found["options"])
    lines = [f"  {'move':{max(width, 4)}}  worth"]
    for option in found["options"]:
        mark = "*" if _rank(option) + 2 * option.get("error", 0.0) >= best else " "
        lines.append(f"{mark} {option['move']:{max(width, 4)}}  {_worth(option)}")
    sure = "" if found["exact"] else " Not everything could be worked out."
    if any("error" in option for option in found["options"]):
        sure = " Sampled; give or take the standard error."
    return [
        *lines,
        "",
        f"* keeps the best result{', as far as can be told' if sure else ''}.{sure}",
    ]


def _rank(option: dict[str, Any]) -> float:
    if option["win"] is not None:
        return float(option["win"])
    return POINTS[option["value"]] if option["value"] else 0.5


def _worth(told: dict[str, Any]) -> str:
    """`win in 11`, `endless`, `63.2 % ± 0.4`."""
    if told["win"] is not None:
        error = f" ± {100 * told['error']:.1f}" if told.get("error") else ""
        return f"{100 * told['win']:.1f} %{error}"
    if told["value"] in ("win", "loss"):
        return f"{told['value']} in {told['distance']}"
    return told["value"] or "not known"


def analyze_batch(source: str) -> None:
    """JSON Lines in, JSON Lines out, each answered before the next is read."""
    if source == "-":
        _answer_all(sys.stdin.buffer)
        return
    try:
        with open(source, "rb") as stream:
            _answer_all(stream)
    except (FileNotFoundError, IsADirectoryError, PermissionError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise BadRequest(f"Cannot read {quoted(source, 200)}: {why}.") from None


def _answer_all(stream: BinaryIO) -> None:
    while line := stream.readline(LONGEST_LINE + 2):
        rest = line
        while rest and not rest.endswith(b"\n"):  # too long: one answer, whatever its length
            rest = stream.readline(1 << 16)
        print(analyze_line(line.rstrip(b"\r\n")), flush=True)
