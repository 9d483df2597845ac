"""Positions to ask about: random games of every game, size and side, as far as they go."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.position import Position, start
from gridwise.core.registry import games
from gridwise.core.rng import Stream

SIZES = ((0, 0), (3, 3), (4, 6), (6, 3))  # 0 is the standard size
FORMS = ("grid", "sentences", "json")
# Of the games' own texts; P2 to move in some.
EXAMPLES = {
    "number-run": ("31425/25134/42513/14252/53142", ["0,1", "3,4", "1,1"]),
    "number-maze": ("1324/2132/4213/3421", ["right", "left", "down"]),
    "grid-runner": ("..X../...../X.X.X/...../..X..", ["right", "up"]),
    "grid-conquest": ("53152/24251/43453/31523/22214", ["C3", "D4", "D3"]),
    "number-connect": ("4152/6371/2845/9162", ["0,0", "0,3", "0,1", "1,3"]),
}


def example(key: str) -> Position:
    """A position from the text of a game."""
    board, moves = EXAMPLES[key]
    return Position(key, board, moves=moves)


def position_after(game: Game, board: Board, first: int, plies: int, seed: int) -> Position:
    """A game played by chance for so many plies, or to its last move; somebody is to move.

    What is played does not depend on what nobody has seen.
    """
    drawn, position = Stream(f"moves {seed}"), start(game, board, first)
    for _ in range(plies):
        following = position.play(drawn.draw(position.legal_mask), board)
        if following.outcome:
            break
        position = following
    return position


def dealt(game: Game, size: tuple[int, int], seed: int, *, handicap: bool = False) -> Board:
    """A board on which somebody can move."""
    for number in range(100):
        board = game.check_board(game.deal(Stream(f"{seed} {number}"), *size))
        if handicap and game.handicap and game.handicap.IN_POINTS:
            board = replace(board, handicap=3)
        if not start(game, board).outcome:
            return board
    raise AssertionError(game)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A position of any game, on a board of some size, with either side to move."""
    game = draw(st.sampled_from(games()))
    size = draw(st.sampled_from(SIZES))
    seed = draw(st.integers(0, 10**6))
    first = draw(st.integers(1, 2)) if game.coin_toss else 1
    board = dealt(game, size, seed, handicap=draw(st.booleans()))
    return position_after(game, board, first, draw(st.integers(0, 30)), seed)
