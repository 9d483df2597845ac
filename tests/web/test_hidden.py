"""Hidden values reach nobody: only they are changed, and every byte that goes out is compared."""

from __future__ import annotations

import json
import logging
import re
from contextlib import ExitStack

import pytest
import sqlalchemy as sa

from gridwise.web.storage.schema import events, games
from tests.sizes import sample

from .servers import (
    HIDDEN_BOARD,
    TIMEOUT,
    Browse,
    Browser,
    eventually,
    ok,
    receive,
    running,
    send,
    transaction,
)

# Two boards for the same game: alike where the moves below look, unlike everywhere else.
MOVES = ("C3", "D4")
SEEN = {
    "B2", "B3", "B4", "C2", "C3", "C4", "D2", "D3", "D4",  # around C3
    "C5", "D5", "E3", "E4", "E5",  # around D4
}  # fmt: skip
TRUE = HIDDEN_BOARD
OTHER = "/".join(
    "".join(
        value if f"{'ABCDE'[row]}{col + 1}" in SEEN else str(6 - int(value))
        for col, value in enumerate(line)
    )
    for row, line in enumerate(TRUE.split("/"))
)


# Alike where the third move looks, too.
THIRD, TURNED_UP = "B3", {"A2", "A3", "A4"}
LATER = "/".join(
    "".join(
        true if f"{'ABCDE'[row]}{col + 1}" in TURNED_UP else other
        for col, (true, other) in enumerate(zip(*lines, strict=True))
    )
    for row, lines in enumerate(zip(TRUE.split("/"), OTHER.split("/"), strict=True))
)


def change_board(database: str, board: str) -> None:
    """Deal other cells behind the server's back, to the only game; hints and later moves go."""
    with transaction(database) as connection:
        assert connection.execute(sa.update(games).values(board=board)).rowcount == 1
        later = sa.or_(events.c.kind == "hint", events.c.number > 1 + len(MOVES))
        connection.execute(sa.delete(events).where(later))


def everything(address: str, game_id: str, ann: Browser, bob: Browser) -> dict[str, bytes]:
    """All that can be got out of an unfinished game: pages, API, socket, by player and stranger."""
    answers: dict[str, bytes] = {}
    with Browser(address) as stranger:
        for name, who in (("ann", ann), ("bob", bob), ("stranger", stranger)):
            for path in (
                f"/api/games/{game_id}",
                f"/api/games/{game_id}/record",
                f"/api/games/{game_id}/picture.svg",
                f"/api/games/{game_id}/review",
                "/api/games?status=playing",
                f"/g/{game_id}",
                f"/g/{game_id}/back",
                f"/g/{game_id}/at/1",
                f"/g/{game_id}/at/1?tried=A1",
                f"/g/{game_id}/at/2/values",
                f"/g/{game_id}/at/2/line",
                f"/g/{game_id}/analysis?at=1",
                "/",
            ):
                response = who.http.get(path)
                answers[f"{name} {path}"] = str(response.status_code).encode() + response.content
            with who.socket(game_id) as socket:
                answers[f"{name} socket"] = str(socket.recv(timeout=TIMEOUT)).encode()
                for request in ("move", "takeback", "hint", "fly"):
                    send(socket, request, version=999, ref=request)
                    answers[f"{name} {request}"] = json.dumps(receive(socket, "refused")).encode()
            bad = who.post(f"/games/{game_id}/moves", move="C3", version=3, ref="x")
            answers[f"{name} bad move"] = bad.content
            answers[f"{name} values"] = who.http.post(f"/g/{game_id}/values").content
    return answers


@pytest.fixture
def game(database: str, browse: Browse) -> tuple[str, Browser, Browser]:
    """A Grid Conquest game with two moves made on the true board."""
    with running(database) as address:
        ann, bob = browse(address), browse(address)
        game_id = ann.create("grid-conquest", board=TRUE, first=1, listed=True)
        state = bob.take_seat(game_id)
        for ply, move in enumerate(MOVES):
            state = ok((ann, bob)[ply].move(state, move))
    assert {cell["name"] for cell in state["cells"] if not cell["hidden"]} == SEEN
    return game_id, ann, bob


def test_changing_hidden_values_changes_no_byte_that_goes_out(
    database: str,
    game: tuple[str, Browser, Browser],
    browse: Browse,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Not in a page, a message, a record, a refusal or the log."""
    caplog.set_level(logging.DEBUG)
    game_id, *people = game
    assert OTHER != TRUE
    sent, logged = [], []
    for board in (TRUE, OTHER):
        change_board(database, board)
        caplog.clear()
        with running(database) as address:
            answers = everything(address, game_id, *(browse(address, who) for who in people))
            for name, content in answers.items():
                answers[name] = content.replace(address.encode(), b"")
            sent.append(answers)
        logged.append(caplog.text)
    for name, content in sent[0].items():
        assert content == sent[1][name], name
    state = json.loads(sent[0][f"ann /api/games/{game_id}"][3:])
    assert state["board"] == "?????/?425?/?3453/?1523/??214"
    assert state["seed"] is None
    for board in (TRUE, OTHER):
        assert board not in "".join(logged)


def test_changing_hidden_values_changes_no_byte_of_a_change(
    database: str, game: tuple[str, Browser, Browser], browse: Browse
) -> None:
    """Neither of a move, which turns cells up, nor of an offer, for players and a spectator."""
    game_id, *people = game
    assert LATER != TRUE
    sent: list[list[str]] = []
    for board in (TRUE, LATER):
        change_board(database, board)
        with running(database) as address, ExitStack() as stack:
            seats = [browse(address, who) for who in (*people, None)]
            sockets = [stack.enter_context(seat.socket(game_id)) for seat in seats]
            version = max(receive(socket, "state")["version"] for socket in sockets)
            changes = []
            for by, kind, more in (
                (0, "takeback", {}), (1, "decline", {}), (0, "move", {"move": THIRD})
            ):  # fmt: skip
                send(sockets[by], kind, version=version, **more)
                version += 1
                changes += [json.dumps(receive(socket, "change")) for socket in sockets]
            sent.append(changes)
    assert sent[0] == sent[1]
    assert all(cell in sent[0][-1] for cell in (THIRD, *TURNED_UP))


def test_hints_and_bots_know_no_more_than_the_players(database: str, browse: Browse) -> None:
    """The same hint and reasons, word for word, whatever lies face down; so with the values."""
    texts, valued = [], []
    with running(database, idle=0.02, unload_interval=0.02) as address:
        ann = browse(address)
        game_id = ann.create("grid-conquest", opponent="same-screen", board=TRUE, first=1)
        for move in MOVES:
            ok(ann.move(ann.state(game_id), move))
        for board in (TRUE, OTHER):
            eventually(lambda: ok(ann.http.get("/health"))["live"] == 0, "it is not let go")
            change_board(database, board)
            with ann.socket(game_id) as socket:  # so it is not let go meanwhile
                hint = ok(ann.request("hint", receive(socket, "state")))
                values = ok(ann.http.post(f"/g/{game_id}/values"))["values"]
            # How many games a second can be sampled is the machine's affair, so not the figures.
            texts.append(re.sub(r"(, give or take )?\d+ %", "", " ".join(hint["steps"])))
            valued.append(list(values))
    assert texts[0] == texts[1]
    assert valued[0] == valued[1]
    assert len(valued[0]) == 25 - len(MOVES)


def test_what_is_turned_down_again_is_dealt_anew(ann: Browser, bob: Browser) -> None:
    """After a take-back, having looked does not help: the values are drawn again."""
    drawn = set()
    for _ in range(sample(6, long=12)):
        state = ann.state(ann.create("grid-conquest", opponent="same-screen", board=TRUE, first=1))
        state = ok(ann.request("takeback", ok(ann.move(state, "C3"))))
        assert state["board"] == "/".join(["?????"] * 5)
        state = ok(ann.move(state, "C3"))
        drawn.add(state["board"])
    assert len(drawn) > 1


def test_once_it_is_over_everything_is_shown(ann: Browser) -> None:
    """The finished record has the whole board."""
    state = ann.state(ann.create("grid-conquest", opponent="same-screen", board=TRUE, first=1))
    state = ok(ann.request("resign", ok(ann.move(state, "C3"))))
    assert state["board"] == TRUE
    assert TRUE in ann.http.get(f"/api/games/{state['id']}/record").text


def test_the_seed_would_give_the_board_away_so_it_is_not_sent(ann: Browser) -> None:
    """Neither in the state nor in the record, before the game is over."""
    game_id = ann.create("grid-conquest", opponent="same-screen", seed=123456789)
    texts = [
        ann.http.get(f"/api/games/{game_id}{path}").text for path in ("", "/record", "/picture.svg")
    ]
    assert not any("123456789" in text for text in texts)


def test_nobody_chooses_what_is_face_down_for_a_friend(ann: Browser, bob: Browser) -> None:
    """A seed would tell; it is refused against a friend, and a chosen board is said to be one."""
    refused = ann.post("/games", game="grid-conquest", opponent="link", seed=7)
    assert refused.status_code == 400
    assert "seed" in refused.json()["error"]["message"]
    assert ann.create("grid-conquest", opponent="bot", seed=7)
    chosen, dealt = ann.create("grid-conquest", board=TRUE), ann.create("grid-conquest")
    warning = "may know the face-down numbers"
    assert warning in bob.http.get(f"/g/{chosen}").text
    assert warning not in bob.http.get(f"/g/{dealt}").text
