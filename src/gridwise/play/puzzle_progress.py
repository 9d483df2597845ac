"""How far a person has come with the puzzles, in a file of their own.

What is on disk is always whole, and two programs at once add to the same file one after the other.
A damaged file is kept under another name, and counting starts anew.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from gridwise.errors import GridwiseError
from gridwise.folders import data_folder
from gridwise.play.records import back_up, write_file

ONE_DAY = dt.timedelta(days=1)
MAX_BYTES = 10_000_000  # ten bytes a day: longer than anybody lives
_DAMAGED = (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError)


@dataclass(frozen=True)
class PuzzleProgress:
    """The puzzles that were solved, and the days whose puzzle was."""

    solved: dict[str, dict[int, int]] = field(default_factory=dict)  # game -> difficulty -> count
    days: frozenset[dt.date] = frozenset()  # of which the puzzle of the day was solved

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
        return PuzzleProgress({**self.solved, game: counted}, days)


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
    path = progress_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(path.with_suffix(".lock")):
            progress = _load_to_change(path).with_solved(game, difficulty, day)
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
    return json.dumps({"solved": progress.solved, "days": days}, indent=1) + "\n"


def _parse(text: str) -> PuzzleProgress:
    """What `_text` wrote; one of _DAMAGED is raised for anything else."""
    saved = json.loads(text)
    solved = {
        str(game): {int(level): max(0, int(number)) for level, number in counts.items()}
        for game, counts in saved["solved"].items()
    }
    return PuzzleProgress(solved, frozenset(map(dt.date.fromisoformat, saved["days"])))


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
