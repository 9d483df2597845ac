"""MaskablePPO from sb3-contrib on the single environment, with its learning curve as a picture.

    pip install torch==2.13.0 sb3-contrib
    python examples/maskable_ppo.py number-connect grid-conquest --plot curve.svg

It plays both sides against the random bot, and is tested as it goes on boards that it has not seen.
It needs torch, which is large, so it is not part of `make play` or `make test`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env

import gridwise
from gridwise.envs.gymnasium import id_of

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 580, 300, 60, 20, 150, 40
COLOURS = ("#1f5fa8", "#b03a2e", "#3f8f4f", "#8a6d1f", "#6b4fa0")
EXAMS = 10

Curve = list[tuple[int, float]]


def policy(model: MaskablePPO) -> Callable[[dict[str, Any]], Any]:
    """The model as `grade` and the vector environment ask an agent: many observations at once."""

    def maskable_ppo(seen: dict[str, Any]) -> Any:  # noqa: ANN401 - an array of actions
        return model.predict(seen, action_masks=seen["action_mask"], deterministic=True)[0]

    return maskable_ppo


class Exams(BaseCallback):
    """From time to time: the share of points against random."""

    def __init__(self, game: gridwise.Game, every: int) -> None:
        super().__init__()
        self.game, self.every = game, every
        self.curve: Curve = []

    def _on_training_start(self) -> None:
        self.examine()

    def _on_step(self) -> bool:
        if self.num_timesteps >= len(self.curve) * self.every:
            self.examine()
        return True

    def examine(self) -> None:
        """Play each of 512 games to its end."""
        choose, count = policy(self.model), 512
        env = gymnasium.make_vec(
            id_of(self.game), count, opponent="random", side="random", autoreset_mode="SameStep"
        )
        seen, _ = env.reset(seed=12345)
        points, over = np.zeros(count), np.zeros(count, bool)
        while not over.all():
            seen, reward, ended, stopped, _ = env.step(choose(seen))
            done = (ended | stopped) & ~over
            points[done] = (reward[done] + 1) / 2
            over |= done
        self.curve.append((self.num_timesteps, float(points.mean())))
        print(f"{self.game.title}: {self.num_timesteps:8,} steps  {points.mean():5.1%}", flush=True)


def picture(curves: dict[str, Curve]) -> str:
    """The shares by steps, a line for each game."""
    most = max(steps for curve in curves.values() for steps, _ in curve)

    def x(steps: int) -> float:
        return LEFT + steps / most * (WIDTH - LEFT - RIGHT)

    def y(share: float) -> float:
        return TOP + (1 - share) * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="system-ui, sans-serif" font-size="13">',
        "<title>MaskablePPO: share of points against random, by steps of learning</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fbfaf7"/>',
    ]
    for percent in range(0, 101, 25):
        at = y(percent / 100)
        parts.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.0f}" y2="{at:.0f}" stroke="#ddd8cb"/>'
            f'<text x="{LEFT - 8}" y="{at + 4:.0f}" text-anchor="end">{percent} %</text>'
        )
    parts += [
        f'<text x="{x(steps):.0f}" y="{HEIGHT - 15}" text-anchor="middle">{steps:,}</text>'
        for steps in (0, most // 2, most)
    ]
    lowest = 0.0  # names stand apart even where curves end together
    ranked = sorted(curves.items(), key=lambda item: -item[1][-1][1])
    for (title, curve), colour in zip(ranked, COLOURS, strict=False):
        points = " ".join(f"{x(steps):.1f},{y(share):.1f}" for steps, share in curve)
        lowest = max(y(curve[-1][1]), lowest + 16)
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
            f'<text x="{WIDTH - RIGHT + 8}" y="{lowest + 4:.0f}" fill="{colour}">{title}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    """Learn each game, be graded, draw the curves."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="+", help="number-run, number-connect …")
    parser.add_argument("--steps", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", type=Path, help="where the curves are drawn, as SVG")
    chosen = parser.parse_args()
    curves = {}
    for key in chosen.games:
        game = gridwise.game(key)
        options = {"opponent": "random", "side": "random"}
        env = make_vec_env(id_of(game), n_envs=16, seed=chosen.seed, env_kwargs=options)
        model = MaskablePPO(
            "MultiInputPolicy", env, seed=chosen.seed, n_steps=128, batch_size=512, gamma=1.0
        )
        exams = Exams(game, chosen.steps // EXAMS)
        model.learn(chosen.steps, callback=exams)
        curves[game.title] = exams.curve
        report = gridwise.grade(policy(model), game, games=100, seed=chosen.seed, batch=True)
        print(report, flush=True)
    if chosen.plot:
        chosen.plot.write_text(picture(curves), encoding="utf-8")


if __name__ == "__main__":
    main()
