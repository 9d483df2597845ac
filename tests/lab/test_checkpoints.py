"""A checkpoint loses nothing. That its file survives a kill is tested with the store."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import gridwise
from gridwise import Position, grade
from gridwise.errors import BadRequest
from gridwise.lab.grading.report import GradeReport
from gridwise.lab.suites import suite
from tests.lab.executor_tasks import kept_keys


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the checkpoint of a test is kept."""
    return tmp_path / "checkpoint.sqlite"


class Fragile:
    """Plays the first move, and breaks when it has made so many."""

    name = "fragile"

    def __init__(self, lasts: int) -> None:
        self.asked, self._lasts = 0, lasts

    def choose(self, position: Position) -> int:
        """The first legal action, or an error."""
        self.asked += 1
        if self.asked > self._lasts:
            raise RuntimeError("out of credit")
        return position.legal[0]


@pytest.mark.parametrize("key", ["number-run", "grid-conquest"])
def test_an_agent_that_raises_loses_nothing(key: str, file: Path) -> None:
    """The second run asks only for what is missing, and the report is that of one run."""
    game = gridwise.game(key)
    games = 2 if game.has_hidden_cells else 10

    def graded(player: Fragile, checkpoint: Path | None = file) -> GradeReport:
        return grade(player, game, games, 4, effort=2, opponent="casual", checkpoint=checkpoint)

    whole, half = Fragile(10**9), Fragile(3)
    expected = graded(whole, None)
    with pytest.raises(RuntimeError, match="out of credit"):
        graded(half)
    rest = Fragile(10**9)
    assert graded(rest) == expected
    assert rest.asked == whole.asked - 3
    assert graded(Fragile(0)) == expected


def test_bots_go_on_as_if_nothing_had_happened(file: Path) -> None:
    """What a bot draws after a checkpoint is what it would have drawn; more games can be added."""
    options: dict[str, Any] = {"seed": 1, "opponent": "novice"}
    expected = grade("casual", "number-run", games=12, **options)
    grade("casual", "number-run", games=10, checkpoint=file, **options)
    with closing(sqlite3.connect(file, isolation_level=None)) as kept:
        # As many moves of each game as its number: none of the first, all of the last.
        for number in range(9):
            key = f"game-{number}"
            query = "SELECT result FROM results WHERE key = ?"
            actions = json.loads(kept.execute(query, [key]).fetchone()[0])
            cut = json.dumps(actions[:number])
            kept.execute("UPDATE results SET result = ? WHERE key = ?", [cut, key])
    assert grade("casual", "number-run", games=12, checkpoint=file, **options) == expected


def test_a_checkpoint_of_another_grading_is_refused(file: Path) -> None:
    """Another seed or agent does not go on from it, and nothing there is touched."""
    grade("casual", "number-maze", games=2, seed=1, checkpoint=file)
    before = file.read_bytes()
    with pytest.raises(BadRequest, match="seed 1 there, 2 here"):
        grade("casual", "number-maze", games=2, seed=2, checkpoint=file)
    with pytest.raises(BadRequest, match="agent bot:casual there, bot:strong here"):
        grade("strong", "number-maze", games=2, seed=1, checkpoint=file)
    assert file.read_bytes() == before


def test_another_handicap_is_another_grading(tmp_path: Path) -> None:
    """On the same cells, with it and without; the one that differs is named."""
    game = gridwise.game("number-run")
    boards = [game.parse_board("314/251/432", handicap=handicap) for handicap in (0, 2)]
    for number, board in enumerate(boards):
        file = tmp_path / f"{number}.jsonl"
        grade("random", game, 2, board=board, checkpoint=file)
        grade("random", game, 2, board=board, checkpoint=file)
        with pytest.raises(BadRequest, match="another run: boards handicap"):
            grade("random", game, 2, board=boards[1 - number], checkpoint=file)


def test_two_that_are_compared_have_a_checkpoint_each(tmp_path: Path, file: Path) -> None:
    """The second run asks neither of them again."""
    options: dict[str, Any] = {"games": 6, "seed": 1, "checkpoint": file}
    expected = gridwise.compare(Fragile(10**9), "casual", "number-maze", **options)
    again = Fragile(0)
    assert gridwise.compare(again, "casual", "number-maze", **options) == expected
    assert again.asked == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "checkpoint-compared.sqlite",
        "checkpoint.sqlite",
    ]


@pytest.mark.parametrize("part", [None, "test"])
def test_an_async_agent_that_raises_goes_on_too(tmp_path: Path, part: str | None) -> None:
    """Every other answer is kept, also of those asked at the same time; the report is the same."""
    file, left, answered = tmp_path / "checkpoint.sqlite", 30, 0
    rows = suite("number-run").part(part)[:60] if part else None

    async def first(seen: Any) -> int:  # noqa: ANN401 - as an agent is written
        nonlocal left, answered
        left -= 1
        failing = left == 0
        await asyncio.sleep(0)
        if failing:
            raise RuntimeError("out of credit")
        answered += 1
        return int(seen["action_mask"].argmax())

    def graded(checkpoint: Path | None) -> GradeReport:
        return grade(
            *(first, "number-run", 20, 1), suite=rows, concurrency=3, checkpoint=checkpoint
        )

    with pytest.raises(RuntimeError, match="out of credit"):
        graded(file)
    report, before = graded(file), answered
    assert report.moves == before
    assert report == graded(None)
    assert answered == 2 * before


def test_an_answer_is_kept_while_others_are_waited_for(tmp_path: Path) -> None:
    """A kill loses only what nobody has answered yet."""
    file, seen_in_file = tmp_path / "checkpoint.sqlite", 0
    rows = suite("number-run").part("test")[:2]

    async def slow_once(seen: Any) -> int:  # noqa: ANN401 - as an agent is written
        nonlocal seen_in_file
        if not seen_in_file:
            seen_in_file = 1
            patience = time.monotonic() + 60
            while seen_in_file < 2 and time.monotonic() < patience:
                await asyncio.sleep(0.01)
                seen_in_file = 1 + len(kept_keys(file))
        return int(seen["action_mask"].argmax())

    grade(slow_once, "number-run", suite=rows, checkpoint=file)
    assert seen_in_file == 2  # the other answer, while this one was waited for
