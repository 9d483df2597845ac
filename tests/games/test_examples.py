"""The worked examples of the texts and of the rulings come out."""

from __future__ import annotations

import pytest

from gridwise import Match


def after(key: str, board: str | None, moves: str, first: int | None = None) -> Match:
    """The match after some moves."""
    match = Match(key, board, first=first, seed=1)
    for move in moves.split():
        match.move(move)
    return match


def test_number_run_opening() -> None:
    """Three moves give 6 to 2, and Player 2 may go to two cells."""
    match = after("number-run", "31425/25134/42513/14252/53142", "0,1 3,4 1,1")
    assert match.view.scores == (6, 2)
    assert match.legal_moves == ["2,4", "3,3"]


def test_number_run_does_not_go_back_to_a_visited_cell() -> None:
    """From (0,1) there are two ways; (0,0) is visited."""
    match = after("number-run", "31425/25134/42513/14252/53142", "0,1 3,4")
    assert match.legal_moves == ["0,2", "1,1"]


def test_number_maze_walkthrough() -> None:
    """Player 1 ends on a 4 in the bottom row and has lost."""
    match = after("number-maze", "1324/2132/4213/3421", "right left down up")
    assert match.outcome
    assert match.outcome.winner == 2
    assert match.outcome.reason == "the opponent has no valid moves"


def test_number_maze_first_cell_four_is_lost_at_once() -> None:
    """A board that starts with a 4 is over before the first move."""
    match = after("number-maze", "4111/1111/1111/1111", "")
    assert match.outcome
    assert match.outcome.winner == 2


def test_number_maze_passes_over_the_opponent() -> None:
    """One may pass over the other token: from the 5th cell over the 3rd to the 2nd."""
    match = after("number-maze", "21113", "right left")
    assert [cell.token for cell in match.view.cells] == [0, 2, 1, 0, 0]


def test_number_maze_does_not_land_on_the_opponent() -> None:
    """Player 2 would have to land on Player 1, has no other way, and loses."""
    match = after("number-maze", "21112", "right")
    assert match.outcome
    assert match.outcome.winner == 1


def test_grid_runner_first_moves() -> None:
    """Player 1 can go down or right, and from B1 down or left."""
    assert after("grid-runner", None, "").legal_moves == ["down", "right"]
    assert after("grid-runner", None, "right up").legal_moves == ["down", "left"]


def test_grid_runner_walk_to_the_end() -> None:
    """Player 1 walks to E5 in eight steps while Player 2 goes to and fro, and wins on ply 15."""
    match = after(
        "grid-runner",
        None,
        "right left down right down left down right right left right right right left down",
    )
    assert match.outcome
    assert (match.outcome.winner, match.outcome.reason) == (1, "reached the opponent's start")
    assert len(match.moves) == 15


def test_grid_runner_on_a_custom_board_without_a_way() -> None:
    """A player who is walled in has lost."""
    match = after("grid-runner", ".X./X../...", "")
    assert match.outcome
    assert match.outcome.winner == 2


def test_grid_conquest_walkthrough() -> None:
    """Seven claims end 16 to 12 for Player 1."""
    board = "53152/24251/43453/?1523/?2214"
    match = after("grid-conquest", board, "C3 D4 D3 A1 B2 B4 C5", first=1)
    assert match.view.scores == (16, 12)
    assert match.outcome
    assert match.outcome.winner == 1


def test_grid_conquest_reveals_c5_on_the_second_turn() -> None:
    """D4 turns up C5: the list of the text is right and its picture is not."""
    match = after("grid-conquest", "53152/24251/43453/?1523/?2214", "C3 D4", first=1)
    shown = {cell.name for cell in match.view.cells if not cell.hidden}
    assert shown == {
        "B2",
        "B3",
        "B4",
        "C2",
        "C3",
        "C4",
        "C5",
        "D2",
        "D3",
        "D4",
        "D5",
        "E3",
        "E4",
        "E5",
    }


def test_number_connect_walkthrough() -> None:
    """Eight claims end 14 to 15: Player 2 wins with exactly 15."""
    moves = "0,0 0,3 0,1 1,3 1,0 0,2 1,1 1,2"
    match = after("number-connect", "4152/6371/2845/9162", moves)
    assert match.view.scores == (14, 15)
    assert match.outcome
    assert (match.outcome.winner, match.outcome.reason) == (2, "reached exactly 15")


@pytest.mark.parametrize(
    ("moves", "cell"), [("0,0 0,3 0,1 1,3", "1,0"), ("0,0 0,3 0,1 1,3 1,0 0,2", "2,0")]
)
def test_number_connect_lists_leave_cells_out_but_the_rule_stands(moves: str, cell: str) -> None:
    """The walkthrough's lists forget (1,0) on turn 5 and (2,0) on turn 7."""
    assert cell in after("number-connect", "4152/6371/2845/9162", moves).legal_moves


def test_letters_name_columns_in_one_game_and_rows_in_the_other() -> None:
    """A2 is column A, row 2 in Grid Runner, and row A, column 2 in Grid Conquest."""
    runner, conquest = after("grid-runner", None, ""), after("grid-conquest", None, "", first=1)
    assert runner.game.text.NOTATION.parse_cell(runner.board, "A2") == 5
    assert conquest.game.text.NOTATION.parse_cell(conquest.board, "A2") == 1
