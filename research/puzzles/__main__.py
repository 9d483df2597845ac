"""Make the puzzle books, `puzzles.txt` in the folder of each game, from a seed.

    python -m research.puzzles [GAME …]

Games between bots are played until there are enough puzzles of every difficulty. A difficulty that
does not fill up within so many games is left out: it is not offered then. At most one puzzle of a
difficulty is taken from a game, and none whose mirror image is there already.
"""

from __future__ import annotations

import random
import sys
from importlib import import_module
from pathlib import Path

from gridwise import Game, game, games
from gridwise.engine.puzzles import HARDEST, Puzzle, puzzle_line_text
from research.puzzles import puzzles_in_a_game
from research.symmetry import canonical

SEED = 20261116
VERSION = 1  # of the form of a book
EACH = 60  # of every difficulty, at most
FEWEST = 50  # with fewer it is not offered
MOST_GAMES = 12_000
# After so many games a difficulty must have a share of what it needs, or is given up.
CHECKED_GAMES, CHECKED_SHARE = 2_000, 0.08


def main() -> None:
    """Write the books of the games that are named, or of all."""
    for each in [game(key) for key in sys.argv[1:]] or games():
        book = found_puzzles(each, random.Random(f"gridwise puzzle book {SEED} {each.key}"))
        counts = {level: len(puzzles) for level, puzzles in book.items()}
        path = Path(str(import_module(each.package).__file__)).parent / "puzzles.txt"
        head = f"# Puzzles of {each.title}, version {VERSION}: made by research.puzzles"
        lines = [puzzle_line_text(puzzle) for level in book.values() for puzzle in level]
        text = "\n".join([f"{head}, seed {SEED}", *lines, ""])
        path.write_text(text, encoding="utf-8")
        print(f"{each.title}: {counts}, {len(text) / 1000:.0f} kB", flush=True)


def found_puzzles(game: Game, rng: random.Random) -> dict[int, list[Puzzle]]:
    """The puzzles of a game by their difficulty; all that can be offered."""
    found: dict[int, list[Puzzle]] = {level: [] for level in range(1, HARDEST + 1)}
    seen = set()
    for number in range(MOST_GAMES):
        if number == CHECKED_GAMES:
            found = {
                level: puzzles
                for level, puzzles in found.items()
                if len(puzzles) >= CHECKED_SHARE * EACH
            }
        if all(len(puzzles) == EACH for puzzles in found.values()):
            break
        taken = set()
        for puzzle in puzzles_in_a_game(game, rng):
            level, image = puzzle.difficulty, canonical(puzzle.position)
            if len(found.get(level, [])) == EACH or level not in found:
                continue
            if image not in seen and level not in taken:
                seen.add(image)
                taken.add(level)
                found[level].append(puzzle)
    return {level: puzzles for level, puzzles in found.items() if len(puzzles) >= FEWEST}


if __name__ == "__main__":
    main()
