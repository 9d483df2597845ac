"""What every game's bare rules must hold, over thousands of random games on boards of all sizes."""

from __future__ import annotations

import random
from itertools import islice

from gridwise.core.bits import choose, members
from gridwise.core.game import Game
from tests.conformance.conftest import boards

GAMES = 500  # for each game and size: ten thousand and more in all
CAP = 200


def test_no_legal_moves_exactly_when_over(game: Game, size: tuple[int, int]) -> None:
    """There is a legal move exactly as long as nobody has won and it is not a draw."""
    rng = random.Random(f"over {game.key} {size}")
    rules = game.rules
    ended = 0
    for board in islice(boards(game, size, rng), GAMES):
        state = rules.start(board, 1)
        for _ in range(CAP):
            legal = rules.moves(board, state)
            assert (legal == 0) == (rules.winner(board, state) != 0)
            assert 0 <= legal < 1 << game.actions(board)
            if not legal:
                ended += 1
                break
            state = rules.play(board, state, choose(legal, rng.random))
    assert ended > GAMES // 2


def test_states_are_ints_and_their_own_key(game: Game, size: tuple[int, int]) -> None:
    """A state is a tuple of ints with the turn first; it can be a key, and rules change none."""
    rng = random.Random(f"key {game.key} {size}")
    rules = game.rules
    for board in islice(boards(game, size, rng), 50):
        state = rules.start(board, 1)
        for _ in range(CAP):
            legal = rules.moves(board, state)
            if not legal:
                break
            before = tuple(state)
            after = rules.play(board, state, choose(legal, rng.random))
            assert tuple(state) == before
            assert all(type(value) is int and 0 <= value < 1 << 63 for value in after)
            assert after[0] == after.turn in (1, 2)
            assert {after: 1}[type(after)(*after)] == 1
            state = after


def test_either_player_may_be_started_with(game: Game) -> None:
    """The rules themselves start with whom they are told to, and treat both alike at the start."""
    board = game.deal(random.Random(1))
    one, two = game.rules.start(board, 1), game.rules.start(board, 2)
    assert (one.turn, two.turn) == (1, 2)


def test_hidden_cells_only_get_fewer(game: Game, size: tuple[int, int]) -> None:
    """What has been seen stays seen, and only games that say so hide anything."""
    rng = random.Random(f"hidden {game.key} {size}")
    rules = game.rules
    for board in islice(boards(game, size, rng), 50):
        state = rules.start(board, 1)
        hidden = rules.hidden(board, state)
        assert hidden == (board.full if game.hides else 0)
        for _ in range(CAP):
            legal = rules.moves(board, state)
            if not legal:
                break
            state = rules.play(board, state, choose(legal, rng.random))
            assert rules.hidden(board, state) & ~hidden == 0
            hidden = rules.hidden(board, state)


def test_the_rules_do_not_look_at_hidden_cells(game: Game) -> None:
    """On a board with its hidden cells blanked, the legal moves and the winner are the same."""
    rng = random.Random(f"blank {game.key}")
    rules = game.rules
    for board in islice(boards(game, (0, 0), rng), 100):
        state = rules.start(board, 1)
        for _ in range(CAP):
            seen = board.without(rules.hidden(board, state))
            legal = rules.moves(board, state)
            assert rules.moves(seen, state) == legal
            assert rules.winner(seen, state) == rules.winner(board, state)
            if not legal:
                break
            state = rules.play(board, state, choose(legal, rng.random))


def test_every_legal_action_leads_somewhere_else(game: Game) -> None:
    """No action leaves the state as it was."""
    board = game.deal(random.Random(2))
    state = game.rules.start(board, 1)
    for action in members(game.rules.moves(board, state)):
        assert game.rules.play(board, state, action) != state
