"""Grading on several workers gives the report of one process, to the digit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gridwise import grade
from gridwise.arena.executors import LocalProcesses
from gridwise.errors import BadRequest
from tests.arena.agents import FirstLegal
from tests.sizes import sample


@pytest.mark.parametrize(
    ("game", "games"),
    sample([("number-maze", 110)], long=[("number-maze", 110), ("grid-conquest", 24)]),
)
def test_games_on_workers_are_the_same_games(
    two_workers: LocalProcesses, game: str, games: int
) -> None:
    """Several blocks, each with its own boards, and all rows as they are."""
    options: dict[str, Any] = {"seed": 4, "opponent": "novice", "effort": 50}
    alone = grade("casual", game, games, **options)
    shared = grade("casual", game, games, **options, executor=two_workers)
    assert shared.to_json() == alone.to_json()
    assert shared.rows == alone.rows


def test_answers_to_a_suite_are_the_same(two_workers: LocalProcesses) -> None:
    """The test part of a suite, in blocks."""
    alone = grade("casual", "number-maze", suite="test", seed=2)
    shared = grade("casual", "number-maze", suite="test", seed=2, executor=two_workers)
    assert shared.to_json() == alone.to_json()


def test_a_variant_reaches_the_workers(two_workers: LocalProcesses) -> None:
    """A board of another size, and one that is given."""
    for where in ({"size": "3x4"}, {"board": "1324/2132/4213/3421"}):
        alone = grade("novice", "number-maze", 4, **where)  # type: ignore[arg-type]
        shared = grade("novice", "number-maze", 4, executor=two_workers, **where)  # type: ignore[arg-type]
        assert shared.to_json() == alone.to_json()


def test_blocks_are_kept_in_a_folder(two_workers: LocalProcesses, tmp_path: Path) -> None:
    """A file for each block; another grading is refused there."""
    grade("casual", "number-maze", 110, checkpoint=tmp_path, executor=two_workers)
    files = sorted(file.name for file in (tmp_path / "results").iterdir())
    assert files == ["games-0-100.json", "games-100-10.json"]
    again = grade("casual", "number-maze", 110, checkpoint=tmp_path, executor=two_workers)
    assert again.games == 110
    with pytest.raises(BadRequest, match="another run: agent casual there, novice here"):
        grade("novice", "number-maze", 110, checkpoint=tmp_path, executor=two_workers)


def test_objects_cannot_be_sent_to_workers(two_workers: LocalProcesses) -> None:
    """A player without a name is refused, and so is an unknown one."""
    with pytest.raises(BadRequest, match="given by name"):
        grade(FirstLegal(), "number-maze", 4, executor=two_workers)
    with pytest.raises(BadRequest, match="There is no bot"):
        grade("clever", "number-maze", 4, executor=two_workers)
