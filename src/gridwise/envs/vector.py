"""Thousands of games at once for Gymnasium: `gymnasium.make_vec("gridwise/NumberRun-v0", 4096)`.

A step plays an action in every game and gives observations, action masks, rewards and endings as
arrays, all from compiled code. `gridwise.envs.gymnasium` registers the ids, and plays one game at a
time by the same rules: game k of `reset(seed=s)` is the single game of `reset(seed=s + k)`.

The options are those of `gridwise.envs.gymnasium`, but:

| option | values |
|---|---|
| `opponent` | None: the agent plays both sides, and is rewarded as the one who moved; `"random"`, compiled; a function of observations and masks, asked once for all games that wait; another bot level, `"ugi:COMMAND"` or a Player, asked about one game after the other |
| `autoreset_mode` | as Gymnasium has it: next step, same step, or disabled |
"""  # noqa: E501 - a table has long rows

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from gridwise.arena.boards import Size, board_template
from gridwise.arena.observation import Observation
from gridwise.arena.players import action_array
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.core.registry import game as game_named
from gridwise.envs.game_batch import Bools, GameBatch, Int64s, StepResult, UInt64s
from gridwise.envs.shared.env_options import OPPONENT_FAILED, Opponent, Side
from gridwise.envs.shared.render import RENDER_MODES, check_render_mode, render
from gridwise.envs.shared.spaces import action_space, observation_space
from gridwise.errors import BadRequest, OutOfTurn

Info: TypeAlias = dict[str, Any]


class GridwiseVectorEnv(VectorEnv[Observation, Any, npt.NDArray[Any]]):
    """Many games of one kind, stepped together."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES)}  # type: ignore[misc]

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        *,
        opponent: Opponent = None,
        side: Side = 1,
        board: Board | str | None = None,
        size: Size = None,
        illegal: str = "lose",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode)
        self.render_mode = render_mode
        if num_envs < 1:
            raise BadRequest(f"There must be at least one game, not {num_envs}.")
        self.game = game_named(game) if isinstance(game, str) else game
        self.num_envs = num_envs
        self._mode = _mode_of(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self._mode}  # type: ignore[misc]
        template = board_template(self.game, board, size)
        self._games = GameBatch(
            self.game, template, num_envs, opponent=opponent, side=side, illegal=illegal
        )
        self._over = np.zeros(num_envs, np.bool_)
        self._ready = False  # whether all games have been started
        self.single_observation_space = observation_space(self.game, template)
        self.single_action_space = action_space(self.game, template)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    # Beyond what Gymnasium asks for

    def position(self, number: int) -> Position:
        """One of the games as a player is given it; the board as far as it has been seen."""
        return self._games.position(number)

    def random_actions(self) -> Int64s:
        """A legal action for each game, each equally likely, compiled; 0 where the game is over.

        They come from streams of their own, which `reset(seed=…)` begins again.
        """
        return self._games.random_actions()

    @property
    def sides(self) -> Int64s:
        """Which player the agent is in each game; 0 in self-play."""
        return self._games.sides.copy()

    # What Gymnasium asks for

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, Info]:
        """Start all games, or those of `options["reset_mask"]`; game k gets the seed `seed + k`."""
        games = self._games
        chosen = self._chosen(options)
        if seed is None and not self._ready:
            seed = int(self.np_random.integers(1 << 62))
        elif isinstance(seed, int | np.integer):
            seed = int(seed)
            super().reset(seed=seed)
        if seed is not None:
            games.seed(*self._seeds(seed, chosen))
        games.deal(chosen)
        self._ready = True
        self._over = self._over & ~chosen
        return games.observe(games.everyone), self._info(StepResult.empty(self.num_envs), chosen)

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[Observation, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], Info]:
        """Play an action in each game; those of games about to be reset do not matter."""
        games, over = self._games, self._over
        if not self._ready:
            raise ResetNeeded("Call reset() before the first step().")
        if games.interrupted:
            raise ResetNeeded(OPPONENT_FAILED)
        waiting = bool(over.any())
        if waiting and self._mode == AutoresetMode.DISABLED:
            numbers = ", ".join(map(str, np.flatnonzero(over)[:10]))
            raise OutOfTurn(
                f"Games that are over cannot be stepped: {numbers}. "
                'Reset them with reset(options={"reset_mask": …}).'
            )
        played = action_array(actions, self.num_envs, f"{self.num_envs} games need an array of")
        result = games.step(played, ~over if waiting else games.everyone)
        if waiting:
            games.deal(over)
        done = result.ended | result.stopped
        final: Info = {}
        after = result
        if self._mode == AutoresetMode.SAME_STEP:
            if done.any():
                final = {
                    "final_obs": games.observe(done),
                    "_final_obs": done,
                    "final_info": self._info(result, done),
                    "_final_info": done.copy(),
                }
                games.deal(done)
                after = result._replace(
                    winners=np.where(done, 0, result.winners), illegal=result.illegal & ~done
                )
        else:
            self._over = done
        observed = games.observe(games.everyone)
        info = self._info(after, games.everyone) | final
        return observed, result.rewards, result.ended, result.stopped, info

    def render(self) -> tuple[Any, ...] | None:
        """A picture of every game, in the mode that was chosen."""
        views = (self.position(number).view for number in range(self.num_envs))
        return tuple(render(view, self.render_mode) for view in views)

    def close_extras(self, **_options: Any) -> None:  # noqa: ANN401 - as Gymnasium has it
        """End the opponent's program, where it is one."""
        if self._games.opponent:
            self._games.opponent.close()

    def _info(self, result: StepResult, about: Bools) -> Info:
        """Gymnasium's form: an array for each name, and a mask of the games it is about."""
        infos = {
            "to_play": self._games.turns,
            "plies": self._games.plies.copy(),
            "winner": result.winners.copy(),
            "illegal": result.illegal.copy(),
        }
        if about is not self._games.everyone:
            infos = {name: np.where(about, values, 0) for name, values in infos.items()}
        return {**infos, **{f"_{name}": about.copy() for name in infos}}

    def _chosen(self, options: dict[str, Any] | None) -> Bools:
        mask: Bools | None = (options or {}).get("reset_mask")
        if mask is None:
            return self._games.everyone
        bools = isinstance(mask, np.ndarray) and mask.dtype == np.bool_
        if not bools or mask.shape != (self.num_envs,) or not mask.any():
            raise BadRequest(
                f"`reset_mask` must be a numpy array of {self.num_envs} bools, not all False."
            )
        if not mask.all() and (not self._ready or self._games.interrupted):
            raise ResetNeeded("Call reset() for all games before a reset of some.")
        return mask.copy()

    def _seeds(self, seed: int | Sequence[int | None], chosen: Bools) -> tuple[UInt64s, Bools]:
        """A seed for each game, and which games start a new series; the others continue theirs."""
        if isinstance(seed, int):
            first = np.uint64(seed & (1 << 64) - 1)
            return first + np.arange(self.num_envs, dtype=np.uint64), chosen
        if len(seed) != self.num_envs:
            raise BadRequest(f"{self.num_envs} games need as many seeds, not {len(seed)}.")
        numbers = self.np_random.integers(1 << 62, size=self.num_envs).astype(np.uint64)
        given = np.array([each is not None for each in seed])
        numbers[given] = [_seed(each) for each in seed if each is not None]
        return numbers, chosen & given if self._ready else chosen


def _seed(number: int) -> int:
    try:
        found = operator.index(number)
    except TypeError:
        found = -1
    if found < 0:
        raise BadRequest(f"A seed is a whole number from 0 on, not {number!r}.")
    return found & (1 << 64) - 1


def _mode_of(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        modes = ", ".join(mode.value for mode in AutoresetMode)
        raise BadRequest(f"The autoreset mode is one of {modes}, not {mode!r}.") from None
