"""The games as PettingZoo has games: agents take turns, one environment for all of them.

    from gridwise.envs.pettingzoo import env
    game = env("number-run")
    game.reset(seed=7)
    for agent in game.agent_iter():
        observation, reward, termination, truncation, info = game.last()
        over = termination or truncation
        mask = observation["action_mask"]
        game.step(None if over else game.action_space(agent).sample(mask))

Agents are `player_1` and `player_2`. An observation is a dict of `observation`, the planes from the
agent's own side, and `action_mask`, all zeros unless it is the agent's turn. `info` has the mask
too; once the game is over also `reason`, why, and `result`, who has won: `p1`, `p2`, `draw`, or
empty for a game that was stopped. A win is rewarded with 1, a loss with -1, all else with 0. A game
that can go on for ever is truncated after 200 plies.

What becomes of an action that is not legal is chosen by `illegal`: with "lose" the agent loses the
game; with "raise" it is told so by an error and the game stays as it was; with "ignore" nothing
happens but a line, `illegal`, in its `info`, and it is asked again.

Everything handed out is new and is not touched again. Nothing needs to be wrapped: calls out of
order and bad actions are dealt with here, so `env` and `raw_env` are the same.
"""

from __future__ import annotations

import operator
import random
from typing import Any, TypeAlias

import numpy as np
from pettingzoo import AECEnv

from gridwise.core.board import Board
from gridwise.core.game import RESULTS, Game
from gridwise.core.playout import CAP
from gridwise.core.registry import game as game_of
from gridwise.core.view import View
from gridwise.envs import deals, spaces
from gridwise.envs.boards import Size, blank
from gridwise.envs.observation import Int8s, Observer, spread
from gridwise.envs.options import check_illegal
from gridwise.envs.pictures import RENDER_MODES, check_render_mode, render
from gridwise.errors import BadRequest, IllegalMove, OutOfTurn, quoted
from gridwise.play.match import who_is_first

PLAYERS = {"player_1": 1, "player_2": 2}
AGENTS = ("", *PLAYERS)  # by player

Observation: TypeAlias = dict[str, Int8s]


class GridEnv(AECEnv[str, Observation, "int | None"]):
    """One game after another, on uniform boards or always on the same.

    `board` is a Board or its text, `size` rows and columns for the boards that are dealt.
    """

    def __init__(
        self,
        key: str | Game,
        board: Board | str | None = None,
        size: Size = None,
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        check_render_mode(render_mode)
        self._game = game_of(key) if isinstance(key, str) else key
        self._blank = blank(self._game, board, size)
        self._policy = check_illegal(illegal)
        self.render_mode = render_mode
        self.metadata = {
            "name": f"gridwise_{self._game.key.replace('-', '_')}_v0",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = list(PLAYERS)
        self.observation_spaces = {
            agent: spaces.observation_space(self._game, self._blank) for agent in PLAYERS
        }
        self.action_spaces = {
            agent: spaces.action_space(self._game, self._blank) for agent in PLAYERS
        }
        self._actions = self._game.actions(self._blank)
        self._rng = random.Random()
        self._observe = Observer(self._game, self._blank.rows, self._blank.cols)
        self.agents: list[str] = []  # nobody plays before `reset`
        self.agent_selection = AGENTS[1]

    # Spaces

    def observation_space(self, agent: str) -> Any:  # noqa: ANN401 - as PettingZoo has it
        """What `observe` gives that agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:  # noqa: ANN401 - as PettingZoo has it
        """What that agent can do."""
        return self.action_spaces[agent]

    # Playing

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. `seed` begins a new series of boards; without it the series goes on.

        Options are `board`, of the environment's size, and `first`, 1 or 2, where a coin would
        decide. Others are let pass, as PettingZoo wants it.
        """
        if seed is not None:
            self._rng = random.Random(f"gridwise deal {seed}")
        options = options or {}
        self._board = self._dealt(options.get("board"))
        first = who_is_first(self._game, options.get("first"), self._rng)
        self._state = self._game.rules.start(self._board, first)
        self._legal = self._game.rules.moves(self._board, self._state)
        self._plies = 0
        self._last = -1
        self._stopped: int | None = None
        self.agents = list(PLAYERS)
        self.agent_selection = AGENTS[first]
        self._skip_agent_selection = None
        self._cumulative_rewards = dict.fromkeys(PLAYERS, 0.0)
        self.terminations = dict.fromkeys(PLAYERS, False)
        self.truncations = dict.fromkeys(PLAYERS, False)
        self._turn_over()

    def _dealt(self, wanted: Board | str | None) -> Board:
        game = self._game
        if wanted is None:
            return deals.fill(game, self._blank, self._rng)
        board = blank(game, wanted, None)
        if (board.rows, board.cols) != (self._blank.rows, self._blank.cols):
            raise BadRequest(
                f"The environment has boards of {self._blank.rows} rows and {self._blank.cols} "
                f"columns, not of {board.rows} and {board.cols}. Make one with `size`."
            )
        return deals.fill(game, board, self._rng)

    def step(self, action: int | None) -> None:
        """Play an action for the agent whose turn it is; None for one whose game is over."""
        if not self.agents:
            raise OutOfTurn("There is no game to play in: call reset() first.")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._leave(action)
            return
        try:
            chosen = operator.index(action)  # type: ignore[arg-type] # that is the question
        except TypeError:
            chosen = -1
        if chosen < 0 or not self._legal >> chosen & 1:
            self._refuse(action)
        else:
            self._play(chosen)

    def _play(self, action: int) -> None:
        board, before, rules = self._board, self._state, self._game.rules
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._state = state = rules.play(board, before, action)
        self._legal = legal = rules.moves(board, state)
        self._plies += 1
        self._last = action
        self._before = before
        if not legal:
            self._end(rules.winner(board, state), self._game.words.reason(board, state))
        elif self._plies >= CAP and self._game.cyclic:
            self._stopped = 0
            self._end(0, f"unfinished after {CAP} plies")
        else:
            self.agent_selection = AGENTS[state.turn]
            self._turn_over()

    def _refuse(self, action: object) -> None:
        """Deal with an action that is not legal, as was chosen."""
        game, board = self._game, self._game.seen(self._board, self._state)
        possible = ", ".join(
            f"{number} ({game.words.action_name(board, self._state, number)})"
            for number in game.legal_actions(board, self._state)
        )
        mover = self._state.turn
        message = f"Action {quoted(str(action))} is not legal now. Possible: {possible}."
        if self._policy == "raise":
            raise IllegalMove(message)
        self._cumulative_rewards[self.agent_selection] = 0.0
        if self._policy == "ignore":
            self._turn_over()
            self.infos[self.agent_selection]["illegal"] = message
            return
        self._stopped = 3 - mover
        self._end(3 - mover, f"Player {mover} made an illegal move")

    def _end(self, winner: int, reason: str) -> None:
        self._legal = 0  # it is nobody's turn
        self.terminations = dict.fromkeys(PLAYERS, bool(winner))
        self.truncations = dict.fromkeys(PLAYERS, not winner)
        self.agent_selection = AGENTS[3 - PLAYERS[self.agent_selection]]
        self._turn_over()
        if winner in (1, 2):
            self.rewards = {AGENTS[winner]: 1.0, AGENTS[3 - winner]: -1.0}
        for agent, reward in self.rewards.items():
            self._cumulative_rewards[agent] += reward
        for info in self.infos.values():
            info |= {"reason": reason, "result": RESULTS[winner]}

    def _turn_over(self) -> None:
        """Set what every agent is told when a step is done, as if nothing had happened."""
        self.rewards = dict.fromkeys(PLAYERS, 0.0)
        self.infos: dict[str, dict[str, Any]] = {
            agent: {"action_mask": self._mask(agent)} for agent in PLAYERS
        }

    def _mask(self, agent: str) -> Int8s:
        legal = self._legal if agent == self.agent_selection else 0
        return np.frombuffer(bytearray(spread(legal, self._actions)), np.int8)

    def _leave(self, action: object) -> None:
        """Take an agent whose game is over out of everything, by making everything anew."""
        if action is not None:
            raise BadRequest("The game is over for this agent: the only action left is None.")
        gone = self.agent_selection
        self.agents = [agent for agent in self.agents if agent != gone]
        for name in ("terminations", "truncations", "infos", "_cumulative_rewards"):
            kept = getattr(self, name)
            setattr(self, name, {agent: kept[agent] for agent in self.agents})
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.agents:
            self.agent_selection = self.agents[0]

    # Seeing

    def observe(self, agent: str) -> Observation:
        """What an agent sees, and what it may do."""
        if not hasattr(self, "_state"):
            raise OutOfTurn("There is nothing to see before reset().")
        return {
            "observation": self._observe(self._board, self._state, PLAYERS[agent]),
            "action_mask": self._mask(agent),
        }

    @property
    def view(self) -> View:
        """The position as it may be shown."""
        last = self._last
        if last >= 0:
            last = self._game.words.target(self._board, self._before, last)
        return self._game.view(self._board, self._state, last, self._stopped)

    def render(self) -> Any:  # noqa: ANN401 - text or pixels, by the mode
        """The position in the mode that was chosen."""
        return render(self.view, self.render_mode)

    def close(self) -> None:
        """Nothing is held that has to be let go."""

    # Copying: a game is found again by its key, its rules need not travel.

    def __getstate__(self) -> dict[str, Any]:
        kept = self.__dict__ | {"_game": self._game.key}
        del kept["_observe"]
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._game = game_of(kept["_game"])
        self._observe = Observer(self._game, self._blank.rows, self._blank.cols)


env = raw_env = GridEnv
