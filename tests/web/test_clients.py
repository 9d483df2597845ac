"""Whom a limit counts: one client is one address, however the address is written."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from starlette.requests import HTTPConnection

from gridwise.listening import listen_on
from gridwise.web.errors import TooMany
from gridwise.web.http import rate_limit
from gridwise.web.http.rate_limit import RateLimiter, client_of
from gridwise.web.pages.templating import static_url
from gridwise.web.settings import Rate, ServerLimits

from .servers import (
    NO_CERTIFICATES,
    Browse,
    Program,
    get,
    receive,
    running,
    send,
    until_closed,
)


def client(host: str) -> str:
    """Whom the limits count for a connection from an address."""
    return client_of(HTTPConnection({"type": "http", "client": (host, 1), "headers": []}))


def test_an_ipv4_address_is_the_same_client_on_a_socket_for_both() -> None:
    """With `--host ::` the system hands over IPv4 addresses as mapped ones."""
    assert client("::ffff:192.0.2.1") == client("192.0.2.1") == "192.0.2.1"
    assert client("::ffff:192.0.2.1") != client("::ffff:192.0.2.2")
    assert client("2001:db8:1:1::5") == client("2001:db8:1:1::6") != client("2001:db8:1:2::5")


def test_ipv4_clients_of_all_interfaces_have_a_limit_each(database: str) -> None:
    """One that asks too much does not use up what another may ask."""
    with running(database, host="::", games=Rate(2, 0.001)) as address:

        def create(source: str) -> int:
            with httpx.Client(
                transport=httpx.HTTPTransport(NO_CERTIFICATES, local_address=source)
            ) as http:
                return http.post(f"{address}/api/games", json={"game": "grid-runner"}).status_code

        assert [create("127.0.0.2") for _ in range(3)] == [201, 201, 429]
        assert create("127.0.0.3") == 201


def test_a_rematch_by_the_form_counts_as_a_new_game(database: str, browse: Browse) -> None:
    """Like one by a program or by the page's script."""
    with running(database, games=Rate(2, 0.001)) as address:
        ann = browse(address)
        path, statuses = f"/g/{ann.create('number-connect', opponent='same-screen')}", []
        for _ in range(2):
            ann.http.post(path, data={"request": "resign", "sure": "yes", "version": "0"})
            again = ann.http.post(path, data={"request": "rematch", "version": "1"})
            statuses.append(again.status_code)
            path = again.headers.get("location", path)
        assert statuses == [303, 429]
        assert "Too many new games" in again.text


def test_all_interfaces_means_both_families(tmp_path: Path) -> None:
    """`--host ::` takes IPv4 clients whatever the system's default is; the greeting says it all."""
    with listen_on("::", 0) as listening:
        assert listening.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY) == 0
    with Program(tmp_path, "--host", "::") as server:
        port = server.address.rpartition(":")[2]
        for host in ("127.0.0.1", "[::1]"):
            assert get(f"http://{host}:{port}/health").status_code == 200
        assert server.process.stdout
        said = "".join(server.process.stdout.readline() for _ in range(3))
        for words in ("Everybody who can reach this machine", "https", "any name"):
            assert words in said


def spends(limiter: RateLimiter, who: str) -> bool:
    """Whether a client may start one more game."""
    try:
        limiter.spend("games", who)
    except TooMany:
        return False
    return True


def test_a_flood_of_networks_does_not_lift_the_limits_of_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever is limited and goes on asking stays limited; memory is bounded."""
    monkeypatch.setattr(rate_limit, "MOST_BUCKETS", 100)
    limiter = RateLimiter(ServerLimits(games=Rate(2, 0.001)))
    assert [spends(limiter, "192.0.2.1") for _ in range(3)] == [True, True, False]
    for number in range(1_000):
        spends(limiter, client(f"2001:db8:{number:x}::1"))
        if number % 10 == 0:
            assert not spends(limiter, "192.0.2.1")
    assert len(limiter) <= 100


def test_a_class_starts_games_and_opens_pages_at_once() -> None:
    """Behind one address or in a network each: a class has thirty pupils with two tabs each."""
    limits = ServerLimits()
    limiter = RateLimiter(limits)
    for number in range(30):
        assert all(spends(limiter, client(f"2001:db8:1:{number:x}::1")) for _ in range(5))
    assert all(spends(limiter, "192.0.2.1") for _ in range(30 * 2))
    assert limits.client_games >= 30 * 2 * 7, "a week of lessons with two games left each"
    for _ in range(2 * 30 * 10):  # ten files each, and the scripts of all again after a restart
        limiter.spend("static", "192.0.2.1")


def test_messages_are_counted_over_all_sockets_of_a_client(database: str, browse: Browse) -> None:
    """Opening more sockets does not allow more messages; the one that asks too much is closed."""
    with running(database, messages=Rate(6, 0.001)) as address:
        ann = browse(address)
        game_id = ann.create("grid-runner")
        with ann.socket(game_id) as one, ann.socket(game_id) as two, ann.socket(game_id) as three:
            for socket in (one, two):
                for _ in range(3):
                    send(socket, "ping")
                    receive(socket, "pong")
            send(three, "ping")
            code, reason = until_closed(three)
            assert (code, "Too many messages" in reason) == (1008, True)
        with ann.socket(game_id) as another:
            receive(another, "state")


def test_a_class_behind_one_address_can_play(database: str, browse: Browse) -> None:
    """Thirty sockets that all send a dozen messages at once: some wait, none is closed."""
    usual = ServerLimits().messages
    with running(database, messages=usual) as address, ExitStack() as stack:
        ann = browse(address)
        game_id = ann.create("grid-runner")
        pupils = [stack.enter_context(ann.socket(game_id)) for _ in range(30)]
        for pupil in pupils:
            for _ in range(12):
                send(pupil, "ping")
        for pupil in pupils:
            for _ in range(12):
                receive(pupil, "pong")


def test_scripts_are_counted_apart(database: str, browse: Browse) -> None:
    """One that was refused would leave a dead page: a class that plays can still load them all."""
    with running(database, requests=Rate(2, 0.001), static=Rate(3, 0.001)) as address:
        pupil = browse(address).http
        assert [pupil.get("/settings").status_code for _ in range(3)] == [200, 200, 429]
        scripts = [pupil.get(static_url("game.js")).status_code for _ in range(4)]
        assert scripts == [200, 200, 200, 429]
