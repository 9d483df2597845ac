"""A socket that a server listens on, the address under which people find it, and who may ask."""

from __future__ import annotations

import ipaddress
import os
import re
import socket

from gridwise.errors import BadRequest, quoted

BACKLOG = 2_048  # connections that wait to be accepted
ALL_INTERFACES = ("0.0.0.0", "::")  # noqa: S104 - compared with, not listened on


def listen_on(host: str, port: int, option: str = "--port") -> socket.socket:
    """A socket that takes connections; raises BadRequest. `::` takes IPv4 clients as well."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError):
        raise BadRequest(
            f"Cannot listen on {quoted(host)}: it is not an address of this machine."
        ) from None
    both = host == "::"
    try:  # early visitors wait until the server has started
        listening = socket.create_server(
            address, family=family, backlog=BACKLOG, dualstack_ipv6=both
        )
    except OSError as error:
        why = os.strerror(error.errno or 0)
        raise BadRequest(
            f"Cannot listen on {host}, port {port}: {why}. Choose another with {option} N (0: any)."
        ) from None
    # Connections inherit it. Asyncio leaves it out, since `create_server` names no protocol, and
    # every second small message would wait 40 ms until the first is acknowledged.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def shown_address(host: str, port: int) -> str:
    """The address of a server for a program on this machine: `http://localhost:8000`."""
    shown = "localhost" if host in ALL_INTERFACES else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"


def own_address() -> str:
    """The address by which others are likely to find this machine; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address reserved for documentation
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


def is_foreign(host: str, origin: str | None, *names: str) -> bool:
    """Whether a request's `Host` is neither an address nor a name of ours, or its `Origin` another.

    A page of another site can make its own name point here (DNS rebinding), use a server without a
    password and read its answers. It cannot do so with an address, or with a name that is not its
    own. Browsers send an `Origin`; other programs need not.
    """
    name = re.sub(r":\d*$", "", host).strip("[]").casefold()
    try:
        ipaddress.ip_address(name)
    except ValueError:
        if name not in {"localhost", *(own.casefold() for own in names)}:
            return True
    return origin not in (None, f"http://{host}")
