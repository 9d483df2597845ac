"""A server that has as many unfinished games as it takes: who plays or is invited can go on."""

from __future__ import annotations

import asyncio

from gridwise.web.game import NewGame
from gridwise.web.hub import GameHub

from .servers import Browse, ok, receive, refused, running
from .test_hub import with_a_hub


def test_an_invitation_can_be_accepted_at_a_full_server(empty: str, browse: Browse) -> None:
    """Whoever has as many games as a browser may start can do so too."""
    with running(empty, open_games=1, all_games=2) as address:
        ann, bob = browse(address), browse(address)
        invitation = ann.create("grid-runner")
        bob.create("grid-runner", opponent="same-screen")
        assert bob.take_seat(invitation)["status"] == "playing"


def test_the_oldest_invitation_gives_way_to_a_new_game(empty: str, browse: Browse) -> None:
    """Who waits there is told why; where there is no invitation, the new game is refused."""
    with running(empty, all_games=3) as address:
        ann, bob, cat = browse(address), browse(address), browse(address)
        joined, oldest = ann.create("grid-runner"), ann.create("grid-runner")
        bob.take_seat(joined)
        newer = ann.create("grid-runner")
        with ann.socket(oldest) as socket:
            receive(socket, "state")
            cat.create("grid-runner", opponent="same-screen")
            assert "the server needed room" in receive(socket, "state", status="over")["reason"]
        assert "the server needed room" in ann.page(f"/g/{oldest}")
        assert ann.state(newer)["status"] == "waiting"
        cat.create("grid-runner", opponent="same-screen")
        assert ann.state(newer)["status"] == "over"
        assert "full" in refused(cat.post("/games", game="grid-runner"), 429, "too-many")
        assert ann.state(joined)["status"] == "playing"


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
    invitation, many = NewGame.model_validate({"game": "grid-runner"}), 5

    async def happens(hub: GameHub) -> None:
        waiting = [await hub.create(invitation, "ann") for _ in range(many)]
        found = await asyncio.gather(*(hub.admin_tasks.give_way() for _ in range(many + 1)))
        assert sorted(found) == [False] + [True] * many
        assert all(game.snapshot.over for game in waiting)

    with_a_hub(empty, happens)


def test_a_request_that_fails_takes_nobodys_place(database: str, browse: Browse) -> None:
    """Otherwise nonsense alone would end the invitations of others."""
    with running(database, all_games=1) as address:
        ann, bob = browse(address), browse(address)
        invitation = ann.create("grid-runner")
        refused(bob.post("/games", game="number-run", board="99999/1"), 400, "bad-board")
        assert ann.state(invitation)["status"] == "waiting"
