"""Somebody with very many games can take them along and erase them; others do not wait for it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import closing
from typing import Any

import pytest
import sqlalchemy as sa

from gridwise.web.game.new_game import NewGame
from gridwise.web.game.stored_game import hash_token
from gridwise.web.hub import GameHub
from gridwise.web.storage import GameStore, Visitors, open_database, schema
from tests.sizes import sample

from .servers import TIMEOUT
from .test_hub import with_a_hub
from .test_lists import AGAINST_A_BOT, TOKEN, fill

MANY = sample(10_000, long=50_000)
MINE, OTHERS = hash_token(TOKEN), hash_token("A" * 43)
SAME_SCREEN = NewGame.model_validate({"game": "grid-runner", "opponent": "same-screen"})


async def longest_move(hub: GameHub, meanwhile: asyncio.Task[None]) -> float:
    """Play until something is done; how long the slowest move has taken of that time."""
    game = await hub.create(SAME_SCREEN, "somebody")
    began, longest = time.monotonic(), 0.0
    while not meanwhile.done():
        sent, snapshot = time.monotonic(), game.snapshot
        if snapshot.over:
            game = await hub.create(SAME_SCREEN, "somebody")
        else:
            legal = next(iter(snapshot.position.named_moves.values()))
            await game.request("move", "somebody", snapshot.version, None, legal)
            longest = max(longest, time.monotonic() - sent)
    return longest / (time.monotonic() - began)


async def take_along(hub: GameHub) -> None:
    """Take the many games to a browser that has others."""
    await hub.use_link(hub.visitors.new_link("A" * 43), MINE)


async def erase(hub: GameHub) -> None:
    """Erase whoever has the many games."""
    await hub.forget(MINE)


@pytest.mark.parametrize("work", [take_along, erase])
def test_moves_go_on_while_many_seats_change(
    empty: str, work: Callable[[GameHub], Coroutine[Any, Any, None]]
) -> None:
    """The slowest of them takes a small part of that time, and all seats have changed then.

    Other processes are told in a few words, however many games it are.
    """
    with closing(GameStore(open_database(empty))) as store:
        fill(store, MANY, AGAINST_A_BOT)

    async def happens(hub: GameHub) -> None:
        working = asyncio.create_task(work(hub))
        assert await longest_move(hub, working) < 0.25
        await working

    with_a_hub(empty, happens)
    with closing(GameStore(open_database(empty))) as store, store.engine.connect() as connection:
        columns = schema.seats.c.token, schema.seats.c.name
        bot_games = schema.games.c.id.in_(
            sa.select(schema.seats.c.game_id).where(schema.seats.c.kind == "bot")
        )
        people = (
            sa.select(*columns, sa.func.count())
            .join(schema.games)
            .where(bot_games, schema.seats.c.kind == "human")
        )
        (counted,) = connection.execute(people.group_by(*columns)).all()
        assert counted == ((OTHERS, "Ann", MANY) if work is take_along else ("", "", MANY))
        told = sa.select(sa.func.count()).select_from(schema.server_state)
        assert connection.execute(told).scalar_one() < 10


def test_two_browsers_that_take_each_others_seats_are_done_in_the_end(database: str) -> None:
    """Each of the games is with one of them, and none goes back and forth for ever."""

    async def happens(hub: GameHub) -> None:
        made = [await hub.create(SAME_SCREEN, each) for each in (MINE, OTHERS)]
        links = [(hub.visitors.new_link(TOKEN), OTHERS), (hub.visitors.new_link("A" * 43), MINE)]
        async with asyncio.timeout(TIMEOUT):
            await asyncio.gather(*(hub.use_link(code, own) for code, own in links))
        for game in made:
            stored = hub.store.load(game.id)
            assert stored
            assert stored.seats[0].token in (MINE, OTHERS)

    with_a_hub(database, happens)


def test_what_a_kill_leaves_half_done_is_done_when_asked_again(
    empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After some of the slices each game has one holder, and no seat is lost."""
    monkeypatch.setattr("gridwise.web.storage.visitors.SLICE_SIZE", 3)
    with closing(GameStore(open_database(empty))) as store:
        fill(store, 10, AGAINST_A_BOT)
        visitors = Visitors(store)
        for token, to in ((MINE, OTHERS), (MINE, ""), (OTHERS, "")):
            visitors._change_some(token, to)
        assert [len(store.mine(token, 50, over=True)) for token in (MINE, OTHERS)] == [4, 0]
        asyncio.run(visitors.hand_over(MINE, ""))
        assert store.mine(MINE, 50, over=True) == []
        with store.engine.connect() as connection:
            assert set(connection.execute(sa.select(schema.seats.c.name)).scalars()) == {""}
