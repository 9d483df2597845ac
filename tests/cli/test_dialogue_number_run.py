"""Number Run talks as its text does, in every branch a game can take."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .program import (
    AFTER_GAME,
    CHALLENGE,
    MEETING,
    MEETING_BOARD,
    PLAY_RUN,
    Run,
    assert_prints,
    gridwise,
)


def meeting(home: Path, value: int, *answers: str) -> Run:
    """The game in which Player 1 can challenge on (2,2), a cell of that value."""
    board = MEETING_BOARD.replace("42544", f"42{value}44")
    typed = [*MEETING[:-1], *answers]
    return gridwise("play", "number-run", "--board", board, "--plain", home=home, typed=typed)


def turn(player: int, cell: str, score: int, moves: str = "") -> str:
    """How a turn begins; `moves` is left out where it does not matter."""
    lines = f"Player {player}'s turn.\nCurrent position: {cell}\nCurrent score: {score}\n"
    return lines + (f"Available moves: {moves}\n" if moves else "")


def step(cell: str, value: int, score: int) -> str:
    """What is said of a step."""
    return f"Moved to {cell}.\nCell value: {value}\nNew score: {score}\n"


def test_the_worked_example_reads_like_the_text(home: Path) -> None:
    """Three moves give the text's three exchanges, scores 6 and 2, and Player 2's two moves."""
    run = gridwise(*PLAY_RUN, "--plain", home=home, typed=["0,1", "3,4", "1,1", "quit"])
    assert run.status == 0
    prompt = "Enter your move (row,column): "
    assert_prints(
        run,
        f"{turn(1, '(0,0)', 0, '(0,1), (1,0)')}{prompt}0,1\n{step('(0,1)', 1, 1)}",
        f"{turn(2, '(4,4)', 0, '(3,4), (4,3)')}{prompt}3,4\n{step('(3,4)', 2, 2)}",
        f"{turn(1, '(0,1)', 1, '(0,2), (1,1)')}{prompt}1,1\n{step('(1,1)', 5, 6)}",
        f"{turn(2, '(3,4)', 2, '(2,4), (3,3)')}{prompt}quit\n",
    )


WON = """\
You win the challenge!
Opponent returns to starting position and score resets to 0.
"""
LOST = """\
You lose the challenge!
You return to starting position and your score resets to 0.
"""
TIED = """\
The challenge is a tie. Nothing changes.
"""


@pytest.mark.parametrize(
    ("value", "score", "result", "one", "two"),
    [
        # Every visited cell stays visited; the turn passes as usual.
        (5, 14, WON, "", turn(2, "(4,4)", 0, "(4,3)")),
        (1, 10, LOST, turn(1, "(0,0)", 0, "(1,0)"), turn(2, "(2,3)", 12)),
        (3, 12, TIED, turn(1, "(2,2)", 12), turn(2, "(2,3)", 12)),
    ],
    ids=["won", "lost", "tied"],
)
def test_a_challenge_compares_the_scores(
    home: Path, value: int, score: int, result: str, one: str, two: str
) -> None:
    """The loser goes home with 0 points; equal scores leave tokens and scores as they are."""
    run = meeting(home, value, "2,2", "yes", "3,3")
    asked = f"{turn(1, '(1,2)', 9, '(1,1), (1,3), (2,2)')}Enter your move (row,column): 2,2\n"
    challenge = (
        f"Opponent is adjacent at (2,3).\n{CHALLENGE}yes\nChallenge initiated!\n"
        f"Your score: {score}\nOpponent's score: 12\n"
    )
    said = f"{asked}{step('(2,2)', value, score)}{challenge}{result}"
    assert_prints(run, said, two, *filter(None, [one]))


@pytest.mark.parametrize("answer", ["no", "n", "No", " NO "])
def test_a_challenge_can_be_declined(home: Path, answer: str) -> None:
    """Without a challenge the step alone counts, and nothing is said of one."""
    run = meeting(home, 5, "2,2", answer)
    assert_prints(
        run,
        f"{step('(2,2)', 5, 14)}Opponent is adjacent at (2,3).",
        turn(2, "(2,3)", 12),
    )
    assert "Challenge initiated!" not in run.out


@pytest.mark.parametrize("move", ["2,2!", "(2, 2) !", "down!", "2 2!"])
def test_the_mark_answers_the_question_beforehand(home: Path, move: str) -> None:
    """`2,2!` is the same move with a challenge: the question stands there answered."""
    marked, asked = (meeting(home, 5, *typed).out for typed in ([move], ["2,2", "yes"]))
    end = "\nCurrent position: (4,4)\n"  # where the opponent is after the challenge
    assert marked.count(end) == 2  # at the start, too
    assert marked.replace(f": {move}\n", ": 2,2\n").rpartition(end)[0] == asked.rpartition(end)[0]


def test_the_question_is_asked_again_after_an_unclear_answer(home: Path) -> None:
    """Anything but yes and no is answered with what would be accepted."""
    run = meeting(home, 5, "2,2", "maybe", "", "2,2", "yes")
    assert run.out.count(CHALLENGE) == 4
    assert run.out.count("Challenge initiated!") == 1
    assert all(f"yes or no, not {text}" in run.out for text in ('"maybe"', '""', '"2,2"'))


def test_a_challenge_needs_a_neighbour(home: Path) -> None:
    """`0,1!` far from the opponent is refused, and the game stands where it stood."""
    run = gridwise(*PLAY_RUN, home=home, typed=["0,1!", "0,1", "quit"])
    assert run.out.count("Current position: (0,0)") == 1
    assert_prints(run, "Moved to (0,1).", "Player 2's turn.")
    assert re.search(r"Possible: 0,1,? 1,0\.", run.out)


AROUND_THE_TOP = ("0,1", "0,2", "0,3", "0,4", "1,4", "2,4", "3,4", "4,4")
AROUND_THE_BOTTOM = ("4,3", "4,2", "4,1", "4,0", "3,0", "2,0", "1,0", "0,0")


def alternating(one: tuple[str, ...], two: tuple[str, ...]) -> list[str]:
    """Two players' moves as they are typed."""
    moves = [move for pair in zip(one, two, strict=False) for move in pair]
    return moves + list(one[len(two) :])


@pytest.mark.parametrize(
    ("moves", "corner", "value", "winner"),
    [
        (alternating(AROUND_THE_TOP, AROUND_THE_BOTTOM[:7]), "4,4", 2, 1),
        (alternating((*AROUND_THE_TOP[:6], "2,3", "2,2"), AROUND_THE_BOTTOM), "0,0", 3, 2),
    ],
)
def test_reaching_the_other_corner_wins(
    home: Path, moves: list[str], corner: str, value: int, winner: int
) -> None:
    """The last step is printed and scored, no challenge is offered, and the player has won."""
    run = gridwise(*PLAY_RUN, home=home, typed=[*moves, "no"])
    assert run.status == 0
    last = f"""
Enter your move (row,column): {corner}
Moved to ({corner}).
Cell value: {value}
New score: 23
You have reached the opponent's starting position!
Player {winner} wins the game!
"""
    assert_prints(run, last, f"{AFTER_GAME}no")
    assert "challenge?" not in run.out.rpartition("Enter your move")[2]


# Eight steps that end in a hole of one's own making, and eight that stay out of their way.
INTO_A_HOLE = ("0,1", "0,2", "1,2", "2,2", "2,1", "2,0", "1,0", "1,1")
OUT_OF_THE_WAY = ("3,4", "2,4", "1,4", "0,4", "0,3", "1,3", "2,3", "3,3")


def turned(moves: tuple[str, ...]) -> tuple[str, ...]:
    """A walk, from the other corner."""
    cells = [move.split(",") for move in moves]
    return tuple(f"{4 - int(row)},{4 - int(col)}" for row, col in cells)


@pytest.mark.parametrize(
    ("moves", "loser"),
    [
        (alternating(INTO_A_HOLE, OUT_OF_THE_WAY), 1),
        (alternating((*turned(OUT_OF_THE_WAY), "0,1"), turned(INTO_A_HOLE)), 2),
    ],
)
def test_a_player_without_a_move_loses(home: Path, moves: list[str], loser: int) -> None:
    """Nothing left to enter: the other player has won at the start of that turn."""
    run = gridwise(*PLAY_RUN, home=home, typed=moves)
    assert_prints(run, f"Player {loser} has no valid moves.\nPlayer {3 - loser} wins the game!")
