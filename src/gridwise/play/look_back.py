"""Looking back at a game: a place in it, moves that are tried out there, and words on both.

Nothing is drawn here: the app, and whoever else shows a game, asks what there is to say.
"""

from __future__ import annotations

from collections.abc import Iterable

from gridwise.core.narration import NEUTRAL, Names, capitalized
from gridwise.core.position import Position
from gridwise.engine.evaluation import Evaluation
from gridwise.engine.explain import Explanation
from gridwise.engine.lines import best_line, line_after, line_moves
from gridwise.engine.review import (
    MARKS,
    Review,
    Trial,
    move_label,
    summary,
    verdict,
    worth_text,
)
from gridwise.errors import BadBoard, BadRequest
from gridwise.play.records import Record, recorded_positions

BEST, PLAYED = "★", "→"  # marks on the board
HERE = "▸"  # where one is in a line
BEST_LINE = "Best play"
NO_LINE = "What comes next turns up cells that nobody has seen: there is no line to follow."
WORKING = "Working out what this is worth…"
UNSEEN = "Nobody has seen the cells that this move turns up, so it cannot be tried."


class Exploration:
    """Where somebody is in a game: after `at` of its moves, and `place` of those in `line`.

    The line is what has been tried, or one to be followed that has a name: then it lies ahead.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self.positions = recorded_positions(record)  # the last one has the outcome
        self._open = [*record.positions()]  # of a game that was given up, the last one goes on
        self.at = self.last
        self.line: list[Position] = []
        self.line_name = ""
        self.place = 0
        self.evaluations: dict[Position, Evaluation] = {}  # of what was tried
        self.reasons: dict[Position, Explanation] = {}  # why the move that led there is good or bad

    @property
    def last(self) -> int:
        """How many moves were played."""
        return len(self.positions) - 1

    @property
    def tried(self) -> list[Position]:
        """The positions off the game, up to the one that is to be seen."""
        return self.line[: self.place]

    @property
    def position(self) -> Position:
        """What is to be seen."""
        return self.line[self.place - 1] if self.place else self.positions[self.at]

    @property
    def playable(self) -> Position:
        """The position where the game can go on, though it may have been given up."""
        return self.line[self.place - 1] if self.place else self._open[self.at]

    @property
    def before(self) -> Position | None:
        """The position before the last move that is tried; None if none is."""
        if not self.place:
            return None
        return self.line[self.place - 2] if self.place > 1 else self._open[self.at]

    def add_trial(self, position: Position, trial: Trial) -> None:
        """Keep what was found out about a move that is tried."""
        self.reasons[position] = trial.why
        if trial.evaluation:
            self.evaluations[position] = trial.evaluation

    @property
    def played(self) -> int | None:
        """The action that was played here; None at the end and off the game."""
        if self.place or self.at == self.last:
            return None
        return self.positions[-1].history[self.at]

    def go_to(self, number: int) -> None:
        """Go to a place in the game."""
        self.at = max(0, min(self.last, number))
        self.line, self.line_name, self.place = [], "", 0

    def step(self, by: int) -> None:
        """Go on or back, in a line where one is gone into or lies ahead, otherwise in the game."""
        if self.place + min(by, 0) < 0 or not self.line:
            self.go_to(self.at + by)
        else:
            self.place = min(self.place + by, len(self.line))
            if not (self.place or self.line_name):
                self.line = []

    def try_move(self, action: int) -> None:
        """Play a move that need not be the one of the game; raises BadRequest if it cannot be.

        The move of the game leads on in the game, and the next one of a line in the line.
        """
        if self.line[self.place :] and self.line[self.place].history[-1] == action:
            self.place += 1
            return
        if action == self.played:
            self.go_to(self.at + 1)
            return
        try:
            after = self.playable.play(action, self.record.board)
        except BadBoard:
            raise BadRequest(UNSEEN) from None
        self.line[self.place :] = [after]
        self.line_name = ""
        self.place += 1

    def take_back(self) -> None:
        """Take the last tried move back, and what lay ahead."""
        self.place = max(0, self.place - 1)
        del self.line[self.place :]
        self.line_name = ""

    def follow(self, name: str, actions: Iterable[int]) -> None:
        """Lay a line ahead of where one is, to be stepped through."""
        line, position = self.tried, self.playable
        for action in actions:
            position = position.play(action, self.record.board)
            line.append(position)
        self.line, self.line_name = line, name

    @property
    def tried_moves(self) -> list[str]:
        """What is tried, as text."""
        return self.position.moves[self.at :] if self.place else []

    @property
    def moves_ahead(self) -> list[str]:
        """What lies ahead in a line, as text."""
        return self.line[-1].moves[self.at + self.place :] if self.line else []

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
    return last.result_line(names) or f"Unfinished: {names[last.turn - 1].object} to move."


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
        return [*lines, *summary(reviewed, names)]
    return [*lines, verdict(reviewed, at, names)]


def line_words(explored: Exploration) -> str:
    """A line that has a name, with a sign where one is in it; otherwise empty."""
    if not explored.line_name:
        return ""
    moves = [*explored.tried_moves, HERE, *explored.moves_ahead]
    return f"{explored.line_name}: {' '.join(moves)}"


def mistake_lines(explored: Exploration, reviewed: Review, names: Names = NEUTRAL) -> list[str]:
    """Best play instead of each move that is worth a look, and after it, as texts."""
    lines = []
    for number in reviewed.worth_a_look:
        if number == explored.last:  # a resignation: there is no move to compare
            continue
        position, played = explored.positions[number], reviewed.moves[number].chosen
        label = capitalized(move_label(reviewed, number, names))
        best = line_moves(position, best_line(position))
        after = line_moves(position, line_after(position, played.action))[1:]
        for name, line in (BEST_LINE, best), (f"After {played.move}", after):
            if line:
                lines.append(f"{label}. {name}: {' '.join(line)}")
    return lines


def tried_words(
    explored: Exploration, reviewed: Review | None, names: Names = NEUTRAL
) -> list[str]:
    """What is to be said about a move that is tried."""
    position, moves = explored.position, explored.tried_moves
    here, why = explored.evaluation(reviewed), explored.reasons.get(position)
    lines = [line_words(explored) or f"You are trying {' '.join(moves)}."]
    if why:
        lines.append(f"{moves[-1]}: {why.text(names)}")
    if position.outcome:
        return [*lines, position.result_line(names)]
    if here is None:
        return [*lines, WORKING]
    return [*lines, f"{worth_text(position.turn, here, names)} Best: {here.best.move}."]
