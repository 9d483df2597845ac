"""Journal: one thread that writes what happens in all games, and says when it is on disk.

Whatever has come in while the last transaction was being written goes into the next one, so the
price of a commit is shared by all games that moved meanwhile. An event is committed before it is
announced.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from typing import NamedTuple

from gridwise.web.errors import Unavailable
from gridwise.web.game.model import Change
from gridwise.web.storage.store import Store

log = logging.getLogger("gridwise.web")

MOST = 1_000  # commits in one transaction


class _Commit(NamedTuple):
    """Changes that belong together, and the future that waits for them."""

    changes: list[Change]
    done: asyncio.Future[None]


class Journal:
    """The only writer. It is used from one event loop."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._queue: queue.SimpleQueue[_Commit | None] = queue.SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def commit(self, changes: list[Change]) -> asyncio.Future[None]:
        """Queue changes that belong together; the future is done when they are on disk.

        It ends in Unavailable if they could not be written; then none of them was, or, if the
        connection broke at the very end, nobody knows: read the game again.
        """
        done: asyncio.Future[None] = self._loop.create_future()
        self._queue.put(_Commit(changes, done))
        return done

    async def close(self) -> None:
        """Write what is left, and stop."""
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        going_on = True
        while going_on:
            batch = [self._queue.get()]
            try:
                while len(batch) < MOST:
                    batch.append(self._queue.get_nowait())
            except queue.Empty:
                pass
            going_on = None not in batch
            commits = [commit for commit in batch if commit is not None]
            if commits:
                self._write(commits)

    def _write(self, commits: list[_Commit]) -> None:
        try:
            self._store.write([change for commit in commits for change in commit.changes])
        except Exception as error:  # noqa: BLE001 - whatever it is, the thread must go on
            if len(commits) > 1:
                # One of them may be at fault; the others are written all the same.
                for commit in commits:
                    self._write([commit])
                return
            # Not the error itself: it may quote what was to be written.
            log.warning("Could not write to the database: %s", type(error).__name__)
            failed = "The game could not be saved, so nothing was changed. Try again."
            self._loop.call_soon_threadsafe(_settle, commits, Unavailable(failed))
        else:
            self._loop.call_soon_threadsafe(_settle, commits)


def _settle(commits: list[_Commit], failed: Unavailable | None = None) -> None:
    for commit in commits:
        if commit.done.done():
            continue
        if failed:
            commit.done.set_exception(failed)
        else:
            commit.done.set_result(None)
