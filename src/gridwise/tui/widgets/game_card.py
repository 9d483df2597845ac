"""GameCard: a game on the home screen, with a little board on which a quiet game goes on."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Static

from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.core.rng import random_stream
from gridwise.play.match import Match
from gridwise.tui.widgets.board import BoardView

REST = 4  # moves that a finished game stays on its little board


class DemoGame:
    """A game that plays itself for ever, from the game's example position on.

    A move is what looks best at first sight, give or take: that costs under a millisecond, and
    looks livelier than random moves.
    """

    def __init__(self, game: Game, seed: int | str | None = None) -> None:
        self._rng = random_stream(seed)
        self._match = Match(game, game.example_deal or game.example_board, first=1, seed=seed)
        for move in game.example_moves.split():
            self._match.move(move)
        self._rest = REST

    @property
    def position(self) -> Position:
        """Where it stands."""
        return self._match.position

    def step(self) -> None:
        """Make a move; after the end, rest a while and begin on a new board."""
        position = self.position
        if not position.outcome:
            self._match.move(max(position.legal, key=self._liking))
        elif self._rest:
            self._rest -= 1
        else:
            self._match = Match(position.game, seed=self._rng.bits())
            self._rest = REST

    def _liking(self, action: int) -> float:
        return self.position.heuristic_score(action) + self._rng.random()


class GameCard(Vertical, can_focus=True):
    """A game to choose: its name, its little board, and how many games of it were won."""

    DEFAULT_CSS = """
    GameCard {
        width: 1fr;
        height: auto;
        background: $surface;
        border-top: heavy $surface-lighten-2;
        border-title-color: $text-muted;
        & .number { display: none; width: 5; padding-left: 2; color: $accent; text-style: bold; }
        & .title { text-align: center; width: 1fr; text-style: bold; }
        & .tally { text-align: center; width: 1fr; color: $text-muted; }
        & BoardView { height: 5; margin: 1 0; }
        &:hover { border-top: heavy $primary; }
        &:focus {
            border-top: heavy $accent;
            border-title-color: $accent;
            background: $panel;
            & .title { text-style: bold reverse; }
        }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "open", "Play"),
    ]

    class Opened(Message):
        """The game was chosen."""

        def __init__(self, game: Game) -> None:
            super().__init__()
            self.game = game

    def __init__(self, game: Game, number: int, seed: int | None = None) -> None:
        super().__init__(id=f"card-{game.key}")
        self.game = game
        self.border_title = str(number)
        self._demo = DemoGame(game, seed)

    def compose(self) -> ComposeResult:
        """Name, board, tally."""
        yield Static(str(self.border_title), classes="number")
        yield Static(self.game.title, classes="title", markup=False)
        yield BoardView(small=True)
        yield Static("", classes="tally", markup=False)

    def on_mount(self) -> None:
        """Put the tokens on the board."""
        self._show()

    def live(self) -> None:
        """Let the quiet game go on by one move."""
        self._demo.step()
        self._show()

    def _show(self) -> None:
        self.query_one(BoardView).view = self._demo.position.view

    def show_record(self, tally: str) -> None:
        """Say how many games were won."""
        self.query_one(".tally", Static).update(tally)

    def action_open(self) -> None:
        """Choose this game."""
        self.post_message(self.Opened(self.game))

    def on_click(self) -> None:
        """Choose this game."""
        self.action_open()
