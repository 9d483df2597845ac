"""Random games in bulk, as a compiled kernel: for the benchmarks and for the tests of kernels."""

from __future__ import annotations

from typing import NamedTuple

from gridwise.core.board import Board
from gridwise.core.contracts import State
from gridwise.core.game import Game
from gridwise.core.outcome import MAX_PLIES
from gridwise.engine.compiled.bitmasks import draw
from gridwise.engine.compiled.kernels import compiled_board, kernel, packed
from gridwise.engine.compiled.specialize import Grid, Ints, moves, play, unpack, winner


class PlayoutCounts(NamedTuple):
    """How many random games ended how, and the plies of all of them together."""

    unfinished: int
    p1: int
    p2: int
    draws: int
    plies: int


def play_outs(
    game: Game, board: Board, state: State, games: int, seed: int, max_plies: int = MAX_PLIES
) -> PlayoutCounts:
    """Play random games from a state. The same seed gives the same counts."""
    import numpy as np  # noqa: PLC0415 - 0.1 s

    rng = np.array([seed], dtype=np.int64)
    counts = np.zeros(5, dtype=np.int64)
    kernel(game, random_games)(compiled_board(board), packed(state), games, max_plies, rng, counts)
    return PlayoutCounts(*(int(count) for count in counts))


def random_games(
    board: Grid, first: Ints, games: int, max_plies: int, rng: Ints, counts: Ints
) -> None:
    """Count into `counts`: unfinished, P1, P2, draws, plies."""
    opening = unpack(first, 0)
    for _ in range(games):
        state = opening
        plies = 0
        legal = moves(board, state)
        while legal and plies < max_plies:
            state = play(board, state, draw(legal, rng))
            legal = moves(board, state)
            plies += 1
        counts[winner(board, state)] += 1
        counts[4] += plies
