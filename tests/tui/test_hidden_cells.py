"""Cells that nobody has seen are on no screen."""

from __future__ import annotations

import asyncio
import random

import pytest

from gridwise.arena.setup import MatchSetup
from tests.tui.pilots import SIZES, text_of
from tests.tui.players import Size, moving, playing, press_towards, settled

# Two deals of Grid Conquest that agree around the corner A1 and nowhere else.
ONE = "11222/12333/44444/55555/11111"
OTHER = "11555/12444/31313/22222/54321"


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_boards_that_differ_in_hidden_cells_look_the_same(size: Size) -> None:
    """Every screen of a game in which only the corner is claimed, the help and undo included."""

    async def screens(board: str) -> list[str]:
        setup = MatchSetup(game="grid-conquest", p1="human", p2="human", board=board, first=1)
        shown = []
        async with playing(setup, size) as (pilot, screen):
            shown.append(text_of(pilot.app))
            await press_towards(pilot, screen.board, 0)
            async with moving(pilot, screen):
                await pilot.press("enter")
            shown.append(text_of(pilot.app))
            await pilot.press("question_mark")
            await pilot.pause()
            shown.append(text_of(pilot.app))
            await pilot.press("escape")
            await pilot.press("u")
            await settled(pilot, screen)
            shown.append(text_of(pilot.app))
        return shown

    assert asyncio.run(screens(ONE)) == asyncio.run(screens(OTHER))


def test_no_drawn_cell_says_more_than_the_view() -> None:
    """Through a whole game, a cell that is face down shows a question mark and no number."""

    async def play() -> None:
        rng = random.Random(3)
        setup = MatchSetup(game="grid-conquest", p1="human", p2="human", seed=3, deal="uniform")
        async with playing(setup, (200, 60)) as (pilot, screen):
            while not screen.has_class("-over"):
                view = screen.board.view
                assert view
                lines = text_of(pilot.app).splitlines()
                for cell, shown in enumerate(view.cells):
                    region = screen.board.cell_region(cell)
                    inside = "".join(
                        lines[y][region.x : region.right] for y in range(region.y, region.bottom)
                    )
                    if shown.hidden:
                        assert set(inside) <= set("░? •▸◂"), inside
                await press_towards(pilot, screen.board, rng.choice(screen.board.targets))
                async with moving(pilot, screen):
                    await pilot.press("enter")

    asyncio.run(play())


def test_an_unfinished_game_on_disk_holds_no_hidden_cell() -> None:
    """What is kept after every move has a question mark for each of them."""

    async def play() -> None:
        setup = MatchSetup(game="grid-conquest", p1="human", p2="human", board=ONE, first=1)
        async with playing(setup) as (pilot, screen):
            await press_towards(pilot, screen.board, 0)
            async with moving(pilot, screen):
                await pilot.press("enter")
            assert screen.session.path
            assert '[Board "11???/12???/?????/?????/?????"]' in screen.session.path.read_text()

    asyncio.run(play())
