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


# What may happen, and the same if it is certain.
HEDGED = {
    "may get stuck": "gets stuck",
    "may be stuck": "is stuck",
    "may land": "lands",
    "may end": "ends",
    "may be shut": "is shut",
    "may be in": "can be in",
    "may win a challenge": "can win a challenge",
    "may get to": "can get to",
    "may have to": "has to",
    "may fill up; then": "fills up, and",
}


def made_certain(sentence: str) -> str:
    """A sentence that says what may happen as if it were certain; others as they are."""
    for hedged, flat in HEDGED.items():
        sentence = sentence.replace(hedged, flat)
    return sentence


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
        """Fail if a sentence about a move is not true; of what may happen, if it does not here."""
        sentence = made_certain(without_the_move(sentence))
        found = [
            (check, match.groups())
            for pattern, check in self._checks
            if (match := pattern.fullmatch(sentence))
        ]
        assert len(found) == 1, f"{len(found)} patterns fit {sentence!r}"
        check, groups = found[0]
        check(told, *groups)

    def holds(self, sentence: str, told: Told) -> bool:
        """Whether it is true."""
        try:
            self.check(sentence, told)
        except AssertionError:
            return False
        return True

    def check_every_line(self, sentence: str, told: Told) -> None:
        """Fail if it is told as certain and is not, or as possible and is certain."""
        shown, certain = told.own_line, made_certain(sentence) == sentence
        others = []
        for line in told.best_lines(shown[0]):
            told.own_line = line
            others.append(self.holds(sentence, told))
        told.own_line = shown
        assert others
        assert any(others)
        assert certain == all(others)


def without_the_move(sentence: str) -> str:
    """A sentence about another move than the one that was made, as if it were that one."""
    found = re.fullmatch(r"After \S+, (.*)", sentence)
    return found[1][:1].upper() + found[1][1:] if found else sentence


def counts(number: str, both: str | None, plies: int) -> bool:
    """Whether so many moves, of one's own or of both players, are these plies."""
    return plies == int(number) if both else (plies + 1) // 2 == int(number)
