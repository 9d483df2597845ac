"""A View as text: a grid of characters, with or without colour, or sentences to be read aloud."""

from __future__ import annotations

from typing import NamedTuple

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


def draw(view: View) -> list[Line]:
    """The grid with its labels."""
    return _STYLES[view.drawing.style](view)


def _boxes(view: View) -> list[Line]:
    width = view.drawing.width
    margin = max(len(label) for label in view.row_labels) + 1
    rule = [Span(" " * margin), Span("+" + ("-" * width + "+") * view.cols, "frame")]
    head = Span(" " * (margin + 1) + " ".join(_middle(name, width) for name in view.col_labels))
    lines: list[Line] = [[Span(head.text, "label")], rule]
    for row, label in enumerate(view.row_labels):
        line = [Span(label.ljust(margin), "label"), Span("|", "frame")]
        for cell in view.cells[row * view.cols : (row + 1) * view.cols]:
            line += [Span(_middle(cell.text, width), _role(cell)), Span("|", "frame")]
        lines += [line, rule]
    return lines


def _brackets(view: View) -> list[Line]:
    width = view.drawing.width
    margin = max(len(label) for label in view.row_labels) + 1
    head = " " * margin + "".join(f" {name.ljust(width)} " for name in view.col_labels)
    lines: list[Line] = [[Span(head, "label")]]
    for row, label in enumerate(view.row_labels):
        line = [Span(label.ljust(margin), "label")]
        for cell in view.cells[row * view.cols : (row + 1) * view.cols]:
            line += [
                Span("[", "frame"),
                Span(cell.text.ljust(width), _role(cell)),
                Span("]", "frame"),
            ]
        lines.append(line)
    return lines


_STYLES = {"boxes": _boxes, "brackets": _brackets}


def _middle(text: str, width: int) -> str:
    """Centred; where it cannot be exact, further left: `P1 `, not ` P1`."""
    left = max(0, width - len(text)) // 2
    return (" " * left + text).ljust(width)


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
    if view.caption:
        lines.append(view.caption)
    return lines


def _spoken(cell: CellView) -> str:
    parts = [str(cell.value)] if cell.value else []
    if cell.about:
        parts.append(cell.about)
    return f"{cell.name} is {', '.join(parts)}"
