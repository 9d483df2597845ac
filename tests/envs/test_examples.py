"""The examples run as the documents say, and the learner learns."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from gridwise import game, grade
from tests.sizes import sample

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(name: str, *arguments: str) -> str:
    """What an example prints."""
    return subprocess.run(
        [sys.executable, EXAMPLES / name, *arguments],
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_the_random_agent_plays_and_is_graded() -> None:
    """Ten games and a report, with no illegal move."""
    told = run("random_agent.py", "number-maze", "--opponent", "novice", "--games", "4")
    assert len(re.findall(r"^game \d: [+-]\d, ", told, flags=re.MULTILINE)) == 4
    assert "illegal  0 of" in told


@pytest.mark.parametrize(
    ("key", "plies", "share"),
    sample(
        [("number-run", "20000", 80)],
        long=[("number-connect", "40000", 78), ("number-run", "200000", 85)],
    ),
)
def test_the_learner_soon_beats_random(key: str, plies: str, share: int) -> None:
    """A few seconds are enough to take most points from the random bot, and it keeps them.

    In a race a learner that only ever meets itself forgets how to answer weak play again: it had
    90 % after 80,000 plies and 72 % after 200,000. The perfect bot takes 92 %.
    """
    told = run("learn.py", key, "--plies", plies, "--games", "10")
    shares = [float(share) for share in re.findall(r"([\d.]+)% of the points", told)]
    assert shares[0] < share - 10
    assert shares[-1] > share
    assert f"Learner at {key}: 10 games against bot:random" in told
    assert "illegal  0 of" in told


def test_the_learner_makes_its_table() -> None:
    """Two games, two seeds: a row a game with means and ends, and the same with the same seeds."""
    options = ("--plies", "8000", "--games", "4", "--seeds", "2")
    told, again = run("learn.py", "run", "maze", *options), run("learn.py", "maze", *options)
    table = told[told.index("| | score |") :]
    assert again.splitlines()[-1] == table.splitlines()[-1]
    assert re.findall(r"^\| (Number \w+) \|", table, flags=re.MULTILINE) == [
        "Number Run",
        "Number Maze",
    ]
    scores = [float(score) for score in re.findall(r"  score +([\d.]+)%", told)]
    for row, pair in zip(table.splitlines()[2:], (scores[:2], scores[2:]), strict=True):
        mean, low, high = map(float, re.findall(r"([\d.]+)%", row)[:3])
        assert (low, high) == (min(pair), max(pair))
        assert mean == pytest.approx(sum(pair) / 2, abs=0.1)


@pytest.mark.parametrize("key", ["number-connect", "grid-conquest"])
def test_the_learner_takes_games_of_claims_too(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It looks at every cell there; a few games with itself teach it, and it plays legally."""
    monkeypatch.syspath_prepend(EXAMPLES)
    learn = import_module("learn")
    monkeypatch.setattr(learn, "GAMES", 8)
    learner = learn.Learner(game(key), 1)
    before = learner.network.weights[2]
    rollout = learner.play()
    assert all(mask.any(axis=1).all() for mask in rollout.masks)  # none to draw from is empty
    learner.learn(rollout)
    assert not np.array_equal(learner.network.weights[2], before)
    assert 0 <= learner.score(games=8) <= 1
    assert grade(learner, key, games=2, effort=1, batch=True).illegal == 0


def test_stable_baselines_can_use_the_vector_environment() -> None:
    """Where it is installed: its VecEnv hands on our games, masks and last observations."""
    pytest.importorskip("sb3_contrib")
    sys.path.insert(0, str(EXAMPLES))
    env = import_module("sb3_vec_env").GridwiseVecEnv("number-connect", 8, opponent="perfect")
    env.seed(3)
    env.reset()
    ends = 0
    for _ in range(12):
        masks = np.stack(env.env_method("action_masks"))
        _, rewards, done, infos = env.step(masks.argmax(axis=1))
        for number in np.flatnonzero(done):
            assert infos[number]["terminal_observation"]["observation"].shape == (10, 4, 4)
            assert rewards[number] == {1: 1, 2: -1, 3: 0}[infos[number]["winner"]]
            ends += 1
    assert ends
