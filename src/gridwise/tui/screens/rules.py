"""RulesScreen: the rules of a game, with a picture of its board; the other games are a key away."""

from __future__ import annotations

from typing import ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Markdown

from gridwise.core.game import Game
from gridwise.core.position import start
from gridwise.core.registry import games
from gridwise.core.view import View
from gridwise.tui.app import GridwiseApp
from gridwise.tui.widgets.board import BoardView
from gridwise.tui.widgets.footer import KeyFooter


class RulesScreen(Screen[None]):
    """The rules page."""

    app = getters.app(GridwiseApp)

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (60, "-normal")]  # noqa: RUF012 - as Textual has it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "app.pop_screen", "Back", key_display="esc"),
        Binding(
            "left",
            "turn(-1)",
            "Other games",
            key_display="←→",
            tooltip="The rules of another game",
        ),
        Binding("right", "turn(1)", "Next game", show=False),
        Binding("l", "learn", "Learn", tooltip="A guided first game"),
        Binding("p,enter", "play", "Play", key_display="p", tooltip="Play this game"),
        Binding("j", "scroll_page('down')", "Down", show=False),
        Binding("k", "scroll_page('up')", "Up", show=False),
    ]

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._game = game

    def compose(self) -> ComposeResult:
        """What the game is about, the board, and the rest."""
        about, rest = self._halves
        with VerticalScroll(id="page"):
            yield Markdown(about, id="first", open_links=False)
            yield BoardView(self._board, small=True, id="picture")
            yield Markdown(rest, id="rest", open_links=False)
        yield KeyFooter()

    @property
    def _halves(self) -> list[str]:
        return self._game.page().split("{board}", 1)

    @property
    def _board(self) -> View:
        return start(self._game, self._game.parse_board(self._game.example_board)).view

    async def action_turn(self, by: int) -> None:
        """The rules of the next game, or of the one before."""
        every = games()
        self._game = every[(every.index(self._game) + by) % len(every)]
        about, rest = self._halves
        await self.query_one("#first", Markdown).update(about)
        self.query_one("#picture", BoardView).view = self._board
        await self.query_one("#rest", Markdown).update(rest)
        self.query_one("#page").scroll_home(animate=False)

    def action_scroll_page(self, way: str) -> None:
        """Scroll by a line."""
        page = self.query_one("#page")
        page.scroll_relative(y=1 if way == "down" else -1, animate=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:  # noqa: ARG002 - Textual's
        """Whether there is a guided game."""
        return action != "learn" or self._game.lesson is not None

    def action_learn(self) -> None:
        """A guided first game."""
        self.app.open("lesson", self._game)

    def action_play(self) -> None:
        """Play this game."""
        self.app.go_home()
        self.app.open("new_game", self._game)
