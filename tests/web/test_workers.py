"""Thinking: heavy questions of one visitor hold up neither games, bots nor hints of another.

What blocks here is work that never ends by itself, so that the order decides and not the clock.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

import httpx
import pytest

from gridwise.core.position import Position
from gridwise.web import app as web_app
from gridwise.web.errors import TooMany, Unavailable
from gridwise.web.game import live_game
from gridwise.web.http import api
from gridwise.web.hub import GameHub
from gridwise.web.settings import ServerLimits
from gridwise.web.workers import fair_queue
from gridwise.web.workers.engine import Workers, bot_action
from gridwise.web.workers.fair_queue import Asker, asker

from .servers import (
    NO_CERTIFICATES,
    RUN_BOARD,
    TIMEOUT,
    Browse,
    eventually,
    ok,
    receive,
    running,
    send,
)
from .thinking import AGES, Elsewhere, dies, never_moves, thinks_for_ages

ANN, BOB = Asker("10.0.0.1", "ann"), Asker("10.0.0.2", "bob")
PATIENT = ServerLimits(question_seconds=AGES, bot_seconds=AGES)
RUN = Position("number-run", RUN_BOARD)
# 63 cells on which nobody is near the 99 points: the search goes on for as long as it may.
LARGE_BOARD = "123456789/234567891/345678912/456789123/567891234/678912345/789123456"
LARGE = {"game": "number-connect", "board": LARGE_BOARD, "target": 99}


def with_workers(limits: ServerLimits, happens: Callable[[Workers], Awaitable[None]]) -> None:
    """Let something happen with workers of its own; what still goes on then is ended."""

    async def run() -> None:
        workers = Workers(limits)
        before = asyncio.all_tasks()
        try:
            await happens(workers)
        finally:
            workers.close()
            left = asyncio.all_tasks() - before
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)

    asyncio.run(run())


def test_bots_that_think_for_long_hold_up_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither quick bots, nor a bot of another visitor that searches."""

    async def happens(workers: Workers) -> None:
        asker.set(ANN)
        monkeypatch.setattr("gridwise.web.workers.engine.bot_action", never_moves)
        slow = [asyncio.create_task(workers.choose("perfect", "7", RUN)) for _ in range(50)]
        await asyncio.sleep(0.05)
        monkeypatch.undo()
        asker.set(BOB)
        for level in ("casual", "perfect"):
            action = await workers.choose(level, "7", RUN)
            assert action == bot_action(level, "7 0", RUN), "as it plays anywhere else"
        assert not any(task.done() for task in slow)

    with_workers(PATIENT, happens)


def test_a_question_that_does_not_end_is_ended() -> None:
    """The one who asked is told, and the next is answered."""

    async def happens(workers: Workers) -> None:
        with pytest.raises(Unavailable, match="in 1 s"):
            await workers.ask("", time.sleep, AGES)
        answer = 0
        async with asyncio.timeout(TIMEOUT):
            while not answer:
                with suppress(Unavailable):  # a busy machine may need longer to start another
                    answer = await workers.ask("", max, 3, 4)
        assert answer == 4

    with_workers(ServerLimits(question_seconds=1.0, search_processes=1), happens)


@pytest.mark.parametrize(
    ("fails", "level", "seconds"),
    [(never_moves, "perfect", 0.3), (dies, "casual", AGES), (dies, "perfect", AGES)],
)
def test_for_a_bot_that_fails_another_one_moves(
    fails: Callable[..., int], level: str, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes too long, or its process dies, as for a lack of memory; however full the queues are.

    A stand-in that was refused would leave its game without a move for good.
    """

    async def happens(workers: Workers) -> None:
        monkeypatch.setattr("gridwise.web.workers.engine.bot_action", Elsewhere(fails))
        monkeypatch.setattr(fair_queue, "ADDRESS_QUESTIONS", 0)
        with pytest.raises(TooMany):
            await workers.quick(max, 3, 4)
        assert await workers.choose(level, "7", RUN) == bot_action("strong", "7 0", RUN)

    with_workers(ServerLimits(bot_seconds=seconds), happens)


def test_an_engine_that_dies_is_replaced() -> None:
    """The answer says that it can be tried again, and then it works."""

    async def happens(workers: Workers) -> None:
        with pytest.raises(Unavailable, match="has stopped"):
            await workers.ask("", os._exit, 3)
        assert await workers.ask("", max, 3, 4) == 4

    with_workers(ServerLimits(), happens)


# Over the network


def test_a_question_of_somebody_who_disconnects_is_dropped(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever closes a page does not leave questions behind that others wait for."""
    hubs = noted_hubs(monkeypatch)
    monkeypatch.setattr(api, "evaluated_position", thinks_for_ages)
    with running(database) as address:
        for _ in range(4):
            with pytest.raises(httpx.ReadTimeout):
                httpx.post(
                    f"{address}/api/positions",
                    json={"game": "grid-runner"},
                    timeout=httpx.Timeout(TIMEOUT, read=0.2),
                    verify=NO_CERTIFICATES,
                )
        eventually(lambda: hubs[0].workers.waiting["analysis"] == 0)


def test_a_hint_holds_up_nothing_on_its_socket_and_goes_with_it(
    database: str, browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What else is sent is answered; when the socket closes, the hint is no longer waited for."""
    hubs = noted_hubs(monkeypatch)
    monkeypatch.setattr(live_game, "hint", thinks_for_ages)
    with running(database) as address:
        ann = browse(address)
        game = ann.create("grid-runner", opponent="same-screen")
        with ann.socket(game) as first, ann.socket(game) as second:
            for socket in (first, second):
                send(socket, "hint", version=0)
            eventually(lambda: hubs[0].workers.waiting["analysis"] == 1)
            send(second, "ping")
            receive(second, "pong")
        eventually(lambda: hubs[0].workers.waiting["analysis"] == 0)


def noted_hubs(monkeypatch: pytest.MonkeyPatch) -> list[GameHub]:
    """The hubs of the servers that are started from now on."""
    hubs: list[GameHub] = []

    def noted(*args: Any) -> GameHub:  # noqa: ANN401 - as GameHub takes them
        hubs.append(GameHub(*args))
        return hubs[-1]

    monkeypatch.setattr(web_app, "GameHub", noted)
    return hubs


def test_a_visitor_with_many_questions_holds_up_nobody_else(
    database: str, browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another one plays a bot that searches, and gets a hint; none of 24 questions is answered.

    A question about 63 cells is answered, with what was found in the time that there is.
    """
    hubs = noted_hubs(monkeypatch)

    def play(address: str) -> None:
        bob = browse(address)
        bob.http.headers["X-Forwarded-For"] = "10.0.0.2"
        game = bob.create("number-run", opponent="bot", level="perfect", seed=5)
        state = bob.state(game)
        assert ok(bob.request("hint", state))["move"] in state["legal"]
        ok(bob.move(bob.state(game), state["legal"][0]))
        eventually(lambda: bob.state(game)["turn"] != 2)

    async def both(address: str) -> None:
        headers = {"X-Forwarded-For": "10.0.0.1"}
        async with httpx.AsyncClient(headers=headers, timeout=AGES, verify=NO_CERTIFICATES) as ann:
            ask = partial(ann.post, f"{address}/api/positions", json=LARGE)
            assert ok(await ask())["options"]
            monkeypatch.setattr(api, "evaluated_position", thinks_for_ages)
            questions = [asyncio.create_task(ask()) for _ in range(24)]
            workers = hubs[0].workers
            await asyncio.to_thread(eventually, lambda: workers.waiting["analysis"] == 23)
            await asyncio.to_thread(play, address)
            assert not any(each.done() for each in questions)
            assert workers.waiting == {"quick": 0, "bot": 0, "searching_bot": 0, "analysis": 23}
            for each in questions:
                each.cancel()
            await asyncio.gather(*questions, return_exceptions=True)

    with running(database, position_seconds=0.3, question_seconds=AGES) as address:
        asyncio.run(both(address))
