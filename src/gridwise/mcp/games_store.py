"""The games of MCP clients: ordinary records in a person's library, one lock for each game.

A call reads a game under its lock and writes it before it answers. The lock is a file beside the
record, held by `flock`: it keeps tasks, threads and processes apart alike, and a process that is
killed lets go of it. A record of an unfinished game holds `?` for cells that nobody has seen, and
going on deals them afresh, so no server knows a hidden cell from one call to the next.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import anyio
import anyio.to_thread

from gridwise.core.outcome import MAX_PLIES, unfinished
from gridwise.core.position import Position
from gridwise.errors import BadRequest, GridwiseError, OutOfTurn, quoted
from gridwise.play.library import Library, SavedGame, SavedStatus, id_in
from gridwise.play.match import Match
from gridwise.play.records import Record, local_date, recorded_positions

CLIENT = "mcp"  # the player whose moves come from clients, as records have it
LESSON, BOT_SEED = "Lesson", "BotSeed"  # tags of our records
MAX_ID_LENGTH = 100  # longer than any file name of the library

LOCK_SECONDS = 60.0  # how long a call waits for another that plays in the same game
LOCK_POLL_SECONDS = 0.02


@dataclass(frozen=True)
class ClientGame:
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
        players = self.record.players
        return players.index(CLIENT) + 1 if players.count(CLIENT) == 1 else 0

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

    def after(self, match: Match) -> ClientGame:
        """The stored game as a match has left it."""
        played = match.record(self.record.players, self.record.date)
        return ClientGame(self.path, replace(played, tags=self.record.tags))


class GamesStore:
    """The library as clients use it. Everything that cannot be done raises GridwiseError."""

    def __init__(self, library: Library | None = None) -> None:
        self._library = library or Library()

    def create(self, record: Record, players: tuple[str, str], tags: dict[str, str]) -> ClientGame:
        """Put a new game on disk."""
        date = local_date().strftime("%Y.%m.%d")
        record = replace(record, players=players, date=date, tags=tags)
        return ClientGame(self._library.new(record), record)

    def load(self, name: str) -> ClientGame:
        """The game with that id."""
        path = self._find(name).path
        return ClientGame(path, self._library.read(path))

    def store(self, game: ClientGame) -> ClientGame:
        """Write a game; it is on disk when this returns.

        Its id is another one if a program that takes no lock wrote to the file since it was read.
        """
        return ClientGame(self._library.write(game.path, game.record), game.record)

    def unfinished(self) -> Iterator[SavedGame]:
        """The unfinished games in which a client plays, the newest first."""
        for game in self._library.games(result=SavedStatus.UNFINISHED):
            if CLIENT in game.players and not game.ending:  # some are over without a result
                yield game

    @asynccontextmanager
    async def locked(self, name: str) -> AsyncIterator[str]:
        """Hold the lock of a game; the id, which `last` has for the moment that it is asked."""
        path = (await anyio.to_thread.run_sync(self._find, name)).path
        lock = path.with_name(f".{path.name}.lock")
        with anyio.move_on_after(LOCK_SECONDS):
            # There is no event to wait for: the one who holds it may be another process.
            while (held := _take(lock)) is None:  # noqa: ASYNC110
                await anyio.sleep(LOCK_POLL_SECONDS)
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

    def _find(self, name: str) -> SavedGame:
        with suppress(BadRequest):
            if len(name) <= MAX_ID_LENGTH:
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
