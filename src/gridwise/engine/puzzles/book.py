"""Puzzle books: the puzzles of a game that were found ahead of time, and which one is today's.

A book is the file `puzzles.txt` in the game's folder; `scripts/make_puzzles.py` writes it. A line
is a puzzle; its fields are separated by `|`: the difficulty, the board (as UGI writes positions),
the moves that led to the position, then the steps (see `puzzle`).

Reading a puzzle takes a millisecond or two, and no search.
"""

from __future__ import annotations

import datetime as dt
import random
from functools import lru_cache
from typing import NamedTuple

from gridwise.core.game import Game
from gridwise.core.registry import game as game_named
from gridwise.core.registry import games
from gridwise.engine.puzzles.puzzle import HARDEST, Puzzle
from gridwise.engine.ugi.position_text import parse_position, position_text
from gridwise.errors import BadRequest

VERSION = 1
BY_WEEKDAY = (2, 2, 3, 3, 3, 4, 5)  # how hard the puzzle of the day is, from Monday on


class PuzzleAddress(NamedTuple):
    """Which puzzle it is."""

    game: str
    difficulty: int
    number: int  # from 1 on


@lru_cache(maxsize=64)
def _lines(game: Game) -> dict[int, tuple[str, ...]]:
    """The lines of a game's book, by difficulty."""
    found: dict[int, list[str]] = {}
    for line in game.puzzle_book().splitlines():
        if line and not line.startswith("#"):
            found.setdefault(int(line.partition("|")[0]), []).append(line)
    return {difficulty: tuple(found[difficulty]) for difficulty in sorted(found)}


def levels(game: Game) -> tuple[int, ...]:
    """The difficulties that a game has puzzles of; none if it has no book."""
    return tuple(_lines(game))


def puzzle_count(game: Game, difficulty: int) -> int:
    """How many puzzles there are."""
    return len(_lines(game).get(difficulty, ()))


def nearest_level(game: Game, difficulty: int) -> int:
    """The difficulty that a game has and that comes closest; the easier of two.

    Raises BadRequest if it has none.
    """
    known = levels(game)
    if not known:
        raise BadRequest(f"There are no puzzles for {game.title}.")
    return min(known, key=lambda level: (abs(level - difficulty), level))


def puzzle_at(address: PuzzleAddress) -> Puzzle:
    """The puzzle with that address; numbers beyond the last start from the first again."""
    game = game_named(address.game)
    lines = _lines(game).get(address.difficulty, ())
    if not lines:
        known = " ".join(map(str, levels(game))) or "none"
        raise BadRequest(
            f"{game.title} has no puzzles of difficulty {address.difficulty}. It has: {known}."
        )
    number = (address.number - 1) % len(lines)
    return parse_puzzle(game, lines[number], number + 1)


def shuffled_puzzle(game: Game, difficulty: int, seed: int | str, turn: int) -> PuzzleAddress:
    """The puzzle whose turn it is when those of a difficulty come in an order of their own.

    Two in a row are never the same.
    """
    numbers = list(range(1, puzzle_count(game, difficulty) + 1))
    random.Random(f"gridwise puzzles {game.key} {difficulty} {seed}").shuffle(numbers)
    number = numbers[turn % len(numbers)] if numbers else 1
    return PuzzleAddress(game.key, difficulty, number)


def puzzle_day() -> dt.date:
    """Which day's puzzle is today's: it changes at midnight UTC, for everybody at once."""
    return dt.datetime.now(dt.UTC).date()


def puzzle_of_the_day(day: dt.date) -> PuzzleAddress:
    """The games in turn, harder towards the end of the week; the same for everybody."""
    known = [game for game in games() if levels(game)]
    turn, which = divmod(day.toordinal(), len(known))
    game = known[which]
    difficulty = nearest_level(game, BY_WEEKDAY[day.weekday()])
    return PuzzleAddress(game.key, difficulty, 1 + turn % puzzle_count(game, difficulty))


def puzzle_line_text(puzzle: Puzzle) -> str:
    """A puzzle as a line of a book."""
    position = puzzle.position
    moves = " ".join(position.moves)
    return "|".join([str(puzzle.difficulty), position_text(position), moves, *puzzle.steps])


def parse_puzzle(game: Game, line: str, number: int = 0) -> Puzzle:
    """The puzzle that `puzzle_line_text` wrote."""
    difficulty, board, moves, *steps = line.split("|")
    position = parse_position(game, board, moves.split())
    return Puzzle(position, min(HARDEST, int(difficulty)), tuple(steps), number)
