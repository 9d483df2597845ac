"""Random games in bulk, compiled: what happens when nobody thinks.

For one game at a time, interpreted rules do (`gridwise.core.playout`); this is for a million.
"""

from __future__ import annotations

from typing import NamedTuple

from gridwise.core.board import Board
from gridwise.core.game import Game, State
from gridwise.core.playout import CAP
from gridwise.engine.binding import Grid, Ints, moves, play, unpack, winner
from gridwise.engine.masks import drawn
from gridwise.engine.twin import kernel, packed, twin_board


class Tally(NamedTuple):
    """How many random games ended how, and the plies they took in all."""

    unfinished: int
    p1: int
    p2: int
    draws: int
    plies: int


def play_outs(
    game: Game, board: Board, state: State, games: int, seed: int, cap: int = CAP
) -> Tally:
    """Play so many random games on from a state. The same seed gives the same tally."""
    import numpy as np  # noqa: PLC0415 - 0.1 s

    source = np.array([seed], dtype=np.int64)
    tally = np.zeros(5, dtype=np.int64)
    kernel(game, random_games)(twin_board(board), packed(state), games, cap, source, tally)
    return Tally(*(int(count) for count in tally))


def random_games(board: Grid, first: Ints, games: int, cap: int, source: Ints, tally: Ints) -> None:
    """Count into `tally`: unfinished, P1, P2, draws, plies."""
    opening = unpack(first, 0)
    for _ in range(games):
        state = opening
        plies = 0
        legal = moves(board, state)
        while legal and plies < cap:
            state = play(board, state, drawn(legal, source))
            legal = moves(board, state)
            plies += 1
        tally[winner(board, state)] += 1
        tally[4] += plies
