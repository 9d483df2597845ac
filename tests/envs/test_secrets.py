"""What is face down is in nothing that an environment hands out, shows or says."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from gridwise import Match
from gridwise.core.bits import random_bit
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.registry import games
from gridwise.envs.gymnasium import GridwiseEnv
from gridwise.envs.pettingzoo import AGENTS, env
from gridwise.envs.render import RENDER_MODES
from gridwise.envs.vector import GridwiseVectorEnv
from gridwise.errors import IllegalMove
from tests.sizes import sample

HIDING = [game for game in games() if game.has_hidden_cells]
assert HIDING  # there is something to keep secret


def everything_of_pettingzoo(game: Game, match: Match, board: Board) -> list[Any]:
    """All that the PettingZoo environment tells while the match is played on a board."""
    told: list[Any] = []
    for mode in RENDER_MODES:
        episode = env(game.key, illegal="raise", render_mode=mode)
        episode.reset(seed=1, options={"board": board, "first": match.first})
        for action in (*match.actions, None):
            told += [episode.last(), episode.infos, episode.rewards, episode.agents]
            told += [episode.observe(agent) for agent in AGENTS[1:]]
            told += [episode.position, str(episode), _bytes(episode.render())]
            if action is not None:
                episode.step(action)
        with pytest.raises(IllegalMove) as refused:
            episode.step(match.actions[0])  # a cell that has been claimed
        told.append(str(refused.value))
    return told


def everything_of_the_vector(game: Game, match: Match, board: Board) -> list[Any]:
    """All that the vector environment tells of the same."""
    batch = GridwiseVectorEnv(game, 1, board=board, autoreset_mode="Disabled")
    told: list[Any] = [batch.reset(seed=1, options={"first": match.first})]
    told += [batch.step(np.array([action])) for action in match.actions]
    return [*told, batch.position(0)]


def everything_of_gymnasium(game: Game, match: Match, board: Board) -> list[Any]:
    """All that the environment for one agent tells of the same, playing for both."""
    told: list[Any] = []
    for mode in RENDER_MODES:
        episode = GridwiseEnv(game, opponent=None, board=board, render_mode=mode)
        told += [episode.reset(seed=1, options={"first": match.first}), _bytes(episode.render())]
        for action in match.actions:
            told += [episode.step(action), _bytes(episode.render())]
            told += [episode.action_masks(), episode.position]
    return told


def _bytes(picture: Any) -> Any:  # noqa: ANN401 - text or pixels
    return picture.tobytes() if isinstance(picture, np.ndarray) else picture


WAYS_IN = (everything_of_pettingzoo, everything_of_the_vector, everything_of_gymnasium)


@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.key)
@pytest.mark.parametrize("seed", range(sample(4, long=12)))
def test_nothing_changes_when_hidden_cells_change(game: Game, seed: int) -> None:
    """Observations, infos, errors and pictures depend on what has been revealed, and no more."""
    rng = random.Random(seed)
    match = Match(game, seed=seed)
    for _ in range(1 + seed % 4):
        match.move(random_bit(match.position.legal_mask, rng.random))
    assert match.outcome is None
    other = game.deal_unknown(match.board, rng)
    assert other != match.true_board
    with np.printoptions(threshold=100_000):
        for everything in WAYS_IN:
            assert repr(everything(game, match, match.true_board)) == repr(
                everything(game, match, other)
            )
