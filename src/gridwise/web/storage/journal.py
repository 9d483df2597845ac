"""Journal: one thread that writes what happens in all games, and says when it is on disk.

Whatever has come in while the last transaction was being written goes into the next one, so the
price of a commit is shared by all games that moved meanwhile. An event is committed before it is
announced. If the database is locked or gone, all that was to be written fails at once; if another
process has written to one of the games first, only that game fails.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections import Counter
from typing import NamedTuple

from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection

from gridwise.web.errors import Unavailable, WriteConflict
from gridwise.web.game.stored_game import Change, EntryAdded
from gridwise.web.storage.store import GameStore
from gridwise.web.telemetry import metrics

log = logging.getLogger("gridwise.web")

BATCH_SIZE = 1_000  # commits in one transaction
NOT_SAVED = "The game could not be saved, so nothing was changed. Try again."
# The database is locked or gone: the next one would have the same trouble.
CONNECTION_ERRORS = (OperationalError, InterfaceError, NoConnection)


class _Commit(NamedTuple):
    """Changes that belong together, and the future that waits for them."""

    changes: list[Change]
    done: asyncio.Future[None]


class Journal:
    """The only writer. It is used from one event loop."""

    def __init__(self, store: GameStore) -> None:
        self.delay = 0.0  # seconds that the last transaction took
        self._store = store
        self._queue: queue.SimpleQueue[_Commit | None] = queue.SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def commit(self, changes: list[Change]) -> asyncio.Future[None]:
        """Queue changes that belong together; the future is done when they are on disk.

        It ends in WriteConflict if another process was first, and in Unavailable if they could not
        be written; then none of them was, or, if the connection broke at the very end, nobody
        knows: read the game again.
        """
        done: asyncio.Future[None] = self._loop.create_future()
        self._queue.put(_Commit(changes, done))
        return done

    @property
    def queued(self) -> int:
        """How many commits wait to be written."""
        return self._queue.qsize()

    async def close(self) -> None:
        """Write what is left, and stop."""
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        going_on = True
        while going_on:
            batch = [self._queue.get()]
            try:
                while len(batch) < BATCH_SIZE:
                    batch.append(self._queue.get_nowait())
            except queue.Empty:
                pass
            going_on = None not in batch
            commits = [commit for commit in batch if commit is not None]
            if commits:
                self._write(commits)

    def _write(self, commits: list[_Commit]) -> bool:
        """Write commits in one transaction; whether the database responds."""
        began, responds = time.monotonic(), True
        failed: Unavailable | None = None
        try:
            self._store.write([change for commit in commits for change in commit.changes])
        except CONNECTION_ERRORS as error:
            responds, failed = False, _failed(error)
        except Exception as error:  # noqa: BLE001 - whatever it is, the thread must go on
            if len(commits) > 1:
                return self._write_each(commits)
            failed = error if isinstance(error, WriteConflict) else _failed(error)
        self.delay = time.monotonic() - began
        metrics.JOURNAL.observe(self.delay)
        self._loop.call_soon_threadsafe(_settle, commits, failed)
        return responds

    def _write_each(self, commits: list[_Commit]) -> bool:
        """One of them is at fault; the others are written all the same."""
        for place, commit in enumerate(commits, 1):
            if not self._write([commit]):
                failed = Unavailable(NOT_SAVED)
                self._loop.call_soon_threadsafe(_settle, commits[place:], failed)
                return False
        return True


def _failed(error: Exception) -> Unavailable:
    # Not the error itself: it may quote what was to be written.
    log.warning("Could not write to the database: %s", type(error).__name__)
    return Unavailable(NOT_SAVED)


def _settle(commits: list[_Commit], failed: Unavailable | None) -> None:
    written: list[Change] = []
    for commit in commits:
        if commit.done.done():
            continue
        if failed:
            metrics.FAILED.inc(len(commit.changes))
            commit.done.set_exception(failed)
        else:
            written += commit.changes
            commit.done.set_result(None)
    events = Counter(each.entry.event.kind for each in written if isinstance(each, EntryAdded))
    for kind, count in events.items():
        metrics.EVENTS.labels(kind).inc(count)
    metrics.CREATED.inc(len(written) - events.total())
