"""What can be told of a race at a look: who has won already, and which positions are the same.

Plain functions of a few ints. How often each number lies open is one int, `counts`, six bits a
number.
"""

from __future__ import annotations

from gridwise.engine.binding import Ints
from gridwise.engine.desk import LEAST, MOST, Desk
from gridwise.engine.masks import lowest


def counted(numbers: Ints, shown: int) -> int:
    """How often each number lies open, packed six bits a number."""
    counts = 0
    while shown:
        counts += 1 << 6 * numbers[lowest(shown)]
        shown &= shown - 1
    return counts


def plain(desk: Desk, counts: int, mine: int, yours: int, hidden: int) -> float:
    """The chance of the player to move where the open numbers alone decide; else -1.

    More open numbers would not change it, unless one of them wins at once.
    """
    least, most = desk.tally[LEAST], desk.tally[MOST]
    decided = foregone(counts, mine, yours, least, most)
    if decided < 0 and threats(counts, yours, most) > 1:
        return gamble(mine, hidden, least, most)
    return float(decided)


def at_the_end(mine: int, yours: int) -> float:
    """What a full board is worth to the player who would be next."""
    return 1.0 if mine < yours else 0.5 if mine == yours else 0.0


def threats(counts: int, yours: int, most: int) -> int:
    """How many open cells would be all the opponent needs."""
    found = 0
    for number in range(yours, most + 1):
        found += counts >> 6 * number & 63
    return found


def gamble(mine: int, hidden: int, least: int, most: int) -> float:
    """The chance that a face-down cell is all I need."""
    return max(0, most + 1 - max(mine, least)) / (most + 1 - least) if hidden else 0.0


def foregone(counts: int, mine: int, yours: int, least: int, most: int) -> int:
    """1 if the player to move has won whatever comes, 0 if lost, -1 if it is open."""
    my_claims = (yours + most - 1) // most  # so many before the opponent can have finished
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


def key_of(around: Ints, numbers: Ints, mine: int, yours: int, hidden: int, shown: int) -> int:
    """A number for the position, the same for any that differ only in what cannot matter.

    Cells alike may change places. And of those that turn up nothing, the best is claimed first; if
    the better ones have more points than can be claimed before the end, the others do not count.
    """
    key = mixed(mine * 1024 + yours, hidden)
    quiet = 0
    while shown:
        cell = lowest(shown)
        shown &= shown - 1
        kind = around[cell] & hidden
        if kind:
            key += mixed(kind, numbers[cell])
        else:
            quiet += 1 << 6 * numbers[cell]
    left = mine + yours - 1
    number = 9
    while quiet and left > 0:
        here = quiet >> 6 * number & 63
        if here:
            quiet ^= here << 6 * number
            matter = min(here, (left + number - 1) // number)
            key += mixed(-number, matter)
            left -= matter * number
        number -= 1
    return key


def mixed(one: int, other: int) -> int:
    """A well-stirred number made of two."""
    stirred = one * -7046029254386353131 + other * -4417276706812531889 + 1442695040888963407
    stirred ^= stirred >> 29 & 0x7FFFFFFFF
    stirred *= -4658895280553007687
    return stirred ^ (stirred >> 32 & 0xFFFFFFFF)
