"""A run that is killed goes on, and the report is that of an unbroken run."""

from __future__ import annotations

import signal
import time
import zipfile
from pathlib import Path

from bot_endpoint.server import BotServer

from gridwise.worker_process import WorkerProcess
from tests.evals.conftest import row_of
from tests.evals.inspect_runs import kill_inspect, run_inspect, start_inspect
from tests.sizes import sample

LIMIT = sample(6, long=20)  # positions, of two games
TASK = [
    *("eval", "gridwise/positions", "--model", "openai-api/local/casual"),
    *("-T", "game=connect,maze", "-T", f"limit={LIMIT}", "--max-samples", "1", "--log-buffer", "1"),
]
PATIENCE = 120
ANSWERED = 5  # samples, before the model falls silent


class StallingServer(BotServer):
    """A model that falls silent after some answers, while `stalls` is set: a run stops there."""

    stalls = False

    def next_fault(self) -> str:
        """Silence, once there were enough answers."""
        fault = super().next_fault()
        return "silent" if self.stalls and self.asked > ANSWERED else fault


def environment(folder: Path, server: BotServer) -> dict[str, str]:
    """Everything that Inspect writes goes into the folder; the model is at the server."""
    return {
        "INSPECT_LOG_DIR": str(folder / "logs"),
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


def run_and_kill(inspect_process: WorkerProcess, folder: Path, server: StallingServer) -> None:
    """Begin the run, and kill it when the model has fallen silent and all before is on disk."""
    server.asked = 0
    server.stalls = True
    running = inspect_process.call(start_inspect, folder, TASK, environment(folder, server))
    deadline = time.monotonic() + PATIENCE
    while finished_samples(folder) < ANSWERED and time.monotonic() < deadline:
        time.sleep(0.05)
    assert inspect_process.call(kill_inspect, running) == -signal.SIGKILL
    server.stalls = False


def test_a_killed_run_goes_on_and_the_report_is_the_same(
    tmp_path: Path, inspect_process: WorkerProcess
) -> None:
    """Killed in the middle and continued with `inspect eval-retry`: the same rows, to the digit."""
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    for folder in (whole, broken):
        folder.mkdir()
    with StallingServer("casual") as server:

        def run(folder: Path, *arguments: str) -> None:
            where = environment(folder, server)
            assert inspect_process.call(run_inspect, folder, list(arguments), where) == 0

        run(whole, *TASK)
        run_and_kill(inspect_process, broken, server)
        assert finished_samples(broken) == ANSWERED
        part = row_of(broken / "logs")
        assert part.overall.samples == ANSWERED
        (log,) = (broken / "logs").glob("*.eval")
        run(broken, "eval-retry", str(log))
    assert len([*(broken / "logs").glob("*.eval")]) == 2
    one = row_of(whole / "logs")
    two = row_of(broken / "logs")
    assert two == one
    assert two.overall.samples == 2 * LIMIT
