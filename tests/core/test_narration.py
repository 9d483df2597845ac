"""Sentences say who did what, and address a person as you only where it is that person."""

from __future__ import annotations

import pytest

from gridwise import Match, Position
from gridwise.core.narration import (
    NEUTRAL,
    YOU,
    Names,
    PlayerName,
    reason_line,
    result_line,
    with_article,
)
from gridwise.core.outcome import Outcome, Termination, resignation

BOT = PlayerName("Casual bot", "the casual bot")
TEXT_BOARD = "31425/25134/42513/14252/53142"  # of Number Run's text


def said(game: str, board: str, moves: str, names: Names) -> str:
    """The last move in one line."""
    match = Match(game, board, first=1, moves=moves.split())
    return match.position.last_line(names)


def test_a_verb_goes_with_its_name() -> None:
    """You go, and a bot goes; you have, and a bot has."""
    assert YOU.does("go") == "You go"
    assert BOT.does("go") == "Casual bot goes"
    assert BOT.does("pass") == "Casual bot passes"
    assert BOT.does("have") == "Casual bot has"
    assert BOT.does("claim") == "Casual bot claims"
    assert (YOU.possessive, BOT.possessive) == ("your", "the casual bot's")


def test_numbers_have_their_article() -> None:
    """It is an 8, an 11 and an 18, and a 1 and a 9."""
    assert [with_article(n) for n in (1, 8, 9, 11, 18, 80)] == [
        *("a 1", "an 8", "a 9", "an 11", "an 18", "an 80")
    ]


@pytest.mark.parametrize(
    ("names", "line"),
    [
        (
            (BOT, YOU),
            "Casual bot goes to 2,2. Challenge! 12 beats 8. You are sent home with 0",
        ),
        (
            (YOU, BOT),
            "You go to 2,2. Challenge! 12 beats 8. Casual bot is sent home with 0",
        ),
        (
            NEUTRAL,
            "Player 1 goes to 2,2. Challenge! 12 beats 8. Player 2 is sent home with 0",
        ),
    ],
)
def test_a_challenge_is_told_in_one_line(names: Names, line: str) -> None:
    """The challenge of the first lesson: 12 beats 8, counted by hand on the text's board."""
    assert said("number-run", TEXT_BOARD, "0,1 3,4 1,1 3,3 1,2 2,3 2,2!", names) == line


@pytest.mark.parametrize(
    ("game", "board", "moves", "line"),
    [
        ("number-run", TEXT_BOARD, "0,1", "You go to 0,1 (+1), now 1"),
        ("number-maze", "1324/2132/4213/3421", "right", "You go 1 step right to 1,2"),
        ("grid-runner", "..X../...../X.X.X/...../..X..", "right", "You go right to B1"),
        (
            "grid-conquest",
            "54321/54321/54321/54321/54321",
            "A1",
            "You claim A1 (+5), now 5",
        ),
        ("number-connect", "4398/1234/5678/9123", "0,3", "You claim 0,3 (+8), now 8"),
    ],
)
def test_a_move_is_told_in_one_line(game: str, board: str, moves: str, line: str) -> None:
    """Each game says what its move did."""
    assert said(game, board, moves, (YOU, BOT)) == line


def test_a_challenge_that_fails_is_told_too() -> None:
    """A lower score loses; equal ones change nothing."""
    line = said("number-run", "111/515/111", "0,1 1,2 1,1!", (YOU, BOT))
    assert line == ("You go to 1,1. Challenge! 2 loses to 5. You are sent home with 0")
    line = said("number-run", "51111/11111", "0,1 0,4 0,2 0,3!", (YOU, BOT))
    assert line == ("Casual bot goes to 0,3. Challenge! 2 against 2, a tie. Nothing changes")


def test_a_pass_belongs_to_the_line() -> None:
    """Who must pass in Number Connect is said with the move that caused it."""
    line = said("number-connect", "1111", "0,1 0,0 0,2", (BOT, YOU))
    assert line.endswith(". You have no cell to claim and pass")
    line = said("number-connect", "1111", "0,1 0,0 0,2", NEUTRAL)
    assert line == "Player 1 claims 0,2 (+1), now 2. Player 2 has no cell to claim and passes"


SCORES = (12, 17)


@pytest.mark.parametrize(
    ("termination", "winner", "scores", "line"),
    [
        (Termination.GOAL, 1, SCORES, "You won: you reached the casual bot's corner."),
        (Termination.GOAL, 2, SCORES, "You lost: the casual bot reached your corner."),
        (Termination.NO_MOVES, 2, SCORES, "You lost: you had no move left."),
        (Termination.TARGET, 2, SCORES, "You lost: the casual bot reached 17 points."),
        (Termination.OVER_TARGET, 1, SCORES, "You won: the casual bot went over, to 17."),
        (Termination.BOARD_FULL, 1, SCORES, "You won: all cells are claimed, 12 to 17."),
        # A list of games has no scores; it is still said who did it.
        (Termination.TARGET, 2, None, "You lost: the casual bot reached exactly 15."),
        (Termination.OVER_TARGET, 2, None, "You lost: you went over the target."),
        (Termination.OVER_TARGET, 1, None, "You won: the casual bot went over the target."),
    ],
)
def test_the_result_is_told_from_the_side_of_the_person(
    termination: Termination, winner: int, scores: tuple[int, int] | None, line: str
) -> None:
    """A person is told that they won or lost, and how."""
    outcome = Outcome(winner, termination, "reached exactly 15")
    assert result_line(outcome, scores, (YOU, BOT)) == line


def test_a_result_between_others_names_the_winner() -> None:
    """Where nobody is addressed, both are named."""
    assert result_line(resignation(1), None, NEUTRAL) == "Player 2 won: Player 1 resigned."


@pytest.mark.parametrize(
    ("termination", "winner", "line"),
    [
        (Termination.GOAL, 2, "Casual bot reached your corner."),
        (Termination.NO_MOVES, 1, "Casual bot had no move left."),
        (Termination.BOARD_FULL, 1, "All cells are claimed, 12 to 17."),
        (Termination.RESIGNATION, 2, "You resigned."),
        (Termination.AGREEMENT, 0, "Stopped by both."),
    ],
)
def test_why_a_game_ended_is_a_sentence_of_its_own(
    termination: Termination, winner: int, line: str
) -> None:
    """For a place where who has won is said already."""
    outcome = Outcome(winner, termination, "stopped by both")
    assert reason_line(outcome, (12, 17), (YOU, BOT)) == line


def test_an_objective_says_what_is_needed() -> None:
    """A bar to 15, a flag on the goal corner, the number that drives the token."""
    maze = Position("number-maze", "1324/2132/4213/3421").after("right")
    assert (maze.objective(1).goal, maze.objective(1).number) == (15, 3)
    assert (maze.objective(2).goal, maze.objective(2).number) == (0, 1)
    connect = Position("number-connect", "4398/1234/5678/9123", moves=["0,3"])
    assert connect.objective(1)[:3] == ("exactly 7 more to win", 8, 15)
    assert connect.objective(1).exact
    assert not maze.objective(1).exact
    assert connect.objective(2)[:3] == ("exactly 15 more to win", 0, 15)
