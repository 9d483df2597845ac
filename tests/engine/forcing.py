"""An independent judge for tests: plain exhaustive search over the second implementation.

It answers one question, slowly and obviously: can a player force a win within so many plies?
"""

from __future__ import annotations

from gridwise.core.position import Position
from tests.reference import REFERENCE
from tests.reference.base import ReferenceGame
from tests.reference.number_run import NumberRun


def peer_of(position: Position) -> ReferenceGame:
    """The position in the second implementation, reached by the same moves."""
    game, board = position.game, position.board
    peer_game = REFERENCE[game.key]
    target = board.target if peer_game.has_target else None
    peer: ReferenceGame = peer_game(game.board_text(board), position.first, target)
    if board.handicap:
        _give_head_start(peer, board.handicap)
    for move in position.moves:
        peer.play(move)
    return peer


def _give_head_start(peer: ReferenceGame, points: int) -> None:
    """Put Player 2 a cell up and a cell left of the corner, with so many points."""
    assert isinstance(peer, NumberRun)
    row, column = peer._start[2]
    ahead = row - 1, column - 1
    peer._token[2], peer._score[2] = ahead, points
    peer._visited.add((2, ahead))


def can_force(peer: ReferenceGame, player: int, plies: int) -> bool:
    """Whether `player` wins within `plies`, whatever the other does."""
    if peer.result() is not None:
        return peer.result() == f"p{player}"
    if plies == 0:
        return False
    outcomes = (can_force(_after(peer, move), player, plies - 1) for move in peer.legal())
    return any(outcomes) if peer.to_move() == player else all(outcomes)


def winning_moves(peer: ReferenceGame, plies: int) -> list[str]:
    """The moves by which the player to move wins within `plies`."""
    player = peer.to_move()
    assert player is not None
    return [m for m in peer.legal() if can_force(_after(peer, m), player, plies - 1)]


def _after(peer: ReferenceGame, move: str) -> ReferenceGame:
    following = peer.copy()
    following.play(move)
    return following
