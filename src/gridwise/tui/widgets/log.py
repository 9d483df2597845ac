"""MoveLog: every move of a game in a line, the last one in sight."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static


class MoveLog(VerticalScroll):
    """Lines that say who did what; numbered, so that a move can be found again."""

    DEFAULT_CSS = """
    MoveLog { height: 1fr; padding: 0 1; scrollbar-size-vertical: 1; }
    """

    def compose(self) -> ComposeResult:
        """One text; a game has few enough moves."""
        yield Static(id="lines")

    def show(self, lines: list[str]) -> None:
        """Show these lines, and the end of them."""
        width = len(str(len(lines)))
        numbered = [
            Content.assemble((f"{number:>{width}} ", "dim"), line)
            for number, line in enumerate(lines, 1)
        ]
        self.query_one("#lines", Static).update(Content("\n").join(numbered))
        self.call_after_refresh(self.scroll_end, animate=False)

    def on_resize(self) -> None:
        """Keep the end in sight."""
        self.scroll_end(animate=False)
