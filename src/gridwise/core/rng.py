"""Random numbers: those that a seed gives again on every machine, and those nobody may compute.

`Stream` is reproducible: one 64-bit linear congruential generator (Knuth's constants) of which only
the good, high bits are used. `gridwise.engine.compiled.bitmasks.random_bits` steps the same
generator in machine code, so one seed deals one board everywhere: at the console, in a Match, in
every environment. A known seed is a known board, and so is a board of which enough was shown: from
some 30 numbers that were turned up a lattice finds all others
(`research/results/lattice_attack.py`).

So it is never behind a secret. Hidden cells, re-deals and the coin come from a `SecretStream`
unless somebody has given a seed for them. What bots draw is a third kind, `engine/bots.py`'s.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import struct
from typing import Protocol

from gridwise.core.bits import bit_indices

FACTOR, STEP = 6364136223846793005, 1442695040888963407
_MASK = (1 << 64) - 1
_KEY_BYTES = 32


class Rng(Protocol):
    """Anything that gives random numbers: `random.Random`, a numpy generator, a Stream."""

    def random(self) -> float:
        """A number from 0 up to 1."""


class Stream:
    """The random numbers of a seed.

    A whole number is its own seed, and so is a text of digits; any other text is hashed.
    """

    def __init__(self, seed: int | str) -> None:
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


class SecretStream(Stream):
    """Random numbers from which nobody can compute the ones before or after them.

    Each step hashes a key of 256 bits to the next key and eight numbers. Without a `key` the system
    draws one; whoever has the `key`, a text that must be hard to guess, gets the same numbers.
    """

    def __init__(self, key: str | None = None) -> None:
        given = None if key is None else hashlib.sha256(key.encode()).digest()
        self._key = given or secrets.token_bytes(_KEY_BYTES)
        self._numbers: list[int] = []

    def bits(self) -> int:
        """31 random bits."""
        if not self._numbers:
            block = hashlib.blake2b(self._key, person=b"gridwise stream").digest()
            self._key = block[:_KEY_BYTES]
            words = struct.unpack("<8I", block[_KEY_BYTES:])
            self._numbers = [word >> 1 for word in words]
        return self._numbers.pop()

    def random(self) -> float:
        """A number from 0 up to 1."""
        return self.bits() * 2.0**-31


def random_stream(seed: int | str | None = None) -> Stream:
    """The random numbers of a seed; without one, those that nobody can compute."""
    return SecretStream() if seed is None else Stream(seed)


def draw_seed() -> int:
    """A seed that nobody can guess, to be recorded where a run shall be repeated."""
    return secrets.randbits(63)


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


def _seed_number(seed: int | str) -> int:
    if isinstance(seed, str):
        if not re.fullmatch("-?[0-9]{1,40}", seed):
            return int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big")
        seed = int(seed)
    return seed & _MASK
