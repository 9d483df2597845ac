"""A position with face-down cells, as the race for points that it is.

The chance search knows one shape of game: players take turns claiming cells, a claim scores the
cell's number and turns up the cells around it, the target wins at once, and on a full board the
higher score does. Everything there is to know is then a handful of ints, a Race.

Which game has that shape is not decided by its name. `race_of` plays every legal move by the
game's own rules and compares; a game that does otherwise is refused.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from gridwise.core.bits import members
from gridwise.core.board import Board
from gridwise.core.game import Game, Position, State
from gridwise.errors import BadRequest


class Race(NamedTuple):
    """What the chances depend on, from the side of the player to move."""

    mine: int  # the points I still need
    yours: int  # the points my opponent still needs
    hidden: int  # the cells that are face down
    shown: int  # the cells that are face up and free to claim
    values: tuple[int, ...]  # cell -> its number where it is shown, else 0
    around: tuple[int, ...]  # cell -> the cells that a claim of it turns up
    target: int  # the points that both needed at the start
    least: int  # a face-down cell is uniform from least to most
    most: int


def race_of(position: Position) -> Race:
    """The race that a position is. What is face down is not looked at, even if it is there.

    Raises BadRequest where the game is no such race.
    """
    game, board, state = position[:3]
    hidden = game.rules.hidden(board, state)
    board = board.without(hidden)
    _check(game, board, state, hidden)
    shown = position.legal & ~hidden
    mine, yours = _needs(game, board, state)
    return Race(
        mine=mine,
        yours=yours,
        hidden=hidden,
        shown=shown,
        values=tuple(v if shown >> cell & 1 else 0 for cell, v in enumerate(board.cells)),
        around=board.around,
        target=board.target,
        least=game.rules.LOW,
        most=game.rules.HIGH,
    )


def _needs(game: Game, board: Board, state: State) -> tuple[int, int]:
    """The points that the player to move and the other one still need."""
    scores = game.words.scores(state)
    if scores is None:
        raise BadRequest(f"{game.title} has no points, so it cannot be searched as a race.")
    mine, yours = scores if state.turn == 1 else scores[::-1]
    return board.target - mine, board.target - yours


def _check(game: Game, board: Board, state: State, hidden: int) -> None:
    """Raise BadRequest unless each move does what a claim does. 25 moves take 0.2 ms."""
    rules = game.rules
    legal = rules.moves(board, state)
    mine, yours = _needs(game, board, state)
    # Any numbers will do to see what a claim does; the rules cannot play an unknown one.
    filled = replace(board, cells=tuple(value or rules.LOW for value in board.cells))
    for cell in members(legal):
        after = rules.play(filled, state, cell)
        won = filled.cells[cell] >= mine
        as_expected = (
            after.turn == 3 - state.turn
            and _needs(game, filled, after) == (yours, mine - filled.cells[cell])
            and rules.hidden(filled, after) == hidden & ~(board.around[cell] | 1 << cell)
            and rules.moves(filled, after) == (0 if won else legal & ~(1 << cell))
            and (rules.winner(filled, after) == state.turn) >= won
        )
        if not as_expected:
            name = game.words.action_name(board, state, cell)
            raise BadRequest(f"{game.title} is no race for cells: {name} is not a plain claim.")
