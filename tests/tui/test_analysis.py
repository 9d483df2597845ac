"""The analysis board in the app: played for both sides, with values, and edited."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from gridwise import Match, game, games
from gridwise.engine.evaluation import evaluate
from gridwise.engine.review import what_if_limits
from gridwise.play.analysis_board import AnalysisBoard
from gridwise.play.records import record_text
from gridwise.play.values import cell_values
from gridwise.tui.app import GridwiseApp
from gridwise.tui.screens.analysis import AnalysisScreen
from tests.tui.pilots import SOME_SIZES, in_app, until, until_screen
from tests.tui.players import click_cell

RUN_BOARD = "31425/25134/42513/14252/53142"
# Player 1 to move: 2,2 wins in three moves.
MOVES = ["0,1", "3,4", "1,1", "3,3", "1,2", "2,3"]


async def opened(app: GridwiseApp, pilot: Pilot[int], board: AnalysisBoard) -> AnalysisScreen:
    """The analysis of a board, once the first position is evaluated."""
    app.open("analysis", board)
    await until_screen(pilot, "AnalysisScreen")
    screen = app.screen
    assert isinstance(screen, AnalysisScreen)
    await until(pilot, lambda: screen.board.values, "it is evaluated")
    return screen


def run(*moves: str) -> AnalysisBoard:
    """A board of Number Run."""
    played = game("number-run")
    return AnalysisBoard(played, played.parse_board(RUN_BOARD), moves=moves or MOVES)


def said(screen: AnalysisScreen) -> str:
    """The words beside the board."""
    return str(screen.query_one("#said", Static).content)


async def typed(pilot: Pilot[int], screen: AnalysisScreen, text: str) -> None:
    """Open the line, type into it and send it."""
    await pilot.press("m")
    screen.query_one("#text", Input).value = text
    await pilot.press("enter")
    await pilot.pause()


@pytest.mark.parametrize("each", games(), ids=lambda each: each.key)
@in_app((80, 24), (100, 30))
async def test_every_game_opens_from_the_home_screen_with_values_on(
    app: GridwiseApp, pilot: Pilot[int], each: object
) -> None:
    """One key, for the game that has the focus."""
    number = next(at for at, played in enumerate(games(), 1) if played is each)
    app.screen.query("GameCard")[number - 1].focus()
    await pilot.pause()
    await pilot.press("a")
    await until_screen(pilot, "AnalysisScreen")
    screen = app.screen
    assert isinstance(screen, AnalysisScreen)
    assert screen.game is each
    await until(pilot, lambda: screen.board.values, "it is evaluated")
    position = screen.analysis.position
    assert set(screen.board.values) == {position.target(action) for action in position.legal}


@in_app(*SOME_SIZES)
async def test_moves_are_made_for_both_sides_and_gone_through(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """By the mouse and typed; back and on; what lies ahead stays until another move is made."""
    screen = await opened(app, pilot, run())
    position = screen.analysis.position
    assert screen.board.values == cell_values(
        position, evaluate(position, what_if_limits(position.game))
    )
    assert "Blue can force a win in 3 moves." in said(screen)
    await click_cell(pilot, screen, position.target(position.read("0,2")))
    await until(pilot, lambda: screen.analysis.moves == [*MOVES, "0,2"], "the move is made")
    await until(pilot, lambda: "Red can force a win" in said(screen), "it is evaluated")
    await typed(pilot, screen, "2,2")
    await until(pilot, lambda: screen.analysis.moves == [*MOVES, "0,2", "2,2"], "so is the other")
    await pilot.press("comma", "comma")
    assert screen.analysis.position == position
    await pilot.press("full_stop")
    assert screen.analysis.position == position.after("0,2")
    await pilot.press("backspace")
    assert screen.analysis.moves == MOVES
    await pilot.press("v")
    assert screen.board.values == {}


@in_app()
async def test_best_play_lies_ahead(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """Five plies, after which Player 1 has won."""
    screen = await opened(app, pilot, run())
    await pilot.press("f")
    await until(pilot, lambda: len(screen.analysis.moves) == len(MOVES) + 5, "the line is there")
    assert screen.analysis.position.moves == MOVES
    await pilot.press("end")
    outcome = screen.analysis.position.outcome
    assert outcome
    assert outcome.winner == 1
    assert "Blue won" in said(screen)


@in_app()
async def test_cells_are_edited(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """What is typed is put into the cells from the cursor on; a click counts one up; moves stay."""
    screen = await opened(app, pilot, run("0,1", "3,4"))
    await pilot.press("f2")
    screen.board.cursor = 24
    await pilot.press("5")
    assert screen.analysis.board.cells[24] == 5
    assert screen.board.cursor == 0
    screen.board.cursor = 21
    await pilot.press("4", "2")
    assert screen.analysis.board.cells[21:23] == (4, 2)
    await click_cell(pilot, screen, 23)
    assert screen.analysis.board.cells[23] == 5  # it was 4
    await pilot.press("9")  # no such number: nothing happens
    assert screen.analysis.board.cells[23] == 5
    assert screen.analysis.moves == ["0,1", "3,4"]
    assert screen.board.values == {}
    await pilot.press("escape")
    await until(pilot, lambda: screen.board.values, "it is evaluated anew")
    await pilot.press("escape")
    await until_screen(pilot, "HomeScreen")


@in_app()
async def test_a_board_a_size_a_record_and_a_link_can_be_given(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """What cannot be read is answered with what could be, and the board stays."""
    screen = await opened(app, pilot, run())
    await typed(pilot, screen, "12345/54321")
    assert (screen.analysis.board.rows, screen.analysis.moves) == (2, [])
    await typed(pilot, screen, "3x3")
    assert screen.analysis.board.size == 9
    before = screen.analysis
    await typed(pilot, screen, "12/9")
    assert "different lengths" in said(screen)
    assert screen.analysis is before
    await typed(pilot, screen, "nonsense")
    assert "nonsense" in said(screen)
    await typed(pilot, screen, run("0,1").link)
    assert screen.analysis.moves == ["0,1"]
    match = Match("number-maze", "1324/2132/4213/3421", moves=["right", "left"])
    screen.read_typed(record_text(match.record()))
    assert (screen.game.key, screen.analysis.moves) == ("number-maze", ["right", "left"])


@in_app()
async def test_what_is_unknown_stays_hidden_until_it_is_entered(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """Chances are on the board; a move that would turn it up says which numbers it lacks."""
    played = game("grid-conquest")
    board = played.parse_board("53152/24251/43453/?1523/?2214")
    screen = await opened(app, pilot, AnalysisBoard(played, board, moves=["C3"]))
    assert {each.kind for each in screen.board.values.values()} == {"chance"}
    view = screen.board.view
    assert view
    assert all(each.value == 0 for each in view.cells if each.hidden)
    await typed(pilot, screen, "D1")
    await until(pilot, lambda: "D1 and E1 would be turned up" in said(screen), "it is refused")
    assert screen.analysis.moves == ["C3"]
    await pilot.press("f2")
    for cell, number in ((15, "4"), (20, "2")):
        screen.board.cursor = cell
        await pilot.press(number)
    await pilot.press("escape")
    await typed(pilot, screen, "D1")
    await until(pilot, lambda: screen.analysis.moves == ["C3", "D1"], "it is made")


@in_app()
async def test_the_review_leads_to_the_analysis_of_where_one_is(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """With the rest of the game ahead."""
    app.open("review", Match("number-run", RUN_BOARD, moves=MOVES).record())
    await until_screen(pilot, "ReviewScreen")
    await pilot.press("home", "right", "a")
    await until_screen(pilot, "AnalysisScreen")
    screen = app.screen
    assert isinstance(screen, AnalysisScreen)
    assert (screen.analysis.place, screen.analysis.moves) == (1, MOVES)
