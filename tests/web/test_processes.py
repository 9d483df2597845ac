"""Two server processes on one PostgreSQL database: nobody notices which of them they talk to."""

from __future__ import annotations

import asyncio
import json
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from gridwise.web.game import events
from gridwise.web.game.event_sourced_game import EventSourcedGame
from gridwise.web.game.snapshot import Presence
from gridwise.web.game.stored_game import EntryAdded, JournalEntry, new_id
from gridwise.web.peers import Peers
from gridwise.web.settings import ServerSettings
from gridwise.web.storage import GameStore, open_database, schema
from tests.sizes import sample

from .servers import (
    TIMEOUT,
    Browse,
    Browser,
    Program,
    eventually,
    ok,
    receive,
    refused,
    running,
    send,
    transaction,
)
from .test_durability import Play
from .test_game_clock import ANN, BOB, as_person, play, timed_game


@pytest.fixture
def ann(two: tuple[str, str], browse: Browse) -> Browser:
    """Somebody at the first process."""
    return browse(two[0])


@pytest.fixture
def bob(two: tuple[str, str], browse: Browse) -> Browser:
    """Somebody at the second."""
    return browse(two[1])


def state_at(socket: Any, version: int) -> None:  # noqa: ANN401 - a connection
    """Wait until a socket has been sent a version, whole or as a change."""
    while True:
        message = json.loads(socket.recv(timeout=TIMEOUT))
        if message["type"] in ("state", "change") and message["version"] >= version:
            assert message["version"] == version
            return


def test_what_one_process_has_answered_the_other_knows(
    ann: Browser, two: tuple[str, str], browse: Browse
) -> None:
    """Without waiting: each request goes to the process that did not get the last one."""
    state = ann.state(ann.create("grid-runner", opponent="same-screen"))
    again, game_id = browse(two[1], ann), state["id"]
    for browser, other in ((ann, again), (again, ann)) * 3:
        state = ok(browser.move(state, state["legal"][0]))
        assert other.state(game_id) == state
        assert state["moves"][-1]["move"] in other.http.get(f"/g/{game_id}").text
    moved = ok(ann.move(state, state["legal"][0]))
    assert ok(again.request("takeback", moved))["moves"] == state["moves"]


def test_a_request_that_is_sent_again_elsewhere_is_done_once(
    ann: Browser, two: tuple[str, str], browse: Browse
) -> None:
    """The ref says that it is the same, even where the first process has only just heard of it."""
    state = ann.state(ann.create("grid-runner", opponent="same-screen"))
    again, repeats = browse(two[1], ann), sample(3, long=10)
    with again.socket(state["id"]) as socket:  # the game is in memory there
        receive(socket, "state")
        for number in range(repeats):
            new = ok(ann.move(state, state["legal"][0], ref=f"{number}"))
            repeated = {"move": state["legal"][0], "version": state["version"], "ref": f"{number}"}
            send(socket, "move", **repeated)
            assert receive(socket, "done", ref=f"{number}")["version"] == new["version"]
            state = new
    assert len(again.state(state["id"])["moves"]) == repeats


def test_of_two_moves_for_one_turn_exactly_one_counts(
    ann: Browser, two: tuple[str, str], browse: Browse
) -> None:
    """Sent to both processes at the same moment; the other is told that the game has changed."""
    state = ann.state(ann.create("grid-runner", opponent="same-screen"))
    again, game_id = browse(two[1], ann), state["id"]
    with ThreadPoolExecutor(2) as pool, ann.socket(game_id) as one, again.socket(game_id) as other:
        for number in range(20):
            start = threading.Barrier(2)

            def move(browser: Browser, at: threading.Barrier = start, now: Any = state) -> Any:  # noqa: ANN401
                at.wait(TIMEOUT)
                return browser.move(now, now["legal"][0])

            answers = list(pool.map(move, (ann, again)))
            won, lost = sorted(answers, key=lambda each: each.status_code)
            refused(lost, 409, "stale")
            state = ok(won)
            assert lost.json()["state"]["version"] == state["version"] == number + 1
            for socket in (one, other):
                state_at(socket, number + 1)
    assert len(state["moves"]) == 20


def test_of_two_who_sit_down_at_once_one_has_the_seat(ann: Browser, two: tuple[str, str]) -> None:
    """At different processes."""
    for _ in range(5):
        game_id = ann.create("grid-runner")
        with Browser(two[0]) as one, Browser(two[1]) as other, ThreadPoolExecutor(2) as pool:
            answers = list(
                pool.map(lambda each: each.post(f"/games/{game_id}/seats"), (one, other))  # noqa: B023
            )
            assert sorted(each.status_code for each in answers) == [200, 409]
            assert sorted(each.state(game_id)["you"] for each in (one, other)) == [[], [2]]


def test_both_find_the_same_rematch(ann: Browser, bob: Browser) -> None:
    """Asked for at both processes at once: the later one agrees to it; there they play on."""
    state = bob.take_seat(ann.create("grid-runner"))
    over = ok(bob.request("resign", state))
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda each: ok(each.request("rematch", over)), (ann, bob)))
    (made,) = {each["id"] for each in answers} - {None}
    assert [each.state(over["id"])["rematch"] for each in (ann, bob)] == [made, made]
    state = bob.state(made)
    assert state["you"] == [1]
    moved = ok(bob.move(state, state["legal"][0]))
    assert ann.state(made)["moves"] == moved["moves"]


def test_a_bot_moves_once(ann: Browser, two: tuple[str, str], browse: Browse) -> None:
    """While its opponent is connected to both processes and moves now here, now there."""
    state = ann.state(ann.create("number-run", opponent="bot", level="random", seed=1))
    again, game_id = browse(two[1], ann), state["id"]
    with ann.socket(game_id), again.socket(game_id):
        for browser in (ann, again) * 3:
            if state["status"] == "over":
                break
            moved = ok(browser.move(state, state["legal"][0]))

            def has_moved(before: int = moved["version"]) -> bool:
                now = ann.state(game_id)
                return bool(now["status"] == "over" or now["version"] > before)

            if moved["status"] != "over":
                eventually(has_moved, "the bot does not move")
            state = ann.state(game_id)
            assert state["turn"] in (0, 1)
            assert state["version"] == len(state["moves"])
            assert all(
                one["player"] != other["player"]
                for one, other in zip(state["moves"], state["moves"][1:], strict=False)
            )


def test_everybody_sees_who_is_there(ann: Browser, bob: Browser, two: tuple[str, str]) -> None:
    """Players and spectators of all processes, also those who were there before one came."""
    game_id = ann.create("grid-runner", name="Ann")
    with ann.socket(game_id) as one:
        receive(one, "state")
        bob.take_seat(game_id, "Bob")
        with bob.socket(game_id), Browser(two[1]) as carl, carl.socket(game_id):

            def present() -> list[tuple[list[bool], int]]:
                seen = [browser.state(game_id) for browser in (ann, bob)]
                return [
                    ([each["present"] for each in now["players"]], now["spectators"])
                    for now in seen
                ]

            eventually(lambda: present() == [([True, True], 1)] * 2, "somebody is not seen")
        eventually(lambda: present() == [([True, False], 0)] * 2, "somebody is still seen")
        while True:  # and the socket was told
            message = receive(one, "presence")
            if message["spectators"] == 0 and not message["players"][1]["present"]:
                break


def listening(postgres: str, *, end: bool) -> int:
    """How many connections listen for notifications; they are ended, if so wished."""
    such = "FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
    with transaction(postgres) as connection:
        if end:
            connection.execute(sa.text(f"SELECT pg_terminate_backend(pid) {such}"))
        return int(connection.execute(sa.text(f"SELECT count(*) {such}")).scalar_one())


def test_a_lost_connection_between_processes_is_made_again(
    ann: Browser, bob: Browser, postgres: str
) -> None:
    """What happened meanwhile is caught up with."""
    state = bob.take_seat(ann.create("grid-runner"))
    eventually(lambda: listening(postgres, end=False) >= 2, "nobody listens")
    with bob.socket(state["id"]) as socket:
        receive(socket, "state")
        listening(postgres, end=True)
        state = ok(ann.move(state, state["legal"][0]))
        state_at(socket, state["version"])
        eventually(lambda: listening(postgres, end=False) >= 2, "nobody listens")
        state = ok(bob.move(state, state["legal"][0]))
        state = ok(ann.move(state, state["legal"][0]))
        state_at(socket, state["version"] - 1)
        state_at(socket, state["version"])


def test_a_lost_notification_delays_and_does_no_harm(
    postgres: str, browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The poll finds what nobody has told of."""
    monkeypatch.setattr(Peers, "announce", lambda *_: None)
    with running(postgres, peer_interval=0.1) as one, running(postgres, peer_interval=0.1) as other:
        ann, bob = browse(one), browse(other)
        state = bob.take_seat(ann.create("grid-runner"))
        with bob.socket(state["id"]) as socket:
            receive(socket, "state")
            state = ok(ann.move(state, state["legal"][0]))
            state_at(socket, state["version"])


def test_another_process_moves_for_a_bot_whose_own_has_died(postgres: str, browse: Browse) -> None:
    """After a while, and where the player is connected."""
    with running(postgres, peer_interval=0.1, bot_wait=0.3) as address:
        ann = browse(address)
        state = ann.state(ann.create("number-run", opponent="bot", level="random", seed=1))
        with ann.socket(state["id"]) as socket:
            receive(socket, "state")
            store = GameStore(open_database(postgres))
            stored = store.load(state["id"])
            assert stored
            session = EventSourcedGame(stored.setup, stored.seats, stored.journal)
            played = events.MovePlayed(session.match.turn, state["legal"][0])
            entry = JournalEntry(1, played, None, time.time())
            store.write([EntryAdded(state["id"], entry)])  # as a process that dies right after it
            store.close()
            state_at(socket, 1)
            state_at(socket, 2)


def test_a_process_that_is_not_heard_of_fades(postgres: str, browse: Browse) -> None:
    """Its players are gone, if only because they have to connect again."""
    with running(postgres, peer_interval=0.3) as address:
        ann = browse(address)
        game_id = ann.create("grid-runner")

        def tell(spectators: int) -> None:
            said = f"{'0' * 16} present {game_id}=0,0,{spectators}"
            with transaction(postgres) as connection:
                connection.execute(sa.select(sa.func.pg_notify("gridwise", said)))

        def seen() -> int:
            return int(ann.state(game_id)["spectators"])

        def seen_when_told() -> bool:
            tell(7)
            return seen() == 7

        eventually(seen_when_told, "the other process is not heard")
        eventually(lambda: seen() == 0, "it has not faded")
        eventually(seen_when_told, "the other process is not heard again")
        tell(0)
        eventually(lambda: seen() == 0, "they have left")


def test_notifications_are_not_too_long_and_nothing_else_is_heard() -> None:
    """Whatever else comes on the channel does no harm."""
    said: list[str] = []

    class Connection:
        def execute(self, _statement: object, values: dict[str, str]) -> None:
            said.append(values["text"])

    store = GameStore(sa.create_engine("sqlite://"))
    one, other = (Peers(store, ServerSettings(""), {}) for _ in "ab")
    ids = [new_id() for _ in range(2_000)]
    longest = [f"{each}=1,1,999999" for each in ids]
    one.announce(Connection(), longest, "present")  # type: ignore[arg-type] # what is used of it
    assert len(said) > 1
    assert max(len(text.encode()) for text in said) < 8_000
    for text in said:
        one.hear(text)
        other.hear(text)
    assert (set(one.elsewhere), set(other.elsewhere)) == (set(), set(ids))
    assert other.presence(ids[0]) == Presence(one=True, two=True, spectators=999_999)
    kinds = ["", "changed <b>", "what", f"present {ids[0]}=2,0,1", "alive now", "emote x=1,wave"]
    kinds += [f"emote {ids[0]}=3,wave", f"emote {ids[0]}=1,<b>", "present "]
    for text in ("", "x", "x y z", *(f"{'0' * 16} {kind}" for kind in kinds)):
        one.hear(text)
    assert not one.elsewhere


def test_nothing_acknowledged_is_lost_when_one_of_two_is_killed(
    postgres: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Kill -9 in mid-load; its players connect to the other, and every game goes on to its end."""
    home = tmp_path_factory.mktemp("killed")
    plays = [Play(number) for number in range(sample(6, long=12))]

    async def play_and_kill(one: Program, other: Program) -> None:
        staying = asyncio.gather(*(each.go_on(one.address, to_the_end=True) for each in plays[::2]))
        leaving = asyncio.gather(
            *(each.go_on(other.address, to_the_end=False) for each in plays[1::2])
        )
        enough = sample(15, long=30)
        while sum(len(each.announced) for each in plays[1::2]) < enough and not leaving.done():
            await asyncio.wait({leaving}, timeout=0.003)
        other.end(signal.SIGKILL)
        await leaving
        await asyncio.gather(*(each.go_on(one.address, to_the_end=True) for each in plays[1::2]))
        await staying

    with Program(home, database=postgres) as one, Program(home, database=postgres) as other:
        asyncio.run(play_and_kill(one, other))
        assert all(each.over for each in plays)
        with Browser(one.address) as ann:
            for each in plays:
                moves = ann.state(each.id)["moves"]
                assert [move["move"] for move in moves] == each.announced


def test_nobody_is_charged_for_a_clock_that_is_wrong(
    postgres: str, two: tuple[str, str], tmp_path: Path, browse: Browse
) -> None:
    """Two machines of which one is 20 s ahead: time is measured by the clock of the database."""
    game_id = timed_game(postgres, 15.0)
    with Program(
        tmp_path, database=postgres, runs="tests.web.runs:serve_twenty_seconds_ahead"
    ) as ahead:
        ann, bob = as_person(browse(two[0]), ANN), as_person(browse(ahead.address), BOB)
        began = time.monotonic()
        state = play((ann, bob), game_id, 4)
        spent = time.monotonic() - began
        assert state["status"] == "playing"
        for browser in (ann, bob):
            left = browser.state(game_id)["clock"]["left"]
            assert min(left) > 15.0 - spent - 1.0
            assert max(left) <= 15.0
        with transaction(postgres) as connection:
            at = schema.events.c.at
            chosen = sa.select(at).where(schema.events.c.game_id == game_id)
            times = list(connection.execute(chosen.order_by("number")).scalars())
        assert times == sorted(times)
        made = bob.state(bob.create("grid-runner", opponent="same-screen", clock={"minutes": 1}))
        assert 59 <= made["clock"]["first_move"]["left"] <= 60
