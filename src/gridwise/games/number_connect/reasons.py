"""Why a move of Number Connect is good or bad: what still adds up to the target, and for whom."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from gridwise.core.bits import bit_indices
from gridwise.core.board import Board
from gridwise.core.contracts import About, BestPlay, GameFact, Scope
from gridwise.core.narration import Names, count_of_moves, with_article
from gridwise.core.view import by_player
from gridwise.games.number_connect.rules import State
from gridwise.games.number_connect.text import NOTATION

cell_name = NOTATION.cell_name

# Of cells, to look at: some 50 ms. On boards that are dealt it takes a few hundred; on one of 7x7
# with a two in every cell, which make no odd number, there are millions.
MOST_SETS = 2_000


class Kind(StrEnum):
    """What there is to say."""

    OVER = "over"  # the move itself goes over the target
    TAKES = "takes"  # the mover takes the cell with which the other would win at once
    LEAVES = "leaves"  # it leaves such a cell
    WALLED_IN = "walled-in"  # the mover has nothing more to claim
    NO_SUM = "no-sum"  # no free cells the mover can reach add up to what is missing
    ONLY_SUM = "only-sum"  # one free cell would complete the target: no other cells do
    REACHES = "reaches"  # a player completes the target with these cells
    FORCED_OVER = "forced-over"  # a player has to go over it after so many more moves
    FULL = "full"  # the board fills up, and the higher total wins


ABOUT: dict[str, About] = {
    Kind.OVER: About(Scope.POSITION, helps=False),
    Kind.TAKES: About(Scope.MOVE, helps=False),
    Kind.LEAVES: About(Scope.POSITION, helps=True),
    Kind.WALLED_IN: About(Scope.POSITION, helps=False),
    Kind.NO_SUM: About(Scope.POSITION, helps=False),
    Kind.ONLY_SUM: About(Scope.POSITION, helps=False),
    Kind.REACHES: About(Scope.LINE, helps=True),
    Kind.FORCED_OVER: About(Scope.LINE, helps=False),
    Kind.FULL: About(Scope.LINE, helps=True),
}


def facts(play: BestPlay) -> list[GameFact]:
    """What the mover and the other one can still add up to, and how best play ends."""
    board, (before, after, *_), mover = play.board, play.states, play.mover
    total = _total(after, mover)
    if total > board.target:
        return [(Kind.OVER, {"player": mover, "total": total, "target": board.target})]
    if total == board.target:
        return []
    found = _of_the_other(board, before, after, play.actions[0])
    if not any(kind == Kind.LEAVES for kind, _ in found):  # or it would be said twice
        found += _of_the_end(play)
    return [*found, *_sums(play)]


def _of_the_other(board: Board, before: State, after: State, action: int) -> list[GameFact]:
    """Cells with which the other one would win at once."""
    mover, other = before.turn, 3 - before.turn
    missing = board.target - _total(before, other)
    numbers = {"player": other, "number": missing, "target": board.target}
    winning = [cell for cell in _open(before, other) if board.cells[cell] == missing]
    if action in winning:
        left = [cell for cell in winning if cell != action]
        if not left:
            return [(Kind.TAKES, {**numbers, "cell": cell_name(board, action)})]
    left = [cell for cell in _open(after, other) if board.cells[cell] == missing]
    if left and after.turn == other != mover:
        return [(Kind.LEAVES, {**numbers, "cell": cell_name(board, left[0])})]
    return []


def _sums(play: BestPlay) -> list[GameFact]:
    """Whether the mover can still get to the target at all."""
    board, after, mover = play.board, play.states[1], play.mover
    total = _total(after, mover)
    missing = board.target - total
    numbers = {"player": mover, "total": total, "missing": missing, "target": board.target}
    if not _open(after, mover):
        full = (after.my_cells | after.your_cells) == board.full
        return [] if full else [(Kind.WALLED_IN, numbers)]
    ways = sums_to(board, after, mover, missing)
    if ways is None:
        return []
    if not ways:
        return [(Kind.NO_SUM, numbers)]
    if len(ways) == 1 and len(ways[0]) == 1:
        (cell,) = ways[0]
        return [(Kind.ONLY_SUM, {**numbers, "cell": cell_name(board, cell)})]
    return []


def _of_the_end(play: BestPlay) -> list[GameFact]:
    if not play.winner:
        return []
    board, end, winner, loser = play.board, play.states[-1], play.winner, 3 - play.winner
    if _total(end, winner) == board.target:
        claims = [
            action
            for state, action in zip(play.states[1:], play.actions[1:], strict=False)
            if state.turn == winner
        ]
        numbers = {
            "player": winner,
            "cells": [cell_name(board, cell) for cell in claims],
            "numbers": [board.cells[cell] for cell in claims],
            "target": board.target,
        }
        return [(Kind.REACHES, numbers)] if claims else []
    if _total(end, loser) > board.target:
        numbers = {"player": loser, "moves": play.plies_of(loser), "target": board.target}
        return [(Kind.FORCED_OVER, numbers)]
    totals = {"mine": _total(end, winner), "yours": _total(end, loser)}
    return [(Kind.FULL, {"player": winner, **totals})]


def sums_to(board: Board, state: State, player: int, missing: int) -> list[frozenset[int]] | None:
    """The sets of free cells that a player could claim one by one to get exactly so many points.

    As if the other one did nothing. At most two of them: more do not matter. None if there are too
    many sets to look at.
    """
    claimed = state.my_cells | state.your_cells
    found: list[frozenset[int]] = []
    todo = [(frozenset[int](), by_player(state.turn, state.my_reach, state.your_reach)[player - 1])]
    seen = set[frozenset[int]]()
    own = by_player(state.turn, state.my_cells, state.your_cells)[player - 1]
    while todo and len(found) < 2:
        cells, reach = todo.pop()
        for cell in bit_indices(reach & ~claimed):
            more = cells | {cell}
            points = sum(board.cells[each] for each in more)
            if cell in cells or more in seen or points > missing:
                continue
            if len(seen) == MOST_SETS:
                return None
            seen.add(more)
            if points == missing:
                found.append(more)
                continue
            near = board.neighbours4[cell]
            todo.append((more, reach | near if own or cells else near))
    return found


def _open(state: State, player: int) -> list[int]:
    """The cells that a player could claim."""
    reach = by_player(state.turn, state.my_reach, state.your_reach)[player - 1]
    return list(bit_indices(reach & ~(state.my_cells | state.your_cells)))


def _total(state: State, player: int) -> int:
    return by_player(state.turn, state.my_total, state.your_total)[player - 1]


def say(kind: str, numbers: dict[str, Any], names: Names) -> str:
    """A fact as a sentence."""
    player = names[numbers["player"] - 1]
    match Kind(kind):
        case Kind.OVER:
            return f"{numbers['total']} is over {numbers['target']}, which loses at once."
        case Kind.TAKES:
            number = with_article(numbers["number"])
            return f"it takes {numbers['cell']}: {player.object} needed just {number} to win."
        case Kind.LEAVES:
            number = with_article(numbers["number"])
            return f"{player.does('need')} {number}, and {numbers['cell']} has one within reach."
        case Kind.WALLED_IN:
            return (
                f"{player.does('are')} walled in at {numbers['total']}: nothing is left to claim."
            )
        case Kind.NO_SUM:
            return (
                f"from {numbers['total']} {player.object} {player.verb('need')} exactly "
                f"{numbers['missing']}, and no cells within reach add up to that."
            )
        case Kind.ONLY_SUM:
            return (
                f"from {numbers['total']} only the {numbers['missing']} on {numbers['cell']} "
                f"helps {player.object}."
            )
        case Kind.REACHES:
            *others, last = (
                f"{cell} ({number})"
                for cell, number in zip(numbers["cells"], numbers["numbers"], strict=True)
            )
            added = f"{', '.join(others)} and {last}" if others else last
            can = f"{player.subject} {'can' if numbers['certain'] else 'may'}"
            return f"{can} get to {numbers['target']} with {added}."
        case Kind.FORCED_OVER:
            moves = numbers["moves"]
            when = "with the next move" if moves == 1 else f"in {count_of_moves(moves)}"
            has = player.does_or_may("have", certain=numbers["certain"])
            return f"{has} to go over {numbers['target']} {when}."
        case Kind.FULL:
            score = f"{numbers['mine']} to {numbers['yours']}"
            wins = f"{player.object} {player.verb('win')} {score}"
            if numbers["certain"]:
                return f"the board fills up, and {wins}."
            return f"the board may fill up; then {wins}."
