"""What agents are given to see is the position, no more and no less, however it is computed."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from gridwise.core.bits import members
from gridwise.core.board import Board
from gridwise.core.game import Game, State
from gridwise.core.registry import game as game_of
from gridwise.engine.twin import kernel, twin_board
from gridwise.envs.batch import observe_games
from gridwise.envs.boards import blank, deal
from gridwise.envs.observation import action_mask, bounds, describe, observe, shape
from gridwise.envs.spaces import observation_space
from gridwise.errors import BadRequest

SIZES = [None, "3x3", (3, 5), 7]


def positions(game: Game, board: Board, rng: random.Random) -> Iterator[tuple[Board, State]]:
    """Every position of one random game, the last one too."""
    board = deal(game, board, rng)
    state = game.rules.start(board, 1 + rng.randrange(2) if game.coin_toss else 1)
    for _ply in range(60):
        yield board, state
        legal = members(game.rules.moves(board, state))
        if not legal:
            return
        state = game.rules.play(board, state, rng.choice(legal))


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_compiled_and_interpreted_observations_are_the_same(
    game: Game, size: int | str | tuple[int, int] | None
) -> None:
    """In random games on boards of all sizes, for both players and the one to move."""
    board, rng = blank(game, None, size), random.Random(game.key)
    found = [pair for _ in range(20) for pair in positions(game, board, rng)]
    boards, states = [pair[0] for pair in found], [pair[1] for pair in found]
    for player in (0, 1, 2):
        count, (planes, _, _) = len(found), shape(game, board)
        seen = np.full((count, planes, board.size), -1, np.int8)
        legal = np.full((count, game.actions(board)), -1, np.int8)
        kernel(game, observe_games)(
            twin_board(board),
            np.array([board.cells for board in boards]),
            np.array(states),
            np.array([game.rules.moves(board, state) for board, state in found]),
            np.full(count, player),
            np.ones(count, np.bool_),
            seen,
            legal,
            np.zeros(planes, np.int64),
        )
        low, high = bounds(game, board)
        for number, (dealt, state) in enumerate(found):
            one = observe(game, dealt, state, player or state.turn)
            assert (low <= one).all()
            assert (one <= high).all()
            assert np.array_equal(one.reshape(planes, -1), seen[number])
            assert np.array_equal(action_mask(game, dealt, state), legal[number])


def test_every_observation_is_in_its_space_and_fresh(game: Game) -> None:
    """The space Gymnasium is told of holds them all; no two observations share memory."""
    board = blank(game, None, None)
    space = observation_space(game, board)
    for dealt, state in positions(game, board, random.Random(2)):
        one, other = (observe(game, dealt, state, 1) for _ in range(2))
        assert space.contains({"observation": one, "action_mask": action_mask(game, dealt, state)})
        one[:] = 9
        assert not np.shares_memory(one, other)
        assert np.array_equal(other, observe(game, dealt, state, 1))


def test_hidden_cells_never_show() -> None:
    """Whatever is face down, an observation is the same, byte for byte."""
    game, rng = game_of("grid-conquest"), random.Random(3)
    for _ in range(20):
        for board, state in positions(game, blank(game, None, None), rng):
            hidden = game.rules.hidden(board, state)
            other = game.deal_unknown(board.without(hidden), rng)
            for player in (1, 2):
                one = observe(game, board, state, player)
                assert one.tobytes() == observe(game, other, state, player).tobytes()
                assert not (one[0].ravel()[list(members(hidden))]).any()


def plane(game: Game, board: Board, state: State, player: int, name: str) -> list[int]:
    """One plane by its name, as a flat list."""
    names = [plane.name for plane in describe(game)]
    flat: list[int] = observe(game, board, state, player)[names.index(name)].ravel().tolist()
    return flat


def test_number_run_reads_as_its_text_has_it() -> None:
    """After `0,1 3,4 1,1`, scores are 6 and 2, Player 1 is on (1,1), Player 2 to move."""
    game = game_of("number-run")
    board = game.parse_board("31425/25134/42513/14252/53142")
    state = game.rules.start(board, 1)
    for move in ("0,1", "3,4", "1,1"):
        state = game.rules.play(board, state, game.read_move(board, state, move))
    assert plane(game, board, state, 1, "value") == [int(d) for d in "3142525134425131425253142"]
    for player, scores in ((1, (6, 2)), (2, (2, 6))):
        assert plane(game, board, state, player, "my score") == [scores[0]] * 25
        assert plane(game, board, state, player, "their score") == [scores[1]] * 25
        assert plane(game, board, state, player, "to move") == [int(player == 2)] * 25
        assert plane(game, board, state, player, "player 1") == [int(player == 1)] * 25
    for player, name in ((1, "my"), (2, "their")):
        assert members_of(plane(game, board, state, player, f"{name} token")) == [6]
        assert members_of(plane(game, board, state, player, f"{name} visited")) == [0, 1, 6]
        assert members_of(plane(game, board, state, player, f"{name} home")) == [0]


def members_of(cells: list[int]) -> list[int]:
    """The cells that are not 0."""
    return [cell for cell, value in enumerate(cells) if value]


def test_large_numbers_are_capped() -> None:
    """What an int8 cannot hold shows as 127."""
    game = game_of("number-connect")
    board = game.parse_board("99/99", target=500)
    state = game.rules.start(board, 1)
    assert plane(game, board, state, 1, "target") == [127] * 4


@pytest.mark.parametrize("size", ["5", "0x4", "axb", (3, 4, 5)])
def test_bad_sizes_are_explained(size: str) -> None:
    """The error says what a size looks like."""
    with pytest.raises(BadRequest, match="rows by columns, like 5x5"):
        blank(game_of("number-run"), None, size)


def test_a_board_or_a_size_but_not_both() -> None:
    """A board has a size already."""
    with pytest.raises(BadRequest, match="not both"):
        blank(game_of("number-maze"), "1324/2132/4213/3421", 4)
