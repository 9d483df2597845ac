"""HomeScreen: the five games, what to go on with, and the way to everything else."""

from __future__ import annotations

from contextlib import suppress
from typing import ClassVar

from textual import getters, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.css.query import NoMatches
from textual.timer import Timer
from textual.widgets import Static

from gridwise.arena.setup import MatchSetup
from gridwise.core.registry import games
from gridwise.engine.puzzles import puzzle_day
from gridwise.errors import GridwiseError
from gridwise.play.kept_game import KeptGame
from gridwise.play.library import Tally
from gridwise.play.progress import PuzzleProgress, load_progress
from gridwise.tui.app import GridwiseApp
from gridwise.tui.background import in_background
from gridwise.tui.labels import opponent_label, player_label
from gridwise.tui.widgets.arrows import ArrowScreen
from gridwise.tui.widgets.footer import KeyFooter
from gridwise.tui.widgets.game_card import GameCard
from gridwise.tui.widgets.menu_item import MenuItem

MOST_RECORDS = 6  # opponents of a game
BEAT = 0.8  # seconds between two moves on the little boards, of which one moves at a time

BRAND = Content.assemble(("G R I D W I S E", "$accent bold"), ("   five games for two", "dim"))

Tallies = dict[tuple[str, str], Tally]


class HomeScreen(ArrowScreen[None]):
    """Where the app begins."""

    app = getters.app(GridwiseApp)

    DEFAULT_CSS = """
    HomeScreen {
        align-horizontal: center;
        #body { width: 100%; max-width: 170; height: 1fr; scrollbar-size-vertical: 1; }
        #brand { height: 1; margin-bottom: 1; padding: 0 1; }
        #cards { layout: grid; grid-size: 5; grid-gutter: 0 1; height: auto; }
        #below { height: auto; margin-top: 1; }
        #menu { width: 1fr; height: auto; }
        #about { width: 1fr; height: auto; padding: 0 2; }
        #title { text-style: bold; }
        #records { margin-top: 1; }
        &.-narrow {
            #cards { layout: vertical; }
            GameCard {
                layout: horizontal;
                height: 1;
                border: none;
                padding: 0 1;
                background: transparent;
                & BoardView { display: none; }
                & .number { display: block; }
                & .title { text-align: left; width: auto; text-style: none; }
                & .tally { text-align: right; }
                &:focus { background: $primary 25%; }
                &:focus:ansi { background: transparent; }
            }
            #below { layout: vertical; margin-top: 0; }
            #menu, #about { width: 100%; }
            #about { margin-top: 1; }
        }
        &.-narrow #brand, &.-short #brand { display: none; }
        &.-narrow #title, &.-narrow #records { display: none; }
        &.-wide #body { padding: 1 2 0 2; }
        &.-wide.-tall {
            #body { align-vertical: middle; }
            #below { margin-top: 2; }
            GameCard BoardView { height: 11; }
        }
    }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (78, "-medium"), (122, "-wide")]  # noqa: RUF012 - as Textual has it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "1", "open(1)", "Play", show=False, key_display="1 to 5", tooltip="One of the games"
        ),
        *(Binding(str(number), f"open({number})", show=False) for number in range(2, 10)),
        Binding("c", "go_on", "Continue", tooltip="Go on with your last game"),
        Binding("d", "daily_puzzle", "Today's puzzle", show=False, tooltip="One for every day"),
        Binding("p", "puzzles", "Puzzles", show=False, tooltip="Find the move that wins"),
        Binding("m", "my_games", "My games", show=False, tooltip="Every game you have played"),
        Binding("w", "watch", "Watch", show=False, tooltip="Two bots play"),
        Binding("r", "rules", "Rules", tooltip="The rules of the games"),
        Binding("s", "settings", "Settings", show=False, tooltip="Theme, pace and more"),
        Binding("q", "leave", "Quit", tooltip="Leave Gridwise"),
    ]

    def __init__(self, seed: int | None = None) -> None:
        super().__init__()
        self._seed = seed  # of the little boards
        self._tallies: Tallies = {}
        self._unfinished: KeptGame | None = None
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
                    yield GameCard(game, number, self._seed)
            with Horizontal(id="below"):
                with Vertical(id="menu"):
                    yield MenuItem("c", "Continue", "go_on")
                    yield MenuItem("d", "Today's puzzle", "daily_puzzle")
                    yield MenuItem("p", "Puzzles", "puzzles")
                    yield MenuItem("m", "My games", "my_games")
                    yield MenuItem("w", "Watch two bots", "watch")
                    yield MenuItem("r", "Rules", "rules")
                    yield MenuItem("s", "Settings", "settings")
                    yield MenuItem("q", "Quit", "leave")
                with Vertical(id="about"):
                    yield Static(id="title", markup=False)
                    yield Static(id="summary", markup=False)
                    yield Static(id="records", markup=False)
        yield KeyFooter(show_command_palette=False)

    # What is known

    def on_mount(self) -> None:
        """Begin the quiet games, and look for an unfinished one."""
        self.query_one("#item-go_on").display = False
        self._beat = self.set_interval(BEAT, self._live, pause=True)

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

    def _offer(self, unfinished: KeptGame | None) -> None:
        """Offer to go on with a game."""
        self._unfinished = unfinished
        item = self.query_one("#item-go_on", MenuItem)
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
        self.query_one("#item-daily_puzzle", MenuItem).detail = ", ".join(details)
        detail = f"{solved:,} solved" if solved else ""
        self.query_one("#item-puzzles", MenuItem).detail = detail

    def _count(self, tallies: Tallies) -> None:
        """Say how many games were won."""
        self._tallies = tallies
        for card in self.query(GameCard):
            won, played = 0, 0
            for (key, _), tally in tallies.items():
                if key == card.game.key:
                    won, played = won + tally.won, played + sum(tally)
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
        most_played = sorted(against, key=lambda each: -sum(each[1]))[:MOST_RECORDS]
        lines = [_record(who, tally) for who, tally in most_played]
        self.query_one("#records", Static).update(Content("\n").join(lines))

    # What can be done

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:  # noqa: ARG002
        """Whether a key does something now."""
        return action != "go_on" or self._unfinished is not None

    def on_game_card_opened(self, event: GameCard.Opened) -> None:
        """Ask how it is to be played."""
        self.app.open("new_game", event.game)

    def action_open(self, number: int) -> None:
        """The game with that number."""
        for card in list(self.query(GameCard))[number - 1 : number]:
            card.focus()
            card.action_open()

    def action_go_on(self) -> None:
        """Go on with the game that was played last."""
        if self._unfinished:
            self.app.play(MatchSetup(resume=self._unfinished.path))

    def action_daily_puzzle(self) -> None:
        """Today's puzzle."""
        self._puzzles(daily=True)

    def action_puzzles(self) -> None:
        """One puzzle after the other."""
        self._puzzles()

    def _puzzles(self, *, daily: bool = False) -> None:
        from gridwise.tui.screens.puzzles import PuzzleScreen  # noqa: PLC0415 - when needed

        self.app.push_screen(PuzzleScreen(daily=daily))

    def action_my_games(self) -> None:
        """The games that were played."""
        self.app.open("my_games")

    def action_watch(self) -> None:
        """Two bots play the game that has the focus."""
        self.app.open("new_game", self._chosen, watch=True)

    def action_rules(self) -> None:
        """The rules of the game that has the focus."""
        self.app.open("rules", self._chosen)

    def action_settings(self) -> None:
        """Themes, pace and the like."""
        self.app.open("settings")

    async def action_leave(self) -> None:
        """Leave the app."""
        await self.app.action_quit()


def _record(who: str, tally: Tally) -> Content:
    """How often a person won against an opponent."""
    lost = f", lost {tally.lost}" if tally.lost else ""
    drawn = f", drawn {tally.draw}" if tally.draw else ""
    label = f"{player_label(who):<12} "
    return Content.assemble((label, "dim"), f"won {tally.won}{lost}{drawn}")
