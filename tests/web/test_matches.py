"""Matches of several games with sides swapped, and rematches that both agree to."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from typing import Any

import pytest

from gridwise.web.game.event_sourced_game import EventSourcedGame
from gridwise.web.game.new_game import new_rematch, rematch_setup
from gridwise.web.workers.questions import dealt

from .servers import Browser, Json, ok, receive, refused, send
from .stored import dealt_game


def start(ann: Browser, bob: Browser, **options: Json) -> dict[str, Any]:
    """A game of Ann against Bob."""
    return bob.take_seat(ann.create("grid-runner", name="Ann", **options), "Bob")


def lose(loser: Browser, game_id: str) -> dict[str, Any]:
    """Somebody resigns; the game as it is then."""
    return ok(loser.request("resign", loser.state(game_id)))


def series(best_of: int, wins: tuple[float, float], game: int, *, over: bool) -> dict[str, Any]:
    """What a state says of a match."""
    leader = 0 if wins[0] == wins[1] else 1 + (wins[1] > wins[0])
    return {
        "best_of": best_of, "wins": list(wins), "game": game, "over": over, "leader": leader,
    }  # fmt: skip


def test_a_match_of_three_is_over_after_two_wins(ann: Browser, bob: Browser) -> None:
    """The score goes with the player, not with the side; then both agree to another match."""
    state = start(ann, bob, best_of=3)
    assert state["series"] == series(3, (0, 0), 1, over=False)
    over = lose(bob, state["id"])
    assert over["series"] == series(3, (1, 0), 1, over=False)
    second = ok(bob.request("rematch", over))["id"]  # at once: the match was agreed on
    state = ann.state(second)
    assert (state["you"], state["series"]) == ([2], series(3, (0, 1), 2, over=False))
    assert ok(ann.request("rematch", ann.state(over["id"])))["id"] == second
    over = lose(bob, second)
    assert over["series"] == series(3, (0, 2), 2, over=True)
    assert ok(ann.request("rematch", over))["id"] is None
    third = ok(bob.request("rematch", bob.state(second)))["id"]
    assert ann.state(third)["series"] == series(3, (0, 0), 1, over=False)
    record = ann.http.get(f"/api/games/{second}/record").text
    assert '[BestOf "3"]\n[Round "2"]\n[Score "0-1"]' in record


def test_nobody_wins_a_stopped_game_of_a_match(ann: Browser, bob: Browser) -> None:
    """It counts for nobody, and the match goes on with the same game, sides swapped."""
    state = bob.take_seat(ann.create("grid-runner", best_of=5, seed=5))
    over = ok(bob.request("stop", ok(ann.request("stop", state))))
    assert over["series"] == series(5, (0, 0), 1, over=False)
    again = ann.state(ok(ann.request("rematch", over))["id"])
    assert (again["you"], again["series"]) == ([2], series(5, (0, 0), 1, over=False))


def test_stopping_games_against_a_bot_wins_nothing(ann: Browser) -> None:
    """Otherwise who leads would stop the rest of the match."""
    game_id = ann.create("grid-runner", opponent="bot", level="novice", best_of=3)
    for _ in range(3):
        over = ann.state(game_id)
        while over["status"] != "over":  # the bot may move at this moment
            ann.request("stop", over)
            over = ann.state(game_id)
        assert over["series"] == series(3, (0, 0), 1, over=False)
        game_id = ok(ann.request("rematch", over))["id"]


@pytest.mark.parametrize("opponent", ["bot", "same-screen"])
def test_one_who_decides_alone_has_a_rematch_at_once(ann: Browser, opponent: str) -> None:
    """Nobody else is to be asked; the clock and the length of the match are the same."""
    clock = {"minutes": 5, "increment": 2}
    game_id = ann.create("grid-runner", opponent=opponent, level="novice", best_of=3, clock=clock)
    over = lose(ann, game_id)
    state = ann.state(ok(ann.request("rematch", over))["id"])
    assert (state["clock"]["left"], state["clock"]["increment"]) == ([300, 300], 2)
    assert (state["series"]["best_of"], state["series"]["game"]) == (3, 2)


def test_a_rematch_is_an_offer_that_is_seen(ann: Browser, bob: Browser) -> None:
    """And can be declined, withdrawn and made again."""
    state = start(ann, bob)
    over = lose(ann, state["id"])
    with ann.socket(over["id"]) as at_ann, bob.socket(over["id"]) as at_bob:
        receive(at_ann, "state")
        receive(at_bob, "state")
        send(at_bob, "rematch", version=over["version"], ref="r")
        asked = receive(at_ann, "state", offers={"takeback": 0, "stop": 0, "rematch": 2})
        assert asked["news"] == ["Bob offers a rematch."]
        refused(bob.request("rematch", asked), 409, "conflict")  # twice
        no = ok(ann.request("decline", asked))
        assert (no["offers"]["rematch"], no["news"]) == (0, ["You declined the rematch."])
        refused(ann.request("decline", no), 409, "out-of-turn")
        asked = ok(bob.http.get(f"/api/games/{over['id']}"))
        assert ok(ann.request("rematch", no))["id"] is None
        withdrawn = ok(ann.request("decline", ann.state(over["id"])))
        assert withdrawn["offers"]["rematch"] == 0
        assert ok(bob.request("rematch", withdrawn))["id"] is None
        made = ok(ann.request("rematch", bob.state(over["id"])))["id"]
        assert made
        assert receive(at_bob, "state", rematch=made)["offers"]["rematch"] == 0


def test_a_game_that_was_called_off_has_no_rematch(ann: Browser) -> None:
    """There is nobody to play it with."""
    state = ann.state(ann.create("grid-runner", best_of=3))
    over = ok(ann.request("resign", state))
    assert (over["status"], over["series"]["wins"]) == ("over", [0, 0])
    said = refused(ann.request("rematch", over), 409, "conflict")
    assert said == "Nobody joined this game. Start a new one instead."


def test_both_sides_are_two_games_on_one_board(ann: Browser, bob: Browser) -> None:
    """Each has won one; whoever needed fewer moves for it wins the match."""
    game_id = ann.create("number-run", name="Ann", best_of=2)
    state = bob.take_seat(game_id, "Bob")
    for player, move in ((ann, "0,1"), (bob, "3,4"), (ann, "1,1"), (bob, "2,4")):
        state = ok(player.move(state, move))
    over = lose(bob, game_id)
    second = ok(bob.request("rematch", over))["id"]
    state = ann.state(second)
    assert state["board"] == over["board"]
    assert state["news"] == [
        "Game 2 of 2: the same board, sides swap, you are Red now and begin second."
    ]
    assert bob.state(second)["news"][0].endswith("you are Blue now and begin.")
    assert state["series"]["won_in"] == [0, 2]
    state = ok(bob.move(bob.state(second), "0,1"))
    over = lose(ann, second)
    assert over["series"] == {
        **series(2, (1, 1), 2, over=True),
        "leader": 1,
        "won_in": [1, 2],
    }
    page = unescape(ann.page(f"/g/{second}"))
    assert "Bob wins the match 1 : 1, in 1 move against 2" in re.sub("[\u2068\u2069]", "", page)
    new = ann.state(
        ok(bob.request("rematch", over))["id"] or ok(ann.request("rematch", over))["id"]
    )
    assert new["board"] != over["board"]


def test_nobody_is_told_how_to_win_the_other_side(ann: Browser) -> None:
    """What the moves were worth is shown when both games on the board are over, and not before."""
    first = ann.create("number-run", opponent="same-screen", best_of=2)
    ok(ann.move(ann.state(first), ann.state(first)["legal"][0]))
    over = lose(ann, first)
    answers = ("at/0/values", "at/0/line", "at/0?tried=0,1", "review", "analysis")
    telling = [f"/g/{first}/{answer}" for answer in answers] + [f"/api/games/{first}/review"]

    def assert_nothing_is_told() -> None:
        for path in telling:
            assert refused(ann.http.get(path), 409, "conflict").endswith("has been played, too.")
        page = ann.page(f"/g/{first}/back?comments=yes")
        assert "when the other side has been played, too" in page
        assert 'id="values"' not in page
        assert 'id="see-why" data-part hidden' in ann.page(f"/g/{first}")

    assert_nothing_is_told()
    second = ok(ann.request("rematch", over))["id"]
    assert_nothing_is_told()
    lose(ann, second)
    for path in telling:
        assert ann.http.get(path).status_code in (200, 303), path
    assert 'id="values"' in ann.page(f"/g/{first}/back")


def test_a_stopped_game_of_both_sides_can_be_looked_at(ann: Browser) -> None:
    """No other side of its board will be played: the match begins anew."""
    game_id = ann.create("grid-runner", opponent="same-screen", best_of=2)
    ok(ann.move(ann.state(game_id), "right"))
    ok(ann.request("stop", ann.state(game_id)))
    assert ann.http.get(f"/g/{game_id}/at/0/values").status_code == 200
    assert 'id="values"' in ann.page(f"/g/{game_id}/back")


def test_both_sides_begin_anew_after_a_game_that_was_stopped(ann: Browser) -> None:
    """The second game alone, with sides swapped again, would be the better side twice.

    The new match counts for the ladder as the first one did, also on the one board of Grid Runner.
    """
    game_id = ann.create("grid-runner", opponent="same-screen", best_of=2)
    second = ok(ann.request("rematch", lose(ann, game_id)))["id"]
    over = ok(ann.request("stop", ann.state(second)))
    assert over["series"]["wins"] == [0, 0]
    third = ann.state(ok(ann.request("rematch", over))["id"])
    assert (third["series"]["game"], third["series"]["wins"]) == (1, [0, 0])
    game_id = ann.create("grid-runner", opponent="bot", level="novice", best_of=2)
    while (over := ann.state(game_id))["status"] != "over":  # the bot may move at this moment
        ann.request("stop", over)
    again = ann.state(ok(ann.request("rematch", over))["id"])
    assert (over["terms"], again["terms"]) == ("both sides", "both sides")


@pytest.mark.parametrize("opponent", ["bot", "same-screen"])
def test_chance_decides_the_sides_of_the_last_game(opponent: str) -> None:
    """Not where one person has both: nobody could tell who is who."""
    session = EventSourcedGame(
        *dealt_game({"game": "grid-runner", "opponent": opponent, "best_of": 3}, "ann")
    )
    session.setup = replace(session.setup, round=2, halves_one=2)
    session.match.resign(1)
    made = [new_rematch(session, dealt(rematch_setup(session)), 0.0) for _ in range(40)]
    kinds = {tuple(seat.kind for seat in seats) for _, seats in made}
    halves = {(setup.halves_one, setup.halves_two) for setup, _ in made}
    assert halves == {(2, 2)}
    assert all([seat.number for seat in seats] == [1, 2] for _, seats in made)
    both = {("human", "bot"), ("bot", "human")}
    assert kinds == (both if opponent == "bot" else {("human", "human")})


def test_a_match_has_one_three_five_or_seven_games(ann: Browser) -> None:
    """Or two, which are both sides of a board, and nothing else."""
    refused(ann.post("/games", game="grid-conquest", best_of=2), 400, "bad-request")
    for nonsense in (0, 4, 9, "many"):
        refused(ann.post("/games", game="grid-runner", best_of=nonsense), 400, "bad-request")
    assert ann.state(ann.create("grid-runner"))["series"] is None


def test_emotes_reach_everybody_who_is_connected(ann: Browser, bob: Browser) -> None:
    """From a short list, one every three seconds, and only those of players."""
    state = start(ann, bob)
    with ann.socket(state["id"]) as at_ann, bob.socket(state["id"]) as at_bob:
        receive(at_ann, "state")
        receive(at_bob, "state")
        send(at_ann, "emote", emote="good-luck")
        message = receive(at_bob, "emote")
        assert message == {"type": "emote", "player": 1, "emote": "good-luck"}
        send(at_ann, "emote", emote="wave")
        assert receive(at_ann, "refused")["kind"] == "too-many"
        send(at_bob, "emote", emote="you are slow")
        assert "wave" in receive(at_bob, "refused")["message"]
        send(at_bob, "emote", emote="thanks")
        assert receive(at_ann, "emote", player=2)["emote"] == "thanks"
    watching = Browser(ann.address)
    with watching, watching.socket(state["id"]) as socket:
        send(socket, "emote", emote="wave")
        assert receive(socket, "refused")["kind"] == "not-yours"
    assert ann.state(state["id"])["version"] == state["version"]  # nothing is stored
