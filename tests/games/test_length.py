"""How long games can be: what a game says of a board is what looking at all its games finds."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from gridwise import Position, game
from gridwise.core.bits import bit_indices
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.rng import Stream
from tests.sizes import sample


def longest(game: Game, board: Board, first: int = 1) -> int:
    """The length of the longest game, by playing all of them."""
    plies, level = 0, {game.rules.start(board, first)}
    while level := {
        game.rules.play(board, state, action)
        for state in level
        for action in bit_indices(game.rules.moves(board, state))
    }:
        plies += 1
    return plies


def claimed(game: Game, board: Board) -> int:
    """What the game says."""
    assert game.max_plies is not None
    return game.max_plies(board)


def boards(rng: random.Random, sizes: str, highest: int) -> Iterator[Board]:
    """Boards of each size, some with small numbers only."""
    for rows, cols in (map(int, size.split("x")) for size in sizes.split()):
        for high in (1, 2, 3, highest, highest, highest):
            cells = tuple(rng.randint(1, high) for _ in range(rows * cols))
            yield Board(rows, cols, cells, rng.choice([1, 2, 4, 6, 8, 10, 15]))


def test_number_connect_on_small_boards() -> None:
    """Also where a player is walled in and the other goes on alone."""
    connect = game("number-connect")
    for board in boards(random.Random(1), "1x1 1x2 1x4 1x7 2x2 2x3 2x4 3x2 3x3 2x5", 9):
        assert claimed(connect, board) == longest(connect, board), board


def test_number_connect_on_dealt_boards() -> None:
    """Of the standard size."""
    connect = game("number-connect")
    for seed in range(12):
        board = connect.deal(Stream(seed))
        assert claimed(connect, board) == longest(connect, board), board


@pytest.mark.parametrize("value", [1, 2, 9])
def test_number_connect_never_says_too_little(value: int) -> None:
    """On the largest boards, and where nobody can reach the target, it is at least a bound."""
    connect = game("number-connect")
    for board in (Board(7, 9, (value,) * 63, 15), Board(4, 4, (value,) * 16, 999)):
        position, rng = Position(connect, board), random.Random(value)
        while not position.outcome:
            position = position.play(rng.choice(position.legal))
        assert len(position.history) <= claimed(connect, board) <= board.size
    assert claimed(connect, board) == 16


def test_number_run_on_small_boards() -> None:
    """There being sent back decides, and so the numbers do."""
    run = game("number-run")
    for board in boards(random.Random(2), "1x2 1x3 1x5 1x9 2x2 2x3 3x2 2x4 3x3 2x5 3x4 4x3", 5):
        without = Board(board.rows, board.cols, board.cells)
        assert claimed(run, without) == longest(run, without), board
        if min(board.rows, board.cols) > 2:
            ahead = Board(board.rows, board.cols, board.cells, handicap=7)
            assert claimed(run, ahead) == longest(run, ahead), board


SIZES = [
    (rows, cols)
    for rows in range(3, 22)
    for cols in range(3, 22)
    if 15 <= rows * cols <= 63 and (rows % 2 or cols % 2)
]


def test_number_run_can_be_played_out() -> None:
    """Where a side is odd there is a game as long as can be, and no number plays a part in it."""
    run = game("number-run")
    for rows, cols in SIZES:
        board = Board(rows, cols, (1,) * (rows * cols))
        one, two = two_walks(board)
        position = Position(run, board)
        for mine, yours in zip(one[1:], [*two[1:], -1], strict=True):
            position = position.after(f"{mine // cols},{mine % cols}")
            if not position.outcome:
                position = position.after(f"{yours // cols},{yours % cols}")
        assert position.outcome, board
        assert len(position.history) == claimed(run, board) == 2 * board.size - 3


def two_walks(board: Board) -> tuple[list[int], list[int]]:
    """A longest game: Player 1 walks to and fro up to the goal, and a way for Player 2 is found."""
    for attempt in range(60):
        one = to_and_fro(board, by_rows=attempt % 2 == 0)
        rng = random.Random(attempt)
        two = way_around(board, one, rng, [board.size - 1]) if one[-1] == board.size - 1 else []
        if two:
            return one, two
    raise AssertionError(f"no game of full length was found on {board.rows}x{board.cols}")


def to_and_fro(board: Board, *, by_rows: bool) -> list[int]:
    """All cells, one line after the other, forth and back."""
    lines, across = (board.rows, board.cols) if by_rows else (board.cols, board.rows)
    places = [
        (line, at if line % 2 == 0 else across - 1 - at)
        for line in range(lines)
        for at in range(across)
    ]
    return [line * board.cols + at if by_rows else at * board.cols + line for line, at in places]


def way_around(board: Board, one: list[int], rng: random.Random, begun: list[int]) -> list[int]:
    """A way for Player 2 over every cell but the goal, never where Player 1 is; empty if not found.

    Cells with few ways on come first; after 3,000 of them it is given up.
    """
    tries = iter(range(3000))

    def go_on(path: list[int]) -> list[int]:
        ply = len(path)  # the moves that Player 1 has made
        if next(tries, None) is None or ply == board.size - 1:
            return path if ply == board.size - 1 else []
        used = sum(1 << cell for cell in path) | 1
        ways = [cell for cell in board.steps[path[-1]] if cell > 0 and not used >> cell & 1]
        free = [cell for cell in ways if cell not in one[ply : ply + 2]]
        free.sort(key=lambda cell: (board.neighbours4[cell] & ~used).bit_count() + rng.random())
        return next(filter(None, (go_on([*path, cell]) for cell in free)), [])

    return go_on(begun)


def test_number_run_is_played_out_on_three_by_four() -> None:
    """The smallest size on which no number plays a part, by looking at all games of steps alone."""
    run, board = game("number-run"), Board(3, 4, (1,) * 12)
    plies, level = 0, {run.rules.start(board, 1)}
    while level := {
        run.rules.play(board, state, action)
        for state in level
        for action in bit_indices(run.rules.moves(board, state) & 0b1111)
    }:
        plies += 1
    assert plies == claimed(run, board)


def test_number_run_is_nearly_played_out_elsewhere() -> None:
    """On an even square and with a handicap the bound is not far off."""
    run = game("number-run")
    ones = Board(4, 4, (1,) * 16)
    assert claimed(run, ones) == 29
    # A second each.
    played = sample([(ones, 27)], long=[(ones, 27), (run.deal(Stream(1), 4, 4), 28)])
    for board, plies in played:
        assert longest(run, board) == plies


def test_grid_conquest() -> None:
    """Where chance deals nothing but ones, as it may; more than that cannot be."""
    conquest = game("grid-conquest")
    for rows, cols in ((1, 1), (1, 5), (2, 3), (3, 3)):
        for target in (1, 2, 3, 4, 5, 15):
            board = Board(rows, cols, (1,) * (rows * cols), target)
            assert claimed(conquest, board) == longest(conquest, board)
    assert claimed(conquest, conquest.default_board()) == 25
