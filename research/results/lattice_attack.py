"""The lattice attack: face-down cells computed from the numbers that were turned up.

A linear stream (`gridwise.core.rng.Stream`) hides 64 bits, and each number from 1 to 5 tells which
fifth of its range the state was in: 2.3 bits. 28 numbers have more bits than the state. From 30 of
them it is found 98 times in 100, in a tenth of a second; from 34 in a hundredth. Then all numbers
before, between and after are known. Games are played twice: dealt from one linear stream,
take-backs too, as all games once were, and as a Match deals them now.

How it works. Less what the STEPs have added, the states that were seen are s = x (f1, f2, …) modulo
2^64, with known factors f and one unknown number x. A relation is a row of small whole numbers y
with y·f = 0 modulo 2^64; so y·s is a multiple of 2^64, whatever x is. The middles m of the fifths
are near s, so y·m is near that multiple and tells which it is. Knowing the multiples of as many
relations as there are states, one can solve for s.

The smaller the numbers of a relation, the nearer; lattice reduction (Lenstra, Lenstra and Lovász)
makes them small, and depends on the places only, not on the numbers seen. The multiples are settled
one relation after the other (Babai's nearest planes), and the next best choices are kept as long as
they are likely: the nearest alone would find one game in five.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from operator import mul
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

import gridwise
from gridwise.core.board import Board
from gridwise.core.position import Position, start
from gridwise.core.rng import FACTOR, STEP, Rng, Stream
from gridwise.play.match import first_player

MODULUS = 1 << 64
GAME = gridwise.game("grid-conquest")
LOW, CHOICES = GAME.rules.LOW, GAME.rules.HIGH - GAME.rules.LOW + 1

BACK = -1  # in a plan: take the last claim back
WIDE_BOARD = "/".join(["?" * 9] * 7)
WIDE_PLAN = (10, 16, 46, 52)  # claims far from each other: 36 numbers seen, 27 not
STANDARD_BOARD = "/".join(["?" * 5] * 5)
STANDARD_PLAN = (6, 18, BACK, BACK, 6, 18)  # 34 numbers seen, 8 not


# The attack


class Relations(NamedTuple):
    """Short relations between the states at some places, one a row, and what belongs to them."""

    rows: npt.NDArray[np.object_]
    shares: list[int]  # the first state is the sum of these, each times the row's multiple
    slopes: npt.NDArray[np.float64]  # Gram-Schmidt: how much of each earlier row is in a row,
    squares: npt.NDArray[np.float64]  # and the squared length of what is in none of them


@lru_cache
def relations(places: tuple[int, ...]) -> Relations:
    """Relations between the states at these places of any linear stream (0.2 s for 36)."""
    size = len(places)
    rows: npt.NDArray[np.object_] = np.array(np.eye(size, dtype=int), dtype=object)
    rows[:, 0] = [-pow(FACTOR, place - places[0], MODULUS) for place in places]
    rows[0, 0] = MODULUS
    shares = [1, *[0] * (size - 1)]
    slopes, rests, squares = np.zeros((size, size)), np.zeros((size, size)), np.zeros(size)
    at = 0
    while at < size:
        reduced = False
        while not reduced:  # again as long as rounding has left something
            reduced = True
            slopes[at, :at] = rests[:at] @ rows[at].astype(float) / squares[:at]
            for other in reversed(range(at)):
                if times := round(slopes[at, other]):
                    reduced = False
                    rows[at] -= times * rows[other]
                    shares[other] = (shares[other] + times * shares[at]) % MODULUS
                    slopes[at, :other] -= times * slopes[other, :other]
        rests[at] = rows[at].astype(float) - slopes[at, :at] @ rests[:at]
        squares[at] = rests[at] @ rests[at]
        if at and squares[at] < (0.99 - slopes[at, at - 1] ** 2) * squares[at - 1]:
            rows[[at - 1, at]] = rows[[at, at - 1]]
            shares[at - 1], shares[at] = shares[at], shares[at - 1]
            at -= 1
        else:
            at += 1
    return Relations(rows, shares, slopes, squares)


# Of a state's distance from the middle of its fifth, in which it lies evenly; in units of 2^128.
VARIANCE = 1 / (12 * CHOICES**2)
# How many standard deviations the squared distance so far may be above its mean. 3 find 95 games in
# 100, 4 find 98, and 5 take four times as long.
LIKELY_DEVIATIONS = 4.0
MOST_CANDIDATES = 20_000  # more come up where fewer than 32 numbers were seen


def find_start(seen: Mapping[int, int]) -> int | None:
    """Where a linear stream began that has these numbers at these places; None if none is found."""
    places = tuple(sorted(seen))
    found = relations(places)
    middles = [
        (2 * (seen[place] - LOW) + 1) * MODULUS // (2 * CHOICES) - _steps(place) for place in places
    ]
    sums = [sum(map(mul, row, middles)) for row in found.rows]
    whole = [each // MODULUS for each in sums]
    # All likely choices for the relations so far: multiples (less `whole`), and by how much each
    # misses the sum of the middles, apart from what the earlier relations say of it.
    multiples, misses, distances = np.zeros((1, 0)), np.zeros((1, 0)), np.zeros(1)
    for number, each in enumerate(sums):
        expected = each % MODULUS / MODULUS + misses @ found.slopes[number, :number]
        choices = np.rint(expected)[:, None] + np.arange(-2, 3)
        off = choices - expected[:, None]
        reached = distances[:, None] + off**2 / found.squares[number]
        so_far = number + 1
        likely = (so_far + LIKELY_DEVIATIONS * (2 * so_far) ** 0.5) * VARIANCE
        order = np.argsort(reached, axis=None)[:MOST_CANDIDATES]
        before, choice = np.unravel_index(order[reached.flat[order] < likely], reached.shape)
        multiples = np.column_stack([multiples[before], choices[before, choice]])
        misses = np.column_stack([misses[before], off[before, choice]])
        distances = reached[before, choice]
    for candidate in multiples:
        times = [int(multiple) + base for multiple, base in zip(candidate, whole, strict=True)]
        first = sum(map(mul, times, found.shares))
        begin: int = first * pow(FACTOR, -places[0] - 1, MODULUS) % MODULUS
        if all(number_at(begin, place) == number for place, number in seen.items()):
            return begin
    return None


def number_at(begin: int, place: int, low: int = LOW, choices: int = CHOICES) -> int:
    """The number at a place of the linear stream that begins there."""
    state = (begin * pow(FACTOR, place + 1, MODULUS) + _steps(place)) % MODULUS
    return low + ((state >> 33) * choices >> 31)


def compute(seen: Mapping[int, int], places: Iterable[int]) -> dict[int, int]:
    """The numbers at places that were not seen; none if they cannot be computed."""
    begin = find_start(seen)
    return {} if begin is None else {place: number_at(begin, place) for place in places}


def _steps(place: int) -> int:
    """What the STEPs have added to the state at a place."""
    powers = pow(FACTOR, place + 1, (FACTOR - 1) * MODULUS) - 1
    return STEP * (powers // (FACTOR - 1)) % MODULUS


# Games to attack


class Played(Protocol):
    """What is watched: a Match, or a LinearMatch."""

    @property
    def position(self) -> Position:
        """What both players see."""

    @property
    def true_board(self) -> Board:
        """What nobody sees."""

    def move(self, move: int, /) -> object:
        """Claim a cell."""

    def undo(self) -> None:
        """Take the last claim back."""


class LinearMatch:
    """A game as all games once were: the deal, the coin and all re-deals from one stream."""

    def __init__(self, board: str, stream: Rng) -> None:
        self._stream = stream
        self.true_board = GAME.deal_unknown(GAME.parse_board(board), stream)
        first = first_player(GAME, None, stream)
        self._positions = [start(GAME, self.true_board, first)]

    @property
    def position(self) -> Position:
        """What both players see."""
        return self._positions[-1]

    def move(self, move: int, /) -> None:
        """Claim a cell."""
        self._positions.append(self.position.play(move, self.true_board))

    def undo(self) -> None:
        """Take the last claim back; what is face down again is dealt anew."""
        self._positions.pop()
        self.true_board = GAME.deal_unknown(
            self.true_board.without(self.position.hidden), self._stream
        )


class Watched(NamedTuple):
    """The numbers that were seen in a game and those that are still face down, by their places.

    A place counts the numbers of the deal, row by row, then the coin, then each re-deal.
    """

    seen: dict[int, int]
    hidden: dict[int, int]


def watch(match: Played, plan: Sequence[int]) -> Watched:
    """Play as planned, and watch as anybody at the board could."""
    places = list(range(len(match.true_board.cells)))
    dealt = len(places) + 1  # with the coin
    seen: dict[int, int] = {}
    for cell in plan:
        if cell == BACK:
            match.undo()
            for again, number in enumerate(match.position.board.cells):
                if not number:
                    places[again], dealt = dealt, dealt + 1
        else:
            match.move(cell)
        cells = zip(places, match.position.board.cells, strict=True)
        seen.update((place, number) for place, number in cells if number)
    truth = zip(places, match.true_board.cells, strict=True)
    return Watched(seen, {place: number for place, number in truth if place not in seen})


def attack(games: int) -> None:
    """Play and attack, and print what could be computed."""
    for title, board, plan in (
        ("7x9, four claims", WIDE_BOARD, WIDE_PLAN),
        ("5x5, two claims, both taken back and made again", STANDARD_BOARD, STANDARD_PLAN),
    ):
        linear = [LinearMatch(board, Stream(secrets.randbits(64))) for _ in range(games)]
        now = [gridwise.Match(GAME, board) for _ in range(games)]
        both: tuple[tuple[str, Sequence[Played]], ...] = (
            ("all from one linear stream (the old way)", linear),
            ("Match(), as it is now", now),
        )
        print(title)
        for how, matches in both:
            watched = [watch(match, plan) for match in matches]
            relations(tuple(sorted(watched[0].seen)))  # found once for all games
            begun = time.process_time()
            found = [compute(each.seen, each.hidden) for each in watched]
            seconds = (time.process_time() - begun) / games
            right = [
                sum(guess.get(place) == number for place, number in each.hidden.items())
                for guess, each in zip(found, watched, strict=True)
            ]
            hidden = len(watched[0].hidden)
            print(
                f"  {how}: computed {sum(right)} of {hidden * games} hidden cells, "
                f"all {hidden} in {right.count(hidden)} of {games} games, {seconds:.3f} s a game"
            )
