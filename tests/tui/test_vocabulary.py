"""What the players are called on a screen: by name, as you, or Blue and Red; never by number."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from gridwise import Match, game
from gridwise.play.analysis_board import AnalysisBoard
from gridwise.play.library import Library
from gridwise.play.setup import Setup
from gridwise.players.new_match import set_up
from gridwise.tui.app import GridwiseApp
from gridwise.tui.screens.analysis import AnalysisScreen
from gridwise.tui.screens.review import ReviewScreen
from tests.tui.pilots import SIZES, in_app, text_of, until, until_screen, until_text
from tests.tui.players import RUN

RUN_BOARD = "31425/25134/42513/14252/53142"
MOVES = ["0,1", "3,4", "1,1", "3,3", "1,2", "2,3", "0,2", "2,2"]
MAZE_BOARD = "1324/2132/4213/3421"
RUN_GAME = game("number-run")


def numbered(app: GridwiseApp) -> list[str]:
    """What stands on the screen, or out of sight, that calls somebody by a number."""
    parts = [text_of(app), *(str(each.content) for each in app.screen.query(Static))]
    return [part for part in parts if "Player 1" in part or "Player 2" in part]


@in_app(*SIZES)
async def test_two_people_without_names_are_blue_and_red(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """Whose turn it is, the legend, the panels, the log and the end."""
    app.open("play", set_up(RUN), RUN)
    await until_text(pilot, "Blue's turn")
    await pilot.press("0", "comma", "1", "enter")
    await until_text(pilot, "Red's turn")
    assert numbered(app) == []
    await pilot.press("question_mark")
    await until_screen(pilot, "HelpScreen")
    assert numbered(app) == []
    await pilot.press("escape", "g")
    await until_screen(pilot, "AskScreen")
    await until_text(pilot, "Does Red resign?")
    await until_text(pilot, "Blue wins then.")
    await pilot.press("y")
    await until_text(pilot, "Blue won: Red resigned")
    assert numbered(app) == []


@pytest.mark.parametrize(
    "players", [("human", "human"), ("human", "bot:casual"), ("bot:weak", "human:Ann")]
)
@in_app(*SIZES)
async def test_a_review_knows_no_numbers(
    app: GridwiseApp, pilot: Pilot[int], players: tuple[str, str]
) -> None:
    """Of a finished and of an unfinished game: the heading, the curve, the list and the words."""
    for resigned in (0, 2):
        match = Match("number-run", RUN_BOARD, moves=MOVES)
        if resigned:
            match.resign(resigned)
        app.open("review", match.record(players))
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, ReviewScreen)
        assert numbered(app) == []
        await until(pilot, lambda s=screen: s.review, "the review is ready")  # type: ignore[misc]
        for key in ("home", *["right"] * len(MOVES), "m", "escape", "f"):
            await pilot.press(key)
            await pilot.pause()
            assert numbered(app) == []
        about = str(screen.query_one("#about", Static).content)
        assert about.startswith("● Blue: ")
        assert "◆ Red: " in about
        lines = [str(each.prompt) for each in screen.moves.options]
        assert [line[5] for line in lines[: len(MOVES)]] == ["●", "◆"] * (len(MOVES) // 2)
        if not resigned:
            whose = {"human": "Blue" if players[1] == "human" else "you"}.get(players[0], "bot")
            assert "Unfinished: " in lines[-1]
            assert f"{whose} to move." in lines[-1]
        await pilot.press("end", "p")
        if not resigned:
            await until_screen(pilot, "AskScreen")
            assert numbered(app) == []
            await pilot.press("1")
            await until_text(pilot, "Who plays Red?")
            await pilot.press("escape")
            await until_screen(pilot, "ReviewScreen")
        app.go_home()
        await until_screen(pilot, "HomeScreen")


@in_app(*SIZES)
async def test_the_analysis_board_has_blue_and_red(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """Who is to move, before and after it is evaluated, why, and how it ends."""
    app.open("analysis", AnalysisBoard(RUN_GAME, RUN_GAME.parse_board(RUN_BOARD), moves=MOVES[:6]))
    await pilot.pause()
    screen = app.screen
    assert isinstance(screen, AnalysisScreen)
    await until_text(pilot, "Blue can force a win")
    for key in ("v", "v", "f"):
        await pilot.press(key)
        assert numbered(app) == []
    await until(pilot, lambda: len(screen.analysis.moves) > 6, "the line is there")
    await pilot.press("end")
    assert numbered(app) == []
    await until_text(pilot, "Blue won")


@in_app(*SIZES)
async def test_my_games_say_who_won_by_name(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """Of two people with names or without, and of two bots."""
    for one, two, said in (
        ("human:Ann", "human:Ben", "Ben won"),
        ("human", "human", "Red won"),
        ("bot:weak", "bot:novice", "Novice"),
    ):
        match = Match("number-maze", MAZE_BOARD, moves=["right", "left", "down", "up"])
        Library().new(match.record((one, two)))
        assert match.outcome
        await pilot.press("m")
        await until_text(pilot, said)
        assert "P2 won" not in text_of(app)
        await pilot.press("enter")
        await until_screen(pilot, "AskScreen")
        await until_text(pilot, said)
        assert numbered(app) == []
        await pilot.press("escape", "escape")
        await until_screen(pilot, "HomeScreen")


@in_app(*SIZES)
async def test_the_form_asks_for_the_names_of_blue_and_red(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """And for the bots to watch."""
    setup = Setup(game="number-run")
    for watch in (False, True):
        app.open("new_game", game(setup.game), watch=watch)
        await pilot.pause()
        assert numbered(app) == []
        await pilot.press("escape")
        await until_screen(pilot, "HomeScreen")
