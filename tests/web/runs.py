"""What children of the loaded program run, beside the program."""

from __future__ import annotations

import gc
import resource
import signal
import sys
import time
from contextlib import suppress
from itertools import count
from pathlib import Path

from sqlalchemy.exc import OperationalError


def make_tables() -> None:
    """Open a database, as each server does when it starts."""
    from gridwise.web.storage import open_database  # noqa: PLC0415 - servers load this module too

    open_database(sys.argv[1]).dispose()


def tune_garbage() -> None:
    """Start to serve: the thresholds then, and how many objects are left out."""
    from gridwise.web import server  # noqa: PLC0415 - as above
    from gridwise.web.settings import ServerSettings  # noqa: PLC0415 - as above

    def run(*_: object, **__: object) -> None:
        print(*gc.get_threshold(), gc.get_freeze_count())

    gc.unfreeze()  # what the loaded program has frozen
    server.GuardedServer.run = run  # type: ignore[method-assign]
    server.serve(ServerSettings(sys.argv[1], port=0), Path())


def serve_until_it_hangs() -> None:
    """The program, whose event loop stands still from SIGUSR1 on; its threads go on."""
    from gridwise.__main__ import main  # noqa: PLC0415 - as above

    signal.signal(signal.SIGUSR1, lambda *_: time.sleep(600))
    main()


def serve_twenty_seconds_ahead() -> None:
    """The program on a machine whose clock is wrong."""
    from gridwise.__main__ import main  # noqa: PLC0415 - as above

    right = time.time
    time.time = lambda: right() + 20
    main()


def fill_the_disk() -> None:
    """Write moves until they do not fit, then probe, and say what comes of it; some times.

    Room is how large a file may become: here it is the journal of SQLite that grows.
    """
    from gridwise.web.game.events import MovePlayed  # noqa: PLC0415 - as above
    from gridwise.web.game.stored_game import EntryAdded, GameCreated, JournalEntry  # noqa: PLC0415
    from gridwise.web.storage import GameStore, open_database  # noqa: PLC0415 - as above

    from .stored import dealt_game  # noqa: PLC0415 - as above

    store = GameStore(open_database(sys.argv[1]))
    setup, seats = dealt_game({"game": "grid-runner", "opponent": "same-screen"})
    store.write([GameCreated(setup, seats)])
    numbers = count(1)
    for pages in range(50, 58):
        resource.setrlimit(resource.RLIMIT_FSIZE, (pages * 4_096, resource.RLIM_INFINITY))
        with suppress(OperationalError):
            while True:
                entry = JournalEntry(next(numbers), MovePlayed(1, "down"), None, 0.0)
                store.write([EntryAdded(setup.id, entry, turn=2)])
        try:
            store.probe()
            print("written")
        except OperationalError as error:
            print(type(error).__name__)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    store.probe()  # there is room again
    store.close()
