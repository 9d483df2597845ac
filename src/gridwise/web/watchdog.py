"""What systemd is told: that the server is ready, that its event loop still turns, that it stops.

A process that hangs cannot say so: it is silent, and systemd ends it and starts another (see
`Type=notify` and `WatchdogSec` in deploy/gridwise@.service). So the sign of life comes from the
event loop, not from a thread: threads go on while the loop hangs. The protocol is sd_notify(3).
"""

from __future__ import annotations

import asyncio
import os
import socket
from contextlib import suppress


def notify(state: str) -> None:
    """Tell whoever has started this process, if it wants to know."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):  # of Linux, without a file
        address = f"\0{address[1:]}"
    # What cannot be told now is told again in a moment.
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.setblocking(False)
        told.sendto(state.encode(), address)


async def keep_alive() -> None:
    """Give a sign of life from the event loop, twice in the time after which systemd ends us."""
    seconds = int(os.environ.get("WATCHDOG_USEC", "0")) / 1e6
    while seconds:
        notify("WATCHDOG=1")
        await asyncio.sleep(seconds / 2)
