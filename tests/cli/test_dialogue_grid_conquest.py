"""Grid Conquest talks as its text does, in every branch a game can take."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .program import CONQUEST_BOARD, Run, assert_prints, gridwise, tag_in

MOVES = ("C3", "D4", "D3", "A1", "B2", "B4", "C5")


def grids(run: Run) -> list[list[str]]:
    """Every grid that was drawn, five rows each."""
    rows = [found[0] for line in run.lines if (found := re.search(r"\[.*\]$", line))]
    return [rows[at : at + 5] for at in range(0, len(rows), 5)]


# The text's pictures, row by row; in the second C5 is revealed, as its list says.
PICTURES = """
[  ][  ][  ][  ][  ]  [  ][  ][  ][  ][  ]  [  ][  ][  ][  ][  ]
[  ][4 ][2 ][5 ][  ]  [  ][4 ][2 ][5 ][  ]  [  ][4 ][2 ][5 ][  ]
[  ][3 ][P1][5 ][  ]  [  ][3 ][P1][5 ][3 ]  [  ][3 ][P1][5 ][3 ]
[  ][1 ][5 ][2 ][  ]  [  ][1 ][5 ][P2][3 ]  [  ][1 ][P1][P2][3 ]
[  ][  ][  ][  ][  ]  [  ][  ][2 ][1 ][4 ]  [  ][2 ][2 ][1 ][4 ]

[P2][3 ][  ][  ][  ]  [P2][3 ][1 ][  ][  ]  [P2][3 ][1 ][5 ][2 ]
[2 ][4 ][2 ][5 ][  ]  [2 ][P1][2 ][5 ][  ]  [2 ][P1][2 ][P2][1 ]
[  ][3 ][P1][5 ][3 ]  [4 ][3 ][P1][5 ][3 ]  [4 ][3 ][P1][5 ][3 ]
[  ][1 ][P1][P2][3 ]  [  ][1 ][P1][P2][3 ]  [  ][1 ][P1][P2][3 ]
[  ][2 ][2 ][1 ][4 ]  [  ][2 ][2 ][1 ][4 ]  [  ][2 ][2 ][1 ][4 ]
"""


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Path]:
    """The game of the text, and its record."""
    home = tmp_path_factory.mktemp("example")
    run = gridwise(
        *("play", "grid-conquest", "--board", CONQUEST_BOARD, "--first", "1", "--plain"),
        *("--record", "game.gwr"),
        home=home,
        typed=[*MOVES, "no"],
    )
    return run, home / "game.gwr"


def test_the_worked_example_reads_like_the_text(example: tuple[Run, Path]) -> None:
    """Seven claims, each printed with its value and score, and Player 1 wins with 16 points."""
    run, _ = example
    assert run.status == 0
    claims = [(1, "C3", 4, 4), (2, "D4", 2, 2), (1, "D3", 5, 9), (2, "A1", 5, 7)]
    claims += [(1, "B2", 4, 13), (2, "B4", 5, 12), (1, "C5", 3, 16)]
    printed = [
        f"Player {player}, enter the cell you wish to claim: {cell}\n"
        f"You have claimed cell {cell} with a value of {value}.\n"
        f"Your new score is {score}."
        for player, cell, value, score in claims
    ]
    printed[-1] += "\nCongratulations! You have reached 16 points and won the game!"
    assert_prints(run, *printed)


def test_the_pictures_are_those_of_the_text(example: tuple[Run, Path]) -> None:
    """Hidden at first, then after each claim what the text draws."""
    drawn = grids(example[0])
    assert drawn[0] == ["[  ][  ][  ][  ][  ]"] * 5
    for three in PICTURES.split("\n\n"):
        columns = [line.split("]  [") for line in three.strip("[]\n").splitlines()]
        for picture in zip(*columns, strict=True):
            assert [f"[{row.strip('[]')}]" for row in picture] in drawn
    assert drawn[-1][:3] == [
        "[P2][3 ][1 ][5 ][2 ]",
        "[2 ][P1][2 ][P2][1 ]",
        "[4 ][3 ][P1][5 ][P1]",
    ]


def test_both_scores_are_shown_after_each_turn(example: tuple[Run, Path]) -> None:
    """Between one claim and the next, both players' scores are printed, once."""
    turns = example[0].out.split("Your new score is ")[1:]
    scores = [(4, 0), (4, 2), (9, 2), (9, 7), (13, 7), (13, 12), (16, 12)]
    for turn, (one, two) in zip(turns, scores, strict=True):
        told = re.findall(r"Player 1\D+\b(\d+)\b.*Player 2\D+\b(\d+)\b", turn)
        assert told == [(str(one), str(two))], turn


def test_the_record_of_a_finished_game_shows_the_whole_board(example: tuple[Run, Path]) -> None:
    """16 to 12 for Player 1, and no cell is unknown any more."""
    _, file = example
    assert tag_in(file, "Result") == "1-0"
    assert tag_in(file, "First") == "1"
    assert re.fullmatch(r"53152/24251/43453/[1-5]1523/[1-5]2214", tag_in(file, "Board"))


def cells(rows: int, columns: int) -> list[str]:
    """The names of all cells, row by row."""
    return [f"{'ABCDE'[row]}{column + 1}" for row in range(rows) for column in range(columns)]


@pytest.mark.parametrize("first", [1, 2])
def test_a_full_board_goes_to_the_higher_score(home: Path, first: int) -> None:
    """25 ones give 13 to 12, for the player who began; nobody has reached 15.

    Who begins is what --first says instead of the toss, and the record keeps it.
    """
    file = home / "game.gwr"
    run = gridwise(
        *("play", "grid-conquest", "--board", "/".join(["11111"] * 5), "--first", str(first)),
        *("--record", file),
        home=home,
        typed=cells(5, 5),
    )
    last = run.out.rpartition("Your new score is 13.")[2]
    assert re.search(rf"Player {first}\b.* wins the game!", last)
    assert "Congratulations" not in run.out
    assert tag_in(file, "Result") == ("1-0" if first == 1 else "0-1")
    assert tag_in(file, "First") == str(first)
    assert_prints(run, f"Player {first}, enter the cell you wish to claim: A1")


def test_equal_scores_on_a_full_board_are_a_draw(home: Path) -> None:
    """Eight ones give four each: nobody wins."""
    file = home / "game.gwr"
    run = gridwise(
        *("play", "grid-conquest", "--board", "1111/1111", "--first", "1", "--record", file),
        home=home,
        typed=[*cells(2, 4), "no"],
    )
    assert run.status == 0
    assert "draw" in run.out.rpartition("Your new score is 4.")[2]
    assert "wins" not in run.out
    assert tag_in(file, "Result") == "1/2-1/2"


def test_a_claimed_cell_cannot_be_claimed_again(home: Path) -> None:
    """The answer says whose it is, and the same player is asked again."""
    run = gridwise(
        *("play", "grid-conquest", "--first", "1"), home=home, typed=["C3", "C3", "c4", "quit"]
    )
    assert run.out.count("Player 2, enter the cell you wish to claim: ") == 2
    assert run.out.count("You have claimed cell") == 2
    assert "Your opponent has already claimed C3." in run.out
