"""A server as a process of its own: started, looked at from outside, and ended."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import httpx

START_SECONDS = 120.0  # seconds that a server may take to answer for the first time
OPEN_FILES = 1_024  # what systems allow a process unless it asks for more


class Server(NamedTuple):
    """A running server."""

    address: str
    process: int

    def processes(self) -> list[int]:
        """The server's process and all that it has started."""
        children: dict[int, list[int]] = {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                parent = int(path.read_text(encoding="utf-8").rpartition(")")[2].split()[1])
            except OSError:
                continue  # it has just ended
            children.setdefault(parent, []).append(int(path.parent.name))
        found = [self.process]
        for each in found:  # it grows meanwhile
            found += children.get(each, [])
        return found

    def cpu(self) -> float:
        """The seconds of processor time it has used, where the system tells."""
        try:
            stats = [
                Path(f"/proc/{each}/stat").read_text(encoding="utf-8") for each in self.processes()
            ]
        except OSError:
            return float("nan")
        spent = [stat.rpartition(")")[2].split()[11:13] for stat in stats]
        ticks = sum(int(user) + int(system) for user, system in spent)
        return ticks / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """The memory it has, in MB; what its processes share is counted once."""
        kilobytes = 0
        for each in self.processes():
            try:
                text = Path(f"/proc/{each}/smaps_rollup").read_text(encoding="ascii")
            except OSError:
                continue
            found = re.search(r"^Pss:\s+(\d+)", text, re.MULTILINE)
            kilobytes += int(found[1]) if found else 0
        return kilobytes / 1e3

    def open_files(self) -> int:
        """How many files and sockets its processes have open."""
        count = 0
        for each in self.processes():
            try:
                count += sum(1 for _ in Path(f"/proc/{each}/fd").iterdir())
            except OSError:
                continue
        return count


@contextmanager
def running(program: str, *arguments: str) -> Iterator[Server]:
    """Start a Python program that prints its address, and end it."""
    with started([sys.executable, "-c", program, *arguments]) as process:
        yield Server(_address(process), process.pid)


@contextmanager
def serving(
    folder: Path, *options: str, program: str = "", settings: dict[str, str] | None = None
) -> Iterator[Server]:
    """`gridwise serve` with its usual limits, or a program like it; it answers when this yields.

    `settings` are variables of its environment. Its log is appended to `server.log` in the folder.
    """
    command = ["-c", program] if program else ["-m", "gridwise", "serve", "--port", "0"]
    command = [sys.executable, *command, *options]
    with (
        (folder / "server.log").open("a", encoding="utf-8") as log,
        started(
            command, {"GRIDWISE_HOME": str(folder), **(settings or {})}, log.fileno()
        ) as process,
    ):
        server = Server(_address(process), process.pid)
        _wait_until_it_answers(server.address, process)
        yield server


@contextmanager
def started(
    command: Sequence[str], settings: dict[str, str] | None = None, log: int | None = None
) -> Iterator[subprocess.Popen[str]]:
    """A process in a group of its own, with as many open files as usual; all of it is killed."""
    command = ["bash", "-c", f'ulimit -Sn {OPEN_FILES}; exec "$@"', "bash", *command]
    process = subprocess.Popen(  # noqa: S603 - our own program
        command,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        env={**os.environ, **(settings or {})},
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def _address(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    found = re.search(r"http://[^\s/]+", process.stdout.readline())
    assert found, "the server has not started"
    return found[0]


def _wait_until_it_answers(address: str, process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        assert process.poll() is None, "the server has ended"
        try:
            if httpx.get(f"{address}/health", timeout=START_SECONDS).is_success:
                return
        except httpx.TransportError:
            time.sleep(0.05)
    raise AssertionError("the server does not answer")


def limits(caps: Mapping[str, int]) -> dict[str, str]:
    """Limits of a server as variables of its environment."""
    return {f"GRIDWISE_{cap.upper()}": str(value) for cap, value in caps.items()}


def from_address(number: int) -> dict[str, str]:
    """The header by which this machine, a trusted proxy, says that a client is another one.

    Limits are counted for a client: with one for each game they stay out of the way.
    """
    return {"X-Forwarded-For": f"10.0.{number // 250}.{number % 250 + 1}"}


def clean_up_when_told_to_end() -> None:
    """Let SIGTERM end this process like Ctrl-C: what it has started is ended too."""
    signal.signal(signal.SIGTERM, lambda _number, _frame: signal.raise_signal(signal.SIGINT))


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def percentile(times: Sequence[float], share: float) -> float:
    """In milliseconds; not a number if there are none."""
    return sorted(times)[int(share * (len(times) - 1))] * 1_000 if times else float("nan")
