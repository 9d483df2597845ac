"""Looking a few plies ahead: what is won or lost within sight, and no more.

This is how the middling bots think. It is plain recursion: a handful of plies of small games. Cells
that are face down count as the smallest number there is, so what is won or lost is so for certain.
"""

from __future__ import annotations

from gridwise.core.bits import bit_indices
from gridwise.core.board import Board
from gridwise.core.contracts import Rules, State
from gridwise.core.position import Position

WON, UNCLEAR, LOST = 1, 0, -1


def careful_moves(position: Position) -> tuple[int, ...]:
    """The moves that win at once; without any, those that do not lose at once or to one answer.

    All legal moves if each of them loses.
    """
    actions = bit_indices(position.legal_mask)
    for depth in (1, 2):
        results = [look_ahead(position, action, depth) for action in actions]
        best = max(results)
        actions = tuple(
            action for action, result in zip(actions, results, strict=True) if result == best
        )
        if best == WON:
            break
    return actions


def look_ahead(position: Position, action: int, depth: int) -> int:
    """Whether a move wins or loses by force within `depth` plies, for the player who makes it."""
    rules, board, player = position.game.rules, position.board, position.turn
    if position.game.has_hidden_cells:
        board = board.with_cells([value or rules.LOW for value in board.cells])
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
