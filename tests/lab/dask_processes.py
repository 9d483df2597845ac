"""A Dask scheduler and its workers, processes on loopback."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.lab.executor_tasks import ROOT, wait_for


class DaskProcesses:
    """A scheduler, and as many workers as are added."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
            "--no-jupyter", "--scheduler-file", str(folder / "scheduler.json"),
        )  # fmt: skip
        wait_for(lambda: self.address)

    def close(self) -> None:
        """End everything."""
        for process in self._processes:
            process.kill()
            process.wait()

    @property
    def address(self) -> str:
        """Where the scheduler listens; empty until it does."""
        file = self._folder / "scheduler.json"
        text = file.read_text(encoding="ascii") if file.exists() else ""
        found = re.search(r'"address": "(tcp://127\.0\.0\.1:\d+)"', text)
        return found[1] if found else ""

    def _start(self, kind: str, *options: str) -> subprocess.Popen[bytes]:
        with open(self._folder / f"{kind}.log", "ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "distributed.cli.dask_" + kind, *options],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
            )
        self._processes.append(process)
        return process

    def add_worker(self) -> subprocess.Popen[bytes]:
        """One more worker, of one thread, that nobody starts again when it dies."""
        return self._start(
            "worker", self.address, "--host", "127.0.0.1", "--nthreads", "1", "--nworkers", "1",
            "--no-nanny", "--no-dashboard", "--memory-limit", "0",
            "--local-directory", str(self._folder),
        )  # fmt: skip
