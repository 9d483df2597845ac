"""EnginePool: thinking in processes that are there when needed and gone when not."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from gridwise.engine_pool import EnginePool
from gridwise.errors import EngineFailed, EngineTimedOut

AGES = 600.0  # seconds: longer than any test
TIMEOUT = 30.0  # seconds


def with_pool(pool: EnginePool, happens: Callable[[EnginePool], Awaitable[None]]) -> None:
    """Let something happen with a pool, and close it."""

    async def run() -> None:
        try:
            async with asyncio.timeout(TIMEOUT):
                await happens(pool)
        finally:
            pool.close()

    asyncio.run(run())


def is_running(process: int) -> bool:
    """Whether there is such a process."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


async def until_ended(process: int) -> None:
    """Wait until there is no such process."""
    while is_running(process):  # noqa: ASYNC110 - nobody could set an event
        await asyncio.sleep(0.02)


def test_what_takes_too_long_is_ended_and_the_next_call_answered() -> None:
    """With its process; getting ready does not count."""

    async def happens(pool: EnginePool) -> None:
        first = await pool.run(os.getpid)
        with pytest.raises(EngineTimedOut, match=r"in 0\.3 s"):
            await pool.run(time.sleep, AGES)
        assert not is_running(first)
        await pool.call(os.getpid, prepare=Nap())

    with_pool(EnginePool(1, seconds=0.3), happens)


class Nap:
    """A call that takes longer than the pool has for thinking."""

    def __call__(self) -> None:
        """Sleep."""
        time.sleep(0.5)


def test_whoever_is_cancelled_ends_the_thinking() -> None:
    """At once: nobody waits for it any more."""

    async def happens(pool: EnginePool) -> None:
        first = await pool.run(os.getpid)
        thinking = asyncio.create_task(pool.run(time.sleep, AGES))
        await asyncio.sleep(0.1)
        thinking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await thinking
        assert not is_running(first)
        assert await pool.run(max, 3, 4) == 4

    with_pool(EnginePool(1, seconds=AGES), happens)


def test_an_engine_that_dies_is_replaced() -> None:
    """The next call starts another."""

    async def happens(pool: EnginePool) -> None:
        with pytest.raises(EngineFailed, match="ended without an answer"):
            await pool.run(os._exit, 3)
        assert await pool.run(max, 3, 4) == 4

    with_pool(EnginePool(1, seconds=AGES), happens)


def test_no_more_than_its_processes_think_at_once() -> None:
    """Whoever comes then waits, and gets one of the same processes."""

    async def happens(pool: EnginePool) -> None:
        found = await asyncio.gather(*(pool.run(os.getpid) for _ in range(9)))
        assert 1 <= len(set(found)) <= 2

    with_pool(EnginePool(2, seconds=AGES), happens)


def test_a_process_that_has_nothing_to_do_ends() -> None:
    """And the next call starts another."""

    async def happens(pool: EnginePool) -> None:
        first = await pool.run(os.getpid)
        await until_ended(first)
        assert await pool.run(os.getpid) != first

    with_pool(EnginePool(1, seconds=AGES, idle_seconds=0.05), happens)


def test_a_call_does_not_wait_for_a_process_that_is_being_ended() -> None:
    """Asked at the very moment when it has had nothing to do for long enough."""
    may_stop = threading.Event()

    async def happens(pool: EnginePool) -> None:
        first = await pool.run(os.getpid)
        (process,) = pool._resting
        stop = process.stop

        def stop_late() -> None:
            assert may_stop.wait(TIMEOUT)
            stop()

        process.stop = stop_late  # type: ignore[method-assign]
        pool._end_idle(process)
        assert await pool.run(os.getpid) != first
        may_stop.set()
        await until_ended(first)

    with_pool(EnginePool(1, seconds=AGES), happens)


def test_processes_are_ended_however_busy_the_threads_of_the_loop_are() -> None:
    """Reads of a database wait in them; nothing here does."""
    read = threading.Event()

    async def happens(pool: EnginePool) -> None:
        loop = asyncio.get_running_loop()
        loop.set_default_executor(ThreadPoolExecutor(1))
        reading = loop.run_in_executor(None, read.wait, TIMEOUT)
        try:
            with pytest.raises(EngineTimedOut):
                await pool.run(time.sleep, AGES)
        finally:
            read.set()
            await reading

    with_pool(EnginePool(1, seconds=0.3), happens)


def test_a_pool_that_is_closed_starts_nothing_more() -> None:
    """What is being thought about ends, and what is asked then fails."""

    async def happens(pool: EnginePool) -> None:
        first = await pool.run(os.getpid)
        thinking = asyncio.create_task(pool.run(time.sleep, AGES))
        await asyncio.sleep(0.1)
        pool.close()
        for asked in (thinking, pool.run(os.getpid)):
            with pytest.raises(EngineFailed):
                await asked
        assert not is_running(first)

    with_pool(EnginePool(1, seconds=AGES), happens)
