"""Guided first games in the app: the same steps and words as in the browser."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from gridwise import Game, games
from gridwise.core.registry import game as game_named
from gridwise.play.lesson import lesson_place
from gridwise.play.look_back import BEST
from gridwise.tui.app import GridwiseApp
from gridwise.tui.screens.lesson import LessonScreen
from gridwise.tui.widgets.dialogs import AskScreen
from tests.tui.pilots import SOME_SIZES, in_app, press_until, text_of, until, until_screen
from tests.tui.players import click_cell, press_towards


async def opened(app: GridwiseApp, pilot: Pilot[int], game: Game) -> LessonScreen:
    """The lesson of a game, at its first step."""
    app.open("lesson", game)
    await until_screen(pilot, "LessonScreen")
    assert isinstance(app.screen, LessonScreen)
    return app.screen


def said(screen: LessonScreen) -> str:
    """What the screen says, without its line breaks."""
    return " ".join(str(screen.query_one("#said", Static).content).split())


async def arrived(pilot: Pilot[int], screen: LessonScreen, number: int) -> None:
    """Wait for a step, once all is shown that leads to it."""
    await until(
        pilot, lambda: screen._place.number == number and not screen._busy, f"step {number}"
    )
    await pilot.pause()


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
@in_app(*SOME_SIZES)
async def test_every_lesson_is_played_to_its_end_with_typed_moves(
    app: GridwiseApp, pilot: Pilot[int], game: Game
) -> None:
    """Each step says what the lesson has, and marks the cell; at the end a real game is a key away.

    The moves are typed as the lesson writes them, in lower case.
    """
    screen, lesson = await opened(app, pilot, game), game.lesson
    assert lesson
    assert lesson.opening in said(screen)
    for number, step in enumerate(lesson.steps, 1):
        assert step.say in said(screen)
        marked = {cell for cell, mark in screen.board.marks.items() if mark == BEST}
        assert marked == {*lesson_place(game, number).look}
        typed = step.move.casefold().replace("!", "")
        await pilot.press(*typed, *["exclamation_mark"] * step.move.count("!"), "enter")
        await arrived(pilot, screen, number + 1)
        assert step.because in said(screen)
    assert lesson.end in said(screen)
    assert screen.shown.outcome
    assert screen.shown.outcome.winner == 1
    await press_until(pilot, "NewGameScreen", "p")
    assert game.title in text_of(app)
    await press_until(pilot, "HomeScreen", "escape")


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
@in_app()
async def test_the_line_that_goes_wrong_is_shown_and_left_again(
    app: GridwiseApp, pilot: Pilot[int], game: Game
) -> None:
    """By its key or by making its first move; then the lesson goes on where it was."""
    screen, lesson = await opened(app, pilot, game), game.lesson
    assert lesson
    number, step = next(each for each in enumerate(lesson.steps, 1) if each[1].trap)
    trap = step.trap
    assert trap
    for earlier in range(1, number):
        screen._answer(screen.shown.read(lesson.steps[earlier - 1].move))
        await arrived(pilot, screen, earlier + 1)
    assert "What if" in text_of(app)
    before = screen.shown
    for way in ("w", "move"):
        if way == "w":
            await pilot.press("w")
        else:
            screen._answer(before.read(trap.moves.split()[0]))
            await pilot.pause()
            if isinstance(app.screen, AskScreen):
                await pilot.press("n")
        await until(pilot, lambda: screen._trapped and not screen._busy, "the line is shown")
        assert trap.say in said(screen)
        assert trap.because in said(screen)
        assert not screen.board.selectable
        await pilot.press("enter" if way == "w" else "n")
        await until(pilot, lambda: screen.asked, "back")
        assert screen.shown == before
        assert step.say in said(screen)


@in_app()
async def test_another_move_is_answered_and_can_be_put_right(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """With arrows or a click, a legal one and one that is not; a step can be taken back."""
    game = game_named("number-run")
    screen, lesson = await opened(app, pilot, game), game.lesson
    assert lesson
    await press_towards(pilot, screen.board, 5)
    await pilot.press("enter")
    await until(pilot, lambda: lesson.steps[0].otherwise in said(screen), "it is answered")
    await click_cell(pilot, screen, 12)
    await until(pilot, lambda: "2,2" in said(screen), "it is refused")
    assert screen.shown.history == ()
    await pilot.press("d", "escape")
    assert app.screen is screen, "Escape closes the line first"
    assert not screen.is_typing
    await click_cell(pilot, screen, 1)
    await arrived(pilot, screen, 2)
    assert screen.shown.moves == ["0,1", "3,4"]
    await pilot.press("z")
    await arrived(pilot, screen, 1)
    assert screen.shown.history == ()


@in_app()
async def test_a_lesson_is_a_key_away(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """From the home screen, from the rules, and by its name among the commands."""
    for keys in ("l", "hl"):
        await press_until(pilot, "LessonScreen", *keys)
        assert "Learn Number Run" in text_of(app)
        while len(app.screen_stack) > 2:
            await pilot.press("escape")
    names = [each.title for each in app.get_system_commands(app.screen)]
    assert {f"Learn {game.title}" for game in games()} <= {*names}


@in_app((40, 20))
async def test_words_that_are_too_long_can_be_read_on(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """With a key, as with the mouse; from their end it goes back to where they begin."""
    screen = await opened(app, pilot, game_named("number-run"))
    words = screen.query_one("#words")
    await until(pilot, lambda: words.max_scroll_y > 0, "there is more than is shown")
    await pilot.press("pagedown")
    await until(pilot, lambda: words.scroll_offset.y > 0, "it goes on")
    for _ in range(9):
        if not words.scroll_offset.y:
            break
        await pilot.press("pagedown")
        await pilot.pause()
    assert words.scroll_offset.y == 0
