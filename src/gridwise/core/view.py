"""View: what one may see of a game, as data.

Console, SVG, JSON and whatever comes later draw a View and nothing else. It is made from a board
whose hidden cells have been blanked, so what must stay hidden cannot be in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")


def sides(turn: int, mine: T, yours: T) -> tuple[T, T]:
    """What belongs to Player 1 and to Player 2, of a pair told from the side to move."""
    return (mine, yours) if turn == 1 else (yours, mine)


@dataclass(frozen=True, slots=True)
class CellView:
    """One cell as it can be seen."""

    value: int  # its number; 0 where there is none or it is not known
    text: str  # what is written into the cell on a small drawing
    about: str  # the same in words, for reading aloud
    name: str = ""  # as the game writes it
    owner: int = 0  # the player who has claimed it
    token: int = 0  # the player who stands on it
    home: int = 0  # the player whose token starts on it
    visited: tuple[int, ...] = ()  # the players who may not come back
    blocked: bool = False
    hidden: bool = False
    actions: tuple[int, ...] = ()  # the legal actions that go to it
    moves: tuple[str, ...] = ()  # the same as text

    def placed(self, name: str, actions: tuple[int, ...], moves: tuple[str, ...]) -> CellView:
        """The same cell with its name and the moves behind it.

        A server makes every cell anew with every move; `dataclasses.replace` took an eighth of
        its time.
        """
        return CellView(
            self.value,
            self.text,
            self.about,
            name,
            self.owner,
            self.token,
            self.home,
            self.visited,
            self.blocked,
            self.hidden,
            actions,
            moves,
        )


class Drawing(NamedTuple):
    """How a game wants to be drawn as text."""

    style: str  # "boxes", or "brackets" for the grid of `[P1][3 ]`
    width: int  # characters inside a cell
    legend: str = ""  # what the marks mean, where they need a word


@dataclass(frozen=True, slots=True)
class View:
    """A position as it can be seen."""

    game: str
    title: str
    rows: int
    cols: int
    row_labels: tuple[str, ...]
    col_labels: tuple[str, ...]
    cells: tuple[CellView, ...]
    turn: int  # who is to move; 0 when the game is over
    result: str  # "p1", "p2", "draw", or "" while it goes on
    scores: tuple[int, int] | None
    caption: str  # the scores in words, where there are any
    drawing: Drawing
    last: int = -1  # the cell of the last move

    def as_dict(self) -> Mapping[str, Any]:
        """Plain data, ready for JSON."""
        return asdict(self)
