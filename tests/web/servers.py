"""Starting servers and talking to them: in a thread of this process, or as the real program.

Nothing is mocked: every request goes over a socket of the system. What takes long and proves
nothing is done once: making the tables of a database, loading the program, reading certificates.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, fields, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self, TypeAlias, Unpack
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import httpx
import sqlalchemy as sa
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from gridwise import game as game_named
from gridwise.listening import listen_on
from gridwise.web.app import make_app
from gridwise.web.http.connections import GuardedConfig
from gridwise.web.server import GuardedServer
from gridwise.web.settings import PREFIX, USUAL, Rate, ServerLimits, ServerSettings
from gridwise.web.storage import GameStore, open_database
from tests.loaded_program import LOADED_WEB, Child, How

TIMEOUT = 90.0  # seconds, for a busy machine that compiles searches for the first time
Json: TypeAlias = Any  # whatever can be sent
GAMES = ("number-run", "number-maze", "grid-runner", "grid-conquest", "number-connect")
RUN_BOARD = "31425/25134/42513/14252/53142"  # of Number Run
HIDDEN_BOARD = "53152/24251/43453/11523/32214"  # of Grid Conquest
ROOT = Path(__file__).parents[2]
HTML = {"Accept": "text/html"}  # what a browser asks for
PLENTY = Rate(1e6, 1e6)

# Tests do in a second what people do in an hour.
NO_LIMITS = ServerLimits(
    refusal_pause=0.0,
    requests=PLENTY,
    static=PLENTY,
    games=PLENTY,
    thinking=PLENTY,
    messages=PLENTY,
    sockets=10_000,
    open_games=9_999,
    client_games=9_999,
)


# Nobody here is asked by https, and reading the system's certificates takes 25 ms.
NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def sqlite(folder: Path) -> str:
    """The URL of a database in a folder."""
    return f"sqlite:///{folder / 'games.db'}"


@cache
def _empty_tables() -> bytes:
    """An SQLite database without games: making its tables takes 40 ms."""
    with TemporaryDirectory() as folder:
        open_database(sqlite(Path(folder))).dispose()
        return (Path(folder) / "games.db").read_bytes()


def sqlite_with_tables(folder: Path) -> str:
    """The URL of a new database in a folder, as a server that has ended leaves it."""
    path = folder / "games.db"
    path.touch(0o600, exist_ok=False)
    path.write_bytes(_empty_tables())
    return sqlite(folder)


@contextmanager
def transaction(url: str) -> Iterator[sa.Connection]:
    """A transaction in a database of either kind, behind the server's back."""
    engine = sa.create_engine(url)
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


def eventually(holds: Callable[[], object], what: str = "it does not happen") -> None:
    """Wait until something is the case."""
    until = time.monotonic() + TIMEOUT
    while not holds():
        assert time.monotonic() < until, what
        time.sleep(0.02)


@contextmanager
def running(
    database: str,
    limits: ServerLimits = NO_LIMITS,
    host: str = "127.0.0.1",
    port: int = 0,
    **more: Json,
) -> Iterator[str]:
    """A server in a thread of this process; its address. More settings, and limits, by name."""
    own = {name: more.pop(name) for name in {each.name for each in fields(limits)} & more.keys()}
    settings = ServerSettings(database=database, limits=replace(limits, **own), **more)
    store = GameStore(open_database(database, settings.lock_wait, settings.statement_limit))
    with listen_on(host, port) as listening:
        config = GuardedConfig(
            make_app(settings, store), settings, log_level="error", timeout_graceful_shutdown=1
        )
        server = GuardedServer(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            eventually(lambda: server.started or not thread.is_alive())
            assert server.started, "the server has not started"
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(TIMEOUT)
            assert not thread.is_alive(), "the server does not stop"


def get(address: str, **more: Json) -> httpx.Response:
    """Ask as somebody without cookies."""
    return httpx.get(address, verify=NO_CERTIFICATES, timeout=TIMEOUT, **more)


def _without_limits() -> dict[str, str]:
    """Environment variables that lift the limits of a server as `NO_LIMITS` does."""
    lifted = {name: value for name, value in asdict(NO_LIMITS).items() if name in USUAL}
    return {
        f"{PREFIX}{name.upper()}": " ".join(map(str, value))
        if isinstance(value, tuple)
        else str(value)
        for name, value in lifted.items()
    }


class Program:
    """`gridwise serve` as a process of its own; with a `database`, without its usual limits."""

    def __init__(
        self,
        home: Path,
        *options: str,
        database: str = "",
        fresh: bool = False,
        variables: Mapping[str, str] | None = None,
        **how: Unpack[How],
    ) -> None:
        """A `fresh` one loads all of itself; for `how` others run see `Child`."""
        arguments = ["serve", "--port", "0", *options]
        environment = {**os.environ, "GRIDWISE_HOME": str(home), **(variables or {})}
        if database:
            arguments += ["--database", database]
            environment |= _without_limits()
        self.process: Child | subprocess.Popen[str] = (
            _started_anew(arguments, environment)
            if fresh
            else Child(LOADED_WEB, arguments, environment, **how)
        )
        assert self.process.stdout
        self.greeting = self.process.stdout.readline()
        match = re.search(r"http://\S+", self.greeting)
        if not match:
            _, stderr = self.process.communicate(timeout=TIMEOUT)
            raise AssertionError(f"the server does not start: {stderr}")
        self.address = match[0]
        get(f"{self.address}/health").raise_for_status()  # who comes early waits until it serves

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.end(signal.SIGKILL)
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe:
                pipe.close()

    def end(self, number: int) -> tuple[int | None, str]:
        """Send it a signal; its exit status and its standard error."""
        self.process.send_signal(number)
        _, stderr = self.process.communicate(timeout=TIMEOUT)
        return self.process.returncode, stderr


def gridwise(home: Path, *arguments: str) -> tuple[int, str, str]:
    """Run the program to its end; its exit status, its output and its standard error."""
    child = Child(LOADED_WEB, arguments, {**os.environ, "GRIDWISE_HOME": str(home)})
    out, err = child.communicate(TIMEOUT)
    assert "Traceback" not in err
    return child.wait(), out, err


def _started_anew(arguments: list[str], environment: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "gridwise", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=ROOT,
    )


class Browser:
    """Somebody with a cookie jar, perhaps that of `same`: the same person elsewhere."""

    def __init__(self, address: str, same: Browser | None = None) -> None:
        self.address = address
        self.http = httpx.Client(base_url=address, timeout=TIMEOUT, verify=NO_CERTIFICATES)
        if same:
            self.http.cookies = same.http.cookies

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def page(self, path: str, **query: str | int) -> str:
        """A page that is there, as a browser gets it."""
        shown = self.http.get(path, params=query or None, headers=HTML)
        assert shown.status_code == 200, shown.text
        return shown.text

    def post(self, path: str, **body: Json) -> httpx.Response:
        """Send JSON."""
        return self.http.post(f"/api{path}", json=body)

    def create(self, game: str, **options: Json) -> str:
        """Start a game; its id."""
        made = self.post("/games", game=game, **options)
        assert made.status_code == 201, made.text
        return str(made.json()["id"])

    def state(self, game_id: str) -> dict[str, Any]:
        """A game as this browser sees it."""
        return ok(self.http.get(f"/api/games/{game_id}"))

    def take_seat(self, game_id: str, name: str = "") -> dict[str, Any]:
        """Sit down on the free seat."""
        return ok(self.post(f"/games/{game_id}/seats", name=name))

    def move(self, state: dict[str, Any], move: str, **more: Json) -> httpx.Response:
        """Play a move on a state."""
        body = {"move": move, "version": state["version"], **more}
        return self.post(f"/games/{state['id']}/moves", **body)

    def request(self, kind: str, state: dict[str, Any], **more: Json) -> httpx.Response:
        """Resign, ask, agree or decline."""
        return self.post(f"/games/{state['id']}/{kind}", version=state["version"], **more)

    def socket(
        self, game_id: str, headers: dict[str, str] | None = None, query: str = ""
    ) -> ClientConnection:
        """Watch a game, with the cookies of this browser."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        address = self.address.replace("http", "ws", 1)
        return connect(
            f"{address}/api/games/{game_id}/socket?{query}",
            additional_headers={"Cookie": cookies, **(headers or {})},
            open_timeout=TIMEOUT,
        )


Browse = Callable[..., Browser]  # what makes a `Browser`, of the same arguments


def open_by_hand(address: str, game_id: str, ann: Browser) -> socket.socket:
    """A WebSocket without a library, which would read by itself."""
    parts = urlsplit(address)
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    made.settimeout(TIMEOUT)
    made.connect((parts.hostname, parts.port))
    request = (
        f"GET /api/games/{game_id}/socket HTTP/1.1\r\nHost: {parts.netloc}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        f"Cookie: gridwise={ann.http.cookies['gridwise']}\r\n\r\n"
    )
    made.sendall(request.encode())
    assert made.recv(12) == b"HTTP/1.1 101"
    return made


def same_deal(game: str) -> dict[str, Any]:
    """The same board in every run, for two people: nobody may choose the seed of a hidden one."""
    return {"board": HIDDEN_BOARD} if game_named(game).has_hidden_cells else {"seed": 5}


def ok(response: httpx.Response) -> dict[str, Any]:
    """The JSON of a successful response."""
    assert response.is_success, response.text
    body: dict[str, Any] = response.json()
    return body


def refused(response: httpx.Response, status: int, kind: str) -> str:
    """The message of an error response, after checking its shape."""
    assert response.status_code == status, response.text
    error = response.json()["error"]
    assert error["kind"] == kind, error
    assert error["message"]
    return str(error["message"])


_STATES: WeakKeyDictionary[ClientConnection, dict[str, Any]] = WeakKeyDictionary()


def changed(state: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """The state after a change, as a program gets it."""
    assert change["from"] == state["version"]
    assert change["version"] == state["version"] + 1
    fields = dict(change)
    if "legal" in fields:
        fields.setdefault("targets", fields["legal"])
    cells, moves = fields.pop("cells"), fields.pop("moves", {"keep": None, "add": []})
    for name in ("type", "from", "event"):
        del fields[name]
    assert state.keys() >= fields.keys()
    return (
        state
        | fields
        | {
            "cells": [cells.get(cell["name"], cell) for cell in state["cells"]],
            "moves": state["moves"][: moves["keep"]] + moves["add"],
        }
    )


def receive(socket: ClientConnection, kind: str, **wanted: Json) -> dict[str, Any]:
    """The next message of a kind that has certain values; others are skipped.

    A change counts as the state that it leads to.
    """
    while True:
        message: dict[str, Any] = json.loads(socket.recv(timeout=TIMEOUT))
        if message["type"] == "change" and kind != "change":
            message = changed(_STATES[socket], message)
        if message["type"] == "state":
            _STATES[socket] = message
        if message["type"] == kind and all(
            message[name] == value for name, value in wanted.items()
        ):
            return message


def until_closed(socket: ClientConnection) -> tuple[int, str]:
    """Listen until the server closes; the code and the reason."""
    try:
        while True:
            socket.recv(timeout=TIMEOUT)
    except ConnectionClosed as closed:
        closing = closed.rcvd
    assert closing, "the connection broke"
    return closing.code, closing.reason


def send(socket: ClientConnection, kind: str, **more: Json) -> None:
    """Send a message."""
    socket.send(json.dumps({"type": kind, **more}))
