"""Make the puzzle books, `puzzles.txt` in the folder of each game, from a seed.

    nice python -m research.puzzles [--games N] [GAME …]

Games between bots are played until there are enough puzzles of every level. A level that does not
fill up is left out: it is not offered then. At most one puzzle of a level is taken from a game, and
none whose mirror image is there already. Each game has a seed of its own, so two processes find the
same as one.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from importlib import import_module
from itertools import chain
from multiprocessing import Pool
from pathlib import Path

from gridwise import Game, game, games
from gridwise.engine.puzzles import BOOK_VERSION, HARDEST, Puzzle, parse_puzzle, puzzle_line_text
from research.puzzles import puzzles_in_a_game, variations
from research.symmetry import canonical

SEED = 20261119
EACH = 40  # of every level, at most
FEWEST = 12  # with fewer it is not offered
MOST_GAMES = 150_000
PATIENCE = 8_000  # games that brought none that is still wanted, after which no more are played
CHUNK = 50  # games between two lines of progress
PROCESSES = 2


def main() -> None:
    """Write the books of the games that are named, or of all."""
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--games", dest="most", type=int, metavar="N", help="at most so many games")
    asked = parser.parse_args()
    for each in [game(key) for key in asked.games] or games():
        book = found_puzzles(each, asked.most)
        counts = {level: len(puzzles) for level, puzzles in book.items()}
        path = Path(str(import_module(each.package).__file__)).parent / "puzzles.txt"
        head = f"# Puzzles of {each.title}, version {BOOK_VERSION}: made by research.puzzles"
        lines = [puzzle_line_text(puzzle) for level in book.values() for puzzle in level]
        text = "\n".join([f"{head}, seed {SEED}", *lines, ""])
        path.write_text(text, encoding="utf-8")
        print(f"\n{each.title}: {counts}, {len(text) / 1000:.0f} kB", flush=True)


def found_puzzles(game: Game, most: int | None = None) -> dict[int, list[Puzzle]]:
    """The puzzles of a game by their level, easier ones first; all that can be offered."""
    found: dict[int, list[Puzzle]] = {level: [] for level in range(1, HARDEST + 1)}
    seen, last, began = set(), 0, time.monotonic()
    for number, puzzles in enumerate(_games(game, most or MOST_GAMES)):
        taken = set()
        for puzzle in puzzles:
            level, image = puzzle.difficulty, canonical(puzzle.position)
            if len(found[level]) < EACH and image not in seen and level not in taken:
                seen.add(image)
                taken.add(level)
                found[level].append(puzzle)
                last = number
        if number % CHUNK == 0:
            so_far = " ".join(str(len(each)) for each in found.values())
            seconds = time.monotonic() - began
            print(f"\r{game.key}: {so_far} in {number} games, {seconds:.0f} s ", end="", flush=True)
        if (not most and number - last >= PATIENCE) or all(
            len(each) == EACH for each in found.values()
        ):
            break
    return {
        level: sorted(puzzles, key=lambda puzzle: puzzle.rating)
        for level, puzzles in found.items()
        if len(puzzles) >= FEWEST
    }


def _games(game: Game, most: int) -> Iterator[list[Puzzle]]:
    """The puzzles of one game after the other."""
    chunks = [(game.key, first) for first in range(0, most, CHUNK)]
    with Pool(PROCESSES) as pool:
        for found in chain.from_iterable(pool.imap(_play, chunks)):
            yield [parse_puzzle(game, line) for line in found]


def _play(chunk: tuple[str, int]) -> list[list[str]]:
    """The puzzles of some games, as the lines of a book."""
    key, first = chunk
    found = []
    for number in range(first, first + CHUNK):
        rng = random.Random(f"gridwise puzzle book {SEED} {key} {number}")
        puzzles = list(puzzles_in_a_game(game(key), rng))
        found.append([puzzle_line_text(each) for each in puzzles])
        if game(key).has_hidden_cells:
            varied = chain.from_iterable(variations(each, rng) for each in puzzles)
            found += [[puzzle_line_text(each)] for each in varied]
    return found


if __name__ == "__main__":
    main()
