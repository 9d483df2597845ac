"""What a sentence says to a reader: a pattern for each, and a check of what it claims.

Nothing is taken from the fact behind the sentence; a sentence that no pattern knows is an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.engine.reasons.told import Told

Check = Callable[..., None]

PLAYER = r"Player (\d)"
MOVE = r"(\S+)"
IN = r"in (\d+) moves?( of both players)?"
AFTER = r"(?: after (\d+) more moves?)?"
LATER = r"(?: in (\d+) moves?)?"


class Claims:
    """The sentences that are known, and how each is checked."""

    def __init__(self) -> None:
        self._checks: list[tuple[re.Pattern[str], Check]] = []

    def says(self, pattern: str) -> Callable[[Check], Check]:
        """Of a sentence like this, the function checks what it claims."""

        def known(check: Check) -> Check:
            self._checks.append((re.compile(pattern), check))
            return check

        return known

    def check(self, sentence: str, told: Told) -> None:
        """Fail if a sentence about a move is not true."""
        found = [
            (check, match.groups())
            for pattern, check in self._checks
            if (match := pattern.fullmatch(sentence))
        ]
        assert len(found) == 1, f"{len(found)} patterns fit {sentence!r}"
        check, groups = found[0]
        check(told, *groups)


def counts(number: str, both: str | None, plies: int) -> bool:
    """Whether so many moves, of one's own or of both players, are these plies."""
    return plies == int(number) if both else (plies + 1) // 2 == int(number)
