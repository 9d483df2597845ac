"""What agents are given to see is the position, no more and no less, however it is computed."""

from __future__ import annotations

import random

import numpy as np

from gridwise import Match, Position
from gridwise.core.bits import bit_indices
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.registry import game as game_of
from gridwise.engine.observation import (
    describe,
    observation,
    observe,
)
from gridwise.envs.options import observation_space
from gridwise.play.boards import board_template
from tests.sizes import sample


def match_of(game: Game, board: Board, rng: random.Random, plies: int) -> Match:
    """A game after so many random plies, or at its end."""
    match = Match(game, game.deal_unknown(board, rng), seed=rng.randrange(1 << 30))
    while match.turn and len(match.actions) < plies:
        match.move(rng.choice(match.position.legal))
    return match


def test_every_observation_is_in_its_space_and_fresh(game: Game) -> None:
    """The space Gymnasium is told of holds them all; no two observations share memory."""
    board = board_template(game)
    space = observation_space(game, board)
    for position in match_of(game, board, random.Random(2), 60).positions:
        assert space.contains(observation(position, 1))
        one, other = (observe(position, 1) for _ in range(2))
        one[:] = 9
        assert not np.shares_memory(one, other)
        assert np.array_equal(other, observe(position, 1))


def test_hidden_cells_never_show() -> None:
    """Whatever is face down, an observation is the same, byte for byte."""
    game, rng = game_of("grid-conquest"), random.Random(3)
    for _ in range(sample(8, long=20)):
        match = match_of(game, board_template(game), rng, 60)
        for position in match.positions:
            # The last position shows the whole board: another deal of what nobody has seen.
            other_board = game.deal_unknown(match.true_board.without(position.hidden), rng)
            other = Position.from_state(game, other_board, position.state)
            for player in (1, 2):
                one = observe(position, player)
                assert one.tobytes() == observe(other, player).tobytes()
                assert not (one[0].ravel()[list(bit_indices(position.hidden))]).any()


def plane(position: Position, player: int, name: str) -> list[int]:
    """One plane by its name, as a flat list."""
    names = [plane.name for plane in describe(position.game)]
    flat: list[int] = observe(position, player)[names.index(name)].ravel().tolist()
    return flat


def test_number_run_reads_as_its_text_has_it() -> None:
    """After `0,1 3,4 1,1`, scores are 6 and 2, Player 1 is on (1,1), Player 2 to move."""
    board, moves = "31425/25134/42513/14252/53142", ("0,1", "3,4", "1,1")
    position = Position("number-run", board, moves=moves)
    assert plane(position, 1, "value") == [int(d) for d in "3142525134425131425253142"]
    for player, scores in ((1, (6, 2)), (2, (2, 6))):
        assert plane(position, player, "my score") == [scores[0]] * 25
        assert plane(position, player, "their score") == [scores[1]] * 25
        assert plane(position, player, "to move") == [int(player == 2)] * 25
        assert plane(position, player, "player 1") == [int(player == 1)] * 25
    for player, name in ((1, "my"), (2, "their")):
        assert members_of(plane(position, player, f"{name} token")) == [6]
        assert members_of(plane(position, player, f"{name} visited")) == [0, 1, 6]
        assert members_of(plane(position, player, f"{name} start")) == [0]


def members_of(cells: list[int]) -> list[int]:
    """The cells that are not 0."""
    return [cell for cell, value in enumerate(cells) if value]


def test_large_numbers_are_capped() -> None:
    """What an int8 cannot hold shows as 127."""
    game = game_of("number-connect")
    position = Position(game, game.parse_board("99/99", target=500))
    assert plane(position, 1, "target") == [127] * 4
