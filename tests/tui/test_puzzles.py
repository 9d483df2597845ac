"""Puzzles in the app: found move by move until they are won, with progress and a streak."""

from __future__ import annotations

import datetime as dt
from collections.abc import Awaitable, Callable
from itertools import cycle, product

import pytest
from textual.pilot import Pilot
from textual.widgets import Button, Static

from gridwise import Game, games
from gridwise.core.registry import game as game_named
from gridwise.engine.puzzles import PuzzleLine, levels, puzzle_at, puzzle_of_the_day
from gridwise.play.look_back import BEST
from gridwise.play.puzzle_progress import add_solved, load_progress
from gridwise.tui.app import GridwiseApp
from gridwise.tui.screens.puzzles import WRONG, PuzzleScreen
from gridwise.tui.widgets.dialogs import AskScreen
from gridwise.tui.widgets.forms import Chooser
from tests.sizes import sample
from tests.tui.pilots import SIZES, Size, in_app, press_until, text_of, until, until_screen
from tests.tui.players import click_cell, press_towards

TODAY = dt.date(2026, 11, 18)  # a Wednesday: difficulty 2
Find = Callable[[Pilot[int], PuzzleScreen, int], Awaitable[None]]


async def opened(
    app: GridwiseApp, pilot: Pilot[int], game: Game | None = None, **options: object
) -> PuzzleScreen:
    """The screen with its first puzzle."""
    app.push_screen(PuzzleScreen(game, **{"seed": 3, "today": TODAY, **options}))  # type: ignore[arg-type] # as given
    await until_screen(pilot, "PuzzleScreen")
    screen = app.screen
    assert isinstance(screen, PuzzleScreen)
    await ready(pilot, screen)
    return screen


async def ready(pilot: Pilot[int], screen: PuzzleScreen) -> None:
    """Wait until there is something to find, or nothing more."""
    await until(pilot, lambda: screen.is_open or is_solved(screen), "a move to find")
    await pilot.pause()


def is_solved(screen: PuzzleScreen) -> bool:
    """Whether the puzzle is won."""
    return bool(screen.line and screen.line.is_solved and not screen._busy)


def line_of(screen: PuzzleScreen) -> PuzzleLine:
    """The line that is being played."""
    assert screen.line
    return screen.line


def said(screen: PuzzleScreen) -> str:
    """What the screen says."""
    return str(screen.query_one("#said", Static).content)


async def by_keys(pilot: Pilot[int], screen: PuzzleScreen, action: int) -> None:
    """Play a move with arrows and Enter."""
    position = line_of(screen).position
    await press_towards(pilot, screen.board, position.target(action))
    await pilot.press("enter")
    question = position.question(action)
    if question:
        await until(pilot, lambda: isinstance(pilot.app.screen, AskScreen), "the question")
        await pilot.press(str(1 + list(question.answers.values()).index(action)))


async def by_mouse(pilot: Pilot[int], screen: PuzzleScreen, action: int) -> None:
    """Play a move with clicks."""
    position = line_of(screen).position
    await click_cell(pilot, screen, position.target(action))
    question = position.question(action)
    if question:
        await until(pilot, lambda: isinstance(pilot.app.screen, AskScreen), "the question")
        number = list(question.answers.values()).index(action)
        await pilot.click(list(pilot.app.screen.query(Button))[number])


async def by_typing(pilot: Pilot[int], screen: PuzzleScreen, action: int) -> None:
    """Type a move as the game writes it, in lower case."""
    text = line_of(screen).position.name(action).casefold()
    await pilot.press(*("exclamation_mark" if char == "!" else char for char in text), "enter")


async def solved(pilot: Pilot[int], screen: PuzzleScreen, find: Find) -> None:
    """Solve the puzzle that is shown."""
    while not is_solved(screen):
        await ready(pilot, screen)
        before = line_of(screen)
        if not is_solved(screen):
            await find(pilot, screen, before.step.solution.action)
            await until(pilot, lambda b=before: line_of(screen) is not b, "the move is made")  # type: ignore[misc]
            await ready(pilot, screen)


# Usually each game with keys or the mouse, with the three windows in turn, and typed.
WAYS = by_keys, by_mouse, by_typing
EVERY_WAY = list(product(games(), WAYS, SIZES))
IN_TURN = [
    *zip(games(), cycle(WAYS[:2]), cycle(SIZES), strict=False),
    *zip(games(), cycle(WAYS[2:]), cycle([(80, 24)]), strict=False),
]


@pytest.mark.parametrize(("game", "find", "size"), sample(IN_TURN, long=EVERY_WAY))
@in_app()
async def test_a_puzzle_is_played_to_its_end(
    app: GridwiseApp, pilot: Pilot[int], game: Game, find: Find, size: Size
) -> None:
    """The opponent answers, you find the next move; in the end it is solved, and counted."""
    screen = await opened(app, pilot, game)
    await pilot.press("plus", "plus")
    await until(pilot, lambda: screen.is_open, "another puzzle")
    line = line_of(screen)
    assert game.title in text_of(app)
    assert line.puzzle.difficulty == levels(game)[1]
    await solved(pilot, screen, find)
    assert line_of(screen).clean
    assert said(screen).startswith("Solved on the first try! You won: ")
    assert load_progress().count(game.key, line.puzzle.difficulty) == 1
    assert "1 puzzle solved" in text_of(app)


@in_app()
async def test_a_wrong_move_is_refuted_and_marked(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """The puzzle stays where it is; solved later, it was not on the first try."""
    screen = await opened(app, pilot, game_named("number-connect"))
    line = line_of(screen)
    wrong = next(
        each.action for each in line.step.evaluation.moves if not line.is_right(each.action)
    )
    await by_keys(pilot, screen, wrong)
    await until(pilot, lambda: not line_of(screen).clean, "it is refuted")
    await pilot.pause()
    assert said(screen).casefold().startswith(f"{line.position.name(wrong)} ".casefold())
    assert screen.board.marks[line.position.target(wrong)] == WRONG
    assert line_of(screen).position == line.position
    await pilot.press("0", "escape")
    assert app.screen is screen, "Escape closes the line first"
    assert not screen.is_typing
    await solved(pilot, screen, by_keys)
    assert said(screen).startswith("Solved! You won: ")


@in_app()
async def test_the_answer_is_shown_and_not_counted(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """The move is marked and explained; nothing more can be found, and the next one comes."""
    screen = await opened(app, pilot, game_named("number-maze"))
    for by_mouse in (False, True):
        first = line_of(screen)
        solution = first.step.solution
        await (pilot.click("#answer-button") if by_mouse else pilot.press("x"))
        await until(pilot, lambda: "Best play:" in said(screen), "the answer")
        assert not line_of(screen).clean
        assert f"Only {solution.move} wins" in said(screen)
        assert screen.board.marks[first.position.target(solution.action)] == BEST
        assert not screen.board.selectable
        assert load_progress().count() == 0
        # The focus is on Next. For a moment after it was pressed Textual takes no click on it.
        button = screen.query_one("#next-button")
        await until(pilot, lambda b=button: not b.has_class("-active"), "it is up")  # type: ignore[misc]
        await (pilot.click("#next-button") if by_mouse else pilot.press("enter"))
        await until(
            pilot,
            lambda f=first: screen.is_open and line_of(screen).puzzle != f.puzzle,  # type: ignore[misc]
            "the next",
        )


@in_app()
async def test_the_puzzle_of_the_day_makes_a_streak(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """It is the same as on the web; solved three days in a row, the screen says so."""
    for back in (2, 1):
        add_solved("number-run", 1, TODAY - dt.timedelta(days=back))
    screen = await opened(app, pilot, daily=True)
    assert "Puzzle rating: 1100" in text_of(app)
    assert line_of(screen).puzzle == puzzle_at(puzzle_of_the_day(TODAY))
    assert "Today's puzzle" in text_of(app)
    assert "Streak: 2 days" in text_of(app)
    await solved(pilot, screen, by_keys)
    assert load_progress().streak(TODAY) == 3
    assert "Streak: 3 days" in text_of(app)
    await pilot.press("n")
    await until(pilot, lambda: screen.is_open, "any other puzzle")
    assert not screen.daily
    await pilot.press("y")
    await until(pilot, lambda: screen.daily and screen.is_open, "today's again")
    assert "solved it already" in said(screen)


@in_app()
async def test_game_and_difficulty_are_chosen(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """By keys, and by a click on the choosers; Next is another puzzle, and Escape goes back.

    Nothing was solved then.
    """
    screen = await opened(app, pilot)
    first = games()[0]
    await pilot.press("g")
    await until(pilot, lambda: screen.is_open, "a puzzle of the first game")
    assert line_of(screen).position.game is first
    await pilot.press("plus", "plus", "plus", "minus")
    await until(pilot, lambda: screen.is_open, "a harder puzzle")
    wanted = levels(first)[1]
    assert screen.query_one("#level", Chooser).value == str(wanted)
    assert line_of(screen).puzzle.difficulty == wanted
    assert await pilot.click("#game", offset=(20, 0))
    await until(pilot, lambda: screen.is_open, "a puzzle of the next game")
    assert line_of(screen).position.game is games()[1]
    before = line_of(screen).puzzle
    await pilot.press("n")
    await until(pilot, lambda: screen.line and line_of(screen).puzzle != before, "the next")
    await press_until(pilot, "HomeScreen", "escape")
    assert load_progress().count() == 0


@in_app()
async def test_only_levels_that_exist_are_offered(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """Harder than the hardest is the first choice again: rising."""
    hiding = next(game for game in games() if game.has_hidden_cells)
    screen = await opened(app, pilot, hiding)
    chooser, offered = screen.query_one("#level", Chooser), []
    for _ in range(len(levels(hiding)) + 1):
        await pilot.press("plus")
        offered.append(chooser.value)
        assert not chooser.value or line_of(screen).puzzle.difficulty == int(chooser.value)
    assert offered == [*map(str, levels(hiding)), ""]


@in_app()
async def test_an_earlier_day_is_played_and_adds_nothing_to_the_streak(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """With [ and ], or the button; there is no day after today."""
    screen = await opened(app, pilot, daily=True)
    await pilot.press("left_square_bracket", "left_square_bracket")
    await pilot.click("#earlier-button")
    day = TODAY - dt.timedelta(days=3)
    await until(
        pilot,
        lambda: screen.line and line_of(screen).puzzle == puzzle_at(puzzle_of_the_day(day)),
        "the puzzle of that day",
    )
    assert "Puzzle of 15 November 2026" in text_of(app)
    await solved(pilot, screen, by_keys)
    assert load_progress().count() == 1
    assert load_progress().days == frozenset()
    for _ in range(5):
        await pilot.press("right_square_bracket")
    assert screen.day == TODAY


@in_app()
async def test_the_rating_moves_once_a_puzzle(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """A hint costs, at once; solving it then, or once more, brings nothing."""
    screen = await opened(app, pilot, daily=True)
    await pilot.press("i")
    await until(pilot, lambda: load_progress().results == 1, "the result is kept")
    after = load_progress().rating
    assert after < 1100
    assert f"Puzzle rating: {round(after)}" in text_of(app)
    await solved(pilot, screen, by_keys)
    await pilot.press("n")
    await until(pilot, lambda: screen.is_open, "another one")
    await pilot.press("y")
    await until(pilot, lambda: screen.daily and screen.is_open, "today's again")
    await solved(pilot, screen, by_keys)
    assert (load_progress().rating, load_progress().results) == (after, 1)


@in_app()
async def test_the_solution_is_stepped_through_with_words(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """After the answer: the arrows go from move to move, each with why it is played."""
    screen = await opened(app, pilot, game_named("number-maze"))
    moves = line_of(screen).solution()
    await pilot.press("right")
    assert screen.board.view == moves[0].before.view  # it is no command before it is over
    await pilot.press("x")
    for number, move in enumerate(moves, 1):
        await pilot.press("right")
        await until(pilot, lambda m=move: m.why in said(screen), "the reason")  # type: ignore[misc]
        assert said(screen).startswith(f"{number} of {len(moves)}: ")
        assert screen.board.view == move.after.view
    await pilot.press("right", "left")
    assert screen.board.view == moves[-1].before.view
