"""A person's own games on disk: a folder of ordinary `.gwr` files, and what a list says of each.

The files are the truth, and there is no index that could disagree with them. A name begins with
the time and ends with a short id, `2026-11-16-145501-number-run-3f9a.gwr`, so the newest games are
known from the names alone; a list reads the tags of the games it shows, and only a game that is
opened is checked move by move. A file that cannot be read is listed as damaged and left as it is.
"""

from __future__ import annotations

import datetime as dt
import os
import re
import shlex
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import count, islice
from pathlib import Path
from typing import TypeAlias

from gridwise.core.outcome import DRAW, RESULT_MARKS, Termination
from gridwise.core.registry import game as game_named
from gridwise.errors import BadRecord, BadRequest, GridwiseError, printable, quoted
from gridwise.folders import data_folder, rename
from gridwise.play.ladder import Help, Standing, with_help
from gridwise.play.match import HUMAN, one_person
from gridwise.play.records import (
    Record,
    back_up,
    read_record,
    read_tags,
    record_text,
    recorded_positions,
    write_file,
    write_record,
)
from gridwise.play.series import BOTH_SIDES, Series

SUFFIX = ".gwr"
MAX_HELP_LENGTH = 60  # characters, of a file that anybody may have written
TIME_FORM = "%Y-%m-%d-%H%M%S"
_TIME = re.compile(r"\d{4}-\d\d-\d\d-\d{6}")


class SavedStatus(StrEnum):
    """How a game stands: from the person's side if one person played, else by player."""

    WON = "won"
    LOST = "lost"
    DRAW = "draw"
    UNFINISHED = "unfinished"
    PLAYER_1_WON = "player-1-won"
    PLAYER_2_WON = "player-2-won"
    DAMAGED = "damaged"


@dataclass(frozen=True)
class SavedGame:
    """What a list says about one game on disk, from its name and its tags."""

    path: Path
    id: str  # what to type on the command line
    game: str = ""  # its key
    players: tuple[str, str] = ("", "")
    result: str = RESULT_MARKS[0]
    ending: Termination | None = None
    date: str = ""  # as the record has it
    moves: int = 0
    help: str = ""  # that a person had in it, as `play.ladder` writes it
    has_beaten: bool = False  # whether the person won what counts for the ladder with it
    next_round: int = 0  # the number of the next game, where it is over and its series is not
    has_other_side: bool = False  # whether that is the other one of both sides
    is_other_side: bool = False  # whether it is that one itself
    board: str = ""  # as the record has it
    problem: str = ""  # why it cannot be read

    @property
    def started(self) -> dt.datetime | None:
        """When it was begun, on the clock of that place; midnight if only the date is known."""
        for text, form in ((time_in(self.path.name), TIME_FORM), (self.date, "%Y.%m.%d")):
            with suppress(ValueError):
                return dt.datetime.strptime(text, form)  # noqa: DTZ007 - no zone is written down
        return None

    @property
    def finished(self) -> bool:
        """Whether it has a result."""
        return self.result != RESULT_MARKS[0]

    @property
    def title(self) -> str:
        """The name of the game; nothing if it cannot be read."""
        return game_named(self.game).title if self.game else ""

    @property
    def person(self) -> int:
        """The side of the one person in the game, 1 or 2; 0 if there were two, or none."""
        return one_person(self.players)

    @property
    def opponent(self) -> str:
        """Who played against the person; nothing if it was not one against another."""
        return self.players[2 - self.person] if self.person else ""

    @property
    def status(self) -> SavedStatus:
        """How it stands, from the person's side."""
        winner = RESULT_MARKS.index(self.result)
        if self.problem:
            return SavedStatus.DAMAGED
        if winner in (0, DRAW):
            return SavedStatus.DRAW if winner else SavedStatus.UNFINISHED
        if self.person:
            return SavedStatus.WON if winner == self.person else SavedStatus.LOST
        return SavedStatus.PLAYER_1_WON if winner == 1 else SavedStatus.PLAYER_2_WON

    def is_against(self, opponent: str) -> bool:
        """Whether that player, or a bot of that level, played against the person."""
        rivals = (self.opponent,) if self.person else self.players
        wanted = opponent.casefold()
        return any(
            wanted in (name.casefold(), name.casefold().partition(":")[2]) for name in rivals
        )

    def mentions(self, text: str) -> bool:
        """Whether a text stands in what a list shows of the game."""
        words = (self.id, self.game, self.title, *self.players, self.status, str(self.started))
        return text.casefold() in " ".join(words).casefold()


def read_summary(path: Path) -> SavedGame:
    """What can be said about a file without checking its moves."""
    try:
        tags, moves = read_tags(path)
    except BadRecord as error:
        return SavedGame(path, id_in(path.name), problem=str(error))
    series, winner = Series.from_tags(tags), RESULT_MARKS.index(tags["Result"])
    following = series.next(winner) if series and winner else None
    saved = SavedGame(
        path=path,
        id=id_in(path.name),
        game=tags["Game"],
        players=(tags.get("Player1", HUMAN), tags.get("Player2", HUMAN)),
        result=tags["Result"],
        ending=Termination(tags["Ending"]) if "Ending" in tags else None,
        date=tags.get("Date", ""),
        moves=moves,
        help=printable(tags.get("Help", ""), MAX_HELP_LENGTH),
        next_round=following.round if following else 0,
        has_other_side=bool(following and series and series.has_other_side),
        is_other_side=bool(series and series.best_of == BOTH_SIDES and series.round > 1),
        board=tags["Board"],
    )
    wins = ("1-0", "0-1")  # of the sides of a person
    won = saved.person and tags.get("Ladder") == wins[saved.person - 1]
    return replace(saved, has_beaten=bool(won))


def time_in(name: str) -> str:
    """The time in the name of a file, as `TIME_FORM` has it; nothing if there is none."""
    match = _TIME.search(name)
    return match[0] if match else ""


def id_in(name: str) -> str:
    """The last part of a name that has a time in it; another name as a whole."""
    stem = name.removesuffix(SUFFIX)
    return stem.rpartition("-")[2] if time_in(stem) else stem


LAST = "last"  # the id of the game that was played last
# To offer a game to continue, no more than this many of the last games are looked at.
MAX_GAMES_TRIED = 100

_File: TypeAlias = "os.DirEntry[str]"  # what the folder says about a file

# The microsecond in base 32 is the id of a new game: four letters and digits, in the order of time.
# None of them is taken for another, and no id is a word such as `last`.
_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
_ID_LENGTH = 4


class Library:
    """The games of one person; `folder` is where new ones go.

    Without a folder it is the usual one. Anything that cannot be done raises GridwiseError.
    """

    def __init__(self, folder: Path | None = None, list_command: str = "gridwise games") -> None:
        self._chosen, self._list_command = folder, list_command
        self._known: dict[Path, tuple[int, ...]] = {}  # files as we last read or wrote them
        self._records: dict[Path, Record] = {}  # and what was in them

    @property
    def folder(self) -> Path:
        """The folder of new games."""
        return self._chosen or data_folder() / "games"

    @property
    def deleted(self) -> Library:
        """The deleted games, which are still there in case it was a slip."""
        return Library(self.folder / "deleted", "gridwise games --deleted")

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
        self._known[path], self._records[path] = _state(path), record
        return path

    def read(self, path: Path) -> Record:
        """The game in a file, to be continued with `write`; raises BadRecord."""
        state = _state(path)
        record = read_record(path)
        self._known[path], self._records[path] = state, record
        return record

    def has_read(self, path: Path) -> bool:
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
    ) -> Iterator[SavedGame]:
        """The games, the newest first.

        `game` is a key, `opponent` a player such as `bot:casual` or a level alone, `result` one of
        SavedStatus; `text` is looked for in everything that a list shows.
        """

        def wanted(saved: SavedGame) -> bool:
            return (
                game in ("", saved.game)
                and result in ("", saved.status)
                and (not opponent or saved.is_against(opponent))
                and (not text or saved.mentions(text))
            )

        return islice(filter(wanted, _summaries(self._files())), limit)

    def count(self) -> int:
        """How many games there are."""
        return len(self._files())

    def find(self, name: str) -> SavedGame:
        """The game with that id or file name; `last` is the one played last."""
        if name.casefold() == LAST:
            return self.last()
        wanted = name.removesuffix(SUFFIX).casefold()
        matching = [
            file
            for file in self._files()
            if wanted in (id_in(file.name).casefold(), Path(file).stem.casefold())
        ]
        if not matching:
            raise BadRequest(f"There is no game {quoted(name)}. `{self._list_command}` lists them.")
        if len(matching) > 1:
            names = ", ".join(file.name for file in matching)
            raise BadRequest(f"{quoted(name)} could be any of {names}. Type the whole name.")
        return read_summary(Path(matching[0]))

    def last(self) -> SavedGame:
        """The game that was played last, whenever it was begun."""
        for saved in _summaries(self._by_last_move()):
            return saved
        raise BadRequest("You have no games yet.")

    def last_unfinished(self) -> SavedGame | None:
        """The unfinished game that was played last and can be continued; never an error.

        It is the last game itself, though over, if there are more to come in its series.
        """
        for number, saved in enumerate(self._lately()):
            if saved.status is SavedStatus.UNFINISHED or (not number and saved.next_round):
                with suppress(GridwiseError):
                    read_record(saved.path)
                    return saved
        return None

    def _lately(self) -> Iterator[SavedGame]:
        """The games that were played last; none from a folder that cannot be read."""
        with suppress(GridwiseError):
            yield from _summaries(self._by_last_move()[:MAX_GAMES_TRIED])

    def helped_by_review(self, path: Path) -> list[SavedGame]:
        """The games against a program that a review of one helps to win: itself, if it goes on.

        On another board than the only one of its game also others, such as the other of both sides.
        """
        reviewed = read_summary(path)
        if reviewed.problem:
            return []
        boards = {reviewed.board} - {game_named(reviewed.game).fixed}
        last = list(self._lately())
        other_sides = {(saved.game, saved.board) for saved in last if saved.is_other_side}

        def is_helped(number: int, saved: SavedGame) -> bool:
            begun = number and (saved.game, saved.board) in other_sides
            goes_on = not saved.finished or (saved.has_other_side and not begun)
            same = saved.game == reviewed.game and saved.board in boards
            if not (saved.person and goes_on and (same or _is_file(saved.path, path))):
                return False
            with suppress(BadRecord):  # one that is damaged goes on nowhere
                return bool(read_record(saved.path))
            return False

        return [saved for number, saved in enumerate(last) if is_helped(number, saved)]

    def other_side_begun(self, path: Path) -> bool:
        """Whether the other side of the board of a game has been played, or begun to be.

        Not of the only board of its game, which everybody knows.
        """
        first = read_summary(path)
        if first.problem or first.board == game_named(first.game).fixed:
            return False
        board = (first.game, first.board)
        return any(
            each.is_other_side and (each.game, each.board) == board for each in self._lately()
        )

    def note_help(self, saved: SavedGame, kind: Help) -> None:
        """Keep in the file of a game that a person was helped, without making it the last one."""
        record, written = self.read(saved.path), saved.path.stat()
        tags = record.tags | {"Help": with_help(record.tags.get("Help", ""), kind)}
        path = self.write(saved.path, replace(record, tags=tags))
        os.utime(path, ns=(written.st_atime_ns, written.st_mtime_ns))
        self._known[path] = _state(path)

    def noted_elsewhere(self, path: Path) -> str:
        """The help in the file of a game that goes on here, if that alone was changed meanwhile.

        Then it can be written again as if nobody else had.
        """
        state, record = _state(path), self._records.get(path)
        if record is None or state == self._known.get(path):
            return ""
        with suppress(BadRecord):
            there = read_record(path)
            if _without_help(there) == _without_help(record):
                self._known[path], self._records[path] = state, there
                return there.tags.get("Help", "")
        return ""

    def tally(self) -> dict[tuple[str, str], Standing]:
        """Won, lost and drawn games of one person, by game and opponent."""
        games = [saved for saved in _summaries(self._files()) if saved.person and saved.finished]
        counts = Counter((saved.game, saved.opponent, saved.status) for saved in games)
        beaten = Counter((saved.game, saved.opponent) for saved in games if saved.has_beaten)

        def standing(game: str, opponent: str) -> Standing:
            verdicts = (SavedStatus.WON, SavedStatus.LOST, SavedStatus.DRAW)
            won, lost, draw = (counts[game, opponent, verdict] for verdict in verdicts)
            return Standing(won, lost, draw, beaten[game, opponent])

        return {(game, opponent): standing(game, opponent) for game, opponent, _ in counts}

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
        try:
            with os.scandir(self.folder) as files:
                return sorted(filter(_is_record, files), key=_begun, reverse=True)
        except FileNotFoundError:
            return []
        except OSError as error:
            problem = f"Cannot read {self.folder}: {error.strerror or error}."
            raise GridwiseError(problem) from None

    def _by_last_move(self) -> list[_File]:
        """Every game, the one played last first."""
        return sorted(self._files(), key=_written, reverse=True)


def _is_record(file: _File) -> bool:
    # Files that are being written are hidden.
    with suppress(OSError):  # a link that leads nowhere
        return file.name.endswith(SUFFIX) and file.name[0] != "." and file.is_file()
    return False


def _without_help(record: Record) -> str:
    tags = {name: text for name, text in record.tags.items() if name != "Help"}
    return record_text(replace(record, tags=tags))


def _is_file(one: Path, other: Path) -> bool:
    """Whether two paths lead to the same file; one that is gone by now is none."""
    with suppress(OSError):
        return one.samefile(other)
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


def _summaries(files: list[_File]) -> Iterator[SavedGame]:
    for file in files:
        saved = read_summary(Path(file))
        # An empty file is the place of one that is just being moved; a file may be gone by now.
        if not saved.problem or _state(saved.path)[2]:
            yield saved


def _in_base_32(number: int) -> str:
    return "".join(_DIGITS[number >> shift & 31] for shift in range(5 * _ID_LENGTH - 5, -1, -5))


def _state(path: Path) -> tuple[int, int, int]:
    """When a file was written, and what tells it from one that has taken its place."""
    with suppress(OSError):
        status = path.stat()
        return status.st_mtime_ns, status.st_ino, status.st_size
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


# A game as a file of its own
EXPORT_FORMS = {
    SUFFIX: "The record, as text",
    ".svg": "A picture of the end (SVG)",
    ".png": "A picture of the end (PNG)",
    ".gif": "The whole game, animated (GIF)",
}


def export(record: Record, target: Path, delay: float | None = None) -> str:
    """Write a game as a record or a picture, whatever the name says; an older file is kept.

    `delay` is how many seconds each move of an animation stays. Returns what was done with an older
    file of that name, in a sentence; nothing if there was none.
    """
    from gridwise.show.pictures import DELAY, picture  # noqa: PLC0415 - 0.1 s, only for this

    if target.suffix.casefold() == SUFFIX:
        content = record_text(record).encode()
    else:
        views = [each.view for each in recorded_positions(record)]
        content = picture(target.suffix, views, DELAY if delay is None else delay)
    note = back_up(target)
    write_file(target, content)
    return note


def resume_command(path: str | os.PathLike[str], *options: str) -> str:
    """The command that continues a saved game."""
    return _command("play", "--resume", os.fspath(path), *options)


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
