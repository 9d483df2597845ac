"""Workers: who deals, lets bots choose and evaluates positions, away from the event loop.

Four kinds of work, none of which waits for another: what is quick, such as dealing, in threads,
since none of it takes more than 20 ms; bots that answer at once; bots that search; and analysis,
which is everything that visitors ask the engine. The last three think in processes (see
`worker_process`): in threads, Python's lock would make the event loop wait at every turn. Within
each kind clients take turns.

A bot is made anew for each move, seeded by the game and the ply: it plays the same after a restart.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from gridwise.core.position import Position
from gridwise.engine.bots import bot
from gridwise.web.errors import Unavailable
from gridwise.web.settings import ServerLimits
from gridwise.web.workers.fair_queue import FairQueue
from gridwise.web.workers.process_pool import ProcessPool

P = ParamSpec("P")
T = TypeVar("T")

SEARCHING_LEVELS = ("perfect",)  # take a third of a second, and minutes on large boards
STAND_IN_LEVEL = "strong"  # moves for a bot that fails: it needs 0.2 s on the largest boards
QUICK_THREADS = 2
SEARCH_NICENESS = 10  # the event loop goes before searches


class Workers:
    """Where thinking is done; `limits` says how much of it, and for how long."""

    def __init__(self, limits: ServerLimits) -> None:
        most, seconds, nice = limits.search_processes, limits.bot_seconds, SEARCH_NICENESS
        # A bot that has to move waits for its turn, however many do: games are limited already.
        self._queues = {
            "quick": FairQueue(QUICK_THREADS),
            "bot": FairQueue(1, refuses=False),
            "searching_bot": FairQueue(most, refuses=False),
            "analysis": FairQueue(most, limits.client_questions),
        }
        self._threads = ThreadPoolExecutor(QUICK_THREADS, "gridwise deals")
        self._bots = ProcessPool(1, seconds, self._queues["bot"])
        self._searching_bots = ProcessPool(most, seconds, self._queues["searching_bot"], nice)
        self._analysis = ProcessPool(most, limits.question_seconds, self._queues["analysis"], nice)
        # Without turns: one address has a bot that fails every `bot_seconds`, and not more.
        self._stand_ins = ThreadPoolExecutor(1, "gridwise stands in")

    @property
    def waiting(self) -> dict[str, int]:
        """How many wait for their turn, by the kind of work."""
        return {kind: queue.waiting for kind, queue in self._queues.items()}

    async def quick(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Something that takes milliseconds: to deal a board, to replay a game."""
        in_thread = partial(asyncio.get_running_loop().run_in_executor, self._threads)
        return await self._queues["quick"].run(partial(in_thread, partial(work, *args, **kwargs)))

    async def choose(self, level: str, seed: str, position: Position) -> int:
        """The action a bot of that level plays; of another if it takes too long or fails.

        A game in which a bot is to move must go on.
        """
        seed, key = f"{seed} {len(position.history)}", position.game.key
        try:
            if level in SEARCHING_LEVELS:
                return await self._searching_bots.run(key, bot_action, level, seed, position)
            return await self._bots.run("", bot_action, level, seed, position)
        except Unavailable:  # it is logged
            # In a thread, as processes may be what fails.
            in_thread = asyncio.get_running_loop().run_in_executor
            return await in_thread(self._stand_ins, bot_action, STAND_IN_LEVEL, seed, position)

    async def ask(self, game: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The answer to a question about a game, from a process: it must pickle.

        Raises TooMany if too many are waiting, and Unavailable if it takes too long.
        """
        return await self._analysis.run(game, work, *args, **kwargs)

    def close(self) -> None:
        """Stop, without waiting for what is being thought about."""
        for pool in (self._bots, self._searching_bots, self._analysis):
            pool.close()
        for threads in (self._threads, self._stand_ins):
            threads.shutdown(wait=False, cancel_futures=True)


def bot_action(level: str, seed: str, position: Position) -> int:
    """What a bot of that level plays. For a worker process."""
    return bot(position.game, level, seed).choose(position)
