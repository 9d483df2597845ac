"""Every game can be played to its end, with the keyboard alone and with the mouse alone."""

from __future__ import annotations

import asyncio
from itertools import cycle, product

import pytest

from gridwise import games
from gridwise.play.setup import Setup
from tests.sizes import sample
from tests.tui.pilots import SIZES, Size, text_of
from tests.tui.players import (
    Choice,
    by_keyboard,
    by_mouse,
    play_to_the_end,
    playing,
    status_of,
)

# Usually each game once with the keyboard and once with the mouse, in the three windows in turn.
WAYS = list(product((game.key for game in games()), (by_keyboard, by_mouse)))
EVERY_WAY = [(*way, size) for way in WAYS for size in SIZES]
IN_TURN = [(*way, size) for way, size in zip(WAYS, cycle(SIZES), strict=False)]


@pytest.mark.parametrize(("key", "choose", "size"), sample(IN_TURN, long=EVERY_WAY))
def test_every_game_can_be_played_to_its_end(key: str, choose: Choice, size: Size) -> None:
    """The last screen says how it went, from the person's side, and offers what to do next."""

    async def play() -> None:
        setup = Setup(game=key, p1="human", p2="bot:novice", seed=2, deal="uniform")
        async with playing(setup, size) as (pilot, screen):
            await play_to_the_end(pilot, screen, choose, seed=2)
            position, names = screen.session.match.position, screen.session.names
            assert status_of(screen) == position.result_line(names)
            shown = text_of(pilot.app)
            assert status_of(screen)[:20] in shown
            assert "Play again" in shown
            record = screen.session.record()
            assert record.finished
            assert screen.session.path
            assert screen.session.path.is_file()

    asyncio.run(play())
