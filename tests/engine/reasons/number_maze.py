"""Number Maze: where the number under a token leads."""

from __future__ import annotations

from tests.engine.reasons.claims import LATER, PLAYER, Claims
from tests.engine.reasons.told import Told
from tests.reference.base import DIRECTIONS, Cell, shifted
from tests.reference.number_maze import NumberMaze

CLAIMS = Claims()
says = CLAIMS.says

CELL = r"(\d+,\d+)"


def maze(told: Told, number: int) -> NumberMaze:
    """The game after so many moves of the line."""
    game = told.end[number]
    assert isinstance(game, NumberMaze)
    return game


def at(text: str) -> Cell:
    """A cell by its name, which counts from 1."""
    row, column = text.split(",")
    return int(row) - 1, int(column) - 1


def landings(game: NumberMaze, cell: Cell) -> list[Cell]:
    """The cells of the board that lie as far as the number says, in the four directions."""
    steps = int(game._cells[cell])
    return [to for way in DIRECTIONS if (to := shifted(cell, way, steps)) in game._cells]


@says(rf"{CELL} has an? (\d), which leads off the board every way\.")
def off_board(told: Told, cell: str, number: str) -> None:
    """The mover has landed there, and would leave the board in every direction."""
    game = maze(told, 1)
    assert game._token[told.mover] == at(cell)
    assert game._cells[at(cell)] == number
    assert landings(game, at(cell)) == []


@says(rf"The (\d) on {CELL} leads straight to {PLAYER}'s corner\.")
def aimed(told: Told, number: str, cell: str, player: str) -> None:
    """The mover has landed there, and lands on the corner next if nothing happens."""
    game = maze(told, 1)
    assert int(player) == told.other
    assert game._token[told.mover] == at(cell)
    assert game._cells[at(cell)] == number
    assert game._start[told.other] in landings(game, at(cell))
    assert game._token[told.other] != game._start[told.other]


def stuck(told: Told, player: str, is_now: str, cell: str, number: str | None) -> NumberMaze:
    """The line ends with a player who cannot move there, after so many moves more."""
    game = maze(told, -1)
    assert (is_now == "is") == (len(told.own_line) == 1)
    assert game.result() == f"p{3 - int(player)}"
    assert game._token[int(player)] == at(cell)
    assert game._token[3 - int(player)] != game._start[int(player)]
    assert told.moves_of(int(player)) == int(number or 0)
    return game


@says(
    rf"{PLAYER} (is|gets) stuck on {CELL}{LATER}: {PLAYER} "
    r"(stands on|takes) the only landing cell\."
)
def blocked(
    told: Told, player: str, is_now: str, cell: str, number: str | None, other: str, verb: str
) -> None:
    """One way leads to a cell of the board, and there the other one stands, who came last."""
    game = stuck(told, player, is_now, cell, number)
    assert int(other) == 3 - int(player)
    assert (verb == "takes") == (is_now == "gets")
    assert landings(game, at(cell)) == [game._token[int(other)]]
    assert maze(told, -2).to_move() == int(other)


@says(rf"{PLAYER} (is|gets) stuck on {CELL}{LATER}: the (\d) there leads off the board every way\.")
def ends_off_board(
    told: Told, player: str, is_now: str, cell: str, number: str | None, value: str
) -> None:
    """No way leads to a cell of the board."""
    game = stuck(told, player, is_now, cell, number)
    assert game._cells[at(cell)] == value
    assert landings(game, at(cell)) == []


@says(rf"{PLAYER} lands on {PLAYER}'s corner{LATER}, from the (\d) on {CELL}\.")
def lands(told: Told, player: str, other: str, number: str | None, value: str, cell: str) -> None:
    """The line ends so, after so many moves more of that player."""
    game, last = maze(told, -1), maze(told, -2)
    assert int(other) == 3 - int(player)
    assert game.result() == f"p{player}"
    assert game._token[int(player)] == game._start[int(other)]
    assert last.to_move() == int(player)
    assert last._token[int(player)] == at(cell)
    assert last._cells[at(cell)] == value
    assert told.moves_of(int(player)) == int(number or 0)
