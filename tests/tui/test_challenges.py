"""A challenge is asked about at the cell, with its stakes, and answered by key or by mouse."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from gridwise.engine.hints import hint
from gridwise.tui.screens.play_screen import PlayScreen
from gridwise.tui.widgets.dialogs import AskScreen
from tests.tui.pilots import text_of, until
from tests.tui.players import RUN, play, settled, type_move, type_moves

TOGETHER = "0,1 3,4 0,2 2,4 1,2 2,3"  # now a step to 1,3 or 2,2 ends beside Player 2


def test_a_challenge_is_asked_at_the_cell_with_its_stakes() -> None:
    """Player 1 has 6 points and would have 9; Player 2 has 6."""

    async def scene(pilot: Pilot[int], screen: PlayScreen) -> None:
        await type_moves(pilot, screen, TOGETHER)
        await type_move(pilot, screen, *"1,3")
        assert isinstance(pilot.app.screen, AskScreen)
        shown = text_of(pilot.app)
        assert "Challenge, 9 against 6" in shown
        assert "Just step" in shown
        assert len(screen.session.match.moves) == 6, "nothing is decided yet"
        box = pilot.app.screen.query_one("Vertical").region
        cell = screen.board.cell_region(8)
        assert box.x - cell.right in range(4)
        assert box.y <= cell.y <= box.bottom

    play(RUN, scene)


@pytest.mark.parametrize(
    ("keys", "move"),
    [
        (["enter"], "1,3!"),
        (["down", "enter"], "1,3"),
        (["j", "k", "enter"], "1,3!"),
        (["1"], "1,3!"),
        (["2"], "1,3"),
    ],
)
def test_a_challenge_is_answered_with_keys(keys: list[str], move: str) -> None:
    """Arrows and Enter, or the number of the answer."""

    async def scene(pilot: Pilot[int], screen: PlayScreen) -> None:
        await type_moves(pilot, screen, TOGETHER)
        await type_move(pilot, screen, *"1,3")
        await pilot.press(*keys)
        await until(pilot, lambda: pilot.app.screen is screen)
        await settled(pilot, screen)
        assert screen.session.match.moves[-1] == move

    play(RUN, scene)


def test_escape_takes_the_step_back() -> None:
    """The question is gone, and another step can be chosen."""

    async def scene(pilot: Pilot[int], screen: PlayScreen) -> None:
        await type_moves(pilot, screen, TOGETHER)
        await type_move(pilot, screen, *"1,3")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is screen)
        await settled(pilot, screen)
        assert len(screen.session.match.moves) == 6
        view = screen.board.view
        assert view
        assert view.cells[7].token == 1, "the token is back on 1,2"
        assert screen.board.selectable

    play(RUN, scene)


def test_a_typed_challenge_is_not_asked_about() -> None:
    """As on the command line: `1,3!` says it all, and the log says how it went."""

    async def scene(pilot: Pilot[int], screen: PlayScreen) -> None:
        await type_moves(pilot, screen, TOGETHER)
        await type_move(pilot, screen, *"1,3", "exclamation_mark")
        assert screen.session.match.moves[-1] == "1,3!"
        assert (
            "challenged: 9 beats 6. Player 2 is back home with 0 points" in screen.session.log[-1]
        )
        assert "back home" in text_of(pilot.app)

    play(RUN, scene)


def test_a_hint_at_a_question_is_about_its_answers() -> None:
    """As in the dialogue, it says yes or no."""

    async def scene(pilot: Pilot[int], screen: PlayScreen) -> None:
        await type_moves(pilot, screen, TOGETHER)
        position = screen.session.match.position
        question = position.question(position.read("1,3"))
        assert question
        await type_move(pilot, screen, *"1,3")
        await pilot.press("i")
        wanted = hint(position, question.answers).text
        words = " ".join(wanted.split()[:4])
        await until(pilot, lambda: words in text_of(pilot.app), words)

    play(RUN, scene)


def test_enter_does_not_challenge_at_a_disadvantage() -> None:
    """Player 1 has 6 points and would have 9, Player 2 has 10: Enter just steps."""

    async def scene(pilot: Pilot[int], screen: PlayScreen) -> None:
        await type_moves(pilot, screen, "0,1 4,3 0,2 3,3 1,2 2,3")
        await type_move(pilot, screen, *"1,3")
        assert isinstance(pilot.app.screen, AskScreen)
        assert "Challenge, 9 against 10" in text_of(pilot.app)
        await pilot.press("enter")
        await settled(pilot, screen)
        assert screen.session.match.moves[-1] == "1,3"

    play(RUN, scene)


def test_escape_leaves_the_cursor_on_the_cell() -> None:
    """Whoever takes a step back is where they were."""

    async def scene(pilot: Pilot[int], screen: PlayScreen) -> None:
        await type_moves(pilot, screen, TOGETHER)
        await type_move(pilot, screen, *"2,2")
        await pilot.press("escape")
        await settled(pilot, screen)
        assert screen.board.cursor == 12

    play(RUN, scene)
