"""`gridwise analyze`: what every move in a position is worth, for people or as JSON."""

from __future__ import annotations

import sys
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Annotated

import typer

from gridwise.cli import arguments
from gridwise.cli.commands.replay import position_number
from gridwise.cli.commands.review import mark_as_helped
from gridwise.cli.console import Console, print_json, read_line
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.outcome import DRAW
from gridwise.core.position import Position, replay
from gridwise.core.registry import game as game_named
from gridwise.engine.analysis import MAX_LINE, analyze_line, answer
from gridwise.engine.deals import with_handicap
from gridwise.engine.evaluation import Evaluation, MoveValue, evaluate, with_answers
from gridwise.engine.explain import explain
from gridwise.engine.hints import in_moves
from gridwise.errors import BadRequest, UnknownGame, quoted
from gridwise.play.records import read_record, recorded_positions
from gridwise.show.progress import notify_if_slow

MOVES = "The moves so far, separated by spaces."
SEARCH = "Whether to evaluate the moves."
WHY = "Say of each move why it is good or bad."
ABOUT = "The game, such as number-run or just run; or a recorded game (.gwr), or its id."
SUBJECT = typer.Argument(
    metavar="[GAME|FILE]", help=ABOUT, autocompletion=arguments.complete_game_or_file
)
BATCH = "Answer the JSON Lines in a file (- reads standard input)."


def analyze(
    game: Annotated[str, SUBJECT] = "",
    board: arguments.BoardOption = None,
    target: arguments.TargetOption = None,
    handicap: arguments.HandicapOption = False,
    first: Annotated[int | None, arguments.FIRST] = None,
    moves: Annotated[str, typer.Option(metavar="MOVES", help=MOVES)] = "",
    at: arguments.AtOption = -1,
    search: Annotated[bool, typer.Option("--search/--no-search", help=SEARCH)] = True,
    why: Annotated[bool, typer.Option("--why", help=WHY)] = False,
    json: arguments.JsonOption = False,
    batch: Annotated[str, typer.Option(metavar="FILE", help=BATCH)] = "",
    plain: arguments.PlainOption = False,
) -> None:
    """Print one position, or answer a batch of requests."""
    if batch:
        if why:
            raise BadRequest('Each request of a batch says "why" for itself: leave out --why.')
        _answer_batch(batch)
        return
    if why and not search:
        raise BadRequest("--why takes a search: leave out --no-search.")
    if not game:
        raise BadRequest("Which game? Try gridwise analyze grid-runner, or give --batch FILE.")
    subject = _game_or_file(game)
    if isinstance(subject, Path):
        if board is not None or target is not None or handicap or first is not None or moves:
            raise BadRequest(
                "A recorded game has its board and its moves: "
                "leave out --board, --target, --handicap, --first and --moves."
            )
        record = read_record(subject)
        if search:
            mark_as_helped(subject)
        positions, texts = recorded_positions(record), list(record.moves)
    else:
        dealt = _board(subject, board, target, handicap=handicap)
        texts = moves.split()
        positions = list(replay(subject, dealt, 1 if first is None else first, texts))
    number = position_number(positions, at)
    position = positions[number]
    with notify_if_slow():
        evaluation = with_answers(position, evaluate(position)) if search else None
    if json:
        print_json(answer(position, evaluation, texts[:number], why=why))
        return
    console = Console(simple=plain)
    console.show(position.view)
    console.say("", *_verdict(position, evaluation))
    if why and evaluation:
        console.say("")
        console.say_wrapped(*_reasons(position, evaluation))


def _game_or_file(name: str) -> Game | Path:
    """The game of that name, or the file of a recorded one. Raises UnknownGame."""
    try:
        return game_named(name)
    except UnknownGame:
        with suppress(BadRequest):
            return arguments.game_file(name)
        raise


def _board(game: Game, text: str | None, target: int | None, *, handicap: bool) -> Board:
    """The board that the options describe."""
    text = game.board_text(game.default_board()) if text is None else text
    board = game.parse_board(text, target)
    return with_handicap(game, board) if handicap else board


def _verdict(position: Position, evaluation: Evaluation | None) -> list[str]:
    outcome = position.outcome
    if outcome:
        how = "a draw" if outcome.winner == DRAW else f"Player {outcome.winner} has won"
        return [f"The game is over: {how} ({outcome.reason})."]
    if evaluation is None:
        return [f"Player {position.turn} to move: {' '.join(position.legal_moves)}"]
    return [_headline(position.turn, evaluation), "", *_table(evaluation)]


def _headline(turn: int, evaluation: Evaluation) -> str:
    if evaluation.value == "endless":
        return "The game is endless: neither side can force a win."
    known = evaluation.value or evaluation.win is not None
    return f"Player {turn} {_worth(evaluation)}." if known else f"Player {turn} to move."


def _table(evaluation: Evaluation) -> list[str]:
    """A line for each move, the best ones marked."""
    width = max(4, *(len(value.move) for value in evaluation.moves))
    lines = [f"  {'move':{width}}  result"]
    for value in evaluation.moves:
        mark = "*" if value in evaluation.best_moves else " "
        lines.append(f"{mark} {value.move:{width}}  {_worth(value)}")
    legend = "* marks the best move" + ("s" if len(evaluation.best_moves) > 1 else "")
    if any(value.error for value in evaluation.moves):
        legend += ", as far as sampling can tell; ± is the standard error"
    elif not evaluation.exact:
        legend += " found so far; not every move could be evaluated"
    return [*lines, "", f"{legend}."]


def _reasons(position: Position, evaluation: Evaluation) -> list[str]:
    """A paragraph for each move, the best ones first, with the lines that prove it."""
    lines = []
    for value in sorted(evaluation.moves, key=lambda move: move.rank, reverse=True):
        why = explain(position, value.action, evaluation)
        if why.facts:
            shown = "; ".join(f"{what}: {' '.join(line)}" for what, line in why.lines().items())
            lines.append(f"{value.move}: {why}{f' ({shown})' * bool(shown)}")
    return lines


def _worth(valued: MoveValue | Evaluation) -> str:
    """`wins in 6 moves`, `endless`, `wins 63.2 % of the time (± 0.4 %)`."""
    if valued.win is not None:
        error = getattr(valued, "error", None)
        return f"wins {100 * valued.win:.1f} % of the time" + (
            f" (± {100 * error:.1f} %)" if error else ""
        )
    moves = in_moves(valued)
    return {
        "win": f"wins in {moves}",
        "loss": f"loses in {moves}",
        "draw": "draws",
        "endless": "endless",
    }.get(valued.value or "", "unknown")


def _answer_batch(source: str) -> None:
    """JSON Lines in, JSON Lines out, each answered before the next is read."""
    try:
        with nullcontext(sys.stdin.buffer) if source == "-" else open(source, "rb") as stream:
            while line := read_line(stream, MAX_LINE + 2):
                print(analyze_line(line.rstrip(b"\r\n")), flush=True)
    except (FileNotFoundError, IsADirectoryError, PermissionError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise BadRequest(f"Cannot read {quoted(source, 200)}: {why}.") from None
