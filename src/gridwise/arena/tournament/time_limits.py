"""How much time a player has in a tournament: for each move, or for a whole game.

Only programs are timed: engines and Python objects. Bots take what they need, as they do everywhere
else; how strong they are is defined by what they look at, not by time. Models are not timed either.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from gridwise.errors import BadRequest, quoted
from gridwise.play.clock import TimeControl

MOVETIME = 1000  # milliseconds a move, unless something else is asked for
# Milliseconds that an answer may be late: for the way there and back on a busy machine. Where
# nobody has asked for a limit it is there to stop programs that hang, and generous.
MARGIN, USUAL_MARGIN = 500, 3000
MAX_MILLISECONDS = 24 * 3600 * 1000
_CONTROL = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)(?:\+(\d{1,6}(?:\.\d{1,3})?))?")


class MoveTime(NamedTuple):
    """The time for one move."""

    go: str  # as UGI says it
    seconds: float
    margin: float  # seconds that the answer may be late


class TimeLimits(NamedTuple):
    """The time for all moves of a game; `control` wins over `movetime`."""

    movetime: int = MOVETIME  # milliseconds
    control: TimeControl | None = None
    margin: int = USUAL_MARGIN  # milliseconds

    @property
    def seconds(self) -> float:
        """What is on each clock at the start; 0 without clocks."""
        return self.control.seconds if self.control else 0.0

    def for_move(self, left: dict[int, float], side: int) -> MoveTime:
        """The time for a move of a side, with so many seconds left on the clocks."""
        margin = self.margin / 1000
        if self.control is None:
            return MoveTime(f"movetime {self.movetime}", self.movetime / 1000, margin)
        one, two = (max(1, round(1000 * left[player])) for player in (1, 2))
        more = round(1000 * self.control.increment)
        go = f"p1time {one} p2time {two} p1inc {more} p2inc {more}"
        return MoveTime(go, max(0.0, left[side]), margin)

    def to_json(self) -> dict[str, object]:
        """What a task is given, and `from_json` reads."""
        control = str(self.control) if self.control else ""
        return {"movetime": self.movetime, "time": control, "margin": self.margin}

    @classmethod
    def from_json(cls, given: dict[str, object]) -> TimeLimits:
        """The limits that `to_json` has written."""
        return time_limits(given["movetime"], str(given["time"]), given["margin"])  # type: ignore[arg-type]


USUAL_LIMITS = TimeLimits()


def time_limits(movetime: int | None, control: str, margin: int | None) -> TimeLimits:
    """The limits that options ask for; raises BadRequest."""
    for name, given in (("--movetime", movetime), ("--margin", margin)):
        if given is not None and not 0 <= given <= MAX_MILLISECONDS:
            raise BadRequest(f"{name} takes milliseconds, not {given}.")
    if movetime == 0:
        raise BadRequest("--movetime takes milliseconds from 1 up.")
    asked = movetime is not None or bool(control)
    return TimeLimits(
        MOVETIME if movetime is None else movetime,
        _time_control(control) if control else None,
        margin if margin is not None else MARGIN if asked else USUAL_MARGIN,
    )


def _time_control(text: str) -> TimeControl:
    found = _CONTROL.fullmatch(text.strip())
    if found is None or not float(found[1]):
        raise BadRequest(
            f"--time takes seconds for a game and for each move, like 10+0.1, not {quoted(text)}."
        )
    return TimeControl(float(found[1]), float(found[2] or 0))
