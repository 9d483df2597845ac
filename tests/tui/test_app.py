"""The app itself: settings, themes, the command palette, help, and thinking that keeps nobody."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import time
from pathlib import Path

import pytest
from textual.color import Color
from textual.pilot import Pilot

from gridwise import bot, game
from gridwise.arena.setup import MatchSetup
from gridwise.core.position import Position
from gridwise.engine.evaluate import evaluate
from gridwise.errors import BadBoard, EngineFailed
from gridwise.tui.app import GridwiseApp
from gridwise.tui.app import run as run_app
from gridwise.tui.engine_worker import EngineWorker, ask
from gridwise.tui.screens.help import HelpScreen
from gridwise.tui.settings import Settings, load_settings, save_settings, settings_path
from gridwise.tui.themes import THEMES
from tests.tui.pilots import PATIENCE, drive, text_of, until
from tests.tui.players import playing, settled, status_of

BOT = MatchSetup(game="number-connect", p1="human", p2="bot:casual", seed=1)

# Settings


def test_settings_are_found_again() -> None:
    """What was saved is loaded."""
    save_settings(Settings(theme="light", delay=1.5))
    assert load_settings() == Settings(theme="light", delay=1.5)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"theme": 3, "delay": "fast"}', "[" * 10_000]
)
def test_a_damaged_file_means_the_defaults(text: str) -> None:
    """Nobody is kept from playing by a file."""
    path = settings_path()
    path.parent.mkdir(parents=True)
    path.write_text(text)
    assert load_settings() == Settings()


def test_what_can_be_used_of_a_file_is_used() -> None:
    """One wrong field does not spoil the others; a pace is kept within bounds."""
    path = settings_path()
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"theme": "light", "delay": 1e9, "unknown": 1, "animation": "no"}))
    assert load_settings() == Settings(theme="light", delay=5.0)


def test_settings_that_cannot_be_saved_are_no_error(home: Path) -> None:
    """A file where the folder should be."""
    home.parent.mkdir(parents=True, exist_ok=True)
    home.write_text("in the way")
    save_settings(Settings(theme="light"))
    assert load_settings() == Settings()


def test_a_pace_for_this_time_is_not_saved() -> None:
    """`--delay` is for one run; plus and minus are for good."""

    async def scene(app: GridwiseApp, pilot: Pilot[int]) -> None:
        assert app.delay == 0
        assert load_settings().delay == Settings().delay
        app.set_delay(1.0)
        assert load_settings().delay == app.delay == 1.0

    drive(scene)


# Themes


def test_a_key_goes_through_the_themes_and_the_choice_lasts() -> None:
    """Each of them draws the game; the next start has the last one."""

    async def play() -> None:
        async with playing(BOT) as (pilot, _):
            app = pilot.app
            first = app.theme
            seen = [first]
            for _ in range(len(THEMES) - 1):
                await pilot.press("t")
                await pilot.pause()
                seen.append(app.theme)
                assert "Number Connect" in text_of(app)
            assert sorted(seen) == sorted(THEMES)
            assert load_settings().theme == app.theme
            await pilot.press("t")
            assert app.theme == first

    asyncio.run(play())


def test_another_pace_leaves_the_colours_of_a_simple_terminal_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where there is no colour, the theme is the terminal's until another one is chosen."""
    monkeypatch.setenv("NO_COLOR", "1")

    async def scene(app: GridwiseApp, _: Pilot[int]) -> None:
        assert app.theme == "terminal"
        app.set_delay(1.0)
        assert app.theme == "terminal"
        assert load_settings().theme == Settings().theme

    drive(scene)


def _contrast(one: str, two: str) -> float:
    """The contrast of two colours, 1 to 21, as the W3C counts it."""

    def luminance(text: str) -> float:
        parts = [part / 255 for part in Color.parse(text).rgb]
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, light = sorted((luminance(one), luminance(two)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", [name for name, theme in THEMES.items() if not theme.ansi])
def test_whatever_is_written_can_be_read(name: str) -> None:
    """Text has a contrast of at least 4.5, and of 7 in the theme for it; marks have 3."""
    theme = THEMES[name]
    colours, least = theme.variables, 7 if theme.name == "high-contrast" else 4.5
    ground = theme.background
    assert ground
    pairs = [(colours[f"{player}-ink"], colours[player]) for player in ("p1", "p2")]
    pairs += [(colours[f"{player}-wash-ink"], colours[f"{player}-wash"]) for player in ("p1", "p2")]
    pairs += [(colours["board-ink"], colours[cell]) for cell in ("board-cell", "board-open")]
    pairs += [(theme.foreground or "", ground), (colours["board-faint"], ground)]
    for ink, paper in pairs:
        assert _contrast(ink, paper) >= least, (ink, paper)
    marks = ["board-cursor", "board-legal", "board-mark", "p1-text", "p2-text"]
    for mark in marks:
        assert _contrast(colours[mark], colours["board-cell"]) >= 3, mark


# Help and the command palette


def test_the_command_palette_has_everything_that_can_be_done() -> None:
    """Each with a sentence and its key."""

    async def play() -> None:
        async with playing(BOT) as (pilot, screen):
            commands = {each.title: each.help for each in pilot.app.get_system_commands(screen)}
            assert commands.keys() >= {
                *("Hint", "Undo", "Review", "Rules", "Resign", "Start again", "Swap sides"),
                *("New game", "Home", "Help", "Theme", "Faster", "Slower", "Type", "Quit"),
            }
            assert commands["Hint"] == "Suggest a move (i)"
            await pilot.press("ctrl+p", *"resign")
            await pilot.pause(0.5)
            await pilot.press("enter")
            await until(pilot, lambda: "Resign this game?" in text_of(pilot.app), "the question")

    asyncio.run(play())


@pytest.mark.parametrize("size", [(80, 24), (40, 20)], ids=str)
def test_help_is_a_cheat_sheet_of_keys_and_moves(size: tuple[int, int]) -> None:
    """It has the game's own words on moves, all keys, and goes away with any of three."""

    async def play() -> None:
        async with playing(BOT, size) as (pilot, screen):
            for key in ("escape", "q", "question_mark"):
                await pilot.press("question_mark")
                await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
                await pilot.pause()
                assert "hjkl" in text_of(pilot.app)
                page = str(pilot.app.screen.query_one("Static").render())
                assert all(line in page for line in game("number-connect").text.HELP.splitlines())
                assert "Swap sides" in page
                await pilot.press(key)
                await until(pilot, lambda: pilot.app.screen is screen)

    asyncio.run(play())


# What cannot be played


def test_a_game_that_cannot_be_set_up_ends_the_app_with_the_reason() -> None:
    """The command line prints it, and the status is 2."""

    async def run() -> None:
        app = GridwiseApp(MatchSetup(game="number-run", board="999"), delay=0)
        async with app.run_test() as pilot:
            await until(pilot, lambda: app.failure is not None)
        assert isinstance(app.failure, BadBoard)
        assert app.return_value == 2

    asyncio.run(run())


# Thinking


@pytest.mark.usefixtures("own_engine")
def test_a_bot_thinks_as_it_does_anywhere_else() -> None:
    """The same seed makes the same moves in a process of its own, move after move."""

    async def moves() -> list[int]:
        engine, made = EngineWorker(), []
        position = Position("number-connect", "4152/6371/2845/9162")
        player = bot("number-connect", "casual", 7)
        for _ in range(4):
            action, player = await engine.run(ask, player, position)
            position = position.play(action)
            made.append(action)
        engine.stop()
        return made

    position, player = Position("number-connect", "4152/6371/2845/9162"), None
    player, wanted = bot("number-connect", "casual", 7), []
    for _ in range(4):
        wanted.append(player.choose(position))
        position = position.play(wanted[-1])
    assert asyncio.run(moves()) == wanted


@pytest.mark.usefixtures("own_engine")
def test_what_goes_wrong_there_is_raised_here() -> None:
    """An error comes through as it is, and a process that dies is an engine that failed."""

    async def run() -> None:
        engine = EngineWorker()
        with pytest.raises(BadBoard):
            await engine.run(game("number-run").parse_board, "999")
        with pytest.raises(EngineFailed):
            await engine.run(os._exit, 3)
        assert await engine.run(max, 3, 4) == 4, "and the next call starts another"
        engine.stop()

    asyncio.run(run())


@pytest.mark.usefixtures("own_engine")
def test_thinking_that_nobody_waits_for_is_ended() -> None:
    """A search that would take minutes is gone at once when it is cancelled."""

    async def run() -> None:
        engine = EngineWorker()
        board = game("number-connect").parse_board(
            "1234567/2345678/3456789/4567891/5678912/6789123", 99
        )
        thinking = asyncio.create_task(engine.run(evaluate, Position("number-connect", board)))
        for _ in range(100):
            await asyncio.sleep(0.1)
            if engine._process._process:
                break
        await asyncio.sleep(1)
        assert not thinking.done()
        process = engine._process._process
        assert process
        began = time.monotonic()
        thinking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await thinking
        assert process.poll() is not None
        assert time.monotonic() - began < 10

    asyncio.run(run())


@pytest.mark.usefixtures("own_engine")
def test_keys_are_answered_while_the_perfect_bot_thinks() -> None:
    """Nearly all turns of the app's loop leave less than 50 ms to whatever else runs in it.

    Counted in the processor's time of the app: a thread that thinks would use up all of it, another
    program on a busy machine uses up none.
    """

    async def play() -> None:
        setup = MatchSetup(game="grid-conquest", p1="human", p2="bot:perfect", seed=1, first=1)
        late = []
        async with playing(setup) as (pilot, screen):
            await pilot.press("enter")
            while screen._thinking:
                began = time.process_time()
                await asyncio.sleep(0.01)
                late.append(time.process_time() - began)
            await settled(pilot, screen)
        late.sort()
        assert len(late) > 10
        # The worst few are left out: the screen is drawn, the process started.
        assert late[len(late) * 9 // 10] < 0.05

    asyncio.run(play())


def test_undo_while_a_bot_thinks_drops_its_answer() -> None:
    """The move is back, and the answer to it never comes."""
    thought = threading.Event()

    class Slow:
        name = "slow"

        def choose(self, position: Position) -> int:
            thought.wait(PATIENCE)
            return position.legal[0]

    async def play() -> None:
        setup = MatchSetup(game="number-connect", p1="human", p2="human", seed=1)
        async with playing(setup) as (pilot, screen):
            screen.session.seats = (None, Slow())
            await pilot.press("enter")
            await until(pilot, lambda: "thinking" in status_of(screen), "thinking")
            assert not screen.board.selectable
            await pilot.press("u")
            await settled(pilot, screen)
            assert screen.session.match.moves == []
            thought.set()
            await pilot.pause(0.3)
            assert screen.session.match.moves == []
            await pilot.press("enter")
            await until(pilot, lambda: len(screen.session.match.moves) == 2, "an answer")

    asyncio.run(play())


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
        app = GridwiseApp(MatchSetup(game="number-connect", p1="human", p2="bot:novice"), delay=0)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("enter", "enter")
            await until(pilot, lambda: type(app.screen).__name__ == "GameScreen", "the game")
            assert app.screen.session.match.game.key == "number-connect"  # type: ignore[attr-defined]

    asyncio.run(run())
