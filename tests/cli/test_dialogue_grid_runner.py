"""Grid Runner talks as its text does, in every branch a game can take."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .program import AFTER_GAME, Run, assert_prints, gridwise

REFUSAL = "Invalid move. Please choose a different direction."


def grids(run: Run) -> list[list[str]]:
    """Every grid that was drawn, its lines without what stands left of the letters and numbers."""
    found: list[list[str]] = []
    for line in run.lines:
        text = line.strip()
        if text == "A   B   C   D   E":
            found.append([])
        elif found and len(found[-1]) < 11 and ("+---+" in text or "|" in text):
            found[-1].append(text)
    return found


def side_by_side(text: str) -> list[list[str]]:
    """Grids of the game's text that stand beside each other, in the same form."""
    rows = [re.split(" {4,}", line.strip()) for line in text.strip().splitlines()]
    return [list(lines) for lines in zip(*rows, strict=True)]


# The text's pictures leave out the obstacle on C5 that its list, and the ruling, have.
AT_FIRST, AT_B1_AND_E4, AT_B2_AND_E5 = side_by_side("""
  +---+---+---+---+---+      +---+---+---+---+---+      +---+---+---+---+---+
1 |P1 |   | X |   |   |    1 |   |P1 | X |   |   |    1 |   |   | X |   |   |
  +---+---+---+---+---+      +---+---+---+---+---+      +---+---+---+---+---+
2 |   |   |   |   |   |    2 |   |   |   |   |   |    2 |   |P1 |   |   |   |
  +---+---+---+---+---+      +---+---+---+---+---+      +---+---+---+---+---+
3 | X |   | X |   | X |    3 | X |   | X |   | X |    3 | X |   | X |   | X |
  +---+---+---+---+---+      +---+---+---+---+---+      +---+---+---+---+---+
4 |   |   |   |   |   |    4 |   |   |   |   |P2 |    4 |   |   |   |   |   |
  +---+---+---+---+---+      +---+---+---+---+---+      +---+---+---+---+---+
5 |   |   | X |   |P2 |    5 |   |   | X |   |   |    5 |   |   | X |   |P2 |
  +---+---+---+---+---+      +---+---+---+---+---+      +---+---+---+---+---+
""")


def test_the_example_turn_reads_like_the_text(home: Path) -> None:
    """Four moves from the start give the text's grids and prompts."""
    run = gridwise(
        *("play", "grid-runner", "--plain"),
        home=home,
        typed=["right", "up", "down", "down", "quit"],
    )
    assert run.status == 0
    assert_prints(
        run,
        "Player 1 (P1) at A1, enter move (up/down/left/right): right",
        "Player 2 (P2) at E5, enter move (up/down/left/right): up",
        "Player 1 (P1) at B1, enter move (up/down/left/right): down",
        "Player 2 (P2) at E4, enter move (up/down/left/right): down",
        "Player 1 (P1) at B2, enter move (up/down/left/right): quit",
    )
    drawn = grids(run)
    assert drawn[0] == AT_FIRST
    assert AT_B1_AND_E4 in drawn
    assert drawn[-1] == AT_B2_AND_E5


def test_the_letters_stand_above_their_columns(home: Path) -> None:
    """Column letters above, row numbers left of the drawn cells."""
    run = gridwise("play", "grid-runner", "--plain", home=home)
    head = next(line for line in run.lines if line.strip().startswith("A "))
    first = next(line for line in run.lines if "P1 |" in line)
    assert [head.index(letter) for letter in "ABCDE"] == [
        first.index("|") + 2 + 4 * column for column in range(5)
    ]
    assert first.startswith("1 ")


def test_anything_else_is_refused_and_asked_again(home: Path) -> None:
    """At B1 only down and left are open: the wall, the obstacle and nonsense get one answer.

    Coming home afterwards is an ordinary step.
    """
    answers = ["up", "right", "sideways", "", "42", "E5", "right!", "wins"]
    run = gridwise(
        "play", "grid-runner", home=home, typed=["right", "up", *answers, "left", "down", "quit"]
    )
    asked = "Player 1 (P1) at B1, enter move (up/down/left/right): "
    refused = [line for answer in answers for line in (f"{asked}{answer}".rstrip(), REFUSAL)]
    assert_prints(
        run,
        *refused,
        f"{asked}left",
        "Player 2 (P2) at E4, enter move (up/down/left/right): down",
        "Player 1 (P1) at A1, enter move (up/down/left/right): quit",
    )
    assert run.out.count(REFUSAL) == len(answers)


def test_the_opponent_is_in_the_way(home: Path) -> None:
    """A cell the opponent stands on cannot be entered."""
    run = gridwise(
        *("play", "grid-runner", "--board", ".../..."), home=home, typed=["right", "up", "right"]
    )
    assert_prints(
        run,
        "Player 1 (P1) at B1, enter move (up/down/left/right): right",
        REFUSAL,
        "Player 1 (P1) at B1, enter move (up/down/left/right):",
    )


# Player 1 to D5 and Player 2 to A2, as in the text's winning move.
TO_D5 = ["right", "down", "right", "right", "down", "down", "down"]
TO_A2 = ["up", "left", "left", "left", "up", "up", "left"]
BEFORE_THE_END = [move for pair in zip(TO_D5, TO_A2, strict=True) for move in pair]


@pytest.mark.parametrize(
    ("player", "here", "moves", "goal"),
    [(1, "D5", ["right"], "E5"), (2, "A2", ["up", "up"], "A1")],
)
def test_reaching_the_other_corner_wins(
    home: Path, player: int, here: str, moves: list[str], goal: str
) -> None:
    """From D5 Player 1 steps onto E5, or Player 2 from A2 onto A1; another game is offered."""
    run = gridwise("play", "grid-runner", home=home, typed=[*BEFORE_THE_END, *moves, "no"])
    assert run.status == 0
    assert_prints(
        run,
        f"Player {player} (P{player}) at {here}, enter move (up/down/left/right): {moves[-1]}",
        f"Player {player} wins by reaching the opponent's starting position at Cell {goal}!",
        f"{AFTER_GAME}no",
    )


def test_a_player_who_is_walled_in_has_lost(home: Path) -> None:
    """On a board of one's own a player without a move loses, here before the first."""
    run = gridwise("play", "grid-runner", "--board", ".X./X../...", home=home)
    assert run.status == 0
    assert "Player 2 wins" in run.out
    assert "enter move" not in run.out
