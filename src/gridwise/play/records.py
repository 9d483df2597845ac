"""Records: a game as text (`.gwr`), both ways, and safely on disk.

Tags, a blank line, numbered moves, the result: PGN in spirit. Reading checks every move. A record
of an unfinished game holds `?` for the cells nobody has seen.
"""

from __future__ import annotations

import datetime as dt
import os
import re
import secrets
import shutil
import textwrap
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import TypeVar

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.outcome import DRAW, RESULT_MARKS, Outcome, Termination
from gridwise.core.position import Position, replay
from gridwise.core.registry import game as game_named
from gridwise.errors import (
    BadBoard,
    BadRecord,
    BadRequest,
    GridwiseError,
    MoveError,
    UnknownGame,
    printable,
    quoted,
)
from gridwise.folders import rename

# The longest game on the largest board is a few kilobytes; capped games are shorter still.
MAX_BYTES = 1_000_000
_USUAL_BYTES = 8192

T = TypeVar("T")

LINE_LENGTH = 80  # characters of the moves
MAX_REASON_LENGTH = 100  # characters of a reason that somebody has put into a file

_NAME = re.compile(r"\w+")
_TAG = re.compile(rf'\[({_NAME.pattern})\s+"((?:[^"\\]|\\.)*)"\]')
_ESCAPE = re.compile(r"\\(.)")
_NUMBER = re.compile(r"\d+\.+")
_REQUIRED = ("Game", "Board", "Result")
_ENDINGS = tuple(Termination)
# How a game can end that the moves do not bring to an end.
_OPEN_WINS = (
    Termination.RESIGNATION,
    Termination.TIME_OUT,
    Termination.ILLEGAL_MOVE,
    Termination.CRASH,
    Termination.ADJUDICATION,
)
_OPEN_DRAWS = (Termination.ADJUDICATION,)
_OPTIONAL = ("Target", "Handicap", "First", "Player1", "Player2", "Date", "Ending", "Termination")


@dataclass(frozen=True)
class Record:
    """A game as it is written down. Made by `Match.record` or `parse_record`, so always legal."""

    game: Game
    board: Board
    first: int
    moves: tuple[str, ...]
    result: str = "*"
    ending: Termination | None = None  # how it ended, for programs
    termination: str = ""  # the same for people
    players: tuple[str, str] = ("human", "human")
    date: str = ""
    tags: dict[str, str] = field(default_factory=dict)  # whatever else was in the file

    def __post_init__(self) -> None:
        """Refuse a tag that would not be read back as what it is."""
        for name in self.tags:
            if not _NAME.fullmatch(name):
                raise BadRecord(f"{quoted(name)} is no name for a tag: letters and digits only.")
            if name in _REQUIRED + _OPTIONAL:
                raise BadRecord(f"The tag {name} has a place of its own in a record.")

    def positions(self) -> Iterator[Position]:
        """The positions from the first to the last, each with the board as seen by then."""
        try:
            yield from replay(self.game, self.board, self.first, self.moves)
        except (MoveError, BadBoard, BadRequest) as error:
            raise BadRecord(str(error)) from None

    @property
    def finished(self) -> bool:
        """Whether it has a result."""
        return self.result != "*"


def recorded_positions(record: Record) -> list[Position]:
    """The positions of a record; the last one has the outcome of the record."""
    *before, last = record.positions()
    if record.finished and not last.outcome:
        ending = record.ending or Termination.RESIGNATION
        winner = RESULT_MARKS.index(record.result)
        reason = printable(record.termination, MAX_REASON_LENGTH)
        last = last.ended(Outcome(winner, ending, reason), record.board)
    return [*before, last]


# Text


def record_text(record: Record) -> str:
    """The record as it stands in a file."""
    game, board = record.game, record.board
    tags = {
        "Game": game.key,
        "Board": game.board_text(board),
        "Target": str(board.target) if board.target != game.target else None,
        "Handicap": str(board.handicap) if board.handicap else None,
        "First": str(record.first),
        "Player1": record.players[0],
        "Player2": record.players[1],
        "Date": record.date,
        "Result": record.result,
        "Ending": record.ending,
        "Termination": record.termination,
        **record.tags,
    }
    lines = [f'[{name} "{_escaped(text)}"]' for name, text in tags.items() if text is not None]
    words = [
        f"{ply // 2 + 1}. {move}" if ply % 2 == 0 else move for ply, move in enumerate(record.moves)
    ]
    moves = " ".join([*words, record.result])
    wrapped = [moves]
    if len(moves) > LINE_LENGTH:  # a tournament writes thousands of short games
        wrapped = textwrap.wrap(moves, LINE_LENGTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, "", *wrapped, ""])


def _escaped(text: str) -> str:
    text = " ".join(text.split())
    return re.sub(r'(["\\])', r"\\\1", text) if '"' in text or "\\" in text else text


def parse_record(text: str) -> Record:
    """The record that `record_text` wrote, every move checked; raises BadRecord."""
    game, tags, moves = _parse_tags(text)
    first = tags.get("First", "1")
    if first not in ("1", "2") or (first == "2" and not game.coin_toss):
        raise BadRecord(f"The tag First says {quoted(first)}; in {game.title} it cannot.")
    record = Record(
        game=game,
        board=_board(game, tags),
        first=int(first),
        moves=tuple(moves),
        result=tags["Result"],
        ending=Termination(tags["Ending"]) if "Ending" in tags else None,
        termination=tags.get("Termination", ""),
        players=(tags.get("Player1", "human"), tags.get("Player2", "human")),
        date=tags.get("Date", ""),
        tags={name: value for name, value in tags.items() if name not in _REQUIRED + _OPTIONAL},
    )
    return _checked(record)


def _parse_tags(text: str) -> tuple[Game, dict[str, str], list[str]]:
    """The game, the tags and the moves of a record that is whole; nothing is played through."""
    tags, words = _split(text)
    if "Game" not in tags:
        raise BadRecord('The tag Game is missing: a record starts with [Game "number-run"].')
    try:
        game = game_named(tags["Game"])
    except UnknownGame as error:
        raise BadRecord(f"The tag Game is wrong. {error}") from error
    for name, example in (("Board", game.example_board), ("Result", "*")):
        if name not in tags:
            raise BadRecord(
                f'The tag {name} is missing: a record has a line such as [{name} "{example}"].'
            )
    for name, allowed in (("Result", RESULT_MARKS), ("Ending", _ENDINGS)):
        if name in tags and tags[name] not in allowed:
            known = ", ".join(allowed)
            raise BadRecord(f"The tag {name} says {quoted(tags[name])}; it must be one of {known}.")
    if not words or words[-1] not in RESULT_MARKS:
        raise BadRecord("The record stops before the result: its end is missing.")
    result = words.pop()
    if result != tags["Result"]:
        raise BadRecord(f"The tag Result says {tags['Result']}, but the moves end with {result}.")
    return game, tags, words


def _board(game: Game, tags: dict[str, str]) -> Board:
    """The board that three tags tell; the error names the one that is wrong."""
    numbers = {}
    for name in ("Board", "Target", "Handicap"):
        if name not in tags:
            continue
        if name != "Board":
            if not re.fullmatch(r"[0-9]{1,6}", tags[name]):
                raise BadRecord(f"The tag {name} says {quoted(tags[name])}; it must be a number.")
            numbers[name.lower()] = int(tags[name])
        try:
            board = game.parse_board(tags["Board"], **numbers)
        except BadBoard as error:
            raise BadRecord(f"The tag {name} is wrong. {error}") from None
    return board


def _split(text: str) -> tuple[dict[str, str], list[str]]:
    """Tags, and the words of the moves without their numbers."""
    tags: dict[str, str] = {}
    words: list[str] = []
    for number, raw in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        line = raw.strip()
        if line.startswith("["):
            match = _TAG.fullmatch(line)
            if match is None:
                raise BadRecord(
                    f'Line {number} is no tag: {quoted(line)}. Tags look like [Game "…"].'
                )
            if match[1] in tags:
                raise BadRecord(f"The tag {match[1]} stands there twice.")
            if words:
                raise BadRecord(f"Line {number}: the tag {match[1]} stands among the moves.")
            value = match[2]
            tags[match[1]] = _ESCAPE.sub(r"\1", value) if "\\" in value else value
        else:
            words += [
                word for word in line.split() if word[-1] != "." or not _NUMBER.fullmatch(word)
            ]
    return tags, words


def _checked(record: Record) -> Record:
    """Play the record through and compare how it ends with what it says.

    A win that the moves do not lead to must be a resignation, on time, by an opponent that failed,
    or an adjudication. What an unfinished record says about cells nobody has seen is forgotten.
    """
    (last,) = deque(record.positions(), maxlen=1)  # keeping them all takes room
    outcome, ended = last.outcome, f"Ending says {record.ending}"
    if outcome and outcome.mark != record.result:
        raise BadRecord(f"The moves end {outcome.mark}, but Result says {record.result}.")
    if outcome:
        possible: tuple[Termination, ...] = (outcome.termination,)
    elif record.result == RESULT_MARKS[0]:
        possible = (Termination.AGREEMENT, Termination.MAX_PLIES, Termination.ADJUDICATION)
    else:
        possible = _OPEN_DRAWS if record.result == RESULT_MARKS[DRAW] else _OPEN_WINS
        ended = f"Result says {record.result}, but after the last move the game still goes on"
    unsaid = () if possible == _OPEN_DRAWS else (None,)
    if record.ending not in (*possible, *unsaid):
        raise BadRecord(f"{ended}; with these moves Ending can only be {' or '.join(possible)}.")
    return record if record.finished else replace(record, board=last.board)


def local_date() -> dt.date:
    """The date of a record or a report: today's where it is made, unless SOURCE_DATE_EPOCH is set.

    That is the usual variable for output that is to be the same whenever it is made.
    """
    told = os.environ.get("SOURCE_DATE_EPOCH", "")
    if re.fullmatch(r"[0-9]{1,11}", told):
        return dt.datetime.fromtimestamp(int(told), dt.UTC).date()
    return dt.datetime.now().astimezone().date()


# Disk


def read_record(path: str | os.PathLike[str]) -> Record:
    """The record in a file; raises BadRecord, whatever is in the file."""
    return _read(path, parse_record)


def read_tags(path: str | os.PathLike[str]) -> tuple[dict[str, str], int]:
    """The tags in a file and how many moves it has; raises BadRecord.

    For lists of many games: the moves are not checked, which takes most of the time (a game of 20
    moves is read in 45 us instead of 280).
    """
    game, tags, moves = _read(path, _parse_tags)
    return {**tags, "Game": game.key}, len(moves)


def _read(path: str | os.PathLike[str], parse: Callable[[str], T]) -> T:
    try:
        with open(path, "rb") as file:
            # Python makes room for all that is asked for: a megabyte for each file, or 40 us.
            raw = file.read(_USUAL_BYTES)
            if len(raw) == _USUAL_BYTES:
                raw += file.read(MAX_BYTES + 1 - _USUAL_BYTES)
    except (OSError, ValueError) as error:
        raise BadRecord(f"Cannot read {quoted(str(path), 200)}: {_why(error)}.") from None
    if len(raw) > MAX_BYTES:
        raise BadRecord(f"{path} is not a record: it is longer than {MAX_BYTES:,} bytes.")
    try:
        return parse(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise BadRecord(f"{path} is not a record: byte {error.start} is not UTF-8.") from None
    except BadRecord as error:
        raise BadRecord(f"{path} is not a valid record. {error}") from error.__cause__


def write_record(record: Record, path: str | os.PathLike[str]) -> None:
    """Put the record into a file, whole or not at all: a kill leaves the old file or the new.

    Raises GridwiseError if it cannot be written.
    """
    write_file(path, record_text(record).encode("utf-8", errors="replace"))


def write_file(path: str | os.PathLike[str], content: bytes) -> None:
    """Put bytes into a file as `write_record` does."""
    target = Path(path)
    try:
        if target.exists() and not target.is_file():
            # A device or a pipe cannot be replaced; it is simply written to.
            target.write_bytes(content)
            return
        _replace(target, content)
    except (OSError, ValueError) as error:
        raise GridwiseError(f"Cannot write {quoted(str(path), 200)}: {_why(error)}.") from None


def _replace(target: Path, content: bytes) -> None:
    target = target.resolve()
    temporary = target.with_name(f".{target.name[:80]}.{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("xb") as file:
            if target.exists():
                temporary.chmod(target.stat().st_mode & 0o777)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        rename(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def back_up(path: Path) -> str:
    """Copy an older record to another name; the sentence that says so, or nothing."""
    try:
        if not path.is_file() or path.stat().st_size == 0:
            return ""
        names = (path.with_name(f"{path.name}~{number or ''}") for number in count())
        copy = next(name for name in names if not name.exists())
        shutil.copy2(path, copy)  # a copy: if the new record cannot be written, the old one stays
    except OSError as error:
        raise GridwiseError(f"Cannot write {path}: {_why(error)}.") from None
    return f"{path} already existed; the old file is now {copy}."


def _why(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error)
