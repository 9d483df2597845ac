"""Cells that nobody has seen are on no screen."""

from __future__ import annotations

import asyncio

from textual.pilot import Pilot

from gridwise.play.setup import Setup
from tests.tui.pilots import SIZES, press_until, text_of
from tests.tui.players import moving, playing, press_towards, settled

# Two deals of Grid Conquest that agree around the corner A1 and nowhere else.
ONE = "11222/12333/44444/55555/11111"
OTHER = "11555/12444/31313/22222/54321"


def test_boards_that_differ_in_hidden_cells_look_the_same() -> None:
    """Every screen of a game in which only the corner is claimed, the help and undo included.

    So do their files: what is kept has a question mark for each hidden cell.
    """

    async def seen(board: str) -> list[str]:
        setup = Setup(game="grid-conquest", p1="human", p2="human", board=board, first=1)
        shown = []

        async def look(pilot: Pilot[int]) -> None:
            for size in SIZES:
                await pilot.resize_terminal(*size)
                shown.append(text_of(pilot.app))

        async with playing(setup) as (pilot, screen):
            await look(pilot)
            await press_towards(pilot, screen.board, 0)
            async with moving(pilot, screen):
                await pilot.press("enter")
            await look(pilot)
            assert screen.session.path
            assert '[Board "11???/12???/?????/?????/?????"]' in screen.session.path.read_text()
            await press_until(pilot, "HelpScreen", "question_mark")
            await look(pilot)
            await pilot.press("escape", "z")
            await settled(pilot, screen)
            await look(pilot)
        return shown

    assert asyncio.run(seen(ONE)) == asyncio.run(seen(OTHER))
