"""WinGraph: who was winning, move by move, as a line that runs between the two players.

    Blue │━━━━┓     ┏━◆
    even │    ┃     ┃
     Red │    ┗━━━━━┛
          ??       ?
                      ▲ end

Nothing is said by colour alone: mistakes have their marks below the line, the current move has an
arrow and a diamond.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from gridwise.core.narration import COLOURS
from gridwise.tui.widgets.board_drawing import BoardSpan, Canvas, Role

MAX_STEP_WIDTH = 6  # characters from one move to the next, where there is plenty of room
LINES_BELOW = 2  # lines below the plot: the marks, and the arrow
POINT, ARROW = "◆", "▲"
NAMES = (COLOURS[0].subject, "even", COLOURS[1].subject)
FIRST_COLUMN = max(map(len, NAMES)) + 2  # the column of the first point


class Plot:
    """Where the points of a curve are in a rectangle of characters."""

    def __init__(self, curve: Sequence[float], width: int, height: int) -> None:
        self.height = max(1, height - LINES_BELOW)
        self.rows = [round((1.0 - points) * (self.height - 1)) for points in curve]
        self._step = min(MAX_STEP_WIDTH, max(1, width - FIRST_COLUMN - 1) / max(1, len(curve) - 1))

    def column(self, number: int) -> int:
        """The column of a point."""
        return FIRST_COLUMN + int(number * self._step)

    def nearest(self, x: int) -> int:
        """The point that is nearest to a column."""
        return max(0, min(len(self.rows) - 1, round((x - FIRST_COLUMN) / self._step)))


def draw_graph(
    curve: Sequence[float],
    marks: Mapping[int, str],
    numbers: Sequence[int],
    at: int,
    width: int,
    height: int,
) -> list[list[BoardSpan]]:
    """The graph as lines of spans; `marks` are by the number of the point that they stand at.

    `numbers` are those of the moves from each point, as their players count.
    """
    plot = Plot(curve, width, height)
    canvas = Canvas(width, plot.height + LINES_BELOW)
    bottom = plot.height - 1
    for y, name in {bottom // 2: NAMES[1], bottom: NAMES[2], 0: NAMES[0]}.items():
        canvas.put(0, y, f"{name:>{FIRST_COLUMN - 2}}", Role(ink="label"))
        canvas.put(FIRST_COLUMN, y, "┈" * (width - FIRST_COLUMN), Role(ink="guide"))
    for y in range(plot.height):
        canvas.put(FIRST_COLUMN - 1, y, "│", Role(ink="guide"))
    _draw_line(canvas, plot)
    for number, mark in marks.items():
        x = min(plot.column(number), width - len(mark))
        canvas.put(x, plot.height, mark, Role(ink="mark"))
    x, label = plot.column(at), str(numbers[at]) if at < len(numbers) else "end"
    canvas.put(x, plot.rows[at], POINT, Role(ink="point"))
    canvas.put(x, plot.height + 1, ARROW, Role(ink="point"))
    beside = x + 2 if x + 2 + len(label) <= width else x - 1 - len(label)
    canvas.put(beside, plot.height + 1, label, Role(ink="label"))
    return canvas.lines()


def _draw_line(canvas: Canvas, plot: Plot) -> None:
    """A line that stays at the height of a point until the next one."""
    line = Role(ink="line")
    x, y = plot.column(0), plot.rows[0]
    canvas.put(x, y, "━", line)
    for number, row in enumerate(plot.rows[1:], 1):
        column = plot.column(number)
        canvas.put(x + 1, y, "━" * (column - x), line)
        if row != y:
            for between in range(min(y, row) + 1, max(y, row)):
                canvas.put(column, between, "┃", line)
            canvas.put(column, y, "┓" if row > y else "┛", line)
            canvas.put(column, row, "┗" if row > y else "┏", line)
        x, y = column, row


class WinGraph(Widget):
    """A curve with marks; a click on it chooses a point."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "graph--label",
        "graph--guide",
        "graph--line",
        "graph--mark",
        "graph--point",
    }
    curve: reactive[tuple[float, ...]] = reactive(())
    marks: reactive[dict[int, str]] = reactive(dict)
    numbers: reactive[tuple[int, ...]] = reactive(())
    at: reactive[int] = reactive(0)

    class Chosen(Message):
        """A point was clicked."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def render_line(self, y: int) -> Strip:
        """One line of the drawing."""
        width, height = self.content_size
        if not self.curve:
            return Strip.blank(width, self.rich_style)
        at = min(self.at, len(self.curve) - 1)
        lines = draw_graph(self.curve, self.marks, self.numbers, at, width, height)
        spans = lines[y] if y < len(lines) else []
        segments = [Segment(span.text, self._style_of(span.role.ink)) for span in spans]
        return Strip(segments).adjust_cell_length(width, self.rich_style)

    def _style_of(self, ink: str) -> Style:
        own = self.get_component_rich_style(f"graph--{ink}", partial=True) if ink else Style()
        return self.rich_style + own

    def column(self, number: int) -> int:
        """The column of a point in this widget."""
        return Plot(self.curve, *self.content_size).column(number)

    def on_click(self, event: events.Click) -> None:
        """Choose the point that is nearest to the mouse."""
        if self.curve:
            number = Plot(self.curve, *self.content_size).nearest(event.x)
            self.post_message(self.Chosen(number))
