"""`gridwise serve`: the server, from its address to its end."""

from __future__ import annotations

import socket
from pathlib import Path

import uvicorn

from gridwise.errors import BadRequest, quoted
from gridwise.web.app import make_app
from gridwise.web.schema import open_database, sqlite_file
from gridwise.web.settings import Limits, Settings
from gridwise.web.store import Store

DEFAULT_LIMITS = Limits()
BACKLOG = 2_048
PATIENCE = 3  # seconds that open requests get to finish when the server is stopped
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - compared with, not listened on


def run(host: str, port: int, database: str, folder: Path, limits: Limits = DEFAULT_LIMITS) -> None:
    """Serve until somebody stops it; raises GridwiseError if it cannot begin."""
    listening = _listen(host, port)
    with listening:
        address = database or sqlite_file(folder / "games.db")
        store = Store(open_database(address))
        port = listening.getsockname()[1]
        settings = Settings(database=address, host=host, port=port, limits=limits)
        _greet(host, port, store.engine.url.render_as_string(hide_password=True))
        config = uvicorn.Config(
            make_app(settings, store),
            log_level="warning",
            access_log=False,
            lifespan="on",
            backlog=BACKLOG,
            ws_max_size=4 * settings.limits.message,
            timeout_graceful_shutdown=PATIENCE,
        )
        uvicorn.Server(config).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    if not 0 <= port <= 65_535:
        raise BadRequest(f"A port is 0 to 65535, not {port}.")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError):
        raise BadRequest(f"Cannot listen on {quoted(host)}: there is no such address.") from None
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen(BACKLOG)  # whoever opens the address at once waits, and is not refused
    except OSError as error:
        listening.close()
        why = error.strerror or str(error)
        raise BadRequest(
            f"Cannot listen on {host}, port {port}: {why}. Another port: --port N, or 0 for any."
        ) from None
    return listening


def _greet(host: str, port: int, database: str) -> None:
    shown = "localhost" if host in EVERYWHERE else f"[{host}]" if ":" in host else host
    print(f"Gridwise is at http://{shown}:{port} (Ctrl-C to stop)", flush=True)
    if host in EVERYWHERE:
        print(
            f"Everybody who can reach this machine can play: http://{_own_address()}:{port}\n"
            "Put it behind a server with https before you show it to the world.",
            flush=True,
        )
    print(f"Games are kept in {database}", flush=True)


def _own_address() -> str:
    """The address by which others are likely to find this machine; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # set aside for documentation: nobody is there
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
