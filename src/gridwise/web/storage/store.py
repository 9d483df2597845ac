"""Store: games in the database, by SQLAlchemy Core.

Reading is for worker threads. Writing is `write`, for many games in one transaction; only the
journal calls it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy import and_, bindparam, exists, insert, or_, select, update

from gridwise.web.game import model
from gridwise.web.game.events import SeatTaken, stored_event
from gridwise.web.game.model import GameSetup, Seat, StoredGame
from gridwise.web.storage.schema import events, games, seats

# In the order in which rows depend on each other; a batch is written statement by statement.
_STATEMENTS: dict[str, sa.Executable] = {
    "game": insert(games),
    "seat": insert(seats),
    "event": insert(events),
    "seat taken": update(seats)
    .where(seats.c.game_id == bindparam("of_game"), seats.c.number == bindparam("of_number"))
    .values(kind=bindparam("kind"), name=bindparam("name"), token=bindparam("token")),
    "ending": update(games)
    .where(games.c.id == bindparam("of_game"))
    .values(finished=bindparam("at"), result=bindparam("result"), reason=bindparam("reason")),
}


def _rows(change: model.Change) -> Iterator[tuple[str, dict[str, Any]]]:
    """What a change writes: the names of statements, and their values."""
    if isinstance(change, model.GameCreated):
        game_id = change.setup.id
        yield "game", asdict(change.setup)
        for seat in change.seats:
            yield "seat", {"game_id": game_id, **asdict(seat)}
    else:
        game_id, entry = change.game_id, change.entry
        event = entry.event
        place = {"game_id": game_id, "number": entry.number, "ref": entry.ref, "at": entry.at}
        yield "event", {**place, "kind": event.kind, "player": event.player, "data": event.data()}
        if isinstance(event, SeatTaken):
            values = {"kind": model.HUMAN, "name": event.name, "token": event.token}
            yield "seat taken", {"of_game": game_id, "of_number": event.player, **values}
    if change.ending:
        yield "ending", {"of_game": game_id, **asdict(change.ending)}


class Store:
    """The stored games."""

    def __init__(self, engine: sa.Engine) -> None:
        self.engine = engine

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def write(self, changes: Iterable[model.Change]) -> None:
        """Write changes of any number of games: all of them or, if it raises, none."""
        batch: dict[str, list[dict[str, Any]]] = {}
        for change in changes:
            for name, values in _rows(change):
                batch.setdefault(name, []).append(values)
        with self.engine.begin() as connection:
            for name, statement in _STATEMENTS.items():
                if name in batch:
                    connection.execute(statement, batch[name])

    def load(self, game_id: str) -> StoredGame | None:
        """A game with everything that happened in it."""
        with self.engine.connect() as connection:
            row = connection.execute(select(games).where(games.c.id == game_id)).first()
            if row is None:
                return None
            sat = connection.execute(select(seats).where(seats.c.game_id == game_id)).all()
            happened = connection.execute(
                select(events).where(events.c.game_id == game_id).order_by(events.c.number)
            ).all()
        journal = (
            model.JournalEntry(
                each.number, stored_event(each.kind, each.player, each.data), each.ref, each.at
            )
            for each in happened
        )
        return replace(_game(row, sat), journal=tuple(journal))

    def listed(
        self, status: str, limit: int, fresh: float, token: str | None = None
    ) -> list[StoredGame]:
        """Games open to everybody: with a free seat, being played, or over; the newest first.

        Unfinished ones that began more than `fresh` seconds ago are left out, and games that were
        cancelled before anybody joined. Games that are over are also listed for their players.
        """
        listed: sa.ColumnElement[bool] = games.c.listed
        free, newest = _has_seat(seats.c.kind == model.OPEN), games.c.created
        if status == "recent":
            newest = games.c.finished
            such = and_(games.c.finished.is_not(None), or_(~free, games.c.result != ""))
            if token:
                listed = or_(listed, _has_seat(seats.c.token == token))
        else:
            such = and_(_unfinished_since(fresh), free if status == "open" else ~free)
        return self._find(select(games).where(listed, such).order_by(newest.desc()).limit(limit))

    def mine(self, token: str, limit: int) -> list[StoredGame]:
        """Unfinished games that somebody has a seat in; the newest first."""
        held = _has_seat(seats.c.token == token)
        chosen = select(games).where(games.c.finished.is_(None), held)
        return self._find(chosen.order_by(games.c.created.desc()).limit(limit))

    def _find(self, chosen: sa.Select[Any]) -> list[StoredGame]:
        with self.engine.connect() as connection:
            rows = connection.execute(chosen).all()
            ids = [row.id for row in rows]
            sat = connection.execute(select(seats).where(seats.c.game_id.in_(ids))).all()
        return [_game(row, [each for each in sat if each.game_id == row.id]) for row in rows]

    def unfinished_with_bots(self, limit: int) -> list[str]:
        """Games in which a bot may be due to move; the newest first."""
        bot = _has_seat(seats.c.kind == model.BOT)
        chosen = select(games.c.id).where(games.c.finished.is_(None), bot)
        newest = chosen.order_by(games.c.created.desc()).limit(limit)
        with self.engine.connect() as connection:
            return list(connection.execute(newest).scalars())

    def count_open(self, fresh: float, token: str | None = None) -> int:
        """Unfinished games of the last `fresh` seconds: all, or those somebody has a seat in."""
        counted = select(sa.func.count(games.c.id.distinct())).where(_unfinished_since(fresh))
        if token is not None:
            counted = counted.join(seats).where(seats.c.token == token)
        with self.engine.connect() as connection:
            return int(connection.execute(counted).scalar_one())


def _unfinished_since(fresh: float) -> sa.ColumnElement[bool]:
    """That a game is not over, and began in the last `fresh` seconds."""
    return and_(games.c.finished.is_(None), games.c.created > time.time() - fresh)


def _has_seat(such: sa.ColumnElement[bool]) -> sa.Exists:
    """That a game has such a seat."""
    return exists().where(seats.c.game_id == games.c.id, such)


def _game(row: sa.Row[Any], sat: Iterable[sa.Row[Any]]) -> StoredGame:
    """A game from its row and those of its two seats."""
    one, two = (
        Seat(each.number, each.kind, each.name, each.level, each.token)
        for each in sorted(sat, key=lambda each: int(each.number))
    )
    setup = GameSetup(**{name: getattr(row, name) for name in GameSetup.__dataclass_fields__})
    ending = model.GameEnding(row.finished, row.result, row.reason)
    return StoredGame(setup, (one, two), None if row.finished is None else ending)
