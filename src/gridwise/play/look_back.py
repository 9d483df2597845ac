"""Looking back at a game: a place in it, moves that are tried out there, and words on both.

Nothing is drawn here: the app, and whoever else shows a game, asks what there is to say.
"""

from __future__ import annotations

from gridwise.core.narration import Names
from gridwise.core.position import Position
from gridwise.engine.evaluation import Evaluation
from gridwise.engine.review import MARKS, Review, in_words, remark, rows, summary, worth_text
from gridwise.errors import BadBoard, BadRequest
from gridwise.play.records import Record, recorded_positions

BEST, PLAYED = "★", "→"  # marks on the board
WORKING = "Working out what this is worth…"
UNSEEN = "Nobody has seen the cells that this move turns up, so it cannot be tried."


class Exploration:
    """Where somebody is in a game: after `at` of its moves, and the moves in `tried`."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.positions = recorded_positions(record)  # the last one has the outcome
        self._open = [*record.positions()]  # of a game that was given up, the last one goes on
        self.at = self.last
        self.tried: list[Position] = []
        self.evaluations: dict[Position, Evaluation] = {}  # of what was tried

    @property
    def last(self) -> int:
        """How many moves were played."""
        return len(self.positions) - 1

    @property
    def position(self) -> Position:
        """What is to be seen."""
        return self.tried[-1] if self.tried else self.positions[self.at]

    @property
    def playable(self) -> Position:
        """The position where the game can go on, though it may have been given up."""
        return self.tried[-1] if self.tried else self._open[self.at]

    @property
    def played(self) -> int | None:
        """The action that was played here; None at the end and off the game."""
        if self.tried or self.at == self.last:
            return None
        return self.positions[-1].history[self.at]

    def go_to(self, number: int) -> None:
        """Go to a place in the game."""
        self.at = max(0, min(self.last, number))
        self.tried = []

    def try_move(self, action: int) -> None:
        """Play a move that need not be the one of the game; raises BadRequest if it cannot be.

        The move of the game leads on in the game.
        """
        if action == self.played:
            self.go_to(self.at + 1)
            return
        try:
            self.tried.append(self.playable.play(action, self.record.board))
        except BadBoard:
            raise BadRequest(UNSEEN) from None

    def take_back(self) -> None:
        """Take the last tried move back."""
        del self.tried[-1:]

    @property
    def tried_moves(self) -> list[str]:
        """What is tried, as text."""
        return self.position.moves[self.at :] if self.tried else []

    def evaluation(self, reviewed: Review | None, tried: int | None = None) -> Evaluation | None:
        """What is known about a position: after so many of the tried moves, or after all."""
        moves = self.tried[:tried]
        if moves:
            return self.evaluations.get(moves[-1])
        if reviewed and self.at < self.last:
            return reviewed.moves[self.at].evaluation
        given_up = reviewed.resignation if reviewed else None
        return given_up.evaluation if given_up else self.evaluations.get(self._open[self.at])

    def marks(self, reviewed: Review | None) -> dict[int, str]:
        """The move that was played and the best one, on the cells that they go to."""
        position, played, evaluation = self.playable, self.played, self.evaluation(reviewed)
        marks: dict[int, str] = {}
        if played is not None:
            grade = reviewed.moves[self.at].grade if reviewed else ""
            marks[position.target(played)] = MARKS.get(grade, PLAYED)
        if evaluation and evaluation.moves:
            best = evaluation.best.action
            cell = position.target(best)
            marks[cell] = BEST + (marks.get(cell, "") if played != best else "")
        return marks


# What there is to say


def standing(explored: Exploration, names: Names) -> str:
    """How the game ended, or who is to move."""
    last = explored.positions[-1]
    return last.result_line(names) or f"Unfinished: Player {last.turn} to move."


def place_words(
    explored: Exploration, reviewed: Review | None, done: int, names: Names
) -> list[str]:
    """What is to be said where somebody is in the game; `done` moves have been reviewed."""
    at, last = explored.at, explored.last
    if at == last:
        lines = [standing(explored, names)]
    else:
        lines = [explored.positions[at + 1].last_line(names) + "."]
    if reviewed is None:
        return [*lines, f"Reviewing the moves: {done} of {last}"]
    if not last:
        return [*lines, "No move was made yet."]
    if at == last:
        return [*lines, *summary(reviewed)]
    row = rows(reviewed)[at]
    better = f" Best: {row.better}." if row.better else ""
    return [*lines, remark(reviewed, at) or f"{row.move}: {row.worth}.{better}"]


def tried_words(explored: Exploration, reviewed: Review | None) -> list[str]:
    """What is to be said about a move that is tried."""
    position, moves = explored.position, explored.tried_moves
    before = explored.evaluation(reviewed, len(moves) - 1)
    here = explored.evaluation(reviewed)
    lines = [f"You are trying {' '.join(moves)}."]
    if before:
        lines.append(f"{moves[-1]}: {in_words(before.move_value(position.history[-1]))}.")
    if position.outcome:
        return [*lines, position.result_line()]
    if here is None:
        return [*lines, WORKING]
    return [*lines, f"{worth_text(position.turn, here)} Best: {here.best.move}."]
