"""Looking a few plies ahead on the bare rules: what is won or lost within sight, and no more.

This is how the middling bots think. It is plain recursion: a handful of plies of small games.
"""

from __future__ import annotations

from gridwise.core.bits import members
from gridwise.core.board import Board
from gridwise.core.game import Game, State

WON, UNCLEAR, LOST = 1, 0, -1


def outlook(game: Game, board: Board, state: State, action: int, depth: int) -> int:
    """Whether a move wins or loses by force within `depth` plies, for the player who makes it."""
    after = game.rules.play(board, state, action)
    return _outlook(game, board, after, depth - 1, state.turn)


def _outlook(game: Game, board: Board, state: State, depth: int, player: int) -> int:
    winner = game.rules.winner(board, state)
    if winner:
        return UNCLEAR if winner == 3 else WON if winner == player else LOST
    if depth <= 0:
        return UNCLEAR
    mine = state.turn == player  # turns need not alternate
    best = LOST if mine else WON
    for action in members(game.rules.moves(board, state)):
        found = _outlook(game, board, game.rules.play(board, state, action), depth - 1, player)
        best = max(best, found) if mine else min(best, found)
        if best == (WON if mine else LOST):
            break
    return best
