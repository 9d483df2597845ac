"""Thousands of games at once for Gymnasium: `gymnasium.make_vec("gridwise/NumberRun-v0", 4096)`.

A step plays an action in every game and gives observations, action masks, rewards and endings as
arrays, all from compiled code. `gridwise.envs.gymnasium` registers the ids, and plays one game at a
time by the same rules: game k is the single game of `reset(seed=seeds[k])`, where `seeds[0]` is the
seed of the reset and the others are drawn from it.

The options are those of `gridwise.envs.gymnasium`, but:

| option | values |
|---|---|
| `opponent` | None: the agent plays both sides, and is rewarded as the one who moved; `"random"` and, where nothing is hidden, `"perfect"`, compiled; a function of observations and masks, asked once for all games that wait; any other player, asked about one game after the other |
| `threads` | on how many threads the compiled code runs; 1 unless given |
| `max_episode_steps` | after how many of the agent's steps a game is truncated |
| `autoreset_mode` | as Gymnasium has it: next step, same step, or disabled |

A game that is over has nothing to play: its mask is empty. With next step, the default, every game
is seen once like that, before the step that resets it and does not look at its action. With same
step no mask is empty but those in `info["final_obs"]`.
"""  # noqa: E501 - a table has long rows

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, TypeAlias, Unpack

import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.engine.batch import (
    Bools,
    GameBatch,
    Int64s,
    UInt64s,
    new_streams,
    nothing_happened,
)
from gridwise.engine.batch_kernels import StepRows
from gridwise.engine.compiled.threads import Threads
from gridwise.engine.observation import Observation
from gridwise.envs.opponents import FAILED, Opponent, batch_opponent, is_random
from gridwise.envs.options import (
    RESET_OPTIONS,
    Environment,
    Side,
    action_space,
    check_labels,
    check_reset_options,
    check_side,
    observation_space,
)
from gridwise.envs.render import RENDER_MODES, render
from gridwise.errors import BadRequest, OutOfTurn
from gridwise.play.boards import BoardOptions
from gridwise.players.batch_player import action_array

Info: TypeAlias = dict[str, Any]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class GridwiseVectorEnv(Environment, VectorEnv[Observation, Any, npt.NDArray[Any]]):
    """Many games of one kind, stepped together."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES)}  # type: ignore[misc]

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        *,
        opponent: Opponent = None,
        side: Side = 1,
        max_plies: int | None = None,
        max_episode_steps: int | None = None,
        labels: bool = False,
        threads: int = 1,
        illegal: str = "lose",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        **boards: Unpack[BoardOptions],
    ) -> None:
        self._read_options(
            game, boards, illegal=illegal, max_plies=max_plies, render_mode=render_mode
        )
        if num_envs < 1:
            raise BadRequest(f"There must be at least one game, not {num_envs}.")
        self.num_envs = num_envs
        self._mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self._mode}  # type: ignore[misc]
        self._labels = check_labels(self.game, labels)
        template = self._source.board
        together = Threads(threads)
        self._opponent = batch_opponent(opponent, self.game, template, num_envs, together)
        self._games = GameBatch(
            self.game,
            self._source.templates,
            num_envs,
            fair=self._source.fair,
            opponent=self._opponent,
            random_opponent=is_random(opponent),
            side=check_side(side, opponent),
            illegal=illegal,
            max_plies=self._max_plies,
            threads=together,
        )
        if max_episode_steps is not None and max_episode_steps != -1 and max_episode_steps < 1:
            raise BadRequest(f"max_episode_steps is a number from 1 on, not {max_episode_steps}.")
        self._max_steps = max(max_episode_steps or 0, 0)  # 0 for none; Gymnasium says -1 for that
        self._steps = np.zeros(num_envs, np.int64)
        self._over = np.zeros(num_envs, np.bool_)
        self._ready = False  # whether all games have been started
        self.single_observation_space = observation_space(self.game, template)
        self.single_action_space = action_space(self.game, template)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    # Beyond what Gymnasium asks for

    def position(self, number: int) -> Position:
        """One of the games as a player is given it; the board as far as it has been seen."""
        if not self._ready:
            raise ResetNeeded("Call reset() first: no game has begun.")
        if not 0 <= number < self.num_envs:
            raise BadRequest(f"The games are 0 to {self.num_envs - 1}, not {number}.")
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

    @property
    def seeds(self) -> UInt64s:
        """The seed of each game's series: with it the single environment plays the same games."""
        return self._games.seeds

    # What Gymnasium asks for

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, Info]:
        """Start all games, or those of `options["reset_mask"]`.

        Other options are `board`, for once, or a list of as many boards as there are games, and
        `first`, 1 or 2, where a coin would decide.
        """
        games = self._games
        given = check_reset_options(options, ("reset_mask", *RESET_OPTIONS))
        chosen = self._chosen(given.get("reset_mask"))
        board, boards = given.get("board"), None
        if isinstance(board, list | tuple):
            if len(board) != self.num_envs:
                raise BadRequest(
                    f"{self.num_envs} games need one board, or as many, not {len(board)}."
                )
            boards = self._source.only(board).templates
        elif board is not None:
            boards = self._source.only([board]).templates
        first = given.get("first")
        first = None if first is None else self.game.check_first(first)
        if seed is None and not self._ready:
            seed = int(self.np_random.integers(1 << 62))
            games.secret = self.game.has_hidden_cells and games.opponent is not None
        elif isinstance(seed, int | np.integer):
            seed, games.secret = int(seed), False
            super().reset(seed=seed)
        if seed is not None:
            games.seed(*self._seeds(seed, chosen))
        games.deal(chosen, boards, first)
        self._ready = True
        self._over = self._over & ~chosen
        self._steps[chosen] = 0
        return games.observe(games.everyone), self._info(nothing_happened(self.num_envs), chosen)

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[Observation, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], Info]:
        """Play an action in each game; those of games about to be reset do not matter."""
        games, over = self._games, self._over
        if not self._ready:
            raise ResetNeeded("Call reset() before the first step().")
        if games.interrupted:
            raise ResetNeeded(FAILED)
        waiting = bool(over.any())
        if waiting and self._mode == AutoresetMode.DISABLED:
            numbers = ", ".join(map(str, np.flatnonzero(over)[:10]))
            raise OutOfTurn(
                f"Games that are over cannot be stepped: {numbers}. "
                'Reset them with reset(options={"reset_mask": …}).'
            )
        played = action_array(actions, self.num_envs, f"{self.num_envs} games need an array of")
        if self._mode == AutoresetMode.SAME_STEP:
            return self._step_and_reset(played)
        step, observed = games.advance(played, over)
        self._count_steps(step, over)
        self._over = step.ended | step.stopped
        return observed, step.rewards, step.ended, step.stopped, self._info(step, games.everyone)

    def _step_and_reset(
        self, actions: Int64s
    ) -> tuple[Observation, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], Info]:
        """A step after which the games that it ends begin again."""
        games = self._games
        step = games.step(actions, games.everyone)
        self._count_steps(step, self._over)
        done = step.ended | step.stopped
        final: Info = {}
        after = step
        if done.any():
            last, numbers = games.observe(done), np.flatnonzero(done)
            final_obs = np.full(self.num_envs, None, object)  # in the shape of SyncVectorEnv's
            for number in numbers.tolist():
                final_obs[number] = {name: array[number] for name, array in last.items()}
            final = {
                "final_obs": final_obs,
                "_final_obs": done,
                "final_info": self._info(step, done),
                "_final_info": done.copy(),
            }
            games.deal(done)
            self._steps[done] = 0
            winners, illegal = np.where(done, 0, step.winners), step.illegal & ~done
            after = step._replace(winners=winners, illegal=illegal)
        info = self._info(after, games.everyone) | final
        return games.observe(games.everyone), step.rewards, step.ended, step.stopped, info

    def _count_steps(self, step: StepRows, begun: Bools) -> None:
        """Truncate the games that have had as many steps as they may; some have only begun."""
        if not self._max_steps:
            return
        self._steps = np.where(begun, 0, self._steps + 1)
        np.logical_or(step.stopped, self._steps >= self._max_steps, out=step.stopped)

    def render(self) -> tuple[Any, ...] | None:
        """A picture of every game, in the mode that was chosen."""
        views = (self.position(number).view for number in range(self.num_envs))
        return tuple(render(view, self.render_mode) for view in views)

    def close_extras(self, **_options: Any) -> None:  # noqa: ANN401 - as Gymnasium has it
        """End the opponent's program, where it is one."""
        if self._opponent:
            self._opponent.close()

    def _info(self, step: StepRows, about: Bools) -> Info:
        """Gymnasium's form: an array for each name, and a mask of the games it is about."""
        infos = {
            "to_play": self._games.turns,
            "plies": self._games.plies.copy(),
            "winner": step.winners,
            "illegal": step.illegal,
        }
        if self._labels:
            infos |= self._games.labels()
        if about is not self._games.everyone:
            infos = {name: _only(values, about) for name, values in infos.items()}
        masks = np.tile(about, (len(infos), 1))
        return infos | {f"_{name}": mask for name, mask in zip(infos, masks, strict=True)}

    def _chosen(self, mask: Any) -> Bools:  # noqa: ANN401 - to be checked
        if mask is None:
            return self._games.everyone
        bools = isinstance(mask, np.ndarray) and mask.dtype == np.bool_
        if not bools or mask.shape != (self.num_envs,) or not mask.any():
            raise BadRequest(
                f"`reset_mask` must be a numpy array of {self.num_envs} bools, not all False."
            )
        if not mask.all() and (not self._ready or self._games.interrupted):
            raise ResetNeeded("Call reset() for all games before a reset of some.")
        chosen: Bools = mask.copy()
        return chosen

    def _seeds(self, seed: int | Sequence[int | None], chosen: Bools) -> tuple[UInt64s, Bools]:
        """A seed for each game, and which games start a new series; the others continue theirs."""
        if isinstance(seed, int):
            return seeds_of_games(seed, self.num_envs), chosen
        if len(seed) != self.num_envs:
            raise BadRequest(f"{self.num_envs} games need as many seeds, not {len(seed)}.")
        numbers = self.np_random.integers(1 << 62, size=self.num_envs).astype(np.uint64)
        given = np.array([each is not None for each in seed])
        numbers[given] = [each & (1 << 64) - 1 for each in seed if each is not None]
        return numbers, chosen & given if self._ready else chosen


def _only(values: npt.NDArray[Any], about: Bools) -> npt.NDArray[Any]:
    """A copy with zeros for the other games."""
    kept = values.copy()
    kept[~about] = 0
    return kept


def seeds_of_games(seed: int, count: int) -> UInt64s:
    """The seeds of as many games: the seed itself, and numbers drawn from it, far from each other.

    So that seeds which are near each other, as people choose them, do not share games.
    """
    first = np.uint64(seed & (1 << 64) - 1)
    further = new_streams(np.array([first])).view(np.uint64) + _GOLDEN * np.arange(
        count, dtype=np.uint64
    )
    seeds = new_streams(further).view(np.uint64) >> np.uint64(1)
    seeds[0] = first
    return seeds
