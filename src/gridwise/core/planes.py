"""What an agent that learns is given to see, where a game has no words of its own for it.

A game that has no `planes.py` shows its state as it is: each field after `turn` is a plane, whose
cell k is bit k of the field. That is right for sets of cells. Numbers come out in binary, which can
be learned from but is no pleasure, so a game with points had better have a `planes.py`.
"""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import cast

from gridwise.core.board import Board
from gridwise.core.game import Game, Planes, State


def planes_of(game: Game) -> Planes:
    """The game's own planes, or those that every game can have."""
    if game.planes:
        return game.planes
    fields = game.rules.start(game.deal(Random(1)), 1)._fields[1:]
    names = {
        field.replace("_", " "): f"the bits of `{field}`, told from the side of the player to move"
        for field in fields
    }
    told = {"VALUE": "the cell's number", "PLANES": names, "COUNTS": {}, "ACTIONS": ()}
    return cast("Planes", SimpleNamespace(**told, planes=planes, counts=counts))


def planes(_board: Board, state: State, _player: int) -> tuple[int, ...]:
    """All the state holds, but for whose turn it is."""
    fields: tuple[int, ...] = state[1:]
    return fields


def tokens_and_homes(board: Board, state: State, player: int) -> tuple[int, ...]:
    """For games of two tokens and nothing else: mine, theirs, my home, theirs."""
    turn, cell, other_cell = state
    if player != turn:
        cell, other_cell = other_cell, cell
    return 1 << cell, 1 << other_cell, 1 << board.homes[player], 1 << board.homes[3 - player]


def counts(_board: Board, _state: State, _player: int) -> tuple[int, ...]:
    """Nothing."""
    return ()
