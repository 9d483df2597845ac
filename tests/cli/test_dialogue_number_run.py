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


def test_the_worked_example_reads_like_the_text(home: Path) -> None:
    """Three moves give the text's three exchanges, scores 6 and 2, and Player 2's two moves."""
    run = gridwise(*PLAY_RUN, "--plain", home=home, typed=["0,1", "3,4", "1,1", "quit"])
    assert run.status == 0
    assert_prints(
        run,
        """
Player 1's turn.
Current position: (0,0)
Current score: 0
Available moves: (0,1), (1,0)
Enter your move (row,column): 0,1
Moved to (0,1).
Cell value: 1
New score: 1
""",
        """
Player 2's turn.
Current position: (4,4)
Current score: 0
Available moves: (3,4), (4,3)
Enter your move (row,column): 3,4
Moved to (3,4).
Cell value: 2
New score: 2
""",
        """
Player 1's turn.
Current position: (0,1)
Current score: 1
Available moves: (0,2), (1,1)
Enter your move (row,column): 1,1
Moved to (1,1).
Cell value: 5
New score: 6
""",
        """
Player 2's turn.
Current position: (3,4)
Current score: 2
Available moves: (2,4), (3,3)
Enter your move (row,column): quit
""",
    )


def test_a_challenge_with_the_higher_score_is_won(home: Path) -> None:
    """The opponent goes home with 0 points and keeps every visited cell as visited."""
    run = meeting(home, 5, "2,2", "yes")
    assert_prints(
        run,
        """
Player 1's turn.
Current position: (1,2)
Current score: 9
Available moves: (1,1), (1,3), (2,2)
Enter your move (row,column): 2,2
Moved to (2,2).
Cell value: 5
New score: 14
Opponent is adjacent at (2,3).
Do you want to challenge? (yes/no): yes
Challenge initiated!
Your score: 14
Opponent's score: 12
You win the challenge!
Opponent returns to starting position and score resets to 0.
""",
        """
Player 2's turn.
Current position: (4,4)
Current score: 0
Available moves: (4,3)
""",
    )


def test_a_challenge_with_the_lower_score_is_lost(home: Path) -> None:
    """The challenger goes home with 0 points, and the turn passes as usual."""
    run = meeting(home, 1, "2,2", "yes", "3,3")
    assert_prints(
        run,
        """
Moved to (2,2).
Cell value: 1
New score: 10
Opponent is adjacent at (2,3).
Do you want to challenge? (yes/no): yes
Challenge initiated!
Your score: 10
Opponent's score: 12
You lose the challenge!
You return to starting position and your score resets to 0.
""",
        """
Player 2's turn.
Current position: (2,3)
Current score: 12
""",
        """
Player 1's turn.
Current position: (0,0)
Current score: 0
Available moves: (1,0)
""",
    )


def test_a_tied_challenge_changes_nothing(home: Path) -> None:
    """Equal scores leave both tokens and both scores as they are."""
    run = meeting(home, 3, "2,2", "yes", "3,3")
    assert_prints(
        run,
        """
Do you want to challenge? (yes/no): yes
Challenge initiated!
Your score: 12
Opponent's score: 12
The challenge is a tie. Nothing changes.
""",
        """
Player 2's turn.
Current position: (2,3)
Current score: 12
""",
        """
Player 1's turn.
Current position: (2,2)
Current score: 12
""",
    )


@pytest.mark.parametrize("answer", ["no", "n", "No", " NO "])
def test_a_challenge_can_be_declined(home: Path, answer: str) -> None:
    """Without a challenge the step alone counts, and nothing is said of one."""
    run = meeting(home, 5, "2,2", answer)
    assert_prints(
        run,
        """
Moved to (2,2).
Cell value: 5
New score: 14
Opponent is adjacent at (2,3).
""",
        """
Player 2's turn.
Current position: (2,3)
Current score: 12
""",
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
