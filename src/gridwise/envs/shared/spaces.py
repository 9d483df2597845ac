"""Spaces as Gymnasium and PettingZoo want them: one observation, its mask, one action."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from gridwise.arena.observation import bounds
from gridwise.core.board import Board
from gridwise.core.game import Game


def observation_space(game: Game, board: Board) -> spaces.Dict:
    """A dict of `observation`, the planes, and `action_mask`, which actions are legal."""
    low, high = bounds(game, board)
    return spaces.Dict(
        {
            "observation": spaces.Box(low, high, dtype=np.int8),
            "action_mask": spaces.Box(0, 1, (game.actions(board),), np.int8),
        }
    )


def action_space(game: Game, board: Board) -> spaces.Discrete:
    """One number for each action."""
    return spaces.Discrete(game.actions(board))
