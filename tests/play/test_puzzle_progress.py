"""Progress with puzzles is counted right, and survives whatever happens to its file."""

from __future__ import annotations

import datetime as dt
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gridwise.engine.puzzles import Puzzle, PuzzleAddress, puzzle_at
from gridwise.errors import GridwiseError
from gridwise.play.puzzle_progress import (
    PuzzleProgress,
    add_result,
    add_solved,
    expected_score,
    load_progress,
    progress_path,
    rating_text,
)

TODAY = dt.date(2026, 11, 16)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own."""
    monkeypatch.setenv("GRIDWISE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def days_before(*numbers: int) -> frozenset[dt.date]:
    """Days that lie so far back."""
    return frozenset(TODAY - dt.timedelta(days=number) for number in numbers)


def test_what_is_solved_is_counted_by_game_and_difficulty() -> None:
    """And it is still there for the next program."""
    add_solved("number-run", 1)
    add_solved("number-run", 1)
    add_solved("number-maze", 3)
    found = load_progress()
    assert (found.count(), found.count("number-run"), found.count("number-run", 1)) == (3, 2, 2)
    assert (found.count("number-run", 3), found.count(difficulty=3)) == (0, 1)


def rated(rating: int, number: int = 1) -> Puzzle:
    """Some puzzle with that rating, which is one of level 2."""
    return puzzle_at(PuzzleAddress("number-run", 3, number))._replace(rating=rating)


def test_a_result_moves_player_and_puzzle_in_opposite_ways() -> None:
    """By half a step between equals, and by ten elevenths of it for beating one 400 above."""
    before = load_progress()
    assert before.rating == 1100
    first = add_result(rated(1100), solved=True)
    assert first.rating == 1150
    assert first.rated == {"number-run/2/1": (True, 1095)}
    assert rating_text(first, before) == "Puzzle rating: 1150 (+50)"
    lost = add_result(rated(1150, 2), solved=False)
    assert lost.rating == pytest.approx(1150 - 50 / 1.2)
    assert lost.rated["number-run/2/2"] == (False, 1155)
    assert expected_score(1000, 1400) == pytest.approx(1 / 11)


def test_only_the_first_result_of_a_puzzle_counts() -> None:
    """Whatever comes of it the second time, also for the next program."""
    once = add_result(rated(1100), solved=False)
    again = add_result(rated(1100), solved=True)
    assert again == once == load_progress()
    assert (once.rating, once.results) == (1050, 1)
    assert rating_text(again, once) == "Puzzle rating: 1050"


def test_a_streak_is_days_in_a_row() -> None:
    """It ends after a day without, not while today's puzzle is still open."""
    assert PuzzleProgress(days=days_before(0, 1, 2)).streak(TODAY) == 3
    assert PuzzleProgress(days=days_before(1, 2)).streak(TODAY) == 2
    assert PuzzleProgress(days=days_before(2, 3)).streak(TODAY) == 0
    assert PuzzleProgress().streak(TODAY) == 0
    broken = PuzzleProgress(days=days_before(0, 2, 3, 4, 9))
    assert (broken.streak(TODAY), broken.best_streak) == (1, 3)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sets(st.integers(0, 40)))
def test_the_best_streak_is_the_longest_run(numbers: set[int]) -> None:
    """By another count: the longest run of neighbours in a row of days."""
    row = "".join("x" if number in numbers else " " for number in range(41))
    longest = max(map(len, row.split()), default=0)
    assert PuzzleProgress(days=days_before(*numbers)).best_streak == longest


def test_the_puzzle_of_a_day_counts_once() -> None:
    """Solving it again changes nothing."""
    once = add_solved("number-run", 2, TODAY)
    assert add_solved("number-run", 2, TODAY) == once == load_progress()
    assert (once.count(), once.streak(TODAY)) == (1, 1)


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "{",
        "[]",
        "null",
        '{"solved": 1, "days": []}',
        '{"solved": {}, "days": ["soon"]}',
        '{"solved": {"number-run": {"1": Infinity}}, "days": []}',
        '{"solved": {"number-run": [1]}, "days": []}',
        "[" * 5000,
        "\x00\xff",
    ],
)
def test_a_damaged_file_is_kept_and_counting_starts_anew(damage: str) -> None:
    """Looking changes nothing; the next puzzle does, and what was there is beside it."""
    path = progress_path()
    path.parent.mkdir()
    path.write_text(damage, encoding="latin-1")
    assert load_progress() == PuzzleProgress()
    assert path.read_text(encoding="latin-1") == damage
    add_solved("number-run", 1)
    assert load_progress().count() == 1
    copies = [file.read_text(encoding="latin-1") for file in path.parent.glob("puzzles.json~*")]
    assert copies == ([damage] if damage else [])


def test_two_programs_at_once_lose_nothing(home: Path) -> None:
    """Four programs solve 25 puzzles each: a hundred are counted."""
    solve = (
        "from gridwise.play.puzzle_progress import add_solved\n"
        + "add_solved('number-run', 1)\n" * 25
    )
    running = [
        subprocess.Popen([sys.executable, "-c", solve], env={**os.environ}) for _ in range(4)
    ]
    assert [each.wait(timeout=60) for each in running] == [0] * 4
    assert load_progress().count() == 100
    assert json.loads(progress_path().read_text(encoding="utf-8"))


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path, home: Path) -> None:
    """It says which file; looking gives nothing solved."""
    home.write_text("a file, not a folder", encoding="utf-8")
    assert load_progress() == PuzzleProgress()
    with pytest.raises(GridwiseError, match=r"puzzles\.json"):
        add_solved("number-run", 1)
