"""One choice of a player, compared with what every move was worth, and how hard it was.

Difficulty goes from 1 to 5: by the plies one must see ahead to tell right moves from wrong ones,
one less where more than half of the moves are right.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from gridwise.core.position import Position
from gridwise.engine.evaluation import Evaluation, Limits, MoveValue, evaluate
from gridwise.engine.review import ReviewedMove
from gridwise.players.batch_player import NO_ACTION

MAX_REMEMBERED = 10_000  # evaluated positions: some 20 MB
ILLEGAL = MoveValue(NO_ACTION, value="loss", win=0.0)
PHASES = ("opening", "middle", "end")
HARDEST = 5
# The plies one must see ahead at each difficulty, up to the hardest.
DEPTHS = (1, 3, 5, 8)


@dataclass(frozen=True)
class GradedMove:
    """A row of a grading: the position, the choice, and what all moves were worth."""

    source: str  # the number of the game, or the id of a suite's row
    cluster: str  # moves with the same one are not independent: of a pair of games, of a board
    side: int
    ply: int
    phase: str
    difficulty: int  # 1 to 5; 0 where no mistake was possible
    board: str  # as far as it had been seen
    first: int
    moves: tuple[str, ...]  # that led to the position
    chosen: str  # empty for an illegal answer
    values: tuple[tuple[str, float], ...]  # each move: 1 a win, 0 a loss, or the chance of winning
    best: tuple[str, ...]  # the moves that keep the result
    value: float  # of the best move
    chosen_value: float
    regret: float  # what the choice gave away
    error: float  # the standard error of the chosen move's value; 0 where it is exact
    judged: bool  # whether every move could be evaluated
    decision: bool  # whether a mistake was possible
    kept: bool  # whether the choice was as good as the best, within the error

    @property
    def legal(self) -> bool:
        """Whether it was a move at all."""
        return bool(self.chosen)

    def as_dict(self) -> dict[str, Any]:
        """The row as files have it."""
        data = {name: getattr(self, name) for name in self.__dataclass_fields__}
        data["moves"], data["best"] = list(self.moves), list(self.best)
        data["values"] = [{"move": move, "points": points} for move, points in self.values]
        return data | {"legal": self.legal}


class Judge:
    """Compares choices with the best, and remembers the positions it has evaluated."""

    def __init__(self, limits: Limits) -> None:
        self._evaluated = lru_cache(MAX_REMEMBERED)(
            lambda *key: evaluate(Position.from_state(*key), limits)
        )

    def judge(
        self,
        position: Position,
        action: int,
        source: str,
        cluster: str,
        phase: str,
        evaluation: Evaluation | None = None,
    ) -> GradedMove:
        """A choice, NO_ACTION if it was illegal; `evaluation` where it is known already."""
        evaluation = evaluation or self._evaluated(*position.key)
        known, chosen = evaluation, ILLEGAL
        if action == NO_ACTION:
            known = evaluation._replace(moves=(*evaluation.moves, ILLEGAL))
        else:
            chosen = evaluation.move_value(action)
        reviewed = ReviewedMove(position.turn, known, chosen)
        return GradedMove(
            source=source,
            cluster=cluster,
            side=position.turn,
            ply=len(position.history),
            phase=phase,
            difficulty=difficulty(position, evaluation) if _can_err(evaluation) else 0,
            board=position.game.board_text(position.board),
            first=position.first,
            moves=tuple(position.moves),
            chosen=chosen.move,
            values=tuple((each.move, each.points) for each in evaluation.moves),
            best=tuple(each.move for each in evaluation.optimal),
            value=known.points,
            chosen_value=chosen.points,
            regret=reviewed.regret,
            error=chosen.error or 0.0,
            judged=reviewed.judged,
            decision=reviewed.counts,
            kept=reviewed.counts and reviewed.regret <= max(1e-9, reviewed.noise),
        )


def _can_err(evaluation: Evaluation) -> bool:
    points = [move.points for move in evaluation.moves]
    known = all(move.is_known for move in evaluation.moves)
    return known and max(points) - min(points) > 1e-9


# Difficulty


def phase(ply: int, length: int) -> str:
    """The third of a game of that many plies in which a ply is, counted from 0."""
    return PHASES[min(2, 3 * ply // length)]


def difficulty(position: Position, evaluation: Evaluation) -> int:
    """1 to 5, of a position in which a mistake is possible."""
    depth = _depth_needed(position, evaluation)
    level = 1 + sum(depth > bound for bound in DEPTHS)
    right = len(evaluation.optimal) / len(evaluation.moves)
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
