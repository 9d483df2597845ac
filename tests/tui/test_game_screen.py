"""What can be done in a game: typed moves, hints, undo, starting again, resizing."""

from __future__ import annotations

import asyncio
import threading
from functools import partial

import pytest
from textual import events
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Input
from textual.widgets._footer import FooterKey

from gridwise.core.position import Position
from gridwise.engine.hints import hint
from gridwise.play.records import read_record
from gridwise.play.setup import Setup
from gridwise.tui.app import GridwiseApp
from gridwise.tui.screens.match import MatchScreen
from gridwise.tui.screens.play import PlayScreen
from gridwise.tui.widgets.dialogs import AskScreen
from tests.tui.pilots import (
    PATIENCE,
    SIZES,
    nobody_thinks,
    press_until,
    running,
    text_of,
    until,
    until_screen,
)
from tests.tui.players import (
    BOT,
    RUN,
    click_cell,
    in_game,
    moving,
    play,
    press_towards,
    resign,
    settled,
    status_of,
    type_move,
)

# Typed moves


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        ("number-run", ["0,1", "(0,1)", ":0 1"]),
        ("grid-runner", ["B1", "b1", "mright", "/r"]),
        ("grid-conquest", ["C3", "c3"]),
        ("number-connect", ["2,3"]),
    ],
)
def test_a_move_can_be_typed_as_the_game_writes_it(game: str, moves: list[str]) -> None:
    """Digits, capitals and letters that are no keys begin a line; `m`, `:` and `/` open one."""

    async def scene(pilot: Pilot[int], screen: MatchScreen) -> None:
        for keys in moves:
            assert screen.session.match.moves == []
            await type_move(pilot, screen, *keys)
            assert len(screen.session.match.moves) == 1
            assert screen.focused is screen.board
            await pilot.press("u")
            await settled(pilot, screen)

    play(Setup(game=game, p1="human", p2="human", seed=1, first=None), scene)


@in_game(RUN)
async def test_what_cannot_be_done_is_explained_in_place(
    pilot: Pilot[int], screen: MatchScreen
) -> None:
    """A line stays as it is, to be put right; a click on a cell is answered; nothing changes."""
    await pilot.press(*"4,4", "enter")
    assert "4,4" in status_of(screen)
    assert "0,1" in status_of(screen), "what would be possible is named"
    assert screen.query_one("#move", Input).value == "4,4"
    await pilot.press("escape")
    assert screen.focused is screen.board
    assert isinstance(pilot.app.screen, PlayScreen), "Escape has closed the line only"
    await click_cell(pilot, screen, 12)
    assert "2,2" in status_of(screen)
    assert screen.session.match.moves == []


@in_game(RUN)
async def test_a_move_that_is_typed_at_once_is_read_as_a_whole(
    pilot: Pilot[int], screen: MatchScreen
) -> None:
    """Keys that come faster than the line can open, and text that is pasted, are not lost."""
    for key, char in (("0", "0"), ("comma", ","), ("1", "1"), ("enter", "\r")):
        pilot.app.post_message(events.Key(key, char))
    await until(pilot, lambda: screen.session.match.moves == ["0,1"], "the move is made")
    await settled(pilot, screen)
    pilot.app.post_message(events.Paste("3,4"))
    await until(pilot, lambda: screen.query_one("#move", Input).value == "3,4", "it is there")
    await pilot.press("enter")
    await until(pilot, lambda: screen.session.match.moves == ["0,1", "3,4"], "it is made")


# Hints, undo, resigning


@in_game(RUN)
async def test_a_hint_says_what_the_command_line_says_and_marks_the_cell(
    pilot: Pilot[int], screen: MatchScreen
) -> None:
    """The sentence is the engine's, word for word, and a star is on the cell."""
    position = screen.session.match.position
    wanted = hint(position)
    await pilot.press("i")
    await until(pilot, lambda: status_of(screen) == wanted.text, "the hint")
    assert screen.board.marks == {position.target(position.read(wanted.move)): "★"}
    assert "★" in text_of(pilot.app)


@in_game(BOT)
async def test_undo_goes_back_to_the_last_time_the_person_was_asked(
    pilot: Pilot[int], screen: MatchScreen
) -> None:
    """The bot's answer goes with it; what is on disk follows.

    Keys in the footer can be clicked, so a mouse is enough: for undo, and for the palette that has
    all the rest.
    """

    async def click_key(key: str) -> None:
        await pilot.click(next(each for each in screen.query(FooterKey) if each.key == key))

    await type_move(pilot, screen, *"0,1")
    await type_move(pilot, screen, *"0,2")
    assert len(screen.session.match.moves) == 4
    await pilot.press("u")
    await settled(pilot, screen)
    assert len(screen.session.match.moves) == 2
    assert "taken back" in status_of(screen)
    assert screen.session.path
    assert len(read_record(screen.session.path).moves) == 2
    await click_key("u")
    await settled(pilot, screen)
    assert screen.session.match.moves == []
    await pilot.press("u")
    await settled(pilot, screen)
    assert status_of(screen) == "There is no move to take back yet."
    await click_key("ctrl+p")
    await until(pilot, lambda: isinstance(pilot.app.screen, CommandPalette))


def test_undo_while_a_bot_thinks_drops_its_answer() -> None:
    """The move is back, and the answer to it never comes.

    The footer has only keys that can be pressed: a hint is for whoever is asked.
    """
    thought = threading.Event()

    async def scene(pilot: Pilot[int], screen: MatchScreen) -> None:
        assert "i Hint" in text_of(pilot.app)
        screen.session.seats = (None, Slow(thought))
        await pilot.press("enter")
        await until(pilot, lambda: "thinking" in status_of(screen), "thinking")
        assert not screen.board.selectable
        await pilot.pause()
        assert "i Hint" not in text_of(pilot.app)
        await pilot.press("u")
        await settled(pilot, screen)
        assert "i Hint" in text_of(pilot.app)
        assert screen.session.match.moves == []
        thought.set()
        await until(pilot, nobody_thinks)
        assert screen.session.match.moves == []
        await pilot.press("enter")
        await until(pilot, lambda: len(screen.session.match.moves) == 2, "an answer")

    play(RUN, scene)


class Slow:
    """A player who answers when it is let."""

    name = "slow"

    def __init__(self, thought: threading.Event) -> None:
        self._thought = thought

    def choose(self, position: Position) -> int:
        """The first move, some time."""
        assert self._thought.wait(PATIENCE)
        return position.legal[0]


def test_a_game_can_be_left_while_a_bot_moves() -> None:
    """Whatever the bot does then, nothing is shown on a screen that is gone."""
    thought = threading.Event()

    async def run() -> None:
        app = GridwiseApp(RUN, delay=0)
        async with running(app) as pilot:
            await until_screen(pilot, "PlayScreen")
            assert isinstance(app.screen, PlayScreen)
            app.screen.session.seats = (None, Slow(thought))
            await press_until(pilot, "HomeScreen", "enter", "escape")
            thought.set()
            await until(pilot, nobody_thinks)
            assert app.crash == ""
            assert app.is_running

    asyncio.run(run())


@in_game(BOT)
async def test_resigning_asks_first_and_can_be_taken_back(
    pilot: Pilot[int], screen: MatchScreen
) -> None:
    """Escape keeps the game; Enter ends it; undo brings it back.

    After the end comes another game with sides swapped: one key, or the button.
    """
    await type_move(pilot, screen, *"0,1")
    await pilot.press("g")
    await until(pilot, lambda: isinstance(pilot.app.screen, AskScreen))
    await pilot.press("escape")
    await until(pilot, lambda: pilot.app.screen is screen)
    assert not screen.session.match.outcome
    await resign(pilot)
    assert status_of(screen) == "You lost: you resigned."
    await pilot.press("u")
    await settled(pilot, screen)
    assert not screen.session.match.outcome
    await resign(pilot)
    await pilot.click("#play_again")
    await until(pilot, lambda: pilot.app.screen is not screen)
    again = pilot.app.screen
    assert isinstance(again, PlayScreen)
    assert again.session.players == ("bot:casual", "human")
    assert again.setup.round == 2


@in_game(BOT)
async def test_whoever_resigns_while_a_bot_is_to_move_has_lost(
    pilot: Pilot[int], screen: MatchScreen
) -> None:
    """It is the person who gives up, whoever's turn it is."""
    screen.session.match.move("0,1")  # and the bot has not been asked yet
    assert screen.session.match.turn == 2
    await resign(pilot)
    assert status_of(screen) == "You lost: you resigned."


# Starting again


@in_game(BOT)
async def test_starting_again_has_the_same_board_and_swapping_the_other_side(
    pilot: Pilot[int], screen: MatchScreen
) -> None:
    """A game with moves is asked about first, and stays in one's games."""
    await type_move(pilot, screen, *"0,1")
    board, old = screen.session.match.board, screen.session.path
    await pilot.press("p")
    await until(pilot, lambda: isinstance(pilot.app.screen, AskScreen))
    await pilot.press("enter")
    await until(pilot, lambda: pilot.app.screen not in (screen, pilot.app.screen_stack[0]))
    await until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
    again = pilot.app.screen
    assert isinstance(again, PlayScreen)
    assert again is not screen
    assert again.session.match.moves == []
    assert again.session.match.board == board
    assert again.session.players == ("human", "bot:casual")
    assert old
    assert old.is_file()
    await pilot.press("x")
    await until(pilot, lambda: pilot.app.screen is not again)
    swapped = pilot.app.screen
    assert isinstance(swapped, PlayScreen)
    assert swapped.session.players == ("bot:casual", "human")
    await settled(pilot, swapped)
    assert len(swapped.session.match.moves) == 1, "the bot begins"


# The window


def is_whole(button: Widget, window: tuple[int, int]) -> bool:
    """Whether all of a button is on the screen."""
    region = button.region
    return region.width >= 6 and region.right <= window[0] and region.bottom <= window[1]


@in_game(RUN)
async def test_what_comes_after_the_end_can_be_clicked(
    pilot: Pilot[int], screen: MatchScreen
) -> None:
    """In every window each button is on the screen as a whole, and New game opens what it says."""
    screen.session.match.resign()
    screen._show()
    for size in SIZES:
        await pilot.resize_terminal(*size)
        for name in ("play_again", "review", "new_game", "leave"):
            button = screen.query_one(f"#{name}")
            await until(pilot, partial(is_whole, button, size), name)
        await pilot.click("#new_game")
        await until_screen(pilot, "NewGameScreen")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is screen)


@in_game(BOT)
async def test_a_window_that_changes_its_size_keeps_everything(
    pilot: Pilot[int], screen: MatchScreen
) -> None:
    """Cursor, line and log stay; the board takes its new room."""
    await type_move(pilot, screen, *"0,1")
    await press_towards(pilot, screen.board, screen.board.targets[-1])
    cursor, log = screen.board.cursor, screen.session.log
    await pilot.press("2")
    for width, height in ((40, 20), (200, 60), (120, 30), (30, 10)):
        await pilot.resize_terminal(width, height)
        assert screen.board.cursor == cursor
        assert screen.session.log == log
        assert screen.query_one("#move", Input).value == "2"
        assert 0 < screen.board.cell_region(24).right <= width
    await pilot.press("escape")
    await pilot.resize_terminal(80, 24)
    async with moving(pilot, screen):
        await pilot.press("enter")
    assert len(screen.session.match.moves) == 4


@in_game(RUN)
async def test_the_board_grows_with_the_window(pilot: Pilot[int], screen: MatchScreen) -> None:
    """From one line a cell to ten; with less than that, without lines between the cells."""
    heights = []
    for size in ((200, 60), (120, 36), (80, 24), (40, 20)):
        await pilot.resize_terminal(*size)
        heights.append(screen.board.cell_region(0).height)
    assert heights == [10, 5, 3, 1]


@in_game(RUN)
async def test_in_a_small_window_every_cell_is_in_sight_and_whose_turn_it_is(
    pilot: Pilot[int], screen: MatchScreen
) -> None:
    """Down to 40 characters and 10 lines; the list of moves makes room for them."""
    for size in ((40, 10), (40, 13), (50, 12), (60, 14)):
        await pilot.resize_terminal(*size)
        assert screen.board.region.contains_region(screen.board.cell_region(0)), size
        assert screen.board.region.contains_region(screen.board.cell_region(24)), size
        assert screen.region.contains_region(screen.query_one("#status").region), size
