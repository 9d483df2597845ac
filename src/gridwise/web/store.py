"""Store: games in the database. SQLAlchemy Core, no objects that change behind one's back.

Reading is for worker threads. Writing is `write`, of many games in one transaction; only the
journal calls it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, NamedTuple

from sqlalchemy import (
    Engine,
    Executable,
    Exists,
    Row,
    Select,
    and_,
    bindparam,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from gridwise.web.kept import BOT, OPEN, Deal, Event, Kept, Seat
from gridwise.web.tables import events, games, seats


class Write(NamedTuple):
    """One row to be written: which kind, and its values."""

    kind: str
    values: dict[str, Any]


# In the order in which rows depend on each other; a batch is written kind by kind.
_STATEMENTS: dict[str, Executable] = {
    "game": insert(games),
    "seat": insert(seats),
    "event": insert(events),
    "taken": update(seats)
    .where(seats.c.game_id == bindparam("of_game"), seats.c.number == bindparam("of_number"))
    .values(kind=bindparam("kind"), name=bindparam("name"), token=bindparam("token")),
    "ended": update(games)
    .where(games.c.id == bindparam("of_game"))
    .values(finished=bindparam("finished"), result=bindparam("result"), reason=bindparam("reason")),
}


def game_writes(deal: Deal, both: tuple[Seat, Seat]) -> list[Write]:
    """A new game and its seats."""
    seated = [Write("seat", {"game_id": deal.id, **asdict(seat)}) for seat in both]
    return [Write("game", asdict(deal)), *seated]


def event_write(game_id: str, happened: Event) -> Write:
    """One event."""
    values = {name: getattr(happened, name) for name in Event.__dataclass_fields__}
    return Write("event", {"game_id": game_id, **values})


def taken_write(game_id: str, seat: Seat) -> Write:
    """Somebody has taken a free seat."""
    values = {"kind": seat.kind, "name": seat.name, "token": seat.token}
    return Write("taken", {"of_game": game_id, "of_number": seat.number, **values})


def ended_write(game_id: str, at: float, result: str, reason: str) -> Write:
    """A game is over."""
    values = {"finished": at, "result": result, "reason": reason}
    return Write("ended", {"of_game": game_id, **values})


class Listed(NamedTuple):
    """A game in a list."""

    deal: Deal
    seats: tuple[Seat, Seat]
    result: str | None
    reason: str | None
    finished: float | None


class Store:
    """The games that are kept."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()

    def write(self, writes: Iterable[Write]) -> None:
        """Write rows of any number of games: all of them or, if it raises, none."""
        by_kind: dict[str, list[dict[str, Any]]] = {}
        for kind, values in writes:
            by_kind.setdefault(kind, []).append(values)
        with self.engine.begin() as connection:
            for kind, statement in _STATEMENTS.items():
                if kind in by_kind:
                    connection.execute(statement, by_kind[kind])

    def load(self, game_id: str) -> Kept | None:
        """A game with everything that happened in it."""
        with self.engine.connect() as connection:
            row = connection.execute(select(games).where(games.c.id == game_id)).first()
            if row is None:
                return None
            sat = connection.execute(select(seats).where(seats.c.game_id == game_id)).all()
            happened = connection.execute(
                select(events).where(events.c.game_id == game_id).order_by(events.c.number)
            ).all()
        return Kept(
            deal=_deal(row),
            seats=_pair(sat),
            events=tuple(
                Event(each.number, each.kind, each.player, each.data, each.ref, each.at)
                for each in happened
            ),
            finished=row.finished,
        )

    def listed(
        self, status: str, limit: int, fresh: float, token: str | None = None
    ) -> list[Listed]:
        """Games open to everybody: with a free seat, being played, or over; the newest first.

        Unfinished ones that began more than `fresh` seconds ago are left out, and games that were
        called off before anybody came. Games that are over are also listed for who had a seat.
        """
        new = and_(games.c.finished.is_(None), games.c.created > time.time() - fresh)
        free = exists().where(and_(seats.c.game_id == games.c.id, seats.c.kind == OPEN))
        chosen = select(games)
        if status == "open":
            chosen = chosen.where(games.c.listed, new, free)
        elif status == "playing":
            chosen = chosen.where(games.c.listed, new, ~free)
        else:
            for_them = or_(games.c.listed, _held(token)) if token else games.c.listed
            over = games.c.finished.is_not(None)
            chosen = chosen.where(for_them, over, or_(~free, games.c.result != ""))
        newest = games.c.finished if status == "recent" else games.c.created
        return self._found(chosen.order_by(newest.desc()).limit(limit))

    def mine(self, token: str, limit: int) -> list[Listed]:
        """Unfinished games that somebody has a seat in; the newest first."""
        chosen = select(games).where(games.c.finished.is_(None), _held(token))
        return self._found(chosen.order_by(games.c.created.desc()).limit(limit))

    def _found(self, chosen: Select[Any]) -> list[Listed]:
        with self.engine.connect() as connection:
            rows = connection.execute(chosen).all()
            ids = [row.id for row in rows]
            sat = connection.execute(select(seats).where(seats.c.game_id.in_(ids))).all()
        return [
            Listed(
                _deal(row),
                _pair([each for each in sat if each.game_id == row.id]),
                row.result,
                row.reason,
                row.finished,
            )
            for row in rows
        ]

    def unfinished_with_bots(self, limit: int) -> list[str]:
        """Games in which a bot may be due to move; the newest first."""
        bot = exists().where(and_(seats.c.game_id == games.c.id, seats.c.kind == BOT))
        chosen = select(games.c.id).where(games.c.finished.is_(None), bot)
        with self.engine.connect() as connection:
            return list(
                connection.execute(chosen.order_by(games.c.created.desc()).limit(limit)).scalars()
            )

    def count_open(self, fresh: float, token: str | None = None) -> int:
        """Unfinished games of the last `fresh` seconds: all, or those somebody has a seat in."""
        wanted = and_(games.c.finished.is_(None), games.c.created > time.time() - fresh)
        counted = select(func.count(games.c.id.distinct())).where(wanted)
        if token is not None:
            counted = counted.join(seats, seats.c.game_id == games.c.id).where(
                seats.c.token == token
            )
        with self.engine.connect() as connection:
            return int(connection.execute(counted).scalar_one())


def _held(token: str) -> Exists:
    """That somebody has a seat in a game."""
    return exists().where(and_(seats.c.game_id == games.c.id, seats.c.token == token))


def _deal(row: Row[Any]) -> Deal:
    return Deal(
        id=row.id,
        game=row.game,
        board=row.board,
        target=row.target,
        handicap=row.handicap,
        first=row.first,
        deal=row.deal,
        seed=row.seed,
        cap=row.cap,
        listed=row.listed,
        created=row.created,
        rematch_of=row.rematch_of,
    )


def _pair(rows: Iterable[Row[Any]]) -> tuple[Seat, Seat]:
    one, two = (
        Seat(row.number, row.kind, row.name, row.level, row.token)
        for row in sorted(rows, key=lambda row: int(row.number))
    )
    return one, two
