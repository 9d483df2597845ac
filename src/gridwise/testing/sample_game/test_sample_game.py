"""Sample Game keeps the contract of Gridwise's games, and its own rules."""

from gridwise import Position
from gridwise.testing import check_game
from gridwise.testing.sample_game import GAME


def test_it_keeps_the_contract() -> None:
    """Rules, compiled rules, text, pictures, records, analysis: on boards of several sizes."""
    check_game(GAME, games=10)


def test_a_cell_next_to_ones_own_is_closed() -> None:
    """Player 1 has 1,1, so that 1,2 and 2,1 are closed."""
    position = Position(GAME, "123/451/234", moves=["1,1", "3,3"])
    assert position.legal_moves == ["1,3", "2,2", "2,3", "3,1", "3,2"]
