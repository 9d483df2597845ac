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


# The one who claims the top row is shut into it by the second row, move for move.
TOP, SECOND = (tuple(f"{row},{column}" for column in range(4)) for row in (0, 1))
THE_REST = [f"{row},{column}" for row in (2, 3) for column in range(4)]


@pytest.mark.parametrize("shut_in", [1, 2])
def test_a_player_with_nothing_to_claim_passes(home: Path, shut_in: int) -> None:
    """The line names that player; the other one is asked again, until the board is full."""
    file, other = home / "game.gwr", 3 - shut_in
    walks = (TOP, SECOND) if shut_in == 1 else (SECOND, TOP)
    begin = [cell for pair in zip(*walks, strict=True) for cell in pair]
    run = gridwise(
        *("play", "number-connect", "--board", ONES, "--record", file),
        home=home,
        typed=[*begin, *THE_REST, "no"],
    )
    assert run.status == 0
    passes = f"Player {shut_in} has no cell to claim and passes."
    prompt = f"Player {other} ({'XO'[other - 1]}), enter your move (row,column):"
    assert_prints(
        run,
        f"You selected cell [2,0] with value 1. Your total is now 5.\n{passes}",
        f"{prompt} 2,1",
        "You selected cell [3,3] with value 1. Your total is now 12.",
    )
    last = run.out.rpartition("Your total is now 12.")[2]
    # Player 1, shut in, has to pass already after the last cell of the second row.
    assert run.out.count(passes) == 7 + (shut_in == 1)
    assert "passes" not in last
    assert re.search(rf"Player {other} .*wins the game!", last)
    assert tag_in(file, "Result") == ("0-1" if shut_in == 1 else "1-0")


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
