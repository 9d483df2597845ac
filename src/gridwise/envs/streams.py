"""Random numbers that come out the same for one game and in a batch, compiled or not.

Each game of a batch has a stream of its own, so it plays out the same whatever else is in the
batch. The generator is that of `gridwise.engine.masks.random_bits`: one number of 64 bits, of which
the high ones are used.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gridwise.core.bits import members

Int64s: TypeAlias = npt.NDArray[np.int64]

FACTOR, STEP = 6364136223846793005, 1442695040888963407
_ALL = (1 << 64) - 1


class Stream:
    """The stream of one game."""

    def __init__(self, seed: int) -> None:
        self._source = int(sources(np.array([seed & _ALL], np.uint64))[0])

    def bits(self) -> int:
        """31 random bits."""
        self._source = self._source * FACTOR + STEP & _ALL
        return self._source >> 33

    def random(self) -> float:
        """A number from 0 up to 1."""
        return self.bits() / (1 << 31)

    def below(self, limit: int) -> int:
        """A number from 0 up to `limit`, which is left out."""
        return self.bits() * limit >> 31

    def draw(self, mask: int) -> int:
        """One number of a non-empty set, each equally likely."""
        listed = members(mask)
        return listed[self.below(len(listed))]


def sources(seeds: npt.NDArray[np.uint64]) -> Int64s:
    """Where the streams with these seeds begin. Seeds next to each other begin far apart.

    The mixing is that of splitmix64, whose numbers differ in half their bits where seeds differ in
    one.
    """
    mixed = seeds + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return (mixed ^ mixed >> np.uint64(31)).view(np.int64)


def below(streams: Int64s, chosen: npt.NDArray[np.bool_], limit: int) -> Int64s:
    """A number from 0 up to `limit` from each of the chosen streams, which move on."""
    moved = streams[chosen].view(np.uint64) * np.uint64(FACTOR) + np.uint64(STEP)
    streams[chosen] = moved.view(np.int64)
    return ((moved >> np.uint64(33)) * np.uint64(limit) >> np.uint64(31)).astype(np.int64)
