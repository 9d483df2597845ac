"""One client's requests do not run the event loop alone, however many come at once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from gridwise.web.http import rate_limit
from gridwise.web.http.middleware import SecurityMiddleware
from gridwise.web.http.rate_limit import RateLimiter
from gridwise.web.pages import look_back
from gridwise.web.pages.look_back import review_story
from gridwise.web.pages.templating import page
from gridwise.web.settings import Rate, ServerSettings
from gridwise.web.storage import GameStore, open_database
from gridwise.web.storage.store import READS_AT_ONCE
from gridwise.web.workers.fair_queue import Asker, asker
from gridwise.web.workers.pacing import Pacer

from .servers import NO_LIMITS, TIMEOUT, Browse, Browser, ok, running

MANY = 50
Noted = list[tuple[str, int]]  # a client, and the turn of the loop


def handled(requests: Rate, clients: list[str]) -> Noted:
    """Requests that come at once: whose is begun, or refused, in which turn of the loop."""
    turn, noted = 0, Noted()

    def count() -> None:
        nonlocal turn
        turn += 1
        asyncio.get_running_loop().call_soon(count)

    async def begin(scope: Scope, _receive: Receive, _send: Send) -> None:
        noted.append((scope["client"][0], turn))

    async def refuse(request: Request, _error: Exception) -> Response:
        assert request.client
        noted.append((request.client.host, turn))
        return Response()

    async def receive() -> Message:
        return await asyncio.Future()

    async def send(_message: Message) -> None:
        pass

    limits = replace(NO_LIMITS, requests=requests, refusal_pause=0.01)
    settings = ServerSettings("sqlite://", limits=limits)
    layer = SecurityMiddleware(begin, settings, RateLimiter(limits), Pacer())
    app = SimpleNamespace(exception_handlers={Exception: refuse})

    async def all_at_once() -> None:
        count()
        async with asyncio.timeout(TIMEOUT), asyncio.TaskGroup() as group:
            for client in clients:
                scope = {"type": "http", "method": "GET", "path": "/", "headers": [], "app": app}
                group.create_task(layer({**scope, "client": (client, 1)}, receive, send))

    asyncio.run(all_at_once())
    return noted


@pytest.mark.parametrize("waiting", range(1, 5))
@pytest.mark.parametrize("later", range(8))
def test_whoever_comes_when_the_last_one_begins_waits(waiting: int, later: int) -> None:
    """It is let begin in one turn of the loop, and begins in the next: that one is its own."""
    pacer, turn, noted = Pacer(), 0, list[int]()

    def count() -> None:
        nonlocal turn
        turn += 1
        asyncio.get_running_loop().call_soon(count)

    async def ask(turns_later: int) -> None:
        for _ in range(turns_later):
            await asyncio.sleep(0)
        await pacer.turn("10.0.0.1")
        noted.append(turn)

    async def all_ask() -> None:
        count()
        await asyncio.gather(*(ask(0) for _ in range(waiting)), ask(later))

    asyncio.run(all_ask())
    assert len(set(noted)) == waiting + 1


@pytest.mark.parametrize("requests", [Rate(MANY, 1), Rate(0, 1)], ids=["begun", "refused"])
def test_one_request_of_a_client_is_handled_in_a_turn_of_the_loop(requests: Rate) -> None:
    """A page takes milliseconds: all at once, they are a second in which nobody can move."""
    noted = handled(requests, ["10.0.0.1"] * MANY)
    assert len({turn for _, turn in noted}) == MANY


def test_another_client_does_not_wait_for_them() -> None:
    """It came last, and is begun after two of them; nobody else's is in the same turn."""
    noted = handled(NO_LIMITS.requests, ["10.0.0.1"] * MANY + ["10.0.0.2"])
    assert noted[2][0] == "10.0.0.2"
    assert len({turn for _, turn in noted}) == MANY + 1


def test_lists_of_games_count_as_several_requests(database: str, browse: Browse) -> None:
    """They take longer than other pages: nobody gets as many of them."""
    with running(database, requests=Rate(12, 0.001)) as address:
        for path, many in (("/settings", 12), ("/", 4), ("/games", 3)):
            visitor = browse(address).http
            visitor.headers["X-Forwarded-For"] = f"10.0.0.{many}"  # the proxy is on this machine
            statuses = [visitor.get(path).status_code for _ in range(many + 1)]
            assert statuses == [200] * many + [429], path


def test_requests_go_on_one_by_one_after_the_database_has_answered(database: str) -> None:
    """Begun one by one they would go on together, and everybody else wait for all of them."""
    turn, noted = 0, Noted()
    all_at_once = threading.Barrier(READS_AT_ONCE, timeout=TIMEOUT)

    def count() -> None:
        nonlocal turn
        turn += 1
        asyncio.get_running_loop().call_soon(count)

    async def page(store: GameStore, client: str) -> None:
        asker.set(Asker(client))
        await store.ask(all_at_once.wait)
        noted.append((client, turn))

    async def happens() -> None:
        store = GameStore(open_database(database))
        count()
        async with asyncio.timeout(TIMEOUT), asyncio.TaskGroup() as group:
            for number in range(2 * READS_AT_ONCE):
                group.create_task(page(store, f"10.0.0.{number}"))
        store.close()

    asyncio.run(happens())
    assert len({turn for _, turn in noted}) == 2 * READS_AT_ONCE


def test_who_has_gone_takes_no_turn() -> None:
    """Nor is anything kept of a client that has no more requests."""

    async def happens() -> None:
        pacer = Pacer()
        waiting = [asyncio.create_task(pacer.turn("somebody")) for _ in range(MANY)]
        await asyncio.sleep(0)
        for each in waiting[1:-1]:
            each.cancel()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert waiting[-1].done()
        await asyncio.sleep(0)
        assert not pacer._waiting

    asyncio.run(happens())


def test_a_story_is_told_once_and_not_on_the_loop(
    ann: Browser, bob: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a thousand moves it takes 80 ms: whoever asked again and again would stop everybody."""
    threads: list[str] = []

    def noting(work: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - whatever it is
            threads.append(threading.current_thread().name)
            return work(*args, **kwargs)

        return noted

    game = ann.create("grid-runner", opponent="same-screen")
    state = ok(ann.http.get(f"/api/games/{game}"))
    ok(ann.post(f"/games/{game}/moves", move="down", version=state["version"]))
    ok(ann.post(f"/games/{game}/resign", version=state["version"] + 1))
    monkeypatch.setattr(look_back, "review_story", noting(review_story))
    for _ in range(3):
        assert "Who was winning" in ann.http.get(f"/g/{game}/back?comments=yes").text
        assert ok(ann.http.get(f"/g/{game}/review"))["ready"]
    assert len(threads) == 1
    ok(bob.http.get(f"/g/{game}/review"))  # Bob watches, and both are called Player
    monkeypatch.setattr(look_back, "page", noting(page))
    assert ann.http.get(f"/g/{game}/back").is_success
    assert all(name.startswith("asyncio_") for name in threads), threads


def test_a_long_game_as_a_whole_counts_as_many_requests(
    database: str, browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or one client could keep the server busy with pages of a thousand moves."""
    monkeypatch.setattr(rate_limit, "EVENTS_OF_A_REQUEST", 1)
    with running(database, requests=Rate(40, 0.001)) as address:
        ann = browse(address)
        game = ann.create("grid-runner", opponent="same-screen")
        for version, move in enumerate(["down", "up"]):
            ok(ann.post(f"/games/{game}/moves", move=move, version=version))
        ok(ann.post(f"/games/{game}/resign", version=2))
        # Four requests so far; each of these is one and three events.
        statuses = [ann.http.get(f"/g/{game}/back").status_code for _ in range(10)]
        assert statuses == [200] * 9 + [429]
