"""What is played depends on the seed alone: not on the process, nor on whether code is compiled."""

from __future__ import annotations

import json
import random
import warnings
from hashlib import sha256

import pytest
from tic_tac_toe import GAME as TIC_TAC_TOE

from gridwise.core.registry import register
from gridwise.envs.pettingzoo import env
from gridwise.envs.vector import GridwiseVectorEnv
from tests.engine.new_python import run_python
from tests.envs.conftest import COMPILED_PERFECT
from tests.envs.test_agreement import test_four_ways_in_agree_at_every_ply as agreement
from tests.sizes import sample

KEYS = ("number-run", "number-maze", "grid-runner", "grid-conquest", "number-connect")


def batches(size: str | None, count: int, steps: int) -> dict[str, str]:
    """What batches of games against every kind of opponent hand out."""
    told = {}
    for key in KEYS:
        for opponent in (None, "random", "casual", "perfect"):
            if opponent == "perfect" and key not in COMPILED_PERFECT:
                continue
            digest = sha256()
            fair = opponent == "random" and key not in ("grid-runner", "grid-conquest")
            deal = "fair" if fair else "uniform"
            batch = GridwiseVectorEnv(
                key, count, opponent=opponent, side="random", deal=deal, size=size
            )
            seen, _ = batch.reset(seed=77)
            for _ in range(steps):
                digest.update(seen["observation"].tobytes())
                seen, rewards, *_ = batch.step(batch.random_actions())
                digest.update(rewards.tobytes())
            told[f"{key} against {opponent}"] = digest.hexdigest()
    return told


def episodes() -> dict[str, str]:
    """What PettingZoo's environment hands out in a game, one of them with hidden cells."""
    told = {}
    for key in ("number-run", "grid-conquest"):
        episode, rng, digest = env(key), random.Random(2), sha256()
        episode.reset(seed=5)
        for agent in episode.agent_iter():
            last = episode.last()
            digest.update(repr((agent, *last)).encode())
            legal = [action for action, yes in enumerate(last[0]["action_mask"]) if yes]
            episode.step(rng.choice(legal) if legal else None)
        told[f"{key} in PettingZoo"] = digest.hexdigest()
    return told


def toy_agrees() -> None:
    """A game from outside the package is the same in all environments."""
    register(TIC_TAC_TOE.key, TIC_TAC_TOE)
    agreement(TIC_TAC_TOE, None)


@pytest.mark.parametrize(
    ("compiled", "size", "count", "steps"),
    sample([(False, "3x3", 3, 6)], long=[(False, "3x3", 3, 6), (True, None, 8, 40)]),
)
def test_another_process_plays_the_same_games(
    compiled: bool, size: str | None, count: int, steps: int
) -> None:
    """Every bit comes out the same with another hash seed, and with `NUMBA_DISABLE_JIT=1`.

    There, where nothing has to be compiled, the toy too is played four ways that agree.
    """
    program = (
        "import json, warnings\n"
        "warnings.simplefilter('error')\n"
        "from tests.envs.test_processes import batches, episodes, toy_agrees\n"
        f"{'' if compiled else 'toy_agrees()'}\n"
        f"print(json.dumps(episodes() | batches({size!r}, {count}, {steps})))\n"
    )
    interpreted = str(int(not compiled))
    there = run_python(program, PYTHONHASHSEED="1", NUMBA_DISABLE_JIT=interpreted).stdout
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        here = episodes() | batches(size, count, steps)
    assert json.loads(there) == here
    assert len(set(here.values())) == len(here)
