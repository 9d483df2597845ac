"""Stable-Baselines3 on the vector environment: thousands of compiled games behind its VecEnv.

    pip install torch==2.13.0 sb3-contrib
    python examples/sb3_vec_env.py number-connect --games 1024 --opponent perfect

SB3 makes vector environments of single ones. This class hands it ours instead. What SB3 and
Gymnasium say differently is the reset, which SB3 wants in the same step, and `info`, which it wants
as a list.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv

import gridwise
from gridwise.envs.vector import GridwiseVectorEnv


class GridwiseVecEnv(VecEnv):
    """A GridwiseVectorEnv as Stable-Baselines3 asks for it."""

    def __init__(self, game: str, num_envs: int, **options: Any) -> None:  # noqa: ANN401 - see there
        self.games = GridwiseVectorEnv(game, num_envs, autoreset_mode="SameStep", **options)
        self.render_mode = None
        spaces = self.games.single_observation_space, self.games.single_action_space
        super().__init__(num_envs, *spaces)
        self._masks = np.zeros((num_envs, spaces[1].n), np.bool_)
        self._actions = np.zeros(num_envs, np.int64)

    def reset(self) -> dict[str, np.ndarray[Any, Any]]:
        """Start all games; `seed` says with which seed, the next time."""
        seed = self._seeds[0]
        seen, _ = self.games.reset(seed=seed)
        self._reset_seeds()
        self._masks = seen["action_mask"].astype(np.bool_)
        return seen

    def step_async(self, actions: np.ndarray[Any, Any]) -> None:
        """Remember the actions."""
        self._actions = actions

    def step_wait(self) -> Any:  # noqa: ANN401 - as SB3 has it
        """Play them; games that are over begin again."""
        seen, rewards, ended, stopped, info = self.games.step(self._actions)
        self._masks = seen["action_mask"].astype(np.bool_)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        done = ended | stopped
        for number in np.flatnonzero(done).tolist():
            infos[number] = {
                "terminal_observation": info["final_obs"][number],
                "TimeLimit.truncated": bool(stopped[number]),
                "winner": int(info["final_info"]["winner"][number]),
            }
        return seen, rewards.astype(np.float32), done, infos

    def action_masks(self) -> np.ndarray[Any, Any]:
        """Which actions are legal in each game."""
        return self._masks

    def close(self) -> None:
        """End the opponent's program, where it is one."""
        self.games.close()

    # What SB3 asks about the environments inside: they are all alike, and MaskablePPO wants masks.

    def env_method(
        self,
        method_name: str,
        *args: Any,  # noqa: ANN401
        indices: Any = None,  # noqa: ANN401
        **kwargs: Any,  # noqa: ANN401
    ) -> list[Any]:
        """Call a method of each game; there is `action_masks` and nothing else."""
        if method_name != "action_masks" or args or kwargs:
            raise AttributeError(f"The games have no method {method_name}.")
        return list(self._masks[self._numbers(indices)])

    def has_attr(self, attr_name: str) -> bool:
        """Whether the games have an attribute."""
        return attr_name in {"action_masks", "render_mode"}

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:  # noqa: ANN401
        """An attribute of each game."""
        return [getattr(self, attr_name) for _ in self._numbers(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:  # noqa: ANN401, ARG002
        """Nothing can be set."""
        raise AttributeError(f"{attr_name} cannot be set.")

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:  # noqa: ANN401, ARG002
        """None of the games is wrapped."""
        return [False for _ in self._numbers(indices)]

    def _numbers(self, indices: Any) -> Sequence[int]:  # noqa: ANN401 - None, a number, or numbers
        return [int(number) for number in self._get_indices(indices)]


def main() -> None:
    """Learn for a while, then be graded."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", help="number-run, number-connect …")
    parser.add_argument("--games", type=int, default=256, help="how many are played at once")
    parser.add_argument("--opponent", default="random", help="a bot level, ugi:COMMAND …")
    parser.add_argument("--steps", type=int, default=200_000)
    chosen = parser.parse_args()
    env = GridwiseVecEnv(chosen.game, chosen.games, opponent=chosen.opponent, side="random")
    env.seed(1)
    model = MaskablePPO(
        "MultiInputPolicy", env, seed=1, n_steps=16, batch_size=1024, gamma=1.0, verbose=0
    )
    began = time.perf_counter()
    model.learn(chosen.steps)
    seconds = time.perf_counter() - began
    print(f"{chosen.steps:,} steps in {seconds:.0f} s, {chosen.steps / seconds:,.0f} a second")

    def maskable_ppo(seen: dict[str, Any]) -> Any:  # noqa: ANN401 - an array of actions
        return model.predict(seen, action_masks=seen["action_mask"], deterministic=True)[0]

    print(gridwise.grade(maskable_ppo, chosen.game, games=100, seed=1, batch=True))


if __name__ == "__main__":
    main()
