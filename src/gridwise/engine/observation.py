"""What a policy observes: the position as planes of small numbers, from one player's side.

A plane is a grid of the board's size. First comes `value`, the number in each cell, 0 where it is
face down; then the game's own sets of cells, as 0 and 1; then its numbers, each filling a plane;
last `to move` and `player 1`. A game's own planes are in its `planes.py`; `describe` lists all of
them. Numbers are int8: anything above 127 shows as 127.

Cells that nobody has seen stay 0 in `value` after the game has ended too, so an observation depends
only on what has been revealed. `gridwise.engine.batch_kernels` computes the same, compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gridwise.core.bits import bits_as_bytes
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.outcome import MAX_PLIES
from gridwise.core.position import Position, start
from gridwise.core.rng import Stream
from gridwise.errors import BadRequest

MAX_NUMBER = 127  # the largest int8
INT8 = np.dtype(np.int8)
GAMES_ON_A_BOARD = 10  # of the random games in which positions are compared

Int8s: TypeAlias = npt.NDArray[np.int8]
Observation: TypeAlias = dict[str, Int8s]  # `observation`, the planes, and `action_mask`


class Plane(NamedTuple):
    """One plane of an observation."""

    name: str
    meaning: str
    high: int  # its values are from 0 to this


def describe(game: Game) -> tuple[Plane, ...]:
    """The planes of a game's observations, in order."""
    own = game.observation_planes
    return (
        Plane("value", own.VALUE, min(game.rules.HIGH, MAX_NUMBER)),
        *(Plane(name, meaning, 1) for name, meaning in own.PLANES.items()),
        *(Plane(name, meaning, MAX_NUMBER) for name, meaning in own.COUNTS.items()),
        Plane("to move", "1 everywhere if it is my turn", 1),
        Plane("player 1", "1 everywhere if I am Player 1", 1),
    )


def shape(game: Game, board: Board) -> tuple[int, int, int]:
    """Planes, rows and columns of an observation."""
    return len(describe(game)), board.rows, board.cols


def confused_positions(
    game: Game, template: Board, see: Callable[[Position], npt.NDArray[Any]], games: int = 30
) -> tuple[Position, Position] | None:
    """Two different positions of random games that look the same to the player to move, if any.

    Every few games are played on one board, whose unknown cells are dealt: on it, positions differ
    by their states alone.
    """
    stream = Stream(f"observations of {game.key}")
    for _board in range(-(-games // GAMES_ON_A_BOARD)):
        board = game.deal_unknown(template, stream)
        seen: dict[bytes, Position] = {}
        for _game in range(min(games, GAMES_ON_A_BOARD)):
            position = start(game, board)
            for _ply in range(MAX_PLIES):
                other = seen.setdefault(see(position).tobytes(), position)
                if other.state != position.state:
                    return other, position
                if position.outcome:
                    break
                position = position.play(stream.draw(position.legal_mask), board)
    return None


@lru_cache
def check_default_planes(game: Game, template: Board) -> None:
    """Raise BadRequest if a game has no planes of its own and the default ones do not do."""
    if game.planes is None and (pair := confused_positions(game, template, observe)):
        raise BadRequest(
            f"{game.title} needs planes of its own to be learnt: by default {pair[0].state} and "
            f"{pair[1].state} look the same."
        )


def bounds(game: Game, board: Board) -> tuple[Int8s, Int8s]:
    """The smallest and the largest observation there can be.

    Raises BadRequest where observations do not tell positions apart.
    """
    check_default_planes(game, board)
    full = shape(game, board)
    high = np.array([plane.high for plane in describe(game)], dtype=np.int8)
    return np.zeros(full, np.int8), np.ascontiguousarray(np.broadcast_to(high[:, None, None], full))


def to_play(position: Position) -> int:
    """The player to move; once the game is over, the one whose turn it would have been."""
    return int(position.state.turn)


def observe(position: Position, player: int = 0) -> Int8s:
    """The planes from the side of a player, 0 for the player to move; a fresh array each time."""
    game, board, state = position.game, position.board, position.state
    turn, size = state.turn, board.size
    player = player or turn
    if position.outcome and game.has_hidden_cells:  # a finished game shows the whole board
        board = board.without(position.hidden)
    own = game.observation_planes
    # Bytes are put together faster than arrays, and `ndarray` takes them faster than `frombuffer`.
    parts = [bytes(board.cells)]
    parts += [bits_as_bytes(mask, size) for mask in own.planes(board, state, player)]
    parts += [_filled(count, size) for count in own.counts(board, state, player)]
    parts += [_filled(player == turn, size), _filled(player == 1, size)]
    full = len(parts), board.rows, board.cols
    return np.ndarray(full, INT8, bytearray(b"".join(parts)))


def action_mask(position: Position) -> Int8s:
    """1 for every legal action, 0 for the others; a fresh array each time."""
    actions = position.game.rules.ACTIONS or position.board.size
    return np.ndarray(actions, INT8, bytearray(bits_as_bytes(position.legal_mask, actions)))


def observation(position: Position, player: int = 0) -> Observation:
    """What an environment gives an agent: the planes and the action mask."""
    return {"observation": observe(position, player), "action_mask": action_mask(position)}


@lru_cache(maxsize=1 << 12)
def _filled(number: int, size: int) -> bytes:
    """A plane of one number."""
    return bytes([min(max(number, 0), MAX_NUMBER)]) * size
