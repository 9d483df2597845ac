"""Journal: one thread that writes what happens in all games, and says when it is on disk.

Whatever has come in while the last transaction was being written goes into the next one, so the
price of a commit is shared by all games that moved meanwhile. Nobody is told of an event before
`written` has returned.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from typing import NamedTuple

from gridwise.web.refusals import Unavailable
from gridwise.web.store import Store, Write

log = logging.getLogger("gridwise.web")

MOST = 1_000  # entries in one transaction


class _Entry(NamedTuple):
    """What belongs together, and who waits for it."""

    writes: list[Write]
    done: asyncio.Future[None]


class Journal:
    """The only writer. It is used from one event loop."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._entries: queue.SimpleQueue[_Entry | None] = queue.SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def put(self, writes: list[Write]) -> asyncio.Future[None]:
        """Queue what belongs together; the future is done when it is on disk.

        It ends in Unavailable if it could not be written; then nothing of it was, or, if the
        connection broke at the very end, nobody knows. Whoever waits must look again.
        """
        done: asyncio.Future[None] = self._loop.create_future()
        self._entries.put(_Entry(writes, done))
        return done

    async def close(self) -> None:
        """Write what is left, and stop."""
        self._entries.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        going_on = True
        while going_on:
            batch = [self._entries.get()]
            try:
                while len(batch) < MOST:
                    batch.append(self._entries.get_nowait())
            except queue.Empty:
                pass
            going_on = None not in batch
            entries = [entry for entry in batch if entry is not None]
            if entries:
                self._write(entries)

    def _write(self, entries: list[_Entry]) -> None:
        try:
            self._store.write([write for entry in entries for write in entry.writes])
        except Exception as error:  # noqa: BLE001 - whatever it is, the thread must go on
            if len(entries) > 1:
                # One of them may be at fault; the others shall not suffer for it.
                for entry in entries:
                    self._write([entry])
                return
            # Not the error itself: it may quote what was to be written.
            log.warning("Could not write to the database: %s", type(error).__name__)
            self._loop.call_soon_threadsafe(_fail, entries[0])
        else:
            self._loop.call_soon_threadsafe(_settle, entries)


def _settle(entries: list[_Entry]) -> None:
    for entry in entries:
        if not entry.done.done():
            entry.done.set_result(None)


def _fail(entry: _Entry) -> None:
    if not entry.done.done():
        entry.done.set_exception(
            Unavailable("The game could not be written down, so nothing was changed. Try again.")
        )
