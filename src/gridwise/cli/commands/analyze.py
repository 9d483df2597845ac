"""`gridwise analyze`: what every move in a position is worth, for people or as JSON."""

from __future__ import annotations

import json as json_text
import sys
from contextlib import nullcontext
from typing import Annotated

import typer

from gridwise.cli import arguments
from gridwise.cli.console import Console, read_line
from gridwise.core.outcome import DRAW
from gridwise.core.position import Position
from gridwise.core.registry import game as game_named
from gridwise.engine.analysis import MAX_LINE, analyze_line, answer
from gridwise.engine.deals import with_handicap
from gridwise.engine.evaluate import evaluate
from gridwise.engine.evaluation import Evaluation, MoveValue
from gridwise.engine.hints import in_moves
from gridwise.errors import BadRequest, quoted
from gridwise.show.progress import notify_if_slow

MOVES = "The moves so far, separated by spaces."
SEARCH = "Whether to evaluate the moves."
BATCH = "Answer the JSON Lines in a file (- reads standard input)."


def analyze(
    game: arguments.OptionalGameArgument = "",
    board: arguments.BoardOption = "",
    target: arguments.TargetOption = None,
    handicap: arguments.HandicapOption = False,
    first: Annotated[int, arguments.FIRST] = 1,
    moves: Annotated[str, typer.Option(metavar="MOVES", help=MOVES)] = "",
    search: Annotated[bool, typer.Option("--search/--no-search", help=SEARCH)] = True,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    batch: Annotated[str, typer.Option(metavar="FILE", help=BATCH)] = "",
    plain: arguments.PlainOption = False,
) -> None:
    """Print one position, or answer a batch of requests."""
    if batch:
        _answer_batch(batch)
        return
    if not game:
        raise BadRequest("Which game? Try gridwise analyze grid-runner, or give --batch FILE.")
    played = game_named(game)
    text = board or played.board_text(played.default_board())
    parsed = played.parse_board(text, target)
    parsed = with_handicap(played, parsed) if handicap else parsed
    position = Position(played, parsed, first=first, moves=moves.split())
    with notify_if_slow():
        evaluation = evaluate(position) if search else None
    if json:
        print(json_text.dumps(answer(position, evaluation, moves.split())))
        return
    console = Console(simple=plain)
    console.show(position.view)
    console.say("", *_verdict(position, evaluation))


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
    width = max(4, *(len(each.move) for each in evaluation.moves))
    lines = [f"  {'move':{width}}  result"]
    for each in evaluation.moves:
        mark = "*" if each in evaluation.best_moves else " "
        lines.append(f"{mark} {each.move:{width}}  {_worth(each)}")
    legend = "* marks the best move" + ("s" if len(evaluation.best_moves) > 1 else "")
    if any(each.error for each in evaluation.moves):
        legend += ", as far as sampling can tell; ± is the standard error"
    elif not evaluation.exact:
        legend += " found so far; not every move could be evaluated"
    return [*lines, "", f"{legend}."]


def _worth(found: MoveValue | Evaluation) -> str:
    """`wins in 6 moves`, `endless`, `wins 63.2% of the time (± 0.4%)`."""
    if found.win is not None:
        error = getattr(found, "error", None)
        return f"wins {found.win:.1%} of the time" + (f" (± {error:.1%})" if error else "")
    moves = in_moves(found.distance or 1)
    return {
        "win": f"wins in {moves}",
        "loss": f"loses in {moves}",
        "draw": "draws",
        "endless": "endless",
    }.get(found.value or "", "unknown")


def _answer_batch(source: str) -> None:
    """JSON Lines in, JSON Lines out, each answered before the next is read."""
    try:
        with nullcontext(sys.stdin.buffer) if source == "-" else open(source, "rb") as stream:
            while line := read_line(stream, MAX_LINE + 2):
                print(analyze_line(line.rstrip(b"\r\n")), flush=True)
    except (FileNotFoundError, IsADirectoryError, PermissionError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise BadRequest(f"Cannot read {quoted(source, 200)}: {why}.") from None
