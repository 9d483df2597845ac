"""One seed, one deal: Match, Gymnasium, PettingZoo, OpenSpiel and grading get the same board."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
import pytest

from gridwise import Match, Position, grade
from gridwise.core.game import Game
from gridwise.envs.gg_bench import CustomEnv
from gridwise.envs.gymnasium import GridwiseEnv
from gridwise.envs.openspiel import spiel_name
from gridwise.envs.pettingzoo import AGENTS, env
from gridwise.envs.vector import GridwiseVectorEnv
from tests.lab.agents import FirstLegal
from tests.sizes import sample

SEEDS = range(sample(12, long=40))
SIDES: list[Any] = [1, 2, "alternate", "random"]


def matches(game: Game) -> list[tuple[int, Match]]:
    """Each seed and its match, but for those that are over before the first move."""
    seeded = [(seed, Match(game, seed=seed)) for seed in SEEDS]
    return [(seed, match) for seed, match in seeded if not match.outcome]


def test_self_play_deals_the_board_of_a_match(game: Game) -> None:
    """The same cells, face-down ones too, and the same coin toss; game k of a batch has its seed.

    Whatever numpy's own numbers are, from which gg-bench's own environments draw.
    """
    batch = GridwiseVectorEnv(game, len(SEEDS))
    batch.reset(seed=list(SEEDS))
    zoo, single, gg_bench = env(game.key), GridwiseEnv(game, opponent=None), CustomEnv(game)
    for seed, match in matches(game):
        np.random.seed(1)  # noqa: NPY002
        for one in (zoo, single, gg_bench):
            one.reset(seed=seed)
            assert one._true_board == match.true_board
            assert one.position == match.position
        assert zoo.agent_selection == AGENTS[match.turn]
        assert batch._games.true_board(seed) == match.true_board
        assert batch.position(seed) == match.position


@pytest.mark.parametrize("side", SIDES)
def test_gymnasium_deals_the_board_of_a_match(game: Game, side: Any) -> None:  # noqa: ANN401
    """Alone and as game 0 of a batch, whichever side the agent has, if it gets a turn there."""
    single = GridwiseEnv(game, opponent=FirstLegal(), side=side)
    batch = GridwiseVectorEnv(game, 2, opponent=FirstLegal(), side=side)
    for seed, match in matches(game):
        single.reset(seed=seed)
        batch.reset(seed=seed)
        assert batch.sides[0] == single.side
        while match.turn not in (0, single.side):
            match.move(FirstLegal().choose(match.position))
        if match.outcome:  # the opponent has won already: the next deal is played
            continue
        assert single._true_board == batch._games.true_board(0) == match.true_board
        assert single.position == batch.position(0) == match.position


def test_openspiel_deals_the_board_of_a_match(game: Game) -> None:
    """Where the board is dealt before the game; elsewhere a seed is refused."""
    if game.has_hidden_cells or game.fixed:
        with pytest.raises(pyspiel.SpielError, match="Unknown parameter 'seed'"):
            pyspiel.load_game(spiel_name(game), {"seed": 1})
        return
    for seed, match in matches(game):
        spiel = pyspiel.load_game(spiel_name(game), {"seed": seed})
        assert spiel.setup.board == match.true_board


def test_grade_plays_on_the_board_of_a_match(game: Game) -> None:
    """What a graded player sees of the first board, in both games, is on that of the match."""
    for seed, match in matches(game)[:3]:
        seen: list[Position] = []

        class Watching(FirstLegal):
            def choose(self, position: Position) -> int:
                seen.append(position)  # noqa: B023 - called in this round only
                return super().choose(position)

        grade(Watching(), game, games=2, seed=seed, opponent=FirstLegal(), effort=1)
        for position in seen:
            pairs = zip(position.board.cells, match.true_board.cells, strict=True)
            assert all(value in (0, true) for value, true in pairs)
        assert any(seen[-1].board.cells)
