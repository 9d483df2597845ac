"""Listing, stopping and removing games, erasing names, and draining the servers of a database."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy import and_, exists, select

from gridwise.errors import BadRequest, quoted
from gridwise.web.errors import WriteConflict
from gridwise.web.game.events import Stopped
from gridwise.web.game.model import EntryAdded, GameEnding, JournalEntry, hash_token, is_id
from gridwise.web.storage import Store
from gridwise.web.storage.admin_messages import DRAIN, RELOAD, post
from gridwise.web.storage.schema import games, seats
from gridwise.web.storage.store import in_batches, remove_games
from gridwise.web.storage.visitors import erase_names, some_games

DAY_SECONDS = 86_400.0
STOPPED = "stopped by the operator of the server"
BATCH_SIZE = 100  # games that are removed in one step
PAUSE_SECONDS = 0.05  # between two steps, in which servers write
STOP_TRIES = 5  # where somebody moves at the same moment


@dataclass(frozen=True)
class Filter:
    """Which games: those that fit all that is given."""

    status: str = ""
    game: str = ""
    name: str = ""  # of a player
    older: float = 0.0  # days since it was made

    def where(self) -> sa.ColumnElement[bool]:
        """The same for the database."""
        given: list[sa.ColumnElement[bool]] = [sa.true()]
        if self.status:
            given.append(games.c.status == self.status)
        if self.game:
            given.append(games.c.game == self.game)
        if self.name:
            given.append(_has_seat(seats.c.name == _text(self.name)))
        if self.older:
            given.append(games.c.created < time.time() - self.older * DAY_SECONDS)
        return and_(*given)


def _has_seat(such: sa.ColumnElement[bool]) -> sa.Exists:
    return exists().where(seats.c.game_id == games.c.id, such)


def list_games(store: Store, chosen: Filter, limit: int) -> list[dict[str, Any]]:
    """Games, the newest first, without what is hidden in them."""
    columns = [games.c[name] for name in ("id", "game", "status", "created", "finished", "result")]
    newest = select(*columns).where(chosen.where()).order_by(games.c.created.desc()).limit(limit)
    with store.engine.connect() as connection:
        found = [dict(row) for row in connection.execute(newest).mappings()]
        sat: dict[str, list[dict[str, Any]]] = {row["id"]: [] for row in found}
        public = [seats.c[name] for name in ("game_id", "kind", "name", "level")]
        for some in in_batches(list(sat)):
            held = select(*public).where(seats.c.game_id.in_(some)).order_by(seats.c.number)
            for seat in connection.execute(held).mappings():
                values = dict(seat)
                sat[values.pop("game_id")].append(values)
    numbers = store.latest(sat)
    return [row | {"events": numbers.get(row["id"], 0), "players": sat[row["id"]]} for row in found]


def count_games(store: Store, chosen: Filter | None = None) -> int:
    """How many games there are."""
    counted = select(sa.func.count()).select_from(games).where((chosen or Filter()).where())
    with store.engine.connect() as connection:
        return int(connection.execute(counted).scalar_one())


def stop_game(store: Store, game_id: str) -> None:
    """End a game without a result."""
    for _ in range(STOP_TRIES):
        with store.engine.connect() as connection:
            chosen = select(games.c.finished).where(games.c.id == _id(game_id))
            found = connection.execute(chosen).first()
        if found is None:
            raise BadRequest(f"There is no game {quoted(game_id)}.")
        if found.finished is not None:
            raise BadRequest(f"The game {game_id} is over already.")
        number, now = store.latest([game_id]).get(game_id, 0) + 1, time.time()
        entry = JournalEntry(number, Stopped(1, STOPPED), None, now)
        try:
            store.write([EntryAdded(game_id, entry, GameEnding(now, "", STOPPED))])
        except WriteConflict:
            continue  # somebody has moved meanwhile
        with store.engine.begin() as connection:
            post(connection, RELOAD, game_id)
        return
    raise BadRequest(f"The game {game_id} changes all the time. Try again.")


def delete_games(store: Store, ids: Iterable[str]) -> int:
    """Remove games with all that happened in them; how many."""
    ids = list(dict.fromkeys(ids))  # the same one may be named twice
    with store.engine.begin() as connection:
        for game_id in ids:
            chosen = select(games.c.id).where(games.c.id == _id(game_id))
            if connection.execute(chosen).first() is None:
                raise BadRequest(f"There is no game {quoted(game_id)}. Nothing was deleted.")
        remove_games(connection, ids)
        post(connection, RELOAD, *ids)
    return len(ids)


def erase_name(store: Store, name: str = "", token: str = "") -> int:
    """Remove a player's name, or all names of who has a token; from how many games.

    The games stay. Also the reason why one ended may have the name of a player in it.
    """
    such = seats.c.name == _text(name) if name else and_(_held(token), seats.c.name != "")
    done = 0
    while ids := some_games(store.engine, such):
        with store.engine.begin() as connection:
            erase_names(connection, and_(seats.c.game_id.in_(ids), such))
            post(connection, RELOAD, *ids)
        done += len(ids)
        time.sleep(PAUSE_SECONDS)
    return done


def _held(token: str) -> sa.ColumnElement[bool]:
    """The seats of a token: as it is in the cookie, or its hash as it is in the database."""
    return seats.c.token.in_([_text(token), hash_token(token)])


def count_old(store: Store, days: float) -> int:
    """How many games ended more than some days ago."""
    return store.count_finished(time.time() - days * DAY_SECONDS)


def remove_old(store: Store, days: float, progress: Callable[[int], None]) -> int:
    """Remove games that ended more than some days ago, a few at a time; how many."""
    before, done = time.time() - days * DAY_SECONDS, 0
    while removed := store.remove_finished(before, BATCH_SIZE):
        done += removed
        progress(done)
        time.sleep(PAUSE_SECONDS)
    return done


def drain(store: Store, minutes: float | None) -> None:
    """Tell all servers to take no new games, and to stop in that time; None: go on as usual."""
    until = 0 if minutes is None else round(time.time() + 60 * minutes)
    with store.engine.begin() as connection:
        post(connection, DRAIN, str(until))


def _text(text: str) -> str:
    """A text that a database can have; others come from a command line in another encoding."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadRequest(f"{quoted(text)} is not text in UTF-8.") from None
    return text


def _id(text: str) -> str:
    if not is_id(text):
        raise BadRequest(f"{quoted(text)} is not the id of a game: they have 12 characters.")
    return text
