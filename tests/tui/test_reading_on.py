"""Words that have no room: the footer has the key that reads on, and what to do comes to light."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot
from textual.widgets._footer import FooterKey

from gridwise import Match, games
from gridwise.core.game import Game
from gridwise.tui.app import GridwiseApp
from gridwise.tui.screens.board_screen import TypingScreen
from tests.tui.pilots import SIZES, in_app, text_of, until, until_screen


def offers_more(app: GridwiseApp) -> bool:
    """Whether the last line has the key that reads on."""
    return "More" in [each.description for each in app.screen.query(FooterKey)]


async def read_to_the_end(app: GridwiseApp, pilot: Pilot[int], last: str) -> None:
    """Press the key that is offered until the last words are on the screen."""
    words = app.screen.query_one("#words")
    for _ in range(9):
        if last in text_of(app):
            return
        assert offers_more(app)
        await pilot.press("pagedown")
    assert last in text_of(app) or words.max_scroll_y == 0


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
@in_app(*SIZES)
async def test_what_to_do_in_a_lesson_can_be_seen(
    app: GridwiseApp, pilot: Pilot[int], game: Game
) -> None:
    """At once, or by the key that the footer has."""
    app.open("lesson", game)
    await until_screen(pilot, "LessonScreen")
    screen = app.screen
    assert isinstance(screen, TypingScreen)
    words = screen.query_one("#words")
    await pilot.pause()
    await until(pilot, lambda: offers_more(app) or not words.max_scroll_y, "the key is offered")
    assert game.lesson
    await read_to_the_end(app, pilot, game.lesson.steps[0].say.split()[-1])


@in_app(*SIZES)
async def test_what_a_review_says_can_be_read(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """Where there is more than is shown, and only there."""
    match = Match("number-maze", "1324/2132/4213/3421", moves=["right", "left", "down", "up"])
    app.open("review", match.record(("human", "bot:casual")))
    await until_screen(pilot, "ReviewScreen")
    await until(pilot, lambda: app.screen.review, "the review is ready")  # type: ignore[attr-defined]
    words = app.screen.query_one("#words")
    for _ in range(5):
        await until(pilot, lambda: not words.max_scroll_y or offers_more(app), "it is offered")
        await pilot.press("left")
        await pilot.pause()
    if app.size.width == 40:
        await pilot.press("end")
        await until(pilot, lambda: offers_more(app), "it is offered")
