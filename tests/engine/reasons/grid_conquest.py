"""Grid Conquest: what is taken, what is left, and how likely numbers are."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from tests.engine.reasons.claims import PLAYER, Claims
from tests.engine.reasons.told import Told
from tests.reference.base import Cell
from tests.reference.grid_conquest import ROW_NAMES, GridConquest, surrounding

CLAIMS = Claims()
says = CLAIMS.says

CELL = r"([A-Z]\d+)"
NUMBERS = (1, 2, 3, 4, 5)


def at(text: str) -> Cell:
    """A cell by its name."""
    return ROW_NAMES.index(text[0]), int(text[1:]) - 1


def conquest(told: Told) -> GridConquest:
    """The game before the move: what the move turns up is not known."""
    assert isinstance(told.before, GridConquest)
    return told.before


def needs(told: Told, player: int) -> int:
    """What a player has to claim to win."""
    game = conquest(told)
    return game._target - game._score[player]


def taken(told: Told) -> int:
    """The number that is claimed; 0 if it is face down."""
    cell, game = at(told.own_line[0]), conquest(told)
    return int(game._cells[cell]) if cell in game._seen else 0


def left(told: Told) -> dict[Cell, int]:
    """The numbers in sight that can be claimed after the move; not what it turns up."""
    game = conquest(told)
    return {
        cell: int(game._cells[cell])
        for cell in game._seen
        if cell not in game._owner and cell != at(told.own_line[0])
    }


@says(rf"The (\d) on {CELL} is enough\.")
def enough(told: Told, number: str, cell: str) -> None:
    """The mover wins with it."""
    assert told.move == cell
    assert taken(told) == int(number) >= needs(told, told.mover)
    assert told.after.result() == f"p{told.mover}"


@says(rf"It passes up the (\d) on {CELL}, which would have been enough\.")
def passes_up(told: Told, number: str, cell: str) -> None:
    """The mover would have won with it, and does not."""
    assert left(told)[at(cell)] == int(number) >= needs(told, told.mover) > taken(told)


@says(rf"It takes the (\d) on {CELL}, which would have been enough for {PLAYER}\.")
def stops(told: Told, number: str, cell: str, player: str) -> None:
    """And nothing else in sight is."""
    assert int(player) == told.other
    assert told.move == cell
    assert taken(told) == int(number) >= needs(told, told.other)
    assert all(value < needs(told, told.other) for value in left(told).values())


@says(rf"{PLAYER} needs (\d+), and the (\d) on {CELL} is left\.")
def leaves_win(told: Told, player: str, need: str, number: str, cell: str) -> None:
    """That number is enough for the other one."""
    assert int(player) == told.other
    assert needs(told, told.other) == int(need) <= int(number)
    assert left(told)[at(cell)] == int(number)


@says(rf"It takes an? (\d) and leaves an? (\d) to {PLAYER}\.")
def leaves_larger(told: Told, mine: str, yours: str, player: str) -> None:
    """The largest in sight."""
    assert int(player) == told.other
    assert taken(told) == int(mine) < int(yours) == max(left(told).values())


@says(rf"It turns up (a cell|(\d+) cells) for {PLAYER}(, and any number is enough|: (.*))\.")
def turns_up(
    told: Told, _cells: str, count: str | None, player: str, _rest: str, chance: str | None
) -> None:
    """So many face-down cells around the claim, and how likely a number is among them."""
    game, cell = conquest(told), at(told.move)
    turned = [near for near in surrounding(cell) if near in game._cells and near not in game._seen]
    need = needs(told, told.other)
    assert len(turned) == int(count or 1)
    assert int(player) == told.other
    if chance is None:
        assert need == min(NUMBERS)
        return
    percent, number = chance.replace("a ", "an ").removeprefix("an ").split("% chance of an ")
    which, _, wins = number.partition(", which is ")
    wanted, _, more = which.partition(" or ")
    fits = [value for value in NUMBERS if value == int(wanted) or (more and value > int(wanted))]
    none = Fraction(len(NUMBERS) - len(fits), len(NUMBERS)) ** len(turned)
    assert min(round(100 * (1 - none)), 99) == int(percent)  # it is never certain
    if wins:
        assert (wins, more in ("", "more")) == ("enough", True)
        assert fits == [value for value in NUMBERS if value >= need]
    else:
        assert need > max(NUMBERS)
        assert fits == [max(NUMBERS)]


@says(rf"{CELL} is face down, 3 on average(?:, and an? (\d) is left to {PLAYER})?\.")
def unseen(told: Told, cell: str, largest: str | None, player: str | None) -> None:
    """All numbers are equally likely; and there is a larger one to be seen, or there is none."""
    most = max([*left(told).values(), 3])
    assert most == int(largest or 3) or most >= needs(told, told.other)  # then that is said
    assert int(player or told.other) == told.other
    assert told.move == cell
    assert at(cell) not in conquest(told)._seen
    assert sum(NUMBERS) == 3 * len(NUMBERS)


@says(
    rf"With the numbers in sight {PLAYER} needs (\d+) more claims?, {PLAYER} (\d+), "
    rf"and it is {PLAYER}'s move\."
)
def claims_needed(told: Told, player: str, mine: str, other: str, theirs: str, turn: str) -> None:
    """So many of them are enough for each alone, and no fewer."""
    assert {int(player), int(other)} == {told.mover, told.other}
    assert int(turn) == told.other
    free = list(left(told).values())
    numbers = {
        told.mover: fewest(free, needs(told, told.mover) - taken(told)),
        told.other: fewest(free, needs(told, told.other)),
    }
    assert numbers == {int(player): int(mine), int(other): int(theirs)}
    assert int(mine) < int(theirs) or (mine == theirs and player == turn)


def fewest(numbers: list[int], points: int) -> int:
    """How many of the numbers it takes to make so many points, by trying all choices."""
    return next(
        count
        for count in range(1, len(numbers) + 1)
        if any(sum(chosen) >= points for chosen in combinations(numbers, count))
    )
