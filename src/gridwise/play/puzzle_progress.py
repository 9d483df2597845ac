"""How far a person has come with the puzzles and how good they are at them, in a file.

Player and puzzle have a rating, as in chess: each result moves the player's up or down, by more the
less it was expected, and the puzzle's the other way. A new player's moves fast. Only the first
result of a puzzle counts: solving it again brings nothing. A wrong move, a hint or a look at the
solution makes it a puzzle that was not solved.

What is on disk is always whole, and two programs at once add to the same file one after the other.
A damaged file is kept under another name, and counting starts anew.
"""

from __future__ import annotations

import datetime as dt
import json
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from gridwise.engine.puzzles import BOOK_VERSION, START_RATING, Puzzle
from gridwise.errors import GridwiseError
from gridwise.folders import data_folder
from gridwise.play.records import back_up, write_file

ONE_DAY = dt.timedelta(days=1)
MAX_BYTES = 10_000_000  # ten bytes a day: longer than anybody lives
# How far one result moves a rating at most: a player's, at first and in the long run, and after how
# many results it is half of the first; and a puzzle's, of which one person knows little.
FIRST_STEP, LAST_STEP, HALF_AFTER = 100.0, 20.0, 5
PUZZLE_STEP = 10.0
MOST_RATED = 10_000
_DAMAGED = (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError)


@dataclass(frozen=True)
class PuzzleProgress:
    """The puzzles that were solved, and the days whose puzzle was."""

    solved: dict[str, dict[int, int]] = field(default_factory=dict)  # game -> difficulty -> count
    days: frozenset[dt.date] = frozenset()  # of which the puzzle of the day was solved
    rating: float = START_RATING
    results: int = 0  # that have moved it
    # Puzzles that had a result, by address: whether they were solved, and their new ratings.
    rated: dict[str, tuple[bool, int]] = field(default_factory=dict)

    def count(self, game: str = "", difficulty: int = 0) -> int:
        """How many puzzles were solved: of a game, of a difficulty, or in all."""
        return sum(
            number
            for key, by_difficulty in self.solved.items()
            for level, number in by_difficulty.items()
            if game in ("", key) and difficulty in (0, level)
        )

    def streak(self, today: dt.date) -> int:
        """Days in a row up to today, or up to yesterday while today's puzzle is still open."""
        day = today if today in self.days else today - ONE_DAY
        return self._run_until(day)

    @property
    def best_streak(self) -> int:
        """The most days in a row that there have been."""
        last_days = (day for day in self.days if day + ONE_DAY not in self.days)
        return max(map(self._run_until, last_days), default=0)

    def _run_until(self, day: dt.date) -> int:
        length = 0
        while day - length * ONE_DAY in self.days:
            length += 1
        return length

    def with_solved(self, game: str, difficulty: int, day: dt.date | None) -> PuzzleProgress:
        """One more; the puzzle of a day counts once."""
        if day in self.days:
            return self
        of_game = self.solved.get(game, {})
        counted = {**of_game, difficulty: of_game.get(difficulty, 0) + 1}
        days = self.days | {day} if day else self.days
        return replace(self, solved={**self.solved, game: counted}, days=days)

    def with_result(self, puzzle: Puzzle, solved: bool) -> PuzzleProgress:
        """After a puzzle that was solved without help or mistake, or was not; only once."""
        key = str(puzzle.address)
        if key in self.rated:
            return self
        surprise = solved - expected_score(self.rating, puzzle.rating)
        step = max(LAST_STEP, FIRST_STEP / (1 + self.results / HALF_AFTER))
        of_puzzle = round(puzzle.rating - PUZZLE_STEP * surprise)
        return replace(
            self,
            rating=self.rating + step * surprise,
            results=self.results + 1,
            rated={**self.rated, key: (solved, of_puzzle)},
        )


def expected_score(player: float, puzzle: float) -> float:
    """How likely a player is to solve a puzzle, by their ratings: 400 points are ten to one."""
    return 1 / (1 + math.pow(10, (puzzle - player) / 400))


def progress_path() -> Path:
    """The file; raises GridwiseError where there is no home."""
    return data_folder() / "puzzles.json"


def load_progress() -> PuzzleProgress:
    """What was solved so far; nothing if the file is missing or damaged."""
    with suppress(OSError, GridwiseError, *_DAMAGED):
        return _parse(_read(progress_path()))
    return PuzzleProgress()


def add_solved(game: str, difficulty: int, day: dt.date | None = None) -> PuzzleProgress:
    """Count a solved puzzle; `day` is given if it was the puzzle of that day.

    Raises GridwiseError if it cannot be written down.
    """
    return _changed(lambda progress: progress.with_solved(game, difficulty, day))


def add_result(puzzle: Puzzle, *, solved: bool) -> PuzzleProgress:
    """Let a result move the ratings; raises GridwiseError if it cannot be written down."""
    return _changed(lambda progress: progress.with_result(puzzle, solved))


def _changed(change: Callable[[PuzzleProgress], PuzzleProgress]) -> PuzzleProgress:
    path = progress_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(path.with_suffix(".lock")):
            progress = change(_load_to_change(path))
            write_file(path, _text(progress).encode())
    except OSError as error:
        raise GridwiseError(f"Cannot write {path}: {error.strerror or error}.") from None
    return progress


def _load_to_change(path: Path) -> PuzzleProgress:
    """What the file says; a damaged one is copied before it is written over."""
    try:
        return _parse(_read(path))
    except FileNotFoundError:
        return PuzzleProgress()
    except _DAMAGED:
        back_up(path)
        return PuzzleProgress()


def _read(path: Path) -> str:
    with open(path, "rb") as file:
        return file.read(MAX_BYTES).decode("utf-8")


def _text(progress: PuzzleProgress) -> str:
    days = sorted(day.isoformat() for day in progress.days)
    saved = {"solved": progress.solved, "days": days, "rating": progress.rating}
    saved |= {"results": progress.results, "book": BOOK_VERSION, "rated": progress.rated}
    return json.dumps(saved, indent=1) + "\n"


def _parse(text: str) -> PuzzleProgress:
    """What `_text` wrote; one of _DAMAGED is raised for anything else."""
    saved = json.loads(text)
    solved = {
        str(game): {int(level): max(0, int(number)) for level, number in counts.items()}
        for game, counts in saved["solved"].items()
    }
    days = frozenset(map(dt.date.fromisoformat, saved["days"]))
    rating = float(saved.get("rating", START_RATING))
    if not abs(rating) < MOST_RATED:
        raise ValueError("no rating")
    # Numbers are of the book that there was.
    rated = saved.get("rated", {}) if saved.get("book") == BOOK_VERSION else {}
    ratings = {str(key): (bool(was), int(now)) for key, (was, now) in rated.items()}
    return PuzzleProgress(solved, days, rating, max(0, int(saved.get("results", 0))), ratings)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Be the only one in the block among all programs that use the file; a kill lets go of it."""
    try:
        import fcntl  # noqa: PLC0415 - not on every system
    except ImportError:
        yield
        return
    with open(path, "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


# The same words on the command line and in the app


def solved_text(progress: PuzzleProgress) -> str:
    """How many puzzles were solved, in a few words."""
    count = progress.count()
    return f"{count} puzzle{'' if count == 1 else 's'} solved"


def streak_text(progress: PuzzleProgress, today: dt.date) -> str:
    """How many days in a row today's puzzle was solved, in a few words."""
    streak, best = progress.streak(today), progress.best_streak
    longest = f" (best: {best})" if best > streak else ""
    return f"Streak: {streak} day{'' if streak == 1 else 's'}{longest}"


def rating_text(progress: PuzzleProgress, before: PuzzleProgress | None = None) -> str:
    """What somebody's rating is, in a few words; with how it has changed since an earlier one."""
    rating = round(progress.rating)
    if before is None or before.results == progress.results:
        return f"Puzzle rating: {rating}"
    return f"Puzzle rating: {rating} ({rating - round(before.rating):+})"
