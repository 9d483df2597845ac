"""GameStore: games in the database, by SQLAlchemy Core.

Reading is for worker threads: `ask` starts one. Writing is `write`, for many games in one
transaction; only the journal calls it.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache, partial
from typing import Any, NamedTuple, ParamSpec, Self, TypeVar

import sqlalchemy as sa
from sqlalchemy import and_, bindparam, delete, exists, insert, or_, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from gridwise.core.outcome import Termination
from gridwise.web.errors import Unavailable, WriteConflict
from gridwise.web.game.events import MovePlayed, SeatTaken, Stopped, stored_event
from gridwise.web.game.stored_game import (
    BOT,
    DISMISSED,
    HUMAN,
    OPEN,
    Change,
    EntryAdded,
    GameCreated,
    GameEnding,
    GameSetup,
    JournalEntry,
    Seat,
    StoredGame,
    new_id,
)
from gridwise.web.storage.database import DatabaseClock
from gridwise.web.storage.schema import events, games, seats
from gridwise.web.workers.fair_queue import FairQueue, asker
from gridwise.web.workers.pacing import Pacer

P = ParamSpec("P")
T = TypeVar("T")
log = logging.getLogger("gridwise.web")

# More threads at once would only keep the event loop from Python's lock.
READS_AT_ONCE = 3
LAST_ANSWERS_SECONDS = 5.0  # that what is being asked has to finish at the end
BATCH_SIZE = 500  # ids in one statement
MOST_UNFINISHED = 500  # seats of one browser that are looked at; it can start 50 games a week

WAITING, PLAYING, OVER, CANCELLED = "waiting", "playing", "over", "cancelled"  # status of a game

_GAME = update(games).where(games.c.id == bindparam("of_game"))
_GAME_SEATS = update(seats).where(seats.c.game_id == bindparam("of_game"))
# In the order in which rows depend on each other; a batch is written statement by statement.
# Columns are set to the values of their names that are given with a statement.
_STATEMENTS: dict[str, sa.Executable] = {
    "game": insert(games),
    "seat": insert(seats),
    "event": insert(events),
    "seat taken": _GAME_SEATS.where(seats.c.number == bindparam("of_number")),
    "begun": _GAME.values(status=PLAYING),
    "turn": _GAME,
    "ending": _GAME.values(
        finished=bindparam("at"),
        result=bindparam("result"),
        reason=bindparam("reason"),
        turn=0,
        flag_falls=None,
        status=sa.case(
            (
                and_(
                    or_(games.c.status == WAITING, bindparam("reason") == DISMISSED),
                    bindparam("result") == "",
                ),
                CANCELLED,
            ),
            else_=OVER,
        ),
    ),
    "seats left": _GAME_SEATS.values(
        finished=sa.case(
            (exists().where(games.c.id == seats.c.game_id, games.c.status == CANCELLED), 0.0),
            else_=bindparam("at"),
        )
    ),
}

# A game of a list with its two seats; one that was removed meanwhile has none, and is left out.
_ONE, _TWO = seats.alias("one"), seats.alias("two")
_SETUP = [games.c[name] for name in GameSetup.__dataclass_fields__]
_TERMINATION = sa.func.coalesce(games.c.termination, Termination.AGREEMENT)
_ENDING = [
    *(games.c.finished, games.c.result, games.c.reason, _TERMINATION),
    *(games.c.help, games.c.ladder),
]
_SEATS = [each.c[name] for each in (_ONE, _TWO) for name in Seat.__dataclass_fields__]
_LISTED = (
    select(*_SETUP, *_ENDING, games.c.turn, *_SEATS)
    .join_from(games, _ONE, and_(_ONE.c.game_id == games.c.id, _ONE.c.number == 1))
    .join(_TWO, and_(_TWO.c.game_id == games.c.id, _TWO.c.number == 2))
)

# Statements are made once: making one, and the key under which it is found compiled, takes 0.2 ms.
_IS_ONE_OF = games.c.id.in_(bindparam("ids", expanding=True))
_IS_GOING_ON = games.c.status.in_([WAITING, PLAYING])
_ONE_GAME = _LISTED.where(games.c.id == bindparam("id"))
# Each with the seat of its player: name and token of somebody who sat down are there alone.
_EVENTS = select(events, seats.c.name, seats.c.token).join_from(
    events, seats, and_(seats.c.game_id == events.c.game_id, seats.c.number == events.c.player)
)
_EVENTS_AFTER = _EVENTS.where(
    events.c.game_id == bindparam("id"), events.c.number > bindparam("number")
).order_by(events.c.number)
# Asked for one by one, it is the end of an index; by GROUP BY, all events are visited.
LAST_NUMBER = (
    select(sa.func.max(events.c.number))
    .where(events.c.game_id == games.c.id)
    .correlate(games)
    .scalar_subquery()
)
_IS_LAST = and_(events.c.game_id == games.c.id, events.c.number == LAST_NUMBER)
_LAST_EVENTS = select(
    games.c.id, sa.func.coalesce(events.c.number, 0), events.c.kind, events.c.player
).outerjoin_from(games, events, _IS_LAST)
_COUNT_ALL = select(sa.func.count()).where(_IS_GOING_ON, games.c.created > bindparam("since"))
_UNFINISHED = (
    select(seats.c.game_id, seats.c.created)
    .where(seats.c.token == bindparam("token"), seats.c.finished.is_(None))
    .limit(MOST_UNFINISHED)
    .subquery("unfinished")
)
_COUNT_MINE = select(sa.func.count(_UNFINISHED.c.game_id.distinct())).where(
    _UNFINISHED.c.created > bindparam("since")
)


_PLACE: sa.Tuple = sa.tuple_(bindparam("at"), bindparam("id"))  # of a cursor


@cache
def _listed(status: str) -> sa.Select[Any]:
    """Games open to everybody, of a status, that come after a cursor."""
    newest = games.c.finished if status == OVER else games.c.created
    chosen = _LISTED.where(games.c.listed, games.c.status == status)
    if status != OVER:
        chosen = chosen.where(games.c.created > bindparam("since"))
    chosen = chosen.where(sa.tuple_(newest, games.c.id) < _PLACE)
    return chosen.order_by(newest.desc(), games.c.id.desc()).limit(bindparam("limit"))


_MOVER = sa.case((games.c.turn == 1, _ONE.c.token), (games.c.turn == 2, _TWO.c.token))
_OWN_TURN = sa.case((bindparam("token") == _MOVER, 0), (_MOVER.is_not(None), 1), else_=2)
_MINE = (
    _LISTED.where(games.c.id.in_(select(_UNFINISHED.c.game_id)))
    .order_by(_OWN_TURN, games.c.created.desc())
    .limit(bindparam("limit"))
)
_MINE_OVER = (
    _LISTED.where(
        games.c.id.in_(
            select(seats.c.game_id)
            .where(seats.c.token == bindparam("token"), seats.c.finished > 0)
            .where(seats.c.finished <= bindparam("at"))
            .where(sa.tuple_(seats.c.finished, seats.c.game_id) < _PLACE)
            .order_by(seats.c.finished.desc(), seats.c.game_id.desc())
            .limit(bindparam("seats"))  # on one screen somebody has two in a game
        )
    )
    .order_by(games.c.finished.desc(), games.c.id.desc())
    .limit(bindparam("limit"))
)


# The games as two arrays: one statement, however many they are.
_SEEN = (
    sa.func.unnest(
        bindparam("ids", type_=sa.ARRAY(sa.String)),
        bindparam("numbers", type_=sa.ARRAY(sa.Integer)),
    )
    .table_valued("id", "number", name="seen")
    .render_derived()
)
_EVENTS_SINCE = _EVENTS.join(
    _SEEN, and_(events.c.game_id == _SEEN.c.id, events.c.number > _SEEN.c.number)
).order_by(events.c.game_id, events.c.number)


def _game_id(change: Change) -> str:
    return change.setup.id if isinstance(change, GameCreated) else change.game_id


def _rows(change: Change) -> Iterator[tuple[str, dict[str, Any]]]:
    """What a change writes: the names of statements, and their values."""
    if isinstance(change, GameCreated):
        game_id, created = change.setup.id, change.setup.created
        waiting = any(seat.kind == OPEN for seat in change.seats)
        status = WAITING if waiting else PLAYING
        due = {"turn": change.turn, "flag_falls": change.flag_falls}
        yield "game", {**asdict(change.setup), "status": status, **due}
        for seat in change.seats:
            yield "seat", {"game_id": game_id, **asdict(seat), "created": created}
    else:
        game_id, entry = change.game_id, change.entry
        event = entry.event
        place = {"game_id": game_id, "number": entry.number, "ref": entry.ref, "at": entry.at}
        yield "event", {**place, "kind": event.kind, "player": event.player, "data": event.data()}
        if isinstance(event, SeatTaken):
            values = {"kind": HUMAN, "name": event.name, "token": event.token}
            yield "seat taken", {"of_game": game_id, "of_number": event.player, **values}
            yield "begun", {"of_game": game_id}
        if change.turn is not None:
            due = {"turn": change.turn, "flag_falls": change.flag_falls}
            yield "turn", {"of_game": game_id, **due}
    if change.ending:
        yield "ending", {"of_game": game_id, **asdict(change.ending)}
        yield "seats left", {"of_game": game_id, "at": change.ending.at}


def _check_holders(connection: sa.Connection, rematch: str, of_game: str) -> None:
    """Raise WriteConflict if a rematch was made for others than those who have the seats now.

    They are locked: who is erased at this moment is so before this, or the rematch is erased too.
    """
    held = select(seats).where(seats.c.game_id.in_([rematch, of_game])).with_for_update()
    holders: dict[str, list[tuple[str, str]]] = {rematch: [], of_game: []}
    for row in connection.execute(held.order_by(seats.c.number)):
        holders[row.game_id].append((row.name, row.token))
    if holders[of_game] and sorted(holders[of_game]) != sorted(holders[rematch]):
        raise WriteConflict("Somebody has left the game. Try again.")


class Cursor(NamedTuple):
    """A place in a list of games that is ordered by date and id."""

    at: float
    id: str

    def __str__(self) -> str:
        return f"{self.at!r}_{self.id}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """A cursor from its text; raises ValueError."""
        at, _, game_id = text.partition("_")
        return cls(float(at), game_id)


START = Cursor(math.inf, "")


class GameStore:
    """The stored games."""

    def __init__(self, engine: sa.Engine) -> None:
        self.engine = engine
        self.clock = DatabaseClock(engine)
        # Called in the transaction of each batch, with the ids of its games.
        self.announce: Callable[[sa.Connection, list[str]], None] | None = None
        self.pacer = Pacer()
        self._reads = FairQueue(READS_AT_ONCE, refuses=False)

    async def ask(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Use the database in a thread, which goes on if nobody waits for it any more.

        Browsers take turns, and so do addresses; and who asked goes on in a turn of the loop that
        nobody else has. Raises Unavailable if the database does not respond, which is logged.
        """
        try:
            answer = await self._reads.run(partial(asyncio.to_thread, work, *args, **kwargs))
        except SQLAlchemyError as error:
            log.warning("The database does not respond: %s", type(error).__name__)
            raise Unavailable("The database does not respond. Try again later.") from None
        await self.pacer.turn(asker.get().address)
        return answer

    async def last_answers(self) -> None:
        """Wait for what is being asked: otherwise its connections would outlive the pool."""
        if self._reads.working:
            await asyncio.wait(self._reads.working, timeout=LAST_ANSWERS_SECONDS)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def write(self, changes: Iterable[Change]) -> None:
        """Write changes of any number of games: all of them or, if it raises, none.

        Raises WriteConflict where somebody else was first, and SQLAlchemy's errors if the database
        is locked or gone.
        """
        batch: dict[str, list[dict[str, Any]]] = {}
        # In the same order in every process: otherwise two of them could wait for each other.
        for change in sorted(changes, key=_game_id):
            for name, values in _rows(change):
                batch.setdefault(name, []).append(values)
        try:
            with self.engine.begin() as connection:
                for name, statement in _STATEMENTS.items():
                    if name in batch:
                        connection.execute(statement, batch[name])
                for row in batch.get("game", ()):
                    if row["rematch_of"]:
                        _check_holders(connection, row["id"], row["rematch_of"])
                if self.announce and "event" in batch:
                    self.announce(connection, [row["game_id"] for row in batch["event"]])
        except IntegrityError:
            raise WriteConflict("Something else happened first. Try again.") from None

    def read(
        self, statement: sa.Executable, values: Mapping[str, Any] | None = None
    ) -> Sequence[Any]:
        """The rows of a statement."""
        with self.engine.connect() as connection:
            return connection.execute(statement, values).all()

    def probe(self) -> None:
        """Write what a new game and a move write, and remove it again; raises if it cannot be done.

        On a full disk a smaller change could fit where those do not, and so could one in a table
        that has room of its own.
        """
        game_id = new_id()  # another process may probe at this moment
        setup = GameSetup(game_id, "probe", "", 0, 0, first=1, deal="", seed="", created=0)
        moved = JournalEntry(1, MovePlayed(1, "probe"), None, 0.0)
        changes: tuple[Change, ...] = (
            GameCreated(setup, (Seat(1, HUMAN), Seat(2, HUMAN)), turn=1),
            EntryAdded(game_id, moved, turn=2),
        )
        with self.engine.begin() as connection:
            for name, values in (row for change in changes for row in _rows(change)):
                connection.execute(_STATEMENTS[name], values)
            remove_games(connection, [game_id])

    def load(self, game_id: str) -> StoredGame | None:
        """A game with everything that happened in it."""
        with self.engine.connect() as connection:
            happened = connection.execute(_EVENTS_AFTER, {"id": game_id, "number": 0}).all()
            # After the events: a seat that another process fills meanwhile must not look free
            # beside the event that fills it.
            row = connection.execute(_ONE_GAME, {"id": game_id}).first()
        journal = tuple(_entry(each) for each in happened)
        return None if row is None else replace(_game(row), journal=journal)

    def events_after(self, game_id: str, number: int) -> list[JournalEntry]:
        """What happened in a game after an event; if somebody sat down, with name and token."""
        return [_entry(row) for row in self.read(_EVENTS_AFTER, {"id": game_id, "number": number})]

    def events_since(self, versions: Mapping[str, int]) -> dict[str, list[JournalEntry]]:
        """What happened in many games of PostgreSQL, from the version that is known of each."""
        by_game: dict[str, list[JournalEntry]] = {}
        known = {"ids": list(versions), "numbers": list(versions.values())}
        for row in self.read(_EVENTS_SINCE, known):
            by_game.setdefault(row.game_id, []).append(_entry(row))
        return by_game

    def last_events(self, ids: Sequence[str]) -> dict[str, tuple[int, str, int]]:
        """Of the last event of each of a few games the number, 0 for none, the kind, the player."""
        rows = self.read(_LAST_EVENTS.where(_IS_ONE_OF), {"ids": ids})
        return {game_id: (number, kind, player) for game_id, number, kind, player in rows}

    def listed(
        self, status: str, limit: int, fresh: float, after: Cursor | None = None
    ) -> list[StoredGame]:
        """Games open to everybody: with a free seat, being played, or over; the newest first.

        Unfinished ones that began more than `fresh` seconds ago are left out, and games that were
        cancelled before anybody joined. With a cursor, the ones that come after it.
        """
        statement = _listed({"open": WAITING, "recent": OVER}.get(status, status))
        since = time.time() - fresh
        return self._find(statement, since=since, limit=limit, **(after or START)._asdict())

    def mine(
        self, token: str, limit: int, *, over: bool = False, after: Cursor | None = None
    ) -> list[StoredGame]:
        """Games that somebody has a seat in.

        Unfinished: those where it is their turn first, a free seat last. Over: the newest first,
        with a cursor those that come after it; a game that nobody joined is not among them.
        """
        values = {"token": token, "limit": limit, "seats": 2 * limit, **(after or START)._asdict()}
        return self._find(_MINE_OVER if over else _MINE, **values)

    def present(self, ids: Sequence[str]) -> list[StoredGame]:
        """Those of some games that are open to everybody and not over; the newest first."""
        chosen = _LISTED.where(_IS_ONE_OF, _IS_GOING_ON, games.c.listed)
        listed = [each for some in in_batches(ids) for each in self._find(chosen, ids=some)]
        return sorted(listed, key=lambda each: each.setup.created, reverse=True)

    def out_of_time(self, before: float, limit: int) -> list[str]:
        """Games whose player to move ran out of time before a moment; the oldest first."""
        chosen = select(games.c.id).where(games.c.flag_falls < before, games.c.status == PLAYING)
        return [row.id for row in self.read(chosen.order_by(games.c.flag_falls).limit(limit))]

    def unjoined(self, after: float, before: float, limit: int) -> dict[str, int]:
        """Games made between two times whose free seat nobody has taken, the oldest first.

        With the number of the last event of each, as of the same moment: who joins a game
        afterwards takes the next number.
        """
        age = games.c.created.between(after, before)
        chosen = _LAST_EVENTS.where(games.c.status == WAITING, age).order_by(games.c.created)
        return {game_id: number for game_id, number, *_ in self.read(chosen.limit(limit))}

    def unfinished(self, ids: Sequence[str], fresh: float) -> dict[str, int]:
        """Those of some games that are not over, and began in the last `fresh` seconds.

        With the number of the last event of each.
        """
        recent = games.c.created > time.time() - fresh
        chosen = _LAST_EVENTS.where(_IS_ONE_OF, _IS_GOING_ON, recent)
        batches = (self.read(chosen, {"ids": some}) for some in in_batches(ids))
        return {game_id: number for rows in batches for game_id, number, *_ in rows}

    def remove_finished(self, before: float, limit: int) -> int:
        """Remove some games that ended before a time, the oldest first; how many it were."""
        oldest = select(games.c.id).where(games.c.finished < before).order_by(games.c.finished)
        with self.engine.begin() as connection:
            ids = list(connection.execute(oldest.limit(limit)).scalars())
            remove_games(connection, ids)
        return len(ids)

    def unfinished_with_bots(self, limit: int) -> list[str]:
        """Games in which a bot may be due to move; the newest first."""
        bot = exists().where(seats.c.game_id == games.c.id, seats.c.kind == BOT)
        chosen = select(games.c.id).where(games.c.status == PLAYING, bot)
        return [row.id for row in self.read(chosen.order_by(games.c.created.desc()).limit(limit))]

    def count_open(self, fresh: float, token: str | None = None) -> int:
        """Unfinished games of the last `fresh` seconds: all, or those somebody has a seat in."""
        values = {"since": time.time() - fresh, "token": token}
        return int(self.read(_COUNT_ALL if token is None else _COUNT_MINE, values)[0][0])

    def _find(self, chosen: sa.Select[Any], **values: object) -> list[StoredGame]:
        return [_game(row) for row in self.read(chosen, values)]


def stopped(game_id: str, last: int, reason: str, now: float) -> EntryAdded:
    """The end of a game without a result, after its last event."""
    entry = JournalEntry(last + 1, Stopped(1, reason), None, now)
    return EntryAdded(game_id, entry, GameEnding(now, "", reason))


def remove_games(connection: sa.Connection, ids: Sequence[str]) -> None:
    """Remove games with their seats and events."""
    for column in (events.c.game_id, seats.c.game_id, games.c.id):
        connection.execute(delete(column.table).where(column.in_(ids)))


def in_batches(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Some at a time, as many as a statement takes."""
    return (items[start : start + BATCH_SIZE] for start in range(0, len(items), BATCH_SIZE))


def _entry(row: sa.Row[Any]) -> JournalEntry:
    event = stored_event(row.kind, row.player, row.data)
    if isinstance(event, SeatTaken):
        event = SeatTaken(event.player, row.name, row.token)
    return JournalEntry(row.number, event, row.ref, row.at)


def _game(row: Sequence[Any]) -> StoredGame:
    """A game from a row of `_LISTED`."""
    values = tuple(row)  # by place: 50 games by the names of columns took 5 ms
    ends, turns = len(_SETUP), len(_SETUP) + len(_ENDING)
    one, two = Seat(*values[turns + 1 : turns + 6]), Seat(*values[turns + 6 :])
    ending = None if values[ends] is None else GameEnding(*values[ends:turns])
    return StoredGame(GameSetup(*values[:ends]), (one, two), ending, turn=values[turns])
