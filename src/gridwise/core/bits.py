"""Sets of cells or actions as ints.

Bit k stands for cell or action k.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache


@lru_cache(maxsize=1 << 14)
def bit_indices(mask: int) -> tuple[int, ...]:
    """The numbers in a set, ascending."""
    indices = []
    while mask:
        low = mask & -mask
        indices.append(low.bit_length() - 1)
        mask ^= low
    return tuple(indices)


_BITS = bytes.maketrans(b"01", b"\0\1")


@lru_cache(maxsize=1 << 14)
def bits_as_bytes(mask: int, size: int) -> bytes:
    """A set as one byte for each number below `size`: 1 for those in it, 0 for the others."""
    return f"{mask:0{size}b}".encode()[: -size - 1 : -1].translate(_BITS)


def random_bit(mask: int, random: Callable[[], float]) -> int:
    """One number of a non-empty set, each equally likely, drawn with a source like `Random.random`.

    It comes out the same on every machine and in every version of Python, which `Random.choice`
    does not promise. Large sets hardly ever come up twice, so listing them misses the cache and
    costs 2 µs; in a set that is at least half full, drawing until a member comes costs 0.3 µs.
    """
    width = mask.bit_length()
    if width > 8 and mask.bit_count() * 2 >= width:
        while True:
            drawn = int(random() * width)
            if mask >> drawn & 1:
                return drawn
    indices = bit_indices(mask)
    return indices[int(random() * len(indices))]
