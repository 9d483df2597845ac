"""`evaluate`, the front door to every search, and the Evaluation that each of them gives.

It picks the search by what the game is like, never by which game it is: face-down cells need
chance, the others have exact values. Exact searches give a `value` and a `distance`; where cells
are face down there is a winning probability, `win`, instead. Everything is from the side of the
player to move.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from gridwise.core.position import Position

IN_SIGHT = 2  # plies: a move, and the answer that wins
POINTS = {"win": 1.0, "draw": 0.5, "endless": 0.5, "loss": 0.0}


class Limits(NamedTuple):
    """How long a search may take: the first limit reached ends it; None is no limit."""

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    stop: Callable[[], bool] | None = None  # asked often; True ends the search at once
    seed: int = 0  # for searches that sample


NO_LIMITS = Limits()


class Answers(NamedTuple):
    """What the opponent can answer to a move with which nothing is won."""

    keeping: int  # answers that keep the opponent's result
    legal: int  # all of them

    @property
    def mistakes(self) -> float:
        """The share of the answers that give something away."""
        return 1.0 - self.keeping / self.legal if self.legal else 0.0


class MoveValue(NamedTuple):
    """One move and what it is worth to the player who makes it."""

    action: int
    move: str = ""  # the action as text
    value: str | None = None  # "win", "loss", "draw", "endless"; None where it is not known
    distance: int | None = None  # plies to the end, this move included
    win: float | None = None  # the probability of winning, a draw counting half
    error: float | None = None  # its standard error, where it was sampled
    passes: bool = False  # whether a player may be passed over on the way
    # Where the best try is looked for: see `with_answers`.
    answers: Answers | None = None
    looks: float | None = None  # how good it looks at first sight

    @property
    def points(self) -> float:
        """The expected result of the move: 1 for a win, 0 for a loss."""
        if self.win is not None:
            return self.win
        return POINTS[self.value] if self.value else 0.5

    @property
    def is_known(self) -> bool:
        """Whether the search has found out what it is worth."""
        return self.value is not None or self.win is not None

    @property
    def rank(self) -> tuple[float, ...]:
        """By which moves are compared: the result, then the fastest win and the slowest loss.

        Where answers are counted and nothing is won, the best try comes first: the move after which
        the largest share of the answers are mistakes, then the slowest loss. A loss to the very
        next answer is in plain sight, so it comes last.
        """
        distance = self.distance or 0
        then = {"win": -distance, "loss": distance, "draw": 2, "endless": 1}
        # Sums of many small probabilities may be off in the last of sixteen digits.
        rank = round(self.points, 9), then.get(self.value or "", 0)
        if self.answers is None or self.value == "win":
            return rank
        if self.value == "loss":
            return rank[0], distance > IN_SIGHT, self.answers.mistakes, distance
        return *rank, self.answers.mistakes


class Evaluation(NamedTuple):
    """What a position is worth to the player to move, and each of its moves."""

    moves: tuple[MoveValue, ...]  # in the order in which moves are shown
    value: str | None = None
    distance: int | None = None
    win: float | None = None
    exact: bool = True  # whether every move was computed, and none sampled
    incomplete: str = ""  # why some values are not known: "stopped" or "too large"
    nodes: int = 0  # how much was searched: nodes, or simulations

    @property
    def points(self) -> float:
        """The expected result of the position."""
        return max((move.points for move in self.moves), default=0.5)

    @property
    def is_known(self) -> bool:
        """Whether it is known what every move is worth."""
        return all(move.is_known for move in self.moves)

    @property
    def is_decision(self) -> bool:
        """Whether that is known, and one move gives away something that another one does not."""
        worst = min((move.points for move in self.moves), default=0.5)
        return self.is_known and self.points - worst > 1e-9

    @property
    def passes(self) -> bool:
        """Whether a player may be passed over on the way to the end."""
        return any(move.passes for move in self.moves)

    @property
    def best(self) -> MoveValue:
        """The best move: the fastest win, the slowest loss, then the first of equals as shown.

        With answers counted, it is the best-looking of equals.
        """
        return max(self.moves, key=lambda move: (move.rank, move.looks or 0.0))

    @property
    def best_moves(self) -> tuple[MoveValue, ...]:
        """All moves that are as good as the best, and as fast or as slow."""
        top = self.best.rank if self.moves else None
        return tuple(move for move in self.moves if move.rank == top)

    @property
    def choices(self) -> tuple[MoveValue, ...]:
        """Those of them that look as good as the best, too: what a perfect bot chooses from."""
        return tuple(move for move in self.best_moves if move.looks == self.best.looks)

    @property
    def optimal(self) -> tuple[MoveValue, ...]:
        """All moves that keep the best result, however long they take."""
        top = self.best.rank[0] if self.moves else None
        return tuple(move for move in self.moves if move.rank[0] == top)

    def move_value(self, action: int) -> MoveValue:
        """What one legal action is worth."""
        return next(move for move in self.moves if move.action == action)


class HasPosition(Protocol):
    """Something that stands at a position, such as a Match."""

    @property
    def position(self) -> Position:
        """Where it stands."""


def evaluate(position: Position | HasPosition, limits: Limits = NO_LIMITS) -> Evaluation:
    """What every legal move is worth, in the order in which moves are shown. Takes a Match too."""
    position = position if isinstance(position, Position) else position.position
    # Imported when a search is asked for: the one with chance needs numpy, 0.1 s.
    if position.game.has_hidden_cells:
        from gridwise.engine.chance.win_probability import win_probabilities  # noqa: PLC0415

        return win_probabilities(position, limits)
    from gridwise.engine.exact.solver import solve  # noqa: PLC0415

    return solve(position, limits)


def with_answers(position: Position, evaluation: Evaluation) -> Evaluation:
    """The evaluation with the answers counted, so that `best` is the best try where one is needed.

    Of moves that are equally good, and of all where counting would take long, the one that looks
    best goes first: in Grid Runner a bot that took any of them did not run, and lost more games to
    novices than the strong one. As it is, where the position can be won by force.
    """
    if not (evaluation.moves and evaluation.is_known) or evaluation.value == "win":
        return evaluation
    if evaluation.moves[0].looks is not None:  # it has been here, also if counting took too long
        return evaluation
    if not position.game.has_hidden_cells:
        from gridwise.engine.exact.answers import count_answers  # noqa: PLC0415 - as above

        evaluation = count_answers(position, evaluation)
    looks = (position.heuristic_score(move.action) for move in evaluation.moves)
    moves = (move._replace(looks=own) for move, own in zip(evaluation.moves, looks, strict=True))
    return evaluation._replace(moves=tuple(moves))


def prepare(position: Position) -> None:
    """Load what searching positions like this one takes, or compile it: up to half a minute, once.

    Without it the first search of a process does so, as part of its time.
    """
    if position.game.has_hidden_cells:
        evaluate(position, Limits(nodes=1))
        return
    from gridwise.engine.exact.solver import prepare_search  # noqa: PLC0415 - as above

    prepare_search(position)
