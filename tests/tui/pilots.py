"""Driving the app in a test, as a person does: keys, clicks, and looking at the screen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from textual.app import App
from textual.pilot import Pilot

from gridwise.tui.app import GridwiseApp
from gridwise.tui.settings import Settings

SIZES = [(80, 24), (40, 20), (200, 60)]
PATIENCE = 20.0  # seconds, on a machine that is busy with other tests

Scenario = Callable[[GridwiseApp, "Pilot[int]"], Awaitable[None]]


def drive(
    scenario: Scenario, size: tuple[int, int] = (80, 24), settings: Settings | None = None
) -> None:
    """Start the app and let the scenario happen to it."""

    async def run() -> None:
        app = GridwiseApp(delay=0, settings=settings)
        async with app.run_test(size=size, notifications=True) as pilot:
            await pilot.pause()
            await scenario(app, pilot)

    asyncio.run(run())


def text_of(app: App[int]) -> str:
    """What is on the screen, line by line."""
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


async def until(pilot: Pilot[int], condition: Callable[[], object], what: str = "") -> None:
    """Wait for something that happens in the background."""
    loop = asyncio.get_running_loop()
    end = loop.time() + PATIENCE
    while not condition():
        if loop.time() > end:
            shown = text_of(pilot.app)
            raise AssertionError(f"It does not happen: {what or condition}\n{shown}")
        await pilot.pause(0.01)


async def until_screen(pilot: Pilot[int], name: str) -> None:
    """Wait for a screen to be on top, by the name of its class."""
    await until(pilot, lambda: type(pilot.app.screen).__name__ == name, name)
    await pilot.pause()


async def until_text(pilot: Pilot[int], text: str) -> None:
    """Wait for a text to be on the screen."""
    app = pilot.app
    await until(pilot, lambda: text in text_of(app), text)
