"""Signals and exit statuses: how to leave in good order when there is little time to do it."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn

from gridwise.errors import ProviderFailed

INTERRUPTED = 130
READER_GONE = 141

# Ctrl-C, a shutdown, a closed terminal; not every system has all of them.
_SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]


def interrupt_on_signals() -> None:
    """Treat a shutdown and a closed terminal like Ctrl-C, so that no game is lost."""
    for number in _SIGNALS:
        signal.signal(number, _interrupt)


def was_interrupted() -> bool:
    """Whether a signal has come. What it stops half-way may fail with an error of its own."""
    return signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    # Once is enough: a second signal must not interrupt the saving that the first one started.
    # (A closed terminal sends two, one of them by way of readline.)
    ignore_signals()
    raise KeyboardInterrupt


def ignore_signals() -> None:
    """Ignore signals from here on: there is nothing left to interrupt."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def signals_ignored() -> Iterator[None]:
    """Let no signal interrupt the block; it must be short."""
    before = [signal.signal(number, signal.SIG_IGN) for number in _SIGNALS]
    try:
        yield
    finally:
        for number, handler in zip(_SIGNALS, before, strict=True):
            signal.signal(number, handler)


@contextmanager
def resume_hint(
    folder: Path | None,
    stopped: Callable[[], str] = lambda: "Stopped.",
    option: str = "--out DIR",
) -> Iterator[None]:
    """Say how to continue a run if a signal or a model's provider ends the block.

    `stopped` says how far it was, `option` what would have kept it.
    """
    try:
        yield
    except BaseException as error:
        if was_interrupted() or isinstance(error, ProviderFailed):
            kept = f"The same command goes on from {folder}."
            if folder is None:
                kept = f"With {option} a run can be continued."
            print(stopped(), kept, file=sys.stderr)
        raise


def leave(status: int) -> NoReturn:
    """End the process, without waiting for threads that still compile something for later."""
    ignore_signals()
    if threading.active_count() > 1:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(status)
    sys.exit(status)


def forget_output() -> None:
    """Drop output that can go nowhere; without this Python would complain on exit."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
