"""A move as an event: what moves, what is claimed, turned up and scored, for a page to animate."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gridwise.core.position import Position
from gridwise.core.registry import game as game_named
from gridwise.core.rng import Stream
from gridwise.core.view import CellView
from gridwise.play.match import Match
from gridwise.web.game.move_effects import move_event
from tests.sizes import sample

from .servers import GAMES

FIELDS = {"player", "move", "to", "tokens", "claimed", "revealed", "scored", "challenge"}
ONES = "/".join(["11111"] * 5)


def played(game: str, board: str, *moves: str) -> dict[str, Any]:
    """The event of the last of some moves."""
    *_, before, after = _positions(game, board, moves)
    return move_event(before, after)


def _positions(game: str, board: str, moves: tuple[str, ...]) -> list[Position]:
    match = Match(game_named(game), game_named(game).parse_board(board), first=1, moves=moves)
    return list(match.positions)


@pytest.mark.parametrize("game", GAMES)
def test_the_event_says_everything_that_changes_on_the_board(game: str) -> None:
    """Tokens, owners, face-down cells and scores: the cells before and the event give the after."""
    stream = Stream(f"events {game}")
    for seed in range(sample(8, long=20)):
        rules = game_named(game)
        match = Match(rules, rules.deal(stream), seed=seed, max_plies=60)
        while not match.outcome:
            match.move(stream.draw(match.position.legal_mask))
            before, after = match.positions[-2:]
            event = move_event(before, after)
            assert event.keys() == FIELDS
            assert json.loads(json.dumps(event)) == event
            assert event["player"] == before.turn
            assert event["move"] == match.moves[-1]
            old, new = _named(before), _named(after)
            assert event["to"] == after.view.cells[after.last_cell].name
            tokens = {cell.token: name for name, cell in old.items() if cell.token}
            for step in event["tokens"]:
                assert tokens[step["player"]] == step["from"]
                tokens[step["player"]] = step["to"]
            assert tokens == {cell.token: name for name, cell in new.items() if cell.token}
            assert event["claimed"] == [n for n, cell in new.items() if cell.owner != old[n].owner]
            assert event["revealed"] == [
                name for name, cell in old.items() if cell.hidden and not new[name].hidden
            ]
            if before.scores is None or after.scores is None:
                assert event["scored"] is None
            else:
                pairs = zip(before.scores, event["scored"], strict=True)
                assert tuple(was + gained for was, gained in pairs) == after.scores


def _named(position: Position) -> dict[str, CellView]:
    return {cell.name: cell for cell in position.view.cells}


def test_a_challenge_that_is_won_sends_the_other_home() -> None:
    """The mover first, then whoever was sent home; the points with which both went into it."""
    event = played("number-run", "111/121/111", "0,1", "2,1", "1,1!")
    assert event["tokens"] == [
        {"player": 1, "from": "0,1", "to": "1,1"},
        {"player": 2, "from": "2,1", "to": "2,2"},
    ]
    assert event["scored"] == [2, -1]
    assert event["challenge"] == {"won": True, "points": [3, 1]}


def test_a_challenge_that_is_lost_takes_the_mover_there_and_home() -> None:
    """Two steps of one token, even if the first began at home."""
    event = played("number-run", "111/515/111", "0,1", "1,2", "1,1!")
    assert event["challenge"] == {"won": False, "points": [2, 5]}
    assert event["tokens"] == [
        {"player": 1, "from": "0,1", "to": "1,1"},
        {"player": 1, "from": "1,1", "to": "0,0"},
    ]
    assert event["scored"] == [-1, 0]
    event = played("number-run", "151/111", "0,1", "1,1!")
    assert event["challenge"] == {"won": False, "points": [5, 1]}
    assert event["tokens"] == [
        {"player": 2, "from": "1,2", "to": "1,1"},
        {"player": 2, "from": "1,1", "to": "1,2"},
    ]


def test_a_challenge_that_moves_nobody_home_is_won_or_a_tie() -> None:
    """The loser may be at home already; after a tie nothing changes."""
    event = played("number-run", "11/11", "0,1!")
    assert event["challenge"] == {"won": True, "points": [1, 0]}
    assert event["tokens"] == [{"player": 1, "from": "0,0", "to": "0,1"}]
    event = played("number-run", "51111/11111", "0,1", "0,4", "0,2", "0,3!")
    assert event["challenge"] == {"won": None, "points": [2, 2]}
    assert event["tokens"] == [{"player": 2, "from": "0,4", "to": "0,3"}]


def test_claims_turn_up_what_is_around_them() -> None:
    """In the order of the board, the claimed cell among them."""
    event = played("grid-conquest", ONES, "A1")
    assert event["claimed"] == ["A1"]
    assert event["revealed"] == ["A1", "A2", "B1", "B2"]
    assert event["tokens"] == []
    assert event["scored"] == [1, 0]
