"""Fair boards are worth sitting down to; uniform ones are what the texts describe."""

from __future__ import annotations

import random

import pytest

from gridwise.core.bits import bit_indices
from gridwise.core.registry import game, games
from gridwise.engine.deals import deal
from gridwise.errors import BadRequest


@pytest.mark.parametrize("each", games(), ids=lambda each: each.key)
def test_nobody_loses_before_having_moved_on_a_fair_board(each: object) -> None:
    """After any first move the other player has a move too."""
    found = game(each.key)  # type: ignore[attr-defined]
    rules = found.rules
    for seed in range(25):
        board = deal(found, random.Random(seed), "fair")
        opening = rules.start(board, 1)
        assert rules.moves(board, opening)
        for action in bit_indices(rules.moves(board, opening)):
            assert rules.moves(board, rules.play(board, opening, action))


def test_one_uniform_number_maze_board_in_four_is_lost_at_once() -> None:
    """A 4 under Player 1 is a dead end: a quarter of uniform boards, no fair one."""
    maze = game("number-maze")
    rng = random.Random(5)
    lost = sum(maze.deal(rng).cells[0] == 4 for _ in range(2000))
    assert 400 < lost < 600
    assert all(deal(maze, random.Random(seed), "fair").cells[0] != 4 for seed in range(40))


def test_the_same_seed_deals_the_same_board() -> None:
    """Dealing depends on the seed and on nothing else."""
    for each in games():
        for kind in ("fair", "uniform"):
            assert deal(each, random.Random(7), kind) == deal(each, random.Random(7), kind)


def test_where_cells_are_face_down_fair_is_uniform() -> None:
    """Choosing among boards would tell something about hidden cells, so nothing is chosen."""
    conquest = game("grid-conquest")
    assert deal(conquest, random.Random(8), "fair") == conquest.deal(random.Random(8))


def test_a_board_too_small_to_be_fair_is_dealt_all_the_same() -> None:
    """On 1x2 nobody can move, whatever the numbers; there is still a board."""
    assert deal(game("number-maze"), random.Random(1), "fair", rows=1, cols=2).size == 2


def test_other_kinds_of_deal_do_not_exist() -> None:
    """The message names the two there are."""
    with pytest.raises(BadRequest, match="fair or uniform"):
        deal(game("number-run"), random.Random(1), "kind")
