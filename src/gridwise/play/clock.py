"""A game clock: so many seconds for each player, and an increment after each move.

Times come in as arguments, in seconds since whenever; nothing here looks at a clock. The first
move of each player costs no time, so that nobody loses any before having arrived; but it has a
limit of its own, so that every game ends. Who is expected, because the other has begun a game for
both, has that time from arriving on, and a day to arrive. A move that is taken back gives back the
time that it took.
"""

from __future__ import annotations

import math
from typing import NamedTuple

FIRST_MOVE_SECONDS = 30.0  # seconds that somebody has for it at the least
ARRIVAL_SECONDS = 86_400.0  # seconds that somebody has to arrive in place of those, if expected


class TimeControl(NamedTuple):
    """How much time each player has."""

    seconds: float
    increment: float = 0.0  # seconds that are added after each move

    @property
    def first_move(self) -> float:
        """The seconds within which the first move has to be made, once it is due."""
        return max(FIRST_MOVE_SECONDS, self.seconds)

    def __str__(self) -> str:
        """As in a record: `300+2`."""
        return f"{self.seconds:g}+{self.increment:g}"


class Reading(NamedTuple):
    """What a clock shows: the seconds left at `since`, and whose time has been running since."""

    left: tuple[float, float]
    running: int  # 1 or 2, 0 for nobody
    since: float
    first: int = 0  # the player whose first move has been due since
    first_move: float = 0.0  # the seconds for it

    def left_at(self, now: float) -> tuple[float, float]:
        """The seconds left at a time; never below 0."""
        one, two = self.left
        used = max(0.0, now - self.since)
        one -= used if self.running == 1 else 0.0
        two -= used if self.running not in (0, 1) else 0.0
        return max(0.0, one), max(0.0, two)

    def first_move_left_at(self, now: float) -> float:
        """The seconds left for a first move; never below 0."""
        return max(0.0, self.first_move - max(0.0, now - self.since))

    @property
    def flag_falls(self) -> float | None:
        """When the one whose time is running, or whose first move is due, has none left."""
        if self.first:
            return self.since + self.first_move
        return self.since + self.left[self.running - 1] if self.running else None


class Clock:
    """The clock of one game; `timed` can run out of time, `expected` have not seen the game yet."""

    def __init__(
        self,
        control: TimeControl,
        timed: tuple[int, ...] = (1, 2),
        expected: tuple[int, ...] = (),
    ) -> None:
        self.control = control
        self._arrived = dict.fromkeys(timed, -math.inf) | dict.fromkeys(expected, math.inf)
        self._timed = timed
        self._since = 0.0
        # Before the first move and after each: the seconds left, and how often each has moved.
        self._history = [((control.seconds, control.seconds), (0, 0))]

    def started(self, now: float) -> None:
        """Both players are there: the first move is due."""
        self._since = now

    def expects(self, player: int) -> bool:
        """Whether a player has neither arrived nor moved."""
        has_moved = self._history[-1][1][player - 1]
        return not has_moved and self._arrived.get(player) == math.inf

    def arrived(self, player: int, now: float) -> None:
        """A player has come who was expected."""
        self._arrived[player] = now

    def moved(self, player: int, now: float) -> None:
        """A player has moved."""
        left, moves = self._history[-1]
        if player in self._timed and moves[player - 1]:
            own = self.reading(player).left_at(now)[player - 1] + self.control.increment
            left = (own, left[1]) if player == 1 else (left[0], own)
        one, two = moves
        self._since = now
        self._history.append((left, (one + (player == 1), two + (player != 1))))

    def taken_back(self, plies: int, now: float) -> None:
        """The game goes on after so many of its moves."""
        del self._history[plies + 1 :]
        self._since = now

    def timed_out(self, player: int) -> None:
        """A player's flag has fallen."""
        (one, two), moves = self._history[-1]
        self._history[-1] = ((0.0, two) if player == 1 else (one, 0.0)), moves

    def reading(self, turn: int) -> Reading:
        """What it shows while a player is to move; 0 when the game is over."""
        left, moves = self._history[-1]
        if turn not in self._timed:
            return Reading(left, 0, self._since)
        if self.expects(turn):
            return Reading(left, 0, self._since, turn, ARRIVAL_SECONDS)
        if not moves[turn - 1]:
            since = max(self._since, self._arrived[turn])
            return Reading(left, 0, since, turn, self.control.first_move)
        return Reading(left, turn, self._since)
