"""Positions of a race that are decided without searching, and the keys by which they are stored.

Plain functions of a few ints. `counts` says how often each number is shown: one int, six bits a
number.
"""

from __future__ import annotations

from gridwise.engine.chance.search_stack import RaceState, SearchStack
from gridwise.engine.compiled.bitmasks import lowest_bit
from gridwise.engine.compiled.specialize import Ints


def count_numbers(numbers: Ints, shown: int) -> int:
    """How often each number is shown, packed six bits a number."""
    counts = 0
    while shown:
        counts += 1 << 6 * numbers[lowest_bit(shown)]
        shown &= shown - 1
    return counts


def value_if_decided(stack: SearchStack, counts: int, mine: int, yours: int, hidden: int) -> float:
    """The winning probability of the player to move where the shown numbers alone decide; else -1.

    More shown numbers would not change it, unless one of them wins at once.
    """
    least, most = stack.least, stack.most
    won = decided(counts, mine, yours, least, most)
    if won < 0 and threats(counts, yours, most) > 1:
        return blind_win_probability(mine, hidden, least, most)
    return float(won)


def full_board_value(mine: int, yours: int) -> float:
    """The value of a full board to the player who would be next."""
    return 1.0 if mine < yours else 0.5 if mine == yours else 0.0


def threats(counts: int, yours: int, most: int) -> int:
    """How many shown cells would win at once for the opponent."""
    found = 0
    for number in range(yours, most + 1):
        found += counts >> 6 * number & 63
    return found


def blind_win_probability(mine: int, hidden: int, least: int, most: int) -> float:
    """The probability that a face-down cell wins at once for the player to move."""
    return max(0, most + 1 - max(mine, least)) / (most + 1 - least) if hidden else 0.0


def decided(counts: int, mine: int, yours: int, least: int, most: int) -> int:
    """1 if the player to move has won whatever comes, 0 if lost, -1 if it is open."""
    my_claims = (yours + most - 1) // most  # before the opponent can have finished
    your_claims = (mine + most - 1) // most - 1
    places = 2 * max(my_claims, your_claims)
    my_sum = your_sum = place = 0
    for number in range(most, least - 1, -1):
        for _ in range(counts >> 6 * number & 63):
            if place >= places:
                break
            if place & 1:
                if place >> 1 < your_claims:
                    your_sum += number
            elif place >> 1 < my_claims:
                my_sum += number
            place += 1
    if my_sum >= mine:
        return 1
    return 0 if your_sum >= yours else -1


def position_key(stack: SearchStack, race: RaceState) -> int:
    """A hash of the position, the same for all that differ only in what cannot matter.

    Cells alike may change places. And of those that reveal nothing, the best is claimed first; if
    the better ones have more points than can be claimed before the end, the others do not count.
    """
    key = hash_pair(race.mine * 1024 + race.yours, race.hidden)
    quiet, shown = 0, race.shown
    while shown:
        cell = lowest_bit(shown)
        shown &= shown - 1
        kind = stack.reveals[cell] & race.hidden
        if kind:
            key += hash_pair(kind, stack.numbers[cell])
        else:
            quiet += 1 << 6 * stack.numbers[cell]
    left = race.mine + race.yours - 1
    number = 9
    while quiet and left > 0:
        here = quiet >> 6 * number & 63
        if here:
            quiet ^= here << 6 * number
            matter = min(here, (left + number - 1) // number)
            key += hash_pair(-number, matter)
            left -= matter * number
        number -= 1
    return key


def hash_pair(one: int, other: int) -> int:
    """A hash of two ints."""
    hashed = one * -7046029254386353131 + other * -4417276706812531889 + 1442695040888963407
    hashed ^= hashed >> 29 & 0x7FFFFFFFF
    hashed *= -4658895280553007687
    return hashed ^ (hashed >> 32 & 0xFFFFFFFF)
