"""Which positions are the same one, mirrored or turned.

Where both sides start in corners or anywhere, a position and its mirror image are worth the same to
the player to move. `canonical` is the same for all images of a position.
"""

from __future__ import annotations

from gridwise import Board, Position
from gridwise.core.board import symmetries


def canonical(position: Position) -> tuple[object, ...]:
    """What all mirrored and turned images of a position have in common.

    Players are told apart by whose turn it is, so a position and the one with colours swapped count
    as the same too.
    """
    turn, view = position.turn or 1, position.view
    cells = [
        (
            cell.value,
            cell.blocked,
            *(_side(player, turn) for player in (cell.token, cell.owner, cell.start)),
            *sorted(_side(player, turn) for player in cell.visited),
        )
        for cell in view.cells
    ]
    scores = view.scores or (0, 0)
    mine, yours = scores if turn == 1 else scores[::-1]
    images = symmetries(view.rows, view.cols)
    least = min(tuple(cells[k] for k in image) for image in images)
    return position.game.key, mine, yours, least


def canonical_board(board: Board) -> tuple[int, ...]:
    """What all mirrored and turned images of a board have in common."""
    images = symmetries(board.rows, board.cols)
    return min(tuple(board.cells[k] for k in image) for image in images)


def _side(player: int, turn: int) -> int:
    """0 for nobody, 1 for the player to move, 2 for the other."""
    return 0 if not player else 1 if player == turn else 2
