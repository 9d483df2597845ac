"""Visitors: what the database has of one browser, known by the hash of its token.

Their record against bots, links that take their seats to another device, and erasing all of it.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import sqlalchemy as sa
from sqlalchemy import and_, delete, insert, select, update

from gridwise.web.game.model import BOT, Seat, hash_token
from gridwise.web.game.session import GIVEN_UP
from gridwise.web.storage.admin_messages import RELOAD, post
from gridwise.web.storage.schema import device_links, events, games, seats
from gridwise.web.storage.store import OVER, Store

LINK_LASTS = 600.0  # seconds
USED = ""  # instead of the sealed token of a link

LinkState = Literal["valid", "used", "expired", "unknown"]
BotRecord = dict[tuple[str, str], tuple[int, int, int]]  # by game and level: won, lost, drawn


class UsedLink(NamedTuple):
    """What a link has given: a token, and the games whose seats have it now."""

    token: str
    games: list[str]


class Visitors:
    """What is kept of visitors. For worker threads."""

    def __init__(self, store: Store) -> None:
        self._engine = store.engine

    def bot_record(self, token: str) -> BotRecord:
        """How somebody has done against the bots, of each game and level."""
        bot = seats.alias("bot")
        mine = seats.c.number
        counted = (
            select(games.c.game, bot.c.level, mine, games.c.result, sa.func.count().label("many"))
            .join_from(seats, bot, and_(bot.c.game_id == seats.c.game_id, bot.c.kind == BOT))
            .join(games, games.c.id == seats.c.game_id)
            .where(seats.c.token == token, seats.c.finished.is_not(None), games.c.status == OVER)
            .group_by(games.c.game, bot.c.level, mine, games.c.result)
        )
        found: dict[tuple[str, str], list[int]] = {}
        with self._engine.connect() as connection:
            for row in connection.execute(counted):
                results = [f"p{row.number}", f"p{3 - row.number}", "draw"]
                if row.result in results:  # not one that was stopped
                    tally = found.setdefault((row.game, row.level), [0, 0, 0])
                    tally[results.index(row.result)] += row.many
        return {key: (won, lost, drawn) for key, (won, lost, drawn) in found.items()}

    def last_events(self, ids: Sequence[str]) -> dict[str, tuple[str, int]]:
        """The kind of the last event of each game, and the player who made it."""
        last = select(sa.func.max(events.c.number)).where(events.c.game_id == games.c.id)
        found = (
            select(events.c.game_id, events.c.kind, events.c.player)
            .join_from(games, events, events.c.game_id == games.c.id)
            .where(games.c.id.in_(ids), events.c.number == last.correlate(games).scalar_subquery())
        )
        with self._engine.connect() as connection:
            rows = connection.execute(found).all()
        return {row.game_id: (row.kind, row.player) for row in rows}

    # Another device

    def new_link(self, token: str) -> str:
        """The code of a new link that gives a token to another device, once and soon.

        Whoever reads the database learns neither the code nor the token: the code is hashed, and
        the token is sealed with it. A new link replaces an older one that was not used.
        """
        code, whose = secrets.token_urlsafe(16), hash_token(token)
        row = {"code": _place(code), "token": whose, "sealed": _sealed(token, code)}
        with self._engine.begin() as connection:
            older = and_(device_links.c.token == whose, device_links.c.sealed != USED)
            connection.execute(delete(device_links).where(older))
            connection.execute(insert(device_links), [row | {"expires": time.time() + LINK_LASTS}])
        return code

    def link_state(self, code: str) -> LinkState:
        """Whether a link can still be used, and if not, why; unknown once it is removed."""
        with self._engine.connect() as connection:
            place = device_links.c.code == _place(code)
            row = connection.execute(select(device_links).where(place)).first()
        if row is None:
            return "unknown"
        if row.sealed == USED:
            return "used"
        return "valid" if row.expires > time.time() else "expired"

    def use_link(self, code: str, own: str | None) -> UsedLink | None:
        """Use a link up: its token, to which the seats of `own` go too; None if it is void."""
        with self._engine.begin() as connection:
            row = connection.execute(select(device_links).where(_valid(code))).first()
            if (
                row is None
                or not connection.execute(
                    update(device_links).where(_valid(code)).values(sealed=USED)
                ).rowcount
            ):  # somebody else has used it at this moment
                return None
            moved: list[str] = []
            if own and own != row.token:
                held = seats.c.token == own
                _lock(connection, held)
                moved = _games_of(connection, held)
                connection.execute(update(seats).where(held).values(token=row.token))
                # A link of its own would lead to no games any more.
                connection.execute(delete(device_links).where(device_links.c.token == own))
                post(connection, RELOAD, *moved)
        return UsedLink(_unsealed(row.sealed, code), moved)

    def remove_old_links(self) -> None:
        """Remove links that nobody can use any more."""
        with self._engine.begin() as connection:
            connection.execute(delete(device_links).where(device_links.c.expires < time.time()))

    # Erasing

    def erase(self, token: str) -> list[str]:
        """Remove somebody's names, seats and links; the games stay, and their ids are given."""
        with self._engine.begin() as connection:
            held = seats.c.token == token
            _lock(connection, held)
            ids = _games_of(connection, held)
            erase_names(connection, held)
            connection.execute(update(seats).where(held).values(token=""))
            connection.execute(delete(device_links).where(device_links.c.token == token))
            post(connection, RELOAD, *ids)
        return ids


def erase_names(connection: sa.Connection, such: sa.ColumnElement[bool]) -> list[str]:
    """Remove the names of some seats, also where the reason of an ending has them; the games."""
    named = connection.execute(select(seats).where(such, seats.c.name != "")).all()
    for row in named:
        one = and_(seats.c.game_id == row.game_id, seats.c.number == row.number)
        connection.execute(update(seats).where(one).values(name=""))
        with_name, without = Seat(row.number, row.kind, row.name), Seat(row.number, row.kind)
        labels = {with_name.label, row.name}  # older versions did not isolate it
        for ending in GIVEN_UP.values():  # as game/session.py says it
            lost = and_(
                games.c.reason.in_([f"{label} {ending}" for label in labels]),
                games.c.result == f"p{3 - row.number}",  # the other may have the same name
            )
            connection.execute(
                update(games)
                .where(games.c.id == row.game_id, lost)
                .values(reason=f"{without.label} {ending}")
            )
    return sorted({row.game_id for row in named})


def _lock(connection: sa.Connection, held: sa.ColumnElement[bool]) -> None:
    """Wait for rematches that are being written: their seats must be seen; see store.py.

    By writing what is there, because SQLite begins a transaction with the first thing written.
    """
    connection.execute(update(seats).where(held).values(token=seats.c.token))


def _games_of(connection: sa.Connection, held: sa.ColumnElement[bool]) -> list[str]:
    found: Sequence[Any] = connection.execute(select(seats.c.game_id).where(held)).scalars().all()
    return sorted(set(found))


def _valid(code: str) -> sa.ColumnElement[bool]:
    place = device_links.c.code == _place(code)
    return and_(place, device_links.c.expires > time.time(), device_links.c.sealed != USED)


def _place(code: str) -> str:
    """Under what a code is found."""
    return hashlib.sha256(f"find {code}".encode()).hexdigest()


def _sealed(token: str, code: str) -> str:
    """A token that can be read with the code only. Each code is used for one token: a pad."""
    pad = hashlib.sha256(f"seal {code}".encode()).digest()
    plain = urlsafe_b64decode(token + "=")
    return bytes(one ^ two for one, two in zip(plain, pad, strict=True)).hex()


def _unsealed(sealed: str, code: str) -> str:
    pad = hashlib.sha256(f"seal {code}".encode()).digest()
    plain = bytes(one ^ two for one, two in zip(bytes.fromhex(sealed), pad, strict=True))
    return urlsafe_b64encode(plain).decode().rstrip("=")
