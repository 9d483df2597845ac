"""One choice of a player, compared with what every move was worth, and how hard it was.

In a game a position may come up again, in one that can go on for ever a hundred times. Rates per
move count its first visit alone: later ones are no new decisions, and a mean over all of them would
ask an unsteady player most often where it does not leave.

A player may also keep every value and never win. So a choice says by how many plies it postpones a
win (`delay`), and `game_regret` charges a game in which a win was left standing.

Difficulty goes from 1 to 5: by the plies one must see ahead to tell right moves from wrong ones,
one less where more than half of the moves are right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from gridwise.core.outcome import Outcome, Termination
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
STALLED_MOVES = 10  # a win that so many moves in a row have not brought nearer stands still


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
    chosen: str  # empty for an illegal answer; of several with chances the likeliest
    values: tuple[tuple[str, float], ...]  # each move: 1 a win, 0 a loss, or the chance of winning
    best: tuple[str, ...]  # the moves that keep the result
    value: float  # of the best move
    chosen_value: float
    regret: float  # what the choice gave away
    error: float  # the standard error of the chosen move's value; 0 where it is exact
    judged: bool  # whether every move could be evaluated
    decision: bool  # whether a mistake was possible
    optimal: float  # 1 where the choice was as good as the best, within the error; or the chance
    illegal: float  # 1 where the choice was no legal move; or the chance that it is none
    distance: int | None = None  # plies to the end of a won position, won as fast as can be
    delay: float = 0.0  # plies by which the choice postpones the win, where it keeps it
    progress: float | None = None  # 1 where it keeps a win and loses no time; None: nothing is won
    repeated: bool = False  # whether the position has come up before in the same game

    def as_dict(self) -> dict[str, Any]:
        """The row as files have it."""
        data = {name: getattr(self, name) for name in self.__dataclass_fields__}
        data["moves"], data["best"] = list(self.moves), list(self.best)
        data["values"] = [{"move": move, "points": points} for move, points in self.values]
        return data


class Judge:
    """Compares choices with the best, and remembers the positions it has evaluated."""

    def __init__(self, limits: Limits) -> None:
        self._evaluated = lru_cache(MAX_REMEMBERED)(
            lambda *key: evaluate(Position.from_state(*key), limits)
        )

    def judge(
        self,
        position: Position,
        choice: int | Mapping[int, float],
        source: str,
        cluster: str,
        phase: str,
        evaluation: Evaluation | None = None,
    ) -> GradedMove:
        """A choice compared with the best move; `evaluation` where it is known already.

        It is an action, NO_ACTION if it was illegal, or the chance of each: then every figure is
        what can be expected.
        """
        evaluation = evaluation or self._evaluated(*position.key)
        chances = choice if isinstance(choice, Mapping) else {choice: 1.0}
        illegal = chances.get(NO_ACTION, 0.0)
        known = evaluation
        if illegal:
            known = evaluation._replace(moves=(*evaluation.moves, ILLEGAL))
        reviewed = [
            (ReviewedMove(position.turn, known, known.move_value(action)), chance)
            for action, chance in chances.items()
        ]

        def expected(figure: Callable[[ReviewedMove], float]) -> float:
            return sum(chance * figure(each) for each, chance in reviewed)

        likeliest, _ = max(reviewed, key=lambda each: each[1])
        decision, won = likeliest.counts, evaluation.value == "win"
        return GradedMove(
            source=source,
            cluster=cluster,
            side=position.turn,
            ply=len(position.history),
            phase=phase,
            difficulty=difficulty(position, evaluation) if evaluation.is_decision else 0,
            board=position.game.board_text(position.board),
            first=position.first,
            moves=tuple(position.moves),
            chosen=likeliest.chosen.move,
            values=tuple((each.move, each.points) for each in evaluation.moves),
            best=tuple(each.move for each in evaluation.optimal),
            value=known.points,
            chosen_value=expected(lambda each: each.chosen.points),
            regret=expected(lambda each: each.regret),
            error=expected(lambda each: each.chosen.error or 0.0),
            judged=likeliest.judged,
            decision=decision,
            optimal=expected(lambda each: each.regret <= max(1e-9, each.noise))
            if decision
            else 0.0,
            illegal=illegal,
            distance=evaluation.distance if won else None,
            delay=expected(lambda each: _delay(each.chosen, evaluation) or 0) if won else 0.0,
            progress=expected(lambda each: _delay(each.chosen, evaluation) == 0) if won else None,
        )

    def judge_game(
        self,
        choices: Iterable[tuple[Position, int]],
        length: int,
        source: str,
        cluster: str,
    ) -> list[GradedMove]:
        """A player's choices in a game of so many plies, in order."""
        seen, rows = set(), []
        for position, action in choices:
            third = phase(len(position.history), length)
            row = self.judge(position, action, source, cluster, third)
            rows.append(replace(row, repeated=position.key in seen))
            seen.add(position.key)
        return rows


def _delay(chosen: MoveValue, evaluation: Evaluation) -> int | None:
    """The plies by which a move postpones a win; None if it gives it away."""
    if chosen.value != "win" or not (chosen.distance and evaluation.distance):
        return None
    return chosen.distance - evaluation.distance


# Whole games


def game_regret(rows: Sequence[GradedMove], outcome: Outcome | None, plies: int) -> float:
    """The points that a player threw away in a game: by its moves, and by not winning what was won.

    A game that is stopped without a winner is worth a half. If the player could have won it within
    the plies that were left and still could when it was stopped, the other half is charged too.
    """
    stopped = outcome is not None and outcome.termination is Termination.MAX_PLIES
    fits = any(each.ply + (each.distance or 0) <= plies for each in _last_win(rows))
    return sum(row.regret for row in rows) + (0.5 if stopped and fits else 0.0)


def is_stalled(rows: Sequence[GradedMove]) -> bool:
    """Whether a won game went in circles, or STALLED_MOVES moves brought its win no nearer."""
    nearest, idle = None, 0
    for row in rows:
        if row.distance is None:
            nearest, idle = None, 0
        elif nearest is None or row.distance < nearest:
            nearest, idle = row.distance, 0
        else:
            idle += 1
        if row.distance is not None and (row.repeated or idle >= STALLED_MOVES):
            return True
    return False


def _last_win(rows: Sequence[GradedMove]) -> Sequence[GradedMove]:
    """The last choices in a row, to the end of the game, that kept a win."""
    begin = len(rows)
    while begin and rows[begin - 1].distance is not None and not rows[begin - 1].regret:
        begin -= 1
    return rows[begin:]


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
