"""Number Run: ways on, dead ends, challenges, and who is first."""

from __future__ import annotations

from tests.engine.reasons.claims import AFTER, PLAYER, Claims
from tests.engine.reasons.told import Told
from tests.reference.base import Cell, neighbours
from tests.reference.number_run import NumberRun

CLAIMS = Claims()
says = CLAIMS.says

CELL = r"(\d+,\d+)"
POINTS = r"(\d+) against (\d+)"


def run(told: Told, number: int) -> NumberRun:
    """The game after so many moves of the line."""
    game = told.end[number]
    assert isinstance(game, NumberRun)
    return game


def at(text: str) -> Cell:
    """A cell by its name."""
    row, column = text.split(",")
    return int(row), int(column)


def fresh(game: NumberRun, player: int) -> list[Cell]:
    """The cells around a player that this player has not been in."""
    around = neighbours(game._token[player])
    return [cell for cell in around if cell in game._cells and (player, cell) not in game._visited]


def steps_to(game: NumberRun, player: int, goal: Cell) -> int:
    """The fewest steps of a player to a goal, over cells that this player has not been in."""
    reached, steps = {game._token[player]}, 0
    while goal not in reached:
        more = {
            near
            for cell in reached
            for near in neighbours(cell)
            if near in game._cells and (player, near) not in game._visited
        }
        if more <= reached:
            return 10**6
        reached |= more
        steps += 1
    return steps


@says(rf"The challenge is (lost|won), {POINTS}: it sends {PLAYER} home with 0\.")
def challenge(told: Told, result: str, mine: str, yours: str, player: str) -> None:
    """Points count with the new cell; whoever has fewer is home then, and has none."""
    before, then = run(told, 0), run(told, 1)
    assert told.own_line[0].endswith("!")
    entered = int(before._cells[at(told.own_line[0].removesuffix("!"))])
    assert before._score[told.mover] + entered == int(mine)
    assert before._score[told.other] == int(yours)
    assert int(mine) != int(yours)
    assert (result == "won") == (int(mine) > int(yours))
    assert int(player) == (told.other if result == "won" else told.mover)
    assert then._token[int(player)] == then._start[int(player)]
    assert then._score[int(player)] == 0


@says(rf"From {CELL} there is no way on\.")
def no_way_on(told: Told, cell: str) -> None:
    """The mover stands there, and has been in every cell around it."""
    then = run(told, 1)
    assert then._token[told.mover] == at(cell)
    assert fresh(then, told.mover) == []


@says(rf"From {CELL} the only way on is {CELL}\.")
def one_way_on(told: Told, cell: str, way: str) -> None:
    """The mover stands there, and has been in every other cell around it."""
    then = run(told, 1)
    assert then._token[told.mover] == at(cell)
    assert fresh(then, told.mover) == [at(way)]
    assert at(way) != then._start[told.other]


@says(rf"{CELL} leads into a dead end: {CELL} is the only way on, and there it ends\.")
def into_dead_end(told: Told, cell: str, way: str) -> None:
    """The mover stands there, has been all around but in one cell, and all around that one."""
    one_way_on(told, cell, way)
    then = run(told, 1)
    around = [near for near in neighbours(at(way)) if near in then._cells]
    assert all((told.mover, near) in then._visited for near in around)


def ends_without_a_move(told: Told, player: str) -> NumberRun:
    """The line ends with it."""
    end = run(told, -1)
    assert end.result() == f"p{3 - int(player)}"
    assert end._token[3 - int(player)] != end._start[int(player)]
    return end


@says(rf"Sent home, {PLAYER} is shut in: every way is used up\.")
def shut_in(told: Told, player: str) -> None:
    """The player is at home, has been elsewhere, and has been in all cells around."""
    end = ends_without_a_move(told, player)
    home = end._start[int(player)]
    assert end._token[int(player)] == home
    assert any(who == int(player) and cell != home for who, cell in end._visited)
    assert fresh(end, int(player)) == []


@says(rf"{PLAYER} ends in a dead end at {CELL}{AFTER}\.")
def dead_end(told: Told, player: str, cell: str, number: str | None) -> None:
    """The player is there, and has been in all cells around."""
    end = ends_without_a_move(told, player)
    assert end._token[int(player)] == at(cell) != end._start[int(player)]
    assert fresh(end, int(player)) == []
    assert told.moves_of(int(player)) == int(number or 0)


@says(rf"{PLAYER} ends without a move at {CELL}{AFTER}: {PLAYER} stands in the only way on\.")
def blocked(told: Told, player: str, cell: str, number: str | None, other: str) -> None:
    """The only cell that the player has not been in is where the other one stands."""
    end = ends_without_a_move(told, player)
    assert end._token[int(player)] == at(cell)
    assert fresh(end, int(player)) == [end._token[int(other)]]
    assert int(other) == 3 - int(player)
    assert told.moves_of(int(player)) == int(number or 0)


@says(rf"{PLAYER} can (challenge at once and win|win a challenge later), {POINTS}\.")
def challenged(told: Told, player: str, when: str, mine: str, yours: str) -> None:
    """In the line that player is the one who challenges, with so many points, and wins."""
    at_once = run(told, 1).to_move() == int(player) and told.own_line[1].endswith("!")
    for number, move in enumerate(told.own_line[1:], 2):
        before, then = run(told, number - 1), run(told, number)
        if before.to_move() == int(player) and move.endswith("!"):
            other = 3 - int(player)
            entered = int(before._cells[at(move.removesuffix("!"))])
            points = before._score[int(player)] + entered, before._score[other]
            if points[0] <= points[1]:
                continue
            assert points == (int(mine), int(yours))
            assert then._token[other] == then._start[other]
            assert at_once == (number == 2) == (when == "challenge at once and win")
            return
    raise AssertionError("nobody challenges")


@says(
    rf"{PLAYER} (?:can be|is) in {PLAYER}'s corner"
    rf"(?: in (\d+) moves?(?:; {PLAYER} needs at least (\d+)(?:, and it is {PLAYER}'s move)?)?)?\."
)
def arrives(
    told: Told,
    player: str,
    other: str,
    number: str | None,
    loser: str | None,
    steps: str | None,
    turn: str | None,
) -> None:
    """The line ends so; the other one needs as many steps as that, and would come too late."""
    assert turn in (None, player)
    assert bool(turn) == (steps is not None and steps == number)
    assert not turn or run(told, 1).to_move() == int(turn)
    end = run(told, -1)
    assert int(other) == 3 - int(player)
    assert end._token[int(player)] == end._start[int(other)]
    assert end.result() == f"p{player}"
    assert told.moves_of(int(player)) == int(number or 0)
    if loser and steps and number:
        assert int(loser) == int(other)
        assert steps_to(run(told, 1), int(other), end._start[int(player)]) >= int(steps)
        ahead = run(told, 1).to_move() == int(player)
        assert int(number) <= int(steps) if ahead else int(number) < int(steps)
