"""Workers: who deals, lets bots choose and evaluates positions, away from the event loop.

Four kinds of work, none of which waits for another: what is quick, such as dealing, in threads,
since none of it takes more than 20 ms; bots that answer at once; bots that search; and analysis,
which is everything that visitors ask the engine. The last three think in processes: in threads,
Python's lock would make the event loop wait at every turn. Within each kind clients take turns.

Most questions end by themselves, for searches have limits. One that does not is ended with its
process, and the next question starts another (see `engine_pool`).

A bot is made anew for each move, seeded by the game and the ply: it plays the same after a restart.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import cache, partial
from random import Random
from typing import ParamSpec, TypeVar

from gridwise.core.position import Position
from gridwise.core.registry import game as game_named
from gridwise.engine.bots import bot
from gridwise.engine.evaluation import prepare
from gridwise.engine_pool import EnginePool
from gridwise.errors import EngineFailed, EngineTimedOut
from gridwise.play.setup import Setup
from gridwise.web.errors import Unavailable
from gridwise.web.settings import ServerLimits
from gridwise.web.workers.fair_queue import FairQueue
from gridwise.web.workers.questions import Dealt, dealt

P = ParamSpec("P")
T = TypeVar("T")
log = logging.getLogger("gridwise.web")

SEARCHING_LEVELS = ("perfect",)  # take a third of a second, and minutes on large boards
STAND_IN_LEVEL = "strong"  # moves for a bot that fails: it needs 0.2 s on the largest boards
QUICK_THREADS = 2
SEARCH_NICENESS = 10  # the event loop goes before searches

IDLE_SECONDS = 45.0  # after which a process is ended


class Workers:
    """Where thinking is done; `limits` says how much of it, and for how long."""

    def __init__(self, limits: ServerLimits) -> None:
        most, seconds = limits.search_processes, limits.bot_seconds
        searching = partial(EnginePool, most, niceness=SEARCH_NICENESS, idle_seconds=IDLE_SECONDS)
        self._quick = FairQueue(QUICK_THREADS)
        self._thinking = {
            # A bot that has to move waits for its turn, however many do: games are limited already.
            "bot": (FairQueue(1, refuses=False), EnginePool(1, seconds, 0, IDLE_SECONDS)),
            "searching_bot": (FairQueue(most, refuses=False), searching(seconds)),
            "analysis": (FairQueue(most), searching(limits.question_seconds)),
        }
        # Without turns: one address has a bot that fails every `bot_seconds`, and not more.
        self._standing_in = asyncio.Lock()

    @property
    def waiting(self) -> dict[str, int]:
        """How many wait for their turn, by the kind of work."""
        thinking = {name: queue.waiting for name, (queue, _) in self._thinking.items()}
        return {"quick": self._quick.waiting} | thinking

    async def quick(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Something that takes milliseconds: to deal a board, to replay a game."""
        return await self._quick.run(partial(asyncio.to_thread, work, *args, **kwargs))

    async def deal(self, setup: Setup) -> Dealt:
        """The board of a new game; in a process where it takes longer than 20 ms.

        On an even board 100 games are tried, which takes 0.1 to 0.7 s, and on a large one seconds.
        """
        if setup.board is None and (setup.size or setup.kind == "even"):
            return await self.ask("", dealt, setup)
        return await self.quick(dealt, setup)

    async def ask(
        self, game: str, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """What `function` returns, from a process: it must pickle.

        With the key of a `game`, its searches are loaded before. Raises TooMany if too many are
        waiting, and Unavailable if there is no answer in time.
        """
        return await self._think("analysis", game, partial(function, *args, **kwargs))

    async def choose(self, level: str, seed: str, position: Position) -> int:
        """The action a bot of that level plays; of another if it takes too long or fails.

        A game in which a bot is to move must go on.
        """
        seed, key = f"{seed} {len(position.history)}", position.game.key
        try:
            kind, loaded = ("searching_bot", key) if level in SEARCHING_LEVELS else ("bot", "")
            return await self._think(kind, loaded, partial(bot_action, level, seed, position))
        except Unavailable:
            # In a thread, as processes may be what fails.
            async with self._standing_in:
                return await asyncio.to_thread(bot_action, STAND_IN_LEVEL, seed, position)

    async def _think(self, kind: str, game: str, work: Callable[[], T]) -> T:
        queue, pool = self._thinking[kind]
        prepare = partial(prepare_game, game) if game else None  # 0.15 ms if they are loaded

        async def think() -> T:
            try:
                return await pool.call(work, prepare)
            except EngineTimedOut as error:
                raise Unavailable(f"{error} Try a smaller board.") from None
            except (EngineFailed, OSError) as error:
                if not pool.closed:
                    log.warning("A process of the engine failed: %s", error)
                raise Unavailable("The engine has stopped. Try again.") from None

        return await queue.run(think)

    def close(self) -> None:
        """Stop, without waiting for what is being thought about."""
        for _, pool in self._thinking.values():
            pool.close()


def bot_action(level: str, seed: str, position: Position) -> int:
    """What a bot of that level plays. For a worker process."""
    return bot(position.game, level, seed).choose(position)


@cache
def prepare_game(key: str) -> None:
    """Load what searching positions of a game takes. For a worker process."""
    game = game_named(key)
    prepare(Position(game, game.deal(Random(1))))
