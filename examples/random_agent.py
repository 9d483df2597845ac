"""The simplest agent: any legal move. It shows the three things an agent has to do.

    python examples/random_agent.py number-run

It plays a few games on alternating sides against a bot, one game at a time, and is then graded.
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium
import numpy as np

import gridwise
import gridwise.envs.gymnasium


def main() -> None:
    """Play, and be graded."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="?", default="number-run", help="number-run, grid-conquest …")
    parser.add_argument("--opponent", default="casual", help="a bot level")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    rng = np.random.default_rng(chosen.seed)

    def agent(observation: dict[str, Any]) -> int:
        """Any action that the mask allows."""
        return int(rng.choice(np.flatnonzero(observation["action_mask"])))

    game = gridwise.game(chosen.game)
    name = gridwise.envs.gymnasium.id_of(game)
    env = gymnasium.make(name, opponent=chosen.opponent, side="alternate")
    seen, _ = env.reset(seed=chosen.seed)
    points = 0.0
    for number in range(chosen.games):
        over = False
        while not over:
            seen, reward, ended, stopped, info = env.step(agent(seen))
            over = ended or stopped
        points += (float(reward) + 1) / 2
        print(f"game {number + 1}: {reward:+.0f}, {info['reason']}")
        seen, _ = env.reset()
    print(f"{points:g} of {chosen.games} points against {chosen.opponent}\n")
    print(gridwise.grade(agent, game, games=20, seed=chosen.seed))


if __name__ == "__main__":
    main()
