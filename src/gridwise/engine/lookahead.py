"""Looking a few plies ahead: what is won or lost within sight, and no more.

This is how the middling bots think. It is plain recursion: a handful of plies of small games.
"""

from __future__ import annotations

from gridwise.core.bits import bit_indices
from gridwise.core.board import Board
from gridwise.core.contracts import Rules, State
from gridwise.core.position import Position

WON, UNCLEAR, LOST = 1, 0, -1


def look_ahead(position: Position, action: int, depth: int) -> int:
    """Whether a move wins or loses by force within `depth` plies, for the player who makes it."""
    rules, board, player = position.game.rules, position.board, position.turn
    return _result(rules, board, rules.play(board, position.state, action), depth - 1, player)


def _result(rules: Rules, board: Board, state: State, depth: int, player: int) -> int:
    winner = rules.winner(board, state)
    if winner:
        return UNCLEAR if winner == 3 else WON if winner == player else LOST
    if depth <= 0:
        return UNCLEAR
    mine = state.turn == player  # turns need not alternate
    best = LOST if mine else WON
    for action in bit_indices(rules.moves(board, state)):
        found = _result(rules, board, rules.play(board, state, action), depth - 1, player)
        best = max(best, found) if mine else min(best, found)
        if best == (WON if mine else LOST):
            break
    return best
