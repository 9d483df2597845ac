"""Leaving a screen before it is whole, or while something in it is still being worked out."""

from __future__ import annotations

import asyncio

import pytest
from textual.pilot import Pilot

from gridwise import Match, game
from gridwise.play.analysis_board import AnalysisBoard
from gridwise.tui.app import GridwiseApp
from gridwise.tui.screens import analysis, review
from gridwise.tui.widgets.board import BoardView
from tests.tui.pilots import in_app, until, until_screen

RUN_BOARD = "31425/25134/42513/14252/53142"
MAZE = game("number-maze")
RECORD = Match("number-run", RUN_BOARD, moves=["0,1", "3,4"]).record()
SCREENS: dict[str, tuple[object, ...]] = {
    "analysis": (AnalysisBoard(MAZE, MAZE.parse_board("1324/2132/4213/3421")),),
    "lesson": (MAZE,),
    "my_games": (),
    "new_game": (MAZE,),
    "puzzle": (MAZE,),
    "replay": (RECORD,),
    "review": (RECORD,),
    "rules": (MAZE,),
    "settings": (),
}


@pytest.mark.parametrize("name", SCREENS)
@in_app()
async def test_a_screen_can_be_left_before_it_is_whole(
    app: GridwiseApp, pilot: Pilot[int], name: str
) -> None:
    """Two keys that come faster than a screen is made."""
    app.open(name, *SCREENS[name])
    app.pop_screen()
    await until_screen(pilot, "HomeScreen")
    await pilot.pause()
    assert len(app.screen_stack) == 2


def found_late(monkeypatch: pytest.MonkeyPatch, module: object) -> tuple[asyncio.Event, ...]:
    """What a screen works out is found when its parts are gone: when that began, and ended."""
    begun, found = asyncio.Event(), asyncio.Event()

    async def work_out(*_: object) -> bool:
        begun.set()
        await found.wait()
        return True

    async def find(board: BoardView) -> None:
        screen = board.screen
        while screen.query("#player1, #said"):  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0)
        found.set()
        await asyncio.sleep(0.05)

    monkeypatch.setattr(module, "work_out", work_out)
    monkeypatch.setattr(BoardView, "on_unmount", find, raising=False)
    return begun, found


@pytest.mark.parametrize("whole_app", [False, True])
@pytest.mark.parametrize(("name", "module"), [("analysis", analysis), ("review", review)])
@in_app()
async def test_what_is_found_while_a_screen_goes_is_dropped(
    app: GridwiseApp,
    pilot: Pilot[int],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    module: object,
    whole_app: bool,
) -> None:
    """Its parts go one after the other; what was worked out meanwhile finds none of them."""
    begun, found = found_late(monkeypatch, module)
    app.open(name, *SCREENS[name])
    await pilot.pause()
    await pilot.press("v")
    await until(pilot, begun.is_set, "it is being worked out")
    if whole_app:
        return  # which ends it
    await pilot.press("escape")
    await until(pilot, found.is_set, "it is found")
    await asyncio.sleep(0.1)
    await until_screen(pilot, "HomeScreen")


@in_app()
async def test_a_mistake_on_a_screen_that_stays_is_told(
    app: GridwiseApp, pilot: Pilot[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what is left is forgiven: a part that was never there is a mistake of ours."""
    told: list[Exception] = []
    monkeypatch.setattr(app, "panic", lambda *_: told.append(ValueError()))
    monkeypatch.setattr(app, "_fatal_error", lambda: told.append(ValueError()))
    app.screen.call_later(lambda: app.screen.query_one("#nothing"))
    await until(pilot, lambda: told, "it is told")
    app._exception = None  # or the test would end with it
