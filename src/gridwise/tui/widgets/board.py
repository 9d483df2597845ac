"""BoardView: a board on the screen, as large as its room allows, and the choice of a cell on it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from gridwise.core.contracts import Question
from gridwise.core.position import Position
from gridwise.core.view import View
from gridwise.tui.widgets.board_drawing import GROUNDS, INKS, LEFT, Layout, Overlay, Role, draw, fit
from gridwise.tui.widgets.dialogs import ESCAPED, AskScreen

if TYPE_CHECKING:  # it comes with the engine, which the home screen can do without
    from gridwise.play.values import CellValue

_DIRECTIONS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class _Drawn(NamedTuple):
    """What has been drawn, for the lines that are asked for one by one."""

    top: int  # the first line of the drawing
    strips: list[Strip]
    blank: Strip  # the lines above and below


class BoardView(Widget, can_focus=True):
    """A view of a position.

    `cursor` is the chosen cell (-1 for none), `marks` has short marks for cells (such as LEFT),
    `goals` the player who has to reach a cell, `values` what the move to a cell is worth. While it
    is `selectable` the cells that can be moved to are marked, and keys and the mouse choose among
    them. A `small` one is a picture without labels.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"board--{role}" for role in (*GROUNDS, *INKS)}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "point('up')", "Up", show=False),
        Binding("down", "point('down')", "Down", show=False),
        Binding("left", "point('left')", "Left", show=False),
        Binding("right", "point('right')", "Right", show=False),
        Binding("enter,space", "choose", "Play", show=False),
    ]

    view: reactive[View | None] = reactive(None, always_update=True)
    cursor: reactive[int] = reactive(-1)
    marks: reactive[dict[int, str]] = reactive(dict, always_update=True)
    goals: reactive[dict[int, int]] = reactive(dict, always_update=True)
    values: reactive[dict[int, CellValue]] = reactive(dict, always_update=True)
    selectable: reactive[bool] = reactive(False)

    class Chosen(Message):
        """A cell was chosen, with Enter, or clicked, whether or not one can be chosen now.

        It need not be one that can be moved to.
        """

        def __init__(self, cell: int) -> None:
            super().__init__()
            self.cell = cell

    def __init__(
        self,
        view: View | None = None,
        *,
        small: bool = False,
        id: str | None = None,  # noqa: A002 - as every widget
    ) -> None:
        super().__init__(id=id)
        self.can_focus = not small
        self._small = small
        self._drawn: _Drawn | None = None
        self._role_styles: dict[Role, Style] = {}
        self.set_reactive(BoardView.view, view)

    # What is shown

    def show(self, position: Position, marks: dict[int, str], *, selectable: bool) -> None:
        """Show a position, with the cells that tokens have to reach."""
        goals = {position.objective(player).goal: player for player in (1, 2)}
        self.goals = {cell: player for cell, player in goals.items() if cell >= 0}
        self.marks = marks
        self.view = position.view
        self.selectable = selectable

    @property
    def targets(self) -> list[int]:
        """The cells that can be moved to."""
        cells = self.view.cells if self.view else ()
        return [cell for cell, shown in enumerate(cells) if shown.actions]

    def cell_region(self, cell: int) -> Region:
        """Where the inside of a cell is on the screen."""
        layout, origin = self._layout(), self._origin()
        x, y = layout.corner(cell)
        inside = self.content_region
        left, top = inside.x + origin.x + x, inside.y + origin.y + y
        return Region(left, top, layout.width, layout.height)

    def cell_at(self, x: int, y: int) -> int:
        """The cell at a place of this widget; -1 if there is none."""
        if self.view is None:
            return -1
        origin = self._origin()
        return self._layout().cell_at(x - origin.x, y - origin.y)

    def _layout(self, size: Size | None = None) -> Layout:
        assert self.view
        return fit(self.view, *(size or self.content_size), small=self._small)

    def _origin(self) -> Offset:
        """Where the drawing begins: it is in the middle of its room."""
        layout = self._layout()
        width, height = self.content_size
        return Offset(
            max(0, (width - layout.total_width) // 2), max(0, (height - layout.total_height) // 2)
        )

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002
        """As wide as the drawing, where the style says auto."""
        return self._layout(container).total_width if self.view else 0

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """As high as the drawing, where the style says auto."""
        room = Size(width, container.height)
        return self._layout(room).total_height if self.view else 0

    def render_line(self, y: int) -> Strip:
        """One line of the drawing."""
        if self._drawn is None:
            self._drawn = self._draw()
        row = y - self._drawn.top
        return self._drawn.strips[row] if 0 <= row < len(self._drawn.strips) else self._drawn.blank

    def _draw(self) -> _Drawn:
        width, plain = self.content_size.width, self.rich_style
        blank = Strip.blank(width, plain)
        if self.view is None:
            return _Drawn(0, [], blank)
        cursor = self.cursor if self.selectable else -1
        overlay = Overlay(cursor, self.marks, self.goals, self.selectable, self.values)
        origin, layout = self._origin(), self._layout()
        margin = Segment(" " * origin.x, plain)
        rest = Segment(" " * max(0, width - origin.x - layout.total_width), plain)
        strips = []
        for spans in draw(self.view, layout, overlay):
            segments = [Segment(span.text, self._role_style(span.role)) for span in spans]
            strips.append(Strip([margin, *segments, rest]).crop(0, width))
        return _Drawn(origin.y, strips, blank)

    def _role_style(self, role: Role) -> Style:
        style = self._role_styles.get(role)
        if style is None:
            style = self._role_styles[role] = self._made_style(role)
        return style

    def _made_style(self, role: Role) -> Style:
        ground, ink = role
        style = self.rich_style
        if ground:
            style += self.get_component_rich_style(f"board--{ground}")
        if ground.startswith("token"):
            # A token is one solid piece; where there is no colour it stands out by being inverted.
            return style + Style(bold=True, reverse=self.app.no_color)
        if f"board--{ink}" in self.COMPONENT_CLASSES:
            style += self.get_component_rich_style(f"board--{ink}", partial=True)
        return style + Style(bold=True) if ink == "token" else style

    def _redraw(self) -> None:
        self._drawn = None
        self.refresh()

    def notify_style_update(self) -> None:
        """Forget the colours of another theme."""
        super().notify_style_update()
        self._role_styles.clear()
        self._redraw()

    def on_resize(self) -> None:
        """Draw it anew, in another size."""
        self._redraw()

    def watch_view(self, before: View | None, view: View | None) -> None:
        """Another position: the cursor stays as near as it can."""
        same_size = before and view and (before.rows, before.cols) == (view.rows, view.cols)
        if not same_size:
            self.refresh(layout=True)
        self._settle()
        self._redraw()

    def watch_selectable(self) -> None:
        """A cell can be chosen now, or no more."""
        self._settle()
        self._redraw()

    watch_cursor = watch_marks = watch_goals = watch_values = _redraw

    # Choosing a cell

    def _settle(self) -> None:
        """Put the cursor on a cell that can be chosen: the nearest one."""
        targets, view = self.targets, self.view
        if not self.selectable or not view or not targets or self.cursor in targets:
            return
        middle = view.rows // 2 * view.cols + view.cols // 2
        row, col = divmod(self.cursor if self.cursor >= 0 else middle, view.cols)

        def distance(cell: int) -> int:
            return abs(cell // view.cols - row) + abs(cell % view.cols - col)

        self.cursor = min(targets, key=distance)

    def action_point(self, direction: str) -> None:
        """Move the cursor: to where a step in that direction goes, or to the next cell there."""
        view = self.view
        if not self.selectable or not view:
            return
        tokens = [cell for cell, shown in enumerate(view.cells) if shown.token == view.turn != 0]
        origin = tokens[0] if tokens else self.cursor
        cell = next_target(view, self.targets, origin, direction)
        if cell >= 0:
            self.cursor = cell

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's
        """Keys are for the screen while nothing can be chosen."""
        return self.selectable or action not in {"point", "choose"}

    def action_choose(self) -> None:
        """Choose the cell under the cursor."""
        if self.selectable and self.cursor >= 0:
            self.post_message(self.Chosen(self.cursor))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """The cursor follows the mouse over cells that can be chosen."""
        cell = self.cell_at(event.x, event.y)
        if self.selectable and cell in self.targets:
            self.cursor = cell

    def on_click(self, event: events.Click) -> None:
        """Choose the cell that was clicked."""
        if (cell := self.cell_at(event.x, event.y)) >= 0:
            self.post_message(self.Chosen(cell))


def next_target(view: View, targets: list[int], origin: int, direction: str) -> int:
    """The nearest of some cells in a direction, straight ahead first; -1 if there is none."""
    down, right = _DIRECTIONS[direction]
    row, col = divmod(origin, view.cols)
    best, nearest = -1, 0
    for cell in targets:
        rows, cols = cell // view.cols - row, cell % view.cols - col
        ahead = rows * down + cols * right
        aside = abs(cols * down) + abs(rows * right)
        # Aside counts more: an arrow should rather skip cells than leave its row.
        distance = ahead + 3 * aside
        if ahead > 0 and (best < 0 or distance < nearest):
            best, nearest = cell, distance
    return best


def left_cells(before: Position, after: Position) -> dict[int, str]:
    """The cells that tokens have left between two positions, marked."""
    was, now = _tokens(before), _tokens(after)
    return {cell: LEFT for cell, player in was.items() if now.get(cell) != player}


def _tokens(position: Position) -> dict[int, int]:
    cells = position.view.cells
    return {cell: shown.token for cell, shown in enumerate(cells) if shown.token}


async def decided(
    board: BoardView,
    position: Position,
    action: int,
    hint: Callable[[Question], Awaitable[str]] | None = None,
) -> int | None:
    """An action with its second question answered beside the board; None if it was taken back."""
    question = position.question(action)
    if question is None or action != question.undecided:  # the move has answered it already
        return action
    target, answers = position.target(action), list(question.answers.values())
    letters = "".join(answer[0] for answer in question.answers)
    others = [cell for cell in _tokens(position) if cell != target]
    dialog = AskScreen(
        question.text,
        question.labels,
        near=board.cell_region(target),
        avoid=[board.cell_region(cell) for cell in others],
        hint=partial(hint, question) if hint else None,
        # A second Enter, meant for the step, must not challenge at a disadvantage.
        chosen=answers.index(question.default),
        letters=letters if len(set(letters)) == len(letters) else "",
    )
    answer = await board.app.push_screen_wait(dialog)
    return None if answer == ESCAPED else answers[answer]
