"""The examples run as the documents say, and the learner learns."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

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


def test_the_learner_soon_beats_random() -> None:
    """A fifth of its time is enough to take three points in four from the random bot."""
    told = run("learn.py", "number-connect", "--plies", "40000", "--games", "10")
    shares = [float(share) for share in re.findall(r"([\d.]+)% of the points", told)]
    assert shares[0] < 62
    assert shares[-1] > 74
    assert "Learner at number-connect: 10 games against bot:random" in told
    assert "illegal  0 of" in told
