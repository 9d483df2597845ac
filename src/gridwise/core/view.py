"""View: what can be seen of a position, as data and as text.

Console, SVG and JSON draw a View and nothing else. It is made from a Position, whose hidden cells
are blanked, so what must stay hidden cannot be in it. As text it is a grid of characters (`draw`),
or sentences to be read aloud (`describe`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from gridwise.core.narration import Names

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
    legend: str = ""  # what the marks mean, where they need a word; {one} and {two} are the players
    letters: tuple[str, str] = ("P1", "P2")  # what stands for Player 1 and for Player 2
    number_in_token: bool = False  # the number of the cell is what drives the token on it
    rays: bool = False  # lines from the token to where it can land
    trails: bool = False  # the way that each token has gone, for a race in which it matters

    def legend_with(self, names: Names) -> str:
        """The legend, with what the players are called."""
        one, two = names
        return self.legend.replace("{one}", one.object).replace("{two}", two.object)


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
        """The view for somebody who only looks at it."""
        return replace(
            self, cells=tuple(each._replace(actions=(), moves=()) for each in self.cells)
        )

    def __str__(self) -> str:
        grid = plain(draw(self))
        return f"{self.caption}\n{grid}" if self.caption else grid

    def _repr_svg_(self) -> str:
        # The one import upwards, for notebooks; pyproject.toml names it.
        from gridwise.show.svg import svg  # noqa: PLC0415 - only for this

        return svg(self)


# As text


Line = list["Span"]


class Span(NamedTuple):
    """A few characters and what they are, so that colour can be put on or left off."""

    text: str
    role: str = ""


def plain(lines: list[Line]) -> str:
    """The lines without colour."""
    return "\n".join("".join(span.text for span in line).rstrip() for line in lines)


def _middle(text: str, width: int) -> str:
    """Centred; where it cannot be exact, further left: `P1 `, not ` P1`."""
    left = max(0, width - len(text)) // 2
    return (" " * left + text).ljust(width)


# The frame before a row, before a cell and after it, and how a cell's text is put into its width.
_STYLES: dict[str, tuple[str, str, str, Callable[[str, int], str]]] = {
    "boxes": ("|", "", "|", _middle),
    "brackets": ("", "[", "]", str.ljust),
}


def draw(view: View) -> list[Line]:
    """The grid with its labels."""
    edge, before, after, fit = _STYLES[view.drawing.style]
    width, margin = view.drawing.width, max(len(label) for label in view.row_labels) + 1
    gap = " " * len(before + after)
    head = " " * (margin + 1) + gap.join(fit(name, width) for name in view.col_labels)
    lines: list[Line] = [[Span(head, "label")]]
    rule = [Span(" " * margin), Span("+" + ("-" * width + "+") * view.cols, "frame")]
    for row, label in enumerate(view.row_labels):
        line = [Span(label.ljust(margin), "label"), Span(edge, "frame")]
        for cell in view.cells[row * view.cols : (row + 1) * view.cols]:
            text = Span(fit(cell.text, width), _role(cell))
            line += [Span(before, "frame"), text, Span(after, "frame")]
        lines += [rule, line] if edge else [line]
    return [*lines, rule] if edge else lines


def _role(cell: CellView) -> str:
    if cell.token or cell.owner:
        return f"p{cell.token or cell.owner}"
    if cell.actions:
        return "open"
    if cell.blocked:
        return "blocked"
    return f"seen{cell.visited[0]}" if len(cell.visited) == 1 else ""


def describe(view: View) -> list[str]:
    """The position in sentences, for a screen reader or for anyone who cannot see the grid."""
    lines = []
    for row, label in enumerate(view.row_labels):
        cells = view.cells[row * view.cols : (row + 1) * view.cols]
        lines.append(f"Row {label}: " + "; ".join(_spoken(cell) for cell in cells) + ".")
    return [*lines, view.caption] if view.caption else lines


def _spoken(cell: CellView) -> str:
    parts = (str(cell.value or ""), cell.about)
    return f"{cell.name} is {', '.join(part for part in parts if part)}"
