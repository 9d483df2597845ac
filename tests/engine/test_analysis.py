"""The shape of an answer: what `search` adds, and what it leaves alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

import gridwise
from gridwise.engine.analysis import analyze_line
from gridwise.engine.evaluation import Limits

RUN = "31425/25134/42513/14252/53142"


def asked(request: dict[str, Any]) -> dict[str, Any]:
    """The answer to a line of a batch."""
    told: dict[str, Any] = json.loads(analyze_line(json.dumps(request).encode()))
    return told


def test_search_is_the_default() -> None:
    """A request without `search` is searched, as is one with `search` true."""
    found = asked({"game": "number-run", "board": RUN})
    assert found == asked({"game": "number-run", "board": RUN, "search": True})
    assert found == gridwise.analyze("number-run", RUN)
    assert (found["value"], found["distance"], found["win"]) == ("win", 11, None)
    assert found["exact"] is True
    assert found["options"] == [
        {"move": "0,1", "value": "win", "distance": 15, "win": None},
        {"move": "1,0", "value": "win", "distance": 11, "win": None},
    ]


@pytest.mark.parametrize("game", [game.key for game in gridwise.games()])
def test_without_search_a_position_is_only_described(game: str) -> None:
    """`search` false leaves values null and options empty."""
    board = gridwise.game(game).example_board
    found = gridwise.analyze(game, board, search=False)
    assert found == asked({"game": game, "board": board, "search": False})
    assert found["legal"]
    assert [found[key] for key in ("value", "distance", "win")] == [None, None, None]
    assert (found["exact"], found["options"]) == (False, [])


@pytest.mark.parametrize(
    ("game", "board", "moves"),
    [
        ("number-run", RUN, "0,1 3,4 1,1"),
        ("number-maze", "1324/2132/4213/3421", "right"),
        ("grid-runner", None, "right"),
        ("number-connect", "4152/6371/2845/9162", "0,0 0,3"),
    ],
)
def test_options_are_the_legal_moves_in_order(game: str, board: str | None, moves: str) -> None:
    """There is one option for each legal move, in the same order."""
    found = gridwise.analyze(game, board, moves=moves.split())
    assert [option["move"] for option in found["options"]] == found["legal"]
    assert all(set(o) == {"move", "value", "distance", "win"} for o in found["options"])


def test_a_target_changes_who_wins() -> None:
    """Whoever needs 4 points takes the 4 at once; whoever needs 5 cannot."""
    board = "41/11"
    near = gridwise.analyze("number-connect", board, target=4)
    assert (near["value"], near["distance"]) == ("win", 1)
    far = gridwise.analyze("number-connect", board, target=5, moves=["0,0"])
    assert far["result"] is None
    assert far["scores"] == [4, 0]


def test_a_handicap_is_points_for_player_2() -> None:
    """Number Run has one, and the scores begin with it; a game without one says so."""
    found = gridwise.analyze("number-run", RUN, handicap=7, search=False)
    assert found["scores"] == [0, 7]
    refused = asked({"game": "number-connect", "board": "41/11", "handicap": 7})
    assert refused["error"]["kind"] == "bad-board"


@pytest.mark.parametrize("key", ["number-run", "grid-conquest"])
def test_a_match_is_evaluated_like_its_position(key: str) -> None:
    """What takes a position takes a Match too; one that was resigned has no moves left."""
    match, limits = gridwise.Match(key, seed=7), Limits(nodes=500)
    assert gridwise.evaluate(match, limits) == gridwise.evaluate(match.position, limits)
    assert gridwise.evaluate(match, limits).moves
    match.resign()
    assert gridwise.evaluate(match).moves == ()


@pytest.mark.parametrize(
    ("field", "wanted", "values"),
    [
        ("game", "needs a", (5,)),
        ("board", "must be text", (5,)),
        ("target", "whole number", ("7", 1.5, True, [])),
        ("handicap", "whole number", (None, "7", 1.5, True, [])),
        ("first", "1 or 2", (True,)),
        ("moves", "list of texts", ([None],)),
        ("search", "true or false", (None, 0, 1, "yes", [])),
    ],
)
def test_values_of_the_wrong_kind_are_refused(
    field: str, wanted: str, values: tuple[object, ...]
) -> None:
    """The message says what is accepted, in JSON and, where it says anything, in Python."""
    for value in values:
        request: dict[str, Any] = {"game": "number-run", "board": RUN, field: value}
        error = asked(request)["error"]
        assert error["kind"] == "bad-request"
        assert wanted in error["message"]
        if value is not None:
            with pytest.raises(gridwise.GridwiseError, match=wanted):
                gridwise.analyze(**request)
