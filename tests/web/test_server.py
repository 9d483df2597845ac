"""`gridwise serve` as people start and stop it."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from gridwise.errors import GridwiseError
from gridwise.web.server import own_names, serve
from gridwise.web.settings import ServerSettings

from .servers import (
    ROOT,
    TIMEOUT,
    Browse,
    Browser,
    Json,
    Program,
    eventually,
    get,
    gridwise,
    ok,
    receive,
    refused,
    running,
    send,
    sqlite,
)
from .test_connections import opened, rest
from .test_locked_database import locked

# A request whose body does not come.
HALF = (
    b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n"
    b"Expect: 100-continue\r\n\r\n"
)
LARGE = "123454321/234543212/345432123/454321234/543212345/432123454/321234543"  # 63 cells


def test_a_signal_ends_it_cleanly_and_nothing_is_lost(tmp_path: Path, browse: Browse) -> None:
    """While somebody plays; the next start finds the game in the user's own folder."""
    state: Json = None
    ann, moves = None, list[str]()
    for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 0), (signal.SIGHUP, 0)):
        with Program(tmp_path, fresh=number == signal.SIGINT) as server:
            assert "Ctrl-C" in server.greeting
            ann = browse(server.address, ann)
            game_id = state["id"] if state else ann.create("grid-runner", opponent="same-screen")
            state = ann.state(game_id)
            assert [each["move"] for each in state["moves"]] == moves
            moves.append(state["legal"][0])
            with ann.socket(state["id"]):
                ok(ann.move(state, moves[-1]))
                assert server.end(number) == (status, "")
        assert (tmp_path / "games.db").exists()


def test_a_port_that_is_taken_is_said_in_one_line(tmp_path: Path) -> None:
    """Status 2, no traceback, and what to do."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        status, out, err = gridwise(tmp_path, "serve", "--port", str(taken.getsockname()[1]))
    assert (status, out) == (2, "")
    assert err.startswith("gridwise: Cannot listen on 127.0.0.1, port ")
    assert err.endswith("Choose another with --port N (0: any).\n")


@pytest.mark.parametrize(
    ("host", "port", "database", "words"),
    [
        ("192.0.2.77", 0, "", "Cannot listen on 192.0.2.77"),
        ("127.0.0.1", 0, "what", "not a database URL"),
        ("127.0.0.1", 0, "postgresql://nobody@127.0.0.1:1/none", "Cannot open the database"),
    ],
)
def test_what_else_can_be_wrong_is_said_too(
    tmp_path: Path, host: str, port: int, database: str, words: str
) -> None:
    """The command prints such an error as one line."""
    with pytest.raises(GridwiseError, match=words):
        serve(ServerSettings(database, host=host, port=port), tmp_path)


def test_without_its_packages_it_says_how_to_get_them(tmp_path: Path) -> None:
    """The web is an extra."""
    blocked = (
        "import sys; sys.modules['fastapi'] = None\n"
        "sys.argv = ['gridwise', 'serve']\n"
        "from gridwise.__main__ import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", blocked],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
        cwd=ROOT,
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "pip install 'gridwise[web]'" in done.stderr


def test_a_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    """Though a request that it would wait for is not over."""
    with Program(tmp_path) as server:
        host, port = server.address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as slow:
            slow.sendall(HALF)
            assert b"100" in slow.recv(1_000)
            begun = time.monotonic()
            server.process.send_signal(signal.SIGTERM)
            with pytest.raises(subprocess.TimeoutExpired):
                server.process.wait(0.5)
            waited = time.monotonic() - begun
            # On a machine that was busy for seconds the first signal may have done its work.
            assert server.end(signal.SIGTERM) == (143, "") or waited > 2


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_stop_in_the_middle_of_everything_leaves_no_tracebacks(
    tmp_path: Path, browse: Browse, number: int, status: int
) -> None:
    """Who still waits when it has waited long enough is told to try again; no error is logged.

    A socket's move and a request's wait for the database, and who erases for both; an engine
    thinks; half of a body has come.
    """
    with Program(tmp_path, database=sqlite(tmp_path)) as server, ThreadPoolExecutor(3) as threads:
        ann = browse(server.address)
        one, other = (ann.create("grid-runner", opponent="same-screen") for _ in range(2))
        asked: list[tuple[str, Json]] = [
            (f"/api/games/{other}/moves", {"json": {"move": "down", "version": 0}}),
            ("/api/positions", {"json": {"game": "number-run", "board": LARGE}}),
            ("/forget", {"data": {"sure": "yes"}}),
        ]
        with ann.socket(one) as watching, opened(server.address) as slow:
            receive(watching, "state")
            slow.sendall(HALF)
            assert b"100" in slow.recv(1_000)
            with locked(sqlite(tmp_path)):
                send(watching, "move", move="down", version=0)
                answers = [threads.submit(ann.http.post, path, **more) for path, more in asked]
                eventually(
                    lambda: "gridwise_connections 6" in get(f"{server.address}/metrics").text
                )
                server.process.send_signal(number)
                told = [each.result(TIMEOUT).status_code for each in answers]
                assert rest(slow).startswith(b"HTTP/1.1 503")
            _, stderr = server.process.communicate(timeout=TIMEOUT)
    assert told[0] == told[2] == 503
    assert told[1] in (200, 503)
    assert server.process.returncode == status
    assert "Traceback" not in stderr
    assert len(stderr.splitlines()) < 5, stderr


def games_at(address: str, host: str) -> httpx.Response:
    """The list of games, asked for under a name."""
    return get(f"{address}/api/games", headers={"Host": host})


def test_on_this_machine_it_answers_to_its_own_names_only(tmp_path: Path) -> None:
    """A page elsewhere could make its name point here, and read everything."""
    with Program(tmp_path) as server:
        for host in ("localhost", "LocalHost:1", "127.0.0.1:8000", "[::1]:8000", "[::1]"):
            assert games_at(server.address, host).status_code == 200, host
        for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", ""):
            assert "--allowed-host" in refused(games_at(server.address, host), 421, "wrong-host")
        health = get(f"{server.address}/health", headers={"Host": "10.0.0.1"})
        assert health.status_code == 200, "balancers ask by address"
        with Browser(server.address) as ann:
            game_id = ann.create("grid-runner")
            port = int(server.address.rpartition(":")[2])
            evil = f"ws://evil.example:{port}/api/games/{game_id}/socket"
            with socket.create_connection(("127.0.0.1", port)) as sock:
                with pytest.raises(InvalidStatus) as denied:
                    connect(evil, sock=sock)
                assert denied.value.response.status_code == 403


def test_on_all_addresses_any_name_is_right_unless_some_are_given(database: str) -> None:
    """Nobody knows by which names others reach this machine."""
    assert own_names("0.0.0.0") == own_names("::") == own_names("192.0.2.1") == ()  # noqa: S104
    assert "localhost" in own_names("127.0.0.5")
    with running(database) as address:
        assert games_at(address, "anything.example").status_code == 200


def test_a_second_server_on_an_sqlite_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By whatever name it calls the file; a kill leaves nothing that would be in the way."""
    (tmp_path / "other.db").symlink_to(tmp_path / "games.db")
    monkeypatch.chdir(tmp_path)
    with Program(tmp_path) as server:
        for name in (str(tmp_path / "games.db"), "games.db", "other.db"):
            with pytest.raises(GridwiseError, match="Another server uses the database"):
                serve(ServerSettings(f"sqlite:///{name}", port=0), tmp_path)
        assert (tmp_path / "games.db.lock").stat().st_mode & 0o777 == 0o600
        server.end(signal.SIGKILL)
    with Program(tmp_path) as server:
        assert get(f"{server.address}/health").is_success


# What systemd is told, so that it notices a server that hangs and starts it again


WATCHDOG_SECONDS = 0.5  # after which systemd would end it


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """The socket at which systemd listens, which it tells those whom it starts."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as made:
        made.bind(str(tmp_path / "notify"))
        made.settimeout(TIMEOUT)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", str(round(1e6 * WATCHDOG_SECONDS)))
        yield made


def is_silent(told: socket.socket) -> bool:
    """Whether nothing is told any more, for longer than systemd waits."""
    told.settimeout(4 * WATCHDOG_SECONDS)
    try:
        for _ in range(3):  # what was sent before
            told.recv(100)
    except TimeoutError:
        return True
    finally:
        told.settimeout(TIMEOUT)
    return False


@pytest.mark.parametrize("hang", [signal.SIGSTOP, signal.SIGUSR1])
def test_a_process_that_hangs_tells_nothing(
    tmp_path: Path, told: socket.socket, hang: signal.Signals
) -> None:
    """Stopped as a whole, or in its event loop alone, while its threads go on."""
    with Program(tmp_path, runs="tests.web.runs:serve_until_it_hangs") as server:
        assert told.recv(100) == b"READY=1"
        for _ in range(3):
            assert told.recv(100) == b"WATCHDOG=1"
        server.process.send_signal(hang)
        assert is_silent(told)


def test_a_server_that_serves_says_so_until_it_stops(tmp_path: Path, told: socket.socket) -> None:
    """At the end it has the time to write what has begun: systemd does not wait for a sign then."""
    with Program(tmp_path) as server:
        assert server.end(signal.SIGTERM) == (0, "")
    said = [told.recv(100)]
    while said[-1] != b"STOPPING=1":
        said.append(told.recv(100))
    assert said[0] == b"READY=1"
    assert set(said[1:-1]) <= {b"WATCHDOG=1"}


def test_without_systemd_nobody_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And one whose socket is gone is no reason to stop."""
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    monkeypatch.setenv("WATCHDOG_USEC", "100000")
    with Program(tmp_path) as server:
        assert server.end(signal.SIGTERM) == (0, "")
