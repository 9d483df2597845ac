"""The rules of a shared game, over HTTP: whose turn, which version, what is agreed."""

from __future__ import annotations

import random
from typing import Any

import pytest

from gridwise.play.records import parse_record
from gridwise.web.http.messages import GameState

from .servers import GAMES, RUN_BOARD, Browse, Browser, Json, ok, receive, refused, same_deal

CONNECT_BOARD = "4152/6371/2845/9162"


def two_at(ann: Browser, bob: Browser, game: str = "number-run", **options: Json) -> dict[str, Any]:
    """A game in which Ann is Player 1 and Bob Player 2."""
    return bob.take_seat(ann.create(game, name="Ann", **options), "Bob")


@pytest.mark.parametrize("game", GAMES)
def test_two_people_play_a_game_to_its_end(ann: Browser, bob: Browser, game: str) -> None:
    """Every state on the way is what the documents send, and the record of the game is legal."""
    state, rng = two_at(ann, bob, game, **same_deal(game)), random.Random(game)
    while state["status"] != "over":
        mover = (ann, bob)[state["turn"] - 1]
        if len(state["moves"]) < 60:
            state = ok(mover.move(state, rng.choice(state["legal"])))
        else:  # it may go on for ever
            state = ok(mover.request("stop", state))
            state = ok((ann, bob)[state["turn"] - 2].request("stop", state))
        GameState.model_validate(state)
    record = parse_record(ann.http.get(f"/api/games/{state['id']}/record").text)
    assert list(record.moves) == [each["move"] for each in state["moves"]]
    assert {"1-0": "p1", "0-1": "p2", "1/2-1/2": "draw", "*": None}[record.result] == state[
        "result"
    ]


def test_a_stale_move_changes_nothing_and_gets_the_present_state(
    ann: Browser, bob: Browser
) -> None:
    """A move carries the version it was made on."""
    before = two_at(ann, bob, board=RUN_BOARD)
    now = ok(ann.move(before, "0,1"))
    response = bob.move(before, "3,4")
    refused(response, 409, "stale")
    current = response.json()["state"]
    assert current["version"] == now["version"]
    assert [each["move"] for each in current["moves"]] == ["0,1"]
    assert current["you"] == [2]
    assert current == bob.state(now["id"])


def test_a_bad_move_changes_nothing_and_says_what_is_possible(ann: Browser, bob: Browser) -> None:
    """The message names the legal moves; Player 2 cannot move for Player 1."""
    state = two_at(ann, bob, board=RUN_BOARD)
    for move, kind in (("2,2", "illegal-move"), ("nonsense", "unreadable-move")):
        assert "Possible: 0,1 1,0" in refused(ann.move(state, move), 400, kind)
    refused(bob.move(state, "0,1"), 409, "out-of-turn")
    assert ann.state(state["id"])["version"] == state["version"]


def test_a_game_that_nobody_has_joined_waits_and_can_be_called_off(
    ann: Browser, bob: Browser
) -> None:
    """Nobody moves in it, nobody has lost it, and nobody can join it any more."""
    game_id = ann.create("number-run", listed=True)
    state = ann.state(game_id)
    assert (state["status"], state["turn"]) == ("waiting", 0)
    refused(ann.move(state, "0,1"), 409, "conflict")
    over = ok(ann.request("resign", state))
    assert (over["status"], over["result"]) == ("over", None)
    assert over["reason"] == "cancelled before it began"
    refused(bob.post(f"/games/{game_id}/seats"), 409, "conflict")


def test_a_seat_is_taken_once(ann: Browser, bob: Browser, browse: Browse, address: str) -> None:
    """Neither by a third person nor by one who sits there already."""
    game_id = ann.create("grid-runner")
    refused(ann.post(f"/games/{game_id}/seats"), 409, "conflict")
    bob.take_seat(game_id)
    refused(browse(address).post(f"/games/{game_id}/seats"), 409, "conflict")


def test_a_stranger_cannot_act(ann: Browser, bob: Browser, browse: Browse, address: str) -> None:
    """Without a cookie, with a made-up one, or with that of another game's player."""
    state = two_at(ann, bob, "grid-runner")
    other, player, made_up = browse(address), browse(address), browse(address)
    player.create("grid-runner")  # has a cookie now, for another game
    made_up.http.cookies.set("gridwise", "A" * 43)
    for who in (other, player, made_up):
        for kind in ("resign", "takeback", "stop", "decline", "hint", "rematch"):
            refused(who.request(kind, state), 403, "not-yours")
        refused(who.move(state, "down"), 403, "not-yours")
    assert ann.state(state["id"])["version"] == state["version"]
    assert other.state(state["id"])["you"] == []


def test_resigning_ends_the_game(ann: Browser, bob: Browser) -> None:
    """The player who resigns loses, on either player's turn."""
    state = ok(bob.request("resign", two_at(ann, bob)))
    assert (state["result"], state["reason"]) == ("p1", "Bob resigned")
    assert state["termination"] == "resignation"
    refused(ann.move(state, "0,1"), 409, "out-of-turn")


def test_taking_back_needs_the_other(ann: Browser, bob: Browser) -> None:
    """It is asked for, then agreed to; the asker is on move again, also after the answer."""
    state = two_at(ann, bob, board=RUN_BOARD)
    for answers in ([], ["3,4"]):
        state = ok(ann.move(state, "0,1"))
        for move in answers:
            state = ok(bob.move(state, move))
        asked = ok(ann.request("takeback", state))
        assert asked["offers"]["takeback"] == 1
        assert asked["moves"] == state["moves"]
        refused(ann.request("takeback", asked), 409, "conflict")
        state = ok(bob.request("takeback", asked))
        assert (state["moves"], state["turn"], state["offers"]["takeback"]) == ([], 1, 0)


def test_a_wish_can_be_declined_or_passed_over(ann: Browser, bob: Browser) -> None:
    """Saying no, or moving on, leaves the game as it is."""
    state = ok(ann.move(two_at(ann, bob, board=RUN_BOARD), "0,1"))
    state = ok(bob.request("decline", ok(ann.request("takeback", state))))
    assert state["offers"] == {"takeback": 0, "stop": 0, "rematch": 0}
    state = ok(bob.move(ok(ann.request("takeback", state)), "3,4"))
    assert state["offers"]["takeback"] == 0
    assert len(state["moves"]) == 2
    refused(bob.request("decline", state), 409, "conflict")


def test_endless_games_can_be_stopped_by_agreement(ann: Browser, bob: Browser) -> None:
    """Without a result; games that always end cannot."""
    state = ok(ann.request("stop", two_at(ann, bob, "grid-runner")))
    assert (state["offers"]["stop"], state["status"]) == (1, "playing")
    state = ok(bob.request("stop", state))
    assert (state["status"], state["result"]) == ("over", None)
    assert state["reason"] == "stopped by agreement"
    refused(ann.request("stop", two_at(ann, bob)), 409, "conflict")


def test_a_rematch_swaps_sides(ann: Browser, bob: Browser) -> None:
    """Both have to ask, and have their seats in it; asking again leads to the same game."""
    state = two_at(ann, bob)
    refused(ann.request("rematch", state), 409, "conflict")
    over = ok(ann.request("resign", state))
    assert ok(bob.request("rematch", over)) == {"id": None, "url": None}
    asked = ann.state(over["id"])
    assert (asked["offers"]["rematch"], asked["rematch"]) == (2, None)
    new = ok(ann.request("rematch", over))["id"]  # on the version before she was asked
    assert ok(bob.request("rematch", over))["id"] == new
    assert ann.state(over["id"])["rematch"] == new
    assert (ann.state(new)["you"], bob.state(new)["you"]) == ([2], [1])
    assert [each["name"] for each in ann.state(new)["players"]] == ["Bob", "Ann"]


def test_a_hint_is_marked(ann: Browser, bob: Browser) -> None:
    """In the move list and in the record; between two people there are none."""
    refused(ann.request("hint", two_at(ann, bob, board=RUN_BOARD)), 409, "conflict")
    state = ann.state(ann.create("number-run", opponent="same-screen", board=RUN_BOARD))
    refused(bob.request("hint", state), 403, "not-yours")
    hint = ok(ann.request("hint", state))
    assert hint["move"] in state["legal"]
    assert hint["move"] in hint["text"]
    state = ok(ann.move(ann.state(state["id"]), hint["move"]))
    state = ok(ann.move(state, state["legal"][0]))
    assert [each["hinted"] for each in state["moves"]] == [True, False]
    assert '[Hints "1"]' in bob.http.get(f"/api/games/{state['id']}/record").text


def test_a_ref_that_was_used_for_something_else_is_refused_and_nobody_is_thrown_out(
    ann: Browser, bob: Browser
) -> None:
    """A hint and a rematch are answered twice, but only for the same request."""
    alone = ann.create("grid-runner", opponent="same-screen")
    first = ok(ann.request("hint", ann.state(alone), ref="one"))
    assert ok(ann.request("hint", ann.state(alone), ref="one")) == first
    for move in ("down", "up"):
        ok(ann.move(ann.state(alone), move, ref=f"my-{move}"))
    for used in ("one", "my-down"):
        refused(ann.request("hint", ann.state(alone), ref=used), 409, "conflict")
    game_id = ann.create("grid-runner")
    bob.take_seat(game_id)
    with bob.socket(game_id) as socket:
        receive(socket, "state")
        ok(ann.request("resign", ann.state(game_id), ref="enough"))
        refused(ann.request("rematch", ann.state(game_id), ref="enough"), 409, "conflict")
        state = receive(socket, "state", status="over")
        assert state["rematch"] is None
        asked = ok(ann.request("rematch", state, ref="again"))
        assert ok(ann.request("rematch", state, ref="again")) == asked == {"id": None, "url": None}
        made = ok(bob.request("rematch", state, ref="yes"))
        assert ok(bob.request("rematch", state, ref="yes")) == made
        assert receive(socket, "state", status="over", rematch=made["id"])


def test_a_challenge_is_asked_in_place(ann: Browser, bob: Browser) -> None:
    """A cell with two moves comes with its question, and each answer is a legal move."""
    state = two_at(ann, bob, board=RUN_BOARD)
    for ply, move in enumerate(["0,1", "4,3", "1,1", "3,3", "1,2", "2,3"]):
        state = ok((ann, bob)[ply % 2].move(state, move))
    # (1,2) and (2,3) are not neighbours; a step to (2,2) or to (1,3) brings the tokens together.
    assert {each["cell"] for each in state["questions"]} == {"2,2", "1,3"}
    question = next(each for each in state["questions"] if each["cell"] == "2,2")
    assert question["answers"] == {"yes": "2,2!", "no": "2,2"}
    assert set(question["answers"].values()) <= set(state["legal"])


def test_the_same_seed_deals_the_same_board(ann: Browser) -> None:
    """And the coin falls the same way."""
    states = [ann.state(ann.create("grid-conquest", seed=11, opponent="same-screen")) for _ in "ab"]
    over = [ok(ann.request("resign", state)) for state in states]
    assert over[0]["board"] == over[1]["board"]
    assert over[0]["first"] == over[1]["first"]
    assert over[0]["seed"] == "11"


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({"game": "chess"}, "unknown-game"),
        ({"game": "number-run", "board": "12/3"}, "bad-board"),
        ({"game": "number-run", "first": 2}, "bad-request"),
        ({"game": "number-run", "opponent": "bot", "level": "god"}, "bad-request"),
        ({"game": "number-run", "deal": "own"}, "bad-request"),
        ({"game": "number-maze", "handicap": True}, "bad-request"),
        ({"game": "number-run", "name": "x" * 31}, "bad-request"),
        ({"game": "number-run", "name": "a\x00b"}, "bad-request"),
        ({"game": "number-run", "nmae": "Ann"}, "bad-request"),
        ({}, "bad-request"),
    ],
)
def test_what_cannot_be_played_is_refused(ann: Browser, options: dict[str, Any], kind: str) -> None:
    """With one clear sentence."""
    refused(ann.post("/games", **options), 400, kind)


def test_a_finished_game_can_be_looked_back_at(ann: Browser, bob: Browser) -> None:
    """Move by move; one that goes on cannot. The picture is there at any time."""
    state = two_at(ann, bob, "number-maze", board="1324/2132/4213/3421")
    refused(ann.http.get(f"/api/games/{state['id']}/review"), 409, "conflict")
    for ply, move in enumerate(["right", "left", "down", "up"]):
        state = ok((ann, bob)[ply % 2].move(state, move))
    assert state["result"] == "p2"
    answer = ok(ann.http.get(f"/api/games/{state['id']}/review"))
    assert [each["move"] for each in answer["moves"]] == ["right", "left", "down", "up"]
    assert answer["curve"][-1] == 0.0  # Player 1 has lost
    assert "<svg" in ann.http.get(f"/api/games/{state['id']}/picture.svg").text


def test_a_position_is_weighed(ann: Browser) -> None:
    """Grid Runner is a win for Player 1 in 15 plies, and Player 1 can begin down or right."""
    answer = ok(ann.post("/positions", game="grid-runner"))
    assert (answer["value"], answer["distance"], answer["legal"]) == ("win", 15, ["down", "right"])
    assert "<svg" in answer["svg"]
    refused(ann.post("/positions", game="grid-runner", moves=["up"]), 400, "illegal-move")


WON = ["0,1", "3,4", "1,1", "3,3", "1,2", "2,3"]  # for Player 1: 2,2 wins in 5 plies, 1,3 in 9


def test_hint_review_and_analysis_name_the_same_best_move(ann: Browser) -> None:
    """The fastest win."""
    state = ann.state(ann.create("number-run", opponent="same-screen", board=RUN_BOARD))
    assert state["you"] == [1, 2]
    for move in WON:
        state = ok(ann.move(state, move))
    hint = ok(ann.request("hint", state))["move"]
    state = ok(ann.move(ann.state(state["id"]), "0,2"))
    ok(ann.request("resign", state))
    reviews = [f"/api/games/{state['id']}/review", f"/g/{state['id']}/review"]
    answers = [ok(ann.http.get(path)) for path in reviews]
    while not answers[1].get("ready"):  # the page's script asks again, too
        answers[1] = ok(ann.http.get(reviews[1]))
    options = ok(ann.post("/positions", game="number-run", board=RUN_BOARD, moves=WON))["options"]
    wins = [each for each in options if each["value"] == "win"]
    fastest = min(wins, key=lambda each: int(each["distance"]))
    assert fastest["distance"] == 5
    _, on_page = answers[1]["moves"][6]["arrows"]["best"]
    assert [hint, answers[0]["moves"][6]["best"], on_page] == [fastest["move"]] * 3
    assert fastest["move"] == "2,2"


def test_a_board_that_is_lost_before_the_first_move_is_over(ann: Browser, bob: Browser) -> None:
    """A 4 under Player 1 in Number Maze: nobody need sit down, and it is in no list of games."""
    options = {"board": "4324/2132/4213/3421", "listed": True}
    game_id = ann.create("number-maze", **options)
    state = ann.state(game_id)
    assert (state["status"], state["result"], state["moves"]) == ("over", "p2", [])
    refused(bob.post(f"/games/{game_id}/seats"), 409, "conflict")
    listed = ok(ann.http.get("/api/games", params={"status": "recent"}))["games"]
    assert game_id in [each["id"] for each in listed]


def test_there_is_nothing_at_a_wrong_address(ann: Browser) -> None:
    """A link that was cut short says so."""
    refused(ann.http.get("/api/games/AAAAAAAAAAAA"), 404, "not-found")
    refused(ann.http.get("/api/games/short"), 400, "bad-request")
    assert ann.http.get("/health").json()["status"] == "ok"
