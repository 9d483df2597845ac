"""Grading on several workers gives the report of one process, to the digit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gridwise import grade
from gridwise.errors import BadRequest
from gridwise.lab.run import LocalProcesses
from tests.lab.agents import FirstLegal
from tests.lab.executor_tasks import kept_keys
from tests.sizes import sample


@pytest.mark.parametrize(
    ("game", "games", "where"),
    [
        ("number-maze", 110, {}),
        ("number-maze", 4, {"size": "3x4"}),
        ("number-maze", 4, {"board": "1324/2132/4213/3421"}),
        *sample([], long=[("grid-conquest", 24, {})]),
    ],
)
def test_games_on_workers_are_the_same_games(
    two_workers: LocalProcesses, game: str, games: int, where: dict[str, str]
) -> None:
    """Several blocks, each with its own boards, on other boards too, and all rows as they are."""
    options: dict[str, Any] = {"seed": 4, "opponent": "novice", "effort": 50, **where}
    alone = grade("casual", game, games, **options)
    shared = grade("casual", game, games, **options, executor=two_workers)
    assert shared.to_json() == alone.to_json()
    assert shared.rows == alone.rows


def test_answers_to_a_suite_are_the_same(two_workers: LocalProcesses) -> None:
    """The test part of a suite, in blocks."""
    alone = grade("casual", "number-maze", suite="test", seed=2)
    shared = grade("casual", "number-maze", suite="test", seed=2, executor=two_workers)
    assert shared.to_json() == alone.to_json()


def test_blocks_are_kept_in_the_checkpoint(two_workers: LocalProcesses, tmp_path: Path) -> None:
    """With what they were judged by; another grading is refused there."""
    file, options = tmp_path / "kept", {"effort": 7, "executor": two_workers}
    first = grade("casual", "number-maze", 110, checkpoint=file, **options)  # type: ignore[arg-type]
    assert kept_keys(file) == {"games-0-100-effort-7", "games-100-10-effort-7"}
    again = grade("casual", "number-maze", 110, checkpoint=file, **options)  # type: ignore[arg-type]
    assert again == first
    with pytest.raises(BadRequest, match="another run: agent casual there, novice here"):
        grade("novice", "number-maze", 110, checkpoint=file, **options)  # type: ignore[arg-type]


def test_objects_cannot_be_sent_to_workers(two_workers: LocalProcesses) -> None:
    """A player without a name is refused, and so is an unknown one."""
    with pytest.raises(BadRequest, match="given by name"):
        grade(FirstLegal(), "number-maze", 4, executor=two_workers)
    with pytest.raises(BadRequest, match="There is no bot"):
        grade("clever", "number-maze", 4, executor=two_workers)
