"""Rates: how often a client may do something, as token buckets in memory."""

from __future__ import annotations

import ipaddress
import math
import time
from collections.abc import Callable

from starlette.requests import HTTPConnection

from gridwise.web.refusals import TooMany
from gridwise.web.settings import Limits, Rate

MOST_CLIENTS = 10_000  # remembered at once; full buckets are forgotten first


class Bucket:
    """So many at once, and so many a second in the long run."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._left = rate.burst
        self._at = clock()

    def spend(self) -> float:
        """Take one; the seconds to wait if there is none."""
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
        """Whether it is as good as new."""
        burst, per_second = self._rate
        return self._left + (self._clock() - self._at) * per_second >= burst


class Rates:
    """The buckets of all clients, by what they are for."""

    def __init__(self, limits: Limits) -> None:
        self._rates = {
            "requests": (limits.requests, "requests"),
            "games": (limits.games, "new games"),
            "thinking": (limits.thinking, "questions to the engine"),
        }
        self._buckets: dict[tuple[str, str], Bucket] = {}

    def spend(self, what: str, client: str) -> None:
        """Take one of a client's share; raises TooMany."""
        rate, name = self._rates[what]
        key = (what, client)
        if key not in self._buckets:
            self._make_room()
            self._buckets[key] = Bucket(rate)
        wait = self._buckets[key].spend()
        if wait:
            seconds = max(1, math.ceil(min(wait, 3_600)))
            raise TooMany(f"Too many {name}. Try again in {seconds} s.", after=seconds)

    def _make_room(self) -> None:
        if len(self._buckets) < MOST_CLIENTS:
            return
        self._buckets = {key: each for key, each in self._buckets.items() if not each.full}
        if len(self._buckets) >= MOST_CLIENTS:
            self._buckets.clear()  # rather a crowd unwatched for a moment than memory without end


def client_of(connection: HTTPConnection) -> str:
    """Who asks: the address, or the network of an IPv6 one, of which everybody has plenty."""
    host = connection.client.host if connection.client else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False))
    return host


def spend(connection: HTTPConnection, what: str) -> None:
    """Take one of the share of whoever asks: `games` or `thinking`; raises TooMany."""
    rates: Rates = connection.app.state.rates
    rates.spend(what, client_of(connection))
