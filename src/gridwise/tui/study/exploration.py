"""Exploration: a recorded game, a place in it, and moves that somebody tries out there."""

from __future__ import annotations

from gridwise.arena.seats import make_player
from gridwise.core.position import Position
from gridwise.engine.evaluation import Evaluation
from gridwise.engine.review import MARKS, Review
from gridwise.errors import BadBoard, BadRequest
from gridwise.play.match import HUMAN, Match
from gridwise.play.records import Record, recorded_positions
from gridwise.play.session import PlaySession

BEST, PLAYED = "★", "→"  # marks on the board
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
        """The same where the game can go on, though it may have been given up."""
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

    def evaluation(self, found: Review | None, tried: int | None = None) -> Evaluation | None:
        """What is known about a position: after so many of the tried moves, or after all."""
        moves = self.tried[:tried]
        if moves:
            return self.evaluations.get(moves[-1])
        if found and self.at < self.last:
            return found.moves[self.at].evaluation
        given_up = found.resignation if found else None
        return given_up.evaluation if given_up else self.evaluations.get(self._open[self.at])

    def marks(self, found: Review | None) -> dict[int, str]:
        """The move that was played and the best one, on the cells that they go to."""
        position, played, evaluation = self.playable, self.played, self.evaluation(found)
        marks: dict[int, str] = {}
        if played is not None:
            grade = found.moves[self.at].grade if found else ""
            marks[position.target(played)] = MARKS.get(grade, PLAYED)
        if evaluation and evaluation.moves:
            best = evaluation.best.action
            cell = position.target(best)
            marks[cell] = BEST + (marks.get(cell, "") if played != best else "")
        return marks

    def play_on(self, person: int, bot: str) -> PlaySession:
        """A new game from here, of a person on one side and a bot on the other.

        Cells that nobody has seen by now are dealt afresh.
        """
        here = self.playable
        match = Match(here.game, here.board, first=here.first)
        for action in here.history:
            match.move(action)
        players = (HUMAN, bot) if person == 1 else (bot, HUMAN)
        seats = (make_player(here.game, players[0]), make_player(here.game, players[1]))
        return PlaySession(match, seats, players)
