"""A View as SVG: one picture for pages, documents and files.

No scripts, no fonts from elsewhere. Each cell is a group at its place with a title, so that it has
a name for a screen reader and for a pointer, and with classes that say what is the matter with it:

    open            it can be moved to (its moves are in `data-moves`)
    last            the last move went there
    hidden          it is face down
    blocked         it is an obstacle
    visited by-one  Player 1 has been there and may not come back; `by-two`: Player 2
    claimed one     it belongs to Player 1; `two`: to Player 2
    token           somebody stands on it
    goal-one        where Player 1 wants to get to; `goal-two`: Player 2

The parts of a cell are drawn from its origin. In a picture for a page they have classes alone, and
the style sheet (web/static/board.css) gives them their places and colours: a cell takes about 100
bytes, of which a move sends a few. In a picture for a file they have both as attributes.

A picture is one image to a screen reader. A *playable* board is a grid, whose cells can be walked
over; what happens when one is chosen is the page's affair.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape

from gridwise.core.narration import COLOURS, NEUTRAL
from gridwise.core.view import CellView, Drawing, View
from gridwise.show.palette import LIGHT, PAGE, Palette

CELL = 64
GAP = 2  # on each side of a cell
CORNER_RADIUS = 9
MARGIN = 22  # above and to the left, for the labels
EDGE = 10  # below and to the right; on all sides without labels
MIDDLE = CELL // 2
PLAYERS = ("", "one", "two")
MAX_FILLED_CELLS = 8  # open cells that a picture fills


def svg(
    view: View, theme: Palette = LIGHT, *, playable: bool = False, labelled: bool = True
) -> str:
    """The picture, as text; or the board of a page, whose cells can be chosen."""
    margin = MARGIN if labelled else EDGE
    width, height = (margin + count * CELL + EDGE for count in (view.cols, view.rows))
    role = f'role="grid" aria-label="{escape(view.title)} board"' if playable else 'role="img"'
    font = "" if theme is PAGE else ' font-family="system-ui, sans-serif" text-anchor="middle"'
    unsaid = ' aria-hidden="true"' if playable else ""  # in a grid only the cells speak
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" class="grid" data-game="{view.game}" '
        f"{role}{font}>",
    ]
    if not playable:
        title = f"{view.title}. {_called_by_colour(view.caption)}".strip()
        parts.append(f"<title>{escape(title)}</title>")
    paper = "" if theme is PAGE else f' fill="{theme.paper}"'
    parts.append(f'<rect class="paper" width="{width}" height="{height}"{paper}{unsaid}/>')
    if labelled:
        parts.append(f'<g class="labels"{unsaid}>')
        parts.append(f"{_labels(view.row_labels, view.col_labels, theme)}</g>")
    # Where nearly every cell can be chosen, colouring them all says nothing.
    plain = theme is not PAGE and sum(bool(cell.moves) for cell in view.cells) > MAX_FILLED_CELLS
    for row in range(view.rows):
        parts.append('<g role="row">' if playable else "<g>")
        for col in range(view.cols):
            index = row * view.cols + col
            place = f'data-row="{row}" data-col="{col}" ' if playable else ""
            place += f'transform="translate({margin + col * CELL} {margin + row * CELL})"'
            cell, is_last = view.cells[index], index == view.last
            shown = cell._replace(moves=()) if plain else cell
            look = _look(shown, view.drawing, is_last, theme, playable)
            parts.append(f"<g {_attributes(cell, is_last, playable)} {place}>{look}</g>")
        parts.append("</g>")
    if view.drawing.rays:
        parts += [f'<g class="rays"{unsaid}>', *_rays(view, margin, theme), "</g>"]
    return "\n".join([*parts, "</svg>", ""])


def svg_cell(cell: CellView, drawing: Drawing) -> str:
    """How a cell of the board of a page looks: its classes and parts, without its place.

    The quotes are single ones, which cost nothing in JSON. Which move was the last one is not said.
    """
    look = _look(cell, drawing, False, PAGE, playable=True)
    return f"<g class='{' '.join(_classes(cell, False))}'>{look}</g>"


def _attributes(cell: CellView, is_last: bool, playable: bool) -> str:
    """What there is to know of a cell, beside how it looks."""
    moves = f' data-moves="{escape(" ".join(cell.moves))}"' if cell.moves else ""
    role = ' role="gridcell" tabindex="-1"' if playable else ""
    classes = " ".join(_classes(cell, is_last))
    return f'class="{classes}" data-cell="{escape(cell.name)}"{moves}{role}'


def _classes(cell: CellView, is_last: bool) -> list[str]:
    marks = {
        "open": cell.moves,
        "last": is_last,
        "hidden": cell.hidden,
        "blocked": cell.blocked,
        "visited": cell.visited,
        "by-one": 1 in cell.visited,
        "by-two": 2 in cell.visited,
        "claimed": cell.owner,
        PLAYERS[cell.owner]: cell.owner,
        "token": cell.token,
        f"goal-{_other(cell.start)}": cell.start,
    }
    return ["cell", *(name for name, applies in marks.items() if applies)]


def _name(cell: CellView, is_last: bool) -> str:
    """What the cell is called and what there is to say of it."""
    said = [str(cell.value or ""), _called_by_colour(cell.about)]
    if cell.start and cell.start != cell.token:
        said.append(f"{COLOURS[cell.start - 1].possessive} start")
    if is_last:
        said.append("the last move")
    if cell.moves:
        said.append("open to you")
    told = ", ".join(part for part in said if part)
    return f"{cell.name}: {told}" if told else cell.name


def _called_by_colour(text: str) -> str:
    """With the players called as they are drawn."""
    for number, colour in zip(NEUTRAL, COLOURS, strict=True):
        text = text.replace(number.subject, colour.subject)
    return text


# The parts of a cell


# A move changes a few cells; drawing the others again took a third of the time of a server's move.
@lru_cache(maxsize=1 << 13)
def _look(cell: CellView, drawing: Drawing, is_last: bool, theme: Palette, playable: bool) -> str:
    """The title and the parts of a cell, from the back to the front.

    Which move was the last one changes with every move: on a playable board its script says so.
    """
    number = str(cell.value or "")
    parts = [f"<title>{escape(_name(cell, is_last and not playable), quote=False)}</title>"]
    parts.append(_rect(theme, "box", GAP, f'fill="{_fill(cell, theme)}" stroke="{theme.line}"'))
    if cell.hidden:
        parts.append(_rect(theme, "back", 22, f'fill="none" stroke="{theme.line}"'))
    for player in (1, 2):
        parts += _trail(theme, player, cell.trail[player - 1])
    if cell.token:
        parts.append(_piece(theme, cell.token, number if drawing.number_in_token else ""))
    elif number:
        colour = _colour(theme, cell.owner) if cell.owner else theme.ink
        parts.append(_text(theme, "n", number, (MIDDLE, 42), 28, colour))
    if cell.owner:
        # A mark drawn, not only a colour, tells the two owners apart.
        parts.append(_text(theme, "m", cell.text, (15, 20), 13, _colour(theme, cell.owner)))
    elif cell.token and number and not drawing.number_in_token:
        parts.append(_text(theme, "v", number, (CELL - 11, 18), 13, theme.ink))
    if cell.start:  # in sight also while somebody stands there
        parts.append(_flag(theme, 3 - cell.start))
    if is_last and theme is not PAGE:
        ring = f'fill="none" stroke="{theme.ink}" stroke-width="2.5"'
        parts.append(_rect(theme, "ring", GAP + 1, ring))
    return "".join(parts)


def _rect(theme: Palette, name: str, inset: int, look: str) -> str:
    if theme is PAGE:
        return f"<rect class='{name}'/>"
    side, corner = CELL - 2 * inset, max(2, CORNER_RADIUS - inset + GAP)
    place = f'x="{inset}" y="{inset}" width="{side}" height="{side}" rx="{corner}"'
    return f'<rect class="{name}" {place} {look}/>'


def _text(
    theme: Palette, name: str, text: str, place: tuple[int, int], size: int, colour: str
) -> str:
    if theme is PAGE:
        return f"<text class='{name}'>{escape(text)}</text>"
    weight = "" if name == "n" else ' font-weight="bold"'
    look = f'x="{place[0]}" y="{place[1]}" font-size="{size}"{weight} fill="{colour}"'
    return f"<text {look}>{escape(text)}</text>"


def _piece(theme: Palette, player: int, number: str) -> str:
    """A token: a disc for Player 1, a square for Player 2, with the number that drives it."""
    name = PLAYERS[player]
    if theme is PAGE:
        shape = "<circle/>" if player == 1 else "<rect/>"
        inside = f"<text>{number}</text>" if number else "<path d='M25 29v4M39 29v4'/>"  # or eyes
        return f"<g class='piece {name}'>{shape}{inside}</g>"
    fill = f'fill="{_colour(theme, player)}"'
    shape = f'<circle cx="{MIDDLE}" cy="{MIDDLE}" r="22" {fill}/>'
    if player == 2:
        shape = f'<rect x="12" y="12" width="40" height="40" rx="10" {fill}/>'
    inside = _text(theme, "piece", number or f"P{player}", (MIDDLE, 38), 17, theme.paper)
    return f'<g class="piece {name}">{shape}{inside}</g>'


def _flag(theme: Palette, player: int) -> str:
    """A flag where a player wants to get to, in the colour of that player."""
    if theme is PAGE:
        return f"<path class='flag {PLAYERS[player]}' d='M9 36V7h3l16 7-16 7v15'/>"
    points = "9,36 9,7 12,7 28,14 12,21 12,36"
    return f'<polygon class="flag" points="{points}" fill="{_colour(theme, player)}"/>'


# Where the trail of each player runs, beside that of the other.
_LANES = (0, MIDDLE - 6, MIDDLE + 6)


def _trail(theme: Palette, player: int, ways: str) -> list[str]:
    """The way that a player's token has gone through a cell: in pairs of where from, where to."""
    if not ways:
        return []
    lane = _LANES[player]
    starts = {
        "u": f"M{lane} 0V",
        "d": f"M{lane} {CELL}V",
        "l": f"M0 {lane}H",
        "r": f"M{CELL} {lane}H",
    }
    ends = {"u": "V0", "d": f"V{CELL}", "l": "H0", "r": f"H{CELL}"}
    line = "".join(
        f"{starts[ways[at]]}{lane}{''.join(ends[way] for way in ways[at + 1 : at + 2])}"
        for at in range(0, len(ways), 2)
    )
    if theme is PAGE:
        return [f"<path class='trail {PLAYERS[player]}' d='{line}'/>"]
    look = f'fill="none" stroke="{_colour(theme, player)}" stroke-width="4"'
    return [f'<path class="trail" d="{line}" {look}/>']


def _rays(view: View, margin: int, theme: Palette) -> list[str]:
    """Lines from the token to move to the cells where it can land."""
    turn, corner = view.turn, margin + MIDDLE
    places = [
        (corner + index % view.cols * CELL, corner + index // view.cols * CELL, cell)
        for index, cell in enumerate(view.cells)
    ]
    if theme is PAGE:
        look = f'class="ray {PLAYERS[turn]}"'
    else:
        look = f'class="ray" fill="none" stroke="{theme.open}" stroke-width="4"'
    return [
        f'<polyline {look} points="{_arc(x, y, to_x, to_y)}"/>'
        for x, y, token in places
        if turn and token.token == turn
        for to_x, to_y, cell in places
        if cell.moves
    ]


def _arc(x: int, y: int, to_x: int, to_y: int) -> str:
    """From the edge of a token over the cells between, beside their numbers, to where it lands."""
    length = abs(to_x - x) + abs(to_y - y)
    height = CELL // 2 if length > CELL else 0
    start, end = 26 / length, 1 - 20 / length
    points = []
    for step in range(9):
        far = start + (end - start) * step / 8
        aside = round(height * 4 * far * (1 - far))
        over = (x + round((to_x - x) * far), y + round((to_y - y) * far))
        points.append((over[0] + aside, over[1]) if x == to_x else (over[0], over[1] - aside))
    return " ".join(f"{left},{top}" for left, top in points)


@lru_cache(maxsize=64)
def _labels(rows: tuple[str, ...], cols: tuple[str, ...], theme: Palette) -> str:
    middle = MARGIN + MIDDLE
    places = [(name, middle + col * CELL, MARGIN - 6) for col, name in enumerate(cols)]
    places += [(name, MARGIN // 2, middle + row * CELL + 5) for row, name in enumerate(rows)]
    look = "" if theme is PAGE else f' font-size="13" fill="{theme.faint}"'
    return "".join(f'<text x="{x}" y="{y}"{look}>{escape(name)}</text>' for name, x, y in places)


def _colour(theme: Palette, player: int) -> str:
    return theme.one if player == 1 else theme.two


def _other(player: int) -> str:
    return PLAYERS[3 - player] if player else ""


def _fill(cell: CellView, theme: Palette) -> str:
    if cell.blocked:
        return theme.block
    if cell.moves:
        return theme.open_wash
    if cell.hidden:
        return theme.hidden
    lone = cell.visited[0] if len(cell.visited) == 1 else 0
    return (theme.cell, theme.one_wash, theme.two_wash)[cell.owner or lone]
