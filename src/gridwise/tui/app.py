"""GridwiseApp: the full-screen app. `run` starts it and says how it ended.

The app knows its settings, its themes and the way out; what can be done on a screen is the screen's
own affair. A binding that has a tooltip is in the command palette.
"""

from __future__ import annotations

import asyncio
import math
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from textual import events, work
from textual._context import active_message_pump
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.command import CommandPalette
from textual.css.query import NoMatches
from textual.driver import Driver
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input
from textual.worker import WorkerFailed, get_current_worker

from gridwise.core.game import Game
from gridwise.core.registry import games
from gridwise.engine_pool import EnginePool
from gridwise.errors import GridwiseError, printable
from gridwise.folders import data_folder
from gridwise.play.library import Library
from gridwise.play.records import write_file
from gridwise.play.session import PlaySession
from gridwise.play.setup import Setup
from gridwise.players.new_match import set_up
from gridwise.tui.background import in_background
from gridwise.tui.settings import AppSettings, load_settings, save_settings
from gridwise.tui.themes import ABOUT, THEMES
from gridwise.tui.widgets.dialogs import HelpScreen, WaitScreen

INTERRUPTED = 130
# Leaving takes 0.4 s, longer on a busy machine; a terminal that has stopped reading takes for ever.
_SECONDS_TO_LEAVE = 2.0
_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")  # Ctrl-C from elsewhere, a shutdown, a closed terminal


# Where one can go from anywhere: what it is called, a word on it, the screen and what it takes.
_PLACES = (
    ("My games", "Every game you have played", "my_games"),
    ("Puzzles", "Find the move that wins", "puzzle"),
    ("Today's puzzle", "One for every day", "puzzle", None, True),
    ("Settings", "Theme, pace and more", "settings"),
)
_ANY = "Any position of it, on a free board"
_GAME_PLACES = (
    ("Play {}", "Choose opponent and board", "new_game"),
    ("Rules of {}", "How to play it", "rules"),
    ("Puzzles of {}", "Find the move that wins", "puzzle"),
    ("Learn {}", "A guided first game", "lesson"),
)


class GridwiseApp(App[int]):
    """The five games in the terminal.

    With a `setup` it opens that game, otherwise the home screen. `delay` is the pace of moves for
    this time, where it is not the one of the settings.
    """

    TITLE = "Gridwise"
    CSS_PATH = Path(__file__).with_name("app.tcss")
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - Textual's
        (0, "-narrow"),
        (70, "-medium"),
        (120, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [  # noqa: RUF012 - Textual's
        (0, "-short"),
        (22, "-normal"),
        (40, "-tall"),
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "Help", key_display="?", tooltip="Keys, and how to play"),
        Binding("t", "next_theme", "Theme", show=False, tooltip="Change the colours"),
        Binding("colon", "command_palette", "Commands", show=False, tooltip="All of them, by name"),
        Binding("ctrl+p", "command_palette", "Commands", show=False, priority=True),
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True, tooltip="Leave Gridwise"),
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    def __init__(
        self,
        setup: Setup | None = None,
        *,
        delay: float | None = None,
        screen: tuple[Any, ...] = (),
        settings: AppSettings | None = None,
    ) -> None:
        no_color = bool(os.environ.get("NO_COLOR"))
        # Textual decides here, once, whether to leave colours out or to turn them into greys.
        super().__init__(ansi_color=True if no_color else None)
        self.setup, self._first_screen = setup, screen
        self.settings = settings or load_settings()
        self.library = Library()
        # A key has to be answered within 50 ms. With a process of its own for what thinks, the loop
        # was 45 ms late at most, on two cores with twice as much to do (`bench/terminal.py`).
        self.engine = EnginePool(1, math.inf)
        self.farewell: list[str] = []  # said once the terminal is itself again
        self.failure: GridwiseError | None = None  # why the game asked for cannot be played
        self.crash = ""  # the traceback of a mistake of ours
        self.shows_values = False  # whether boards show what moves are worth, where they may
        self._delay = delay
        self._typed_ahead = ""  # for the line of the commands, before it was there
        self._handlers: dict[int, Any] = {}  # of signals, as they were before
        for theme in THEMES.values():
            self.register_theme(theme)
        few = no_color or self.console.color_system in {None, "standard"}
        chosen = self.settings.theme
        self.theme = "terminal" if few else chosen if chosen in self.available_themes else "dark"

    @property
    def delay(self) -> float:
        """Seconds that a move is shown before the next one."""
        return self.settings.delay if self._delay is None else self._delay

    def set_delay(self, seconds: float) -> None:
        """Use another pace from now on, and save it."""
        self._delay = None
        self.change_settings(self.settings.with_delay(seconds))

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The colours of the board for themes that are not ours."""
        return THEMES["dark"].variables

    def on_mount(self) -> None:
        """Listen to signals, and open the first screen."""
        loop = asyncio.get_running_loop()

        def interrupt(*_: object) -> None:
            loop.call_soon_threadsafe(self.action_interrupt)
            threading.Thread(target=self._leave_anyway, daemon=True).start()

        # Not the loop's own handlers: they say nothing while the loop waits for the terminal.
        for name in _SIGNALS:
            with suppress(AttributeError, ValueError):
                number = getattr(signal, name)
                self._handlers[number] = signal.signal(number, interrupt)
        # After Ctrl-Z and `fg` the terminal shows something else; Textual draws what has changed.
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))
        self.open_first_screen()

    def _leave_anyway(self) -> None:
        """End the process after a signal if it could not be left in good order."""
        time.sleep(_SECONDS_TO_LEAVE)
        for screen in self.screen_stack:
            getattr(screen, "end_programs", bool)()
        self.engine.close()
        os._exit(INTERRUPTED)

    def get_driver_class(self) -> type[Driver]:
        """Textual's driver for this system; ours where that is the one for Unix."""
        driver = super().get_driver_class()
        if driver.__module__ != "textual.drivers.linux_driver":
            return driver
        from gridwise.tui.terminal import TerminalDriver  # noqa: PLC0415 - there is none on Windows

        return TerminalDriver

    def on_unmount(self) -> None:
        """End the engine, and leave signals to whoever had them before."""
        self.engine.close()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def _handle_exception(self, error: Exception) -> None:
        # A screen that is not yet whole when the app is left finds its parts gone; so does what is
        # still going on in a screen that is left: its parts go before its timers and its workers.
        if not (self._exit or self._is_of_the_past(error)):
            super()._handle_exception(error)

    def _is_of_the_past(self, error: Exception) -> bool:
        """Whether a part was missed, for a screen that is left or an app that ends."""
        in_worker = isinstance(error, WorkerFailed)
        cause = error.error if isinstance(error, WorkerFailed) else error
        at_work = get_current_worker().node if in_worker else active_message_pump.get()
        screen = at_work.screen if isinstance(at_work, Widget) else None
        if not isinstance(cause, NoMatches) or screen is None:
            return False
        return not self.is_running or screen not in self.screen_stack

    async def _replace_screen(self, screen: Screen[Any]) -> Screen[Any]:
        # One that is left at once is made all the same, so that it can be taken down as a whole.
        await screen._mounted_event.wait()  # noqa: SLF001 - Textual's
        return await super()._replace_screen(screen)

    def _fatal_error(self) -> None:
        # In place of Textual's pages of source and local variables. `run` tells it in two lines.
        self.crash = traceback.format_exc()
        self._note_way_back()
        self._close_messages_no_wait()

    def open_first_screen(self) -> None:
        """The home screen, and over it the game or the screen that was asked for."""
        self.open("home")
        if self.setup is not None:
            self.push_screen(WaitScreen("Dealing a board…"))  # keys are not for the home screen
            self.play(self.setup)
        elif self._first_screen:
            self.open(*self._first_screen)

    def open(self, name: str, *arguments: object, **options: object) -> None:
        """Show a screen by its name: `open("rules", game)`.

        By name, because screens know the app, and come only when they are used.
        """
        self.push_screen(_screen_class(name)(*arguments, **options))

    def open_analysis(self, game: Game) -> None:
        """A free board of a game."""
        from gridwise.play.analysis_board import AnalysisBoard  # noqa: PLC0415 - the engine: 60 ms

        self.open("analysis", AnalysisBoard(game))

    def go_home(self) -> None:
        """Leave every screen but the home screen, which is above Textual's own."""
        while len(self.screen_stack) > 2:
            self.pop_screen()

    @work(exclusive=True, group="set up")
    async def play(self, setup: Setup) -> None:
        """Set a game up and open it; dealing a board worth playing can take a second."""
        try:
            session = await in_background(set_up, setup)
        except GridwiseError as error:
            if setup is self.setup:  # it came from the command line, which tells what was wrong
                self.failure = error
                self.exit(2)
            else:
                self.notify(str(error), severity="error")
            return
        if isinstance(self.screen, WaitScreen):
            self.pop_screen()
        if session.notice:
            self.notify(session.notice, severity="warning", timeout=15)
        self.open_match(session, setup)

    def open_match(self, session: PlaySession, setup: Setup) -> None:
        """Show a match, to a person who plays in it or who watches two programs."""
        self.open("play" if None in session.seats else "watch", session, setup)

    def change_settings(self, settings: AppSettings) -> None:
        """Use other settings from now on, and save them."""
        # A terminal with few colours has a theme of its own until another one is asked for.
        if settings.theme != self.settings.theme and settings.theme in self.available_themes:
            self.theme = settings.theme
        self.settings = settings
        save_settings(settings)

    def notify(self, message: str, **options: Any) -> None:  # noqa: ANN401 - Textual's
        """Show a notification: plain text, in which nothing from a file can do harm."""
        super().notify(printable(message), **{**options, "markup": False})

    # Actions

    def action_open(self, name: str, *arguments: object, **options: object) -> None:
        """Show a screen, by a key or a menu."""
        self.open(name, *arguments, **options)

    def action_help(self) -> None:
        """Show the keys, and how moves are written."""
        self.push_screen(HelpScreen(self.screen))

    def on_key(self, event: events.Key) -> None:
        """What is typed behind `:` while the commands are still opening goes into their line."""
        if isinstance(self.screen, CommandPalette) and event.is_printable:
            event.stop()
            self._typed_ahead += event.character or ""
            self._pass_on()

    def _pass_on(self) -> None:
        palette = self.screen
        if not isinstance(palette, CommandPalette):
            self._typed_ahead = ""
        elif not (palette.is_running and palette.query(Input)):
            self.call_later(self._pass_on)
        elif typed := self._typed_ahead:
            line, self._typed_ahead = palette.query_one(Input), ""
            line.insert_text_at_cursor(typed)

    def action_next_theme(self) -> None:
        """Go to the next theme."""
        names = list(THEMES)
        place = names.index(self.theme) + 1 if self.theme in names else 0
        name = names[place % len(names)]
        self.change_settings(replace(self.settings, theme=name))
        self.theme = name
        self.notify(ABOUT[name], title="Theme", timeout=2)

    def action_interrupt(self) -> None:
        """Leave at once, as after Ctrl-C, and say how to come back."""
        self._note_way_back()
        self.exit(INTERRUPTED)

    async def action_quit(self) -> None:
        """Leave on purpose."""
        self._note_way_back()
        self.exit(0)

    def _note_way_back(self) -> None:
        self.farewell = []
        for screen in self.screen_stack:
            self.farewell += getattr(screen, "way_back", list)()

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Every binding of the screen and the app that has a tooltip; then games and screens."""
        listed: set[str] = set()
        named: set[str] = set()
        for node, binding, enabled, tooltip in screen.active_bindings.values():
            action = binding.action.removeprefix("app.")
            if not (tooltip and enabled) or action in (*listed, "command_palette"):
                continue
            listed.add(action)
            key = self.get_key_display(binding)
            run = partial(self.run_action, binding.action, node)
            named.add(binding.description)
            yield SystemCommand(binding.description, f"{tooltip} ({key})", run)
        for title, about, name, *arguments in _PLACES:
            if title not in named:
                yield SystemCommand(title, about, partial(self.open, name, *arguments))
        for game in games():
            yield SystemCommand(f"Analyse {game.title}", _ANY, partial(self.open_analysis, game))
            for title, about, name in _GAME_PLACES[: 4 if game.lesson else 3]:
                yield SystemCommand(title.format(game.title), about, partial(self.open, name, game))


def _screen_class(name: str) -> Callable[..., Screen[None]]:
    """A screen by its name. What the home screen can do without is imported when it is shown."""
    if name == "rules":
        from gridwise.tui.screens.rules import RulesScreen  # noqa: PLC0415 - Markdown: 180 ms

        return RulesScreen
    if name == "my_games":
        from gridwise.tui.screens.my_games import MyGamesScreen  # noqa: PLC0415 - tables: 50 ms

        return MyGamesScreen
    if name in ("review", "analysis"):
        from gridwise.tui.screens.analysis import AnalysisScreen  # noqa: PLC0415 - the engine: 60 ms
        from gridwise.tui.screens.review import ReviewScreen  # noqa: PLC0415 - too

        return {"review": ReviewScreen, "analysis": AnalysisScreen}[name]
    if name in ("puzzle", "lesson"):
        from gridwise.tui.screens.lesson import LessonScreen  # noqa: PLC0415 - with puzzles 20 ms
        from gridwise.tui.screens.puzzles import PuzzleScreen  # noqa: PLC0415

        return {"puzzle": PuzzleScreen, "lesson": LessonScreen}[name]
    if name in ("play", "watch", "replay"):
        from gridwise.tui.screens.play import PlayScreen  # noqa: PLC0415 - players: 80 ms
        from gridwise.tui.screens.watch import ReplayScreen, WatchScreen  # noqa: PLC0415 - too

        return {"play": PlayScreen, "watch": WatchScreen, "replay": ReplayScreen}[name]
    from gridwise.tui.screens.home import HomeScreen  # noqa: PLC0415 - they import the app
    from gridwise.tui.screens.new_game import NewGameScreen  # noqa: PLC0415
    from gridwise.tui.screens.settings import SettingsScreen  # noqa: PLC0415

    return {"home": HomeScreen, "new_game": NewGameScreen, "settings": SettingsScreen}[name]


def run(
    setup: Setup | None = None, *, delay: float | None = None, screen: tuple[Any, ...] = ()
) -> int:
    """Run the app until it is left; the exit status. `screen` is the first one, as in `open`."""
    app = GridwiseApp(setup, delay=delay, screen=screen)
    status = app.run()
    if app.failure:
        raise app.failure
    if app.crash:
        print(_report(app.crash), file=sys.stderr)
    for line in app.farewell:
        print(line)
    return status or app.return_code or 0


def _report(crash: str) -> str:
    """What to say about a mistake of ours; the traceback goes into a file."""
    what = printable(crash.strip().splitlines()[-1], 200)
    said = f"gridwise: The app has ended because of a mistake in it: {what}"
    try:
        file = data_folder() / "crash.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        write_file(file, crash.encode())
    except (OSError, GridwiseError):
        return said
    return f"{said}\nThe details are in {file}; please report it with them."
