"""A View drawn as large as its room allows: characters, and what each of them is.

Pure: no Textual in it. `fit` finds the size of the cells, `draw` puts them on a canvas, and the
widget gives each role its colours. Nothing is said by colour alone: whatever has a colour has a
letter, a shape or a kind of line too. Numbers have digits of several lines, to be seen from afar.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from gridwise.core.view import CellView, View

if TYPE_CHECKING:  # it comes with the engine, which the home screen can do without
    from gridwise.play.values import CellValue

# Five dots high and mostly three wide, row by row: digits, and the signs of values.
_DOTS = {
    "0": ("###", "# #", "# #", "# #", "###"),
    "1": (" # ", "## ", " # ", " # ", "###"),
    "2": ("###", "  #", "###", "#  ", "###"),
    "3": ("###", "  #", "###", "  #", "###"),
    "4": ("# #", "# #", "###", "  #", "  #"),
    "5": ("###", "#  ", "###", "  #", "###"),
    "6": ("###", "#  ", "###", "# #", "###"),
    "7": ("###", "  #", "  #", "  #", "  #"),
    "8": ("###", "# #", "###", "# #", "###"),
    "9": ("###", "# #", "###", "  #", "###"),
    "W": ("# #", "# #", "# #", "###", "# #"),
    "L": ("#  ", "#  ", "#  ", "#  ", "###"),
    "=": ("   ", "###", "   ", "###", "   "),
    "∞": ("     ", " # # ", "# # #", " # # ", "     "),
    "%": ("# #", "  #", " # ", "#  ", "# #"),
    "*": ("   ", "# #", " # ", "# #", "   "),
    "!": ("#", "#", "#", " ", "#"),
    "-": ("   ", "   ", "###", "   ", "   "),
}
_HALVES = {(" ", " "): " ", ("#", " "): "▀", (" ", "#"): "▄", ("#", "#"): "█"}


@lru_cache(maxsize=32)
def large_digits(text: str) -> list[str]:
    """A number in five lines, six characters to a digit: each dot is two characters."""
    rows = [" ".join(_DOTS[digit][row] for digit in text) for row in range(5)]
    return ["".join("██" if dot == "#" else "  " for dot in row) for row in rows]


@lru_cache(maxsize=32)
def small_digits(text: str) -> list[str]:
    """A number in three lines, three characters to a digit: each dot is half a character."""
    rows = [" ".join(_DOTS[digit][row] for digit in text) for row in range(5)]
    rows.append(" " * len(rows[0]))
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return ["".join(_HALVES[dots] for dots in zip(*pair, strict=True)) for pair in pairs]


SHAPES = ("", "●", "◆")  # the tokens of Player 1 and Player 2, besides their letters
FLAG = "⚑"
LEGAL = "•"
LEFT = "○"  # where a token came from
VISITED = ("", "x", "o")  # as in the legend of the game that has them

# The box-drawing character with these weights (0 none, 1 light, 2 heavy) of its arms up, right,
# down and left, at 27 up + 9 right + 3 down + left.
_JUNCTIONS = " ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋"


# Of lines that meet, the one that is further on here gives its colour to the corner.
_PRECEDENCE = ("", "frame", "last0", "last1", "last2", "cursor")


# Grounds and inks that have colours of their own.
GROUNDS = ("cell", "open", "token1", "token2", "own1", "own2", "hidden", "blocked")
INKS = (
    *_PRECEDENCE[1:],
    *("label", "value", "spent", "legal", "mark", "flag1", "flag2", "win", "loss", "worth"),
)


class Role(NamedTuple):
    """What a character is: what lies under it, and what it says."""

    ground: str = ""
    ink: str = ""


class BoardSpan(NamedTuple):
    """Characters of one role beside each other."""

    text: str
    role: Role


class Layout(NamedTuple):
    """Where the cells of a board are, in characters, from the top left of the drawing."""

    rows: int
    cols: int
    width: int  # inside a cell
    height: int
    margin: int  # left of the grid, for the labels of the rows
    head: int  # above it, for the labels of the columns
    line: int  # how thick a line between cells is: 1, or 0 for none

    @property
    def total_width(self) -> int:
        """Characters from the left of the labels to the right of the grid."""
        return self.margin + self.cols * (self.width + self.line) + self.line

    @property
    def total_height(self) -> int:
        """Lines from the labels to the bottom of the grid."""
        return self.head + self.rows * (self.height + self.line) + self.line

    def corner(self, cell: int) -> tuple[int, int]:
        """The column and line of the upper left character inside a cell."""
        row, col = divmod(cell, self.cols)
        return (
            self.margin + self.line + col * (self.width + self.line),
            self.head + self.line + row * (self.height + self.line),
        )

    def cell_at(self, x: int, y: int) -> int:
        """The cell at a character of the drawing, lines included; -1 outside the grid."""
        col, row = x - self.margin, y - self.head
        if col < 0 or row < 0:
            return -1
        col, row = col // (self.width + self.line), row // (self.height + self.line)
        return row * self.cols + col if col < self.cols and row < self.rows else -1


def fit(view: View, width: int, height: int, *, small: bool = False) -> Layout:
    """The largest layout for a board in so many characters; the smallest one if none fits."""
    rows, cols = view.rows, view.cols
    margin = 0 if small else max(len(label) for label in view.row_labels) + 1
    head = 0 if small else 1
    # A character is about twice as high as it is wide.
    for inside in range((height - 2) // rows - 1, 0, -1):
        for wide in (max(2 * inside + 1, 7), 5) if inside == 1 else (max(2 * inside + 1, 7),):
            layout = Layout(rows, cols, wide, inside, margin, head, 1)
            if layout.total_width <= width and layout.total_height <= height:
                return layout
    narrow = Layout(rows, cols, 3, 1, margin, head, 1)
    if narrow.total_width <= width and narrow.total_height <= height:
        return narrow
    inside = max(2, min(4 if small else 6, (width - margin) // cols))
    return Layout(rows, cols, inside, 1, margin, head, 0)


@dataclass(frozen=True)
class Overlay:
    """What is drawn over a view."""

    cursor: int = -1
    marks: Mapping[int, str] | None = None  # cell -> a short mark
    goals: Mapping[int, int] | None = None  # cell -> the player who has to reach it
    legal: bool = True  # whether the cells that can be moved to are marked
    values: Mapping[int, CellValue] | None = None  # cell -> what the move to it is worth


class Canvas:
    """A rectangle of characters with roles."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._chars = [[" "] * width for _ in range(height)]
        self._roles = [[Role()] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, role: Role) -> None:
        """Write a text; what lies outside is left out."""
        if not 0 <= y < self.height:
            return
        for column, char in enumerate(text, x):
            if 0 <= column < self.width:
                self._chars[y][column], self._roles[y][column] = char, role

    def lines(self) -> list[list[BoardSpan]]:
        """The rows, as spans of one role each."""
        return [
            [
                BoardSpan("".join(char for char, _ in run), role)
                for role, run in groupby(zip(chars, roles, strict=True), key=lambda pair: pair[1])
            ]
            for chars, roles in zip(self._chars, self._roles, strict=True)
        ]


def draw(view: View, layout: Layout, overlay: Overlay) -> list[list[BoardSpan]]:
    """The board as lines of spans."""
    canvas = Canvas(layout.total_width, layout.total_height)
    _draw_labels(canvas, view, layout)
    for cell, shown in enumerate(view.cells):
        x, y = layout.corner(cell)
        inside = _Inside(canvas, x, y, layout.width, layout.height)
        inside.draw(cell, shown, overlay, spent=_is_spent(shown, view.turn))
    if layout.line:
        _draw_lines(canvas, view, layout, overlay)
    return canvas.lines()


def _draw_labels(canvas: Canvas, view: View, layout: Layout) -> None:
    role = Role(ink="label")
    if layout.head:
        for col, label in enumerate(view.col_labels):
            x, _ = layout.corner(col)
            canvas.put(x + (layout.width - len(label)) // 2, 0, label, role)
    if layout.margin:
        for row, label in enumerate(view.row_labels):
            _, y = layout.corner(row * layout.cols)
            text = label.rjust(layout.margin - 1)
            canvas.put(0, y + (layout.height - 1) // 2, text, role)


def _draw_lines(canvas: Canvas, view: View, layout: Layout, overlay: Overlay) -> None:
    """The grid: light lines, heavy around the last move, heavy and bright around the cursor."""
    horizontal: dict[tuple[int, int], str] = {}  # of the line above (row, col), what it is part of
    vertical: dict[tuple[int, int], str] = {}  # the same of the line left of it
    heavy = {view.last: f"last{_player(view.cells[view.last])}"} if view.last >= 0 else {}
    if overlay.cursor >= 0:
        heavy[overlay.cursor] = "cursor"  # after the last move: it wins where they meet
    for cell, ink in heavy.items():
        row, col = divmod(cell, layout.cols)
        horizontal[row, col] = horizontal[row + 1, col] = ink
        vertical[row, col] = vertical[row, col + 1] = ink
    wide, high = layout.width + 1, layout.height + 1
    rows, cols = layout.rows, layout.cols
    for row in range(rows + 1):
        for col in range(cols + 1):
            x, y = layout.margin + col * wide, layout.head + row * high
            inks = (
                vertical.get((row - 1, col), "frame") if row else "",
                horizontal.get((row, col), "frame") if col < cols else "",
                vertical.get((row, col), "frame") if row < rows else "",
                horizontal.get((row, col - 1), "frame") if col else "",
            )
            weights = [("", "frame").index(ink) if ink in {"", "frame"} else 2 for ink in inks]
            up, right, down, left = weights
            ink = max(inks, key=_PRECEDENCE.index)
            canvas.put(x, y, _JUNCTIONS[27 * up + 9 * right + 3 * down + left], Role(ink=ink))
            if col < cols:
                line = "━" if right == 2 else "─"
                canvas.put(x + 1, y, line * layout.width, Role(ink=inks[1]))
            if row < rows:
                line = "┃" if down == 2 else "│"
                for below in range(1, high):
                    canvas.put(x, y + below, line, Role(ink=inks[2]))


class _Inside:
    """The inside of one cell."""

    def __init__(self, canvas: Canvas, x: int, y: int, width: int, height: int) -> None:
        self._canvas, self._x, self._y = canvas, x, y
        self._width, self._height = width, height
        self._ground = ""
        self._spent = False

    def draw(self, cell: int, shown: CellView, overlay: Overlay, *, spent: bool) -> None:
        """Fill it, then the number or the token, then the marks.

        A number that is `spent`, because it is claimed or one has been there, is small and thin.
        """
        self._ground, self._spent = _ground(shown, overlay), spent
        fill = "▒" if shown.blocked else "░" if shown.hidden else " "
        for line in range(self._height):
            self._put(0, line, fill * self._width, "fill")
        here = overlay.cursor == cell
        mark = (overlay.marks or {}).get(cell, "")
        flag = (overlay.goals or {}).get(cell, 0)
        worth = (overlay.values or {}).get(cell)
        if worth and worth.star not in mark:
            mark = worth.star + mark
        legal = overlay.legal and bool(shown.actions)
        if self._height == 1:
            self._draw_line(shown, mark, flag, legal, here, worth)
        else:
            self._draw_block(shown, mark, flag, legal, here, worth)

    def _put(self, x: int, y: int, text: str, ink: str) -> None:
        self._canvas.put(self._x + x, self._y + y, text, Role(self._ground, ink))

    def _put_centred(self, y: int, text: str, ink: str) -> None:
        # Where it cannot be exact, further left.
        self._put(max(0, self._width - len(text)) // 2, y, text[: self._width], ink)

    def _draw_line(
        self,
        shown: CellView,
        mark: str,
        flag: int,
        legal: bool,
        here: bool,
        worth: CellValue | None,
    ) -> None:
        """A cell of one line: its text in the middle, and a mark on each side."""
        width, ink = self._width, "token" if shown.token or shown.owner else self._number_ink
        text = _short_text(shown, width)
        if worth:
            said = worth.fitted(width)
            both = f"{text.strip()} {said}".lstrip()
            text = both if len(both) <= width else said
            self._put_centred(0, text, ink)
            start = max(0, width - len(text)) // 2 + len(text) - len(said)
            self._put(start, 0, said, _worth_ink(worth))
        else:
            self._put_centred(0, text, ink)
        free_left = (width - len(text)) // 2 > 0
        free_right = width - len(text) - (width - len(text)) // 2 > 0
        if free_left and (here or legal):
            self._put(0, 0, "▸" if here else LEGAL, "cursor" if here else "legal")
        if free_right and mark:
            self._put(width - 1, 0, mark[:1], "mark")
        elif free_right and flag and not here:
            self._put(width - 1, 0, FLAG, f"flag{flag}")
        elif free_right and here:
            self._put(width - 1, 0, "◂", "cursor")

    @property
    def _number_ink(self) -> str:
        return "spent" if self._spent else "value"

    def _draw_block(
        self,
        shown: CellView,
        mark: str,
        flag: int,
        legal: bool,
        here: bool,
        worth: CellValue | None,
    ) -> None:
        """A cell of several lines: marks at the top and the bottom, the rest in the middle."""
        width, bottom = self._width, self._height - 1
        below = _worth_art(worth, width, self._height) if worth else []
        self._draw_middle(shown, self._height - len(below))
        for line, text in enumerate(below, self._height - len(below)):
            self._put_centred(line, text, _worth_ink(worth) if worth else "")
        if flag:
            self._put(0, 0, f"{FLAG}{flag}", f"flag{flag}")
        if mark:
            self._put(width - len(mark), 0, mark, "mark")
        seen = [player for player in shown.visited if player != shown.token]
        for place, player in enumerate(seen):
            self._put(width - len(seen) + place, bottom, VISITED[player], f"seen{player}")
        if worth or shown.token:
            pass  # a value says where one can move; a token has its number there, while edited
        elif legal and self._height > 2:
            self._put_centred(bottom, " ".join(LEGAL * (1 + 2 * (width > 9))), "legal")
        elif legal:
            self._put_centred(0, LEGAL, "legal")
        if here:
            middle = (self._height - 1) // 2
            self._put(0, middle, "▸", "cursor")
            self._put(width - 1, middle, "◂", "cursor")

    def _draw_middle(self, shown: CellView, height: int) -> None:
        """The number, the token or the owner, as large as there is room for."""
        token = shown.token or shown.owner
        badge = f"{SHAPES[token]} {_letters(shown)}" if token else ""
        if token and height == 2:
            self._put_centred(1, f"{badge} {shown.value or ''}".rstrip(), "token")
            return
        room = height - 2  # a line for marks, and one for the badge or for what is below
        art = _number_art(shown, self._width - 2, 0 if self._spent else room)
        lines = [(badge, "token")] if badge else []
        lines += [("", "value")] if badge and 1 < len(art) < room else []
        lines += [(line, self._number_ink) for line in art]
        top = (height - len(lines) + (height == 2 or len(lines) == height - 1)) // 2
        for place, (text, ink) in enumerate(lines):
            if text:
                self._put_centred(top + place, text, ink)


def _number_art(shown: CellView, width: int, room: int) -> list[str]:
    """The number of a cell in the largest digits that fit; a sign where there is none."""
    if shown.blocked:
        return [" X "]
    if shown.hidden:
        return [" ? "]
    if not shown.value:
        return []
    text = str(shown.value)
    for art in (large_digits(text), small_digits(text)):
        if len(art) <= room and len(art[0]) <= width:
            return art
    return [text]


def _worth_art(worth: CellValue, width: int, height: int) -> list[str]:
    """What a move is worth, as large as leaves room for the number of the cell."""
    for art, least in ((large_digits(worth.text), 10), (small_digits(worth.text), 4)):
        if height >= least and len(art[0]) <= width:
            return art
    return [worth.fitted(width)]


def _worth_ink(worth: CellValue) -> str:
    return worth.kind if worth.kind in ("win", "loss") else "worth"


def _ground(shown: CellView, overlay: Overlay) -> str:
    if shown.token:
        return f"token{shown.token}"
    if shown.owner:
        return f"own{shown.owner}"
    if len(shown.visited) == 1:
        return f"own{shown.visited[0]}"
    if shown.blocked or shown.hidden:
        return "blocked" if shown.blocked else "hidden"
    return "open" if overlay.legal and shown.actions else "cell"


def _is_spent(shown: CellView, turn: int) -> bool:
    """Whether a number counts no more for the player to move; after the end, for neither."""
    been = turn in shown.visited if turn else bool(shown.visited)
    return bool(shown.owner) or (been and not shown.token)


def _player(shown: CellView) -> int:
    """Whose token or claim is on a cell; 0 for nobody's."""
    return shown.token or shown.owner


def _letters(shown: CellView) -> str:
    """The letters of a token or an owner: `P1`, or `X` where the game calls the player that."""
    return shown.text if shown.owner else f"P{shown.token}"


def _short_text(shown: CellView, width: int) -> str:
    """What a cell of one line says."""
    if shown.hidden:
        return "?"
    if shown.blocked:
        return "X"
    if len(shown.text) <= width:
        return shown.text
    return f"P{shown.token}" if shown.token else shown.text[:width]
