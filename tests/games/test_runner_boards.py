"""Grid Runner has one standard board of every size, in the pattern of the text's."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gridwise import Board, Position, evaluate, game
from gridwise.core.board import MAX_CELLS
from gridwise.core.rng import Stream

RUNNER = game("grid-runner")
OBSTACLE = 2
SIZES = [
    (rows, cols)
    for rows in range(1, MAX_CELLS + 1)
    for cols in range(1, 27)
    if 2 <= rows * cols <= MAX_CELLS
]


def dealt(rows: int, cols: int) -> Board:
    """The standard board of a size."""
    return RUNNER.deal(Stream(1), rows, cols)


def obstacles(board: Board) -> set[int]:
    """Where one cannot go."""
    return {cell for cell, value in enumerate(board.cells) if value == OBSTACLE}


def reachable(board: Board) -> set[int]:
    """Every cell that a token could walk to from the first corner, alone."""
    blocked, seen, waiting = obstacles(board), {0}, [0]
    while waiting:
        row, col = divmod(waiting.pop(), board.cols)
        for to_row, to_col in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
            cell = to_row * board.cols + to_col
            inside = 0 <= to_row < board.rows and 0 <= to_col < board.cols
            if inside and cell not in seen | blocked:
                seen.add(cell)
                waiting.append(cell)
    return seen


def test_the_pattern_gives_the_board_of_the_text() -> None:
    """A3, C1, C3, C5, E3: the function and the written board agree."""
    assert RUNNER.layout
    cells = RUNNER.layout(5, 5)
    names = {RUNNER.text.NOTATION.cell_name(dealt(5, 5), cell) for cell in obstacles(dealt(5, 5))}
    assert names == {"A3", "C1", "C3", "C5", "E3"}
    assert cells == dealt(5, 5).cells == RUNNER.parse_board(RUNNER.fixed).cells


@pytest.mark.parametrize(
    ("rows", "cols", "text"),
    [
        (7, 7, "..X.X../......./X.X.X.X/......./X.X.X.X/......./..X.X.."),
        (9, 5, "..X../...../X.X.X/...../X.X.X/...../X.X.X/...../..X.."),
        (3, 7, "..X.X../......./..X.X.."),
        (6, 6, "..XX../....../X.XX.X/X.XX.X/....../..XX.."),
        (4, 5, "..X../...../...../..X.."),
        (4, 4, "..../..../..../...."),
        (3, 3, ".../.../..."),
        (2, 2, "../.."),
        (1, 5, "....."),
    ],
)
def test_other_sizes_have_the_same_pattern(rows: int, cols: int, text: str) -> None:
    """Every second cell of every second row, counted from the nearest edge; corners open."""
    assert RUNNER.board_text(dealt(rows, cols)) == text


def test_the_goal_can_be_reached_on_every_size() -> None:
    """And every other open cell; both sides see the same board; corners and their ways are open."""
    for rows, cols in SIZES:
        board = dealt(rows, cols)
        RUNNER.check_board(board)
        size = rows * cols
        assert reachable(board) == set(range(size)) - obstacles(board), board
        assert {0, cols - 1, size - cols, size - 1} <= reachable(board), board
        assert board.cells == board.cells[::-1], board
        if min(rows, cols) > 2:
            assert Position(RUNNER, board).legal_moves == ["down", "right"]
        mirrored = [board.cells[row * cols : (row + 1) * cols][::-1] for row in range(rows)]
        assert tuple(value for row in mirrored for value in row) == board.cells, board


def test_a_deal_takes_no_chance() -> None:
    """Whatever the seed, and the record can be read back."""
    boards = {RUNNER.deal(Stream(seed), 7, 7) for seed in range(5)}
    assert len(boards) == 1
    board = boards.pop()
    assert RUNNER.parse_board(RUNNER.board_text(board)) == board


def test_a_game_without_a_pattern_of_its_own_has_open_boards() -> None:
    """The pattern is a part of the game; nobody asks which game it is."""
    board = replace(RUNNER, layout=None).deal(Stream(1), 6, 6)
    assert not obstacles(board)


@pytest.mark.parametrize(
    ("rows", "cols", "value"),
    [
        (5, 5, "win"),
        (4, 5, "endless"),
        (5, 4, "endless"),
        (7, 6, "endless"),
        (6, 5, "loss"),
        (5, 6, "loss"),
    ],
)
def test_what_the_rules_page_says_about_sizes(rows: int, cols: int, value: str) -> None:
    """Who wins with perfect play, from the side of Player 1."""
    assert evaluate(Position(RUNNER, dealt(rows, cols))).value == value
