"""Records: a game as text (`.gwr`), both ways, and safely on disk.

Tags, a blank line, numbered moves, the result: PGN in spirit. Reading checks every move. A record
of an unfinished game holds `?` for the cells nobody has seen.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from gridwise.core.board import Board
from gridwise.core.game import Game, State
from gridwise.core.registry import game as game_of
from gridwise.errors import BadBoard, BadRecord, GridwiseError, MoveError, UnknownGame, quoted
from gridwise.play.match import RESULT_MARKS, Match, resignation

# The longest game on the largest board is a few kilobytes; capped games are shorter still.
LONGEST = 1_000_000

_NAME = re.compile(r"\w+")
_TAG = re.compile(rf'\[({_NAME.pattern})\s+"((?:[^"\\]|\\.)*)"\]')
_KNOWN_TAGS = (
    "Game",
    "Board",
    "Target",
    "Handicap",
    "First",
    "Player1",
    "Player2",
    "Date",
    "Result",
    "Termination",
)


class Step(NamedTuple):
    """One position of a recorded game, and the action that led to it (-1 for the first)."""

    board: Board
    state: State
    action: int


@dataclass(frozen=True)
class Record:
    """A game as it is written down. Made by `record_of` or `parse_record`, so always legal."""

    game: Game
    board: Board
    first: int
    moves: tuple[str, ...]
    result: str = "*"
    termination: str = ""
    players: tuple[str, str] = ("human", "human")
    date: str = ""
    tags: dict[str, str] = field(default_factory=dict)  # whatever else was in the file

    def __post_init__(self) -> None:
        """Refuse a tag that would not be read back as what it is."""
        for name in self.tags:
            if not _NAME.fullmatch(name):
                raise BadRecord(f"{quoted(name)} is no name for a tag: letters and digits only.")
            if name in _KNOWN_TAGS:
                raise BadRecord(f"The tag {name} has a place of its own in a record.")

    def steps(self) -> Iterator[Step]:
        """The positions from the first to the last, each with the board as seen by then."""
        game = self.game
        state = game.rules.start(self.board, self.first)
        yield Step(game.seen(self.board, state), state, -1)
        for number, move in enumerate(self.moves, 1):
            try:
                action = game.read_move(game.seen(self.board, state), state, move)
            except MoveError as error:
                raise BadRecord(f"Move {number}, {quoted(move)}: {error}") from None
            state = game.rules.play(self.board, state, action)
            try:
                game.check_known(self.board, state)
            except BadBoard as error:
                raise BadRecord(f"Move {number}, {quoted(move)}: {error}") from None
            yield Step(game.seen(self.board, state), state, action)

    @property
    def finished(self) -> bool:
        """Whether it has a result."""
        return self.result != "*"


def record_of(
    match: Match, players: tuple[str, str] = ("human", "human"), date: str = ""
) -> Record:
    """What has been played so far, as a record."""
    outcome = match.outcome
    return Record(
        game=match.game,
        board=match.board,
        first=match.first,
        moves=tuple(match.moves),
        result=outcome.mark if outcome else "*",
        termination=outcome.reason if outcome else "unfinished",
        players=players,
        date=date,
    )


def resume(record: Record, seed: int | str | None = None, cap: int | None = None) -> Match:
    """A match that goes on where the record stops; cells nobody has seen are dealt afresh."""
    match = Match(record.game, record.board, first=record.first, seed=seed, cap=cap)
    for move in record.moves:
        match.move(move)
    return match


# Text


def record_text(record: Record) -> str:
    """The record as it stands in a file."""
    game = record.game
    tags = {"Game": game.key, "Board": game.board_text(record.board)}
    if record.board.target != game.target:
        tags["Target"] = str(record.board.target)
    if record.board.handicap:
        tags["Handicap"] = str(record.board.handicap)
    tags |= {
        "First": str(record.first),
        "Player1": record.players[0],
        "Player2": record.players[1],
        "Date": record.date,
        "Result": record.result,
        "Termination": record.termination,
    }
    tags |= record.tags
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items()]
    words = []
    for number, move in enumerate(record.moves):
        if number % 2 == 0:
            words.append(f"{number // 2 + 1}.")
        words.append(move)
    return "\n".join([*lines, "", *_wrapped([*words, record.result]), ""])


def _wrapped(words: list[str], width: int = 80) -> list[str]:
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return lines


def _escaped(text: str) -> str:
    flat = " ".join(text.split())
    return flat.replace("\\", "\\\\").replace('"', '\\"')


def parse_record(text: str) -> Record:
    """The record that `record_text` wrote, every move checked; raises BadRecord."""
    tags, words = _split(text)
    for name in ("Game", "Board", "Result"):
        if name not in tags:
            raise BadRecord(f'The tag {name} is missing: a record starts with [Game "…"].')
    try:
        game = game_of(tags["Game"])
    except UnknownGame as error:
        raise BadRecord(f"The tag Game is wrong. {error}") from None
    board = _board(game, tags)
    first = tags.get("First", "1")
    if first not in ("1", "2") or (first == "2" and not game.coin_toss):
        raise BadRecord(f"The tag First says {quoted(first)}; in {game.title} it cannot.")
    result = tags["Result"]
    if result not in RESULT_MARKS:
        allowed = ", ".join(RESULT_MARKS)
        raise BadRecord(f"The tag Result says {quoted(result)}; it must be one of {allowed}.")
    if not words or words[-1] not in RESULT_MARKS:
        raise BadRecord("The record stops before the result: its end is missing.")
    if words[-1] != result:
        raise BadRecord(f"The tag Result says {result}, but the moves end with {words[-1]}.")
    record = Record(
        game=game,
        board=board,
        first=int(first),
        moves=tuple(words[:-1]),
        result=result,
        termination=tags.get("Termination", ""),
        players=(tags.get("Player1", "human"), tags.get("Player2", "human")),
        date=tags.get("Date", ""),
        tags={name: value for name, value in tags.items() if name not in _KNOWN_TAGS},
    )
    return _checked(record)


def _board(game: Game, tags: dict[str, str]) -> Board:
    """The board that three tags tell; the error names the one that is wrong."""
    told: dict[str, int | None] = {"Board": None, "Target": None, "Handicap": None}
    board = None
    for name in told:
        if name not in tags:
            continue
        told[name] = None if name == "Board" else _number(tags, name)
        try:
            board = game.parse_board(tags["Board"], told["Target"], told["Handicap"] or 0)
        except BadBoard as error:
            raise BadRecord(f"The tag {name} is wrong. {error}") from None
    assert board is not None  # there is a tag Board, or it would have been missed before
    return board


def _number(tags: dict[str, str], name: str) -> int | None:
    text = tags.get(name)
    if text is None:
        return None
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise BadRecord(f"The tag {name} says {quoted(text)}; it must be a number.")
    return int(text)


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
            tags[match[1]] = re.sub(r"\\(.)", r"\1", match[2])
        else:
            words += [word for word in line.split() if not re.fullmatch(r"\d+\.+", word)]
    return tags, words


def _checked(record: Record) -> Record:
    """Play the record through and compare how it ends with what it says.

    Whatever an unfinished record says about cells that nobody has seen is forgotten.
    """
    *_, last = record.steps()
    winner = record.game.rules.winner(last.board, last.state)
    if winner and RESULT_MARKS[winner] != record.result:
        raise BadRecord(f"The moves end {RESULT_MARKS[winner]}, but Result says {record.result}.")
    if record.result == "*":
        return replace(record, board=last.board)
    if winner:
        return record
    loser = {"1-0": 2, "0-1": 1}.get(record.result)
    if not loser or record.termination != resignation(loser).reason:
        raise BadRecord(
            f"Result says {record.result}, but after the last move the game still goes on "
            f"and Termination does not say that Player {loser or '1 or 2'} resigned."
        )
    return record


# Disk


def read_record(path: str | os.PathLike[str]) -> Record:
    """The record in a file; raises BadRecord, whatever is in the file."""
    try:
        with open(path, "rb") as file:
            raw = file.read(LONGEST + 1)
    except (OSError, ValueError) as error:
        raise BadRecord(f"Cannot read {quoted(str(path), 200)}: {_why(error)}.") from None
    if len(raw) > LONGEST:
        raise BadRecord(f"{path} is no record: it is longer than {LONGEST:,} bytes.")
    try:
        return parse_record(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise BadRecord(f"{path} is no record: byte {error.start} is not UTF-8.") from None
    except BadRecord as error:
        raise BadRecord(f"{path} is damaged. {error}") from None


def write_record(record: Record, path: str | os.PathLike[str]) -> None:
    """Put the record into a file, whole or not at all: a kill leaves the old file or the new.

    Raises GridwiseError if it cannot be written.
    """
    target = Path(path)
    text = record_text(record).encode("utf-8", errors="replace")
    try:
        if target.exists() and not target.is_file():
            # A device or a pipe cannot be replaced; it is simply written to.
            target.write_bytes(text)
            return
        _replace(target, text)
    except (OSError, ValueError) as error:
        raise GridwiseError(f"Cannot write {quoted(str(path), 200)}: {_why(error)}.") from None


def _replace(target: Path, text: bytes) -> None:
    target = target.resolve()
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(
        prefix=f".{target.name[:80]}.", suffix=".tmp", dir=target.parent
    )
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _umask() -> int:
    # The only way to read it is to set it.
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _why(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error)
