"""The app itself: settings, themes, the command palette, help, and thinking that keeps nobody."""

from __future__ import annotations

import asyncio
import json
import math
from itertools import pairwise
from pathlib import Path

import pytest
from textual.color import Color
from textual.command import CommandList
from textual.pilot import Pilot
from textual.widgets._footer import FooterKey

from gridwise import Game, bot, game, games
from gridwise.core.position import Position
from gridwise.engine.bots import choose_and_return
from gridwise.engine_pool import EnginePool
from gridwise.errors import BadBoard, GridwiseError
from gridwise.play.library import Library
from gridwise.play.setup import Setup
from gridwise.tui.app import GridwiseApp
from gridwise.tui.app import run as run_app
from gridwise.tui.screens.analysis import AnalysisScreen
from gridwise.tui.screens.board_screen import TypingScreen
from gridwise.tui.screens.lesson import LessonScreen
from gridwise.tui.screens.match import MatchScreen
from gridwise.tui.screens.puzzles import PuzzleScreen
from gridwise.tui.screens.review import ReviewScreen
from gridwise.tui.settings import AppSettings, load_settings, save_settings, settings_path
from gridwise.tui.themes import THEMES
from gridwise.tui.widgets.board_drawing import FLAG, LEFT
from tests.show.contrast import contrast
from tests.tui.pilots import (
    PATIENCE,
    press_until,
    running,
    text_of,
    until,
    until_text,
)
from tests.tui.players import in_game, play

BOT = Setup(game="number-connect", p1="human", p2="bot:casual", seed=1)

# Settings


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"theme": 3, "delay": "fast"}', "[" * 10_000]
)
def test_a_damaged_file_means_the_defaults(text: str) -> None:
    """Nobody is kept from playing by a file."""
    path = settings_path()
    path.parent.mkdir(parents=True)
    path.write_text(text)
    assert load_settings() == AppSettings()


def test_what_can_be_used_of_a_file_is_used() -> None:
    """One wrong field does not spoil the others; a pace is kept within bounds."""
    path = settings_path()
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"theme": "light", "delay": 1e9, "unknown": 1, "animation": "no"}))
    assert load_settings() == AppSettings(theme="light", delay=5.0)


def test_settings_that_cannot_be_saved_are_no_error(home: Path) -> None:
    """A file where the folder should be."""
    home.parent.mkdir(parents=True, exist_ok=True)
    home.write_text("in the way")
    save_settings(AppSettings(theme="light"))
    assert load_settings() == AppSettings()


@in_game(BOT)
async def test_themes_and_pace_are_changed_for_good(pilot: Pilot[int], screen: MatchScreen) -> None:
    """A key goes through the themes, each of which draws the game; the next start has the last one.

    A pace from the command line is for this time; plus and minus are for good.
    """
    app = screen.app
    first = app.theme
    seen = [first]
    for _ in range(len(THEMES) - 1):
        await pilot.press("t")
        seen.append(app.theme)
        assert "Number Connect" in text_of(app)
    assert sorted(seen) == sorted(THEMES)
    assert load_settings().theme == app.theme
    await pilot.press("t")
    assert app.theme == first
    assert app.delay == 0
    assert load_settings().delay == AppSettings().delay
    await pilot.press("minus")
    assert load_settings().delay == app.delay == 0.2


# Themes


@pytest.mark.parametrize("name", [name for name, theme in THEMES.items() if not theme.ansi])
def test_whatever_is_written_can_be_read(name: str) -> None:
    """Text has a contrast of at least 4.5, and of 7 in the theme for it; marks have 3.

    The players have colours of their own.
    """
    theme = THEMES[name]
    colours, least = theme.variables, 7 if theme.name == "high-contrast" else 4.5
    ground = theme.background
    assert ground
    pairs = [(colours[f"{player}-ink"], colours[player]) for player in ("p1", "p2")]
    pairs += [(colours[f"{player}-wash-ink"], colours[f"{player}-wash"]) for player in ("p1", "p2")]
    pairs += [(colours["board-ink"], colours[cell]) for cell in ("board-cell", "board-open")]
    pairs += [(theme.foreground or "", ground), (colours["board-faint"], ground)]
    for ink, paper in pairs:
        assert contrast(ink, paper) >= least, (ink, paper)
    one, two = (Color.parse(colours[player]).rgb for player in ("p1", "p2"))
    assert sum(abs(part - other) for part, other in zip(one, two, strict=True)) > 150
    marks = ["board-cursor", "board-legal", "board-mark", "p1-text", "p2-text"]
    for mark in marks:
        assert contrast(colours[mark], colours["board-cell"]) >= 3, mark


# Help and the command palette


@pytest.mark.parametrize("each", games(), ids=lambda each: each.key)
def test_help_explains_the_signs_that_a_game_has(each: Game) -> None:
    """Flags where there is somewhere to go, and where a token was where there are tokens."""

    async def scene(pilot: Pilot[int], screen: MatchScreen) -> None:
        await press_until(pilot, "HelpScreen", "question_mark")
        page = str(pilot.app.screen.query_one("Static").render())
        position = screen.session.match.position
        flags = position.objective(1).goal >= 0
        assert (f"{FLAG}1 {FLAG}2" in page) == flags
        tokens = any(cell.token for cell in position.view.cells)
        assert (f"{LEFT} where" in page) == tokens
        assert "eavy lines: the last move" in page

    play(Setup(game=each.key, p1="human", p2="human"), scene)


@pytest.mark.parametrize("name", ["analysis", "puzzle", "lesson", "review"])
def test_help_is_wrapped_where_it_ends_and_nowhere_else(name: str) -> None:
    """A sentence goes on in the next line only where the first one is full."""
    screens: dict[str, type[TypingScreen]] = {
        "analysis": AnalysisScreen,
        "puzzle": PuzzleScreen,
        "lesson": LessonScreen,
        "review": ReviewScreen,
    }
    lines: tuple[str, ...] = vars(screens[name])["help_lines"]
    assert all(line.endswith(".") for line in lines), "a line of the source is no line of the page"


@in_game(BOT)
async def test_help_and_the_command_palette_have_everything_that_can_be_done(
    pilot: Pilot[int], screen: MatchScreen
) -> None:
    """Help is a cheat sheet of keys and moves, in the game's own words; any of three keys leaves.

    The palette has each action with a sentence and its key.
    """
    for key, size in (("escape", (80, 24)), ("q", (40, 20)), ("question_mark", (80, 24))):
        await pilot.resize_terminal(*size)
        await press_until(pilot, "HelpScreen", "question_mark")
        assert "Arrows" in text_of(pilot.app)
        page = str(pilot.app.screen.query_one("Static").render())
        assert all(line in page for line in game("number-connect").text.HELP.splitlines())
        assert "Swap sides" in page
        await pilot.press(key)
        await until(pilot, lambda: pilot.app.screen is screen)
    commands = {each.title: each.help for each in pilot.app.get_system_commands(screen)}
    assert commands.keys() >= {
        *("Hint", "Undo", "Review", "Rules", "Resign", "Again", "Swap sides"),
        *("New game", "Home", "Help", "Theme", "Faster", "Slower", "Type", "Quit"),
    }
    assert commands["Hint"].endswith(" (i)")
    assert commands["Resign"] == "Give this game up (g)"
    assert commands.keys() >= {"My games", "Puzzles", "Today's puzzle", "Settings"}
    for each in games():
        places = {f"{what} {each.title}" for what in ("Play", "Rules of", "Puzzles of")}
        assert commands.keys() >= places
    await pilot.press("ctrl+p", *"resign")
    await until_text(pilot, "Give this game up")
    await pilot.press("enter")
    await until_text(pilot, "Resign this game?")
    await press_until(pilot, "PlayScreen", "n")
    for words, name in (
        ("play number maze", "NewGameScreen"),
        ("rules of grid con", "RulesScreen"),
        ("my games", "MyGamesScreen"),
        ("settings", "SettingsScreen"),
        ("puzzles of number run", "PuzzleScreen"),
    ):
        await press_until(pilot, "CommandPalette", "colon")
        await pilot.press(*("space" if char == " " else char for char in words))
        await until(pilot, lambda: pilot.app.screen.query_one(CommandList).option_count == 1, words)
        await press_until(pilot, name, "enter")
        await press_until(pilot, "PlayScreen", "escape")


@pytest.mark.parametrize("width", [40, 80, 100, 120, 200])
def test_the_last_line_has_the_keys_that_there_is_room_for(width: int) -> None:
    """The way out, the help and all commands in every window; the rest as far as it goes."""
    counts = []

    async def scene(pilot: Pilot[int], screen: MatchScreen) -> None:
        for columns in (width, width - 1):
            await pilot.resize_terminal(columns, 30)
            keys = [*screen.query(FooterKey)]
            names = [key.description for key in keys]
            assert {"Home", "Help", "Commands"} <= {*names}
            assert len(names) == len({*names})
            ends = [key.region.right for key in keys]
            assert max(ends) <= columns
            places = sorted((key.region.x, key.region.right) for key in keys)
            assert all(end <= x for (_, end), (x, _) in pairwise(places)), "none over another"
            counts.append(len(keys))

    play(BOT, scene, size=(80, 30))
    assert counts[0] >= {40: 3, 80: 7, 100: 9, 120: 10, 200: 12}[width]


# What cannot be played


def test_a_game_that_cannot_be_set_up_ends_the_app_with_the_reason() -> None:
    """The command line prints it, and the status is 2."""

    async def run() -> None:
        app = GridwiseApp(Setup(game="number-run", board="999"), delay=0)
        async with running(app) as pilot:
            await until(pilot, lambda: app.failure is not None)
        assert isinstance(app.failure, BadBoard)
        assert app.return_value == 2

    asyncio.run(run())


def test_nothing_is_kept_of_a_game_without_a_move() -> None:
    """Looking at a board is not playing."""

    async def scene(pilot: Pilot[int], screen: MatchScreen) -> None:
        await pilot.press("ctrl+q")
        await until(pilot, lambda: not pilot.app.is_running)
        assert pilot.app.return_value == 0
        assert screen.app.farewell == []

    play(BOT, scene)
    with pytest.raises(GridwiseError):
        Library().last()


# Thinking


@pytest.mark.usefixtures("own_engine")
def test_an_engine_thinks_as_it_does_anywhere_else() -> None:
    """In a process of its own, with the same seed, it makes the same moves, move after move.

    An error comes through as it is.
    """
    start, wanted = Position("number-connect", "4152/6371/2845/9162"), []
    position, player = start, bot("number-connect", "casual", 7)
    for _ in range(4):
        wanted.append(player.choose(position))
        position = position.play(wanted[-1])

    async def run() -> None:
        engine = EnginePool(1, math.inf)
        position, player = start, bot("number-connect", "casual", 7)
        for action in wanted:
            found, player = await engine.run(choose_and_return, player, position)
            assert found == action
            position = position.play(action)
        with pytest.raises(BadBoard):
            await engine.run(game("number-run").parse_board, "999")
        engine.close()

    asyncio.run(asyncio.wait_for(run(), 2 * PATIENCE))


@pytest.mark.usefixtures("own_engine")
@in_game(BOT)
async def test_bots_do_not_think_in_the_app(
    pilot: Pilot[int], screen: MatchScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One moves though it cannot think here, so keys are answered meanwhile.

    `bench/terminal.py` measures how soon.
    """
    seat = screen.session.seats[1]
    assert seat
    monkeypatch.setattr(type(seat), "choose", None)
    await pilot.press("enter")
    await until(pilot, lambda: len(screen.session.match.moves) == 2, "it moves")


def test_a_mistake_of_ours_is_told_in_two_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    """No pages of source and variables: what it was, and where the details are."""

    def run_and_fail(app: GridwiseApp) -> int:
        try:
            int("no such thing \x1b[31m")
        except ValueError:
            app._fatal_error()
        return 1

    monkeypatch.setattr(GridwiseApp, "run", run_and_fail)
    assert run_app() == 1
    err = capsys.readouterr().err
    assert "ValueError" in err
    assert "\x1b" not in err
    assert err.count("\n") == 2
    assert "Traceback" in (home / "crash.txt").read_text()


def test_keys_are_not_for_the_home_screen_while_a_game_is_dealt() -> None:
    """Enter, pressed before the game asked for is there, does not start another one."""

    async def run() -> None:
        app = GridwiseApp(Setup(game="number-connect", p1="human", p2="bot:novice"), delay=0)
        async with running(app) as pilot:
            await press_until(pilot, "PlayScreen", "enter", "enter")
            assert app.screen.session.match.game.key == "number-connect"  # type: ignore[attr-defined]

    asyncio.run(run())
