"""What the server does not let in, and what it puts on every answer."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.types import Message, Scope
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection

from gridwise.web.http.middleware import SecurityMiddleware
from gridwise.web.http.rate_limit import RateLimiter, TokenBucket
from gridwise.web.settings import Rate, ServerSettings
from gridwise.web.workers.pacing import Pacer

from .servers import (
    NO_LIMITS,
    TIMEOUT,
    Browse,
    Browser,
    Json,
    get,
    ok,
    receive,
    refused,
    running,
    send,
    until_closed,
)

FOREIGN = {"Origin": "http://evil.example"}


def test_every_answer_has_the_security_headers(ann: Browser) -> None:
    """Nothing from elsewhere is loaded, nothing is framed or guessed; a game is not cached."""
    game = f"/api/games/{ann.create('grid-runner')}"
    for path in ("/health", "/api/games", "/api/games/AAAAAAAAAAAA", "/nowhere", game):
        headers = ann.http.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"


def test_a_name_that_no_computer_can_have_is_refused(database: str, browse: Browse) -> None:
    """Also by a server that answers to any: the picture of a link with it would take 0.1 s."""
    with running(database) as address:
        ann = browse(address)
        path = f"/g/{ann.create('grid-runner')}/qr.svg"
        for host in ("a" * 254, "a" * 2_300, "a" * 3_000, f"a:{'0' * 2_300}"):
            refused(ann.http.get(path, headers={"Host": host}), 421, "wrong-host")
        assert ann.http.get(path, headers={"Host": f"{'a' * 253}:8000"}).status_code == 200


def test_the_cookie_cannot_be_read_by_scripts_and_is_not_kept(ann: Browser) -> None:
    """HttpOnly, SameSite, 256 bits; it is given once."""
    made = ann.post("/games", game="grid-runner")
    cookie = made.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert len(ann.http.cookies["gridwise"]) == 43  # 32 bytes in Base64
    assert "set-cookie" not in ann.post("/games", game="grid-runner").headers


def test_under_https_no_other_name_below_the_same_domain_can_set_the_cookie(
    ann: Browser, browse: Browse
) -> None:
    """`__Host-` makes the browser see to that, if Secure and Path are as they have to be.

    Each scheme has its own name and knows no other: the plain one can be set by anybody between.
    """
    secure, plain = browse(ann.address), browse(ann.address)
    secure.http.headers["X-Forwarded-Proto"] = "https"
    game_id = secure.create("grid-runner", opponent="same-screen")
    token = secure.http.cookies["__Host-gridwise"]
    for browser, proto, own in ((secure, "https", "__Host-gridwise"), (plain, "http", "gridwise")):
        for name in ("gridwise", "__Host-gridwise"):
            browser.http.cookies.clear()
            browser.http.cookies.set(name, token)
            seats = [1, 2] if name == own else []
            assert browser.state(game_id)["you"] == seats
            with browser.socket(game_id, {"X-Forwarded-Proto": proto}) as socket:
                assert receive(socket, "state")["you"] == seats
    forgotten = secure.http.post("/forget", data={"sure": "yes"})
    secure.http.cookies.clear()
    for response in (secure.post("/games", game="grid-runner"), forgotten):
        name, *attributes = response.headers["set-cookie"].split("; ")
        assert name.startswith("__Host-gridwise=")
        assert {"Secure", "Path=/"} <= set(attributes)
        assert not any(each.startswith("Domain") for each in attributes)


def test_tokens_are_in_no_answer_and_not_in_the_database(database: str, browse: Browse) -> None:
    """Only the hash is stored, and not even that is sent; no address is stored at all."""
    with running(database) as address:
        ann = browse(address)
        ann.http.headers["X-Forwarded-For"] = "203.0.113.7"
        game_id = ann.create("grid-runner", opponent="same-screen", name="Ann")
        token = ann.http.cookies["gridwise"]
        answers = [ann.http.get(f"/api/games/{game_id}{path}").text for path in ("", "/record")]
    stored = b"".join(
        path.read_bytes()
        for path in Path(database.removeprefix("sqlite:///")).parent.glob("games*")
    )
    assert b"Ann" in stored
    for secret in (token.encode(), b"203.0.113", bytes([203, 0, 113, 7])):
        assert secret not in stored
    assert not any(token in text for text in answers)


def test_pages_of_other_sites_can_do_nothing(ann: Browser) -> None:
    """Neither by a form nor by a socket; pages of our own can."""
    game_id = ann.create("grid-runner", opponent="same-screen")
    evil = ann.address + ".evil.example"
    for origin in ("http://evil.example", "null", "http://", "http://[", evil):
        response = ann.http.post(
            f"/api/games/{game_id}/resign", json={"version": 0}, headers={"Origin": origin}
        )
        refused(response, 403, "not-yours")
    with pytest.raises(InvalidStatus) as denied, ann.socket(game_id, headers=FOREIGN):
        pass
    assert denied.value.response.status_code == 403
    with ann.socket(game_id, headers={"Origin": ann.address}) as socket:
        assert receive(socket, "state")["version"] == 0
    response = ann.http.post(
        f"/api/games/{game_id}/resign", json={"version": 0}, headers={"Origin": ann.address}
    )
    assert ok(response)["status"] == "over"


def test_a_request_that_is_too_large_is_not_read(ann: Browser) -> None:
    """Whether it says how long it is or not."""
    body = b'{"game": "' + b"x" * NO_LIMITS.body + b'"}'
    headers = {"Content-Type": "application/json"}
    refused(ann.http.post("/api/games", content=body, headers=headers), 413, "too-large")
    pieces = (body[start : start + 1000] for start in range(0, len(body), 1000))
    refused(ann.http.post("/api/games", content=pieces, headers=headers), 413, "too-large")


def test_a_message_that_is_too_large_closes_the_socket(ann: Browser) -> None:
    """With the reason."""
    game_id = ann.create("grid-runner")
    with ann.socket(game_id) as socket:
        socket.send("x" * (NO_LIMITS.message + 1))
        assert until_closed(socket) == (1009, "A message can have at most 4,096 bytes.")


def test_too_many_requests_are_refused_for_a_while(database: str, browse: Browse) -> None:
    """The answer says how long."""
    with running(database, games=Rate(2, 0.01)) as address:
        ann = browse(address)
        for _ in range(2):
            ann.create("grid-runner")
        response = ann.post("/games", game="grid-runner")
        assert "new games" in refused(response, 429, "too-many")
        assert 0 < int(response.headers["retry-after"]) <= 100
    with running(database, requests=Rate(20, 0.01)) as address:
        statuses = [get(f"{address}/health").status_code for _ in range(25)]
        assert statuses[-1] == 429
        assert statuses.count(200) >= 15


def test_who_does_not_care_about_refusals_waits_for_them(database: str) -> None:
    """Refusing takes time too: a flood of refused requests must not hold up everybody else.

    Each is answered, with or without a body, again and again on the same connection.
    """
    limits: Json = {"requests": Rate(1, 0.001), "refusal_pause": 0.1}
    with running(database, **limits) as address, Browser(address) as ann:
        assert ann.post("/games", game="grid-runner").status_code == 201
        begun = time.monotonic()
        refused(ann.http.get("/"), 429, "too-many")
        for _ in range(3):
            refused(ann.post("/games", game="grid-runner"), 429, "too-many")
        assert time.monotonic() - begun >= 4 * 0.1


def refusing(pause: float) -> SecurityMiddleware:
    """A layer in front of nothing, which lets a client without an address in once."""

    async def nothing(*_: object) -> None:
        pytest.fail("this should have been refused")

    limits = replace(NO_LIMITS, requests=Rate(1, 0.001), refusal_pause=pause)
    settings = ServerSettings("sqlite://", limits=limits)
    return SecurityMiddleware(nothing, settings, RateLimiter(limits), Pacer())


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_what_is_cancelled_by_mistake_is_an_error(kind: str) -> None:
    """Only a request that is cancelled itself, as the server stops, is told to try again."""

    async def mistaken(*_: object) -> None:
        waiting = asyncio.get_running_loop().create_future()
        waiting.cancel()
        await waiting

    limits = NO_LIMITS
    layer = SecurityMiddleware(
        mistaken, ServerSettings("sqlite://", limits=limits), RateLimiter(limits), Pacer()
    )
    scope = {"type": kind, "method": "GET", "path": "/", "headers": []}
    with pytest.raises(asyncio.CancelledError):
        asked_by(layer, scope)


def asked_by(layer: SecurityMiddleware, scope: Scope, *messages: Message) -> list[Message]:
    """What is sent to a client that sends some messages, and then waits."""
    arriving, sent = list(messages), []

    async def receive() -> Message:
        if not arriving:
            await asyncio.Event().wait()
        return arriving.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    async def happens() -> None:
        async with asyncio.timeout(TIMEOUT):
            await layer(scope, receive, send)

    asyncio.run(happens())
    return sent


def test_who_has_gone_is_not_refused() -> None:
    """Whoever sends a request and closes: it is noticed in the pause, and nothing is rendered."""
    layer = refusing(pause=10 * TIMEOUT)
    layer._rate_limiter.spend("requests", "")
    for method in ("GET", "POST"):
        scope: Scope = {"type": "http", "method": method, "path": "/", "headers": []}
        scope["client"] = None
        body = {"type": "http.request", "body": b"{}", "more_body": False}
        assert asked_by(layer, scope, body, {"type": "http.disconnect"}) == []


def test_handshakes_of_other_sites_are_counted_and_wait() -> None:
    """Refusing them is work as well: beyond the limit they get the pause like everybody."""
    layer = refusing(pause=0.2)
    headers = [(b"host", b"here"), (b"origin", b"https://elsewhere")]
    scope = {"type": "websocket", "path": "/", "headers": headers, "client": None}
    connect = {"type": "websocket.connect"}
    (closed,) = asked_by(layer, scope, connect)
    assert (closed["type"], closed["code"]) == ("websocket.close", 1008)
    begun = time.monotonic()
    accepted, closed = asked_by(layer, scope, connect)
    assert time.monotonic() - begun >= 0.2
    assert accepted["type"] == "websocket.accept"
    assert (closed["type"], closed["code"]) == ("websocket.close", 1013)


def test_the_engine_is_not_for_one_client_alone(database: str, browse: Browse) -> None:
    """Questions to it are counted; describing a position costs nothing."""
    with running(database, thinking=Rate(1, 0.001)) as address:
        ann = browse(address)
        ok(ann.post("/positions", game="grid-runner"))
        refused(ann.post("/positions", game="grid-runner"), 429, "too-many")
        ok(ann.post("/positions", game="grid-runner", search=False))
        ann.create("grid-runner")  # has a cookie now: the limit of a browser, not of its address
        ok(ann.post("/positions", game="grid-runner"))
        refused(ann.post("/positions", game="grid-runner"), 429, "too-many")


def test_too_many_open_games_are_refused(database: str, browse: Browse) -> None:
    """Of one browser, until one is over; for those of everybody see test_full_server.py."""
    with running(database, open_games=2) as address:
        ann = browse(address)
        first = ann.create("grid-runner")
        ann.create("grid-runner")
        assert "2 unfinished games" in refused(
            ann.post("/games", game="grid-runner"), 429, "too-many"
        )
        ok(ann.request("resign", ann.state(first)))
        ann.create("grid-runner")


def test_too_many_sockets_are_refused(database: str, browse: Browse) -> None:
    """The last one is closed with the reason; a closed one makes room."""
    with running(database, sockets=2) as address:
        ann = browse(address)
        game_id = ann.create("grid-runner")
        with ann.socket(game_id) as one:
            receive(one, "state")
            other = browse(address)
            with other.socket(game_id) as two, other.socket(game_id) as three:
                receive(two, "state")
                code, reason = until_closed(three)
            assert (code, "Too many open sockets" in reason) == (1013, True)
            receive(one, "presence", spectators=0)
            with other.socket(game_id) as again:
                receive(again, "state")


def connected(socket: ClientConnection) -> None:
    """It is open, and answered."""
    send(socket, "ping")
    receive(socket, "pong")


def from_client(number: int) -> dict[str, str]:
    """The headers of a proxy for a visitor."""
    return {"X-Forwarded-For": f"192.0.2.{number}"}


def test_who_holds_no_seat_gives_way_on_a_full_server(database: str, browse: Browse) -> None:
    """The longest there of the client with the most such sockets; players are never put out."""
    with running(database, all_sockets=4) as address, ExitStack() as stack:
        ann, bob, cat, eve = (browse(address) for _ in range(4))
        game_id, another = ann.create("grid-runner"), cat.create("grid-runner")
        bob.take_seat(game_id)

        def opens(browser: Browser, client: int, game: str = game_id) -> ClientConnection:
            return stack.enter_context(browser.socket(game, from_client(client)))

        watching = [opens(eve, client) for client in (1, 2, 2, 3)]
        for each in watching:
            receive(each, "state")
        assert until_closed(opens(eve, 4))[0] == 1013
        players = [opens(ann, 5)]
        receive(players[0], "state")
        code, reason = until_closed(watching.pop(1))  # the first of client 2
        assert (code, "players" in reason) == (1013, True)
        for browser, game in ((bob, game_id), (cat, another), (ann, game_id)):
            players.append(opens(browser, 5, game))
            receive(players[-1], "state")
        assert {until_closed(each)[0] for each in watching} == {1013}
        assert until_closed(opens(cat, 6, another))[0] == 1013
        assert until_closed(opens(eve, 1))[0] == 1013
        for each in players:
            connected(each)


def test_who_has_a_game_open_twice_gives_way_with_the_older_one(
    database: str, browse: Browse
) -> None:
    """Otherwise one browser, with a seat of its own, could lock out a class behind its address."""
    with running(database, sockets=3) as address, ExitStack() as stack:
        ann, eve = browse(address), browse(address)
        own, game_id = eve.create("grid-runner"), ann.create("grid-runner")
        many = [stack.enter_context(eve.socket(own)) for _ in range(3)]
        for each in many:
            receive(each, "state")
        receive(stack.enter_context(ann.socket(game_id)), "state")
        assert until_closed(many[0])[0] == 1013
        assert until_closed(stack.enter_context(eve.socket(own)))[0] == 1013
        for each in many[1:]:
            connected(each)


def test_who_holds_no_seat_gives_way_behind_one_address(database: str, browse: Browse) -> None:
    """To somebody there who does; others are not put out for it."""
    with running(database, sockets=2) as address, ExitStack() as stack:
        ann, eve = browse(address), browse(address)
        game_id = ann.create("grid-runner")
        far = stack.enter_context(eve.socket(game_id, from_client(2)))
        near = [stack.enter_context(eve.socket(game_id, from_client(1))) for _ in range(2)]
        for each in (far, *near):
            receive(each, "state")
        playing = stack.enter_context(ann.socket(game_id, from_client(1)))
        receive(playing, "state")
        assert until_closed(near[0])[0] == 1013
        for each in (far, near[1], playing):
            connected(each)


def test_sockets_that_are_opened_too_often_get_the_reason(database: str, browse: Browse) -> None:
    """On the socket itself: of a handshake that is refused a page hears nothing."""
    with running(database, requests=Rate(20, 0.01)) as address:
        ann = browse(address)
        game_id = ann.create("grid-runner")
        while ann.http.get("/api/lobby").is_success:
            pass
        assert ann.http.get("/health").is_success  # counted apart
        with ann.socket(game_id) as socket:
            code, reason = until_closed(socket)
        assert (code, "Too many requests. Try again in" in reason) == (1013, True)


def test_names_are_sent_as_text(ann: Browser, bob: Browser) -> None:
    """Whatever is in them; pages escape them, also in what they say of a game that is over."""
    game_id = ann.create("grid-runner", name='<b>Ann & "co"</b>')
    state = bob.take_seat(game_id, "  Bob   B  ")
    assert [each["name"] for each in state["players"]] == ['<b>Ann & "co"</b>', "Bob B"]
    assert "<b>" not in state["svg"]
    record = ann.http.get(f"/api/games/{game_id}/record").text
    assert json.dumps('<b>Ann & "co"</b>') in record
    ok(ann.request("resign", state))
    for path in (f"/g/{game_id}", f"/g/{game_id}/back", "/games", "/"):
        page = bob.page(path)
        assert ("<b>Ann" in page, "&lt;b&gt;Ann" in page) == (False, True), path


def test_a_bucket_fills_again() -> None:
    """A burst, then a steady rate."""
    now = 0.0
    bucket = TokenBucket(Rate(2, 4), clock=lambda: now)
    assert [bucket.spend(), bucket.spend()] == [0, 0]
    assert bucket.spend() == pytest.approx(0.25)
    now = 0.25
    assert bucket.spend() == 0
    now = 100.0
    assert [bucket.spend(), bucket.spend(), bucket.spend() > 0] == [0, 0, True]


def test_a_bucket_gives_several_at_once() -> None:
    """More than it holds are as many as it holds: they are there once it is full."""
    now = 0.0
    bucket = TokenBucket(Rate(10, 2), clock=lambda: now)
    assert bucket.spend(count=9) == 0
    assert bucket.spend(count=3) == pytest.approx(1.0)
    assert bucket.spend(count=1_000) == pytest.approx(4.5)
    now = 4.5
    assert [bucket.spend(count=1_000), bucket.spend()] == [0, 0.5]
