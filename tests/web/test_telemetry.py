"""Metrics and logs: what is going on, without anybody's secrets."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gridwise.web.async_tasks import shielded
from gridwise.web.errors import Unavailable
from gridwise.web.storage import GameStore
from gridwise.web.telemetry import logs

from .servers import Browse, Browser, Program, get, ok, receive, running, send
from .test_connections import opened, rest


def metrics_of(address: str, **headers: str) -> dict[str, float]:
    """All samples, by name and labels."""
    response = get(f"{address}/metrics", headers=headers)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = [line for line in response.text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


def test_metrics_say_what_is_going_on(database: str, browse: Browse) -> None:
    """Moves, games, sockets, refusals, the lag of the loop, how long things took."""
    with running(database) as address:
        ann = browse(address)
        before = metrics_of(address)
        game_id = ann.create("grid-runner", opponent="same-screen")
        state = ok(ann.move(ann.state(game_id), "down"))
        assert ann.move(state, "nowhere").status_code == 400
        with ann.socket(game_id) as socket:
            receive(socket, "state")
            send(socket, "move", move="x", version=99, ref="r")
            receive(socket, "refused")
            after = metrics_of(address)
        text = get(f"{address}/metrics").text

    def grown(name: str) -> float:
        return after[name] - before.get(name, 0)

    # At least: they are counted per process, and another server of the tests may be in it.
    assert grown('gridwise_events_total{kind="move"}') >= 1
    assert grown("gridwise_games_created_total") >= 1
    assert grown("gridwise_journal_seconds_count") >= 2
    assert grown('gridwise_refusals_total{reason="stale"}') >= 1
    assert (after["gridwise_live_games"], after["gridwise_sockets"]) == (1, 1)
    assert after["gridwise_connections"] >= 2
    assert after["gridwise_journal_queued"] == 0
    assert after['gridwise_waiting{kind="analysis"}'] == 0
    assert "gridwise_loop_lag_seconds_count" in after
    route = '{method="POST",route="/api/games/{game_id}/moves",status="200"}'
    assert grown(f"gridwise_request_seconds_count{route}") >= 1
    assert game_id not in text


def test_what_visitors_send_is_in_no_label(database: str, browse: Browse) -> None:
    """Else everybody could fill the memory of the server, and of Prometheus."""

    def series() -> int:
        return sum(
            name.startswith("gridwise_request_seconds_count") for name in metrics_of(address)
        )

    with running(database) as address:
        ann, count = browse(address), series()
        for number in range(20):
            ann.http.get(f"/nowhere/{number}")
            ann.http.get(f"/static/{number}/x.css")
            ann.http.request(f"VERB{number}", f"/g/{number}")
            ann.http.get(f"/g/{number:012d}")
        one = series()
        for number in range(20, 40):
            ann.http.get(f"/nowhere/{number}")
            ann.http.request(f"VERB{number}", f"/g/{number}")
        assert series() == one
        assert one - count < 10


def test_metrics_are_not_for_everybody(database: str) -> None:
    """For this machine, allowed networks, or a token; not for a visitor by way of a proxy."""
    visitor = {"X-Forwarded-For": "192.0.2.7"}
    allowed: dict[str, Any] = {"metrics_token": "hush", "metrics_networks": ("198.51.100.0/24",)}
    with running(database, **allowed) as address:
        metrics_of(address)
        metrics_of(address, **{"X-Forwarded-For": "198.51.100.9"})
        metrics_of(address, **visitor, Authorization="Bearer hush")
        for more in ({}, {"Authorization": "Bearer no"}, {"Authorization": "Bearer"}):
            refused = get(f"{address}/metrics", headers={**visitor, **more})
            assert refused.status_code == 403
    with running(database) as address:
        refused = get(f"{address}/metrics", headers={**visitor, "Authorization": "Bearer"})
        assert refused.status_code == 403


@pytest.fixture
def shaped() -> Iterator[logging.Logger]:
    """The server's logger as it was, after a test."""
    ours, everybodys = logging.getLogger("gridwise.web"), logging.getLogger()
    handlers, levels = everybodys.handlers, (ours.level, everybodys.level)
    yield ours
    everybodys.handlers = handlers
    ours.setLevel(levels[0])
    everybodys.setLevel(levels[1])


def test_ids_and_tokens_are_not_logged(
    shaped: logging.Logger, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not even if they come in an error of another library; a game has a short hash instead.

    What asyncio logs, errors that nobody has caught, is shaped alike.
    """
    game_id, token = "AbCdEf_-1234", "t" * 43
    for shape in ("text", "json"):
        logs.configure(shape, "info")
        try:
            raise ValueError(f"GET /g/{game_id} with {token}")  # noqa: TRY301 - to be logged
        except ValueError:
            shaped.exception("It failed at /api/games/%s/moves", game_id)
        said = capsys.readouterr().err
        assert "It failed at" in said
        assert "ValueError" in said
        assert game_id not in said
        assert token not in said
        assert logs.game_hash(game_id) in said
    logging.getLogger("asyncio").error("Fatal error at /g/%s", game_id)
    line = json.loads(capsys.readouterr().err)  # the last of the shapes
    assert (line["logger"], game_id in line["message"]) == ("asyncio", False)


def test_garbage_is_counted_and_not_logged(tmp_path: Path) -> None:
    """Anybody could fill the log with it."""
    with Program(tmp_path) as server:
        for _ in range(5):
            with opened(server.address) as connection:
                connection.sendall(b"\x00 garbage\r\n\r\n")
                assert rest(connection).startswith(b"HTTP/1.1 400")
        assert metrics_of(server.address)['gridwise_refusals_total{reason="bad-request"}'] == 5
        _, stderr = server.end(signal.SIGTERM)
    assert stderr == ""


def test_an_error_is_logged_with_its_cause_and_the_id_of_the_request(
    database: str,
    browse: Browse,
    shaped: logging.Logger,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The visitor gets the id, and no details."""

    def fail(*_: object, **__: object) -> None:
        raise KeyError("cause")

    logs.configure("json", "info")
    with running(database) as address:
        ann = browse(address)
        game_id = ann.create("grid-runner")
        monkeypatch.setattr(GameStore, "listed", fail)
        answer = ann.http.get("/api/games")
    assert answer.status_code == 500
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    (failed,) = [line for line in lines if "error" in line]
    assert failed["request"] == answer.headers["x-request-id"]
    assert failed["error"]["type"] == "KeyError"
    assert "listed" in failed["error"]["trace"]
    (asked,) = [
        line for line in lines if line.get("route") == "/api/games" and line["status"] == 500
    ]
    assert (asked["method"], asked["request"]) == ("GET", failed["request"])
    assert not any(game_id in json.dumps(line) for line in lines)


def test_an_error_is_logged_even_if_nobody_waits_any_more(caplog: pytest.LogCaptureFixture) -> None:
    """But no refusal: whoever was refused has gone."""

    async def fail(error: Exception) -> None:
        waiting = asyncio.create_task(shielded(asyncio.ensure_future(fails_soon(error))))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        assert waiting.cancelled()
        await asyncio.sleep(0.01)

    async def fails_soon(error: Exception) -> None:
        await asyncio.sleep(0.001)
        raise error

    asyncio.run(fail(Unavailable("The database does not respond.")))
    assert not caplog.records
    asyncio.run(fail(KeyError("cause")))
    (record,) = caplog.records
    assert "KeyError: 'cause'" in caplog.text
    assert (record.name, record.levelname) == ("gridwise.web", "ERROR")


def test_the_program_logs_json_and_no_address_of_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line for each request at the level `info`; sockets too are nowhere by their address.

    What a library logs is an object as well: that a form cannot be read, for one.
    """
    monkeypatch.setenv("GRIDWISE_LOG_LEVEL", "info")
    with Program(tmp_path, "--log-format", "json") as server, Browser(server.address) as ann:
        game_id = ann.create("grid-runner")
        token = ann.http.cookies["gridwise"]
        with ann.socket(game_id) as socket:
            receive(socket, "state")
        ann.http.get(f"/g/{game_id}")
        form = {"Content-Type": "multipart/form-data; boundary=x"}
        ann.http.post("/new/number-maze", content=b"not a form", headers=form)
        status, stderr = server.end(15)
    assert status == 0
    lines = [json.loads(line) for line in stderr.splitlines()]
    assert {"/api/games", "/g/{game_id}"} <= {line.get("route") for line in lines}
    assert "python_multipart.multipart" in {line["logger"] for line in lines}
    assert game_id not in stderr
    assert token not in stderr
    assert not re.search(r"127\.0\.0\.1", stderr)
