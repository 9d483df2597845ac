"""The games as PettingZoo environments: two agents take turns, one environment for both.

    from gridwise.envs.pettingzoo import env
    game = env("number-run")    # or pettingzoo.make("aec", "gridwise/NumberRun-v0")
    game.reset(seed=7)
    for agent in game.agent_iter():
        observation, reward, termination, truncation, info = game.last()
        over = termination or truncation
        mask = observation["action_mask"]
        game.step(None if over else game.action_space(agent).sample(mask))

Agents are `player_1` and `player_2`. An observation is a dict of `observation`, the planes from the
agent's own side, and `action_mask`, all zeros unless it is the agent's turn. `info` has the mask
too; once the game is over also `reason`, why, and `result`, who has won: `p1`, `p2`, `draw`, or
empty for a game that was stopped. A win is rewarded with 1, a loss with -1, everything else with 0.
A game that can go on for ever is truncated after 200 plies.

`reset(seed=7)` deals the board, and tosses the coin, of `gridwise.Match(key, seed=7)`. Where that
game is over before the first move, the next deal of the same stream is played.

| `illegal` | what an illegal action does |
|---|---|
| `"lose"` | the agent loses the game |
| `"raise"` | an error says what is possible, and the game stays as it was |
| `"ignore"` | nothing, except a line `illegal` in the agent's `info`; it is asked again |

Everything handed out is new and is not changed later. Nothing needs to be wrapped: calls out of
order and bad actions are checked here, so `env` and `raw_env` are the same.
"""

from __future__ import annotations

from typing import Any, Unpack

from gridwise.extras import require

require("rl", "pettingzoo")

import numpy as np
import pettingzoo
from pettingzoo import AECEnv

from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.core.registry import follow
from gridwise.core.rng import SecretStream, Stream
from gridwise.engine.observation import INT8, Int8s, Observation, action_mask, observe
from gridwise.envs.options import (
    RESET_OPTIONS,
    SingleEnvironment,
    action_space,
    id_of,
    illegal_action,
    observation_space,
    reset_boards,
)
from gridwise.envs.render import RENDER_MODES
from gridwise.errors import BadRequest, IllegalMove, OutOfTurn
from gridwise.play.boards import BoardOptions, play_on
from gridwise.players.batch_player import action_number

PLAYERS = {"player_1": 1, "player_2": 2}
AGENTS = ("", *PLAYERS)  # by player


class GridEnv(SingleEnvironment, AECEnv[str, Observation, "int | None"]):
    """One game after another, on uniform boards or always on the same.

    The options are those of `gridwise.envs.gymnasium`, as far as they are not about one agent.
    """

    def __init__(
        self,
        key: str | Game,
        *,
        illegal: str = "lose",
        render_mode: str | None = None,
        max_plies: int | None = None,
        **boards: Unpack[BoardOptions],
    ) -> None:
        super().__init__()
        self._read_options(
            key, boards, illegal=illegal, max_plies=max_plies, render_mode=render_mode
        )
        self.metadata = {
            "name": f"gridwise_{self.game.key.replace('-', '_')}_v0",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = list(PLAYERS)
        game, board = self.game, self._source.board
        self.observation_spaces = {agent: observation_space(game, board) for agent in PLAYERS}
        self.action_spaces = {agent: action_space(game, board) for agent in PLAYERS}
        self._actions = game.actions(board)
        self._stream = SecretStream()
        self.agents: list[str] = []  # nobody plays before `reset`
        self.agent_selection = AGENTS[1]

    def observation_space(self, agent: str) -> Any:  # noqa: ANN401 - as PettingZoo has it
        """What `observe` gives that agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:  # noqa: ANN401 - as PettingZoo has it
        """What that agent can do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game. `seed` starts a new series of boards; without it the series continues.

        Options are `board`, of the environment's size, and `first`, 1 or 2, where a coin would
        decide.
        """
        if seed is not None:
            self._stream = Stream(seed)
        # PettingZoo's own `api_test` passes an option of this name, which must not matter.
        source, first = reset_boards(self._source, options, (*RESET_OPTIONS, "options"))
        self._true_board, position = source.deal_playable(self._stream, first)
        self.agents = list(PLAYERS)
        self._skip_agent_selection = None
        self._cumulative_rewards = dict.fromkeys(PLAYERS, 0.0)
        self.terminations = dict.fromkeys(PLAYERS, False)
        self.truncations = dict.fromkeys(PLAYERS, False)
        self._set_position(position)

    def step(self, action: int | None) -> None:
        """Play an action for the agent whose turn it is; None for one whose game is over."""
        position, agent = self._position, self.agent_selection
        if not self.agents or position is None:
            raise OutOfTurn("There is no game to play in: call reset() first.")
        if self.terminations[agent] or self.truncations[agent]:
            self._leave(action)
            return
        number = action_number(action)
        refused = self._illegal != "lose" and not position.is_legal(number)
        if refused and self._illegal == "raise":
            raise IllegalMove(illegal_action(position, action))
        self._cumulative_rewards[agent] = 0.0
        self._set_position(
            position if refused else play_on(position, number, self._true_board, self._max_plies)
        )
        if refused:
            self.infos[agent]["illegal"] = illegal_action(position, action)

    def _set_position(self, position: Position) -> None:
        """Set what the agents are given, and who is next; every dict is made anew."""
        self._position, ending = position, {}
        self.agent_selection = AGENTS[position.turn or 3 - PLAYERS[self.agent_selection]]
        self.rewards = dict.fromkeys(PLAYERS, 0.0)
        if position.outcome:
            winner, _, reason = position.outcome
            self.terminations = dict.fromkeys(PLAYERS, bool(winner))
            self.truncations = dict.fromkeys(PLAYERS, not winner)
            if winner in (1, 2):
                self.rewards = {AGENTS[winner]: 1.0, AGENTS[3 - winner]: -1.0}
            for agent, reward in self.rewards.items():
                self._cumulative_rewards[agent] += reward
            ending = {"reason": reason, "result": position.outcome.result}
        self.infos: dict[str, dict[str, Any]] = {
            agent: {"action_mask": self._mask(agent), **ending} for agent in PLAYERS
        }

    def _mask(self, agent: str) -> Int8s:
        if agent == self.agent_selection and self._position:
            return action_mask(self._position)
        return np.zeros(self._actions, INT8)

    def _leave(self, action: object) -> None:
        """Remove an agent whose game is over; every dict is made anew."""
        if action is not None:
            raise BadRequest("The game is over for this agent: the only action left is None.")
        gone = self.agent_selection
        self.agents = [agent for agent in self.agents if agent != gone]
        for name in ("terminations", "truncations", "infos", "_cumulative_rewards"):
            old = getattr(self, name)
            setattr(self, name, {agent: old[agent] for agent in self.agents})
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.agents:
            self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> Observation:
        """What an agent sees, and what it may do."""
        return {
            "observation": observe(self.position, PLAYERS[agent]),
            "action_mask": self._mask(agent),
        }

    def close(self) -> None:
        """Nothing to close; PettingZoo wants it wherever there is a `render`."""


env = raw_env = GridEnv


def register(game: Game) -> None:
    """Register a game with PettingZoo, unless it is; it can since 1.26."""
    if hasattr(pettingzoo, "register") and id_of(game) not in pettingzoo.aec_registry:
        pettingzoo.register(
            "aec", id_of(game), "gridwise.envs.pettingzoo:env", kwargs={"key": game.key}
        )


follow(register)
