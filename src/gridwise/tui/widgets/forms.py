"""What forms are made of: a screen gone over with the arrow keys, and settings in a line each.

Opponent   ◂ Casual bot ▸      sees your next move coming, and no further
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.reactive import reactive
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from gridwise.play.setup import Choice

Result = TypeVar("Result")
SIDEWAYS_FACTOR = 4  # to be off to the side counts this many times as much as to be far away


class ArrowScreen(Screen[Result]):
    """A screen whose widgets are reached with the arrow keys, as well as with Tab and the mouse."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "up,k",
            "focus_towards(0, -1)",
            "Move",
            show=False,
            key_display="↑↓←→",
            tooltip="Go to what lies in that direction",
        ),
        Binding("down,j", "focus_towards(0, 1)", "Down", show=False),
        Binding("left", "focus_towards(-1, 0)", "Left", show=False),
        Binding("right", "focus_towards(1, 0)", "Right", show=False),
    ]

    def action_focus_towards(self, right: int, down: int) -> None:
        """Focus the nearest widget in a direction; stay where there is none."""
        if self.focused is None:
            self.focus_next()
            return
        here = _place(self.focused)
        distances = [
            (distance, number)
            for number, widget in enumerate(self.focus_chain)
            if (distance := _distance(here, _place(widget), right, down)) is not None
        ]
        if distances:
            self.set_focus(self.focus_chain[min(distances)[1]])


def _place(widget: Widget) -> Region:
    """Where a widget is; a line to type in has all of its row, so that Play is below it."""
    row = widget.parent
    if isinstance(widget, Input) and isinstance(row, Widget) and row.region.height == 1:
        return row.region
    return widget.region


def _distance(here: Region, there: Region, right: int, down: int) -> float | None:
    """How far another widget is in a direction; None if it lies elsewhere."""
    if right:
        ahead = there.x - here.right if right > 0 else here.x - there.right
        aside = max(there.y - here.bottom + 1, here.y - there.bottom + 1, 0)
    else:
        ahead = there.y - here.bottom if down > 0 else here.y - there.bottom
        aside = max(there.x - here.right + 1, here.x - there.right + 1, 0)
    return None if ahead < 0 or not there.area else ahead + SIDEWAYS_FACTOR * aside


NAME_WIDTH = 12
LABEL_WIDTH = 13
ABOUT_COLUMN = NAME_WIDTH + LABEL_WIDTH + 7  # where the word on a value begins


class Chooser(Widget, can_focus=True):
    """A setting with a few values, of which one is chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "Change", key_display="←→", tooltip="Another value"),
        Binding("right,space", "step(1)", "Next value", show=False),
    ]

    index: reactive[int] = reactive(0)

    class Changed(Message):
        """Another value was chosen."""

        def __init__(self, chooser: Chooser) -> None:
            super().__init__()
            self.chooser = chooser

        @property
        def control(self) -> Chooser:
            """The setting."""
            return self.chooser

    def __init__(
        self,
        name: str,
        choices: Sequence[Choice],
        value: str = "",
        *,
        id: str,  # noqa: A002 - as every widget
    ) -> None:
        super().__init__(id=id)
        self.title = name
        self._choices = tuple(choices)
        self.set_reactive(Chooser.index, self._index_of(value))

    @property
    def choice(self) -> Choice:
        """What is chosen."""
        return self._choices[self.index]

    @property
    def value(self) -> str:
        """The value of what is chosen."""
        return self.choice.value

    def offer(self, choices: Sequence[Choice]) -> None:
        """Other values; the one that is chosen stays if it is among them, or the first is."""
        value = self.value
        self._choices = tuple(choices)
        self.set_reactive(Chooser.index, self._index_of(value))
        self.refresh()

    def _index_of(self, value: str) -> int:
        values = [choice.value for choice in self._choices]
        return values.index(value) if value in values else 0

    def action_step(self, by: int) -> None:
        """Choose the next value, or the one before; after the last comes the first."""
        if len(self._choices) > 1:
            self.index = (self.index + by) % len(self._choices)
            self.post_message(self.Changed(self))

    def on_click(self, event: events.Click) -> None:
        """A click on the left arrow goes back, anywhere else on."""
        self.action_step(-1 if event.x <= NAME_WIDTH + 3 else 1)

    def render(self) -> Content:
        """The name, the value, and a word on it if there is room."""
        mark = "▌" if self.has_focus else " "
        before, after = ("◂", "▸") if len(self._choices) > 1 else (" ", " ")
        parts: list[Content | tuple[str, str]] = [
            (f"{mark} {self.title:{NAME_WIDTH - 1}}", "" if self.has_focus else "dim"),
            (f"{before} ", "$accent"),
            (self.choice.label, "bold"),
            (f" {after}", "$accent"),
        ]
        if self.about_fits:
            gap = " " * max(1, LABEL_WIDTH - len(self.choice.label) + 2)
            parts.append((gap + self.choice.about, "dim"))
        return Content.assemble(*parts)

    @property
    def about_fits(self) -> bool:
        """Whether there is room for the word on the value; half of it is not shown."""
        return len(self.choice.about) <= self.content_size.width - ABOUT_COLUMN
