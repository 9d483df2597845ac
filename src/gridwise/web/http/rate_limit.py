"""Rate limits per client, as token buckets in memory."""

from __future__ import annotations

import ipaddress
import math
import time
from collections.abc import Callable

from starlette.requests import HTTPConnection

from gridwise.web.errors import TooMany
from gridwise.web.settings import Rate, ServerLimits

MOST_BUCKETS = 10_000  # in memory at once; full buckets are removed first


class TokenBucket:
    """A rate limit for one client: a burst, then a steady rate."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._left = rate.burst
        self._at = clock()

    def spend(self) -> float:
        """Take one token; the seconds to wait if there is none."""
        now = self._clock()
        burst, per_second = self._rate
        self._left = min(burst, self._left + (now - self._at) * per_second)
        self._at = now
        if self._left < 1:
            return (1 - self._left) / per_second if per_second else math.inf
        self._left -= 1
        return 0.0

    @property
    def full(self) -> bool:
        """Whether nothing was taken lately."""
        burst, per_second = self._rate
        return self._left + (self._clock() - self._at) * per_second >= burst


class RateLimiter:
    """The buckets of all clients, by what they limit."""

    def __init__(self, limits: ServerLimits) -> None:
        self._rates = {
            "requests": (limits.requests, "requests"),
            "games": (limits.games, "new games"),
            "thinking": (limits.thinking, "questions to the engine"),
        }
        self._buckets: dict[tuple[str, str], TokenBucket] = {}

    def spend(self, what: str, client: str) -> None:
        """Count a request of a client; raises TooMany."""
        rate, name = self._rates[what]
        key = (what, client)
        if key not in self._buckets:
            self._remove_full()
            self._buckets[key] = TokenBucket(rate)
        wait = self._buckets[key].spend()
        if wait:
            seconds = max(1, math.ceil(min(wait, 3_600)))
            raise TooMany(f"Too many {name}. Try again in {seconds} s.", after=seconds)

    def _remove_full(self) -> None:
        if len(self._buckets) < MOST_BUCKETS:
            return
        self._buckets = {key: each for key, each in self._buckets.items() if not each.full}
        if len(self._buckets) >= MOST_BUCKETS:
            self._buckets.clear()  # no limits for a moment are better than memory without end


def client_of(connection: HTTPConnection) -> str:
    """The address of a client; of IPv6 its network, since one client has many addresses."""
    host = connection.client.host if connection.client else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False))
    return host


def spend(connection: HTTPConnection, what: str) -> None:
    """Count a request of kind `games` or `thinking`; raises TooMany."""
    limiter: RateLimiter = connection.app.state.rate_limiter
    limiter.spend(what, client_of(connection))
