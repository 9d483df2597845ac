"""Visitors: what the database has of one browser, known by the hash of its token.

Their record against bots, links that take their seats to another device, and erasing all of it.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from itertools import product
from typing import Any

import sqlalchemy as sa
from sqlalchemy import and_, bindparam, delete, insert, select, update

from gridwise.core.narration import NEUTRAL
from gridwise.play.ladder import Standing
from gridwise.web.game.event_sourced_game import GIVEN_UP
from gridwise.web.game.stored_game import BOT, DRAWN, hash_token
from gridwise.web.storage.admin_messages import HASH_LENGTH, SEATS, post
from gridwise.web.storage.schema import device_links, games, seats
from gridwise.web.storage.store import GameStore

MOST_RECORDED = 500  # newest games of which somebody's record is made: 2 ms
SLICE_SIZE = 200  # seats whose holder changes in one transaction: 5 ms
PAUSE_SECONDS = 0.02  # between two of them, in which moves are written
LINK_SECONDS = 600.0  # that a link can be used
USED = ""  # instead of the sealed token of a link

BotRecord = dict[tuple[str, str], Standing]  # by game and level


_BOT = seats.alias("bot")
_NEWEST = (
    select(seats.c.game_id, seats.c.number)
    .where(seats.c.token == bindparam("token"), seats.c.finished > 0)
    .order_by(seats.c.finished.desc(), seats.c.game_id.desc())
    .limit(bindparam("limit"))
    .subquery("newest")
)
_COUNTED = games.c.game, _BOT.c.level, _NEWEST.c.number, games.c.result, games.c.ladder
_RECORD = (
    select(*_COUNTED, sa.func.count().label("many"))
    .join_from(_NEWEST, _BOT, and_(_BOT.c.game_id == _NEWEST.c.game_id, _BOT.c.kind == BOT))
    .join(games, games.c.id == _NEWEST.c.game_id)
    .where(games.c.deal != "own", games.c.seed.startswith(DRAWN))
    .group_by(*_COUNTED)
)


class Visitors:
    """What is kept of visitors. For worker threads, but for what is awaited."""

    def __init__(self, store: GameStore) -> None:
        self._store, self._engine = store, store.engine
        self._changing_seats = asyncio.Lock()

    def bot_record(self, token: str) -> BotRecord:
        """How somebody has done against the bots in the newest games, of each game and level.

        Games on a board that they typed, or whose seed they gave, could be worked out before.
        """
        tallies: dict[tuple[str, str], list[int]] = {}
        for row in self._store.read(_RECORD, {"token": token, "limit": MOST_RECORDED}):
            mine = f"p{row.number}"
            results = [mine, f"p{3 - row.number}", "draw"]
            if row.result in results:  # not one that was stopped
                tally = tallies.setdefault((row.game, row.level), [0, 0, 0, 0])
                tally[results.index(row.result)] += row.many
                tally[3] += row.many * (row.ladder == mine)
        return {key: Standing(*tally) for key, tally in tallies.items()}

    # Another device

    def new_link(self, token: str) -> str:
        """The code of a new link that gives a token to another device, once and soon.

        Whoever reads the database learns neither the code nor the token: the code is hashed, and
        the token is sealed with it. A new link replaces an older one that was not used, and all
        that are too old.
        """
        code, whose = secrets.token_urlsafe(16), hash_token(token)
        sealed = _padded(urlsafe_b64decode(token + "="), code).hex()
        now = time.time()
        row = (_place(code), whose, sealed, now + LINK_SECONDS)
        with self._engine.begin() as connection:
            older = and_(device_links.c.token == whose, device_links.c.sealed != USED)
            connection.execute(delete(device_links).where(older | (device_links.c.expires < now)))
            connection.execute(insert(device_links).values(row))
        return code

    def is_valid_link(self, code: str) -> bool:
        """Whether a link can still be used."""
        return bool(self._store.read(select(device_links.c.code).where(_valid(code))))

    async def use_link(self, code: str, own: str | None) -> str | None:
        """Use a link up: its token, to which the seats of `own` go too; None if it is void.

        If the server is killed before all seats are there, each game is with the one token or with
        the other; the link is used up, and a new one takes the rest along.
        """
        link = await self._store.ask(self._open_link, code)
        if link is None:
            return None
        if own and own != link.token:
            await self.hand_over(own, link.token)
        token = urlsafe_b64encode(_padded(bytes.fromhex(link.sealed), code))
        return token.decode().rstrip("=")

    def _open_link(self, code: str) -> sa.Row[Any] | None:
        with self._engine.begin() as connection:
            row = connection.execute(select(device_links).where(_valid(code))).first()
            used = connection.execute(update(device_links).where(_valid(code)).values(sealed=USED))
        return row if used.rowcount else None  # somebody else may have used it at this moment

    async def hand_over(self, token: str, to: str) -> None:
        """Give somebody's seats to another token; to nobody, which erases the names there as well.

        If the server is killed before all are given, whoever has the cookie can ask again. The
        seats of 100,000 games in one transaction kept every move waiting for 2 to 3.6 s: others
        write between two slices. Two who take each other's seats at once would never be done: what
        comes meanwhile stays, unless it is to be erased.
        """
        held = select(sa.func.count()).where(seats.c.token == token)
        slices = 2 + (await self._store.ask(self._store.read, held))[0][0] // SLICE_SIZE
        more = True
        while more and (slices or not to):
            async with self._changing_seats:  # those who do so at once take turns
                more = await self._store.ask(self._change_some, token, to)
                await asyncio.sleep(PAUSE_SECONDS)
            slices -= 1

    def _change_some(self, token: str, to: str) -> bool:
        """Do so for the seats of some games; whether there were any.

        A rematch of such a game that is being written has committed before its seats are changed
        here, and is found by the next look; or it is refused afterwards (see store.py).
        """
        ids = some_games(self._store, seats.c.token == token)
        with self._engine.begin() as connection:
            # Not by the index of tokens: SQLite would go through all seats of this one.
            held = and_(seats.c.game_id.in_(ids), sa.func.coalesce(seats.c.token, "") == token)
            if not to:
                erase_names(connection, held)
            connection.execute(update(seats).where(held).values(token=to))
            # A link would lead to no games any more.
            connection.execute(delete(device_links).where(device_links.c.token == token))
            post(connection, SEATS, token[:HASH_LENGTH])
        return bool(ids)


def some_games(store: GameStore, such: sa.ColumnElement[bool]) -> list[str]:
    """Some games with such a seat, as many as may be changed in one transaction."""
    return sorted(
        {row.game_id for row in store.read(select(seats.c.game_id).where(such).limit(SLICE_SIZE))}
    )


def erase_names(connection: sa.Connection, such: sa.ColumnElement[bool]) -> None:
    """Remove the names of some seats, also where the reason of an ending has them."""
    for number, (ending, words) in product(
        (1, 2), GIVEN_UP.items()
    ):  # as game/event_sourced_game.py says it
        named = select(seats.c.game_id).where(such, seats.c.number == number)
        lost = and_(games.c.termination == ending, games.c.result == f"p{3 - number}")
        reason = f"{NEUTRAL[number - 1].subject} {words}"
        connection.execute(update(games).where(games.c.id.in_(named), lost).values(reason=reason))
    connection.execute(update(seats).where(such).values(name=""))


def _valid(code: str) -> sa.ColumnElement[bool]:
    """The link with a code, if it can still be used."""
    place = device_links.c.code == _place(code)
    return and_(place, device_links.c.expires > time.time(), device_links.c.sealed != USED)


def _place(code: str) -> str:
    """Under what a code is found."""
    return hashlib.sha256(f"find {code}".encode()).hexdigest()


def _padded(token: bytes, code: str) -> bytes:
    """A token that can be read with the code only; done again, the token. A code is for one."""
    pad = hashlib.sha256(f"seal {code}".encode()).digest()
    return bytes(one ^ two for one, two in zip(token, pad, strict=True))
