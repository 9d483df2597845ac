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

from gridwise import games
from gridwise.core.position import Position
from gridwise.engine.evaluation import evaluate
from gridwise.engine.hints import hint
from gridwise.engine.review import what_if_limits
from gridwise.play.records import read_record
from gridwise.play.setup import Setup
from gridwise.play.values import PRACTICE, CellValue, cell_values
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
    until_text,
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
    ("game", "board", "moves"),
    [
        ("number-run", RUN.board, "down/d/D/right/r/1,0/10/1 0/(0,1)/r0 c1/row 0, column 1/m01//d"),
        ("number-maze", "1324/2132/4213/3421", "down/right/d/r/2,1/21/2 1/(1,2)/row 2 column 1"),
        ("grid-runner", None, "down/right/D/r/b1/B1/a2/a 2/(b,1)/column b, row 1/mright//r"),
        ("grid-conquest", None, "c3/C3/a1/d 5/(e,5)/row c, column 3/b2"),
        ("number-connect", "4152/6371/2845/9162", "2,3/23/2 3/01/10/[0,1]/r0 c1/column 1, row 0"),
    ],
)
def test_a_move_can_be_typed_in_every_way_that_it_is_written(
    game: str, board: str | None, moves: str
) -> None:
    """In lower case too: a letter that begins a move is no key. `m` and `/` open the line."""

    async def scene(pilot: Pilot[int], screen: MatchScreen) -> None:
        for keys in moves.replace("//", "/slash ").split("/"):
            assert screen.session.match.moves == []
            typed = keys.split(maxsplit=1) if keys.startswith("slash") else keys
            await type_move(pilot, screen, *typed)
            wanted = screen.session.match.positions[0].name(
                screen.session.match.positions[0].read(keys.removeprefix("slash").removeprefix("m"))
            )
            assert screen.session.match.moves == [wanted]
            assert screen.focused is screen.board
            await pilot.press("z")
            await settled(pilot, screen)

    play(Setup(game=game, p1="human", p2="human", board=board, seed=1), scene)


@pytest.mark.parametrize("game", [each.key for each in games()])
@pytest.mark.parametrize("word", ["up", "down", "left", "right"])
def test_a_direction_that_is_typed_is_a_move_or_nothing(game: str, word: str) -> None:
    """Whatever it is in that game: no move is taken back, nothing is started again or left.

    Not even while somebody else is to move, or after the end.
    """

    async def scene(pilot: Pilot[int], screen: MatchScreen) -> None:
        match = screen.session.match
        match.move(match.legal_moves[0])
        screen._show()
        before, asked = match.moves, screen.session.seats
        if word[0] not in match.position.move_initials:  # there it begins nothing
            return
        screen.session.seats = (Idle(), Idle())
        await pilot.press(*word, "enter")
        assert pilot.app.screen is screen
        assert match.moves == before, "it is not a person's turn"
        assert screen.query_one("#move", Input).value == word, "and it waits"
        screen.session.seats = asked
        await pilot.press("enter")
        await pilot.pause()
        assert match.moves[:1] == before
        assert pilot.app.screen is screen
        if screen.has_class("-typing"):
            await pilot.press("escape")
        assert pilot.app.screen is screen
        match.resign()
        screen._show()
        await pilot.press(word[0])
        assert pilot.app.screen is screen
        assert not screen.has_class("-typing")

    play(Setup(game=game, p1="human", p2="human", seed=1, first=1), scene)


class Idle:
    """A program that is never asked."""

    name = "idle"

    def choose(self, position: Position) -> int:
        """Nothing."""
        raise AssertionError(position)


@pytest.mark.parametrize("game", [each.key for each in games()])
def test_no_letter_is_a_key_where_a_move_can_begin_with_it(game: str) -> None:
    """What it would do is behind `:`, and neither the footer nor the help names the letter."""

    async def scene(pilot: Pilot[int], screen: MatchScreen) -> None:
        letters = screen.session.match.position.move_initials
        named = {
            pilot.app.get_key_display(active.binding) for active in screen.active_bindings.values()
        }
        assert not named & letters
        for letter in sorted(letters):
            await pilot.press(letter)
            assert screen.query_one("#move", Input).value == letter
            await pilot.press("escape")
        keys = {"i": "Hint", "z": "Undo", "h": "Rules", "o": "Review", "n": "New game"}
        described = {
            key: active.binding.description for key, active in screen.active_bindings.items()
        }
        assert keys.items() <= described.items()

    play(Setup(game=game, p1="human", p2="human", seed=1, first=1), scene)


def test_a_command_whose_letter_begins_a_move_is_behind_the_colon() -> None:
    """On seven rows `g` is a row of Grid Conquest, and gives nothing up."""

    async def scene(pilot: Pilot[int], screen: MatchScreen) -> None:
        await type_move(pilot, screen, *"g1")
        assert screen.session.match.moves == ["G1"]
        await pilot.press("colon", *"resign")
        await until_text(pilot, "Give this game up (:)")
        await pilot.press("enter")
        await until_screen(pilot, "AskScreen")
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.screen is screen)
        assert not screen.session.match.outcome, "Enter keeps playing"
        await pilot.press("colon", *"resign")
        await until_text(pilot, "Give this game up (:)")
        await pilot.press("enter")
        await until_screen(pilot, "AskScreen")
        await pilot.press("n")
        await until(pilot, lambda: pilot.app.screen is screen)
        assert not screen.session.match.outcome

    play(Setup(game="grid-conquest", p1="human", p2="human", size="7x7", seed=1), scene)


@in_game(RUN)
async def test_what_cannot_be_done_is_explained_in_place(
    pilot: Pilot[int], screen: MatchScreen
) -> None:
    """The line is empty for the next try; a click on a cell is answered; nothing changes."""
    await pilot.press(*"4,4", "enter")
    assert "4,4" in status_of(screen)
    assert "0,1" in status_of(screen), "what would be possible is named"
    assert screen.query_one("#move", Input).value == ""
    assert screen.query_one("#move", Input).has_focus, "the next try can be typed"
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


@in_game(Setup(game="number-maze", board="1324/2132/4213/3421"))
async def test_a_command_that_is_typed_at_once_is_one(
    pilot: Pilot[int], screen: MatchScreen
) -> None:
    """What comes behind `:` before its line is there goes into it, though `r` begins a move."""
    pilot.app.post_message(events.Key("colon", ":"))
    for char in "resign":
        pilot.app.post_message(events.Key(char, char))
    await until(pilot, lambda: isinstance(pilot.app.screen, CommandPalette), "it opens")
    line = pilot.app.screen.query_one
    await until(pilot, lambda: line(Input).value == "resign", "all of it is there")
    await pilot.press("escape")
    await until_screen(pilot, "PlayScreen")
    assert not screen.has_class("-typing")


# Hints, undo, resigning


@in_game(RUN)
async def test_a_hint_says_what_the_command_line_says_and_marks_the_cell(
    pilot: Pilot[int], screen: MatchScreen
) -> None:
    """In three steps, the engine's word for word; from the second on a star is on the cell."""
    position = screen.session.match.position
    wanted = hint(position)
    where, text, why = wanted.steps
    await pilot.press("i")
    await until(pilot, lambda: status_of(screen) == where, "where to look")
    assert screen.board.marks == {}
    await pilot.press("i")
    await until(pilot, lambda: status_of(screen) == text, "the hint")
    await pilot.press("i")
    await until(pilot, lambda: status_of(screen) == why, "the reason")
    assert screen.session.tags["Help"] == "1 hint"
    assert screen.board.marks == {position.target(position.read(wanted.move)): "★"}
    assert "★" in text_of(pilot.app)


@in_game(BOT)
async def test_practice_shows_values_after_a_question_and_is_noted(
    pilot: Pilot[int], screen: MatchScreen
) -> None:
    """At each of one's turns until they are turned off; an ordinary game never shows them."""
    session = screen.session

    def expected() -> dict[int, CellValue]:
        position = session.match.position
        return cell_values(position, evaluate(position, what_if_limits(position.game)))

    await press_until(pilot, "AskScreen", "v")
    assert PRACTICE[1] in " ".join(text_of(pilot.app).split())
    await pilot.press("n")
    await until_screen(pilot, "PlayScreen")
    assert (screen.board.values, session.tags.get("Help")) == ({}, None)
    await press_until(pilot, "AskScreen", "v")
    await pilot.press("y")
    await until_screen(pilot, "PlayScreen")
    await until(pilot, lambda: screen.board.values, "they are worked out")
    assert screen.board.values == expected()
    assert session.tags["Help"] == "values"
    moves = len(session.match.moves)
    await pilot.press("enter")
    await until(pilot, lambda: len(session.match.moves) == moves + 2, "the bot has answered")
    await settled(pilot, screen)
    await until(pilot, lambda: screen.board.values == expected(), "they are worked out again")
    assert session.path
    assert read_record(session.path).tags["Help"] == "values"
    await pilot.press("v")
    assert screen.board.values == {}
    await pilot.press("v")  # it is noted already: nothing is asked
    await until(pilot, lambda: screen.board.values, "they are shown again")


@in_game(BOT)
async def test_a_review_before_the_end_is_help_as_the_values_are(
    pilot: Pilot[int], screen: MatchScreen
) -> None:
    """It shows what each move is worth, and the best line: asked first, noted, and kept."""
    session = screen.session
    await press_until(pilot, "AskScreen", "o")
    assert PRACTICE[1] in " ".join(text_of(pilot.app).split())
    await pilot.press("n")
    await until_screen(pilot, "PlayScreen")
    assert "Help" not in session.tags
    await press_until(pilot, "AskScreen", "o")
    await pilot.press("y")
    await until_screen(pilot, "ReviewScreen")
    assert session.tags["Help"] == "values"


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
    await pilot.press("z")
    await settled(pilot, screen)
    assert len(screen.session.match.moves) == 2
    assert "taken back" in status_of(screen)
    assert screen.session.path
    assert len(read_record(screen.session.path).moves) == 2
    await click_key("z")
    await settled(pilot, screen)
    assert screen.session.match.moves == []
    await pilot.press("z")
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
        await pilot.press("z")
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
    """Escape and Enter keep the game; `y` ends it; undo brings it back.

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
    await pilot.press("z")
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
    await until(pilot, lambda: pilot.app.screen is screen)
    assert screen.session.match.moves, "Enter keeps playing"
    await press_until(pilot, "AskScreen", "p")
    await pilot.press("y")
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


@pytest.mark.parametrize("size", SIZES)
def test_nobody_needs_anything_after_the_end(size: tuple[int, int]) -> None:
    """Points to reach and steps to go are told while they can be made."""

    async def scene(pilot: Pilot[int], _: MatchScreen) -> None:
        wide = size[0] > 40  # otherwise the bar has to do
        assert ("more to win" in text_of(pilot.app)) == wide
        await resign(pilot)
        await pilot.pause()
        assert "more to win" not in text_of(pilot.app)
        assert "0 of 15" in text_of(pilot.app)

    play(Setup(game="number-connect", p1="human", p2="human"), scene, size)

    async def maze(pilot: Pilot[int], _: MatchScreen) -> None:
        assert "must move" in text_of(pilot.app)
        await resign(pilot)
        await pilot.pause()
        assert "must move" not in text_of(pilot.app)

    play(Setup(game="number-maze", p1="human", p2="human", board="1324/2132/4213/3421"), maze, size)
