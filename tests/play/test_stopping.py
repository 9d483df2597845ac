"""A game that is stopped has no result, and what was hidden in it stays hidden."""

from __future__ import annotations

import pytest

from gridwise import Match, game
from gridwise.errors import OutOfTurn


def test_a_stopped_game_has_no_result_and_can_be_taken_up_again() -> None:
    """Stopping is an end without a winner; undo takes it back, and not the move before it."""
    match = Match("grid-runner")
    match.move("down")
    match.stop("stopped by agreement")
    assert match.outcome
    assert (match.outcome.mark, match.outcome.reason) == ("*", "stopped by agreement")
    assert (match.turn, match.legal_moves) == (0, [])
    with pytest.raises(OutOfTurn, match="stopped by agreement"):
        match.move("up")
    match.undo()
    assert (match.moves, match.turn) == (["down"], 2)


def test_what_nobody_has_seen_is_not_shown_when_a_game_is_stopped() -> None:
    """Only the match itself has the true board."""
    match = Match("grid-conquest", seed=1, first=1)
    match.stop("stopped by agreement")
    assert set(match.board.cells) == {0}
    assert all(match.true_board.cells)
    assert all(cell.hidden for cell in match.view.cells)
    assert game("grid-conquest").board_text(match.board) == "/".join(["?????"] * 5)
