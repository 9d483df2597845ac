"""What every game's bare rules must hold, over random games on boards of all sizes."""

from __future__ import annotations

from gridwise.core.game import Game
from gridwise.core.rng import Stream
from gridwise.testing import check_compiles, check_rules
from gridwise.testing.samples import Size
from tests.sizes import sample

GAMES = sample(80, long=500)  # for each game and size


def test_rules_keep_the_contract(game: Game, size: Size) -> None:
    """Legal moves until it is over, states that are ints, and most random games come to an end."""
    assert check_rules(game, size, games=GAMES) > GAMES // 2


def test_compiled_rules_say_the_same(game: Game, size: Size) -> None:
    """The rules and planes agree with what is compiled from them."""
    check_compiles(game, size, games=sample(6, long=20))


def test_games_hide_everything_or_nothing_at_the_start(game: Game) -> None:
    """All cells are face down at the start, in the games that have face-down cells."""
    board = game.deal(Stream(1))
    hidden = game.rules.hidden(board, game.rules.start(board, 1))
    assert hidden == (board.full if game.has_hidden_cells else 0)


def test_every_legal_action_leads_somewhere_else(game: Game) -> None:
    """No action leaves the state as it was, and no two first actions lead to the same state."""
    board = game.deal(Stream(2))
    state = game.rules.start(board, 1)
    legal = game.rules.moves(board, state)
    after = {
        game.rules.play(board, state, action)
        for action in range(game.actions(board))
        if legal >> action & 1
    }
    assert state not in after
    assert len(after) == legal.bit_count()
