"""One seed, one deal: Match, Gymnasium, PettingZoo, OpenSpiel and grading get the same board."""

from __future__ import annotations

from typing import Any

import pyspiel
import pytest

from gridwise import Match, Position, grade
from gridwise.core.game import Game
from gridwise.envs.gymnasium import GridwiseEnv
from gridwise.envs.openspiel import spiel_name
from gridwise.envs.pettingzoo import AGENTS, env
from gridwise.envs.vector import GridwiseVectorEnv
from gridwise.lab.paired_games import paired_deals
from gridwise.play.boards import board_template
from tests.lab.agents import FirstLegal
from tests.sizes import sample

SEEDS = range(sample(12, long=40))
SIDES: list[Any] = [1, 2, "alternate", "random"]


def matches(game: Game) -> list[tuple[int, Match]]:
    """Each seed and its match, but for those that are over before the first move."""
    found = [(seed, Match(game, seed=seed)) for seed in SEEDS]
    return [(seed, match) for seed, match in found if not match.outcome]


def test_pettingzoo_deals_the_board_of_a_match(game: Game) -> None:
    """The same cells, face-down ones too, and the same coin toss."""
    episode = env(game.key)
    for seed, match in matches(game):
        episode.reset(seed=seed)
        assert episode._true_board == match.true_board
        assert episode.position == match.position
        assert episode.agent_selection == AGENTS[match.turn]


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


def test_self_play_deals_the_board_of_a_match(game: Game) -> None:
    """Game k of a batch has the board of its seed."""
    batch = GridwiseVectorEnv(game, len(SEEDS))
    batch.reset(seed=list(SEEDS))
    single = GridwiseEnv(game, opponent=None)
    for seed, match in matches(game):
        single.reset(seed=seed)
        assert single._true_board == batch._games.true_board(seed) == match.true_board
        assert single.position == batch.position(seed) == match.position


def test_openspiel_deals_the_board_of_a_match(game: Game) -> None:
    """Where the board is dealt before the game; elsewhere a seed is refused."""
    if game.has_hidden_cells or game.fixed:
        with pytest.raises(pyspiel.SpielError, match="Unknown parameter 'seed'"):
            pyspiel.load_game(spiel_name(game), {"seed": 1})
        return
    for seed, match in matches(game):
        spiel = pyspiel.load_game(spiel_name(game), {"seed": seed})
        assert spiel.setup.board == match.true_board


def test_grading_begins_with_the_board_of_a_match(game: Game) -> None:
    """Both games of the first pair are on it."""
    for seed, match in matches(game):
        deals = paired_deals(game, board_template(game, None, None), seed)
        assert next(deals).true_board == next(deals).true_board == match.true_board


def test_grade_plays_on_the_board_of_a_match(game: Game) -> None:
    """What a graded player has seen of the first board is on the board of the match."""
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
