"""Workers: who deals, lets bots choose and evaluates positions, away from the event loop.

Four kinds of work, none of which waits for another: what is quick, such as dealing, in threads,
since none of it takes more than 20 ms; bots that answer at once; bots that search; and analysis,
which is everything that visitors ask the engine. The last three think in processes (see
`worker_process`): in threads, Python's lock would make the event loop wait at every turn. Within
each kind clients take turns.

Most questions end by themselves, for searches have limits. One that does not is ended with its
process, and the next question starts another. A process that has had nothing to do for a while is
ended as well: it takes some 200 MB.

A bot is made anew for each move, seeded by the game and the ply: it plays the same after a restart.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from random import Random
from typing import ParamSpec, TypeVar

from gridwise.core.position import Position
from gridwise.core.registry import game as game_named
from gridwise.engine.bots import bot
from gridwise.engine.evaluate import prepare
from gridwise.errors import EngineFailed
from gridwise.web.errors import Unavailable
from gridwise.web.settings import ServerLimits
from gridwise.web.workers.fair_queue import FairQueue
from gridwise.worker_process import WorkerProcess

P = ParamSpec("P")
T = TypeVar("T")
log = logging.getLogger("gridwise.web")

SEARCHING_LEVELS = ("perfect",)  # take a third of a second, and minutes on large boards
STAND_IN_LEVEL = "strong"  # moves for a bot that fails: it needs 0.2 s on the largest boards
QUICK_THREADS = 2
SEARCH_NICENESS = 10  # the event loop goes before searches

# Loading compiled searches takes a second or two in a new process; compiling them, once on a
# machine, up to half a minute where it is slow. It does not count as thinking.
PREPARE_SECONDS = 120.0

IDLE_SECONDS = 45.0  # after which a process is ended


class Workers:
    """Where thinking is done; `limits` says how much of it, and for how long."""

    def __init__(self, limits: ServerLimits) -> None:
        most, seconds, nice = limits.search_processes, limits.bot_seconds, SEARCH_NICENESS
        self._quick = FairQueue(QUICK_THREADS)
        self._pools = {
            # A bot that has to move waits for its turn, however many do: games are limited already.
            "bot": ProcessPool(1, seconds, refuses=False),
            "searching_bot": ProcessPool(most, seconds, nice, refuses=False),
            "analysis": ProcessPool(most, limits.question_seconds, nice),
        }
        self.ask = self._pools["analysis"].run
        # Without turns: one address has a bot that fails every `bot_seconds`, and not more.
        self._standing_in = asyncio.Lock()

    @property
    def waiting(self) -> dict[str, int]:
        """How many wait for their turn, by the kind of work."""
        of_pools = {name: pool.queue.waiting for name, pool in self._pools.items()}
        return {"quick": self._quick.waiting} | of_pools

    async def quick(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Something that takes milliseconds: to deal a board, to replay a game."""
        return await self._quick.run(partial(asyncio.to_thread, work, *args, **kwargs))

    async def choose(self, level: str, seed: str, position: Position) -> int:
        """The action a bot of that level plays; of another if it takes too long or fails.

        A game in which a bot is to move must go on.
        """
        seed, key = f"{seed} {len(position.history)}", position.game.key
        try:
            pool, loaded = ("searching_bot", key) if level in SEARCHING_LEVELS else ("bot", "")
            return await self._pools[pool].run(loaded, bot_action, level, seed, position)
        except Unavailable:  # it is logged
            # In a thread, as processes may be what fails.
            async with self._standing_in:
                return await asyncio.to_thread(bot_action, STAND_IN_LEVEL, seed, position)

    def close(self) -> None:
        """Stop, without waiting for what is being thought about."""
        for pool in self._pools.values():
            pool.close()


class ProcessPool:
    """Runs functions in processes, which are started when they are needed, in fair turns."""

    def __init__(
        self, processes: int, seconds: float, niceness: int = 0, *, refuses: bool = True
    ) -> None:
        self.queue = FairQueue(processes, refuses=refuses)
        self._seconds, self._niceness = seconds, niceness
        self._working: set[WorkerProcess] = set()
        self._resting: dict[WorkerProcess, asyncio.TimerHandle] = {}  # with the end of each
        # For each process one that waits for it and one that ends it. The threads of everybody may
        # all wait for the database.
        self._threads = ThreadPoolExecutor(2 * processes, "gridwise waits for an engine")
        self._closed = False

    async def run(
        self, game: str, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """What `function` returns, from a process: it must pickle.

        With the key of a `game`, its searches are loaded before. Raises TooMany if too many are
        waiting, and Unavailable if there is no answer in time.
        """
        return await self.queue.run(partial(self._run, game, partial(function, *args, **kwargs)))

    async def _run(self, game: str, work: Callable[[], T]) -> T:
        process = WorkerProcess(self._niceness)
        if self._resting:
            process, end = self._resting.popitem()  # the one that was last used
            end.cancel()
        self._working.add(process)
        try:
            if game:  # 0.15 ms if they are loaded
                await self._call(process, PREPARE_SECONDS, partial(prepare_game, game))
            return await self._call(process, self._seconds, work)
        finally:
            self._working.remove(process)
            later = asyncio.get_running_loop().call_later
            self._resting[process] = later(IDLE_SECONDS, self._end_idle, process)

    def _end_idle(self, process: WorkerProcess) -> None:
        del self._resting[process]
        self._threads.submit(process.stop)

    async def _call(self, process: WorkerProcess, seconds: float, work: Callable[[], T]) -> T:
        in_thread = partial(asyncio.get_running_loop().run_in_executor, self._threads)
        try:
            async with asyncio.timeout(seconds):
                return await in_thread(process.call, work)
        except TimeoutError:
            if not self._closed:
                await in_thread(process.stop)  # some 20 ms: its memory is given back
            message = f"The engine could not work this out in {seconds:g} s. Try a smaller board."
            raise Unavailable(message) from None
        except (EngineFailed, OSError) as error:
            if not self._closed:
                log.warning("A process of the engine failed: %s", error)
            raise Unavailable("The engine has stopped. Try again.") from None

    def close(self) -> None:
        """End all processes."""
        self._closed = True
        for end in self._resting.values():
            end.cancel()
        for process in (*self._working, *self._resting):
            process.stop()
        self._threads.shutdown(wait=False, cancel_futures=True)


def bot_action(level: str, seed: str, position: Position) -> int:
    """What a bot of that level plays. For a worker process."""
    return bot(position.game, level, seed).choose(position)


@cache
def prepare_game(key: str) -> None:
    """Load what searching positions of a game takes. For a worker process."""
    game = game_named(key)
    prepare(Position(game, game.deal(Random(1))))
