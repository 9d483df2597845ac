"""Thousands of games at once for Gymnasium: `gymnasium.make_vec("gridwise/NumberRun-v0", 4096)`.

A step plays an action in every game and gives observations, action masks, rewards and endings as
arrays, all from compiled code. `gridwise.envs.gymnasium` registers the ids, and plays one game at a
time by the same rules: equal seeds give equal games in both.

| option | values |
|---|---|
| `opponent` | None: the agent plays for whoever is to move, and is rewarded as the one who moved; `"random"`, compiled; a function of observations and masks, asked once for all games that wait; another bot level or a Player, asked about one game after the other |
| `side` | 1, 2, `"alternate"` or `"random"`: which player the agent is, where there is an opponent |
| `board`, `size` | one board for all games, or rows by columns; by default fresh uniform boards of the standard size |
| `illegal` | what an illegal action does: `"lose"` the game, `"raise"` an error, or be `"ignore"`d |
| `autoreset_mode` | as Gymnasium has it: next step, same step, or disabled |
| `render_mode` | `"ansi"`, `"svg"` or `"rgb_array"`: `render()` gives a picture of each game |
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

from gridwise.core.board import Board
from gridwise.core.game import Game, Position
from gridwise.core.registry import game as game_of
from gridwise.envs.boards import Size, blank
from gridwise.envs.many import Bools, ManyGames, Outcome, nothing
from gridwise.envs.observation import Int8s
from gridwise.envs.options import Opponent, Side, check_illegal, check_opponent, check_side
from gridwise.envs.pictures import RENDER_MODES, check_render_mode, render
from gridwise.envs.spaces import action_space, observation_space
from gridwise.envs.streams import Int64s
from gridwise.errors import BadRequest, OutOfTurn

Seen: TypeAlias = dict[str, Int8s]
Info: TypeAlias = dict[str, Any]


class GridwiseVectorEnv(VectorEnv[Seen, Any, npt.NDArray[Any]]):
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
        self.game = game_of(game) if isinstance(game, str) else game
        self.num_envs = num_envs
        self._mode = _mode_of(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self._mode}  # type: ignore[misc]
        start = blank(self.game, board, size)
        self._games = ManyGames(
            self.game,
            start,
            num_envs,
            opponent=check_opponent(opponent),
            side=check_side(side),
            illegal=check_illegal(illegal),
        )
        self._over = np.zeros(num_envs, np.bool_)
        self._ready = False  # whether all games have been started
        self.single_observation_space = observation_space(self.game, start)
        self.single_action_space = action_space(self.game, start)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    # Beyond what Gymnasium asks for

    def position(self, number: int) -> Position:
        """One of the games, as a bot or a drawing wants it; the board as far as it was seen."""
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
    ) -> tuple[Seen, Info]:
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
        return games.observe(games.everyone), self._info(nothing(self.num_envs), chosen)

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[Seen, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], Info]:
        """Play an action in each game; those of games about to be reset do not matter."""
        games, over = self._games, self._over
        if not self._ready:
            raise ResetNeeded("Call reset() before the first step().")
        if games.torn:
            raise ResetNeeded("The opponent failed to answer the last step: call reset().")
        waiting = bool(over.any())
        if waiting and self._mode == AutoresetMode.DISABLED:
            numbers = ", ".join(map(str, np.flatnonzero(over)[:10]))
            raise OutOfTurn(
                f"Games that are over cannot be stepped: {numbers}. "
                'Reset them with reset(options={"reset_mask": …}).'
            )
        outcome = games.step(self._read(actions), ~over if waiting else games.everyone)
        if waiting:
            games.deal(over)
        done = outcome.ended | outcome.stopped
        final: Info = {}
        after = outcome
        if self._mode == AutoresetMode.SAME_STEP:
            if done.any():
                final = {
                    "final_obs": games.observe(done),
                    "_final_obs": done,
                    "final_info": self._info(outcome, done),
                    "_final_info": done.copy(),
                }
                games.deal(done)
                after = outcome._replace(
                    winners=np.where(done, 0, outcome.winners), illegal=outcome.illegal & ~done
                )
        else:
            self._over = done
        seen = games.observe(games.everyone)
        info = self._info(after, games.everyone) | final
        return seen, outcome.rewards, outcome.ended, outcome.stopped, info

    def render(self) -> tuple[Any, ...] | None:
        """A picture of every game, in the mode that was chosen."""
        positions = [self.position(number) for number in range(self.num_envs)]
        views = [self.game.view(position.board, position.state) for position in positions]
        return tuple(render(view, self.render_mode) for view in views)

    def _info(self, outcome: Outcome, about: Bools) -> Info:
        """What is told beside, as Gymnasium forms it: an array, and which games it is about."""
        told = {
            "to_play": self._games.turns,
            "plies": self._games.plies.copy(),
            "winner": outcome.winners.copy(),
            "illegal": outcome.illegal.copy(),
        }
        if about is not self._games.everyone:
            told = {name: np.where(about, values, 0) for name, values in told.items()}
        return {**told, **{f"_{name}": about.copy() for name in told}}

    def _chosen(self, options: dict[str, Any] | None) -> Bools:
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return self._games.everyone
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise BadRequest("`reset_mask` must be a numpy array of bools.")
        if mask.shape != (self.num_envs,) or not mask.any():
            raise BadRequest(
                f"`reset_mask` must have {self.num_envs} bools, not all of them False."
            )
        if not mask.all() and (not self._ready or self._games.torn):
            raise ResetNeeded("Call reset() for all games before a reset of some.")
        return mask.copy()

    def _seeds(
        self, seed: int | Sequence[int | None], chosen: Bools
    ) -> tuple[npt.NDArray[np.uint64], Bools]:
        """A seed for each game, and which games begin anew; a series without a seed goes on."""
        if isinstance(seed, int):
            first = np.uint64(seed & (1 << 64) - 1)
            return first + np.arange(self.num_envs, dtype=np.uint64), chosen
        if len(seed) != self.num_envs:
            raise BadRequest(f"{self.num_envs} games need as many seeds, not {len(seed)}.")
        numbers = self.np_random.integers(1 << 62, size=self.num_envs).astype(np.uint64)
        given = np.array([each is not None for each in seed])
        numbers[given] = [_seed(each) for each in seed if each is not None]
        return numbers, chosen & given if self._ready else chosen

    def _read(self, actions: npt.ArrayLike) -> Int64s:
        read = np.asarray(actions)
        if read.shape != (self.num_envs,) or not np.issubdtype(read.dtype, np.integer):
            raise BadRequest(
                f"{self.num_envs} games need an array of as many actions, whole numbers, "
                f"not one of {read.dtype} of the shape {read.shape}."
            )
        return np.ascontiguousarray(read, np.int64)


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
