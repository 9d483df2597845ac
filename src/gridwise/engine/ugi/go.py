"""Reading UGI's `go`: which limits it sets, and how long to think by the clocks."""

from __future__ import annotations

import re
from typing import NamedTuple

from gridwise.errors import quoted

_NUMBERS = ("movetime", "depth", "nodes", "p1time", "p2time", "p1inc", "p2inc")
LATE = 0.06  # seconds a search has for its answer once its time is up; 0.1 is promised
SHORTEST = 0.002  # of that: to look at every move takes this long
_DIGITS = re.compile(r"[+-]?[0-9]{1,12}")


class GoRequest(NamedTuple):
    """What a `go` asks for."""

    numbers: dict[str, int]  # by the words in `_NUMBERS`; times in milliseconds
    infinite: bool

    def seconds(self, turn: int) -> float | None:
        """How long to think, by the time for the move and by the clock of the player to move."""
        if self.infinite:
            return None
        get = self.numbers.get
        left, more, times = get(f"p{turn}time"), get(f"p{turn}inc"), []
        if "movetime" in self.numbers:
            times.append(self.numbers["movetime"])
        if left is not None or more is not None:
            # Games are short: a tenth of what is left lasts, and 50 ms are for the way here.
            share = (left or 0) / 10 + 0.8 * (more or 0)
            times.append(int(min(share, (left or share) - 50)))
        return max(1, min(times)) / 1000 if times else None

    def grace(self, turn: int) -> float:
        """How long after that an answer may come that is better than none.

        Never longer than a third of what is then left on the clock, nor than half a `movetime`.
        """
        seconds, get = self.seconds(turn), self.numbers.get
        limits = [LATE]
        if seconds is not None:
            if (left := get(f"p{turn}time")) is not None:
                limits.append((left / 1000 - seconds) / 3)
            if (movetime := get("movetime")) is not None:
                limits.append(movetime / 2000)
        return max(SHORTEST, min(limits))


def parse_go(words: list[str]) -> tuple[GoRequest, list[str]]:
    """The request, and complaints about what could not be read. A `go` is always answered."""
    numbers: dict[str, int] = {}
    complaints = []
    left = iter(words)
    for word in left:
        if word in _NUMBERS:
            given = next(left, "")
            number = parse_number(given)
            if number is None:
                complaints.append(f"{word} takes a number, not {quoted(given)}; it is ignored.")
            else:
                numbers[word] = max(0, number)
        elif word != "infinite":
            complaints.append(f"go does not take {quoted(word)}; it is ignored.")
    return GoRequest(numbers, "infinite" in words), complaints


def parse_number(text: str) -> int | None:
    """The whole number that a text is; None if it is not one."""
    return int(text) if _DIGITS.fullmatch(text) else None
