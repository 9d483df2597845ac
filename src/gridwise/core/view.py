"""View: what can be seen of a position, as data.

Console, SVG and JSON draw a View and nothing else. It is made from a Position, whose hidden cells
are blanked, so what must stay hidden cannot be in it.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")


def by_player(turn: int, mine: T, yours: T) -> tuple[T, T]:
    """What belongs to Player 1 and to Player 2, of a pair given from the side to move."""
    return (mine, yours) if turn == 1 else (yours, mine)


class CellView(NamedTuple):
    """One cell as it can be seen.

    A server makes and compares all cells of a board with every move: a tuple takes a third of the
    time of a frozen data class.
    """

    value: int  # its number; 0 where there is none or it is not known
    text: str  # what a small drawing has in the cell
    about: str  # the same in words, for a screen reader
    name: str = ""  # as the game writes it
    owner: int = 0  # the player who has claimed it
    token: int = 0  # the player who stands on it
    start: int = 0  # the player whose token starts on it
    visited: tuple[int, ...] = ()  # the players who may not come back
    blocked: bool = False
    hidden: bool = False
    trail: tuple[str, str] = ("", "")  # where the way of each player goes on from here: "ud", "r"
    actions: tuple[int, ...] = ()  # the legal actions that go to it
    moves: tuple[str, ...] = ()  # the same as text


def place_cells(
    cells: Iterable[CellView], names: Iterable[str], moves: Mapping[int, Mapping[int, str]]
) -> tuple[CellView, ...]:
    """The cells with their names, and for some of them the moves, by action, that go there."""
    placed = []
    none: Mapping[int, str] = {}
    for cell, (shown, name) in enumerate(zip(cells, names, strict=True)):
        here = moves.get(cell, none)
        placed.append(
            CellView._make((*shown[:3], name, *shown[4:11], tuple(here), tuple(here.values())))
        )
    return tuple(placed)


class Drawing(NamedTuple):
    """How a game wants to be drawn, as text and as a picture."""

    style: str  # "boxes", or "brackets" for the grid of `[P1][3 ]`
    width: int  # characters inside a cell
    legend: str = ""  # what the marks mean, where they need a word
    letters: tuple[str, str] = ("P1", "P2")  # what stands for Player 1 and for Player 2
    number_in_token: bool = False  # the number of the cell is what drives the token on it
    rays: bool = False  # lines from the token to where it can land
    trails: bool = False  # the way that each token has gone, for a race in which it matters


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

    def without_moves(self) -> View:
        """The same for somebody who only looks at it."""
        return replace(
            self, cells=tuple(each._replace(actions=(), moves=()) for each in self.cells)
        )

    def __str__(self) -> str:
        return str(_show("text").board_text(self))

    def _repr_svg_(self) -> str:
        return str(_show("svg").svg(self))


def _show(module: str) -> Any:  # noqa: ANN401 - a module
    """A module of `show`, by name: core imports no room above it, and draws only when asked to."""
    return importlib.import_module(f"gridwise.show.{module}")
