"""The games of MCP clients: ordinary records in a person's library, one lock for each game.

A call reads a game under its lock and writes it before it answers. The lock is a file beside the
record, held by `flock`: it keeps tasks, threads and processes apart alike, and a process that is
killed lets go of it. A record of an unfinished game holds `?` for cells that nobody has seen, and
going on deals them afresh, so no server knows a hidden cell from one call to the next.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import anyio
import anyio.to_thread

from gridwise.core.board import Board
from gridwise.core.outcome import MAX_PLIES, unfinished
from gridwise.core.position import Position
from gridwise.errors import BadRequest, GridwiseError, OutOfTurn, quoted
from gridwise.play.kept_game import KeptGame, Verdict, id_in
from gridwise.play.library import Library
from gridwise.play.match import Match
from gridwise.play.records import Record, local_date, recorded_positions

CLIENT = "mcp"  # the player whose moves come from clients, as records have it
LESSON, BOT_SEED = "Lesson", "BotSeed"  # tags of our records
LONGEST_ID = 100  # characters; longer than any file name of the library

GIVEN_UP = 24 * 60 * 60  # seconds
LOCK_SECONDS = 60.0  # how long a call waits for another that plays in the same game
LOCK_PAUSE = 0.02


@dataclass(frozen=True)
class StoredGame:
    """A game as it stands on disk."""

    path: Path
    record: Record

    @property
    def id(self) -> str:
        """What calls name it by."""
        return id_in(self.path.name)

    @cached_property
    def positions(self) -> list[Position]:
        """Every position, from the first to the last."""
        *before, last = recorded_positions(self.record)
        plies = self.max_plies
        if plies and not last.outcome and len(last.history) >= plies:
            last = last.ended(unfinished(plies))
        return [*before, last]

    @property
    def position(self) -> Position:
        """Where it stands."""
        return self.positions[-1]

    @property
    def max_plies(self) -> int | None:
        """Where programs play, a game that can go on for ever is stopped; None: never."""
        return MAX_PLIES if self.record.game.cyclic and self.is_ours else None

    @property
    def is_ours(self) -> bool:
        """Whether a client plays in it. The person's own games can only be looked at."""
        return CLIENT in self.record.players

    @property
    def lesson(self) -> bool:
        """Whether the engine may be asked while it goes on."""
        return LESSON in self.record.tags

    @property
    def you(self) -> int:
        """The player that clients move for; 0 if it is both, or neither."""
        return self.record.players.index(CLIENT) + 1 if self._seats == 1 else 0

    @property
    def _seats(self) -> int:
        return self.record.players.count(CLIENT)

    @property
    def bot_level(self) -> str:
        """The level of the bot that is to move; empty if none is."""
        turn = self.position.turn
        kind, _, level = self.record.players[turn - 1].partition(":") if turn else ("", "", "")
        return level if kind == "bot" and self.is_ours else ""

    @property
    def bot_seed(self) -> str | None:
        """The seed of the bot's next move, where the game was started with a seed."""
        seed = self.record.tags.get(BOT_SEED)
        return f"{seed} {len(self.position.history)}" if seed else None

    def match(self) -> Match:
        """The game to be played on; cells that nobody has seen are dealt afresh.

        Raises OutOfTurn if it is over.
        """
        if outcome := self.position.outcome:
            raise OutOfTurn(f"The game is over: {outcome.reason}.")
        return Match.resume(self.record, max_plies=self.max_plies)

    def after(self, match: Match) -> StoredGame:
        """The same game as a match has left it."""
        played = match.record(self.record.players, self.record.date)
        return StoredGame(self.path, replace(played, tags=self.record.tags))


class GamesStore:
    """The library as clients use it. Everything that cannot be done raises GridwiseError."""

    def __init__(self, library: Library | None = None) -> None:
        self._library = library or Library()

    def create(self, record: Record, players: tuple[str, str], tags: dict[str, str]) -> StoredGame:
        """Put a new game on disk."""
        date = local_date().strftime("%Y.%m.%d")
        record = replace(record, players=players, date=date, tags=tags)
        return StoredGame(self._library.new(record), record)

    def load(self, name: str) -> StoredGame:
        """The game with that id."""
        path = self._find(name).path
        return StoredGame(path, self._library.read(path))

    def store(self, game: StoredGame) -> StoredGame:
        """Write a game; it is on disk when this returns.

        Its id is another one if a program that takes no lock wrote to the file since it was read.
        """
        return StoredGame(self._library.write(game.path, game.record), game.record)

    def unfinished(self, game: str = "") -> Iterator[KeptGame]:
        """The unfinished games in which a client plays, the newest first."""
        for kept in self._library.games(game=game, result=Verdict.UNFINISHED):
            if CLIENT in kept.players and not kept.ending:  # some are over without a result
                yield kept

    def going_on_like(self, game: StoredGame) -> str:
        """The id of another game that a review of this one would be a look into; or nothing.

        That is one that goes on, is no lesson, and whose board agrees with this one's wherever both
        are known. A game that nobody has touched for a day is taken to be given up: where there is
        only one board, it would be in the way of every review.
        """
        for kept in self.unfinished(game.record.game.key):
            with suppress(GridwiseError, OSError):  # damaged, or gone by now
                if time.time() - kept.path.stat().st_mtime > GIVEN_UP:
                    continue
                other = StoredGame(kept.path, self._library.read(kept.path))
                ended = other.lesson or other.position.outcome or other.path == game.path
                if not ended and _agree(game.record.board, other.record.board):
                    return other.id
        return ""

    @asynccontextmanager
    async def locked(self, name: str) -> AsyncIterator[str]:
        """Hold the lock of a game; the id, which `last` has for the moment that it is asked."""
        path = (await anyio.to_thread.run_sync(self._find, name)).path
        lock = path.with_name(f".{path.name}.lock")
        with anyio.move_on_after(LOCK_SECONDS):
            # There is no event to wait for: the one who holds it may be another process.
            while (held := _take(lock)) is None:  # noqa: ASYNC110
                await anyio.sleep(LOCK_PAUSE)
        if held is None:
            raise BadRequest(
                f"Another client is playing in the game {id_in(path.name)}. Try again."
            )
        try:
            yield id_in(path.name)
        finally:
            # Removed while it is held: whoever waits for it finds that it is gone, and makes a new
            # one. So no locks are left lying about.
            lock.unlink(missing_ok=True)
            os.close(held)

    def _find(self, name: str) -> KeptGame:
        with suppress(BadRequest):
            if len(name) <= LONGEST_ID:
                return self._library.find(name)
        raise BadRequest(f"There is no game {quoted(name)}. list_games has those that go on.")


def _take(lock: Path) -> int | None:
    """The lock, as an open file; None if somebody else has it."""
    try:
        held = os.open(lock, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise GridwiseError(f"Cannot write {lock}: {error.strerror or error}.") from None
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(held).st_nlink:  # otherwise it was removed after we had opened it
            return held
    except OSError:
        pass
    os.close(held)
    return None


def _agree(one: Board, two: Board) -> bool:
    """Whether two boards may be the same one, as far as they are known."""
    shape = ("rows", "cols", "target", "handicap")
    return all(getattr(one, name) == getattr(two, name) for name in shape) and all(
        not (a and b) or a == b for a, b in zip(one.cells, two.cells, strict=True)
    )
