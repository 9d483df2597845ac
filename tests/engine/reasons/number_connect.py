"""Number Connect: what still adds up to the target, and for whom."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.engine.reasons.claims import PLAYER, Claims
from tests.engine.reasons.told import Told, after
from tests.reference.base import Cell, neighbours
from tests.reference.number_connect import NumberConnect

CLAIMS = Claims()
says = CLAIMS.says

CELL = r"(\d+,\d+)"


def connect(told: Told, number: int) -> NumberConnect:
    """The game after so many moves of the line."""
    game = told.end[number]
    assert isinstance(game, NumberConnect)
    return game


def at(text: str) -> Cell:
    """A cell by its name."""
    row, column = text.split(",")
    return int(row), int(column)


def sets_for(game: NumberConnect, player: int, missing: int) -> Iterator[frozenset[Cell]]:
    """Every set of cells that a player could claim, one after the other, to get so many points."""
    own = frozenset(cell for cell, owner in game._owner.items() if owner == player)
    free = [cell for cell in game._cells if cell not in game._owner]
    level = {frozenset[Cell]()}
    while level:
        bigger = set()
        for cells in level:
            mine = own | cells
            for cell in free:
                if cell in cells or (mine and not any(near in mine for near in neighbours(cell))):
                    continue
                more = cells | {cell}
                points = sum(int(game._cells[each]) for each in more)
                if points <= missing:
                    bigger.add(more)
        yield from (c for c in bigger if sum(int(game._cells[each]) for each in c) == missing)
        level = bigger


def wins_with(game: NumberConnect, player: int) -> list[Cell]:
    """The cells with which a player would reach the target now."""
    missing = game._target - game._total[player]
    return [cell for cell in game._claimable(player) if int(game._cells[cell]) == missing]


@says(r"(\d+) is over (\d+), which loses at once\.")
def over(told: Told, total: str, target: str) -> None:
    """The game is over, and lost."""
    then = connect(told, 1)
    assert then._total[told.mover] == int(total) > int(target) == then._target
    assert then.result() == f"p{told.other}"


@says(rf"It takes {CELL}: {PLAYER} needed just an? (\d+) to win\.")
def takes(told: Told, cell: str, player: str, number: str) -> None:
    """It was the only cell with which the other one would have won."""
    before, then = connect(told, 0), connect(told, 1)
    assert int(player) == told.other
    assert then._owner[at(cell)] == told.mover
    assert wins_with(before, told.other) == [at(cell)]
    assert before._cells[at(cell)] == number
    assert wins_with(then, told.other) == []


@says(rf"{PLAYER} needs an? (\d+), and {CELL} has one within reach\.")
def leaves(told: Told, player: str, number: str, cell: str) -> None:
    """The other one is to move and wins with it."""
    then = connect(told, 1)
    assert int(player) == told.other == then.to_move()
    assert int(number) == then._target - then._total[told.other]
    assert then._cells[at(cell)] == number
    assert after(then, cell).result() == f"p{told.other}"


@says(rf"{PLAYER} is walled in at (\d+): nothing is left to claim\.")
def walled_in(told: Told, player: str, total: str) -> None:
    """For that player; for the other one there is."""
    then = connect(told, 1)
    assert int(player) == told.mover
    assert then._total[told.mover] == int(total)
    assert then._claimable(told.mover) == []
    assert then._claimable(told.other)


@says(rf"From (\d+) {PLAYER} needs exactly (\d+), and no cells within reach add up to that\.")
def no_sum(told: Told, total: str, player: str, missing: str) -> None:
    """Not even if the other one did nothing more."""
    then = connect(told, 1)
    assert int(player) == told.mover
    assert then._total[told.mover] == int(total)
    assert int(total) + int(missing) == then._target
    assert next(sets_for(then, told.mover, int(missing)), None) is None


@says(rf"From (\d+) only the (\d+) on {CELL} helps {PLAYER}\.")
def only_sum(told: Told, total: str, number: str, cell: str, player: str) -> None:
    """No other cells add up to what is missing, and that one does."""
    then = connect(told, 1)
    assert int(player) == told.mover
    assert then._total[told.mover] == int(total)
    assert then._cells[at(cell)] == number
    assert int(total) + int(number) == then._target
    assert list(sets_for(then, told.mover, int(number))) == [{at(cell)}]


@says(rf"{PLAYER} can get to (\d+) with (.*)\.")
def reaches(told: Told, player: str, target: str, added: str) -> None:
    """The line ends so, and these are the cells that the player claims after the move."""
    end = connect(told, -1)
    assert end.result() == f"p{player}"
    assert end._total[int(player)] == int(target) == end._target
    assert re.fullmatch(r"(\S+ \(\d+\)(, | and |$))+", added)
    cells = re.findall(r"(\S+) \((\d+)\)", added)
    assert all(end._cells[at(cell)] == number for cell, number in cells)
    claimed = zip(told.own_line[1:], told.end[1:], strict=False)
    assert [cell for cell, _ in cells] == [
        move for move, game in claimed if game.to_move() == int(player)
    ]


@says(rf"{PLAYER} has to go over (\d+) (?:with the next move|in (\d+) moves)\.")
def forced_over(told: Told, player: str, target: str, number: str | None) -> None:
    """The line ends so, and at its end that player has nothing else to do."""
    end, last = connect(told, -1), connect(told, -2)
    assert end._target == int(target) < end._total[int(player)]
    assert end.result() == f"p{3 - int(player)}"
    assert last.to_move() == int(player)
    assert all(after(last, move).result() == end.result() for move in last.legal())
    assert told.moves_of(int(player)) == int(number or 1)


@says(rf"The board fills up, and {PLAYER} wins (\d+) to (\d+)\.")
def full(told: Told, player: str, mine: str, yours: str) -> None:
    """The line ends so."""
    end = connect(told, -1)
    assert len(end._owner) == len(end._cells)
    assert end._total[int(player)] == int(mine) > int(yours) == end._total[3 - int(player)]
    assert int(mine) < end._target
    assert end.result() == f"p{player}"
