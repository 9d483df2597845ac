"""Puzzles: positions with exactly one winning move, to be played until the game is won.

They are found ahead of time (`make`, which searches) and shipped as books, one in the folder of
each game (`book`, which does not). `line` plays a puzzle, and says why a move is right or wrong.
"""

from gridwise.engine.puzzles.book import (
    PuzzleAddress,
    levels,
    nearest_level,
    puzzle_at,
    puzzle_count,
    puzzle_day,
    puzzle_of_the_day,
    shuffled_puzzle,
)
from gridwise.engine.puzzles.line import ExplainedMove, PuzzleLine, start_line
from gridwise.engine.puzzles.puzzle import HARDEST, Puzzle, Step, is_won

__all__ = [
    "HARDEST", "ExplainedMove", "Puzzle", "PuzzleAddress", "PuzzleLine", "Step", "is_won",
    "levels", "nearest_level", "puzzle_at", "puzzle_count", "puzzle_day", "puzzle_of_the_day",
    "shuffled_puzzle", "start_line",
]  # fmt: skip
