"""MenuItem: a line of a menu, with its key; Enter or a click does what the key does."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget


class MenuItem(Widget, can_focus=True):
    """One thing that can be done: an action of the screen."""

    DEFAULT_CSS = """
    MenuItem { height: 1; padding: 0 1; }
    MenuItem:hover { background: $boost; }
    MenuItem:focus { background: $primary 25%; text-style: bold; }
    MenuItem:focus:ansi { background: transparent; text-style: bold reverse; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "press", "Choose", show=False),
    ]

    detail: reactive[str] = reactive("")

    def __init__(self, key: str, title: str, action: str, detail: str = "") -> None:
        super().__init__(id=f"item-{action}")
        self._key, self._title, self._action = key, title, action
        self.set_reactive(MenuItem.detail, detail)

    async def action_press(self) -> None:
        """Do it."""
        await self.run_action(f"screen.{self._action}")

    async def on_click(self, event: events.Click) -> None:
        """Do it."""
        event.stop()
        await self.action_press()

    def render(self) -> Content:
        """The key, what it does, and more on it."""
        mark = "▌" if self.has_focus else " "
        parts = [(f"{mark} ", ""), (self._key, "$accent bold"), (f"  {self._title}", "")]
        if self.detail:
            parts.append((f"  {self.detail}", "dim not bold"))
        return Content.assemble(*parts)
