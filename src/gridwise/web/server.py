"""`gridwise serve`: listen, greet, serve until stopped."""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import os
import resource
import signal
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import FrameType

import uvicorn

from gridwise.listening import ALL_INTERFACES, BACKLOG, listen_on, own_address, shown_address
from gridwise.web.app import make_app
from gridwise.web.http.connections import GuardedConfig
from gridwise.web.settings import ServerLimits, ServerSettings
from gridwise.web.storage import GameStore, claimed, open_database, sqlite_file
from gridwise.web.telemetry import logs

OTHER_FILES = 200  # the database, logs, connections that are accepted but not yet looked at
MOST_FILES = 65_536  # where the system sets no limit
SHUTDOWN = 3  # seconds that open requests get to finish
ONE_SIGNAL_SECONDS = 0.3  # within which two signals are one: a closed terminal sends it twice


def serve(settings: ServerSettings, folder: Path) -> None:
    """Serve until stopped; raises GridwiseError if it cannot start.

    Ctrl-C ends in KeyboardInterrupt, as everywhere; other signals that ask to stop just return.
    """
    logs.configure(settings.log_format, settings.log_level)
    host = settings.host
    listening = listen_on(host, settings.port)
    address = settings.database or sqlite_file(folder / "games.db")
    names = settings.allowed_hosts or own_names(host)
    limits = within_open_files(settings.limits)
    settings = replace(settings, database=address, allowed_hosts=names, limits=limits)
    with listening, claimed(address):
        store = GameStore(open_database(address, settings.lock_wait, settings.statement_limit))
        port = listening.getsockname()[1]
        _greet(host, port, store.engine.url.render_as_string(hide_password=True), names)
        app = make_app(settings, store)
        _tune_garbage_collection()
        options = {"log_config": None, "timeout_graceful_shutdown": SHUTDOWN}
        server = GuardedServer(GuardedConfig(app, settings, **options))
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, server.handle_exit)
        server.run(sockets=[listening])
    if server.stopped_by == signal.SIGINT:
        raise KeyboardInterrupt


def within_open_files(limits: ServerLimits) -> ServerLimits:
    """Raise the number of files that may be open as far as allowed, and stay below it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return limits
    most = max(soft, MOST_FILES if hard == resource.RLIM_INFINITY else hard)
    if most > soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    connections = min(limits.all_connections, max(most - OTHER_FILES, most // 2))
    # Sockets stay open for hours: pages have to be reachable beside them.
    sockets = min(limits.all_sockets, connections * 3 // 4)
    return replace(limits, all_connections=connections, all_sockets=sockets)


def _tune_garbage_collection() -> None:
    """Collect rarely, and leave out what is there from the start: 110,000 objects.

    Almost everything is freed without it, when nothing refers to it any more. A thousand games with
    their sockets are 400,000 objects, and looking at them all takes 0.2 s, in which nobody can
    move. With these numbers that happens once in a million objects; it was once in 70,000.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 5, 20)


class GuardedServer(uvicorn.Server):
    """Uvicorn, with its own queue of those who wait to be accepted, and its own end by signals."""

    config: GuardedConfig
    stopped_by = 0  # the signal
    _stopped_at = 0.0

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave them to `serve`: Uvicorn would send them to itself again at the end."""
        yield

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - as Uvicorn's
        """The first signal ends it in good order, the second at once: all moves are on disk."""
        if not self.stopped_by:
            self.stopped_by, self._stopped_at = sig, time.monotonic()
            self.should_exit = True
        elif time.monotonic() - self._stopped_at > ONE_SIGNAL_SECONDS:
            os._exit(128 + sig)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to accept connections."""
        await super().startup(sockets)
        self.config.app_state.connections = self.server_state.connections
        for listening in sockets or []:
            listening.listen(BACKLOG)  # asyncio has set it to how many it accepts at once

    async def main_loop(self) -> None:
        """Serve until it is to stop."""
        _notify("READY=1")
        signs_of_life = asyncio.create_task(_keep_alive())
        await super().main_loop()
        signs_of_life.cancel()
        _notify("STOPPING=1")


def _notify(state: str) -> None:
    """Tell systemd, if it has started this process, by the protocol of sd_notify(3)."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):  # of Linux, without a file
        address = f"\0{address[1:]}"
    # What cannot be told now is told again in a moment.
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.setblocking(False)
        told.sendto(state.encode(), address)


async def _keep_alive() -> None:
    """Give a sign of life, twice in the time after which systemd ends us (`WatchdogSec`).

    From the event loop, not from a thread: threads go on while the loop hangs.
    """
    seconds = int(os.environ.get("WATCHDOG_USEC", "0")) / 1e6
    while seconds:
        _notify("WATCHDOG=1")
        await asyncio.sleep(seconds / 2)


def own_names(host: str) -> tuple[str, ...]:
    """The names that requests may be sent to unless others are given: any, on a public address."""
    try:
        local = ipaddress.ip_address(host).is_loopback
    except ValueError:
        local = host.casefold() == "localhost"
    if not local:
        return ()
    return ("localhost", "127.0.0.1", "[::1]", f"[{host}]" if ":" in host else host)


def _greet(host: str, port: int, database: str, allowed_hosts: Sequence[str]) -> None:
    print(f"Gridwise is at {shown_address(host, port)} (Ctrl-C to stop)", flush=True)
    if host in ALL_INTERFACES:
        print(
            f"Everybody who can reach this machine can play: http://{own_address()}:{port}\n"
            "Before you open it to the internet, put it behind a server with https.",
            flush=True,
        )
        if not allowed_hosts:
            print("It answers to any name; --allowed-host NAME allows some alone.", flush=True)
    print(f"Games are stored in {database}", flush=True)
