"""What systemd is told, so that it notices a server that hangs and starts it again."""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from .servers import TIMEOUT, Program

PAUSE = 0.5  # seconds after which systemd would end it


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """The socket at which systemd listens, which it tells those whom it starts."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as made:
        made.bind(str(tmp_path / "notify"))
        made.settimeout(TIMEOUT)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", str(round(1e6 * PAUSE)))
        yield made


def is_silent(told: socket.socket) -> bool:
    """Whether nothing is told any more, for longer than systemd waits."""
    told.settimeout(4 * PAUSE)
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
