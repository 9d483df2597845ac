"""What can be done in a game: typed moves, hints, undo, starting again, resizing."""

from __future__ import annotations

import asyncio

import pytest
from textual import events
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.widgets import Input
from textual.widgets._footer import FooterKey

from gridwise.arena.setup import MatchSetup
from gridwise.engine.hints import hint
from gridwise.play.records import read_record
from gridwise.tui.app import GridwiseApp
from gridwise.tui.screens.game import GameScreen
from gridwise.tui.screens.play_screen import PlayScreen
from gridwise.tui.widgets.dialogs import AskScreen
from tests.tui.pilots import SIZES, text_of, until
from tests.tui.players import (
    BOT,
    RUN,
    Size,
    click_cell,
    moving,
    play,
    press_towards,
    settled,
    status_of,
    type_move,
)

# Typed moves


@pytest.mark.parametrize(
    ("game", "keys"),
    [
        ("number-run", "0,1"),
        ("number-run", "(0,1)"),
        ("number-run", ":0 1"),
        ("grid-runner", "B1"),
        ("grid-runner", "b1"),
        ("grid-runner", "mright"),
        ("grid-runner", "/r"),
        ("grid-conquest", "C3"),
        ("grid-conquest", "c3"),
        ("number-connect", "2,3"),
    ],
)
def test_a_move_can_be_typed_as_the_game_writes_it(game: str, keys: str) -> None:
    """Digits, capitals and letters that are no keys begin a line; `m`, `:` and `/` open one."""

    async def scene(pilot: Pilot[int], screen: PlayScreen) -> None:
        names = {" ": "space", "(": "left_parenthesis", ")": "right_parenthesis", ":": "colon"}
        await type_move(pilot, screen, *(names.get(key, key) for key in keys))
        assert len(screen.session.match.moves) == 1
        assert screen.focused is screen.board

    play(MatchSetup(game=game, p1="human", p2="human", seed=1, first=None), scene)


def test_a_move_that_cannot_be_made_is_explained_in_place() -> None:
    """The line stays as it is, to be put right, and the game has not changed."""

    async def scene(pilot: Pilot[int], screen: PlayScreen) -> None:
        await pilot.press(*"4,4", "enter")
        await pilot.pause()
        assert "4,4" in status_of(screen)
        assert "0,1" in status_of(screen), "what would be possible is named"
        assert screen.query_one("#move", Input).value == "4,4"
        assert screen.session.match.moves == []
        await pilot.press("escape")
        assert screen.focused is screen.board
        assert isinstance(pilot.app.screen, GameScreen), "Escape has closed the line only"

    play(RUN, scene)


def test_a_click_on_a_cell_that_cannot_be_entered_is_explained() -> None:
    """Nothing happens without a word."""

    async def scene(pilot: Pilot[int], screen: PlayScreen) -> None:
        await click_cell(pilot, screen, 12)
        await pilot.pause()
        assert "2,2" in status_of(screen)
        assert screen.session.match.moves == []

    play(RUN, scene)


# Hints, undo, resigning


def test_a_hint_says_what_the_command_line_says_and_marks_the_cell() -> None:
    """The sentence is the engine's, word for word, and a star is on the cell."""

    async def scene(pilot: Pilot[int], screen: PlayScreen) -> None:
        position = screen.session.match.position
        wanted = hint(position)
        await pilot.press("i")
        await until(pilot, lambda: status_of(screen) == wanted.text, "the hint")
        assert screen.board.marks == {position.target(position.read(wanted.move)): "*"}
        await pilot.pause()
        assert "★" in text_of(pilot.app)

    play(RUN, scene)


def test_undo_goes_back_to_the_last_time_the_person_was_asked() -> None:
    """The bot's answer goes with it; what is on disk follows."""

    async def scene(pilot: Pilot[int], screen: PlayScreen) -> None:
        await type_move(pilot, screen, *"0,1")
        await type_move(pilot, screen, *"0,2")
        assert len(screen.session.match.moves) == 4
        await pilot.press("u")
        await settled(pilot, screen)
        assert len(screen.session.match.moves) == 2
        assert "taken back" in status_of(screen)
        assert screen.session.path
        assert len(read_record(screen.session.path).moves) == 2
        await pilot.press("u", "u")
        await settled(pilot, screen)
        assert status_of(screen) == "There is no move to take back yet."

    play(BOT, scene)


def test_the_keys_in_the_footer_can_be_clicked() -> None:
    """So a mouse is enough: for undo, and for the palette that has all the rest."""

    async def scene(pilot: Pilot[int], screen: PlayScreen) -> None:
        await type_move(pilot, screen, *"0,1")
        await pilot.click(next(each for each in screen.query(FooterKey) if each.key == "u"))
        await settled(pilot, screen)
        assert screen.session.match.moves == []
        await pilot.click(next(each for each in screen.query(FooterKey) if each.key == "ctrl+p"))
        await until(pilot, lambda: isinstance(pilot.app.screen, CommandPalette))

    play(BOT, scene)


def test_resigning_asks_first_and_can_be_taken_back() -> None:
    """Escape keeps the game; Enter ends it; undo brings it back."""

    async def scene(pilot: Pilot[int], screen: PlayScreen) -> None:
        await type_move(pilot, screen, *"0,1")
        await pilot.press("g")
        await until(pilot, lambda: isinstance(pilot.app.screen, AskScreen))
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is screen)
        assert not screen.session.match.outcome
        await pilot.press("g")
        await until(pilot, lambda: isinstance(pilot.app.screen, AskScreen))
        await pilot.press("enter")
        await until(pilot, lambda: screen.has_class("-over"))
        assert status_of(screen) == "You lost: you resigned."
        await pilot.press("u")
        await settled(pilot, screen)
        assert not screen.session.match.outcome

    play(BOT, scene)


# Starting again


def test_starting_again_has_the_same_board_and_swapping_the_other_side() -> None:
    """A game with moves is asked about first, and stays in one's games."""

    async def scene(pilot: Pilot[int], screen: PlayScreen) -> None:
        await type_move(pilot, screen, *"0,1")
        board, old = screen.session.match.board, screen.session.path
        await pilot.press("p")
        await until(pilot, lambda: isinstance(pilot.app.screen, AskScreen))
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.screen not in (screen, pilot.app.screen_stack[0]))
        await until(pilot, lambda: isinstance(pilot.app.screen, GameScreen))
        again = pilot.app.screen
        assert isinstance(again, GameScreen)
        assert again is not screen
        assert again.session.match.moves == []
        assert again.session.match.board == board
        assert again.session.players == ("human", "bot:casual")
        assert old
        assert old.is_file()
        await pilot.press("x")
        await until(pilot, lambda: pilot.app.screen is not again)
        swapped = pilot.app.screen
        assert isinstance(swapped, GameScreen)
        assert swapped.session.players == ("bot:casual", "human")
        await settled(pilot, swapped)
        assert len(swapped.session.match.moves) == 1, "the bot begins"

    play(BOT, scene)


def test_after_the_end_comes_another_game_with_sides_swapped() -> None:
    """One key, or the button."""

    async def scene(pilot: Pilot[int], screen: PlayScreen) -> None:
        await pilot.press("g")
        await until(pilot, lambda: isinstance(pilot.app.screen, AskScreen))
        await pilot.press("enter")
        await until(pilot, lambda: screen.has_class("-over"))
        await pilot.pause()
        await pilot.click("#play_again")
        await until(pilot, lambda: pilot.app.screen is not screen)
        again = pilot.app.screen
        assert isinstance(again, GameScreen)
        assert again.session.players == ("bot:casual", "human")
        assert again.setup.round == 2

    play(BOT, scene)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_what_comes_after_the_end_can_be_clicked(size: Size) -> None:
    """Every button is on the screen as a whole, and New game opens what it says."""

    async def scene(pilot: Pilot[int], screen: PlayScreen) -> None:
        screen.session.match.resign()
        screen._show()
        await pilot.pause()
        for name in ("play_again", "review", "new_game", "back"):
            region = screen.query_one(f"#{name}").region
            assert region.width >= 6
            assert region.right <= size[0]
            assert region.bottom <= size[1]
        await pilot.click("#new_game")
        await until(pilot, lambda: pilot.app.screen is not screen)

    play(RUN, scene, size)


# The window


@pytest.mark.parametrize("size", [(40, 20), (200, 60), (120, 30), (30, 10)], ids=str)
def test_a_window_that_changes_its_size_keeps_everything(size: Size) -> None:
    """Cursor, hint, line and log stay; the board takes its new room."""

    async def scene(pilot: Pilot[int], screen: PlayScreen) -> None:
        await type_move(pilot, screen, *"0,1")
        await press_towards(pilot, screen.board, screen.board.targets[-1])
        cursor, log = screen.board.cursor, screen.session.log
        await pilot.press("2")
        await pilot.resize_terminal(*size)
        await pilot.pause()
        assert screen.board.cursor == cursor
        assert screen.session.log == log
        assert screen.query_one("#move", Input).value == "2"
        region = screen.board.cell_region(24)
        assert 0 < region.right <= size[0]
        await pilot.press("escape")
        await pilot.resize_terminal(80, 24)
        async with moving(pilot, screen):
            await pilot.press("enter")
        assert len(screen.session.match.moves) == 4

    play(BOT, scene)


def test_the_board_grows_with_the_window() -> None:
    """From one line a cell to ten; with less than that, without lines between the cells."""

    async def scene(pilot: Pilot[int], screen: PlayScreen) -> None:
        heights = []
        for size in ((200, 60), (120, 36), (80, 24), (40, 20)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            heights.append(screen.board.cell_region(0).height)
        assert heights == [10, 5, 3, 1]

    play(RUN, scene)


def test_a_move_that_is_typed_at_once_is_read_as_a_whole() -> None:
    """Keys that come faster than the line can open, and text that is pasted, are not lost."""

    async def scene(pilot: Pilot[int], screen: PlayScreen) -> None:
        for key, char in (("0", "0"), ("comma", ","), ("1", "1"), ("enter", "\r")):
            pilot.app.post_message(events.Key(key, char))
        await until(pilot, lambda: screen.session.match.moves == ["0,1"], "the move is made")
        await settled(pilot, screen)
        pilot.app.post_message(events.Paste("3,4"))
        await until(pilot, lambda: screen.query_one("#move", Input).value == "3,4", "it is there")
        await pilot.press("enter")
        await until(pilot, lambda: screen.session.match.moves == ["0,1", "3,4"], "it is made")

    play(RUN, scene)


def test_a_game_can_be_left_while_a_bot_moves() -> None:
    """Whatever the bot does then, nothing is shown on a screen that is gone."""

    async def run() -> None:
        app = GridwiseApp(MatchSetup(game="number-run", p1="human", p2="bot:casual"), delay=0.3)
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: isinstance(app.screen, GameScreen), "the game is open")
            await pilot.press("enter")
            await pilot.press("escape")
            await until(pilot, lambda: not isinstance(app.screen, GameScreen), "it is left")
            await pilot.pause(1)
            assert app.crash == ""
            assert app.is_running

    asyncio.run(run())
