"""A View as SVG: one picture for pages, documents and files.

No scripts, no styles, no fonts from elsewhere. Each cell is a group with a title, so that it has a
name for a screen reader and for a pointer, and with classes that say what is the matter with it:

    open      it can be moved to (its moves are in `data-moves`)
    last      the last move went there
    hidden    it is face down
    blocked   it is an obstacle
    visited   somebody has been there and may not come back
    claimed   it belongs to a player
    token     somebody stands on it

A picture is one image to a screen reader. A *playable* board is a grid, whose cells can be walked
over; what happens when one is chosen is the page's affair.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import NamedTuple

from gridwise.core.view import CellView, View

CELL = 64
GAP = 2  # on each side of a cell
ROUND = 9
MARGIN = 30  # above and to the left, for the labels
EDGE = 12  # below and to the right


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
    open: str = "#2f7d43"


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
# For pages, whose style sheet says what the colours are: by day, by night, or as somebody likes.
PAGE = Theme(*(f"var(--{name.replace('_', '-')})" for name in Theme._fields))


def svg(view: View, theme: Theme = LIGHT, *, playable: bool = False, labelled: bool = True) -> str:
    """The picture, as text; or the board of a page, whose cells can be chosen."""
    margin = MARGIN if labelled else EDGE
    width, height = (margin + count * CELL + EDGE for count in (view.cols, view.rows))
    title = escape(f"{view.title}. {view.caption}".strip())
    role = f'role="grid" aria-label="{escape(view.title)} board"' if playable else 'role="img"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" {role} '
        'font-family="system-ui, sans-serif" text-anchor="middle">',
    ]
    if not playable:
        parts.append(f"<title>{title}</title>")
    paper = f'class="paper" width="{width}" height="{height}" fill="{theme.paper}"'
    parts.append(f"<rect {paper}{_unsaid(playable)}/>")
    if labelled:
        parts.append(_labels(view.row_labels, view.col_labels, theme, playable))
    for row in range(view.rows):
        parts.append('<g role="row">' if playable else "<g>")
        for col in range(view.cols):
            index = row * view.cols + col
            x, y = margin + col * CELL, margin + row * CELL
            parts.append(_cell(view.cells[index], x, y, index == view.last, theme, playable))
        parts.append("</g>")
    return "\n".join([*parts, "</svg>", ""])


def svg_cell(cell: CellView, index: int, cols: int, *, is_last: bool) -> str:
    """One cell of the board of a page, to be put in the place of the one that it shows."""
    row, col = divmod(index, cols)
    x, y = MARGIN + col * CELL, MARGIN + row * CELL
    return _cell(cell, x, y, is_last, PAGE, playable=True)


def _unsaid(playable: bool) -> str:
    """In a grid only the cells speak."""
    return ' aria-hidden="true"' if playable else ""


@lru_cache(maxsize=64)
def _labels(rows: tuple[str, ...], cols: tuple[str, ...], theme: Theme, playable: bool) -> str:
    middle = MARGIN + CELL // 2
    above = [
        _text(name, middle + col * CELL, MARGIN - 9, 14, theme.faint)
        for col, name in enumerate(cols)
    ]
    beside = [
        _text(name, MARGIN // 2, middle + row * CELL + 5, 14, theme.faint)
        for row, name in enumerate(rows)
    ]
    return "\n".join([f'<g class="labels"{_unsaid(playable)}>', *above, *beside, "</g>"])


# A move changes a few cells; drawing the others again took a third of the time of a server's move.
@lru_cache(maxsize=1 << 13)
def _cell(cell: CellView, x: int, y: int, is_last: bool, theme: Theme, playable: bool) -> str:
    moves = f' data-moves="{escape(" ".join(cell.moves))}"' if cell.moves else ""
    role = ' role="gridcell" tabindex="-1"' if playable else ""
    classes = " ".join(_classes(cell, is_last))
    parts = [
        f'<g class="{classes}" data-cell="{escape(cell.name)}"{moves}{role}>'
        f"<title>{escape(_name(cell, is_last))}</title>",
        _box(x, y, GAP, f'class="box" fill="{_fill(cell, theme)}" stroke="{theme.line}"'),
    ]
    if cell.start and cell.start != cell.token:
        # Where a token began is what its opponent is after.
        colour = theme.one if cell.start == 1 else theme.two
        dashed = f'fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="3 4"'
        parts.append(_box(x, y, GAP + 3, dashed))
    parts += _content(cell, x, y, theme)
    if is_last:
        ring = f'class="ring" fill="none" stroke="{theme.ink}" stroke-width="2.5"'
        parts.append(_box(x, y, GAP + 1, ring))
    if cell.moves:
        parts.append(
            f'<circle class="target" cx="{x + 13}" cy="{y + 13}" r="5" fill="{theme.open}"/>'
        )
    return "\n".join([*parts, "</g>"])


def _classes(cell: CellView, is_last: bool) -> list[str]:
    marks = {
        "open": cell.moves,
        "last": is_last,
        "hidden": cell.hidden,
        "blocked": cell.blocked,
        "visited": cell.visited,
        "claimed": cell.owner,
        "token": cell.token,
    }
    return ["cell", *(name for name, applies in marks.items() if applies)]


def _name(cell: CellView, is_last: bool) -> str:
    """What the cell is called and what there is to say of it."""
    said = [str(cell.value or ""), cell.about]
    if cell.start and cell.start != cell.token:
        said.append(f"Player {cell.start}'s start")
    if is_last:
        said.append("the last move")
    if cell.moves:
        said.append("open to you")
    told = ", ".join(part for part in said if part)
    return f"{cell.name}: {told}" if told else cell.name


def _content(cell: CellView, x: int, y: int, theme: Theme) -> list[str]:
    """What stands in the cell: a token, a mark or a number, and small marks beside them."""
    colours = ("", theme.one, theme.two)
    middle, number = x + CELL // 2, str(cell.value or "")
    parts = []
    if cell.token:
        parts += [
            f'<circle cx="{middle}" cy="{y + CELL // 2}" r="22" fill="{colours[cell.token]}"/>',
            _text(f"P{cell.token}", middle, y + 38, 17, theme.paper, bold=True),
        ]
    elif cell.owner:
        # A mark drawn, not only a colour, tells the two owners apart.
        parts.append(_text(cell.text, middle, y + 42, 28, colours[cell.owner], bold=True))
    elif number:
        parts.append(_text(number, middle, y + 42, 28, theme.ink))
    if number and (cell.token or cell.owner):
        parts.append(_text(number, x + CELL - 11, y + 18, 13, theme.ink, bold=True))
    for player in cell.visited:
        if player != cell.token:
            left = x + (14 if player == 1 else CELL - 14)
            parts.append(_text(" xo"[player], left, y + CELL - 11, 14, colours[player], bold=True))
    return parts


def _box(x: int, y: int, inset: int, look: str) -> str:
    side = CELL - 2 * inset
    corner = max(2, ROUND - inset + GAP)
    place = f'x="{x + inset}" y="{y + inset}" width="{side}" height="{side}" rx="{corner}"'
    return f"<rect {place} {look}/>"


def _text(text: str, x: int, y: int, size: int, colour: str, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x}" y="{y}" font-size="{size}"{weight} fill="{colour}">{escape(text)}</text>'


def _fill(cell: CellView, theme: Theme) -> str:
    if cell.blocked:
        return theme.block
    if cell.hidden:
        return theme.hidden
    lone = cell.visited[0] if len(cell.visited) == 1 else 0
    return (theme.cell, theme.one_wash, theme.two_wash)[cell.owner or lone]
