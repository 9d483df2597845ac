"""What children of the loaded program run, beside the program."""

from __future__ import annotations

import gc
import signal
import sys
import time

from gridwise.web.settings import Settings


def migrate() -> None:
    """Open a database, as each server does when it starts."""
    from gridwise.web.storage import open_database  # noqa: PLC0415 - servers load this module too

    open_database(sys.argv[1]).dispose()


def tune_garbage() -> None:
    """Make a server: its thresholds, and how many objects are left out."""
    from gridwise.web.server import make_server  # noqa: PLC0415 - as above
    from gridwise.web.storage import Store, open_database  # noqa: PLC0415 - as above

    gc.unfreeze()  # what the loaded program has frozen
    make_server(Settings(sys.argv[1]), Store(open_database(sys.argv[1])))
    print(*gc.get_threshold(), gc.get_freeze_count())


def serve_until_it_hangs() -> None:
    """The program, whose event loop stands still from SIGUSR1 on; its threads go on."""
    from gridwise.__main__ import main  # noqa: PLC0415 - as above

    signal.signal(signal.SIGUSR1, lambda *_: time.sleep(600))
    main()
