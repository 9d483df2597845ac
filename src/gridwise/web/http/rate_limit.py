"""Rate limits per client, as token buckets in memory."""

from __future__ import annotations

import ipaddress
import math
import time
from collections.abc import Callable
from functools import lru_cache

from starlette.requests import HTTPConnection

from gridwise.web.errors import TooMany
from gridwise.web.settings import Rate, ServerLimits
from gridwise.web.workers.fair_queue import asker

# In memory at once, 4 MB of them. The one that was used the longest ago is removed first: it is
# full again, or belongs to somebody who has stopped asking. One who goes on asking stays limited,
# whatever a flood of other clients removes.
MOST_BUCKETS = 20_000
# Events of a game that is shown as a whole that count as one more request: 2 ms of work.
EVENTS_OF_A_REQUEST = 50


class TokenBucket:
    """A rate limit for one client: a burst, then a steady rate."""

    __slots__ = ("_at", "_clock", "_left", "_rate")

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._left = rate.burst
        self._at = clock()

    def spend(self, patience: float = 0.0, count: int = 1) -> float:
        """Take tokens; the seconds until they are there. Beyond `patience` none is taken."""
        now = self._clock()
        burst, per_second = self._rate
        self._left = min(burst, self._left + (now - self._at) * per_second)
        self._at = now
        needed = max(1.0, min(count, burst))  # more than a full bucket there never are
        wait = 0.0
        if self._left < needed:
            wait = (needed - self._left) / per_second if per_second else math.inf
        if wait <= patience:
            self._left -= needed
        return wait


class RateLimiter:
    """The buckets of all clients, by what they limit."""

    def __init__(self, limits: ServerLimits) -> None:
        self._rates = {
            "requests": (limits.requests, "requests"),
            "probes": (limits.requests, "requests"),  # of /health and the like, counted apart
            "static": (limits.static, "requests"),  # of scripts and the like
            "games": (limits.games, "new games"),
            "thinking": (limits.thinking, "questions to the engine"),
            "messages": (limits.messages, "messages"),
        }
        self._bucket = lru_cache(MOST_BUCKETS)(
            lambda what, _client: TokenBucket(self._rates[what][0])
        )

    def __len__(self) -> int:
        return self._bucket.cache_info().currsize

    def spend(self, what: str, client: str, patience: float = 0.0, count: int = 1) -> float:
        """Count something a client does; the seconds to wait first, or TooMany beyond patience.

        What takes long can count as much as several.
        """
        wait = self._bucket(what, client).spend(patience, count)
        if wait > patience:
            _, name = self._rates[what]
            seconds = max(1, math.ceil(min(wait, 3_600)))
            raise TooMany(f"Too many {name}. Try again in {seconds} s.", after=seconds)
        return wait


@lru_cache(4_096)
def client_at(host: str) -> str:
    """Whom the limits count for an address: of IPv6 a network, as one client has many addresses."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return host
    if address.ipv4_mapped:  # an IPv4 client of a socket that takes both
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address), 64), strict=False))


def client_of(connection: HTTPConnection) -> str:
    """Whom the limits count for a request or a socket."""
    return client_at(connection.client.host if connection.client else "")


def spend(connection: HTTPConnection, what: str, count: int = 1) -> None:
    """Count something a client does. Raises TooMany.

    Questions count for the browser: one that asks too much would lock out a class behind its
    address. Who invents cookies gets no more done: see `FairQueue`.
    """
    client = client_of(connection)
    if what == "thinking":
        client += f" {asker.get().browser}"
    connection.app.state.rate_limiter.spend(what, client, count=count)


def spend_on_review(connection: HTTPConnection, events: int) -> None:
    """Count what is shown of a whole game: after a thousand events it takes 40 ms."""
    if events >= EVENTS_OF_A_REQUEST:
        spend(connection, "requests", events // EVENTS_OF_A_REQUEST)
