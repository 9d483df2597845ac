"""The home screen: every game and every screen is a key or a click away."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from textual.pilot import Pilot

from gridwise.core.game import Game
from gridwise.core.registry import games
from gridwise.engine.puzzles import puzzle_day
from gridwise.play.library import Library
from gridwise.play.puzzle_progress import add_solved
from gridwise.play.setup import Setup
from gridwise.players.new_match import set_up
from gridwise.tui.app import GridwiseApp
from gridwise.tui.screens.home import REST_MOVES, DemoGame, GameCard, MenuItem
from gridwise.tui.settings import AppSettings
from gridwise.tui.widgets.board import BoardView

from .pilots import (
    SIZES,
    SOME_SIZES,
    Size,
    drive,
    in_app,
    press_until,
    text_of,
    until,
    until_screen,
    until_text,
)

BOARD = "31425/25134/42513/14252/53142"


def keep_unfinished(opponent: str = "bot:casual") -> Path:
    """A game of Number Run that was left, or killed, after two moves."""
    session = set_up(Setup(game="number-run", p2=opponent, board=BOARD))
    session.match.move("0,1")
    session.match.move("3,4")
    return Library().new(session.record())


def keep_finished(opponent: str, *, won: bool) -> Path:
    """A game of Number Maze that the person has won, or lost."""
    session = set_up(Setup(game="number-maze", p2=opponent, board="1324/2132/4213/3421"))
    session.match.resign(2 if won else 1)
    return Library().new(session.record())


@in_app()
async def test_all_games_and_all_ways_are_on_the_screen(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """At every size, without scrolling."""
    for size in SIZES:
        await pilot.resize_terminal(*size)
        shown = text_of(app)
        for title in (game.title for game in games()):
            assert title in shown
        for way in ("Today's puzzle", "Puzzles", "My games", "Watch", "Rules", "Settings"):
            assert way in shown
        assert "Quit" in shown


@in_app(*SOME_SIZES)
async def test_two_keys_or_two_clicks_play(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """From the home screen with the keyboard alone, and with the mouse alone."""
    await press_until(pilot, "NewGameScreen", "enter")
    await press_until(pilot, "PlayScreen", "enter")
    await press_until(pilot, "HomeScreen", "escape")
    await pilot.click("#card-grid-runner")
    await until_screen(pilot, "NewGameScreen")
    assert "Grid Runner" in text_of(app)
    await pilot.click("#play")
    await until_screen(pilot, "PlayScreen")


@in_app(*SOME_SIZES)
async def test_the_arrows_reach_everything(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """Every card and every line of the menu, going right and then down."""
    reached = {app.focused}
    for key in ["right"] * 5 + ["down"] * 14:
        await pilot.press(key)
        reached.add(app.focused)
    wanted = {*app.screen.query(GameCard), *app.screen.query(MenuItem)}
    assert {widget for widget in wanted if widget.display} <= reached


@in_app()
async def test_every_screen_is_one_key_away_and_escape_comes_back(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """The same key that stands before its line in the menu; a click on the line does it too.

    A number opens a game: 5 is Number Connect. And Q quits.
    """
    screens = {"m": "MyGames", "h": "Rules", "s": "Settings", "w": "NewGame"}
    for key, name in screens.items():
        await press_until(pilot, f"{name}Screen", key)
        await press_until(pilot, "HomeScreen", "escape")
        await pilot.click(next(item for item in app.screen.query(MenuItem) if item._key == key))
        await until_screen(pilot, f"{name}Screen")
        await press_until(pilot, "HomeScreen", "escape")
    for key, is_daily in (("y", True), ("p", False)):
        await press_until(pilot, "PuzzleScreen", key)
        assert app.screen.daily is is_daily  # type: ignore[attr-defined]
        await press_until(pilot, "HomeScreen", "escape")
    await press_until(pilot, "NewGameScreen", "5")
    assert "Number Connect" in text_of(app)
    await press_until(pilot, "HomeScreen", "escape")
    await pilot.press("q")
    await until(pilot, lambda: not app.is_running)


@pytest.mark.parametrize("size", SOME_SIZES, ids=str)
def test_a_game_that_was_killed_is_offered_and_goes_on(size: Size) -> None:
    """Its file is all that is left of it; Enter goes on where it stopped."""
    keep_unfinished()

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await until_text(pilot, "Number Run, Casual bot")
        await press_until(pilot, "PlayScreen", "enter")
        assert app.screen.session.match.moves[:2] == ["0,1", "3,4"]  # type: ignore[attr-defined]

    drive(scenario, size)


def test_files_do_no_harm() -> None:
    """The newest are rubbish: the game before them is offered.

    Escape sequences and markup in its names are shown as what they are: text.
    """
    kept = keep_unfinished()
    evil = "Eve\x1b]0;title\x07\x1b[31m[red]red[/red]"
    kept.write_text(kept.read_text().replace("bot:casual", evil))
    (kept.parent / "2099-01-01-000000-number-run-zzzz.gwr").write_bytes(b"\xff\x00 rubbish")
    (kept.parent / "2099-01-01-000001-number-run-zzzy.gwr").write_text('[Game "number-run"]\n')

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await until_text(pilot, "Continue")
        await until_text(pilot, "Eve")
        shown = text_of(app)
        assert "\x1b" not in shown
        assert "\x07" not in shown
        assert "[red]" in shown

    drive(scenario, (200, 60))


def test_what_was_done_is_told() -> None:
    """Wins on the card of each game, and by opponent for the one that has the focus.

    Solved puzzles and the streak are beside the lines that lead to the puzzles. The screen looks
    again when it is back. Where there is nothing to continue, neither a line nor a key offers it.
    """
    for won in (True, True, False):
        keep_finished("bot:casual", won=won)
    keep_finished("bot:strong", won=False)
    today = puzzle_day()
    for days in (2, 1, 0):
        add_solved("number-maze", 1, today - dt.timedelta(days=days))
    add_solved("number-maze", 1)

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await until_text(pilot, "won 2 of 4")
        assert "solved, streak 3" in text_of(app)
        assert "4 solved" in text_of(app)
        assert "Continue" not in text_of(app)
        await pilot.press("c")
        assert type(app.screen).__name__ == "HomeScreen"
        await pilot.press("right")
        await until_text(pilot, "won 2, lost 1")
        assert "won 0, lost 1" in text_of(app)
        await press_until(pilot, "SettingsScreen", "s")
        keep_finished("bot:casual", won=True)
        await pilot.press("escape")
        await until_text(pilot, "won 3 of 5")

    drive(scenario)


def test_the_little_boards_live_only_while_somebody_can_see_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They stop under another screen, while the person is in another window, and for good.

    For good is a setting. Otherwise they go on when the home screen is back.
    """
    monkeypatch.setattr("gridwise.tui.screens.home.BEAT_SECONDS", 0.01)

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        async def is_still() -> bool:
            before = board.view
            await pilot.pause(0.1)  # ten beats
            return board.view == before

        async def moves() -> None:
            before = board.view
            await until(pilot, lambda: board.view != before, "the little board moves")

        board = app.screen.query(BoardView).first()
        await moves()
        await press_until(pilot, "SettingsScreen", "s")
        assert await is_still()
        await pilot.press("escape")
        await moves()
        app.app_focus = False  # the person is in another window
        assert await is_still()
        app.app_focus = True
        await moves()
        await press_until(pilot, "SettingsScreen", "s")
        app.change_settings(AppSettings(animation=False))
        await press_until(pilot, "HomeScreen", "escape")
        assert await is_still()

    drive(scenario)


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
def test_a_quiet_game_goes_on_for_ever(game: Game) -> None:
    """It ends, rests, and begins again on another board; hidden cells stay hidden."""
    demo = DemoGame(game, seed=1)
    ends, was_over = 0, False
    for _ in range(600):
        demo.step()
        over = demo.position.outcome is not None
        ends += over and not was_over
        was_over = over
        if not over:
            hidden = demo.position.hidden
            assert all(
                not value
                for cell, value in enumerate(demo.position.board.cells)
                if hidden >> cell & 1
            )
    assert ends >= 3 or game.cyclic
    assert REST_MOVES > 0
