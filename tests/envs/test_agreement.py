"""One game, four ways in: they agree at every ply in state, sight, mask, reward and end.

The toy, a game from outside the package, is one of the games in the long run; in the usual one it
is interpreted in `test_processes.py`, as compiling it takes 4 s.
"""

from __future__ import annotations

import random

import numpy as np
import pyspiel
import pytest

from gridwise import Match
from gridwise.core.bits import bit_indices
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.outcome import MAX_PLIES
from gridwise.engine.observation import observe, to_play
from gridwise.envs.gymnasium import GridwiseEnv
from gridwise.envs.openspiel import SpielState, spiel_name
from gridwise.envs.pettingzoo import AGENTS, GridEnv, env
from gridwise.envs.vector import GridwiseVectorEnv
from tests.sizes import sample

GAMES, STEPS = sample((3, 60), long=(6, 120))
INFO = ("winner", "plies", "to_play")


class FourWays:
    """A game of the vector environment, and the same one in the three other ways."""

    def __init__(self, vector: GridwiseVectorEnv, number: int) -> None:
        self.game, self.vector, self.number = vector.game, vector, number
        self.board: Board = vector._games.true_board(number)
        first = vector.position(number).first
        self.match = Match(
            self.game, self.board, first=first, max_plies=MAX_PLIES if self.game.cyclic else None
        )
        self._size = f"{self.board.rows}x{self.board.cols}"
        self.zoo: GridEnv = env(self.game.key, size=self._size)
        self.zoo.reset(options={"board": self.board, "first": first})
        self.spiel = self._spiel_state(first)

    def _spiel_state(self, first: int) -> SpielState:
        parameters = {"board": self.game.board_text(self.board)}
        if self.game.has_hidden_cells:
            parameters = {"size": self._size}
        loaded = pyspiel.load_game(spiel_name(self.game), parameters)
        state: SpielState = loaded.new_initial_state()
        if state.is_chance_node():
            state.apply_action(first - 1)
        return state

    def check(self, seen: dict[str, np.ndarray]) -> None:
        """All four stand in the same position, and show the same of it to the player to move."""
        match = self.match
        assert self.vector.position(self.number) == match.position
        assert self.zoo.position == match.position
        assert self.spiel.node.position == match.position
        turn = match.turn
        assert self.zoo.agent_selection == AGENTS[turn]
        assert self.spiel.current_player() == turn - 1
        legal = [
            int(match.position.legal_mask >> action & 1)
            for action in range(len(seen["action_mask"]))
        ]
        shown = self.zoo.observe(AGENTS[turn])
        assert seen["action_mask"].tolist() == legal == shown["action_mask"].tolist()
        assert self.spiel.legal_actions_mask() == legal
        assert np.array_equal(seen["observation"], shown["observation"])
        assert tuple(self.spiel.legal_actions()) == bit_indices(match.position.legal_mask)
        for player in (1, 2):
            agent, planes = AGENTS[player], observe(match.position, player)
            assert np.array_equal(planes.ravel(), self.spiel.observation_tensor(player - 1))
            view = self.zoo.observe(agent)
            assert np.array_equal(planes, view["observation"])
            assert self.zoo.observation_space(agent).contains(view)
            assert np.array_equal(view["action_mask"], self.zoo.infos[agent]["action_mask"])
            assert view["action_mask"].any() == (player == turn)
            assert (self.zoo.rewards[agent], len(self.zoo.infos[agent])) == (0, 1)
        assert [match.position.name(action) for action in self.spiel.legal_actions()] == [
            self.spiel.action_to_string(action) for action in self.spiel.legal_actions()
        ]

    def play(self, action: int) -> None:
        """That action in the three other environments; where chance decides, what the board has."""
        self.mover = self.match.turn
        self.match.move(action)
        self.zoo.step(action)
        self.spiel.apply_action(action)
        while self.spiel.is_chance_node():
            cell = bit_indices(self.spiel.node.face_down)[0]
            self.spiel.apply_action(self.board.cells[cell] - self.game.rules.LOW)

    def check_end(self, reward: float, ended: bool, stopped: bool, info: dict[str, int]) -> None:
        """All four say the same about the end, and about what it was worth to the mover."""
        outcome = self.match.outcome
        winner = outcome.winner if outcome else 0
        assert info["winner"] == winner
        assert info["plies"] == len(self.match.actions)
        assert info["to_play"] == to_play(self.match.position)
        expected = {0: 0.0, 3: 0.0, self.mover: 1.0}.get(winner, -1.0)
        assert reward == expected == self.zoo.rewards[AGENTS[self.mover]]
        assert self.spiel.returns()[self.mover - 1] == expected
        assert sum(self.zoo.rewards.values()) == sum(self.spiel.returns()) == 0
        assert ended == bool(winner) == self.zoo.terminations[AGENTS[1]]
        assert stopped == (bool(outcome) and not winner) == self.zoo.truncations[AGENTS[1]]
        assert self.spiel.is_terminal() == bool(outcome)
        if outcome:
            assert self.zoo.infos[AGENTS[1]]["reason"] == outcome.reason
            assert self.zoo.infos[AGENTS[2]]["result"] == outcome.result


@pytest.mark.parametrize("size", [None, "3x4"], ids=str)
def test_four_ways_in_agree_at_every_ply(game: Game, size: str | None) -> None:
    """Vector, PettingZoo, OpenSpiel and Match play the same random games, deal after deal."""
    rng = random.Random(12)
    vector = GridwiseVectorEnv(game, GAMES, size=size)
    seen, _ = vector.reset(seed=5)
    played = [FourWays(vector, number) for number in range(GAMES)]
    over = [False] * GAMES
    ends = 0
    for _ in range(STEPS * (4 if game.cyclic else 1)):
        actions = []
        for one in played:
            if over[one.number]:  # the vector environment deals again in this step
                actions.append(0)
                continue
            one.check({name: array[one.number] for name, array in seen.items()})
            actions.append(rng.choice(bit_indices(one.match.position.legal_mask)))
            one.play(actions[-1])
        seen, rewards, ended, stopped, info = vector.step(np.array(actions))
        for number in range(GAMES):
            if over[number]:
                assert (rewards[number], ended[number], stopped[number]) == (0, False, False)
                played[number] = FourWays(vector, number)
                over[number] = False
            else:
                told = float(rewards[number]), bool(ended[number]), bool(stopped[number])
                played[number].check_end(*told, {name: int(info[name][number]) for name in INFO})
                over[number] = ended[number] or stopped[number]
                ends += over[number]
    assert ends > GAMES


def test_a_game_without_an_end_is_stopped_everywhere() -> None:
    """After 200 plies of steps to and fro: nobody has won, nobody is rewarded, nothing is legal."""
    vector, single = GridwiseVectorEnv("grid-runner", 1), GridwiseEnv("grid-runner", opponent=None)
    vector.reset(seed=1)
    single.reset(seed=1)
    four = FourWays(vector, 0)
    for ply in range(MAX_PLIES):
        assert not four.match.outcome
        action = (3, 2, 2, 3)[ply % 4]
        four.play(action)
        seen, rewards, ended, stopped, info = vector.step(np.array([action]))
        told = float(rewards[0]), bool(ended[0]), bool(stopped[0])
        four.check_end(*told, {name: int(info[name][0]) for name in INFO})
        alone = single.step(action)
        assert alone[1:4] == told == (0, False, ply == MAX_PLIES - 1)
    assert alone[4]["reason"] == "unfinished after 200 plies"
    masks = [
        alone[0]["action_mask"],
        seen["action_mask"],
        four.zoo.observe(AGENTS[1])["action_mask"],
    ]
    assert not any(mask.any() for mask in masks)
