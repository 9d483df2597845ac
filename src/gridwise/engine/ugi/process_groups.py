"""Ends a program with its children: its process group, and those that have left the group.

A child that has started a session of its own (a daemon) is in no group that we know of. So each
program is started with a random mark in its environment, which all its children inherit; where
there is /proc, whatever has the mark is found and killed.

Run as a program this file is what `reaper` starts. It imports nothing of ours: `python -I -S` runs
it in 10 ms and 6 MB.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress

VARIABLE = "GRIDWISE_PROGRAM"
_PROCESSES = "/proc"
_ROUNDS = 10  # one that is just starting another can be missed in the first


def new_mark() -> str:
    """A mark that nothing has; it says nothing about a game."""
    return os.urandom(8).hex()


def marked_environment(mark: str) -> dict[str, str]:
    """Our environment with the mark; marks that we have ourselves stay, for whoever set them."""
    before = os.environ.get(VARIABLE, "")
    return {**os.environ, VARIABLE: f"{before}:{mark}" if before else mark}


def kill_all(group: int, mark: str) -> None:
    """Kill a process group, and whatever else has the mark."""
    with suppress(OSError):  # it may have ended
        os.killpg(group, signal.SIGKILL)
    for _ in range(_ROUNDS):
        if not _kill_marked(mark.encode()):
            return


def _kill_marked(mark: bytes) -> int:
    """Kill what has the mark; how many there were."""
    try:
        numbers = [name for name in os.listdir(_PROCESSES) if name.isdigit()]  # noqa: PTH208 - quick
    except OSError:
        return 0  # not on this system
    killed = 0
    for number in numbers:
        # Another user's cannot be read, nor one that has ended.
        with suppress(OSError), open(f"{_PROCESSES}/{number}/environ", "rb") as file:
            if mark in file.read():
                os.kill(int(number), signal.SIGKILL)
                killed += 1
    return killed


def main() -> None:
    """Note groups and marks, a line each, and end them all when the input is closed."""
    known: dict[int, str] = {}
    for line in sys.stdin:
        group, mark = line[1:].split()
        if line[0] == "+":
            known[int(group)] = mark
        else:
            known.pop(int(group), None)
    for number, mark in known.items():
        kill_all(number, mark)


if __name__ == "__main__":
    main()
