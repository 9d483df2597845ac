"""Whether the full-screen app can run here, and running it."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Any

from gridwise.play.setup import Setup

MIN_COLUMNS, MIN_ROWS = 40, 20
DIALOGUE = "GRIDWISE_DIALOGUE"  # set to anything, it keeps the full screen away


def full_screen_possible() -> bool:
    """Whether this is a terminal that the app can run in, and nobody prefers the dialogue."""
    return not os.environ.get(DIALOGUE) and _is_capable() and not too_small()


def too_small() -> str:
    """Why the app is not started in a terminal that could run it if it were larger; or nothing."""
    if os.environ.get(DIALOGUE) or not _is_capable():
        return ""
    columns, rows = shutil.get_terminal_size()
    if columns >= MIN_COLUMNS and rows >= MIN_ROWS:
        return ""
    needs = f"The full screen needs {MIN_COLUMNS} columns and {MIN_ROWS} rows"
    return f"{needs}; this terminal has {columns} and {rows}."


def run_app(
    setup: Setup | None = None, delay: float | None = None, screen: tuple[Any, ...] = ()
) -> int:
    """Run the app, from its home screen, with a game or another screen; the exit status.

    `screen` is the name of one and what it takes: `("review", record)`.
    """
    from gridwise.tui.app import run  # noqa: PLC0415 - 0.3 s: Textual

    return run(setup, delay=delay, screen=screen)


def _is_capable() -> bool:
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    return terminal and os.environ.get("TERM") not in (None, "", "dumb")
