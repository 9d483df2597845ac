"""What children of the loaded program run, beside the program."""

from __future__ import annotations

import socket
import sys
from typing import NoReturn

from gridwise.errors import GridwiseError
from gridwise.web.settings import Settings
from gridwise.web.supervisor import CannotStart, supervise


def migrate() -> None:
    """Open a database, as each server does when it starts."""
    from gridwise.web.storage import open_database  # noqa: PLC0415 - servers load this module too

    open_database(sys.argv[1]).dispose()


def supervise_in_vain() -> None:
    """Start servers that cannot start."""
    try:
        with socket.socket() as listening:
            supervise(cannot_start, Settings("the printer"), listening, 2)
    except CannotStart as error:
        print(error)


def cannot_start(settings: Settings) -> NoReturn:
    """A server that cannot be made."""
    raise GridwiseError(f"{settings.database} is out of paper.")
