"""An independent judge for tests: plain exhaustive search over the second implementation.

It answers one question, slowly and obviously: can a player force a win within so many plies?
"""

from __future__ import annotations

from gridwise.core.position import Position
from tests.reference import REFERENCE
from tests.reference.base import ReferenceGame


def peer_of(position: Position) -> ReferenceGame:
    """The position in the second implementation, reached by the same moves."""
    game = position.game
    peer: ReferenceGame = REFERENCE[game.key](game.board_text(position.board), position.first)
    for move in position.moves:
        peer.play(move)
    return peer


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
