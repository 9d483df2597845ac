"""The socket of a game: who gets which message, and when."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

from gridwise.web.game.snapshot import FOR_PROGRAMS
from gridwise.web.http.messages import GameState

from .servers import (
    RUN_BOARD,
    TIMEOUT,
    Browse,
    Browser,
    receive,
    send,
    until_closed,
)


def test_everybody_hears_of_a_move(
    ann: Browser, bob: Browser, browse: Browse, address: str
) -> None:
    """Both players and a spectator, each with the seats they hold."""
    game_id = ann.create("number-run", board=RUN_BOARD)
    bob.take_seat(game_id)
    eve = browse(address)
    with ann.socket(game_id) as one, bob.socket(game_id) as two, eve.socket(game_id) as three:
        version = receive(one, "state")["version"]
        send(one, "move", move="0,1", version=version, ref="a")
        assert receive(one, "done", ref="a")["version"] == version + 1
        message = [receive(each, "state", version=version + 1) for each in (two, three)]
    assert [each["you"] for each in message] == [[2], []]
    for each in message:
        assert [move["move"] for move in each["moves"]] == ["0,1"]
        GameState.model_validate({name: value for name, value in each.items() if name != "type"})


def test_the_one_who_moves_hears_of_it_before_the_answer(ann: Browser) -> None:
    """So a program that waits for `done` has seen the new state."""
    game_id = ann.create("number-run", opponent="same-screen", board=RUN_BOARD)
    with ann.socket(game_id) as socket:
        version = receive(socket, "state")["version"]
        send(socket, "move", move="0,1", version=version)
        kinds = [json.loads(socket.recv(timeout=TIMEOUT)) for _ in range(2)]
    assert [each["type"] for each in kinds] == ["change", "done"]


def test_a_page_gets_pictures_and_a_program_data(ann: Browser) -> None:
    """Of the same cells, in the state and in the change; everything else is the same.

    Only the sentences call players without a name by colours on a page, by numbers elsewhere. A
    change has none of what stays as it is.
    """
    game_id = ann.create("number-run", opponent="same-screen", board=RUN_BOARD)
    with ann.socket(game_id) as program, ann.socket(game_id, query="picture=yes") as page:
        data, drawn = (json.loads(each.recv(timeout=TIMEOUT)) for each in (program, page))
        assert "svg" not in data
        assert "cells" not in drawn
        assert "takeback" not in drawn.pop("panel")["shown"]
        del data["cells"], drawn["svg"]
        assert data.pop("status_text") == "Player 1's turn."
        assert drawn.pop("status_text") == "Blue's turn."
        assert data == drawn
        send(program, "move", move="0,1", version=0)
        data, drawn = (receive(each, "change") for each in (program, page))
        assert data.pop("cells").keys() == {"0,0", "0,1"}
        redrawn = {name for _, *names in drawn.pop("svg_cells") for name in names}
        assert redrawn == {"0,0", "0,1"}
        assert "takeback" in drawn.pop("panel")["shown"]  # the panel is for pages alone
        assert data.pop("news") == ["Player 1 goes to 0,1 (+1), now 1."]
        assert drawn.pop("news") == ["Blue goes to 0,1 (+1), now 1."]
        assert drawn == {name: data[name] for name in data if name not in FOR_PROGRAMS}
        assert (data["from"], data["moves"]["keep"]) == (0, 0)
        assert not {"title", "rows", "board", "offers", "players", "svg"} & data.keys()


def test_a_spectator_does_not_count_themselves(ann: Browser, browse: Browse, address: str) -> None:
    """Nor twice for two tabs, if there is a cookie."""
    game_id = ann.create("grid-runner")
    cleo, dan = browse(address), browse(address)
    for each in (cleo, dan):
        each.create("grid-runner")  # for the cookie
    with cleo.socket(game_id) as one, cleo.socket(game_id):
        assert receive(one, "state")["spectators"] == 0
        with dan.socket(game_id) as two, ann.socket(game_id) as player:
            assert receive(two, "state")["spectators"] == 1
            assert receive(player, "state")["spectators"] == 2
            receive(one, "presence", spectators=1)


def test_who_is_there_is_shown(ann: Browser, bob: Browser, browse: Browse, address: str) -> None:
    """A player who leaves and one who comes back, and how many watch."""
    game_id = ann.create("grid-runner")
    bob.take_seat(game_id)
    with ann.socket(game_id) as socket:
        assert [each["present"] for each in receive(socket, "state")["players"]] == [True, False]
        with bob.socket(game_id):
            message = receive(socket, "presence", spectators=0)
            assert [each["present"] for each in message["players"]] == [True, True]
            with browse(address).socket(game_id):
                receive(socket, "presence", spectators=1)
            receive(socket, "presence", spectators=0)
        message = receive(socket, "presence")
        assert [each["present"] for each in message["players"]] == [True, False]


def test_a_spectator_who_sits_down_is_a_player(ann: Browser, bob: Browser) -> None:
    """Without having to connect again, if there was a cookie."""
    bob.create("grid-runner")  # for the cookie
    game_id = ann.create("grid-runner")
    with bob.socket(game_id) as socket:
        assert receive(socket, "state")["you"] == []
        bob.take_seat(game_id)
        assert receive(socket, "state", status="playing")["you"] == [2]


def test_a_bot_answers_by_itself(ann: Browser) -> None:
    """It is an ordinary seat: it is there, and its move is an event like any other."""
    game_id = ann.create("number-connect", opponent="bot", level="novice", side=2, seed=3)
    with ann.socket(game_id) as socket:
        state = receive(socket, "state", turn=2)
        seat = {"seat": 1, "kind": "bot", "name": "", "level": "novice", "present": True}
        assert state["players"][0] | {"name": ""} == seat
        while state["status"] != "over":
            send(socket, "move", move=state["legal"][0], version=state["version"])
            while True:
                state = receive(socket, "state")
                if state["turn"] in (0, 2):
                    break


def test_against_a_bot_a_move_is_taken_back_at_once(ann: Browser) -> None:
    """Back to the asker's own turn, with the bot's answer gone too."""
    game_id = ann.create("number-run", opponent="bot", level="random", board=RUN_BOARD)
    with ann.socket(game_id) as socket:
        send(socket, "move", move="0,1", version=receive(socket, "state")["version"])
        state = receive(socket, "state", turn=1, version=2)
        assert len(state["moves"]) == 2
        send(socket, "takeback", version=2)
        state = receive(socket, "state", version=3)
        assert (state["moves"], state["turn"]) == ([], 1)


def test_a_hint_is_for_the_asker_alone(ann: Browser, bob: Browser) -> None:
    """The others are told that there was one."""
    game_id = ann.create("number-run", opponent="same-screen", board=RUN_BOARD)
    with ann.socket(game_id) as one, bob.socket(game_id) as two:
        version = receive(one, "state")["version"]
        send(one, "hint", version=version, ref="h")
        hint = receive(one, "hint", ref="h")
        assert hint["move"] in ("0,1", "1,0")
        message = receive(two, "state", version=version + 1)
        assert "hint" in " ".join(message["news"])
        assert hint["text"] not in json.dumps(message)
        send(two, "ping")
        receive(two, "pong")


MISTAKES = [
    ("", "bad-request"),
    ("no json", "bad-request"),
    ("[1, 2]", "bad-request"),
    ('{"type": "fly"}', "bad-request"),
    ('{"type": "move"}', "bad-request"),
    ('{"type": "move", "move": "0,1", "version": "x"}', "bad-request"),
    ('{"type": "move", "move": "0,1", "version": 99}', "stale"),
    ('{"type": "move", "move": "4,4", "version": 0}', "illegal-move"),
    ('{"type": "move", "move": "\\ud800", "version": 0, "ref": "\\ud800"}', "bad-request"),
    ('{"type": "stop", "version": 0}', "conflict"),
    ("[" * 3000, "bad-request"),
]


def test_what_cannot_be_done_is_refused_and_the_socket_stays(ann: Browser) -> None:
    """Each mistake gets an answer, and the next message is answered as well."""
    game_id = ann.create("number-run", opponent="same-screen", board=RUN_BOARD)
    with ann.socket(game_id) as socket:
        receive(socket, "state")
        for message, kind in MISTAKES:
            socket.send(message)
            answer = receive(socket, "refused")
            assert answer["kind"] == kind, message
            assert answer["message"]
            assert "state" not in answer  # whoever is connected has it
            send(socket, "ping")
            receive(socket, "pong")
    assert ann.state(game_id)["version"] == 0


def test_a_duplicate_gets_the_present_state(ann: Browser) -> None:
    """And changes nothing."""
    game_id = ann.create("number-run", opponent="same-screen", board=RUN_BOARD)
    with ann.socket(game_id) as socket:
        receive(socket, "state")
        for _ in "ab":
            send(socket, "move", move="0,1", version=0, ref="same")
            assert receive(socket, "state")["version"] == 1
            receive(socket, "done", version=1)


def test_there_is_no_socket_for_no_game(ann: Browser) -> None:
    """It is closed with the reason."""
    with ann.socket("A" * 12) as socket:
        code, reason = until_closed(socket)
    assert (code, "no such game" in reason) == (4404, True)


def test_of_clients_that_race_for_a_turn_exactly_one_counts(
    ann: Browser, address: str, browse: Browse
) -> None:
    """Two sockets and two requests, all with a legal move on the same version, many times."""
    state, again = (
        ann.state(ann.create("grid-runner", opponent="same-screen")),
        browse(address, ann),
    )
    refs = ["a", "b", "c", "d"]
    with (
        ann.socket(state["id"]) as one,
        again.socket(state["id"]) as two,
        ThreadPoolExecutor(2) as pool,
    ):
        for number in range(40):
            moves = [
                {"move": state["legal"][0], "version": number, "ref": f"{number}{ref}"}
                for ref in refs
            ]
            for socket, move in zip((one, two), moves, strict=False):
                send(socket, "move", **move)
            asked = pool.map(
                lambda who, move: who.post(f"/games/{state['id']}/moves", **move),  # noqa: B023
                (ann, again),
                moves[2:],
            )
            counted = [answer.is_success for answer in asked]
            for socket, move in zip((one, two), moves, strict=False):
                answer = json.loads(socket.recv(TIMEOUT))
                while answer.get("ref") != move["ref"]:
                    answer = json.loads(socket.recv(TIMEOUT))
                counted.append(answer["type"] == "done")
            state = ann.state(state["id"])
            assert counted.count(True) == 1
            assert state["version"] == number + 1
