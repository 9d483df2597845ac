"""Whether the full-screen app can run here, and running it."""

from __future__ import annotations

import os
import shutil
import sys
from importlib import import_module

from gridwise.arena.setup import MatchSetup

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


def run_app(setup: MatchSetup | None = None, delay: float | None = None) -> int:
    """Run the app, from its home screen or with a game; the exit status."""
    return int(import_module("gridwise.tui.app").run(setup, delay=delay))


def _is_capable() -> bool:
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    return terminal and os.environ.get("TERM") not in (None, "", "dumb")
