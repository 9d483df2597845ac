"""A learner in plain numpy: it plays itself on the vector environment and is then graded.

    python examples/learn.py number-connect
    python examples/learn.py --seeds 5      all games, five times each, and a table

A network of one hidden layer gives a preference for every action and an estimate of the result.
It learns as PPO does: it plays some plies of many games at once, works out backwards what each move
led to, makes moves that did better than expected more likely, and does not go far from what it did
before. What is good for one player is bad for the other, so a result changes its sign wherever the
turn passes. Some games are played loosely, with many moves at random: a player who knows only its
own best lines is lost when the other leaves them.

Where an action is about a cell, one small network looks at every cell and what is around it, with
the same weights; elsewhere one network looks at the whole board.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from statistics import fmean
from typing import Any, NamedTuple

# Its matrices are small: a second thread would spend its time waiting.
for _library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")

import gymnasium
import numpy as np
import numpy.typing as npt

import gridwise
from gridwise.engine.observation import describe
from gridwise.envs.gymnasium import id_of
from gridwise.lab.grading.report import GradeReport

Floats = npt.NDArray[np.float32]
Observation = dict[str, npt.NDArray[np.int8]]

GAMES = 512  # played at once
ROLLOUT = 16  # plies, after which it learns
BATCH = 1024
LAMBDA = 0.9  # how far a result reaches back
CLIP = 0.2
LOOSE = 0.5  # the share of moves played at random, in the loosest game
ENTROPY = 0.01
RATE = 4e-3
SUMS = 25  # sums from 0 up to this are distinguished


class Features:
    """An observation as numbers of about 1, in rows that the network takes one by one."""

    def __init__(self, game: gridwise.Game) -> None:
        highs = [plane.high for plane in describe(game)]
        self.scale = np.array([1 if high == 1 else 16 for high in highs], np.float32)
        self.sets = [number for number, high in enumerate(highs) if high == 1]
        self.points = [number for number, high in enumerate(highs) if number and high > 1]
        self.by_cell = game.rules.ACTIONS == 0
        self.values = np.arange(game.rules.LOW, game.rules.HIGH + 1)

    def __call__(self, seen: npt.NDArray[np.int8]) -> Floats:
        """Shape: games, rows, numbers."""
        count, _, rows, cols = seen.shape
        board = seen / self.scale[:, None, None]
        numbers = (seen[:, :1] == self.values[:, None, None]).astype(np.float32)
        if not self.by_cell:
            # The number that each set of cells (a token, for one) is on need not be learned.
            under = (board[:, 1:] * seen[:, :1]).reshape(count, -1) / 4
            flat = [board.reshape(count, -1), numbers.reshape(count, -1), under]
            return np.concatenate(flat, axis=1)[:, None].astype(np.float32)
        # A cell is seen with the sum of what is next to it and the average of the board. Numbers
        # are distinguished set by set: which ones are within reach, and for whom.
        sets = seen[:, self.sets]
        by_set = (sets[:, :, None] * numbers[:, None]).reshape(count, -1, rows, cols)
        whole = np.concatenate([board, numbers, by_set], axis=1, dtype=np.float32)
        wide = np.pad(whole, ((0, 0), (0, 0), (1, 1), (1, 1)))
        ring = wide[:, :, 0:rows, 1:-1] + wide[:, :, 2:, 1:-1]
        ring += wide[:, :, 1:-1, 0:cols] + wide[:, :, 1:-1, 2:]
        mean = np.broadcast_to(whole.mean(axis=(2, 3), keepdims=True), whole.shape)
        # Points and the number in the cell: where exactly a claim would get.
        sums = np.minimum(seen[:, self.points].astype(int) + seen[:, :1], SUMS - 1)
        exact = sums[:, :, None] == np.arange(SUMS)[:, None, None]
        parts = [whole, ring, mean, exact.reshape(count, len(self.points) * SUMS, rows, cols)]
        cells = np.concatenate(parts, axis=1, dtype=np.float32)
        return np.ascontiguousarray(cells.reshape(count, -1, rows * cols).transpose(0, 2, 1))


class Network:
    """Preferences for the actions and an estimate of the result, with Adam to learn by."""

    def __init__(self, inputs: int, outputs: int, hidden: int, rng: np.random.Generator) -> None:
        first = rng.normal(0, inputs**-0.5, (inputs, hidden))
        last = rng.normal(0, 0.01, (hidden, outputs + 1))  # the last one is the estimate
        weights = [first, np.zeros(hidden), last, np.zeros(outputs + 1)]
        self.weights = [weight.astype(np.float32) for weight in weights]
        self.moments = [(np.zeros_like(weight), np.zeros_like(weight)) for weight in self.weights]
        self.steps = 0

    def __call__(self, rows: Floats) -> tuple[Floats, Floats, Floats]:
        """The hidden layer, the preferences and the estimate, for games of some rows each."""
        w1, b1, w2, b2 = self.weights
        flat = rows.reshape(-1, rows.shape[2])  # one large product is faster than one a game
        hidden = np.maximum(flat @ w1 + b1, 0)
        out = (hidden @ w2 + b2).reshape(*rows.shape[:2], -1)
        return hidden, out[..., :-1].reshape(len(rows), -1), np.tanh(out[..., -1].mean(axis=1))

    def learn(self, rows: Floats, hidden: Floats, preferences: Floats, estimate: Floats) -> None:
        """Go down the slope: the arguments are slopes, but for rows and hidden."""
        w2 = self.weights[2]
        count = rows.shape[1]
        out = np.concatenate(
            [
                preferences.reshape(*rows.shape[:2], -1),
                np.repeat(estimate[:, None, None] / count, count, axis=1),
            ],
            axis=2,
        ).reshape(-1, w2.shape[1])
        back = (out @ w2.T) * (hidden > 0)
        slopes = [
            rows.reshape(-1, rows.shape[-1]).T @ back,
            back.sum(0),
            hidden.T @ out,
            out.sum(0),
        ]
        self.steps += 1
        for number, slope in enumerate(slopes):
            mean, square = self.moments[number]
            mean = mean + 0.1 * (slope - mean)
            square = square + 0.01 * (slope**2 - square)
            self.moments[number] = mean, square
            mean, square = mean / (1 - 0.9**self.steps), square / (1 - 0.99**self.steps)
            self.weights[number] = self.weights[number] - RATE * mean / (np.sqrt(square) + 1e-6)


def softmax(preferences: Floats, mask: npt.NDArray[Any]) -> Floats:
    """Probabilities of the actions that the mask allows."""
    allowed = np.where(mask == 1, preferences, -1e9)
    powers = np.exp(allowed - allowed.max(axis=1, keepdims=True))
    shares: Floats = powers / powers.sum(axis=1, keepdims=True)
    return shares


class Rollout(NamedTuple):
    """What happened in some plies of play, ply by ply and game by game."""

    rows: list[Floats]
    masks: list[npt.NDArray[Any]]
    actions: list[npt.NDArray[Any]]
    shares: list[Floats]  # the probabilities of what was done
    estimates: list[Floats]
    rewards: list[npt.NDArray[Any]]
    overs: list[npt.NDArray[Any]]
    turns: list[npt.NDArray[Any]]  # 1 if the same player moves next, otherwise -1


class Learner:
    """An agent that becomes better."""

    def __init__(self, game: gridwise.Game, seed: int) -> None:
        self.game = game
        self.rng = np.random.default_rng(seed)
        # With the default "NextStep" a game that is over is seen once with an empty mask.
        self.env = gymnasium.make_vec(id_of(game), num_envs=GAMES, autoreset_mode="SameStep")
        self.features = Features(game)
        self.loose = np.linspace(0, LOOSE, GAMES, dtype=np.float32)[:, None]  # game by game
        self.seen, info = self.env.reset(seed=seed)
        self.mover = info["to_play"]
        rows = self.features(self.seen["observation"])
        by_cell = self.features.by_cell
        outputs = 1 if by_cell else self.seen["action_mask"].shape[1]
        self.network = Network(rows.shape[2], outputs, 96 if by_cell else 192, self.rng)

    def __call__(self, seen: Observation) -> npt.NDArray[Any]:
        """The action it likes best, for a batch of observations."""
        _, preferences, _ = self.network(self.features(seen["observation"]))
        best: npt.NDArray[Any] = np.where(seen["action_mask"] == 1, preferences, -1e9).argmax(1)
        return best

    def play(self) -> Rollout:
        """Play some plies of all games against itself."""
        rollout = Rollout([], [], [], [], [], [], [], [])
        for _ in range(ROLLOUT):
            rows, mask = self.features(self.seen["observation"]), self.seen["action_mask"]
            _, preferences, estimate = self.network(rows)
            chances = softmax(preferences, mask)
            # Good play leads to few positions; loose play leads to the others.
            chances += self.loose * (mask / mask.sum(axis=1, keepdims=True) - chances)
            draws = self.rng.random((GAMES, 1))
            actions = (chances.cumsum(axis=1) < draws * (1 - 1e-6)).sum(axis=1)
            self.seen, reward, ended, stopped, info = self.env.step(actions)
            share = chances[np.arange(GAMES), actions]
            turn = np.where(info["to_play"] == self.mover, 1, -1)
            step = (rows, mask, actions, share, estimate, reward, ended | stopped, turn)
            for each, new in zip(rollout, step, strict=True):
                each.append(new)
            self.mover = info["to_play"]
        return rollout

    def learn(self, rollout: Rollout) -> None:
        """Make what did better than expected more likely."""
        _, _, following = self.network(self.features(self.seen["observation"]))
        result, results = following, []
        plies = zip(rollout.rewards, rollout.overs, rollout.turns, rollout.estimates, strict=True)
        for reward, over, turn, estimate in reversed(list(plies)):
            ahead = turn * (LAMBDA * result + (1 - LAMBDA) * following)
            result = np.where(over, reward, ahead).astype(np.float32)
            following = estimate
            results.append(result)
        rows, masks, actions, before, estimates = (np.concatenate(each) for each in rollout[:5])
        targets = np.concatenate(results[::-1])
        gain = targets - estimates
        gain = (gain - gain.mean()) / (gain.std() + 1e-6)
        order = self.rng.permutation(len(rows))
        for start in range(0, len(order), BATCH):
            pick = order[start : start + BATCH]
            self._improve(
                rows[pick], masks[pick], actions[pick], before[pick], gain[pick],
                targets[pick],
            )  # fmt: skip

    def _improve(
        self,
        rows: Floats,
        masks: Floats,
        actions: npt.NDArray[Any],
        before: Floats,
        gain: Floats,
        result: Floats,
    ) -> None:
        count = len(rows)
        hidden, preferences, estimate = self.network(rows)
        chances = softmax(preferences, masks)
        done = np.zeros_like(chances)
        done[np.arange(count), actions] = 1
        ratio = (chances * done).sum(axis=1) / before
        far = np.where(gain > 0, ratio > 1 + CLIP, ratio < 1 - CLIP)
        pull = np.where(far, 0, gain * ratio)[:, None]
        logs = np.log(chances + 1e-9)
        spread = -(chances * logs).sum(axis=1, keepdims=True)
        calm = chances * (logs + spread)  # how the spread falls as a preference grows
        slope = (pull * (chances - done) + ENTROPY * calm) / count
        miss = (estimate - result) * (1 - estimate**2) / count
        self.network.learn(rows, hidden, slope.astype(np.float32), miss.astype(np.float32))

    def score(self, games: int = 1024) -> float:
        """The share of points it takes from `random`, each side half of the time."""
        env = gymnasium.make_vec(
            id_of(self.game), games, opponent="random", side="random", autoreset_mode="SameStep"
        )
        seen, _ = env.reset(seed=12345)
        points, over = np.full(games, np.nan), np.zeros(games, bool)
        while not over.all():
            seen, reward, ended, stopped, _ = env.step(self(seen))
            points = np.where(~over & (ended | stopped), (reward + 1) / 2, points)
            over |= ended | stopped
        return float(points.mean())


def graded(game: gridwise.Game, seed: int, plies: int, games: int) -> GradeReport:
    """Learn, reporting progress; then be graded."""
    learner = Learner(game, seed)
    began, rollouts = time.perf_counter(), -(-plies // (GAMES * ROLLOUT))
    for number in range(rollouts + 1):
        if number * 10 // rollouts > (number - 1) * 10 // rollouts or number == rollouts:
            played, score = number * GAMES * ROLLOUT, learner.score()
            spent = time.perf_counter() - began
            line = f"{played:9,} plies  {spent:5.1f} s  {score:5.1%} of the points against random"
            print(line, flush=True)
        if number < rollouts:
            learner.learn(learner.play())
    report = gridwise.grade(learner, game, games=games, seed=seed, batch=True)
    print(f"\n{report}\n", flush=True)
    return report


def table(reports: list[list[GradeReport]]) -> str:
    """The reports of each game, by seed, as a Markdown table: means, lowest and highest.

    The last column is the score of the perfect bot on the boards of the first seed.
    """

    def spread(figures: list[float], show: str) -> str:
        mean, low, high = (show.format(of(figures)) for of in (fmean, min, max))
        return f"{mean} ({low} to {high})" if len(figures) > 1 else mean

    lines = ["| | score | best move kept | regret a decision | regret a game | perfect |"]
    lines.append("|---|---|---|---|---|---|")
    for own in reports:
        game, games, seed = gridwise.game(own[0].game), own[0].games, own[0].seed
        # Where cells are hidden it thinks for a third of a second a move.
        sure = not game.has_hidden_cells
        perfect = gridwise.grade("perfect", game, games=games, seed=seed).score if sure else None
        cells = [
            game.title,
            spread([each.score for each in own], "{:.1%}"),
            spread([each.best_rate or 0.0 for each in own], "{:.1%}"),
            spread([each.regret for each in own], "{:.3f}"),
            spread([each.game_regret or 0.0 for each in own], "{:.3f}"),
            f"{perfect:.1%}" if perfect is not None else "",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Learn each game with each seed; of more than one of them, print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "game", nargs="*", help="number-run, number-connect …; all if none is named"
    )
    parser.add_argument("--plies", type=int, default=200_000, help="how long it plays itself")
    parser.add_argument("--games", type=int, default=200, help="how many games it is graded by")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--seeds", type=int, default=1, help="how many seeds in a row")
    chosen = parser.parse_args()
    began = time.perf_counter()
    seeds = range(chosen.seed, chosen.seed + chosen.seeds)
    games = [gridwise.game(key) for key in chosen.game] or gridwise.games()
    reports = [[graded(game, seed, chosen.plies, chosen.games) for seed in seeds] for game in games]
    if len(games) * chosen.seeds > 1:
        print(table(reports))
        print(
            f"\n{chosen.plies:,} plies each, seeds {seeds[0]} to {seeds[-1]}, "
            f"{time.perf_counter() - began:.0f} s",
            file=sys.stderr,
        )


if __name__ == "__main__":
    main()
