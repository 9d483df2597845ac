"""A View as text: a grid of characters, with or without colour, or sentences to be read aloud."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from gridwise.core.game import Game
from gridwise.core.position import start
from gridwise.core.view import CellView, View

Line = list["Span"]


class Span(NamedTuple):
    """A few characters and what they are, so that colour can be put on or left off."""

    text: str
    role: str = ""


# What each role looks like on a terminal: codes that every colour terminal knows, legible on
# light and on dark backgrounds. Nothing is said by colour alone.
COLOURS = {
    "p1": "1;34",
    "p2": "1;31",
    "open": "1;32",
    "seen1": "34",
    "seen2": "31",
    "blocked": "2",
    "frame": "2",
    "label": "1",
}


def plain(lines: list[Line]) -> str:
    """The lines without colour."""
    return "\n".join("".join(span.text for span in line).rstrip() for line in lines)


def coloured(lines: list[Line]) -> str:
    """The lines with the colour codes of a terminal."""
    return "\n".join("".join(_painted(span) for span in line).rstrip() for line in lines)


def _painted(span: Span) -> str:
    code = COLOURS.get(span.role)
    return f"\x1b[{code}m{span.text}\x1b[0m" if code and span.text.strip() else span.text


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


def board_text(view: View) -> str:
    """The grid without colour, with the scores above it where there are any."""
    grid = plain(draw(view))
    return f"{view.caption}\n{grid}" if view.caption else grid


def rules_page(game: Game, *, linear: bool = False) -> str:
    """The rules of a game as Markdown, with a board drawn into them, or described."""
    view = start(game, game.parse_board(game.example_board)).view
    board = "\n\n".join(describe(view)) if linear else f"```text\n{plain(draw(view))}\n```"
    return game.page().replace("{board}", board)


def rules_brief(game: Game) -> list[str]:
    """The rules in a few sentences: the first section of the rules page, and how to type a move.

    Each is a line of plain text, to be wrapped where it is shown.
    """
    first_section = game.page().partition("\n## ")[2].partition("\n## ")[0].partition("\n")[2]
    # A sentence of Markdown goes on in the next line; a new one begins with a dash or after a gap.
    parts = re.split(r"\n(?=- |\n)", first_section.replace("`", ""))
    sentences = [" ".join(part.split()) for part in parts]
    help_lines = game.text.HELP.splitlines()
    return [f"{game.title}: {game.text.SUMMARY}", *filter(None, sentences), *help_lines]
