"""The clock is the server's: a flag falls whoever is connected, and whatever happens to it."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from gridwise.web.game.new_game import NewGame
from gridwise.web.game.stored_game import GameCreated, Seat, hash_token
from gridwise.web.storage import GameStore, open_database, schema

from .servers import (
    Browse,
    Browser,
    Program,
    eventually,
    ok,
    receive,
    refused,
    running,
    transaction,
)
from .stored import dealt_game

ANN, BOB = "A" * 43, "B" * 43


def timed_game(url: str, seconds: float) -> str:
    """A game of Ann against Bob, with less time than one can ask for; its id."""
    request = NewGame.model_validate({"game": "grid-runner", "seed": 5, "opponent": "same-screen"})
    setup, (one, two) = dealt_game(request, hash_token(ANN), 1_000)
    seats = replace(one, name="Ann"), Seat(2, "human", "Bob", "", hash_token(BOB))
    assert two.token == hash_token(ANN)
    store = GameStore(open_database(url))
    store.write([GameCreated(replace(setup, seconds=seconds), seats, turn=setup.first)])
    store.close()
    return setup.id


def as_person(browser: Browser, token: str) -> Browser:
    """A browser that holds somebody's seat."""
    browser.http.cookies.set("gridwise", token)
    return browser


def play(people: tuple[Browser, Browser], game_id: str, moves: int) -> dict[str, Any]:
    """Some moves, whosever turn it is; the state after them."""
    state = people[0].state(game_id)
    for _ in range(moves):
        state = ok(people[state["turn"] - 1].move(state, state["legal"][0]))
    return state


def stored(url: str, game_id: str) -> tuple[Any, list[str]]:
    """The row of a game, and the kinds of its events."""
    with transaction(url) as connection:
        row = connection.execute(sa.select(schema.games).where(schema.games.c.id == game_id)).one()
        kinds = connection.execute(
            sa.select(schema.events.c.kind)
            .where(schema.events.c.game_id == game_id)
            .order_by(schema.events.c.number)
        )
        return row, list(kinds.scalars())


def let_time_pass(url: str, seconds: float) -> None:
    """As if everything in the database had happened so long ago."""
    games, events = schema.games, schema.events
    with transaction(url) as connection:
        earlier = {"created": games.c.created - seconds, "flag_falls": games.c.flag_falls - seconds}
        connection.execute(sa.update(games).values(earlier))
        connection.execute(sa.update(events).values(at=events.c.at - seconds))


def test_who_runs_out_of_time_loses(database: str, browse: Browse) -> None:
    """Those who are connected hear of it at once, each in words of their own."""
    game_id = timed_game(database, 1.0)
    with running(database) as address:
        ann, bob = as_person(browse(address), ANN), as_person(browse(address), BOB)
        state = play((ann, bob), game_id, 2)
        assert (state["clock"]["running"], state["turn"]) == (1, 1)
        assert state["clock"]["left"][1] == 1.0
        with ann.socket(game_id) as at_ann, bob.socket(game_id) as at_bob:
            lost = receive(at_ann, "state", status="over")
            won = receive(at_bob, "state", status="over")
        assert (lost["result"], lost["termination"]) == ("p2", "time-out")
        shown = {"left": [0, 1.0], "running": 0, "increment": 0, "first_move": None}
        assert lost["clock"] == shown
        assert won["status_text"] == "You won: Ann ran out of time."
        assert lost["reason"] == "Ann ran out of time"
        refused(ann.move(lost, state["legal"][0]), 409, "out-of-turn")
        record = ann.http.get(f"/api/games/{game_id}/record").text
        assert '[TimeControl "1+0"]' in record
        assert '[Ending "time-out"]' in record
        assert ok(ann.http.get(f"/api/games/{game_id}/review"))["moves"]
    row, kinds = stored(database, game_id)
    assert (row.result, row.reason, row.flag_falls, row.turn) == (
        "p2", "Ann ran out of time", None, 0,
    )  # fmt: skip
    assert kinds == ["move", "move", "time-out"]


def test_time_runs_while_somebody_thinks_and_is_given_back(address: str, browse: Browse) -> None:
    """Whoever connects later sees how much is left now; a take-back gives it back."""
    ann, bob = browse(address), browse(address)
    clock = {"minutes": 10, "increment": 5}
    game_id = ann.create("grid-runner", seed=5, clock=clock, name="Ann")
    bob.take_seat(game_id)
    clock = ann.state(game_id)["clock"]
    assert (clock["left"], clock["running"], clock["increment"]) == ([600, 600], 0, 5)
    state = play((ann, bob), game_id, 2)
    eventually(lambda: ann.state(game_id)["clock"]["left"][0] < 599.7, "time does not run")
    moved = ok(ann.move(state, state["legal"][0]))
    assert 600 < moved["clock"]["left"][0] < 605
    assert moved["clock"]["running"] == 2
    back = ok(bob.request("takeback", ok(ann.request("takeback", moved))))
    assert back["clock"]["left"][0] == pytest.approx(600, abs=0.5)


def test_a_flag_falls_although_the_server_was_killed(database: str, tmp_path: Path) -> None:
    """Nobody opens the game again: the next server looks for such games by itself."""
    game_id = timed_game(database, 60)
    with Program(tmp_path, database=database) as program:
        with Browser(program.address) as one, Browser(program.address) as other:
            play((as_person(one, ANN), as_person(other, BOB)), game_id, 2)
        program.end(9)
    row, kinds = stored(database, game_id)
    assert (row.finished, row.turn, kinds) == (None, 1, ["move", "move"])
    assert row.flag_falls is not None
    let_time_pass(database, 61)
    with running(database):
        eventually(lambda: stored(database, game_id)[0].finished is not None, "no flag has fallen")
    assert stored(database, game_id)[1] == ["move", "move", "time-out"]


def test_a_move_that_comes_too_late_does_not_count(database: str, browse: Browse) -> None:
    """Even if it is the first thing that a new server hears."""
    game_id = timed_game(database, 60)
    with running(database) as address:
        people = as_person(browse(address), ANN), as_person(browse(address), BOB)
        state = play(people, game_id, 2)
    row, kinds = stored(database, game_id)
    assert (row.finished, kinds) == (None, ["move", "move"])
    let_time_pass(database, 61)
    with running(database, flag_interval=60.0) as address:
        ann = as_person(browse(address), ANN)
        refused(ann.move(state, state["legal"][0]), 409, "stale")
        assert ann.state(game_id)["termination"] == "time-out"


def test_a_flag_falls_although_the_machine_was_asleep(
    database: str, browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The timer of a game in memory stood still meanwhile: the row says that it is over."""
    with running(database, flag_interval=0.1) as address:
        ann, bob = browse(address), browse(address)
        game_id = ann.create("grid-runner", clock={"minutes": 5})
        bob.take_seat(game_id)
        awake = time.time
        monkeypatch.setattr(time, "time", lambda: awake() + 3_600)
        eventually(lambda: ann.state(game_id)["status"] == "over", "its clock stands still")
        assert ann.state(game_id)["termination"] == "time-out"


def test_a_flag_falls_once_at_two_processes(
    postgres: str, two: tuple[str, str], browse: Browse
) -> None:
    """Both have the game in memory, and both watch its clock."""
    game_id = timed_game(postgres, 1.0)
    ann, bob = as_person(browse(two[0]), ANN), as_person(browse(two[1]), BOB)
    play((ann, bob), game_id, 2)
    with ann.socket(game_id) as at_ann, bob.socket(game_id) as at_bob:
        for socket in (at_ann, at_bob):
            assert receive(socket, "state", status="over")["termination"] == "time-out"
    assert stored(postgres, game_id)[1] == ["move", "move", "time-out"]


def test_a_first_move_has_to_be_made(database: str, browse: Browse) -> None:
    """Nobody waits for ever: whose first move it is has half a minute at the least."""
    ids = timed_game(database, 1.0), timed_game(database, 1.0)
    with running(database) as address:
        ann, bob = as_person(browse(address), ANN), as_person(browse(address), BOB)
        for moves, game_id in enumerate(ids):
            state = play((ann, bob), game_id, moves)
            due = state["clock"]["first_move"]
            assert (due["player"], state["clock"]["running"]) == (moves + 1, 0)
            assert 0 < due["left"] <= 30
    let_time_pass(database, 31)
    with running(database) as address:
        ann = as_person(browse(address), ANN)
        for loser, game_id in zip(("Ann", "Bob"), ids, strict=True):
            eventually(lambda: ann.state(game_id)["status"] == "over", "it is still their turn")  # noqa: B023 - now
            state = ann.state(game_id)
            assert state["termination"] == "time-out"
            assert state["reason"] == f"{loser} ran out of time"


def next_of_a_match(address: str, browse: Browse) -> tuple[Browser, Browser, str]:
    """Bob, who is to move in the second game and has not seen it; Ann, who made it; its id."""
    ann, bob = as_person(browse(address), ANN), as_person(browse(address), BOB)
    first = ann.create("grid-runner", best_of=3, clock={"minutes": 1}, name="Ann")
    over = ok(bob.request("resign", bob.take_seat(first, "Bob")))
    return bob, ann, str(ok(ann.request("rematch", over))["id"])


def test_the_next_game_of_a_match_waits_for_who_has_not_opened_it(
    database: str, browse: Browse
) -> None:
    """One of them clicked: the other's first move is due from when that player sees the game."""
    with running(database) as address:
        _, ann, game_id = next_of_a_match(address, browse)
        assert ann.state(game_id)["turn"] == 1
    let_time_pass(database, 3_600)
    with running(database) as address:
        bob, ann = as_person(browse(address), BOB), as_person(browse(address), ANN)
        assert ann.state(game_id)["status"] == "playing"
        bob.page("/games")  # it is listed there, which is not to have opened it
        assert ann.state(game_id)["clock"]["first_move"]["left"] > 60
        bob.page(f"/g/{game_id}")
        seen = ann.state(game_id)
        assert seen["clock"]["first_move"] == {"player": 1, "left": pytest.approx(60, abs=5)}
        assert seen["news"] == ["Bob has joined."]
    let_time_pass(database, 61)
    with running(database) as address:
        ann = as_person(browse(address), ANN)
        eventually(lambda: ann.state(game_id)["status"] == "over", "Bob may think for ever")
        assert ann.state(game_id)["reason"] == "Bob ran out of time"


def test_nobody_waits_for_ever_for_the_next_game_to_be_opened(
    database: str, browse: Browse
) -> None:
    """Who has not opened it within a day has lost it."""
    with running(database) as address:
        *_, game_id = next_of_a_match(address, browse)
    row, _ = stored(database, game_id)
    assert row.flag_falls == row.created + 86_400
    let_time_pass(database, 86_401)
    with running(database):
        eventually(lambda: stored(database, game_id)[0].finished, "it is still waited for")
    assert stored(database, game_id)[0].reason == "Bob ran out of time"


def test_a_player_who_arrives_does_not_get_in_the_way_of_a_move(
    database: str, browse: Browse
) -> None:
    """It was sent before the mover could know."""
    with running(database) as address:
        bob, ann, game_id = next_of_a_match(address, browse)
        before = bob.state(game_id)
        with ann.socket(game_id) as socket:
            arrived = receive(socket, "state")
        assert arrived["version"] == before["version"] + 1
        moved = ok(bob.move(before, before["legal"][0]))
        assert moved["version"] == arrived["version"] + 1
        refused(ann.move(before, moved["legal"][0]), 409, "stale")
        assert stored(database, game_id)[1] == ["arrive", "arrive", "move"]


def test_when_a_first_move_is_due_is_written(database: str, browse: Browse) -> None:
    """Where no process has the game in memory, it is found by that; nothing before both sit."""
    with running(database) as address:
        ann, bob = browse(address), browse(address)
        game_id = ann.create("grid-runner", clock={"minutes": 1})
        assert stored(database, game_id)[0].flag_falls is None
        bob.take_seat(game_id)
        assert stored(database, game_id)[0].flag_falls == pytest.approx(time.time() + 60, abs=30)
        alone = ann.create("grid-runner", opponent="same-screen", clock={"minutes": 0.25})
        assert stored(database, alone)[0].flag_falls == pytest.approx(time.time() + 30, abs=29)


def test_a_bot_is_not_timed(ann: Browser) -> None:
    """It may have to wait for its turn at a busy server."""
    game_id = ann.create(
        "grid-runner", opponent="bot", level="novice", seed=5, clock={"minutes": 1}
    )
    for _ in range(2):
        state = ann.state(game_id)
        while state["turn"] != 1 and state["status"] == "playing":
            state = ann.state(game_id)
        ok(ann.move(state, state["legal"][0]))
    assert ann.state(game_id)["clock"]["left"][1] == 60


def test_a_clock_has_a_sensible_time(ann: Browser) -> None:
    """Anything else is refused."""
    negative = {"minutes": 5, "increment": -1}
    for nonsense in ({"minutes": 0}, {"minutes": 1e9}, negative, {"increment": 2}, 5, "fast"):
        refused(ann.post("/games", game="grid-runner", clock=nonsense), 400, "bad-request")
