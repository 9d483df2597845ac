"""Engines that tests write themselves, and whether the processes of an engine are gone."""

from __future__ import annotations

import shlex
import sys
import textwrap
import time
from pathlib import Path

SOON_SECONDS = 10.0  # for what takes none, on a machine that has other things to do

POLITE = """
    if line == "ugi":
        print("id name Test\\noption name Seed type spin default 0 min 0 max 9\\nugiok")
    elif line == "isready":
        print("readyok")
"""


def write_engine(folder: Path, body: str, python: str = "-IS") -> str:
    """The command of an engine; `body` is what it does with each `line`.

    It adds what it hears to the file `heard`, and its process to `pids`. Python starts fastest with
    no packages; an engine that imports some is given "-I".
    """
    path = folder / "engine.py"
    path.write_text(
        "import os, subprocess, sys, time\n"
        f"print(os.getpid(), file=open({str(folder / 'pids')!r}, 'a'), flush=True)\n"
        f"heard = open({str(folder / 'heard')!r}, 'a')\n"
        "legal = {}\n"
        "for line in sys.stdin:\n"
        "    line = line.strip()\n"
        "    print(line, file=heard, flush=True)\n"
        f"{POLITE}\n{textwrap.indent(textwrap.dedent(body), '    ')}\n"
        "    sys.stdout.flush()\n"
    )
    return shlex.join([sys.executable, python, str(path)])


def smallest_engine(folder: Path) -> str:
    """The command of the program in docs/ugi.md, which plays Grid Runner."""
    page = (Path(__file__).parents[1] / "docs" / "ugi.md").read_text(encoding="utf-8")
    path = folder / "smallest.py"
    path.write_text(page.split("```python\n", 1)[1].split("```", 1)[0])
    return shlex.join([sys.executable, "-IS", str(path)])


def heard_by(folder: Path) -> list[str]:
    """What the engine in a folder was told the last time it was started."""
    lines = (folder / "heard").read_text().splitlines()
    return lines[max(number for number, line in enumerate(lines) if line == "ugi") :]


def engine_pids(folder: Path) -> list[int]:
    """The processes of the engine in a folder, in the order in which they were started."""
    pids = folder / "pids"
    return [int(pid) for pid in pids.read_text().split()] if pids.exists() else []


def alive(pid: int) -> bool:
    """Whether a process is there; one that has ended and is not collected yet is not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def gone(pid: int) -> bool:
    """Whether a process ends soon."""
    end = time.monotonic() + SOON_SECONDS
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.01)
    return not alive(pid)
