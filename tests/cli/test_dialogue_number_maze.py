"""Number Maze talks as its text does, in every branch a game can take."""

from __future__ import annotations

from pathlib import Path

import pytest

from .program import AFTER_GAME, MAZE_BOARD, assert_prints, gridwise

# Why a direction is closed.
OFF, TAKEN = "would move off the grid", "occupied by the opponent"


def stuck(player: int, cell: str, number: int, left: str, right: str, down: str = OFF) -> str:
    """What a player is told who has no move; up is always off the grid here."""
    return f"""
Player {player}'s Turn:
- Current Position: {cell}
- Number on Current Cell: {number}
Possible Moves:
  - Up: Invalid ({OFF})
  - Down: Invalid ({down})
  - Left: Invalid ({left})
  - Right: Invalid ({right})
No valid moves available.
Player {player} cannot move and loses the game.
"""


def test_the_worked_example_reads_like_the_text(home: Path) -> None:
    """Four moves leave Player 1 on (4,2) with four closed directions: Player 2 has won."""
    turns = [
        (1, "(1,1)", 1, "Right", "(1,2)"),
        (2, "(4,4)", 1, "Left", "(4,3)"),
        (1, "(1,2)", 3, "Down", "(4,2)"),
        (2, "(4,3)", 2, "Up", "(2,3)"),
    ]
    run = gridwise(
        *("play", "number-maze", "--board", MAZE_BOARD, "--plain"),
        home=home,
        typed=["Right", "Left", "Down", "Up", "no"],
    )
    assert run.status == 0
    printed = [
        f"Player {player}'s Turn:\n"
        f"- Current Position: {cell}\n"
        f"- Number on Current Cell: {number}\n"
        f"Enter direction (Up/Down/Left/Right): {direction}\n\n"
        f"Player {player} moves to {target}"
        for player, cell, number, direction, target in turns
    ]
    last = stuck(1, "(4,2)", 4, "would move to (4,-2)", "would move to (4,6)")
    assert_prints(run, *printed, last, f"{AFTER_GAME}no")


@pytest.mark.parametrize(
    ("board", "moves", "said"),
    [
        (
            "1111/3111/1111/1112",
            ["down", "up"],
            stuck(1, "(2,1)", 3, "would move to (2,-2)", TAKEN),
        ),
        (
            "1311/1111/1111/1112",
            ["right", "left"],
            stuck(1, "(1,2)", 3, "would move to (1,-1)", "would move to (1,5)", TAKEN),
        ),
        (
            "1111/1111/1114/1111",
            ["right", "up", "left"],
            stuck(2, "(3,4)", 4, "would move to (3,0)", "would move to (3,8)"),
        ),
    ],
    ids=["beside the opponent", "above the opponent", "Player 2"],
)
def test_a_player_without_a_move_is_told_why(
    home: Path, board: str, moves: list[str], said: str
) -> None:
    """Nobody leaves the grid or lands on the opponent; the last words name who cannot move."""
    run = gridwise("play", "number-maze", "--board", board, home=home, typed=moves)
    assert_prints(run, said)


def test_a_board_that_starts_with_a_dead_end_is_lost_at_once(home: Path) -> None:
    """A 4 in the first cell: Player 1 loses before the first move, and nobody is asked."""
    run = gridwise("play", "number-maze", "--board", "4111/1111/1111/1111", home=home)
    assert run.status == 0
    assert_prints(run, stuck(1, "(1,1)", 4, "would move to (1,-3)", "would move to (1,5)"))
    assert "Enter direction" not in run.out


@pytest.mark.parametrize(
    ("board", "moves", "winner"),
    [
        ("3113/1111/1111/1111", ["right", "left", "down"], 1),
        ("1111/1111/1111/3113", ["right", "left", "right", "up"], 2),
    ],
)
def test_landing_on_the_other_corner_wins(
    home: Path, board: str, moves: list[str], winner: int
) -> None:
    """The move is printed, then the win."""
    run = gridwise("play", "number-maze", "--board", board, home=home, typed=moves)
    corner = "(4,4)" if winner == 1 else "(1,1)"
    assert_prints(
        run,
        f"Player {winner} moves to {corner}",
        f"Player {winner} reaches the opponent's starting cell and wins the game!",
    )
