"""A run that is killed goes on, and the report is that of an unbroken run."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

from gridwise.evals.bots.server import BotServer
from gridwise.evals.report.leaderboard import read_leaderboard

INSPECT = str(Path(sys.executable).with_name("inspect"))
TASK = [INSPECT, "eval", "gridwise/positions", "--model", "openai-api/local/casual"]
ARGS = ["-T", "game=connect,maze", "-T", "limit=20", "--max-samples", "1", "--log-buffer", "1"]
PATIENCE = 120
ANSWERED = 5  # samples, before the model falls silent


class StallingServer(BotServer):
    """A model that falls silent after some answers, while `stalls` is set: a run stops there."""

    stalls = False

    def next_fault(self, body: dict[str, Any], key: str) -> str:
        """Silence, once there were enough answers."""
        found = super().next_fault(body, key)
        return "silent" if self.stalls and len(self.requests) > ANSWERED else found


def environment(folder: Path, server: BotServer) -> dict[str, str]:
    """Everything that Inspect writes goes into the folder; the model is at the server."""
    return {
        **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
        "XDG_DATA_HOME": str(folder / "data"),
        "INSPECT_LOG_DIR": str(folder / "logs"),
        "INSPECT_DISPLAY": "none",
        "LOCAL_BASE_URL": server.url,
        "LOCAL_API_KEY": "none",
    }


def finished_samples(folder: Path) -> int:
    """How many samples the only log has on disk."""
    for log in (folder / "logs").glob("*.eval"):
        try:
            with zipfile.ZipFile(log) as opened:
                return sum(name.startswith("samples/") for name in opened.namelist())
        except (zipfile.BadZipFile, OSError):  # it is being written
            return 0
    return 0


def run(folder: Path, server: BotServer, *command: str) -> None:
    """Run a command to its end."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment(folder, server),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def run_and_kill(folder: Path, server: StallingServer) -> None:
    """Begin the run, and kill it when the model has fallen silent and all before is on disk."""
    server.requests.clear()
    server.stalls = True
    process = subprocess.Popen(
        [*TASK, *ARGS],
        cwd=folder,
        env=environment(folder, server),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + PATIENCE
        while finished_samples(folder) < ANSWERED:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        process.kill()
        process.wait()
    server.stalls = False


def test_a_killed_run_goes_on_and_the_report_is_the_same(tmp_path: Path) -> None:
    """Killed in the middle and continued with `inspect eval-retry`: the same rows, to the digit."""
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    for folder in (whole, broken):
        folder.mkdir()
    with StallingServer("casual") as server:
        run(whole, server, *TASK, *ARGS)
        run_and_kill(broken, server)
        assert finished_samples(broken) == ANSWERED
        (part,) = read_leaderboard([broken / "logs"], reference=False).rows
        assert part.overall.samples == ANSWERED
        (log,) = (broken / "logs").glob("*.eval")
        run(broken, server, INSPECT, "eval-retry", str(log))
    assert len([*(broken / "logs").glob("*.eval")]) == 2
    (one,) = read_leaderboard([whole / "logs"], reference=False).rows
    (two,) = read_leaderboard([broken / "logs"], reference=False).rows
    assert two == one
    assert two.overall.samples == 40
