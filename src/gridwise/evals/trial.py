"""Trial: what a model did in one sample, as the log keeps it; enough to score it again.

The board is kept as far as it has been seen: face-down cells are `?` until a move turns them up or
the game is over. Moves are in the game's own notation, whatever the skin.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple

from gridwise.core.outcome import Outcome, Termination
from gridwise.core.position import Position, replay
from gridwise.errors import BadRequest
from gridwise.lab.suites import SuiteRow, suite
from gridwise.players.batch_player import NO_ACTION
from gridwise.prompts.reply import Failure

# What is kept in a sample's store
STORE_KEY = "gridwise_trial"
SKIN_KEY = "gridwise_skin"
QUESTION_KEY = "gridwise_question"  # what a question about the rules is about
ANSWER_KEY = "gridwise_answer"  # why the answer to it ended, and what was wrong with earlier ones
TRIAL = "trial"  # in a score's metadata: what is in the store, which a killed run loses
ANSWER = "answer"  # the same of a question
SAMPLE_KEY = "gridwise_sample"  # its id and epoch, for bots that are to vary from game to game

# What else the tasks write in a log, and its readers look for
PREFIX = "gridwise/"  # of the names of our scorers
MOVE_FIGURES = ("regret", "best", "progress")  # of each move, as the lab measures them
OPPONENT_ROLE = "opponent"  # of another model, where one plays against the one that is evaluated
STOPPED = "stopped"  # a limit of Inspect's ended the sample while the model was asked
# A provider's failure is an error of the sample, never a score.
CLASSES = (*(each.value for each in Failure if each is not Failure.FAILED), STOPPED)


@dataclass(frozen=True)
class TurnRecord:
    """One turn of the model: what came of asking it."""

    ply: int  # how many moves had been made
    move: str  # empty if there was none in the end
    failure: str = ""  # what was wrong with the last answer, if there was no move
    failures: tuple[str, ...] = ()  # what was wrong with each answer, the last one included


@dataclass
class Trial:
    """A game, or one position of a suite, and the model's turns in it."""

    game: str
    board: str
    first: int
    moves: list[str]  # of both players
    turns: list[TurnRecord] = field(default_factory=list)
    winner: int | None = None  # 1, 2, 3 for a draw, 0 for a game that was stopped; None: not over
    termination: str = ""
    forfeit: str = ""  # what was wrong with the last answer of an opponent that made no move

    @classmethod
    def of(cls, position: Position) -> Trial:
        """A trial that begins here."""
        game = position.game
        return cls(game.key, game.board_text(position.board), position.first, position.moves)

    def follow(self, position: Position) -> None:
        """The game has gone on to this position."""
        self.board = position.game.board_text(position.board)
        self.moves = position.moves
        if outcome := position.outcome:
            self.winner, self.termination = outcome.winner, str(outcome.termination)

    def points(self, side: int) -> float | None:
        """The points of a side: 1 for a win, 0 for a loss, else a half; None before the end."""
        if self.winner is None:
            return None
        return {side: 1.0, 3 - side: 0.0}.get(self.winner, 0.5)

    def counted(self, side: int, *, whole_game: bool) -> Trial:
        """The trial as it counts: who is stopped by a limit while it is asked has made no move.

        A whole game is lost by that, as on a clock. Else whoever runs into limits where it stands
        badly would be better than it is.
        """
        if self.winner is not None or (self.turns and not whole_game):
            return self
        if self.position.turn != side:
            return self
        turn = TurnRecord(len(self.moves), "", STOPPED, (STOPPED,))
        ended = replace(self, turns=[*self.turns, turn])
        if whole_game:
            ended.winner, ended.termination = 3 - side, str(Termination.TIME_OUT)
        return ended

    def to_dict(self) -> dict[str, Any]:
        """The trial as JSON has it."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Trial:
        """The trial that was written as JSON; raises BadRequest for what is none."""
        try:
            turns = [
                TurnRecord(**{**turn, "failures": tuple(turn["failures"])})
                for turn in data["turns"]
            ]
            return cls(**{**data, "turns": turns})
        except (KeyError, TypeError) as error:
            raise BadRequest(f"This is not a sample of gridwise: {error!r} is wrong.") from None

    @property
    def position(self) -> Position:
        """Where the game stands."""
        *_, last = replay(self.game, self.board, self.first, self.moves)
        return last

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None if it did not."""
        if self.winner is None:
            return None
        return Outcome(self.winner, Termination(self.termination), "")

    @property
    def length(self) -> int:
        """The plies of the game so far, with one for a turn that ended without a move."""
        return len(self.moves) + bool(self.forfeit or (self.turns and self.turns[-1].failure))


def scored_trial(scores: Iterable[Any]) -> Trial | None:
    """The trial that a sample's scores have kept, if one has."""
    for score in scores:
        if kept := (score.metadata or {}).get(TRIAL):
            return Trial.from_dict(kept)
    return None


class ModelChoice(NamedTuple):
    """A position the model was asked about, and what it chose: NO_ACTION for no legal move."""

    position: Position
    action: int
    turn: TurnRecord


def choices(trial: Trial) -> Iterator[ModelChoice]:
    """The model's turns, replayed."""
    positions: Sequence[Position] = [*replay(trial.game, trial.board, trial.first, trial.moves)]
    for turn in trial.turns:
        position = positions[turn.ply]
        yield ModelChoice(position, position.read(turn.move) if turn.move else NO_ACTION, turn)


@cache
def suite_rows(key: str, version: str) -> dict[str, SuiteRow]:
    """The rows of a suite by their ids."""
    return {row.id: row for row in suite(key, version)}
