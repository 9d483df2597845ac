"""In kernels: sets of cells or actions as ints, without the methods that do not compile.

Also random numbers, and states as numbers that look random. The loop in `count` looks slow and is
not: the compiler knows it and makes one instruction of it.
"""

from __future__ import annotations

from gridwise.core.game import State
from gridwise.engine.binding import Ints

_POSITIVE = 0x7FFFFFFFFFFFFFFF
_MIX = 0x1E3779B97F4A7C15


def lowest(mask: int) -> int:
    """The least number of a non-empty set: as many as there are below its bit.

    Trying one bit after the other takes 8 ns at the 22nd; this takes less than one.
    """
    return count((mask & -mask) - 1)


def count(mask: int) -> int:
    """How many numbers are in a set."""
    members = 0
    while mask:
        mask &= mask - 1
        members += 1
    return members


def random_bits(source: Ints) -> int:
    """31 random bits; `source[0]`, an int64, is the seed and moves on.

    A linear congruential generator (Knuth's constants for 64 bits), of which only the good, high
    bits are used. It costs a nanosecond, a third of what numba's own generator takes.
    """
    source[0] = source[0] * 6364136223846793005 + 1442695040888963407
    return int(source[0] >> 33 & 0x7FFFFFFF)


def drawn(mask: int, source: Ints) -> int:
    """One number of a non-empty set, each equally likely."""
    skip = random_bits(source) * count(mask) >> 31
    while skip:
        mask &= mask - 1
        skip -= 1
    return lowest(mask)


def mix(state: State) -> int:
    """A state as a number from 0 to 2^63 - 1 that hardly any other state has, for tables.

    The products do not wait for each other, so seven fields take hardly longer than one.
    """
    total = 0
    for field in range(len(state)):
        total += state[field] * (_MIX >> field | 1)
    total &= _POSITIVE
    total = (total ^ total >> 32) * _MIX & _POSITIVE
    return int(total ^ total >> 29)
