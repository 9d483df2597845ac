"""Random games on the bare rules: the fast way to find out what usually happens."""

from __future__ import annotations

from collections.abc import Callable

from gridwise.core.bits import choose
from gridwise.core.board import Board
from gridwise.core.game import Game, State

# Where only programs play, a game that can go on for ever is stopped after so many plies.
CAP = 200


def play_out(
    game: Game, board: Board, state: State, random: Callable[[], float], cap: int = CAP
) -> tuple[State, int]:
    """Play random moves to the end, or for `cap` plies; the last state and the plies played."""
    moves, play = game.rules.moves, game.rules.play
    plies = 0
    while plies < cap and (legal := moves(board, state)):
        state = play(board, state, choose(legal, random))
        plies += 1
    return state, plies
