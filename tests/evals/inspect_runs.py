"""Inspect in a process of its own: it leaves streams unclosed, and here warnings are errors."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any


def run_task(
    folder: Path,
    task: str,
    model: str,
    args: dict[str, Any],
    options: dict[str, Any],
    environment: dict[str, str],
) -> str:
    """Run a task in a folder; the path of its log. What Inspect keeps besides is kept there too."""
    os.chdir(folder)  # Inspect reads a `.env` here and above
    os.environ.update({"XDG_DATA_HOME": str(folder / "data"), **environment})
    from inspect_ai import eval as inspect_eval  # noqa: PLC0415 - 1 s

    (log,) = inspect_eval(
        f"gridwise/{task}",
        model=model,
        task_args=args,
        log_dir=str(folder / "logs"),
        display="none",
        log_realtime=False,
        **options,
    )
    return log.location
