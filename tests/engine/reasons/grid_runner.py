"""Grid Runner: the race, and who stands in whose way."""

from __future__ import annotations

from itertools import pairwise

from tests.engine.reasons.claims import PLAYER, Claims
from tests.engine.reasons.told import Told
from tests.reference.base import Cell, neighbours
from tests.reference.grid_runner import OBSTACLE, GridRunner

CLAIMS = Claims()
says = CLAIMS.says

NEVER = 10**6


def runner(told: Told, number: int) -> GridRunner:
    """The game after so many moves of the line."""
    game = told.end[number]
    assert isinstance(game, GridRunner)
    return game


def steps(game: GridRunner, player: int, blocked: Cell | None = None) -> int:
    """The fewest steps of a player to the goal around obstacles and one more cell."""
    goal, edge, count = game._start[3 - player], {game._token[player]}, 0
    seen = set(edge)
    while edge and goal not in seen:
        edge = {
            near
            for cell in edge
            for near in neighbours(cell)
            if game._cells.get(near, OBSTACLE) != OBSTACLE and near != blocked
        } - seen
        seen |= edge
        count += 1
    return count if goal in seen else NEVER


def around_mover(told: Told) -> tuple[int, int]:
    """The other player's way before and after the move, around the mover."""
    before, then = runner(told, 0), runner(told, 1)
    return (
        steps(before, told.other, before._token[told.mover]),
        steps(then, told.other, then._token[told.mover]),
    )


@says(rf"{PLAYER} needs (\d+) steps?, {PLAYER} (\d+), and it is {PLAYER}'s move\.")
def race(told: Told, player: str, mine: str, other: str, theirs: str, turn: str) -> None:
    """Both ways around the obstacles, after the move; the first can force a win by arriving."""
    then = runner(told, 1)
    assert int(player) + int(other) == 3
    assert steps(then, int(player)) == int(mine)
    assert steps(then, int(other)) == int(theirs)
    assert then.to_move() == int(turn)
    assert in_front(then) == int(player) == told.worth(then)[0]
    end = runner(told, -1)
    assert end._token[int(player)] == end._start[int(other)]


def in_front(game: GridRunner) -> int:
    """Who arrives first if both run and nobody is in the way."""
    mover = game.to_move()
    assert mover
    return mover if steps(game, mover) <= steps(game, 3 - mover) else 3 - mover


@says(rf"{PLAYER} is ahead in the race, but {PLAYER} can stand in Player \d's way\.")
def cut_off(told: Told, player: str, other: str) -> None:
    """The other one can force a win all the same, and somebody who runs on is stopped by it."""
    then = runner(told, 1)
    assert int(player) + int(other) == 3
    assert in_front(then) == int(player)
    assert told.worth(then)[0] == int(other)
    way = [steps(game, int(player)) for game in told.end[1:] if isinstance(game, GridRunner)]
    assert any(now > before for before, now in pairwise(way))


@says(r"It is a step away from the goal: (\d+) to go, (\d+) before\.")
def step_back(told: Told, now: str, before: str) -> None:
    """The mover's way around the obstacles has become longer."""
    assert steps(runner(told, 1), told.mover) == int(now)
    assert steps(runner(told, 0), told.mover) == int(before) < int(now)


@says(
    rf"{PLAYER} stands in {PLAYER}'s way: "
    r"(?:there is no way past|(\d+) steps? to go around it, instead of (\d+))\."
)
def in_the_way(told: Told, who: str, whose: str, now: str | None, before: str | None) -> None:
    """So many, with the mover as an obstacle; or with the other one, if that one is told of."""
    assert int(who) + int(whose) == 3
    if int(who) == told.other:
        barred(told, now, before)
        return
    was, then = around_mover(told)
    assert (was, then) == (int(before or was), int(now or NEVER))
    assert then > was


def barred(told: Told, now: str | None, before: str | None) -> None:
    """The mover is nearer to the goal than the other one, but not around the other one."""
    then = runner(told, 1)
    around = steps(then, told.mover, then._token[told.other])
    assert around == int(now or NEVER)
    assert around > steps(then, told.mover) == int(before or steps(then, told.mover))
    assert steps(then, told.mover) < steps(then, told.other)


@says(rf"It lets {PLAYER} through: (\d+) steps? to go, (?:instead of (\d+)|where there was none)\.")
def opens_way(told: Told, player: str, now: str, before: str | None) -> None:
    """The mover was in the way, and is so no longer."""
    assert int(player) == told.other
    assert around_mover(told) == (int(before or NEVER), int(now))
    assert int(now) < int(before or NEVER)


@says(rf"{PLAYER} ends without a move\.")
def stuck(told: Told, player: str) -> None:
    """The line ends so."""
    end = runner(told, -1)
    assert end.result() == f"p{3 - int(player)}"
    assert end._token[3 - int(player)] != end._start[int(player)]
    around = neighbours(end._token[int(player)])
    free = [cell for cell in around if end._cells.get(cell, OBSTACLE) != OBSTACLE]
    assert set(free) <= {end._token[3 - int(player)]}
