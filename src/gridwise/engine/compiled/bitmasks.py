"""For kernels: bit masks, random numbers and hashes, without anything that does not compile.

Where a kernel is interpreted, Python's own ways to do the same take the place of some of them
(`IN_PYTHON`), and random numbers come from whatever has a method `random`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gridwise.core.bits import random_bit
from gridwise.core.contracts import State
from gridwise.core.rng import Rng
from gridwise.engine.compiled.specialize import Ints

_POSITIVE = 0x7FFFFFFFFFFFFFFF
_MULTIPLIER = 0x1E3779B97F4A7C15


def lowest_bit(mask: int) -> int:
    """The least number of a non-empty set: as many as there are below its bit.

    Trying one bit after the other takes 8 ns at the 22nd; this takes less than one.
    """
    return popcount((mask & -mask) - 1)


def popcount(mask: int) -> int:
    """How many numbers are in a set: the compiler makes one instruction of this loop."""
    members = 0
    while mask:
        mask &= mask - 1
        members += 1
    return members


def random_bits(rng: Ints) -> int:
    """31 random bits; `rng[0]`, an int64, is the seed and moves on.

    A linear congruential generator (Knuth's constants for 64 bits), of which only the good, high
    bits are used. It costs a nanosecond, a third of what numba's own generator takes.
    """
    rng[0] = rng[0] * 6364136223846793005 + 1442695040888963407
    return int(rng[0] >> 33 & 0x7FFFFFFF)


def draw(mask: int, rng: Ints) -> int:
    """One number of a non-empty set, each equally likely."""
    skip = random_bits(rng) * popcount(mask) >> 31
    while skip:
        mask &= mask - 1
        skip -= 1
    return lowest_bit(mask)


def random_number(rng: Ints) -> float:
    """A number from 0 up to 1: `Stream.random`."""
    return random_bits(rng) * 2.0**-31


def random_member(mask: int, rng: Ints) -> int:
    """One number of a non-empty set, each equally likely: `core.bits.random_bit`."""
    width = 0
    while mask >> width:
        width += 1
    if width <= 8 or popcount(mask) * 2 < width:
        return draw(mask, rng)
    drawn = random_bits(rng) * width >> 31
    while not mask >> drawn & 1:
        drawn = random_bits(rng) * width >> 31
    return drawn


def hash_state(state: State) -> int:
    """A hash of a state, from 0 to 2^63 - 1.

    The products do not wait for each other, so seven fields take hardly longer than one.
    """
    total = 0
    for field in range(len(state)):
        total += state[field] * (_MULTIPLIER >> field | 1)
    total &= _POSITIVE
    total = (total ^ total >> 32) * _MULTIPLIER & _POSITIVE
    return int(total ^ total >> 29)


def _lowest_bit_in_python(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


def _random_number_in_python(rng: Rng) -> float:
    return rng.random()


def _random_member_in_python(mask: int, rng: Rng) -> int:
    return random_bit(mask, rng.random)


IN_PYTHON: dict[Callable[..., Any], Callable[..., Any]] = {
    lowest_bit: _lowest_bit_in_python,
    popcount: int.bit_count,
    random_number: _random_number_in_python,
    random_member: _random_member_in_python,
}
