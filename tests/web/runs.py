"""What children of the loaded program run, beside the program."""

from __future__ import annotations

import gc
import socket
import sys
from typing import NoReturn

import uvicorn
from starlette.types import Receive, Scope, Send

from gridwise.errors import GridwiseError
from gridwise.web.settings import Settings
from gridwise.web.supervisor import CannotStart, supervise


def migrate() -> None:
    """Open a database, as each server does when it starts."""
    from gridwise.web.storage import open_database  # noqa: PLC0415 - servers load this module too

    open_database(sys.argv[1]).dispose()


def tune_garbage() -> None:
    """Make a server: its thresholds, and how many objects are left out."""
    from gridwise.web.server import make_server  # noqa: PLC0415 - as above

    gc.unfreeze()  # what the loaded program has frozen
    make_server(Settings(sys.argv[1]))
    print(*gc.get_threshold(), gc.get_freeze_count())


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


def supervise_idle() -> None:
    """Start two servers for nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        print(listening.getsockname()[1], flush=True)
        supervise(idle_server, Settings("unused"), listening, 2)


def idle_server(_settings: Settings) -> uvicorn.Server:
    """A server that has nothing to say, and is there sooner than ours."""

    async def nothing(_scope: Scope, _receive: Receive, _send: Send) -> None:
        """Nobody asks."""

    return uvicorn.Server(uvicorn.Config(nothing, log_level="error"))
