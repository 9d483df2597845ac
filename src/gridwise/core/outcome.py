"""How a game ended: who won, an enum for how, and a few words for people."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

# By what `rules.winner` returns: 0 while it goes on, 1 or 2 for a player, 3 for a draw.
RESULTS = ("", "p1", "p2", "draw")
RESULT_MARKS = ("*", "1-0", "0-1", "1/2-1/2")
DRAW = 3

# Where only programs play, a game that can go on for ever is stopped after this many plies.
MAX_PLIES = 200
# A deal that is over before anybody can do something is dealt again, so often at the most; of the
# standard boards at least three in four can be played on.
MAX_DEALS = 1000


class Termination(StrEnum):
    """How a game ended."""

    GOAL = "goal"  # the winner reached the goal of the game: a cell, a line, a shape
    NO_MOVES = "no-moves"  # the loser had no legal move
    TARGET = "target"  # the winner reached the points to reach
    OVER_TARGET = "over-target"  # the loser went over them
    BOARD_FULL = "board-full"  # nothing is left to claim; the scores decide
    RESIGNATION = "resignation"
    TIME_OUT = "time-out"  # the loser's clock ran out
    ILLEGAL_MOVE = "illegal-move"
    CRASH = "crash"  # the loser is a program that ended or failed instead of moving
    ADJUDICATION = "adjudication"  # stopped where the result was computed
    AGREEMENT = "agreement"  # stopped without a winner
    MAX_PLIES = "max-plies"  # stopped because it could have gone on for ever


class Outcome(NamedTuple):
    """How a game ended."""

    winner: int  # 1, 2, 3 for a draw, 0 for a game that was stopped
    termination: Termination
    reason: str  # in a few words, such as "reached the opponent's start"

    @property
    def mark(self) -> str:
        """`1-0`, `0-1`, `1/2-1/2` or `*`."""
        return RESULT_MARKS[self.winner]

    @property
    def result(self) -> str:
        """`p1`, `p2`, `draw`, or empty."""
        return RESULTS[self.winner]


def resignation(player: int) -> Outcome:
    """A game that `player` gave up."""
    return Outcome(3 - player, Termination.RESIGNATION, f"Player {player} resigned")


def time_out(player: int) -> Outcome:
    """A game that `player` lost because the clock ran out."""
    return Outcome(3 - player, Termination.TIME_OUT, f"Player {player} ran out of time")


def unfinished(plies: int) -> Outcome:
    """A game that was stopped after that many plies."""
    return Outcome(0, Termination.MAX_PLIES, f"unfinished after {plies} plies")


def illegal_move(player: int) -> Outcome:
    """A game that `player` lost by answering with an illegal move."""
    return Outcome(3 - player, Termination.ILLEGAL_MOVE, f"Player {player} made an illegal move")


def crash(player: int) -> Outcome:
    """A game that `player`, a program, lost by ending or failing instead of moving."""
    return Outcome(3 - player, Termination.CRASH, f"Player {player} crashed")


def adjudicated(winner: int) -> Outcome:
    """A game that was stopped with the result that perfect play has from there."""
    how = "without a winner" if winner == 0 else "as a draw" if winner == DRAW else "as a win"
    who = f" of Player {winner}" if winner in (1, 2) else ""
    return Outcome(winner, Termination.ADJUDICATION, f"adjudicated {how}{who}")
