"""A View as SVG: one picture for pages, documents and files.

No scripts, no fonts from elsewhere. Each cell is a group with a title, so that it has a name for a
screen reader and for a pointer; cells that can be moved to carry their moves in `data-moves`.
"""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from gridwise.core.view import CellView, View

CELL = 64
MARGIN = 30


class Theme(NamedTuple):
    """The colours of a picture."""

    paper: str = "#fbfaf7"
    cell: str = "#ffffff"
    line: str = "#b9b3a6"
    ink: str = "#2b2a27"
    faint: str = "#6d685d"
    one: str = "#1f5fa8"
    two: str = "#b03a2e"
    one_wash: str = "#dbe8f6"
    two_wash: str = "#f8dfdb"
    block: str = "#57534a"
    hidden: str = "#e7e2d6"
    open: str = "#3f8f4f"


LIGHT = Theme()
DARK = Theme(
    paper="#1d1c1a",
    cell="#2a2926",
    line="#57534a",
    ink="#f1eee6",
    faint="#a8a294",
    one="#7fb3ec",
    two="#f08d80",
    one_wash="#23364b",
    two_wash="#4b2a26",
    block="#8a8577",
    hidden="#3a3833",
    open="#7cc98b",
)


def svg(view: View, theme: Theme = LIGHT) -> str:
    """The picture, as text."""
    width, height = view.cols * CELL + 2 * MARGIN, view.rows * CELL + 2 * MARGIN
    title = escape(f"{view.title}. {view.caption}".strip())
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label="{title}" '
        'font-family="system-ui, sans-serif" text-anchor="middle">',
        f"<title>{title}</title>",
        f'<rect width="{width}" height="{height}" fill="{theme.paper}"/>',
    ]
    parts += _labels(view, theme)
    for index, cell in enumerate(view.cells):
        row, col = divmod(index, view.cols)
        parts += _cell(cell, MARGIN + col * CELL, MARGIN + row * CELL, index == view.last, theme)
    return "\n".join([*parts, "</svg>", ""])


def _labels(view: View, theme: Theme) -> list[str]:
    middle = MARGIN + CELL // 2
    above = [
        _text(name, middle + col * CELL, MARGIN - 10, 14, theme.faint)
        for col, name in enumerate(view.col_labels)
    ]
    beside = [
        _text(name, MARGIN // 2, middle + row * CELL + 5, 14, theme.faint)
        for row, name in enumerate(view.row_labels)
    ]
    return above + beside


def _cell(cell: CellView, x: int, y: int, is_last: bool, theme: Theme) -> list[str]:
    colours = ("", theme.one, theme.two)
    said = ", ".join(part for part in (str(cell.value or ""), cell.about) if part)
    title = escape(f"{cell.name}: {said}")
    moves = f' data-moves="{escape(" ".join(cell.moves))}"' if cell.moves else ""
    parts = [
        f'<g data-cell="{escape(cell.name)}"{moves}><title>{title}</title>',
        f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{_fill(cell, theme)}" '
        f'stroke="{theme.line}"/>',
    ]
    middle, number = x + CELL // 2, str(cell.value or "")
    if cell.token:
        parts.append(
            f'<circle cx="{middle}" cy="{y + CELL // 2}" r="23" fill="{colours[cell.token]}"/>'
        )
        parts.append(_text(f"P{cell.token}", middle, y + 38, 17, theme.paper, bold=True))
    elif cell.owner:
        # A mark drawn, not only a colour, tells the two owners apart.
        parts.append(_text(cell.text, middle, y + 42, 28, colours[cell.owner], bold=True))
    elif number:
        parts.append(_text(number, middle, y + 42, 28, theme.ink))
    if number and (cell.token or cell.owner):
        parts.append(_text(number, x + CELL - 9, y + 15, 12, theme.ink))
    for player in cell.visited:
        if player != cell.token:
            left = x + (9 if player == 1 else 21)
            parts.append(_text(" xo"[player], left, y + CELL - 7, 14, colours[player], bold=True))
    if cell.moves:
        parts.append(f'<circle cx="{x + 10}" cy="{y + 11}" r="4" fill="{theme.open}"/>')
    if is_last:
        parts.append(
            f'<rect x="{x + 2}" y="{y + 2}" width="{CELL - 4}" height="{CELL - 4}" fill="none" '
            f'stroke="{theme.ink}" stroke-width="2.5"/>'
        )
    return [*parts, "</g>"]


def _text(text: str, x: int, y: int, size: int, colour: str, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x}" y="{y}" font-size="{size}"{weight} fill="{colour}">{escape(text)}</text>'


def _fill(cell: CellView, theme: Theme) -> str:
    if cell.blocked:
        return theme.block
    if cell.hidden:
        return theme.hidden
    if cell.owner:
        return (theme.cell, theme.one_wash, theme.two_wash)[cell.owner]
    if len(cell.visited) == 1:
        return (theme.cell, theme.one_wash, theme.two_wash)[cell.visited[0]]
    return theme.cell
