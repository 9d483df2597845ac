"""Two bots can be watched: at a pace, paused, and move by move."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from itertools import pairwise

import pytest
from textual.pilot import Pilot

from gridwise.arena.setup import MatchSetup
from gridwise.tui.screens.play_screen import PlayScreen
from gridwise.tui.screens.watch import WatchScreen
from tests.tui.pilots import text_of, until
from tests.tui.players import playing, status_of

BOTS = MatchSetup(game="number-connect", p1="bot:novice", p2="bot:novice", seed=4)


def watch(scene: Callable[[Pilot[int], PlayScreen], Awaitable[None]], delay: float = 0) -> None:
    """Watch a game, and let the scene happen."""

    async def run() -> None:
        async with playing(BOTS, screen=WatchScreen, delay=delay) as (pilot, screen):
            await scene(pilot, screen)

    asyncio.run(run())


def test_a_game_goes_on_by_itself_to_its_end() -> None:
    """The last line says which of the two has won, and nobody is called you."""

    async def scene(pilot: Pilot[int], screen: PlayScreen) -> None:
        await until(pilot, lambda: screen.has_class("-over"))
        assert "Novice bot" in status_of(screen)
        assert "You" not in text_of(pilot.app)

    watch(scene)


def test_a_paused_game_waits_and_shows_one_move_at_a_time() -> None:
    """Space pauses, an arrow shows one move, space goes on."""

    async def scene(pilot: Pilot[int], screen: PlayScreen) -> None:
        match = screen.session.match
        await pilot.press("space")
        await until(pilot, lambda: not screen._thinking, "a move on its way is made")
        await pilot.pause(0.6)
        moves = len(match.moves)
        assert "Paused" in status_of(screen)
        await pilot.pause(0.6)
        assert len(match.moves) == moves
        await pilot.press("right")
        await until(pilot, lambda: len(match.moves) == moves + 1)
        await pilot.pause(0.6)
        assert len(match.moves) == moves + 1
        await pilot.press(*["plus"] * 3, "space")
        await until(pilot, lambda: screen.has_class("-over"))

    watch(scene, delay=0.5)


def test_a_move_stays_for_the_pace_before_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """With half a second a move, two moves are never made within two fifths."""
    times: list[float] = []  # noted when they are made: whoever looks at the screen may be late
    make = WatchScreen._make

    async def noted(screen: WatchScreen, action: int) -> None:
        times.append(time.monotonic())
        await make(screen, action)

    monkeypatch.setattr(WatchScreen, "_make", noted)

    async def scene(pilot: Pilot[int], _: PlayScreen) -> None:
        await until(pilot, lambda: len(times) >= 4)
        assert min(later - sooner for sooner, later in pairwise(times)) > 0.4

    watch(scene, delay=0.5)
