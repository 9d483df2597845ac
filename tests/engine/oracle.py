"""What positions are worth, found the slow way with the independent implementation of the rules.

Every position that can come up is listed. Then, one ply further from the end at a time, it is asked
of each that is not settled whether some move wins or every move loses. No product code is used.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference import ReferenceGame


class OracleValue(NamedTuple):
    """A value from the side of the player to move, and the plies to the end."""

    value: str
    distance: int | None


def name(game: ReferenceGame) -> str:
    """A position in full, as something to look it up by."""
    parts = []
    for field, value in sorted(vars(game).items()):
        if field != "_cells":
            listed = sorted(value.items()) if isinstance(value, dict) else value
            parts.append((field, sorted(listed) if isinstance(listed, set) else listed))
    return repr(parts)


class Oracle:
    """The worth of a position and of everything that can come after it."""

    def __init__(self, game: ReferenceGame, *, cyclic: bool) -> None:
        self._unsettled = "endless" if cyclic else "draw"
        self._after: dict[str, dict[str, str]] = {}
        self._movers: dict[str, int | None] = {}
        self._settled: dict[str, tuple[str, int]] = {}  # the result, and when
        self._list(game)
        self._settle()

    @property
    def positions(self) -> int:
        """How many there are in all."""
        return len(self._after)

    def options(self, game: ReferenceGame) -> dict[str, OracleValue]:
        """What each legal move is worth to the player who makes it."""
        here = name(game)
        mover = self._movers[here]
        assert mover is not None
        return {move: self._value(after, mover) for move, after in self._after[here].items()}

    def worth(self, game: ReferenceGame) -> tuple[int, int]:
        """Who wins with best play and in how many plies; 0 and 0 if nobody can force it."""
        result, plies = self._settled.get(name(game), ("p0", 0))
        return int(result[1:]), plies

    def _value(self, after: str, mover: int) -> OracleValue:
        if after not in self._settled:
            return OracleValue(self._unsettled, None)
        result, plies = self._settled[after]
        return OracleValue("win" if result == f"p{mover}" else "loss", plies + 1)

    def _list(self, first: ReferenceGame) -> None:
        waiting = [first]
        while waiting:
            game = waiting.pop()
            here = name(game)
            if here in self._after:
                continue
            self._after[here], self._movers[here] = {}, game.to_move()
            if game.result() in {"p1", "p2"}:
                self._settled[here] = (str(game.result()), 0)
            for move in game.legal():
                after = game.copy()
                after.play(move)
                self._after[here][move] = name(after)
                waiting.append(after)

    def _settle(self) -> None:
        plies, news = 0, True
        while news or plies < 2:
            plies += 1
            found = {
                here: (result, plies)
                for here in self._after
                if here not in self._settled and (result := self._forced(here))
            }
            news = bool(found)
            self._settled |= found

    def _forced(self, here: str) -> str:
        mover = self._movers[here]
        if mover is None:
            return ""
        results = {self._settled.get(after, ("", 0))[0] for after in self._after[here].values()}
        mine, other = f"p{mover}", f"p{3 - mover}"
        return mine if mine in results else other if results == {other} else ""
