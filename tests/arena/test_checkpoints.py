"""A checkpoint loses nothing: after an error, after a kill, after a torn line."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

import gridwise
from gridwise import Position, grade
from gridwise.arena.grades.report import Report
from gridwise.arena.suites import suite
from gridwise.errors import BadRequest
from tests.engine.new_python import run_python
from tests.sizes import sample


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the checkpoint of a test is kept."""
    return tmp_path / "checkpoint.jsonl"


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

    def graded(player: Fragile, checkpoint: Path | None = file) -> Report:
        return grade(player, game, games, 4, effort=2, opponent="casual", checkpoint=checkpoint)

    whole, half = Fragile(10**9), Fragile(3)
    expected = graded(whole, None)
    with pytest.raises(RuntimeError, match="out of credit"):
        graded(half)
    rest = Fragile(10**9)
    assert graded(rest) == expected
    assert rest.asked == whole.asked - 3
    assert graded(Fragile(0)) == expected


class Raising:
    """Plays the first move, and breaks on its second move in one game."""

    name = "raising"

    def __init__(self, breaks_in: int = 0) -> None:
        self.begun = self.asked = 0
        self._breaks_in = breaks_in

    def choose(self, position: Position) -> int:
        """The first legal action, or an error."""
        self.begun += len(position.history) < 2
        if self._breaks_in and self.begun == self._breaks_in and len(position.history) >= 2:
            raise RuntimeError("out of credit")
        self.asked += 1
        return position.legal[0]


def test_an_agent_that_raises_late_is_not_asked_about_earlier_games_again(file: Path) -> None:
    """All games before that pair are over then, and of the pair being played each move is kept."""
    games, last = sample((40, 36), long=(200, 180))
    whole, first, rest = Raising(), Raising(breaks_in=last), Raising()
    expected = grade(whole, "number-connect", games=games, seed=5)
    with pytest.raises(RuntimeError, match="out of credit"):
        grade(first, "number-connect", games=games, seed=5, checkpoint=file)
    kept = [json.loads(line)["game"] for line in file.read_text().splitlines()[1:]]
    assert set(kept) == set(range(last))
    assert grade(rest, "number-connect", games=games, seed=5, checkpoint=file) == expected
    assert rest.asked == whole.asked - first.asked
    assert rest.begun == games - last


def test_bots_go_on_as_if_nothing_had_happened(file: Path) -> None:
    """What a bot draws after a checkpoint is what it would have drawn; more games can be added."""
    expected = grade("casual", "number-run", games=12, seed=1, opponent="novice")
    grade("casual", "number-run", games=12, seed=1, opponent="novice", checkpoint=file)
    lines = file.read_text().splitlines(keepends=True)
    for cut in (1, 2, len(lines) // 2, len(lines) - 1):
        file.write_text("".join(lines[:cut]) + lines[cut][:7])
        report = grade("casual", "number-run", games=12, seed=1, opponent="novice", checkpoint=file)
        assert report == expected
        assert sorted(file.read_text().splitlines(keepends=True)) == sorted(lines)


def test_a_checkpoint_of_another_grading_is_refused(tmp_path: Path, file: Path) -> None:
    """Another seed, game or agent does not go on from it, and nor does another file."""
    grade("casual", "number-maze", games=2, seed=1, checkpoint=file)
    before = file.read_bytes()
    with pytest.raises(BadRequest, match="seed 1"):
        grade("casual", "number-maze", games=2, seed=2, checkpoint=file)
    with pytest.raises(BadRequest, match="another grading"):
        grade("strong", "number-maze", games=2, seed=1, checkpoint=file)
    assert file.read_bytes() == before
    notes = tmp_path / "notes.txt"
    notes.write_text("not a checkpoint\n")
    with pytest.raises(BadRequest, match="no checkpoint"):
        grade("casual", "number-maze", games=2, checkpoint=notes)
    assert notes.read_text() == "not a checkpoint\n"
    with pytest.raises(BadRequest, match="Cannot use"):
        grade("casual", "number-maze", games=2, checkpoint=tmp_path)


def test_a_damaged_checkpoint_is_refused_and_left_alone(file: Path) -> None:
    """Only its last line can have been cut short; what else is wrong is named by its line."""
    grade("casual", "number-maze", games=2, seed=1, checkpoint=file)
    head, *lines = file.read_text().splitlines(keepends=True)
    too_deep = "[" * 100_000 + "\n"
    for message, content in (
        ("line 2", [head, "\x00\x00\n", *lines]),
        ("line 2", [head, too_deep, *lines]),
        ("line 3", [head, lines[0], '{"game": 0}\n', *lines[1:]]),
        ("line 4", [head, *lines[:2], '{"game": 0, "action": "up"}\n']),
        ("after its end", [head, *lines, *lines]),
        ("no checkpoint", ['{"a": 1}\n', *lines]),
        ("no checkpoint", [too_deep, *lines]),
    ):
        file.write_text("".join(content))
        with pytest.raises(BadRequest, match=message):
            grade("casual", "number-maze", games=2, seed=1, checkpoint=file)
        assert file.read_text() == "".join(content)


def test_another_handicap_is_another_grading(tmp_path: Path) -> None:
    """On the same cells, with it and without; the one that differs is named."""
    game = gridwise.game("number-run")
    boards = [game.parse_board("314/251/432", handicap=handicap) for handicap in (0, 2)]
    for number, board in enumerate(boards):
        file = tmp_path / f"{number}.jsonl"
        grade("random", game, 2, board=board, checkpoint=file)
        grade("random", game, 2, board=board, checkpoint=file)
        with pytest.raises(BadRequest, match="another grading: handicap"):
            grade("random", game, 2, board=boards[1 - number], checkpoint=file)


def test_a_first_line_that_was_cut_short_is_begun_again(file: Path) -> None:
    """As after a full disk; what is no beginning of it is somebody's file."""
    grade("casual", "number-maze", games=2, seed=1, checkpoint=file)
    whole = file.read_text()
    file.write_text(whole[:30])
    grade("casual", "number-maze", games=2, seed=1, checkpoint=file)
    assert file.read_text() == whole
    file.write_text("no end of a line")
    with pytest.raises(BadRequest, match="no checkpoint"):
        grade("casual", "number-maze", games=2, seed=1, checkpoint=file)
    assert file.read_text() == "no end of a line"


def test_one_process_at_a_time_has_a_checkpoint(file: Path) -> None:
    """Two would write their moves among each other's."""

    class Meddling(Raising):
        def choose(self, position: Position) -> int:
            with pytest.raises(BadRequest, match="Another process is writing to"):
                grade(Raising(), "number-maze", games=2, seed=1, checkpoint=file)
            return super().choose(position)

    report = grade(Meddling(), "number-maze", games=2, seed=1, checkpoint=file)
    assert report == grade(Raising(), "number-maze", games=2, seed=1, checkpoint=file)


def test_two_that_are_compared_have_a_checkpoint_each(tmp_path: Path, file: Path) -> None:
    """The second run asks neither of them again."""
    options: dict[str, Any] = {"games": 6, "seed": 1, "checkpoint": file}
    expected = gridwise.compare(Raising(), "casual", "number-maze", **options)
    again = Raising()
    assert gridwise.compare(again, "casual", "number-maze", **options) == expected
    assert again.asked == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "checkpoint-compared.jsonl",
        "checkpoint.jsonl",
    ]


def test_a_kill_loses_nothing(file: Path) -> None:
    """A grading that is killed goes on where it was, in another process."""
    program = (
        "import os, signal, sys, gridwise\n"
        "from tests.arena.test_checkpoints import Fragile\n"
        "class Killed(Fragile):\n"
        "    def choose(self, position):\n"
        "        if self.asked == 60:\n"
        "            os.kill(os.getpid(), signal.SIGKILL)\n"
        "        return super().choose(position)\n"
        "gridwise.grade(Killed(10**9), 'number-run', games=40, seed=1, checkpoint=sys.argv[1])\n"
    )
    with pytest.raises(subprocess.CalledProcessError) as killed:
        run_python(program, str(file))
    assert killed.value.returncode == -signal.SIGKILL
    rest, whole = Fragile(10**9), Fragile(10**9)
    report = grade(rest, "number-run", games=40, seed=1, checkpoint=file)
    assert report == grade(whole, "number-run", games=40, seed=1)
    assert rest.asked == whole.asked - 60


def test_a_full_disk_is_one_sentence() -> None:
    """The report is not to be had, and nobody sees a traceback."""
    with pytest.raises(BadRequest, match=r"Cannot use .*No space left"):
        grade("casual", "number-maze", games=2, checkpoint="/dev/full")


@pytest.mark.parametrize("part", [None, "test"])
def test_an_async_agent_that_raises_goes_on_too(tmp_path: Path, part: str | None) -> None:
    """Every other answer is kept, also of those asked at the same time; the report is the same."""
    file, left, answered = tmp_path / "checkpoint.jsonl", 30, 0
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

    def graded(checkpoint: Path | None) -> Report:
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
    file, seen_in_file = tmp_path / "checkpoint.jsonl", 0
    rows = suite("number-run").part("test")[:2]

    async def slow_once(seen: Any) -> int:  # noqa: ANN401 - as an agent is written
        nonlocal seen_in_file
        if not seen_in_file:
            seen_in_file = 1
            patience = time.monotonic() + 60
            while seen_in_file < 2 and time.monotonic() < patience:
                await asyncio.sleep(0.01)
                seen_in_file = file.read_text().count("\n")
        return int(seen["action_mask"].argmax())

    grade(slow_once, "number-run", suite=rows, checkpoint=file)
    assert seen_in_file == 2  # what is graded, and the other answer
