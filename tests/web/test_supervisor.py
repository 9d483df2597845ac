"""`gridwise serve --workers N`: several processes at one address, and one server an SQLite file."""

from __future__ import annotations

import os
import signal
import socket
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import httpx
import pytest

from gridwise.errors import GridwiseError
from gridwise.web.admin.games import drain
from gridwise.web.server import run
from gridwise.web.storage import Store, claimed, open_database
from tests.loaded_program import LOADED_WEB, Child
from tests.sizes import sample

from .postgres import Postgres
from .servers import (
    TIMEOUT,
    Browser,
    Program,
    eventually,
    get,
    ok,
    receive,
    refused,
    sqlite,
)


def processes(parent: int) -> set[int]:
    """The server processes that a supervisor has started, and that are still there."""
    found = set()
    for path in Path("/proc").glob("[0-9]*"):
        try:
            stat, command = (path / "stat").read_text(), (path / "cmdline").read_text()
        except OSError:
            continue  # it has just ended
        state, its_parent = stat.rpartition(")")[2].split()[:2]
        if int(its_parent) == parent and state != "Z" and "spawn_main" in command:
            found.add(int(path.name))
    return found


def connected_to(process: int, ports: set[int]) -> int:
    """How many connections a process has whose other ends are at some ports of this machine."""
    own = set()
    for path in Path(f"/proc/{process}/fd").iterdir():
        with suppress(OSError):  # it has just been closed
            own.add(path.readlink().name)
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    ends = {f"socket:[{row[9]}]": int(row[2].rpartition(":")[2], 16) for row in rows}
    return sum(port in ports for inode, port in ends.items() if inode in own)


def serving(address: str, started: set[int]) -> set[int]:
    """Which of some processes serve somebody who asks twice as often as there are of them."""
    found: set[int] = set()
    host, port = address.removeprefix("http://").split(":")
    for _ in range(2 * len(started)):
        with socket.create_connection((host, int(port)), TIMEOUT) as asking:
            asking.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert asking.recv(1_000).startswith(b"HTTP/1.1 200")
            own = {int(asking.getsockname()[1])}
            found |= {each for each in started if connected_to(each, own)}
    return found


@pytest.fixture
def database(cluster: Postgres) -> str:
    """A PostgreSQL database of their own."""
    return cluster.database()


@pytest.fixture
def server(tmp_path: Path, database: str) -> Iterator[Program]:
    """Two processes at one address, which both serve.

    One that is still starting gets no connections: the other would have all of them. And one that
    dies before it has ever served cannot start: that ends them all.
    """
    with Program(tmp_path, "--workers", "2", "--database", database) as program:
        eventually(lambda: len(processes(program.process.pid)) == 2, "there are not two")
        started = processes(program.process.pid)
        eventually(lambda: serving(program.address, started) == started, "one does not serve")
        yield program


@pytest.mark.parametrize(
    ("number", "ended"),
    sample([(signal.SIGINT, 130)], long=[(signal.SIGINT, 130), (signal.SIGTERM, 0)]),
)
def test_a_process_that_is_killed_is_replaced_and_all_end_cleanly(
    server: Program, number: int, ended: int
) -> None:
    """Everybody at a game is at the same process, which works out once what a move leads to.

    Different games are at different ones. When one of them is killed, the other serves meanwhile.
    In the end all end as one process does, while somebody plays.
    """
    with Browser(server.address) as ann:
        started = processes(server.process.pid)
        games: dict[int, str] = {}
        while len(games) < 2:
            game_id = ann.create("grid-runner", opponent="same-screen")
            games[zlib.crc32(game_id.encode()) % 2] = game_id
        places: list[int] = []
        with ExitStack() as stack:
            for game_id in games.values():
                sockets = [stack.enter_context(ann.socket(game_id)) for _ in range(8)]
                for each in sockets:
                    receive(each, "state")
                ports = {int(each.local_address[1]) for each in sockets}
                at = {each: connected_to(each, ports) for each in started}
                assert sorted(at.values()) == [0, 8]
                places.append(max(at, key=lambda each: at[each]))
        assert sorted(places) == sorted(started)

        os.kill(min(started), signal.SIGKILL)

        def replaced() -> bool:
            # Only who was just being handed to the killed one has to try again.
            with Browser(server.address) as again, suppress(httpx.TransportError):
                again.http.cookies = ann.http.cookies
                assert again.state(game_id)["you"] == [1, 2]
            return bool(processes(server.process.pid) - started)

        eventually(replaced, "it is not replaced")
        started |= processes(server.process.pid)
        with Browser(server.address) as again:
            again.http.cookies = ann.http.cookies
            with again.socket(game_id):
                ok(again.move(again.state(game_id), "down"))
                status, stderr = server.end(number)
        assert status == ended
        (line,) = stderr.splitlines()
        assert "ended with status -9" in line
        assert not any(Path(f"/proc/{each}").exists() for each in started)


@pytest.mark.parametrize("killed", sample([True], long=[True, False]))
def test_all_processes_are_drained_and_none_is_replaced(
    server: Program, database: str, *, killed: bool
) -> None:
    """The one where somebody plays goes on until the end; then the parent ends, too.

    When it is killed, the one that replaces it hears of what was said before it started, and ends.
    """
    with Browser(server.address) as ann:
        started = processes(server.process.pid)
        state = ann.state(ann.create("grid-runner", opponent="same-screen"))
        with closing(Store(open_database(database))) as store, ann.socket(state["id"]) as socket:
            receive(socket, "state")
            drain(store, 10)
            eventually(lambda: len(processes(server.process.pid)) == 1, "none has ended")
            with Browser(server.address) as again:  # whom the process that is left accepts
                again.http.cookies = ann.http.cookies
                eventually(
                    lambda: again.post("/games", game="grid-runner").status_code == 503,
                    "games are still begun",
                )
                refused(again.post("/games", game="grid-runner"), 503, "unavailable")
                state = ok(again.move(state, state["legal"][0]))
                (busy,) = processes(server.process.pid)
                assert busy in started
                if killed:
                    os.kill(busy, signal.SIGKILL)
                else:
                    ok(again.request("resign", state))
        _, stderr = server.process.communicate(timeout=TIMEOUT)
        assert server.process.returncode == 0
        assert ["ended with status -9" in line for line in stderr.splitlines()] == [True] * killed
        assert not any(Path(f"/proc/{each}").exists() for each in started)


def test_without_their_parent_they_end() -> None:
    """Otherwise they would hold the port."""
    parent = Child(LOADED_WEB, [], runs="tests.web.runs:supervise_idle")
    assert parent.stdout
    port = int(parent.stdout.readline())
    eventually(lambda: len(processes(parent.pid)) == 2, "there are not two")
    started = processes(parent.pid)
    parent.kill()
    parent.wait(TIMEOUT)
    eventually(
        lambda: not any(Path(f"/proc/{each}").exists() for each in started), "they are still there"
    )
    parent.communicate(TIMEOUT)
    with pytest.raises(httpx.TransportError):
        get(f"http://127.0.0.1:{port}/health")


def test_one_that_cannot_start_ends_them_all() -> None:
    """With its reason, rather than trying for ever."""
    out, err = Child(LOADED_WEB, [], runs="tests.web.runs:supervise_in_vain").communicate(TIMEOUT)
    assert out == "A server process cannot start: the printer is out of paper.\n"
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("workers", "words"), [(2, "Only PostgreSQL is for several"), (0, "a number from 1 up")]
)
def test_sqlite_is_for_one_process(tmp_path: Path, workers: int, words: str) -> None:
    """Said before anything is opened."""
    with pytest.raises(GridwiseError, match=words):
        run("127.0.0.1", 0, sqlite(tmp_path), tmp_path, workers=workers)
    assert list(tmp_path.iterdir()) == []


def test_a_second_server_on_an_sqlite_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By whatever name it calls the file; a kill leaves nothing that would be in the way."""
    serve: Callable[[str], None] = lambda name: run("127.0.0.1", 0, f"sqlite:///{name}", tmp_path)  # noqa: E731
    (tmp_path / "other.db").symlink_to(tmp_path / "games.db")
    monkeypatch.chdir(tmp_path)
    with Program(tmp_path) as server:
        for name in (str(tmp_path / "games.db"), "games.db", "other.db"):
            with pytest.raises(GridwiseError, match="Another server uses the database"):
                serve(name)
        server.end(signal.SIGKILL)
    with Program(tmp_path) as server:
        assert get(f"{server.address}/health").is_success


def test_a_claim_is_let_go_when_the_server_ends(tmp_path: Path) -> None:
    """The next one can have it."""
    for _ in "ab":
        with claimed(sqlite(tmp_path)):
            with pytest.raises(GridwiseError), claimed(sqlite(tmp_path)):
                pass
            assert (tmp_path / "games.db.lock").stat().st_mode & 0o777 == 0o600
