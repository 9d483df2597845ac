"""Hints: where all moves are the same, the one that looks best."""

from __future__ import annotations

from gridwise import Position
from gridwise.engine.hints import hint


def test_a_lost_position_is_called_lost_and_the_best_looking_cell_is_named() -> None:
    """Player 2 needs one point and is next: nothing is enough, and B3, a 5, looks best."""
    moves = ["C2", "A1", "C3", "A2", "B1", "A3"]
    found = hint(Position("grid-conquest", "554/135/512", first=1, moves=moves))
    assert found.move == "B3"
    assert "your opponent wins" in found.text


def test_where_only_some_answers_are_asked_for_one_of_them_is_named() -> None:
    """By the second implementation only `down` wins here; between other answers it is no help."""
    position = Position("number-maze", "1324/2132/4213/3421")
    found = hint(position, {"yes": position.read("right")})
    assert found.move == "yes"
    assert found.text.startswith("Consider yes: your opponent can force a win")
