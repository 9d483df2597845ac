"""A person's own games on disk: a folder of ordinary `.gwr` files.

The files are the truth, and there is no index that could disagree with them. A name begins with
the time and ends with a short id, `2026-11-16-145501-number-run-3f9a.gwr`, so the newest games are
known from the names alone; a list reads the tags of the games it shows, and only a game that is
opened is checked move by move. A file that cannot be read is listed as damaged and left as it is.
"""

from __future__ import annotations

import datetime as dt
import os
import shlex
import shutil
import stat
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple, TypeAlias

from gridwise.errors import BadRecord, BadRequest, GridwiseError, printable, quoted
from gridwise.folders import data_folder, rename
from gridwise.play.kept_game import (
    SUFFIX,
    TIME_FORM,
    KeptGame,
    Verdict,
    id_in,
    look,
    time_in,
)
from gridwise.play.records import Record, read_record, write_record

LAST = "last"  # the id of the game that was played last
# To offer a game to continue, no more than this many of the last games are looked at.
RECENT = 100

_File: TypeAlias = "os.DirEntry[str]"  # what the folder says about a file

# The microsecond in base 32 is the id of a new game: four letters and digits, in the order of time.
# None of them is taken for another, and no id is a word such as `last`.
_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
_ID_LENGTH = 4


class Tally(NamedTuple):
    """Finished games of a person, counted."""

    won: int = 0
    lost: int = 0
    draw: int = 0


class Library:
    """The games of one person; `folder` is where new ones go.

    Without a folder it is the usual one, together with the one that earlier versions wrote to.
    Anything that cannot be done raises GridwiseError.
    """

    _list = "gridwise games"  # the command that lists them

    def __init__(self, folder: Path | None = None) -> None:
        self._chosen = folder
        self._known: dict[Path, tuple[int, ...]] = {}  # files as we last read or wrote them

    @property
    def folder(self) -> Path:
        """The folder of new games."""
        return self._chosen or data_folder() / "games"

    @property
    def deleted(self) -> Library:
        """The deleted games, which are still there in case it was a slip."""
        return _DeletedGames(self.folder / "deleted")

    # Writing

    def new(self, record: Record) -> Path:
        """Put a game into a file of its own; its path, for `write` after every move."""
        now = dt.datetime.now()  # noqa: DTZ005 - the time on the wall
        taken = {id_in(file.name) for file in self._files()}
        _make_folder(self.folder)
        while True:
            key = _in_base_32(now.microsecond)
            path = self.folder / f"{now.strftime(TIME_FORM)}-{record.game.key}-{key}{SUFFIX}"
            # Hidden and empty: whoever has it may write the game, and a kill leaves nothing to see.
            claim = path.with_name(f".{path.name}")
            if key not in taken and _claim(claim):
                break
            now += dt.timedelta(microseconds=1)
        try:
            # Somebody may have written it and let go of it since we looked.
            return self.new(record) if path.exists() else self.write(path, record)
        finally:
            claim.unlink(missing_ok=True)

    def write(self, path: Path, record: Record) -> Path:
        """Write a game again; its path, which is another one if somebody else wrote to the old.

        A game that is continued in two places at once becomes two games, and neither is lost.
        """
        now = _state(path)
        if path.is_file() and self._known.get(path, now) != now:
            return self.new(record)
        write_record(record, path)
        self._known[path] = _state(path)
        return path

    def read(self, path: Path) -> Record:
        """The game in a file, to be continued with `write`; raises BadRecord."""
        state = _state(path)
        record = read_record(path)
        self._known[path] = state
        return record

    def knows(self, path: Path) -> bool:
        """Whether it has read or written the game in a file."""
        return path in self._known

    # Looking

    def games(
        self,
        *,
        game: str = "",
        opponent: str = "",
        result: str = "",
        text: str = "",
        limit: int | None = None,
    ) -> Iterator[KeptGame]:
        """The games, the newest first.

        `game` is a key, `opponent` a player such as `bot:casual` or a level alone, `result` one of
        Verdict; `text` is looked for in everything that a list shows.
        """

        def wanted(kept: KeptGame) -> bool:
            return (
                game in ("", kept.game)
                and result in ("", kept.verdict)
                and (not opponent or kept.is_against(opponent))
                and (not text or kept.mentions(text))
            )

        return islice(filter(wanted, _look_at(self._files())), limit)

    def count(self) -> int:
        """How many games there are."""
        return len(self._files())

    def find(self, name: str) -> KeptGame:
        """The game with that id or file name; `last` is the one played last."""
        if name.casefold() == LAST:
            return self.last()
        wanted = name.removesuffix(SUFFIX).casefold()
        found = [
            file
            for file in self._files()
            if wanted in (id_in(file.name).casefold(), file.name.removesuffix(SUFFIX).casefold())
        ]
        if not found:
            raise BadRequest(f"There is no game {quoted(name)}. `{self._list}` lists them.")
        if len(found) > 1:
            names = ", ".join(file.name for file in found)
            raise BadRequest(f"{quoted(name)} could be any of {names}. Type the whole name.")
        return look(Path(found[0]))

    def last(self) -> KeptGame:
        """The game that was played last, whenever it was begun."""
        for kept in _look_at(self._by_last_move()):
            return kept
        raise BadRequest("You have no games yet.")

    def last_unfinished(self) -> KeptGame | None:
        """The unfinished game that was played last and can be continued; never an error.

        It is the last game itself, though over, if there are more to come in its series.
        """
        with suppress(GridwiseError):
            for number, kept in enumerate(_look_at(self._by_last_move()[:RECENT])):
                if kept.verdict is Verdict.UNFINISHED or (not number and kept.next_round):
                    with suppress(BadRecord):
                        read_record(kept.path)
                        return kept
        return None

    def tally(self) -> dict[tuple[str, str], Tally]:
        """Won, lost and drawn games of one person, by game and opponent."""
        games = [kept for kept in _look_at(self._files()) if kept.person and kept.finished]
        counts = Counter((kept.game, kept.opponent, kept.verdict) for kept in games)
        verdicts = (Verdict.WON, Verdict.LOST, Verdict.DRAW)
        return {
            (game, opponent): Tally(*(counts[game, opponent, verdict] for verdict in verdicts))
            for game, opponent, _ in counts
        }

    # Deleting

    def delete(self, name: str) -> Path:
        """Move a game to the folder of deleted ones; its path there."""
        return _move(self.find(name).path, self.deleted.folder)

    def restore(self, name: str) -> Path:
        """Bring a deleted game back; its path."""
        return _move(self.deleted.find(name).path, self.folder)

    # Names and files

    def _files(self) -> list[_File]:
        """Every game, the newest first."""
        folders = [self.folder]
        if self._chosen is None:
            folders.append(data_folder() / "saved")  # what earlier versions wrote
        files = [file for folder in folders for file in _records_in(folder)]
        return sorted(files, key=_begun, reverse=True)

    def _by_last_move(self) -> list[_File]:
        """Every game, the one played last first."""
        return sorted(self._files(), key=_written, reverse=True)


class _DeletedGames(Library):
    _list = "gridwise games --deleted"


def _records_in(folder: Path) -> list[_File]:
    try:
        with os.scandir(folder) as files:
            return [file for file in files if _is_record(file)]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise GridwiseError(f"Cannot read {folder}: {error.strerror or error}.") from None


def _is_record(file: _File) -> bool:
    # Files that are being written are hidden.
    with suppress(OSError):  # a link that leads nowhere
        return file.name.endswith(SUFFIX) and file.name[0] != "." and file.is_file()
    return False


def _written(file: _File) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:  # it is gone by now
        return 0


def _begun(file: _File) -> tuple[str, str]:
    """When a game was begun, as text that can be compared; for other names, when it was written."""
    if begun := time_in(file.name):
        return begun, id_in(file.name)
    seconds = max(0, min(_written(file) // 10**9, 2**32))  # a file may claim any year
    written = dt.datetime.fromtimestamp(seconds)  # noqa: DTZ006 - as in names
    return written.strftime(TIME_FORM), file.name


def _look_at(files: list[_File]) -> Iterator[KeptGame]:
    for file in files:
        kept = look(Path(file))
        # An empty file is the place of one that is just being moved; a file may be gone by now.
        if not kept.problem or _state(kept.path)[2]:
            yield kept


def _in_base_32(number: int) -> str:
    return "".join(_DIGITS[number >> shift & 31] for shift in range(5 * _ID_LENGTH - 5, -1, -5))


def _state(path: Path) -> tuple[int, int, int]:
    """When a file was written, and what tells it from one that has taken its place.

    A terminal or a pipe changes by itself; it has no state, as if it were not there.
    """
    with suppress(OSError):
        found = path.stat()
        if stat.S_ISREG(found.st_mode):
            return found.st_mtime_ns, found.st_ino, found.st_size
    return 0, 0, 0


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GridwiseError(f"Cannot make {folder}: {error.strerror or error}.") from None


def _claim(path: Path) -> bool:
    """Take a file name, unless somebody has it."""
    try:
        path.open("x").close()
    except FileExistsError:
        return False
    except OSError as error:
        raise GridwiseError(f"Cannot write {path}: {error.strerror or error}.") from None
    return True


def _move(path: Path, folder: Path) -> Path:
    """Move a file to a folder; its new path, which is not that of another file."""
    _make_folder(folder)
    targets = (folder / f"{path.stem}{'~' * number}{SUFFIX}" for number in count())
    target = next(target for target in targets if _claim(target))
    try:
        return rename(path, target)
    except OSError as error:
        target.unlink()
        raise GridwiseError(f"Cannot move {path}: {error.strerror or error}.") from None


def resume_command(path: str | os.PathLike[str]) -> str:
    """The command that continues a saved game."""
    return _command("play", "--resume", os.fspath(path))


def review_command(path: str | os.PathLike[str]) -> str:
    """The command that reviews a finished game."""
    name = os.fspath(path)
    return _command("review", f"./{name}" if name.startswith("-") else name)


def _command(*words: str) -> str:
    # Started from a virtual environment that is not on the PATH, the plain name would not be found.
    started = Path(sys.argv[0])
    name = "gridwise"
    if started.name == name and not shutil.which(name):
        name = os.fspath(started)
    return printable(shlex.join([name, *words]))  # a file may have any name
