"""Inspect in a process of its own: it leaves streams unclosed, and here warnings are errors.

It is loaded once, for all runs: that takes 2 s, and a small run a tenth of one.
"""

from __future__ import annotations

import importlib.metadata
import os
import signal
import sys
from functools import cache
from pathlib import Path
from typing import Any

# Inspect looks through all installed packages before every run, which takes longer than the run.
importlib.metadata.packages_distributions = cache(importlib.metadata.packages_distributions)


def load() -> None:
    """Load Inspect."""
    import inspect_ai  # noqa: F401, PLC0415 - 1 s


def run_task(
    folder: Path,
    task: str,
    model: str,
    args: dict[str, Any],
    options: dict[str, Any],
    environment: dict[str, str],
) -> str:
    """Run a task in a folder with a model; the path of the log."""
    _work_in(folder, environment)
    from inspect_ai import eval as inspect_eval  # noqa: PLC0415 - 1 s

    if model.startswith("adversary/"):
        import tests.evals.adversary_models  # noqa: F401, PLC0415 - as above

    (log,) = inspect_eval(
        f"gridwise/{task}",
        model=model,
        task_args=args,
        log_dir=str(folder / "logs"),
        display="log",  # the others draw tables, even if nobody sees them
        log_realtime=False,
        **options,
    )
    return str(log.location)


def run_inspect(folder: Path, arguments: list[str], environment: dict[str, str]) -> int:
    """Run `inspect` with arguments, as its console script does; the exit status."""
    _work_in(folder, environment)
    (script,) = importlib.metadata.entry_points(group="console_scripts", name="inspect")
    sys.argv = ["inspect", *arguments]
    try:
        script.load()()
    except SystemExit as left:
        return int(left.code or 0)
    return 0


def start_inspect(folder: Path, arguments: list[str], environment: dict[str, str]) -> int:
    """Run `inspect` in another process, which has it loaded from the beginning: its number."""
    process = os.fork()
    if not process:
        os._exit(run_inspect(folder, arguments, environment))
    return process


def kill_inspect(process: int) -> int:
    """Kill such a process; how it ended, as `subprocess` has it."""
    os.kill(process, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def _work_in(folder: Path, environment: dict[str, str]) -> None:
    """Keep what Inspect keeps there too; it reads a `.env` there and above."""
    os.chdir(folder)
    os.environ.update(
        {"XDG_DATA_HOME": str(folder / "data"), "INSPECT_DISPLAY": "log", **environment}
    )
