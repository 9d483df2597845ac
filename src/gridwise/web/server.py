"""`gridwise serve`: listen, greet, serve until stopped."""

from __future__ import annotations

import socket
from pathlib import Path

import uvicorn

from gridwise.errors import BadRequest, quoted
from gridwise.web.app import make_app
from gridwise.web.settings import ServerLimits, Settings
from gridwise.web.storage import Store, open_database, sqlite_file

DEFAULT_LIMITS = ServerLimits()
BACKLOG = 2_048
SHUTDOWN = 3  # seconds that open requests get to finish
ALL_INTERFACES = ("0.0.0.0", "::")  # noqa: S104 - compared with, not listened on


def run(
    host: str, port: int, database: str, folder: Path, limits: ServerLimits = DEFAULT_LIMITS
) -> None:
    """Serve until stopped; raises GridwiseError if it cannot start."""
    listening = _listen(host, port)
    with listening:
        address = database or sqlite_file(folder / "games.db")
        store = Store(open_database(address))
        port = listening.getsockname()[1]
        _greet(host, port, store.engine.url.render_as_string(hide_password=True))
        config = uvicorn.Config(
            make_app(Settings(database=address, limits=limits), store),
            log_level="warning",
            access_log=False,
            lifespan="on",
            backlog=BACKLOG,
            ws_max_size=4 * limits.message,
            timeout_graceful_shutdown=SHUTDOWN,
        )
        uvicorn.Server(config).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    if not 0 <= port <= 65_535:
        raise BadRequest(f"--port takes a number from 0 to 65535, not {port}.")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError):
        raise BadRequest(
            f"Cannot listen on {quoted(host)}: it is not an address of this machine."
        ) from None
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen(BACKLOG)  # early visitors wait until the server has started
    except OSError as error:
        listening.close()
        why = error.strerror or str(error)
        raise BadRequest(
            f"Cannot listen on {host}, port {port}: {why}. Choose another with --port N (0: any)."
        ) from None
    return listening


def _greet(host: str, port: int, database: str) -> None:
    shown = "localhost" if host in ALL_INTERFACES else f"[{host}]" if ":" in host else host
    print(f"Gridwise is at http://{shown}:{port} (Ctrl-C to stop)", flush=True)
    if host in ALL_INTERFACES:
        print(
            f"Everybody who can reach this machine can play: http://{_own_address()}:{port}\n"
            "Before you open it to the internet, put it behind a server with https.",
            flush=True,
        )
    print(f"Games are stored in {database}", flush=True)


def _own_address() -> str:
    """The address by which others are likely to find this machine; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address reserved for documentation
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
