"""A server that has as many unfinished games as it takes: who plays or is invited can go on."""

from __future__ import annotations

import asyncio

import pytest

from gridwise.web.errors import TooMany
from gridwise.web.game.stored_game import Change
from gridwise.web.hub import GameHub
from gridwise.web.settings import ServerLimits

from .servers import Browse, Browser, eventually, ok, receive, refused, running
from .test_hub import GAME, with_a_hub


def test_an_invitation_can_be_accepted_at_a_full_server(empty: str, browse: Browse) -> None:
    """Whoever has as many games as a browser may start can do so too."""
    with running(empty, open_games=1, all_games=2) as address:
        ann, bob = browse(address), browse(address)
        invitation = ann.create("grid-runner")
        bob.create("grid-runner", opponent="same-screen")
        assert bob.take_seat(invitation)["status"] == "playing"


def test_the_oldest_invitation_gives_way_to_a_new_game(empty: str, browse: Browse) -> None:
    """Who has it open is told why; where there is no invitation, the new game is refused."""
    with running(empty, all_games=3) as address:
        ann, bob, cat = browse(address), browse(address), browse(address)
        joined, oldest = ann.create("grid-runner"), ann.create("grid-runner")
        bob.take_seat(joined)
        newer = ann.create("grid-runner")
        with bob.socket(oldest) as socket:
            receive(socket, "state")
            cat.create("grid-runner", opponent="same-screen")
            assert "the server needed room" in receive(socket, "state", status="over")["reason"]
        assert "the server needed room" in ann.page(f"/g/{oldest}")
        assert ann.state(newer)["status"] == "waiting"
        cat.create("grid-runner", opponent="same-screen")
        assert ann.state(newer)["status"] == "over"
        assert "full" in refused(cat.post("/games", game="grid-runner"), 429, "too-many")
        assert ann.state(joined)["status"] == "playing"


def test_an_invitation_that_somebody_waits_in_does_not_give_way(
    database: str, browse: Browse
) -> None:
    """Otherwise whoever starts games at a full server would end everybody's, one by one."""
    with running(database, all_games=2) as address:
        ann, bob = browse(address), browse(address)
        waited_in = ann.create("grid-runner")
        with ann.socket(waited_in) as socket:
            receive(socket, "state")
            left = ann.create("grid-runner")
            bob.create("grid-runner")
            assert ann.state(left)["status"] == "over"
            bob.create("grid-runner", opponent="same-screen")
            assert "full" in refused(bob.post("/games", game="grid-runner"), 429, "too-many")
            assert ann.state(waited_in)["status"] == "waiting"
        eventually(lambda: bob.post("/games", game="grid-runner").status_code == 201)
        assert ann.state(waited_in)["status"] == "over"


def test_a_rematch_is_made_at_a_full_server(empty: str, browse: Browse) -> None:
    """It takes the place of a game that has just ended."""
    with running(empty, all_games=1) as address:
        ann, bob = browse(address), browse(address)
        state = ann.state(ann.create("grid-runner", opponent="same-screen"))
        over = ok(ann.request("resign", state))
        bob.create("grid-runner", opponent="same-screen")
        assert ok(ann.request("rematch", over))["id"]


def test_new_games_at_once_do_not_take_the_same_place(empty: str) -> None:
    """Each has an invitation of its own to give way to it, as long as there are any."""
    many = 5

    async def happens(hub: GameHub) -> None:
        waiting = [await hub.create(GAME, "ann") for _ in range(many)]
        gave_way = await asyncio.gather(*(hub._give_way() for _ in range(many + 1)))
        assert sorted(gave_way) == [False] + [True] * many
        assert all(game.snapshot.over for game in waiting)

    with_a_hub(empty, happens)


def test_a_request_that_fails_takes_nobodys_place(database: str, browse: Browse) -> None:
    """Otherwise nonsense alone would end the invitations of others."""
    with running(database, all_games=1) as address:
        ann, bob = browse(address), browse(address)
        invitation = ann.create("grid-runner")
        refused(bob.post("/games", game="number-run", board="99999/1"), 400, "bad-board")
        assert ann.state(invitation)["status"] == "waiting"


# One address


def from_address(browser: Browser, address: str) -> Browser:
    """Somebody at an address, as a reverse proxy tells it."""
    browser.http.headers["X-Forwarded-For"] = address
    return browser


def test_one_address_cannot_fill_the_server(database: str, browse: Browse) -> None:
    """Not without a cookie either; others go on, and so does who finishes a game."""
    with running(database, client_games=3, all_games=10) as address:
        crowd = [from_address(browse(address), "203.0.113.7") for _ in range(5)]
        begun = [each.create("grid-runner", opponent="same-screen") for each in crowd[:3]]
        for late in crowd[3:]:
            answer = late.post("/games", game="grid-runner")
            assert "unfinished games" in refused(answer, 429, "too-many")
        from_address(browse(address), "198.51.100.9").create("grid-runner")
        ok(crowd[0].request("resign", crowd[0].state(begun[0])))
        crowd[3].create("grid-runner")
        refused(crowd[4].post("/games", game="grid-runner"), 429, "too-many")


def test_an_address_with_most_of_what_it_may_have_gives_way_first(
    database: str, browse: Browse
) -> None:
    """Ten of them fill a server with games that need no other player; nobody waits for days."""
    with running(database, client_games=4, all_games=4) as address:
        crowd = from_address(browse(address), "203.0.113.7")
        theirs = [crowd.create("grid-runner", opponent="same-screen") for _ in range(3)]
        ann = from_address(browse(address), "198.51.100.9")
        invitation = ann.create("grid-runner")
        ann.create("grid-runner", opponent="same-screen")
        assert [crowd.state(each)["status"] for each in theirs] == ["over", "playing", "playing"]
        assert ann.state(invitation)["status"] == "waiting"
        ann.create("grid-runner")  # two are few: now the invitations give way
        assert crowd.state(theirs[1])["status"] == "playing"
        assert ann.state(invitation)["status"] == "over"


def test_a_rematch_counts_too_and_is_refused_too(database: str, browse: Browse) -> None:
    """Otherwise games without end could be made of a few."""
    with running(database, client_games=2) as address:
        bob = browse(address)
        over = bob.state(bob.create("grid-runner", opponent="same-screen"))
        over = ok(bob.request("resign", over))
        for _ in range(2):
            ann = browse(address)
            state = ann.state(ann.create("grid-runner", opponent="same-screen"))
            state = ok(ann.request("resign", state))
            ok(ann.request("rematch", state))
        assert "Your network" in refused(bob.request("rematch", over), 429, "too-many")
        refused(browse(address).post("/games", game="grid-runner"), 429, "too-many")


def test_who_leaves_while_the_game_is_written_has_started_it(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise whoever disconnects at the right moment could fill the server after all."""

    async def happens(hub: GameHub) -> None:
        commit, began = hub.journal.commit, asyncio.Event()
        written: list[asyncio.Future[None]] = []

        def noted(changes: list[Change]) -> asyncio.Future[None]:
            written.append(commit(changes))
            began.set()
            return written[0]

        monkeypatch.setattr(hub.journal, "commit", noted)
        creating = asyncio.create_task(hub.create(GAME, "ann"))
        await began.wait()
        creating.cancel()
        await asyncio.wait([creating])
        assert creating.cancelled()
        await written[0]
        with pytest.raises(TooMany, match="Your network"):
            await hub.create(GAME, "bob")

    with_a_hub(database, happens, ServerLimits(client_games=1))


def test_what_is_remembered_of_addresses_is_bounded(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many games are started; and who finishes theirs is not refused."""
    unfinished: dict[str, int] = {}

    async def happens(hub: GameHub) -> None:
        monkeypatch.setattr(hub.store, "unfinished", lambda *_: unfinished)
        for number in range(2_500):
            assert not await hub._unfinished_of(f"address {number}", 2)
            hub._started.append((f"address {number}", f"{number}"))
        assert len(hub._started) == 1_000
        for number in range(2_500):
            assert not await hub._unfinished_of("busy", 2)
            hub._started.append(("busy", f"finished {number}"))
        assert len(hub._started) <= 1_000
        for game_id in "ab":
            assert not await hub._unfinished_of("busy", 2)
            hub._started.append(("busy", game_id))
            unfinished[game_id] = 0
        assert await hub._unfinished_of("busy", 2)
        assert not await hub._unfinished_of("another", 2)
        unfinished.clear()
        assert not await hub._unfinished_of("busy", 2)

    with_a_hub(database, happens, ServerLimits(client_games=2, all_games=1_000))
