"""Symmetries: an observation and its image are worth the same, action by action."""

from __future__ import annotations

import numpy as np
import pytest

from gridwise import game, solve_boards
from gridwise.core.game import Game
from gridwise.envs.symmetry import symmetries
from gridwise.envs.vector import GridwiseVectorEnv

# By hand: a race has two fixed corners, so a square grid is left with its diagonal. Claims have
# the eight symmetries of the square, and the four of any other rectangle.
WANTED = {
    ("number-run", "5x5"): 2,
    ("number-run", "4x5"): 1,
    ("number-maze", "4x4"): 2,
    ("grid-runner", "5x5"): 2,
    ("number-connect", "4x4"): 8,
    ("number-connect", "3x4"): 4,
    ("grid-conquest", "5x5"): 8,
}


@pytest.mark.parametrize(("key", "size"), list(WANTED))
def test_there_are_as_many_as_the_rules_have(key: str, size: str) -> None:
    """None is missed, and none is made up."""
    ways = symmetries(key, size)
    assert len(ways) == WANTED[key, size]
    assert ways[0].name == "as it is"
    assert len({each.cells for each in ways}) == len(ways)


@pytest.mark.parametrize("key", ["number-run", "number-maze", "number-connect"])
def test_images_are_worth_the_same(key: str) -> None:
    """Action by action, by the solver, which knows nothing of symmetries."""
    kind = game(key)
    low, high = kind.rules.LOW, kind.rules.HIGH
    cells = np.random.default_rng(1).integers(low, high + 1, (40, kind.rows, kind.cols))
    solved = solve_boards(kind, cells)
    for symmetry in symmetries(kind):
        image = solve_boards(kind, symmetry.planes(cells))
        assert np.array_equal(image.value, solved.value)
        assert np.array_equal(image.action_value, symmetry.actions(solved.action_value))
        assert np.array_equal(image.action_distance, symmetry.actions(solved.action_distance))


def test_a_batch_and_its_image(game: Game) -> None:
    """Images of observations and masks are in the space, and twice the transpose is nothing."""
    env = GridwiseVectorEnv(game, 16)
    seen, _ = env.reset(seed=3)
    for symmetry in symmetries(game):
        planes = symmetry.planes(seen["observation"])
        masks = symmetry.actions(seen["action_mask"])
        assert planes.shape == seen["observation"].shape
        assert masks.sum() == seen["action_mask"].sum()
        if symmetry.name == "transposed":
            assert np.array_equal(symmetry.planes(planes), seen["observation"])
            assert np.array_equal(symmetry.actions(masks), seen["action_mask"])
