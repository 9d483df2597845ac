"""Chooser: one setting in one line, changed with the left and right arrows or a click.

Opponent    ◂ Casual bot ▸    usually sees your next move coming
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

NAME_WIDTH = 12
LABEL_WIDTH = 15
ABOUT_AT = NAME_WIDTH + LABEL_WIDTH + 7  # where the word on a value begins
SHORTEST_ABOUT = 20  # characters; in less room it is not shown in the row


class Choice(NamedTuple):
    """One of the values of a setting."""

    value: str
    label: str
    about: str = ""  # a few words on what it means


class Chooser(Widget, can_focus=True):
    """A setting with a few values, of which one is chosen."""

    DEFAULT_CSS = """
    Chooser {
        height: 1;
        padding: 0 1;
        color: $foreground;
    }
    Chooser:hover { background: $boost; }
    Chooser:focus { background: $primary 25%; text-style: bold; }
    Chooser:focus:ansi { background: transparent; text-style: bold reverse; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "step(-1)", "Change", key_display="←→", tooltip="Another value"),
        Binding("right,l,space", "step(1)", "Next value", show=False),
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
        room = self.content_size.width - ABOUT_AT
        if room >= SHORTEST_ABOUT:
            about = self.choice.about
            shown = about if len(about) <= room else f"{about[: room - 1].rstrip()}…"
            gap = " " * (LABEL_WIDTH - len(self.choice.label) + 2)
            parts.append((gap + shown, "dim"))
        return Content.assemble(*parts)

    @property
    def about_fits(self) -> bool:
        """Whether all of the word on the value is shown."""
        return len(self.choice.about) <= self.content_size.width - ABOUT_AT
