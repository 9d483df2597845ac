"""How hard a position is, and in which third of its game it is.

Difficulty goes from 1 to 5: by the plies one must see ahead to tell right moves from wrong ones,
one less where more than half of the moves are right.
"""

from __future__ import annotations

from gridwise.core.position import Position
from gridwise.engine.evaluation import Evaluation

PHASES = ("opening", "middle", "end")
HARDEST = 5
# The plies one must see ahead at each difficulty, up to the hardest.
DEPTHS = (1, 3, 5, 8)


def phase(ply: int, length: int) -> str:
    """The third of a game of that many plies in which a ply is, counted from 0."""
    return PHASES[min(2, 3 * ply // length)]


def difficulty(position: Position, evaluation: Evaluation) -> int:
    """1 to 5, of a position in which a mistake is possible."""
    depth = _depth_needed(position, evaluation)
    level = 1 + sum(depth > bound for bound in DEPTHS)
    right = len(evaluation.keeping) / len(evaluation.moves)
    return max(1, level - (right > 0.5))


def _depth_needed(position: Position, evaluation: Evaluation) -> int:
    """The plies one must see ahead to know which moves keep the result."""
    if evaluation.win is not None:
        return _plies_to_the_end(position)
    if evaluation.value == "win":
        return evaluation.distance or 1
    losing = (each.distance or 1 for each in evaluation.moves if each.value == "loss")
    return max(losing, default=1)


def _plies_to_the_end(position: Position) -> int:
    """The plies until somebody can have the points to win, at the earliest."""
    high, target = position.game.rules.HIGH, position.board.target
    scores = position.scores or (0, 0)
    mine, yours = (
        -(-(target - scores[side - 1]) // high) for side in (position.turn, 3 - position.turn)
    )
    return min(2 * mine - 1, 2 * yours)
