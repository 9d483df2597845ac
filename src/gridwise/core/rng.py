"""Random numbers that are the same on every machine, one game at a time and in compiled batches.

One 64-bit linear congruential generator (Knuth's constants) of which only the good, high bits are
used. `gridwise.engine.compiled.bitmasks.random_bits` steps the same generator in machine code, so
one seed deals one board everywhere: at the console, in a Match, in every environment.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Protocol

from gridwise.core.bits import bit_indices

FACTOR, STEP = 6364136223846793005, 1442695040888963407
_MASK = (1 << 64) - 1


class Rng(Protocol):
    """Anything that gives random numbers: `random.Random`, a numpy generator, a Stream."""

    def random(self) -> float:
        """A number from 0 up to 1."""


class Stream:
    """A stream of random numbers.

    A whole number is its own seed, and so is a text of digits; any other text is hashed. None draws
    a seed that nobody can guess.
    """

    def __init__(self, seed: int | str | None = None) -> None:
        self._source = mix(_seed_number(seed))

    def bits(self) -> int:
        """31 random bits."""
        self._source = self._source * FACTOR + STEP & _MASK
        return self._source >> 33

    def random(self) -> float:
        """A number from 0 up to 1."""
        # As `bits`, not calling it: a deal draws a number for every cell.
        self._source = self._source * FACTOR + STEP & _MASK
        return (self._source >> 33) * 2.0**-31

    def below(self, limit: int) -> int:
        """A whole number from 0 to `limit` - 1."""
        return self.bits() * limit >> 31

    def draw(self, mask: int) -> int:
        """One number of a non-empty set, each equally likely."""
        indices = bit_indices(mask)
        return indices[self.below(len(indices))]


def derive_seed(seed: int | str, purpose: str) -> str:
    """A seed for another purpose: another stream, which does not lead back to the first.

    SHA-256 cannot be computed backwards. Whoever can guess the seed can still try it.
    """
    return hashlib.sha256(f"gridwise {purpose} {seed}".encode()).hexdigest()


def mix(seed: int) -> int:
    """Where the stream of a seed begins; neighbouring seeds begin far apart (splitmix64)."""
    mixed = seed + 0x9E3779B97F4A7C15 & _MASK
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _MASK
    return mixed ^ mixed >> 31


def _seed_number(seed: int | str | None) -> int:
    if seed is None:
        return secrets.randbits(64)
    if isinstance(seed, str):
        if not re.fullmatch("-?[0-9]{1,40}", seed):
            return int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big")
        seed = int(seed)
    return seed & _MASK
