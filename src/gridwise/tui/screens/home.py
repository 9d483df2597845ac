"""HomeScreen: the five games, what to go on with, and the way to everything else.

Each game has a card with a little board on which a quiet game goes on.
"""

from __future__ import annotations

from contextlib import suppress
from typing import ClassVar

from textual import events, getters, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.css.query import NoMatches
from textual.reactive import reactive
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.core.registry import games
from gridwise.core.rng import random_stream
from gridwise.engine.puzzles import puzzle_day
from gridwise.errors import GridwiseError
from gridwise.play.labels import opponent_label, player_label
from gridwise.play.ladder import Standing, ladder
from gridwise.play.library import SavedGame
from gridwise.play.match import Match
from gridwise.play.puzzle_progress import PuzzleProgress, load_progress
from gridwise.play.setup import Setup
from gridwise.tui.app import GridwiseApp
from gridwise.tui.background import in_background
from gridwise.tui.widgets.board import BoardView
from gridwise.tui.widgets.footer import KeyFooter
from gridwise.tui.widgets.forms import ArrowScreen

REST_MOVES = 4  # moves that a finished game stays on its little board


class DemoGame:
    """A game that plays itself for ever, from the game's example position on.

    A move is what looks best at first sight, give or take: that costs under a millisecond, and
    looks livelier than random moves.
    """

    def __init__(self, game: Game, seed: int | str | None = None) -> None:
        self._rng = random_stream(seed)
        board, moves = game.example_deal or game.example_board, game.example_moves.split()
        self._match = Match(game, board, first=1, seed=seed, moves=moves)
        self._rest = REST_MOVES

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
            self._rest = REST_MOVES

    def _liking(self, action: int) -> float:
        return self.position.heuristic_score(action) + self._rng.random()


class Way(Widget, can_focus=True):
    """Something to choose, with Enter or a click: it does an action of the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "press", "Choose", show=False)]
    action: str

    async def action_press(self) -> None:
        """Do it."""
        await self.screen.run_action(self.action)

    async def on_click(self, event: events.Click) -> None:
        """Do it."""
        event.stop()
        await self.action_press()


class GameCard(Way):
    """A game to choose: its name, its little board, and how many games of it were won."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "press", "Play")]

    def __init__(self, game: Game, number: int) -> None:
        super().__init__(id=f"card-{game.key}")
        self.game, self.action = game, f"open({number})"
        self.border_title = str(number)
        self._demo = DemoGame(game)

    def compose(self) -> ComposeResult:
        """Name, board, tally."""
        yield Static(str(self.border_title), classes="number")
        yield Static(self.game.title, classes="title", markup=False)
        yield BoardView(self._demo.position.view, small=True)
        yield Static("", classes="tally", markup=False)

    def live(self) -> None:
        """Let the quiet game go on by one move."""
        self._demo.step()
        self.query_one(BoardView).view = self._demo.position.view

    def show_record(self, tally: str) -> None:
        """Say how many games were won."""
        self.query_one(".tally", Static).update(tally)


class MenuItem(Way):
    """One thing that can be done."""

    detail: reactive[str] = reactive("")

    def __init__(self, key: str, title: str, action: str) -> None:
        super().__init__(id=f"item-{key}")
        self._key, self._title, self.action = key, title, action

    def render(self) -> Content:
        """The key, what it does, and more on it."""
        mark = "▌" if self.has_focus else " "
        parts = [(f"{mark} ", ""), (self._key, "$accent bold"), (f"  {self._title}", "")]
        if self.detail:
            parts.append((f"  {self.detail}", "dim not bold"))
        return Content.assemble(*parts)


MAX_OPPONENTS = 6  # opponents of a game
BEAT_SECONDS = 0.8  # seconds between two moves on the little boards, of which one moves at a time

BRAND = Content.assemble(("G R I D W I S E", "$accent bold"), ("   five games for two", "dim"))

# By its key: what it is called, the action of the screen or the app, and a word on it.
MENU = {
    "c": ("Continue", "go_on", "Go on with your last game"),
    "l": ("Learn", "learn", "A guided first game of the game that has the focus"),
    "y": ("Today's puzzle", "daily_puzzle", "One for every day"),
    "p": ("Puzzles", "app.open('puzzle')", "Find the move that wins"),
    "m": ("My games", "app.open('my_games')", "Every game you have played"),
    "a": ("Analysis board", "analyse", "Any position of the game that has the focus"),
    "w": ("Watch two bots", "watch", "They play the game that has the focus"),
    "h": ("Rules", "rules", "The rules of the games"),
    "s": ("Settings", "app.open('settings')", "Theme, pace and more"),
    "q": ("Quit", "app.quit", "Leave Gridwise"),
}
IN_FOOTER = "chq"

Tallies = dict[tuple[str, str], Standing]


class HomeScreen(ArrowScreen[None]):
    """Where the app begins."""

    app = getters.app(GridwiseApp)

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (78, "-medium"), (122, "-wide")]  # noqa: RUF012 - as Textual has it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "1", "open(1)", "Play", show=False, key_display="1 to 5", tooltip="One of the games"
        ),
        *(Binding(str(number), f"open({number})", show=False) for number in range(2, 10)),
        *(
            Binding(key, action, title, show=key in IN_FOOTER, tooltip=about)
            for key, (title, action, about) in MENU.items()
        ),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._tallies: Tallies = {}
        self._unfinished: SavedGame | None = None
        self._beat: Timer | None = None
        self._next_card = 0
        self._first_look = True
        self._chosen = games()[0]

    def compose(self) -> ComposeResult:
        """Five cards, a menu, and a word on what has the focus."""
        with VerticalScroll(id="body", can_focus=False):
            yield Static(BRAND, id="brand")
            with Horizontal(id="cards"):
                for number, game in enumerate(games(), 1):
                    yield GameCard(game, number)
            with Horizontal(id="below"):
                with Vertical(id="menu"):
                    for key, (title, action, _) in MENU.items():
                        yield MenuItem(key, title, action)
                with Vertical(id="about"):
                    yield Static(id="title", markup=False)
                    yield Static(id="summary", markup=False)
                    yield Static(id="records", markup=False)
        yield KeyFooter()

    # What is known

    def on_mount(self) -> None:
        """Begin the quiet games, and look for an unfinished one."""
        self.query_one("#item-c").display = False
        self._beat = self.set_interval(BEAT_SECONDS, self._live, pause=True)

    def on_screen_resume(self) -> None:
        """Look again: a game may have been played since."""
        self._look()
        if self._beat and self.app.settings.animation:
            self._beat.resume()

    def on_screen_suspend(self) -> None:
        """Nothing moves on a screen that nobody sees."""
        if self._beat:
            self._beat.pause()

    def _live(self) -> None:
        """Let one of the quiet games go on, unless the person is in another window."""
        if self.app.app_focus:
            cards = list(self.query(GameCard))
            cards[self._next_card % len(cards)].live()
            self._next_card += 1

    @work(exclusive=True)
    async def _look(self) -> None:
        """What is in the library; with thousands of games that takes a moment."""
        library = self.app.library
        with suppress(NoMatches):  # when the app ends, its parts are removed one by one
            self._offer(await in_background(library.last_unfinished))
            self._show_puzzles(await in_background(load_progress))
            with suppress(GridwiseError):  # a folder that cannot be read: `My games` says so
                self._count(await in_background(library.tally))

    def _offer(self, unfinished: SavedGame | None) -> None:
        """Offer to go on with a game."""
        self._unfinished = unfinished
        item = self.query_one("#item-c", MenuItem)
        item.display = unfinished is not None
        if unfinished:
            which = f", game {unfinished.next_round} of the series" * bool(unfinished.next_round)
            item.detail = f"{unfinished.title}, {opponent_label(unfinished)}{which}"
            at_the_start = self.focused in (None, self.query(GameCard).first())
            if self._first_look and at_the_start:
                item.focus()
        self._first_look = False
        self.refresh_bindings()

    def _show_puzzles(self, progress: PuzzleProgress) -> None:
        """Say whether today's puzzle is still open, and how long that went well."""
        today = puzzle_day()
        streak, solved = progress.streak(today), progress.count()
        details = ["solved"] if today in progress.days else []
        if streak > 1:
            details.append(f"streak {streak}")
        self.query_one("#item-y", MenuItem).detail = ", ".join(details)
        detail = f"{solved:,} solved" if solved else ""
        self.query_one("#item-p", MenuItem).detail = detail

    def _count(self, tallies: Tallies) -> None:
        """Say how many games were won."""
        self._tallies = tallies
        for card in self.query(GameCard):
            won, played = 0, 0
            for (key, _), tally in tallies.items():
                if key == card.game.key:
                    won, played = won + tally.won, played + tally.played
            card.show_record(f"won {won} of {played}" if played else "")
        self._show_summary()

    def on_descendant_focus(self) -> None:
        """Say a word on the game that has the focus, or had it last."""
        if isinstance(self.focused, GameCard):
            self._chosen = self.focused.game
            self._show_summary()

    def _show_summary(self) -> None:
        game = self._chosen
        self.query_one("#title", Static).update(game.title)
        self.query_one("#summary", Static).update(game.text.SUMMARY)
        against = [(who, tally) for (key, who), tally in self._tallies.items() if key == game.key]
        most_played = sorted(against, key=lambda opponent: -opponent[1].played)[:MAX_OPPONENTS]
        levels = {
            (key, who.removeprefix("bot:")): each for (key, who), each in self._tallies.items()
        }
        lines = [Content(f"{ladder(levels, game.key).line}.")]
        lines += [_record(who, tally) for who, tally in most_played]
        self.query_one("#records", Static).update(Content("\n").join(lines))

    # What can be done

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:  # noqa: ARG002
        """Whether a key does something now."""
        can = {"go_on": self._unfinished is not None, "learn": self._chosen.lesson is not None}
        return can.get(action, True)

    def action_open(self, number: int) -> None:
        """Ask how the game with that number is to be played."""
        for card in list(self.query(GameCard))[number - 1 : number]:
            card.focus()
            self.app.open("new_game", card.game)

    def action_go_on(self) -> None:
        """Go on with the game that was played last."""
        if self._unfinished:
            self.app.play(Setup(resume=self._unfinished.path))

    def action_daily_puzzle(self) -> None:
        """Today's puzzle."""
        self.app.open("puzzle", daily=True)

    def action_watch(self) -> None:
        """Two bots play the game that has the focus."""
        self.app.open("new_game", self._chosen, watch=True)

    def action_analyse(self) -> None:
        """A free board of the game that has the focus."""
        self.app.open_analysis(self._chosen)

    def action_learn(self) -> None:
        """A guided first game of the game that has the focus."""
        self.app.open("lesson", self._chosen)

    def action_rules(self) -> None:
        """The rules of the game that has the focus."""
        self.app.open("rules", self._chosen)


def _record(who: str, tally: Standing) -> Content:
    """How often a person won against an opponent."""
    lost = f", lost {tally.lost}" if tally.lost else ""
    drawn = f", drawn {tally.draw}" if tally.draw else ""
    label = f"{player_label(who):<12} "
    mark = ("  ★ beaten", "$accent") if tally.beaten else ""
    return Content.assemble((label, "dim"), f"won {tally.won}{lost}{drawn}", mark)
