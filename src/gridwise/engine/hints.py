"""A hint: a move to consider, and what it is worth."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from gridwise.core.position import Position
from gridwise.engine.evaluation import Evaluation, Limits, MoveValue, evaluate

# Counted in nodes, so that the same position gets the same hint; the clock is for large boards, and
# for the first time ever, when the search has to be compiled.
THOROUGH = Limits(nodes=5_000_000, seconds=1.4)
SAMPLED = Limits(nodes=10_000, seconds=1.4)


class Hint(NamedTuple):
    """A best move, and the sentence that says what it is worth."""

    move: str
    text: str


def hint(position: Position, answers: Mapping[str, int] | None = None) -> Hint:
    """A best move and what it is worth.

    With `answers`, each of which makes an action, it is one of those that is named.
    """
    evaluation = _evaluated(position)
    if answers:
        among = tuple(move for move in evaluation.moves if move.action in answers.values())
        best = evaluation._replace(moves=among).best
        name = next(answer for answer, action in answers.items() if action == best.action)
    else:
        best = evaluation.best
        if best.win is not None:  # chances that are the same, as where all is lost: what looks best
            same = evaluation.best_moves
            best = max(same, key=lambda move: position.heuristic_score(move.action))
        name = best.move
    return Hint(name, f"Consider {name}: {describe(best)}.")


@lru_cache(maxsize=16)
def _evaluated(position: Position) -> Evaluation:
    # Kept, so that asking twice gets the same answer, though the clock may have cut the first
    # short.
    return evaluate(position, SAMPLED if position.game.has_hidden_cells else THOROUGH)


def describe(best: MoveValue) -> str:
    """What a move is worth, as the end of a sentence."""
    if best.win is not None:
        error = f", give or take {best.error:.0%}" if best.error else ""
        if best.win == 0:
            return "your opponent wins if they play well, whatever you do"
        return f"it wins {best.win:.0%} of the time{error}"
    moves = in_moves(best)
    return {
        "win": "it wins at once" if best.distance == 1 else f"you can force a win in {moves}",
        "draw": "it holds the draw",
        "endless": "it keeps your opponent from winning",
        "loss": f"your opponent can force a win, but this holds out longest ({moves})",
        None: "the best move found in the time available",
    }[best.value]


def in_moves(worth: MoveValue | Evaluation) -> str:
    """The distance as a person counts: in moves of the player who makes the first of them.

    Where a player may be passed over, that many of the plies need not be theirs, and the moves of
    both are counted.
    """
    plies = worth.distance or 1
    if worth.passes and plies > 1:
        return f"{plies} moves of both players"
    return count_of_moves((plies + 1) // 2)


def count_of_moves(count: int) -> str:
    """`1 move`, `2 moves`."""
    return "1 move" if count == 1 else f"{count} moves"
