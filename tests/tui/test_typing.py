"""The line for typed moves, which is the same on every screen that has one."""

from __future__ import annotations

import pytest
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.widgets._footer import FooterKey

from gridwise import Match, game
from gridwise.play.analysis_board import AnalysisBoard
from gridwise.play.setup import Setup
from gridwise.players.new_match import set_up
from gridwise.tui.app import GridwiseApp
from gridwise.tui.screens.board_screen import NOT_YET, TypingScreen
from gridwise.tui.screens.lesson import LessonScreen
from gridwise.tui.screens.match import MatchScreen
from gridwise.tui.screens.puzzles import PuzzleScreen
from tests.tui.pilots import in_app, text_of, until, until_screen
from tests.tui.players import RUN

MAZE = game("number-maze")
MAZE_BOARD = "1324/2132/4213/3421"
# How a screen with a line is opened, a key that opens it, and what Enter does.
SCREENS = {
    "play": ("u", "Play"),
    "lesson": ("u", "Play"),
    "puzzle": ("u", "Play"),
    "review": ("u", "Try"),
    "analysis": ("u", "Go"),
}


async def opened(app: GridwiseApp, pilot: Pilot[int], name: str) -> TypingScreen:
    """One of the screens, as soon as a move can be typed."""
    setup = Setup(game="number-maze", p1="human", p2="human", board=MAZE_BOARD)
    given: dict[str, tuple[object, ...]] = {
        "play": (set_up(setup), setup),
        "lesson": (MAZE,),
        "puzzle": (MAZE,),
        "review": (Match("number-maze", MAZE_BOARD, moves=["right", "left"]).record(),),
        "analysis": (AnalysisBoard(MAZE, MAZE.parse_board(MAZE_BOARD)),),
    }
    app.open(name, *given[name])
    await pilot.pause()
    screen = app.screen
    assert isinstance(screen, TypingScreen)
    if name == "review":
        await pilot.press("home")
    return screen


def footer(app: GridwiseApp) -> list[str]:
    """The keys in the last line, and what they do."""
    return [f"{key.key_display} {key.description}" for key in app.screen.query(FooterKey)]


@pytest.mark.parametrize("name", SCREENS)
@in_app((40, 20), (80, 24))
async def test_the_footer_has_the_keys_that_work_while_somebody_types(
    app: GridwiseApp, pilot: Pilot[int], name: str
) -> None:
    """Enter and Escape first; the others are characters of the move then."""
    opener, does = SCREENS[name]
    screen = await opened(app, pilot, name)
    before = footer(app)
    await pilot.press(opener)
    await until(pilot, lambda: screen.is_typing, "the line is open")
    await pilot.pause()
    assert footer(app)[:2] == [f"⏎ {does}", "esc Cancel"]
    assert set(footer(app)[2:]) <= {"pgdn More", "^q Quit", "^p Commands"}
    await pilot.press("escape")
    await pilot.pause()
    assert app.screen is screen
    assert footer(app) == before


@pytest.mark.parametrize("name", SCREENS)
@in_app()
async def test_a_colon_opens_the_commands_where_nothing_is_typed(
    app: GridwiseApp, pilot: Pilot[int], name: str
) -> None:
    """Behind a character it is one more."""
    opener, _ = SCREENS[name]
    screen = await opened(app, pilot, name)
    await pilot.press(opener, "colon")
    assert screen.move_line.value == "u:"
    await pilot.press("backspace", "backspace", "colon")
    await until_screen(pilot, CommandPalette.__name__)
    assert not screen.is_typing
    await pilot.press("escape")
    await until(pilot, lambda: app.screen is screen, "back")


@pytest.mark.parametrize("wrong", ["xyzzy", "up"])
@pytest.mark.parametrize("name", SCREENS)
@in_app()
async def test_after_an_error_the_line_is_open_and_empty(
    app: GridwiseApp, pilot: Pilot[int], name: str, wrong: str
) -> None:
    """So the Escape that follows leaves the line and not the screen. No token can go up here."""
    screen = await opened(app, pilot, name)
    if name == "puzzle":
        assert isinstance(screen, PuzzleScreen)
        assert screen.line
        legal = [screen.line.position.name(action) for action in screen.line.position.legal]
        wrong = (
            wrong
            if wrong == "xyzzy"
            else next(move for move in legal if move != screen.line.step.solution.move)
        )
    await pilot.press("slash", *wrong.casefold(), "enter")
    await pilot.pause()
    assert screen.is_typing
    assert screen.move_line.value == ""
    assert screen.move_line.has_focus
    await pilot.press("escape")
    assert app.screen is screen
    assert not screen.is_typing


@in_app((40, 20), (80, 24))
async def test_what_is_typed_while_the_other_side_moves_is_kept(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """Enter says that it is not your turn; once it is, Enter plays it."""
    app._delay = 0.4
    setup = Setup(game="number-run", p1="human", p2="bot:novice", board=RUN.board, seed=1)
    app.open("play", set_up(setup), setup)
    await pilot.pause()
    screen = app.screen
    assert isinstance(screen, MatchScreen)
    assert isinstance(screen, TypingScreen)
    await pilot.press("d", "enter")
    await until(pilot, lambda: len(screen.session.match.moves) == 1, "your move")
    await pilot.press("r", "enter")
    await until(pilot, lambda: not_yet(app), "it is said")
    assert screen.move_line.value == "r"
    await until(pilot, lambda: screen.asked, "the bot has moved")
    assert screen.move_line.has_focus
    assert not not_yet(app)
    await pilot.press("enter")
    await until(pilot, lambda: len(screen.session.match.moves) >= 3, "your next move")
    assert screen.session.match.moves[2] == "1,1"


def not_yet(app: GridwiseApp) -> bool:
    """Whether somebody is told to wait."""
    return NOT_YET[:20] in text_of(app)  # the rest may be in another line


@pytest.mark.parametrize("name", ["lesson", "puzzle"])
@in_app()
async def test_a_lesson_and_a_puzzle_keep_what_is_typed_ahead(
    app: GridwiseApp, pilot: Pilot[int], name: str
) -> None:
    """While they answer it waits; then Enter plays it."""
    app._delay = 0.4
    played = game("number-run") if name == "lesson" else MAZE
    app.open(name, played)
    await pilot.pause()
    screen = app.screen
    assert isinstance(screen, LessonScreen | PuzzleScreen)
    if isinstance(screen, LessonScreen):
        assert played.lesson
        first = played.lesson.steps[0].move
    else:
        assert screen.line
        first = screen.line.step.solution.move
    ahead = "d"
    await pilot.press("m", *first.casefold(), "enter")
    await until(pilot, lambda: not screen.asked, "it answers")
    await pilot.press("m", *ahead, "enter")
    await until(pilot, lambda: not_yet(app), "it is said")
    assert screen.move_line.value == ahead
    await until(pilot, lambda: screen.asked, "it has answered")
    assert screen.move_line.value == ahead
    assert screen.move_line.has_focus
