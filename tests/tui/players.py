"""People at the app, one with a keyboard, one with a mouse, who see only the screen."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial

from textual.pilot import Pilot
from textual.widgets import Button, Static

from gridwise.play.setup import Setup
from gridwise.players.new_match import set_up
from gridwise.tui.app import GridwiseApp
from gridwise.tui.screens.board_screen import BoardScreen
from gridwise.tui.screens.match import MatchScreen
from gridwise.tui.screens.play import PlayScreen
from gridwise.tui.widgets.board import BoardView, next_target
from gridwise.tui.widgets.dialogs import AskScreen
from tests.tui.pilots import Size, running, until, until_screen, without_arguments

Choice = Callable[[Pilot[int], MatchScreen, random.Random], Awaitable[None]]

ARROWS = ("up", "down", "left", "right")
MAX_MOVES = 300


class GameApp(GridwiseApp):
    """The app with a game at once, and no home screen below it."""

    def __init__(self, first: MatchScreen, delay: float) -> None:
        super().__init__(first.setup, delay=delay)
        self._first = first

    def open_first_screen(self) -> None:
        """The game."""
        self.push_screen(self._first)


@asynccontextmanager
async def playing(
    setup: Setup,
    size: Size = (80, 24),
    screen: type[MatchScreen] = PlayScreen,
    delay: float = 0,
    moves: str = "",
) -> AsyncIterator[tuple[Pilot[int], MatchScreen]]:
    """A game that is open, some moves of which were made, and a person is asked."""
    session = set_up(setup)
    for move in moves.split():
        session.match.move(move)
    game = screen(session, setup)
    async with running(GameApp(game, delay), size) as pilot:
        assert pilot.app.screen is game
        if screen is PlayScreen:
            await settled(pilot, game)
        yield pilot, game


async def settled(pilot: Pilot[int], screen: MatchScreen) -> None:
    """Wait until a person can choose a cell, is asked something, or the game is over."""
    await until(
        pilot,
        lambda: (
            screen.board.selectable
            or isinstance(pilot.app.screen, AskScreen)
            or screen.has_class("-over")
        ),
    )
    await pilot.pause()


def _wanted(board: BoardView, rng: random.Random) -> int:
    """One of the marked cells: usually one that is near the flag, where there is one."""
    view, targets = board.view, board.targets
    assert view
    goals = [cell for cell, player in board.goals.items() if player == view.turn]
    if not goals or rng.random() < 0.3:
        return rng.choice(targets)
    (row, col), cols = divmod(goals[0], view.cols), view.cols
    return min(targets, key=lambda cell: abs(cell // cols - row) + abs(cell % cols - col))


def status_of(screen: MatchScreen) -> str:
    """What the status line says."""
    return str(screen.query_one("#status", Static).content)


@asynccontextmanager
async def moving(pilot: Pilot[int], screen: MatchScreen) -> AsyncIterator[None]:
    """Wait, after the block, until the move in it is made or asked about, and then answered."""
    made = len(screen.session.match.moves)
    yield
    await until(
        pilot,
        lambda: len(screen.session.match.moves) > made or isinstance(pilot.app.screen, AskScreen),
        "a move",
    )
    await settled(pilot, screen)


async def by_keyboard(pilot: Pilot[int], screen: MatchScreen, rng: random.Random) -> None:
    """Choose one of the marked cells with arrows, and answer what is asked with keys."""
    board = screen.board
    await press_towards(pilot, board, _wanted(board, rng))
    async with moving(pilot, screen):
        await pilot.press("enter")
    if isinstance(pilot.app.screen, AskScreen):
        await pilot.press(*(["down"] * rng.randrange(2)), "enter")
        await until(pilot, lambda: pilot.app.screen is screen)


async def press_towards(pilot: Pilot[int], board: BoardView, cell: int) -> None:
    """Press arrows until the cursor is on a cell."""
    for key in _way(board, cell):
        await pilot.press(key)
    assert board.cursor == cell


def _way(board: BoardView, cell: int) -> list[str]:
    """The arrows that lead the cursor to a cell: every marked cell can be reached."""
    view = board.view
    assert view
    tokens = [place for place, shown in enumerate(view.cells) if shown.token == view.turn]
    ways: dict[int, list[str]] = {board.cursor: []}
    queue = deque([board.cursor])
    while queue and cell not in ways:
        here = queue.popleft()
        for arrow in ARROWS:
            origin = tokens[0] if tokens else here
            there = next_target(view, board.targets, origin, arrow)
            if there >= 0 and there not in ways:
                ways[there] = [*ways[here], arrow]
                queue.append(there)
    return ways[cell]


async def by_mouse(pilot: Pilot[int], screen: MatchScreen, rng: random.Random) -> None:
    """Click one of the marked cells, and the answer to what is asked."""
    async with moving(pilot, screen):
        await click_cell(pilot, screen, _wanted(screen.board, rng))
    if isinstance(pilot.app.screen, AskScreen):
        await pilot.click(rng.choice(list(pilot.app.screen.query(Button))))
        await until(pilot, lambda: pilot.app.screen is screen)


async def click_cell(pilot: Pilot[int], screen: BoardScreen, cell: int) -> None:
    """Click into the middle of a cell."""
    region = screen.board.cell_region(cell)
    x, y = region.x + region.width // 2, region.y + region.height // 2
    assert await pilot.click(offset=(x, y))
    await pilot.pause()


async def resign(pilot: Pilot[int]) -> None:
    """Give the game up, by key."""
    screen = pilot.app.screen
    await pilot.press("g")
    await until_screen(pilot, "AskScreen")
    await pilot.press("y")
    await until(pilot, lambda: screen.has_class("-over"))
    await until_screen(pilot, "PlayScreen")


async def play_to_the_end(
    pilot: Pilot[int], screen: MatchScreen, choose: Choice, seed: int
) -> None:
    """Make moves until the screen says that the game is over."""
    rng = random.Random(seed)
    for _ in range(MAX_MOVES):
        await settled(pilot, screen)
        if screen.has_class("-over"):
            return
        await choose(pilot, screen, rng)
        await pilot.pause()
    raise AssertionError("The game has not ended.")


RUN = Setup(
    game="number-run",
    p1="human",
    p2="human",
    board="31425/25134/42513/14252/53142",
)
BOT = Setup(
    game="number-run",
    p1="human",
    p2="bot:casual",
    board="31425/25134/42513/14252/53142",
    seed=1,
)

Scene = Callable[[Pilot[int], MatchScreen], Awaitable[None]]


def play(setup: Setup, scene: Scene, size: Size = (80, 24), moves: str = "") -> None:
    """Open a game, some moves of which were made, and let the scene happen."""

    async def run() -> None:
        async with playing(setup, size, moves=moves) as (pilot, screen):
            await scene(pilot, screen)

    asyncio.run(run())


def in_game(
    setup: Setup, moves: str = ""
) -> Callable[[Callable[..., Awaitable[None]]], Callable[..., None]]:
    """Let an async test happen in a game: its first arguments are the pilot and the screen."""

    def decorate(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
        def run(**given: object) -> None:
            play(setup, partial(test, **given), moves=moves)

        return without_arguments(test, run)

    return decorate


async def type_move(pilot: Pilot[int], screen: MatchScreen, *keys: str) -> None:
    """Type a move, and wait until somebody can do something again."""
    async with moving(pilot, screen):
        await pilot.press(*keys, "enter")
