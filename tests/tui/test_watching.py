"""Two bots can be watched: at a pace, paused, and move by move."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import pairwise
from typing import cast

import pytest
from textual.pilot import Pilot

from gridwise.play.match import Match
from gridwise.play.setup import Setup
from gridwise.tui.app import GridwiseApp
from gridwise.tui.screens import match as match_screen
from gridwise.tui.screens import watch as watch_screen
from gridwise.tui.screens.match import MatchScreen
from gridwise.tui.screens.watch import ReplayScreen, WatchScreen
from tests.tui.pilots import text_of, until
from tests.tui.players import playing, status_of

BOTS = Setup(game="number-connect", p1="bot:novice", p2="bot:novice", seed=4)


def watch(scene: Callable[[Pilot[int], MatchScreen], Awaitable[None]], delay: float = 0) -> None:
    """Watch a game, and let the scene happen."""

    async def run() -> None:
        async with playing(BOTS, screen=WatchScreen, delay=delay) as (pilot, screen):
            await scene(pilot, screen)

    asyncio.run(run())


def test_a_game_goes_on_by_itself_to_its_end() -> None:
    """The last line says which of the two has won, and nobody is called you."""

    async def scene(pilot: Pilot[int], screen: MatchScreen) -> None:
        await until(pilot, lambda: screen.has_class("-over"))
        assert "Novice bot" in status_of(screen)
        assert "You" not in text_of(pilot.app)

    watch(scene)


class Clock:
    """Time for the app: it stands still until it is started, and then runs fifty times as fast."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, runs: bool) -> None:
        self.now, self.runs = 0.0, runs
        for module in (match_screen, watch_screen):
            monkeypatch.setattr(module, "time", self)
            monkeypatch.setattr(module, "asyncio", self)

    def monotonic(self) -> float:
        """What time it is."""
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Let time go by."""
        await asyncio.sleep(0.001)
        self.now += seconds * self.runs


def test_a_paused_game_waits_and_shows_one_move_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Space pauses, an arrow shows one move, space goes on."""
    clock = Clock(monkeypatch, runs=False)

    async def scene(pilot: Pilot[int], screen: MatchScreen) -> None:
        match = screen.session.match
        await pilot.press("space")
        clock.runs = True
        await until(pilot, lambda: clock.now > 3)
        assert "Paused" in status_of(screen)
        assert match.moves == []
        await pilot.press("right")
        await until(pilot, lambda: len(match.moves) == 1)
        await until(pilot, lambda then=clock.now: clock.now > then + 3)  # type: ignore[misc]
        assert len(match.moves) == 1
        await pilot.press(*["plus"] * 3, "space")
        await until(pilot, lambda: screen.has_class("-over"))

    watch(scene, delay=0.5)


def test_a_move_stays_for_the_pace_before_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """With half a second a move, the next is never made before that."""
    clock, times = Clock(monkeypatch, runs=True), []
    make = WatchScreen._make

    async def noted(screen: WatchScreen, action: int) -> None:
        times.append(clock.now)
        await make(screen, action)

    monkeypatch.setattr(WatchScreen, "_make", noted)

    async def scene(pilot: Pilot[int], _: MatchScreen) -> None:
        await until(pilot, lambda: len(times) >= 4)
        assert min(later - sooner for sooner, later in pairwise(times)) >= 0.5

    watch(scene, delay=0.5)


def is_at(screen: ReplayScreen, number: int) -> bool:
    """Whether it shows the position after so many moves."""
    return len(screen.session.match.moves) == number


def test_a_replay_goes_back_on_the_board_that_was_played() -> None:
    """Also where cells are face down: a claim that is shown again has the value that it had."""
    match = Match("grid-conquest", seed=3, first=1, moves=("C3", "A1", "E5"))
    record, seen = match.record(), [str(position.view) for position in match.positions]

    async def run() -> None:
        app = GridwiseApp(delay=0, screen=("replay", record, True))
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
            screen = cast("ReplayScreen", app.screen)
            for key, at in (("right", 1), ("right", 2), ("left", 1), ("end", 3), ("left", 2)):
                await pilot.press(key)
                await until(pilot, partial(is_at, screen, at))
                assert str(screen.session.match.view) == seen[at]
            await pilot.press("home")
            await until(pilot, lambda: not screen.session.match.moves)
            await pilot.press("right", "right", "right")
            await until(pilot, lambda: "as far as the game went" in text_of(app))
            assert str(screen.session.match.view) == seen[3]

    asyncio.run(run())


def test_a_replay_calls_the_person_you() -> None:
    """As the review of the game does."""
    match = Match("number-maze", "1324/2132/4213/3421", moves=("right",))
    record = match.record(("human", "bot:casual"))

    async def run() -> None:
        app = GridwiseApp(delay=0, screen=("replay", record, True))
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
            await pilot.press("right")
            await until(pilot, lambda: "You go 1 step right" in " ".join(text_of(app).split()))

    asyncio.run(run())
