"""`gridwise serve --workers N`: several processes at one address, and one server an SQLite file."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import zlib
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import httpx
import pytest

from gridwise.errors import GridwiseError
from gridwise.web.admin.games import drain
from gridwise.web.server import run
from gridwise.web.settings import Settings
from gridwise.web.storage import Store, claimed, open_database

from .postgres import Postgres
from .servers import ROOT, TIMEOUT, Browser, Program, ok, receive, sqlite
from .test_processes import eventually


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


def with_workers(home: Path, postgres: str) -> Program:
    """Two processes at one address."""
    return Program(home, "--workers", "2", "--database", postgres)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_all_of_them_end_cleanly(tmp_path: Path, postgres: str, number: int, status: int) -> None:
    """As one process does, with its status and nothing on standard error, while somebody plays."""
    with with_workers(tmp_path, postgres) as server, Browser(server.address) as ann:
        eventually(lambda: len(processes(server.process.pid)) == 2, "there are not two")
        started = processes(server.process.pid)
        state = ann.state(ann.create("grid-runner", opponent="same-screen"))
        with ann.socket(state["id"]):
            ok(ann.move(state, "down"))
            assert server.process.stdout
            assert server.end(number) == (status, "")
        assert not any(Path(f"/proc/{each}").exists() for each in started)


def test_a_process_that_is_killed_is_replaced(tmp_path: Path, postgres: str) -> None:
    """Meanwhile the other serves; only who was just being handed to it has to try again."""
    with with_workers(tmp_path, postgres) as server, Browser(server.address) as ann:
        eventually(lambda: len(processes(server.process.pid)) == 2, "there are not two")
        before = processes(server.process.pid)
        # One that dies before it has ever served cannot start: that ends them all.
        eventually(lambda: serving(server.address, before) == before, "one does not serve")
        game_id = ann.create("grid-runner", opponent="same-screen")
        os.kill(min(before), signal.SIGKILL)

        def replaced() -> bool:
            with Browser(server.address) as again, suppress(httpx.TransportError):
                again.http.cookies = ann.http.cookies
                assert again.state(game_id)["you"] == [1, 2]
            return bool(processes(server.process.pid) - before)

        eventually(replaced, "it is not replaced")
        status, stderr = server.end(signal.SIGTERM)
        assert status == 0
        assert "ended with status -9" in stderr


def test_a_process_that_replaces_another_while_they_are_drained_ends_too(
    tmp_path: Path, cluster: Postgres
) -> None:
    """It hears of what was said before it started; otherwise the server would never end."""
    database = cluster.database()
    with with_workers(tmp_path, database) as server, Browser(server.address) as ann:
        eventually(lambda: len(processes(server.process.pid)) == 2, "there are not two")
        started = processes(server.process.pid)
        game_id = ann.create("grid-runner", opponent="same-screen")
        with closing(Store(open_database(database))) as store, ann.socket(game_id) as socket:
            receive(socket, "state")
            drain(store, 10)
            # Nobody plays at the other one, which ends; this one is killed and replaced.
            eventually(lambda: len(processes(server.process.pid)) == 1, "none has ended")
            (busy,) = processes(server.process.pid)
            os.kill(busy, signal.SIGKILL)
        server.process.communicate(timeout=TIMEOUT)
        assert server.process.returncode == 0
        assert not any(Path(f"/proc/{each}").exists() for each in started)


def test_without_their_parent_they_end(tmp_path: Path, postgres: str) -> None:
    """Otherwise they would hold the port."""
    with with_workers(tmp_path, postgres) as server:
        started = processes(server.process.pid)
        server.end(signal.SIGKILL)
    eventually(
        lambda: not any(Path(f"/proc/{each}").exists() for each in started), "they are still there"
    )
    with pytest.raises(httpx.TransportError):
        httpx.get(f"{server.address}/health", timeout=TIMEOUT)


def test_all_who_are_connected_to_a_game_are_at_the_same_process(
    tmp_path: Path, postgres: str
) -> None:
    """So that one process works out what a move leads to; different games go to different ones."""
    with with_workers(tmp_path, postgres) as server, Browser(server.address) as ann:
        eventually(lambda: len(processes(server.process.pid)) == 2, "there are not two")
        started = processes(server.process.pid)
        # One that is still starting gets no connections: the other would have all of them.
        eventually(lambda: serving(server.address, started) == started, "one does not serve")
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


def cannot(settings: Settings) -> None:
    """A server that cannot be made."""
    raise GridwiseError(f"{settings.database} is out of paper.")


def test_one_that_cannot_start_ends_them_all() -> None:
    """With its reason, rather than trying for ever."""
    program = (
        "import socket\n"
        "from gridwise.web.settings import Settings\n"
        "from gridwise.web.supervisor import CannotStart, supervise\n"
        "from tests.web.test_supervisor import cannot\n"
        "try:\n"
        "    with socket.socket() as listening:\n"
        "        supervise(cannot, Settings('the printer'), listening, 2)\n"
        "except CannotStart as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=TIMEOUT * 2,
        check=False,
        cwd=ROOT,
    )
    assert done.stdout == "A server process cannot start: the printer is out of paper.\n"
    assert "Traceback" not in done.stderr


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
        assert httpx.get(f"{server.address}/health", timeout=TIMEOUT).is_success


def test_a_claim_is_let_go_when_the_server_ends(tmp_path: Path) -> None:
    """The next one can have it."""
    for _ in "ab":
        with claimed(sqlite(tmp_path)):
            with pytest.raises(GridwiseError), claimed(sqlite(tmp_path)):
                pass
            assert (tmp_path / "games.db.lock").stat().st_mode & 0o777 == 0o600
