"""A challenge is asked about at the cell, with its stakes, and answered by key or by mouse."""

from __future__ import annotations

from textual.pilot import Pilot
from textual.widgets import Button

from gridwise.engine.hints import hint
from gridwise.tui.screens.match import MatchScreen
from gridwise.tui.widgets.dialogs import AskScreen
from tests.tui.pilots import text_of, until
from tests.tui.players import RUN, in_game, moving, play, press_towards, settled, type_move

MEETING_MOVES = "0,1 3,4 0,2 2,4 1,2 2,3"  # now a step to 1,3 or 2,2 ends beside Player 2


async def asked(pilot: Pilot[int], screen: MatchScreen) -> None:
    """Choose 1,3."""
    await press_towards(pilot, screen.board, 8)
    async with moving(pilot, screen):
        await pilot.press("enter")
    assert isinstance(pilot.app.screen, AskScreen)


async def answered(pilot: Pilot[int], screen: MatchScreen) -> list[str]:
    """The moves, once the question is gone."""
    await until(pilot, lambda: pilot.app.screen is screen, "the question is gone")
    await settled(pilot, screen)
    return screen.session.match.moves


@in_game(RUN, moves=MEETING_MOVES)
async def test_a_challenge_is_asked_at_the_cell_and_can_be_taken_back(
    pilot: Pilot[int], screen: MatchScreen
) -> None:
    """With its stakes: Player 1 has 6 points and would have 9; Player 2 has 6.

    A hint says yes or no, as in the dialogue. Escape leaves the token and the cursor where they
    were, and another step can be chosen.
    """
    position = screen.session.match.position
    await type_move(pilot, screen, *"1,3")
    assert isinstance(pilot.app.screen, AskScreen)
    shown = text_of(pilot.app)
    assert "Challenge (9 : 6, you win)" in shown
    assert "Move without challenging" in shown
    assert len(screen.session.match.moves) == 6, "nothing is decided yet"
    box = pilot.app.screen.query_one("Vertical").region
    cell = screen.board.cell_region(8)
    assert box.x - cell.right in range(4)
    assert box.y <= cell.y <= box.bottom

    question = position.question(position.read("1,3"))
    assert question
    await pilot.press("i")
    words = " ".join(hint(position, question.answers).text.split()[:4])
    await until(pilot, lambda: words in text_of(pilot.app), words)

    await pilot.press("escape")
    assert len(await answered(pilot, screen)) == 6
    view = screen.board.view
    assert view
    assert view.cells[7].token == 1, "the token is back on 1,2"
    assert screen.board.selectable
    await type_move(pilot, screen, *"2,2")
    await pilot.press("escape")
    assert len(await answered(pilot, screen)) == 6
    assert screen.board.cursor == 12


def test_a_challenge_is_answered_with_keys_or_the_mouse() -> None:
    """Arrows and Enter, its number, yes or no, or a click; typed, `1,3!` says it all."""
    ways = {
        ("enter",): "1,3!",
        ("down", "enter"): "1,3",
        ("j", "k", "enter"): "1,3!",
        ("1",): "1,3!",
        ("y",): "1,3!",
        ("n",): "1,3",
        ("2",): "1,3",
    }

    async def scene(pilot: Pilot[int], screen: MatchScreen) -> None:
        match = screen.session.match
        for keys, move in ways.items():
            await asked(pilot, screen)
            await pilot.press(*keys)
            assert await answered(pilot, screen) == [*MEETING_MOVES.split(), move]
            await pilot.press("z")
            assert await answered(pilot, screen) == MEETING_MOVES.split()
        await asked(pilot, screen)
        await pilot.click(list(pilot.app.screen.query(Button))[1])
        assert (await answered(pilot, screen))[-1] == "1,3"
        await pilot.press("z")
        assert await answered(pilot, screen) == MEETING_MOVES.split()
        await type_move(pilot, screen, *"1,3", "exclamation_mark")
        assert match.moves[-1] == "1,3!"
        assert "Challenge! 9 beats 6. Red is sent home with 0" in screen.session.log[-1]
        assert "sent home" in text_of(pilot.app)

    play(RUN, scene, moves=MEETING_MOVES)


@in_game(RUN, moves="0,1 4,3 0,2 3,3 1,2 2,3")
async def test_enter_does_not_challenge_at_a_disadvantage(
    pilot: Pilot[int], screen: MatchScreen
) -> None:
    """Player 1 has 6 points and would have 9, Player 2 has 10: Enter just steps."""
    await type_move(pilot, screen, *"1,3")
    assert isinstance(pilot.app.screen, AskScreen)
    assert "Challenge (9 : 10, you lose)" in text_of(pilot.app)
    await pilot.press("enter")
    assert (await answered(pilot, screen))[-1] == "1,3"
