"""Who has erased themselves stays away: no game goes on against them, and none brings them back."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest
import sqlalchemy as sa

from gridwise.play.setup import Setup
from gridwise.web.errors import Conflict, NotYours, Unavailable
from gridwise.web.game.live_game import LiveGame
from gridwise.web.game.new_game import NewGame
from gridwise.web.game.stored_game import hash_token
from gridwise.web.hub import GameHub
from gridwise.web.storage import schema
from gridwise.web.workers.questions import Dealt, dealt

from .test_hub import with_a_hub

ANN, BOB, CLEO = (hash_token(name * 43) for name in "ABC")


async def over_game(hub: GameHub, best_of: int = 1) -> LiveGame:
    """A game of Ann against Bob in which Ann has resigned."""
    request = {"game": "number-run", "name": "Ann", "best_of": best_of}
    game = await hub.create(NewGame.model_validate(request), ANN)
    await game.take_seat(BOB, "Bob")
    await game.request("resign", ANN, game.snapshot.version, None)
    return game


def seats(hub: GameHub) -> list[Any]:
    """All that is stored of who sits where."""
    with hub.store.engine.connect() as connection:
        return list(connection.execute(sa.select(schema.seats)).all())


@pytest.mark.parametrize("best_of", [1, 3])
def test_nobody_plays_on_against_who_has_left(database: str, best_of: int) -> None:
    """Neither a rematch nor the next game of a match; an offer goes with who made it."""

    async def happens(hub: GameHub) -> None:
        game = await over_game(hub, best_of)
        if best_of == 1:
            await game.rematch(BOB, game.snapshot.version, None)
            assert game.state_for(ANN)["offers"]["rematch"] == 2
        await hub.forget(BOB)
        game = await hub.game(game.id)
        assert game.state_for(ANN)["offers"]["rematch"] == 0
        with pytest.raises(Conflict, match="Your opponent has left"):
            await game.rematch(ANN, game.snapshot.version, None)
        assert len(seats(hub)) == 2

    with_a_hub(database, happens)


async def while_a_rematch_is_made(
    hub: GameHub,
    monkeypatch: pytest.MonkeyPatch,
    seats_change: Callable[[], Coroutine[Any, Any, object]],
) -> None:
    """Ann agrees to Bob's rematch; seats change when it is dealt, and is not yet written."""
    game = await over_game(hub)
    await game.rematch(BOB, game.snapshot.version, None)

    async def slow_deal(setup: Setup) -> Dealt:
        monkeypatch.undo()
        await seats_change()
        return dealt(setup)

    monkeypatch.setattr(hub.workers, "deal", slow_deal)
    with pytest.raises((Conflict, NotYours, Unavailable)):
        await game.rematch(ANN, game.snapshot.version, None)


def test_a_rematch_brings_nobody_back(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is erased while it is made is in none of its seats."""

    async def happens(hub: GameHub) -> None:
        await while_a_rematch_is_made(hub, monkeypatch, lambda: hub.visitors.hand_over(BOB, ""))
        assert BOB not in [row.token for row in seats(hub)]
        assert "Bob" not in [row.name for row in seats(hub)]

    with_a_hub(database, happens)


def test_a_rematch_does_not_keep_a_seat_from_another_device(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose games go to another token while it is made has no seat under the old one."""

    async def happens(hub: GameHub) -> None:
        code = hub.visitors.new_link("C" * 43)
        await while_a_rematch_is_made(hub, monkeypatch, lambda: hub.visitors.use_link(code, ANN))
        assert ANN not in [row.token for row in seats(hub)]
        assert CLEO in [row.token for row in seats(hub)]

    with_a_hub(database, happens)
