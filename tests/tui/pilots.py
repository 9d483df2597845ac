"""Driving the app in a test, as a person does: keys, clicks, and looking at the screen."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial, update_wrapper
from typing import Any

import pytest
import textual.app
from textual.app import App
from textual.pilot import Pilot
from textual.widget import Widget

from gridwise.tui.app import GridwiseApp
from gridwise.tui.settings import AppSettings
from tests.sizes import sample

Size = tuple[int, int]
SIZES = [(80, 24), (40, 20), (200, 60)]
SOME_SIZES = sample([(40, 20)], long=SIZES)  # for what goes wrong, if at all, for want of room
PATIENCE = 20.0  # seconds, on a machine that is busy with other tests

Scenario = Callable[[GridwiseApp, "Pilot[int]"], Awaitable[None]]


async def nothing_to_run(*_: object) -> None:
    """Wait until everything in this thread's loop waits for the clock, a thread or a person."""
    ready = asyncio.get_running_loop()._ready  # type: ignore[attr-defined] # asyncio's
    await asyncio.sleep(0)
    while ready:  # noqa: ASYNC110 - nobody tells when it is empty
        await asyncio.sleep(0)


# Textual waits after every key for two fiftieths of a second in which the process does little.
vars(textual.app)["wait_for_idle"] = nothing_to_run


class QuickPilot(Pilot[int]):
    """A pilot who looks again as soon as the app has done what there was to do."""

    async def press(self, *keys: str) -> None:
        """Press keys, each of them once the app is done with the one before."""
        for key in keys:
            await self.app._press_keys([key])
            await self.pause()

    async def pause(self, delay: float | None = None) -> None:
        """Wait until all is done and drawn, after some seconds if it must be."""
        if delay is not None:
            await asyncio.sleep(delay)
        app = self.app
        await nothing_to_run()
        while app.is_running and (app._resize_timer or _is_to_be_drawn(app)):
            if app._resize_timer:
                app._check_resize()
            app.screen._on_timer_update()
            await nothing_to_run()

    async def click(self, *args: Any, **options: Any) -> bool:  # noqa: ANN401 - as Textual's
        """Click once no button is lit by a click: a fifth of a second long it takes no other."""
        await until(self, lambda: not self.app.screen.query("Button.-active"), "no lit button")
        return await super().click(*args, **options)

    async def resize_terminal(self, width: int, height: int) -> None:
        """Change the window, and wait until every part of the screen has found its place."""
        await super().resize_terminal(width, height)
        before: list[object] = []
        while (places := [part.region for part in self.app.screen.query(Widget)]) != before:
            before = [*places]
            await self.pause(0.05)

    async def _wait_for_screen(self, timeout: float = 0) -> bool:  # noqa: ASYNC109 - Textual's
        await self.pause()
        return True


def _is_to_be_drawn(app: App[int]) -> bool:
    """Whether the screen would be drawn at the next beat of Textual's clock, or is told then."""
    screen = app.screen
    drawn = not app._batch_count and (
        screen._layout_required
        or screen._scroll_required
        or screen._repaint_required
        or screen._recompose_required
        or screen._dirty_widgets
    )
    return bool(drawn or screen._callbacks)


@asynccontextmanager
async def running(app: GridwiseApp, size: Size = (80, 24)) -> AsyncIterator[Pilot[int]]:
    """The app, once its first screen is drawn; it shows at once what it would glide to."""
    app.animation_level = "none"
    async with app.run_test(size=size, notifications=True):
        pilot = QuickPilot(app)
        await pilot.pause()
        yield pilot


def drive(scenario: Scenario, size: Size = (80, 24), settings: AppSettings | None = None) -> None:
    """Start the app and let the scenario happen to it."""

    async def run() -> None:
        app = GridwiseApp(delay=0, settings=settings)
        async with running(app, size) as pilot:
            await scenario(app, pilot)

    asyncio.run(run())


def in_app(*sizes: Size) -> Callable[[Callable[..., Awaitable[None]]], Callable[..., None]]:
    """Let an async test happen to the app, in windows of these sizes or in a usual one.

    Its first arguments are the app and its pilot.
    """

    def decorate(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
        def run(**given: Any) -> None:  # noqa: ANN401 - what pytest gives
            size = given.pop("size", (80, 24)) if sizes else given.get("size", (80, 24))
            drive(partial(test, **given), size)

        return without_arguments(test, run, "size" if sizes else "")

    if not sizes:
        return decorate
    in_each = pytest.mark.parametrize("size", sizes, ids=str)
    return lambda test: in_each(decorate(test))


def without_arguments(
    test: Callable[..., Awaitable[None]], run: Callable[..., None], added: str = ""
) -> Callable[..., None]:
    """A function that pytest takes for the test, without its first two arguments."""
    update_wrapper(run, test)
    parameters = list(inspect.signature(test).parameters.values())[2:]
    if added:
        parameters.append(inspect.Parameter(added, inspect.Parameter.KEYWORD_ONLY))
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined] # inspect's own
    return run


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


async def press_until(pilot: Pilot[int], name: str, *keys: str) -> None:
    """Press keys, and wait for the screen that they lead to."""
    await pilot.press(*keys)
    await until_screen(pilot, name)


async def until_text(pilot: Pilot[int], text: str) -> None:
    """Wait for a text to be on the screen."""
    app = pilot.app
    await until(pilot, lambda: text in text_of(app), text)


def nobody_thinks() -> bool:
    """Whether all that the app does in the background is done."""
    return not any(thread.name == "gridwise thinks" for thread in threading.enumerate())
