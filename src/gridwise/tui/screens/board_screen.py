"""BoardScreen: what all screens with a large board share, to play, to solve or to look back."""

from __future__ import annotations

from textual import getters
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Button, Static

from gridwise.core.game import Game
from gridwise.core.narration import Names
from gridwise.core.position import Position
from gridwise.tui.app import GridwiseApp
from gridwise.tui.widgets.board import BoardView
from gridwise.tui.widgets.footer import KeyFooter
from gridwise.tui.widgets.panel import PlayerPanel


class BoardScreen(Screen[None]):
    """A board, words beside it, and buttons that do what the keys do."""

    app = getters.app(GridwiseApp)
    palette_in_footer = False

    def compose(self) -> ComposeResult:
        """The board, and the panel beside it or below."""
        with Horizontal(id="main"):
            yield BoardView(id="board")
            with Vertical(id="panel"):
                yield Static(id="title", markup=False)
                yield from self.compose_panel()
        yield KeyFooter(show_command_palette=self.palette_in_footer)

    def compose_panel(self) -> ComposeResult:
        """What stands below the title in the panel."""
        raise NotImplementedError

    @property
    def board(self) -> BoardView:
        """The board."""
        return self.query_one("#board", BoardView)

    @property
    def game(self) -> Game | None:
        """The game that is shown, if there is one."""
        raise NotImplementedError

    def write(self, name: str, text: str | Content) -> None:
        """Put a text into the part of that name; nothing in it is markup."""
        self.query_one(f"#{name}", Static).update(
            text if isinstance(text, Content) else Content(text)
        )

    def show_players(self, position: Position, names: Names, turn: int) -> None:
        """Show both players; `turn` is the one to move."""
        for player, name in enumerate(names, 1):
            panel = self.query_one(f"#player{player}", PlayerPanel)
            panel.show(position, name.subject, to_move=player == turn)

    async def on_button_pressed(self, event: Button.Pressed) -> None:
        """What the keys do, with the mouse."""
        await self.run_action(event.button.name or "leave")

    def action_rules(self) -> None:
        """Show the rules."""
        if self.game:
            self.app.open("rules", self.game)

    def action_leave(self) -> None:
        """Go back to where one came from."""
        self.app.pop_screen()
