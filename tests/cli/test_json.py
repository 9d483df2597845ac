"""Every command that reports something has --json, and says the same there as to people."""

from __future__ import annotations

from pathlib import Path

import pytest

from .program import EXAMPLES, MAZE_BOARD, gridwise
from .test_move_numbers import data


@pytest.fixture
def maze(home: Path) -> Path:
    """The walkthrough of Number Maze, in which the first move loses."""
    file = home / "maze.gwr"
    gridwise(
        *("play", "maze", "--board", MAZE_BOARD, "--record", file),
        home=home,
        typed=["right", "left", "down", "up"],
    )
    return file


def test_review(home: Path, maze: Path) -> None:
    """Every move with its grade and the best one; the same summary as for people."""
    found = data(gridwise("review", maze, "--json", home=home))
    first = found["moves"][0]
    assert (first["number"], first["player"], first["move"]) == (1, 1, "right")
    assert (first["grade"], first["value"], first["best"], first["lost"]) == (
        "blunder",
        "loss",
        "down",
        1.0,
    )
    assert len(found["moves"]) == 4
    assert len(found["curve"]) == 5
    assert found["turning_points"][0] == 1
    assert found["accuracy"][0] == 0
    assert found["resignation"] is None
    text = " ".join(gridwise("review", maze, home=home).out.split())
    assert all(line in text for line in found["summary"])


def test_review_of_a_game_that_was_given_up(home: Path) -> None:
    """Who resigned, and what that gave away."""
    file = home / "g.gwr"
    options, moves = EXAMPLES["number-run"]
    gridwise("play", "run", *options, "--record", file, home=home, typed=[*moves[:2], "resign"])
    found = data(gridwise("review", file, "--json", home=home))
    assert found["resignation"]["player"] == 1
    assert found["resignation"]["lost"] == 1.0  # Player 1 wins every board


def test_a_review_can_be_listened_to(home: Path, maze: Path) -> None:
    """With --linear: a sentence a move, no table and no graph."""
    run = gridwise("review", maze, "--linear", home=home)
    assert run.status == 0
    assert "Move 1, Player 1: right??, blunder, loss in" in run.out
    assert "Better: down." in run.out
    assert " |" not in run.out
    assert "+--" not in run.out
    drawn = gridwise("review", maze, home=home).out
    assert run.out.splitlines()[-2:] == drawn.splitlines()[-2:]
