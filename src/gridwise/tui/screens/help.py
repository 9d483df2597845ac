"""HelpScreen: the keys of the screen below it, and what there is to know there, on one page."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Static


class HelpScreen(ModalScreen[None]):
    """A cheat sheet.

    A screen that has `help_lines` has them first; then come all keys that have a tooltip.
    """

    DEFAULT_CSS = """
    HelpScreen {
        align: center middle;
        & > VerticalScroll {
            width: 76;
            max-width: 100%;
            height: auto;
            max-height: 100%;
            padding: 0 1;
            border: round $accent;
            border-title-style: bold;
            background: $surface;
        }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,enter,space", "dismiss", "Back"),
    ]

    def __init__(self, below: Screen[object]) -> None:
        super().__init__()
        self._below = below  # in `compose` it cannot be asked: this screen may not be on top yet

    def compose(self) -> ComposeResult:
        """Everything on one page."""
        page = VerticalScroll(Static(_page(self._below)))
        page.border_title = "Help"
        page.border_subtitle = "esc: back"
        yield page

    def on_click(self) -> None:
        """Anywhere will do to close it."""
        self.dismiss()


def _page(screen: Screen[object]) -> Content:
    lines: list[Content] = [Content(line) for line in getattr(screen, "help_lines", [])]
    keys: dict[str, list[str]] = {}
    about: dict[str, str] = {}
    for _, binding, _, tooltip in screen.active_bindings.values():
        if tooltip:
            keys.setdefault(binding.action, []).append(screen.app.get_key_display(binding))
            about[binding.action] = f"{binding.description}: {tooltip}"
    width = max((len(_joined(each)) for each in keys.values()), default=0)
    if lines:
        lines.append(Content(""))
    lines += [
        Content.assemble((_joined(names).ljust(width), "bold $accent"), f"  {about[action]}")
        for action, names in keys.items()
    ]
    return Content("\n").join(lines)


def _joined(names: list[str]) -> str:
    return " ".join(dict.fromkeys(names))
