"""Take the pictures of the app in the terminal that the documents show: `docs/app/*.svg`.

Run by `make app-pictures`. It drives the app with Textual's pilot, as the tests do. Boards, moves,
dates and seeds are fixed, so the pictures change only when the screens do.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from textual.pilot import Pilot

from gridwise.play.library import Library
from gridwise.play.puzzle_progress import add_solved
from gridwise.play.records import Record, write_record
from gridwise.play.series import Series
from gridwise.play.session import PlaySession
from gridwise.play.setup import Setup
from gridwise.players.new_match import set_up
from gridwise.tui.app import GridwiseApp
from gridwise.tui.screens.play import PlayScreen
from gridwise.tui.screens.puzzles import PuzzleScreen
from gridwise.tui.screens.review import ReviewScreen
from gridwise.tui.settings import AppSettings

PICTURES = Path(__file__).parents[1] / "docs" / "app"
SIZE = (96, 30)
HOME_SIZE = (84, 24)
PATIENCE = 60  # seconds

DAY = date(2026, 11, 16)
PUZZLE_DAY = date(2026, 11, 14)  # a Saturday: one of the harder ones
BOARD = "31425/25134/42513/14252/53142"
# The tokens are about to meet: 2,2 is next to Player 2, and 12 points are more than 6.
MEETING = ("0,1", "3,4", "1,1", "2,4", "1,2", "2,3")
# Player 1 turns back, and the race is lost.
LOST = ("0,1", "3,4", "1,1", "3,3", "1,2", "2,3", "0,2", "1,3", "0,3", "1,4", "0,4")
# Finished games on the home screen: the game, the opponent, how many were won and lost.
PLAYED = (
    ("number-run", "bot:casual", 7, 4),
    ("number-run", "bot:strong", 2, 3),
    ("number-maze", "bot:casual", 5, 5),
    ("grid-runner", "bot:strong", 1, 2),
    ("grid-conquest", "bot:casual", 4, 2),
    ("number-connect", "bot:novice", 6, 1),
)

Steps = Callable[[GridwiseApp, "Pilot[int]"], Awaitable[None]]


def main() -> None:
    """Take them all."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    os.environ.pop("NO_COLOR", None)
    os.environ["COLORTERM"] = "truecolor"
    with tempfile.TemporaryDirectory() as home:
        os.environ["GRIDWISE_HOME"] = home
        _fill_library()
        asyncio.run(_take("home", _home, HOME_SIZE))
        asyncio.run(_take("game", _game))
        asyncio.run(_take("review", _review))
        asyncio.run(_take("values", _values))
        asyncio.run(_take("puzzles", _puzzles))


async def _take(name: str, steps: Steps, size: tuple[int, int] = SIZE) -> None:
    app = GridwiseApp(delay=0, settings=AppSettings(animation=False))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await steps(app, pilot)
        await pilot.pause()
        # Textual's picture would load a font from another site; any monospaced one will do.
        picture = re.sub(r"@font-face \{[^}]*\}\s*", "", app.export_screenshot())
        (PICTURES / f"{name}.svg").write_text(picture, encoding="utf-8")
    print(f"docs/app/{name}.svg")


async def _until(pilot: Pilot[int], condition: Callable[[], object]) -> None:
    for _ in range(20 * PATIENCE):
        if condition():
            await pilot.pause()
            return
        await pilot.pause(0.05)
    sys.exit("A screen does not come up.")


async def _home(app: GridwiseApp, pilot: Pilot[int]) -> None:
    await _until(pilot, lambda: "won 9 of 16" in app.export_screenshot().replace("&#160;", " "))


async def _game(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """The question whether to challenge."""
    setup = Setup(game="number-run", p2="bot:casual", board=BOARD, series=Series(3, 2, (2, 0)))
    session = set_up(setup)
    for move in MEETING:
        session.match.move(move)
    screen = PlayScreen(session, setup)
    app.push_screen(screen)
    await _until(pilot, lambda: app.screen is screen and screen.session.asked)
    await pilot.press("down", "enter")
    await _until(pilot, lambda: app.screen is not screen)


async def _review(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """The move that lost the game, with the one that would have won."""
    session = set_up(Setup(game="number-run", p2="bot:strong", board=BOARD))
    lost = _record(session, LOST)
    session.match.resign(1)
    screen = ReviewScreen(replace(session.record(), date=lost.date))
    app.push_screen(screen)
    await _until(pilot, lambda: screen.review is not None)
    await pilot.press("home", "n")


async def _values(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """What each move was worth where the game was lost, and how it would have been won."""
    await _review(app, pilot)
    screen = app.screen
    assert isinstance(screen, ReviewScreen)
    await pilot.press("v", "f")
    await _until(pilot, lambda: screen.explored.line)


async def _puzzles(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """A harder one, after its first move, and after two days that went well."""
    for days in (2, 1):
        add_solved("number-run", 2, PUZZLE_DAY - timedelta(days=days))
    screen = PuzzleScreen(daily=True, today=PUZZLE_DAY)
    app.push_screen(screen)
    await _until(pilot, lambda: screen.is_open)
    assert screen.line
    puzzle = screen.line.puzzle
    cell = screen.board.cell_region(puzzle.position.target(puzzle.solution.action))
    await pilot.click(offset=cell.offset)
    before = len(puzzle.position.history)
    await _until(
        pilot,
        lambda: screen.is_open and screen.line and len(screen.line.position.history) > before,
    )


def _record(session: PlaySession, moves: tuple[str, ...]) -> Record:
    for move in moves:
        session.match.move(move)
    return replace(session.record(), date=f"{DAY:%Y.%m.%d}")


def _fill_library() -> None:
    """Games that were played, and one that can be continued."""
    folder, number = Library().folder, 0
    folder.mkdir(parents=True)
    for key, opponent, won, lost in PLAYED:
        for count, loser in ((won, 2), (lost, 1)):
            for _ in range(count):
                session = set_up(Setup(game=key, p2=opponent, seed=number))
                session.match.resign(loser)
                number += 1
                name = f"{DAY}-12{number:04}-{key}-{number:04}.gwr"
                write_record(_record(session, ()), folder / name)
    session = set_up(Setup(game="number-run", p2="bot:strong", board=BOARD))
    write_record(_record(session, MEETING), folder / f"{DAY}-200000-number-run-9999.gwr")


if __name__ == "__main__":
    main()
