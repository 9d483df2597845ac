"""Number Connect talks as its text does, in every branch a game can take."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .program import AFTER_GAME, CONNECT_BOARD, assert_prints, gridwise, tag_in

ONES = "/".join(["1111"] * 4)


def test_the_worked_example_reads_like_the_text(home: Path) -> None:
    """Eight claims end 14 to 15, and Player 2 has won."""
    claims = [("0,0", 4, 4), ("0,3", 2, 2), ("0,1", 1, 5), ("1,3", 1, 3)]
    claims += [("1,0", 6, 11), ("0,2", 5, 8), ("1,1", 3, 14), ("1,2", 7, 15)]
    run = gridwise(
        *("play", "number-connect", "--board", CONNECT_BOARD, "--plain"),
        home=home,
        typed=[*(cell for cell, _, _ in claims), "no"],
    )
    assert run.status == 0
    printed = [
        f"Player {turn % 2 + 1} ({'XO'[turn % 2]}), enter your move (row,column): {cell}\n"
        f"You selected cell [{cell}] with value {value}. Your total is now {total}."
        for turn, (cell, value, total) in enumerate(claims)
    ]
    printed[-1] += "\n\nPlayer 2 has reached a total of 15 and wins the game!"
    assert_prints(run, *printed, f"{AFTER_GAME}no")


def test_the_grid_shows_numbers_and_markers(home: Path) -> None:
    """Free cells keep their numbers; claimed ones have their player's marker."""
    run = gridwise(
        *("play", "number-connect", "--board", CONNECT_BOARD), home=home, typed=["0,0", "0,3"]
    )
    rows = [found[0] for line in run.lines if (found := re.search(r"[+|].*[+|]$", line))]
    assert rows[:9] == [
        "+---+---+---+---+",
        "| 4 | 1 | 5 | 2 |",
        "+---+---+---+---+",
        "| 6 | 3 | 7 | 1 |",
        "+---+---+---+---+",
        "| 2 | 8 | 4 | 5 |",
        "+---+---+---+---+",
        "| 9 | 1 | 6 | 2 |",
        "+---+---+---+---+",
    ]
    assert rows[-8] == "| X | 1 | 5 | O |"


@pytest.mark.parametrize(
    ("first", "moves", "loser"),
    [(9, ["0,0", "3,3", "0,1"], 1), (1, ["0,0", "3,3", "0,1", "3,2"], 2)],
)
def test_going_over_fifteen_loses(home: Path, first: int, moves: list[str], loser: int) -> None:
    """Two nines are 18: the line names the player who went over, and the other has won at once."""
    board = f"{first}999/9999/9999/9999"
    run = gridwise("play", "number-connect", "--board", board, home=home, typed=[*moves, "no"])
    assert_prints(
        run,
        f"""
Player {loser} ({"XO"[loser - 1]}), enter your move (row,column): {moves[-1]}
You selected cell [{moves[-1]}] with value 9. Your total is now 18.

Player {loser}'s total is over 15. Player {3 - loser} wins the game!
""",
    )


# Player 2 is shut into the top row by the second row, move for move.
SHUT_IN = ["1,0", "0,0", "1,1", "0,1", "1,2", "0,2", "1,3", "0,3"]
THE_REST = [f"{row},{column}" for row in (2, 3) for column in range(4)]


def test_a_player_with_nothing_to_claim_passes(home: Path) -> None:
    """Player 2 passes after each of Player 1's claims, and the last one fills the board."""
    file = home / "game.gwr"
    run = gridwise(
        *("play", "number-connect", "--board", ONES, "--record", file),
        home=home,
        typed=[*SHUT_IN, *THE_REST, "no"],
    )
    assert run.status == 0
    assert run.out.count("Player 2 has no cell to claim and passes.") == 7
    assert_prints(
        run,
        """
You selected cell [2,0] with value 1. Your total is now 5.
Player 2 has no cell to claim and passes.
""",
        "Player 1 (X), enter your move (row,column): 2,1",
        "You selected cell [3,3] with value 1. Your total is now 12.",
    )
    last = run.out.rpartition("Your total is now 12.")[2]
    assert "passes" not in last
    assert re.search(r"Player 1 .*wins the game!", last)
    assert tag_in(file, "Result") == "1-0"


def test_player_1_can_be_the_one_who_passes(home: Path) -> None:
    """The line names the player who has nothing to claim, and the other one is asked again."""
    run = gridwise(
        *("play", "number-connect", "--board", ONES),
        home=home,
        typed=["0,0", "1,0", "0,1", "1,1", "0,2", "1,2", "0,3", "1,3", *THE_REST],
    )
    assert_prints(
        run,
        """
You selected cell [1,3] with value 1. Your total is now 4.
Player 1 has no cell to claim and passes.
""",
        "Player 2 (O), enter your move (row,column): 2,0",
    )
    assert re.search(r"Player 2 .*wins the game!", run.out)


def test_equal_totals_on_a_full_board_are_a_draw(home: Path) -> None:
    """Half of the ones each: nobody wins."""
    one = ["0,0", "0,1", "0,2", "0,3", "1,3", "1,2", "1,1", "1,0"]
    two = ["3,3", "3,2", "3,1", "3,0", "2,0", "2,1", "2,2", "2,3"]
    file = home / "game.gwr"
    run = gridwise(
        *("play", "number-connect", "--board", ONES, "--record", file),
        home=home,
        typed=[*(move for pair in zip(one, two, strict=True) for move in pair), "no"],
    )
    assert "draw" in run.out.rpartition("Your total is now 8.")[2]
    assert "wins the game" not in run.out
    assert tag_in(file, "Result") == "1/2-1/2"


def test_a_claim_must_touch_a_cell_of_ones_own(home: Path) -> None:
    """Far away, the opponent's, or one's own already: refused, and asked again."""
    run = gridwise(
        *("play", "number-connect", "--board", CONNECT_BOARD),
        home=home,
        typed=["0,0", "0,3", "2,2", "0,3", "0,0", "1,1", "1,0", "quit"],
    )
    assert run.out.count("Player 1 (X), enter your move (row,column): ") == 6
    assert len(re.findall(r"Possible: 0,1,? 1,0\.", run.out)) == 4
    assert_prints(run, "You selected cell [1,0] with value 6. Your total is now 10.")
