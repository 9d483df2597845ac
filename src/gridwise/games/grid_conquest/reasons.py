"""Why a move of Grid Conquest is good or bad: what it takes, what it leaves, what it turns up.

Only what has been turned up is looked at, before the move: what the move turns up is luck.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from gridwise.core.bits import bit_indices
from gridwise.core.board import Board
from gridwise.core.contracts import About, BestPlay, GameFact, Scope
from gridwise.core.narration import Names, with_article
from gridwise.games.grid_conquest.rules import HIGH, LOW, hidden
from gridwise.games.grid_conquest.text import cell_name


class Kind(StrEnum):
    """What there is to say."""

    ENOUGH = "enough"  # the number claimed wins
    PASSES_UP = "passes-up"  # another number in sight would have won
    STOPS = "stops"  # the mover takes the only number with which the other would win at once
    LEAVES_WIN = "leaves-win"  # a number in sight is enough for the other
    LEAVES_LARGER = "leaves-larger"  # a larger number in sight than the one that is taken
    TURNS_UP = "turns-up"  # face-down cells that the other may take: how many, and the chance
    CLAIMS_NEEDED = "claims-needed"  # by whoever needs fewer, of the largest numbers in sight
    UNSEEN = "unseen"  # the cell is face down: nobody knows what it has
    GAMBLES = "gambles"  # the same, and a number in sight is larger than it is on average


ABOUT: dict[str, About] = {
    Kind.ENOUGH: About(Scope.MOVE, helps=True),
    Kind.PASSES_UP: About(Scope.MOVE, helps=False),
    Kind.STOPS: About(Scope.MOVE, helps=False),
    Kind.LEAVES_WIN: About(Scope.POSITION, helps=True),
    Kind.LEAVES_LARGER: About(Scope.MOVE, helps=True),
    Kind.TURNS_UP: About(Scope.MOVE, helps=True),
    Kind.CLAIMS_NEEDED: About(Scope.POSITION, helps=True),
    Kind.UNSEEN: About(Scope.POSITION, helps=None),
    Kind.GAMBLES: About(Scope.MOVE, helps=False),
}


def facts(play: BestPlay) -> list[GameFact]:
    """What is taken and left, and how likely it is that a large number turns up."""
    board, before, cell, mover = play.board, play.states[0], play.actions[0], play.mover
    other, value = 3 - mover, board.cells[cell]
    unseen = hidden(board, before)
    if value and before.my_score + value >= board.target:
        return [(Kind.ENOUGH, {"player": mover, "cell": cell_name(board, cell), "number": value})]
    found: list[GameFact] = []
    free = board.full & ~(before.my_cells | before.your_cells | 1 << cell | unseen)
    left = {each: board.cells[each] for each in bit_indices(free)}
    need = board.target - before.your_score
    enough = [each for each, number in left.items() if number >= need]
    winning = [each for each, number in left.items() if number >= board.target - before.my_score]
    if winning:
        at = {"cell": cell_name(board, winning[0]), "number": left[winning[0]]}
        found.append((Kind.PASSES_UP, {"player": mover, **at}))
    numbers = {"player": other, "need": need}
    if enough:
        at = {"cell": cell_name(board, enough[0]), "number": left[enough[0]]}
        found.append((Kind.LEAVES_WIN, {**numbers, **at}))
    elif value >= need:
        found.append((Kind.STOPS, {**numbers, "cell": cell_name(board, cell), "number": value}))
    largest = max(left.values(), default=0)
    if value and largest > value:
        found.append((Kind.LEAVES_LARGER, {"player": other, "left": largest, "taken": value}))
    if not value:
        average = (LOW + HIGH) // 2
        numbers = {"player": mover, "cell": cell_name(board, cell), "average": average}
        if largest > average and not enough:
            found.append((Kind.GAMBLES, {**numbers, "left": largest}))
        else:
            found.append((Kind.UNSEEN, numbers))
    if enough:
        return found
    chances = _of_chances(board, cell, unseen, other, need)
    mine, theirs = _claims(left, board.target - before.my_score - value), _claims(left, need)
    if not (value and mine and theirs):
        return found + chances
    ahead = mover if mine < theirs else other  # the other one is to move
    claims = {"mine": min(mine, theirs), "theirs": max(mine, theirs), "turn": other}
    return [*found, (Kind.CLAIMS_NEEDED, {"player": ahead, **claims}), *chances]


def _of_chances(board: Board, cell: int, unseen: int, other: int, need: int) -> list[GameFact]:
    """How likely a large number turns up for the other one."""
    turned = (unseen & board.neighbours8[cell] & ~(1 << cell)).bit_count()
    if not turned:
        return []
    wanted = _wanted(need)
    chance = 1 - ((wanted - LOW) / (HIGH - LOW + 1)) ** turned
    numbers = {"player": other, "cells": turned, "number": wanted, "chance": chance}
    return [(Kind.TURNS_UP, {**numbers, "wins": need <= HIGH})]


def _wanted(need: int) -> int:
    """The smallest number that matters: what wins at once, or else the largest there is."""
    return max(LOW, need) if need <= HIGH else HIGH


def _claims(left: dict[int, int], points: int) -> int:
    """How many of the largest numbers make so many points; 0 if all of them do not."""
    for count, number in enumerate(sorted(left.values(), reverse=True), 1):
        points -= number
        if points <= 0:
            return count
    return 0


def say(kind: str, numbers: dict[str, Any], names: Names) -> str:
    """A fact as a sentence."""
    player, other = names[numbers["player"] - 1], names[2 - numbers["player"]]
    match Kind(kind):
        case Kind.ENOUGH:
            return f"the {numbers['number']} on {numbers['cell']} is enough."
        case Kind.PASSES_UP:
            number = f"the {numbers['number']} on {numbers['cell']}"
            return f"it passes up {number}, which would have been enough."
        case Kind.STOPS:
            number = f"the {numbers['number']} on {numbers['cell']}"
            return f"it takes {number}, which would have been enough for {player.object}."
        case Kind.LEAVES_WIN:
            needs = f"{player.does('need')} {numbers['need']}"
            return f"{needs}, and the {numbers['number']} on {numbers['cell']} is left."
        case Kind.LEAVES_LARGER:
            left, taken = with_article(numbers["left"]), with_article(numbers["taken"])
            return f"it takes {taken} and leaves {left} to {player.object}."
        case Kind.UNSEEN:
            return f"{numbers['cell']} is face down, {numbers['average']} on average."
        case Kind.GAMBLES:
            unseen = f"{numbers['cell']} is face down, {numbers['average']} on average"
            return f"{unseen}, and {with_article(numbers['left'])} is left to {other.object}."
        case Kind.TURNS_UP:
            count, number = numbers["cells"], numbers["number"]
            cells = "a cell" if count == 1 else f"{count} cells"
            turns_up = f"it turns up {cells} for {player.object}"
            if number == LOW:
                return f"{turns_up}, and any number is enough."
            more = " or more" * (number < HIGH)
            chance = f"{with_article(min(round(100 * numbers['chance']), 99))} %"
            what = f"{chance} chance of {with_article(number)}{more}"
            return f"{turns_up}: {what}{', which is enough' * numbers['wins']}."
        case Kind.CLAIMS_NEEDED:
            claims = "1 more claim" if numbers["mine"] == 1 else f"{numbers['mine']} more claims"
            needs = f"{player.object} {player.verb('need')} {claims}"
            they = f"{other.object} {numbers['theirs']}"
            turn = names[numbers["turn"] - 1].possessive
            return f"with the numbers in sight {needs}, {they}, and it is {turn} move."
