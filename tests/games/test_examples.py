"""The worked examples of the texts and of the rulings come out."""

from __future__ import annotations

import pytest

from gridwise import Match

RUN = "31425/25134/42513/14252/53142"
MAZE = "1324/2132/4213/3421"
CONQUEST = "53152/24251/43453/?1523/?2214"
CONNECT = "4152/6371/2845/9162"
STANDARD = None


def after(key: str, board: str | None, moves: str) -> Match:
    """The match after some moves; Player 1 begins."""
    match = Match(key, board, first=1, seed=1)
    for move in moves.split():
        match.move(move)
    return match


@pytest.mark.parametrize(
    ("key", "board", "moves", "legal"),
    [
        ("number-run", RUN, "0,1 3,4 1,1", "2,4 3,3"),
        ("number-run", RUN, "0,1 3,4", "0,2 1,1"),  # (0,0) is visited
        ("grid-runner", STANDARD, "", "down right"),
        ("grid-runner", STANDARD, "right up", "down left"),
        # The walkthrough's lists forget (1,0) on turn 5 and (2,0) on turn 7.
        ("number-connect", CONNECT, "0,0 0,3 0,1 1,3", "0,2 1,0 1,1"),
        ("number-connect", CONNECT, "0,0 0,3 0,1 1,3 1,0 0,2", "1,1 2,0"),
    ],
)
def test_what_can_be_played(key: str, board: str | None, moves: str, legal: str) -> None:
    """As the texts list it, and where a list leaves cells out, as the rule has it."""
    assert " ".join(after(key, board, moves).legal_moves) == legal


@pytest.mark.parametrize(
    ("key", "board", "moves", "scores", "winner", "reason"),
    [
        ("number-run", RUN, "0,1 3,4 1,1", (6, 2), 0, ""),
        # A 4 in the bottom row is a dead end, and so is a 4 at the start.
        ("number-maze", MAZE, "right left down up", None, 2, "the opponent has no valid moves"),
        ("number-maze", "4111/1111/1111/1111", "", None, 2, "the opponent has no valid moves"),
        # Player 2 would have to land on Player 1, and has no other way.
        ("number-maze", "21112", "right", None, 1, "the opponent has no valid moves"),
        # Eight steps to E5, while Player 2 goes to and fro.
        (
            *("grid-runner", STANDARD),
            "right left down right down left down right right left right right right left down",
            *(None, 1, "reached the opponent's start"),
        ),
        ("grid-runner", ".X./X../...", "", None, 2, "the opponent has no valid moves"),
        ("grid-conquest", CONQUEST, "C3 D4 D3 A1 B2 B4 C5", (16, 12), 1, "reached 15 points"),
        (
            *("number-connect", CONNECT, "0,0 0,3 0,1 1,3 1,0 0,2 1,1 1,2"),
            *((14, 15), 2, "reached exactly 15"),
        ),
    ],
)
def test_how_it_comes_out(
    key: str,
    board: str | None,
    moves: str,
    scores: tuple[int, int] | None,
    winner: int,
    reason: str,
) -> None:
    """Scores, who has won and how; 0 for a game that goes on."""
    match = after(key, board, moves)
    assert match.view.scores == scores
    assert (match.outcome.winner if match.outcome else 0) == winner
    assert (match.outcome.reason if match.outcome else "") == reason


def test_number_maze_passes_over_the_opponent() -> None:
    """One may pass over the other token: from the 5th cell over the 3rd to the 2nd."""
    match = after("number-maze", "21113", "right left")
    assert [cell.token for cell in match.view.cells] == [0, 2, 1, 0, 0]


def test_grid_conquest_reveals_c5_on_the_second_turn() -> None:
    """D4 turns up C5: the list of the text is right and its picture is not."""
    match = after("grid-conquest", CONQUEST, "C3 D4")
    shown = " ".join(cell.name for cell in match.view.cells if not cell.hidden)
    assert shown == "B2 B3 B4 C2 C3 C4 C5 D2 D3 D4 D5 E3 E4 E5"


def test_letters_name_columns_in_one_game_and_rows_in_the_other() -> None:
    """A2 is column A, row 2 in Grid Runner, and row A, column 2 in Grid Conquest."""
    for key, cell in (("grid-runner", 5), ("grid-conquest", 1)):
        match = after(key, STANDARD, "")
        assert match.game.text.NOTATION.parse_cell(match.board, "A2") == cell
