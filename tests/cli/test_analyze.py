"""`gridwise analyze`: the shape that other programs rely on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .program import (
    CONNECT_BOARD,
    EXAMPLES,
    GAMES,
    MAZE_BOARD,
    RUN_BOARD,
    gridwise,
    is_one_complaint,
)

KEYS = [
    *("game", "board", "moves", "to_move", "result", "reason", "scores"),
    *("legal", "value", "distance", "win", "exact", "options"),
]


def described(home: Path, **request: Any) -> dict[str, Any]:  # noqa: ANN401 - it is JSON
    """The answer to a request that asks for no search."""
    line = json.dumps({**request, "search": False})
    run = gridwise("analyze", "--batch", "-", home=home, typed=f"{line}\n")
    assert run.status == 0, run.err
    answer = json.loads(run.out)
    assert isinstance(answer, dict)
    return answer


@pytest.mark.parametrize("game", GAMES)
def test_an_answer_has_the_fixed_keys(home: Path, game: str) -> None:
    """Every key, and no other; without a search four of them say nothing."""
    board = dict(zip(EXAMPLES[game][0][::2], EXAMPLES[game][0][1::2], strict=True)).get("--board")
    answer = described(home, game=game, **({"board": board} if board else {}))
    assert list(answer) == KEYS
    assert (answer["game"], answer["to_move"], answer["options"]) == (game, 1, [])
    for key in ("result", "reason", "value", "distance", "win"):
        assert answer[key] is None
    assert isinstance(answer["exact"], bool)


def test_the_request_of_the_issue(home: Path) -> None:
    """After Player 1's claim of (0,0), Player 2 may claim any of the other fifteen cells."""
    answer = described(home, game="number-connect", board=CONNECT_BOARD, moves=["0,0"])
    cells = [f"{row},{column}" for row in range(4) for column in range(4)]
    assert answer["board"] == CONNECT_BOARD
    assert answer["moves"] == ["0,0"]
    assert answer["to_move"] == 2
    assert answer["scores"] == [4, 0]
    assert answer["legal"] == cells[1:]


def test_number_maze_as_worked_out(home: Path) -> None:
    """Player 1 has no move: it is over, won by Player 2, and nobody is to move."""
    moves = ["right", "left", "down", "up"]
    answer = described(home, game="number-maze", board=MAZE_BOARD, moves=moves)
    assert answer["to_move"] is None
    assert answer["result"] == "p2"
    assert answer["reason"]
    assert answer["scores"] is None
    assert answer["legal"] == []


def test_grid_runner_needs_no_board(home: Path) -> None:
    """The standard one is meant: down and right first, down and left from B1."""
    assert described(home, game="grid-runner")["legal"] == ["down", "right"]
    answer = described(home, game="grid-runner", moves=["right", "up"])
    assert answer["legal"] == ["down", "left"]
    assert answer["board"] == "..X../...../X.X.X/...../..X.."


def test_an_answer_holds_no_hidden_cell(home: Path) -> None:
    """The board of the answer has `?` where nobody has looked, whatever the request knew."""
    answer = described(
        home, game="grid-conquest", board="53152/24251/43453/11523/12214", first=2, moves=["C3"]
    )
    assert answer["board"] == "?????/?425?/?345?/?152?/?????"
    assert answer["to_move"] == 1
    assert answer["scores"] == [0, 4]


def test_a_draw_is_a_result(home: Path) -> None:
    """Nobody has won."""
    answer = described(home, game="grid-conquest", board="11", moves=["A1", "A2"])
    assert answer["result"] == "draw"
    assert answer["to_move"] is None


def test_one_position_as_json(home: Path) -> None:
    """Options are a request, too: scores 6 and 2, and Player 2 may go to 2,4 or 3,3."""
    run = gridwise(
        *("analyze", "number-run", "--board", RUN_BOARD, "--moves", "0,1 3,4 1,1", "--json"),
        home=home,
    )
    answer = json.loads(run.out)
    assert list(answer) == KEYS
    assert answer["to_move"] == 2
    assert answer["scores"] == [6, 2]
    assert answer["legal"] == ["2,4", "3,3"]
    assert run.out.count("\n") == 1


def test_one_position_for_people(home: Path) -> None:
    """The board, who is to move, and the moves."""
    run = gridwise(
        *("analyze", "number-run", "--board", RUN_BOARD, "--moves", "0,1 3,4 1,1"), home=home
    )
    assert run.status == 0
    assert "P1:5" in run.out
    assert "\nPlayer 2 loses in 4 moves.\n" in run.out
    assert "\n* 2,4   loses in 4 moves\n* 3,3   loses in 4 moves\n" in run.out


def test_a_position_that_is_over_for_people(home: Path) -> None:
    """Who has won, and why."""
    run = gridwise(
        *("analyze", "number-maze", "--board", MAZE_BOARD, "--moves", "right left down up"),
        home=home,
    )
    assert run.status == 0
    assert "Player 2" in run.out
    assert "no valid moves" in run.out


def test_an_illegal_move_is_named(home: Path) -> None:
    """One line that quotes it and counts to it."""
    run = gridwise("analyze", "grid-runner", "--moves", "right up up", home=home)
    assert is_one_complaint(run)
    assert "Move 3" in run.err
    assert '"up"' in run.err


def test_analyze_takes_the_target_and_handicap_of_play(home: Path) -> None:
    """`--target` is for the board that is asked about; `--handicap` makes it the one of `play`."""
    run = gridwise(
        *("analyze", "number-connect", "--board", "41/11", "--target", "4", "--json"), home=home
    )
    assert json.loads(run.out)["distance"] == 1
    run = gridwise(
        *("analyze", "number-run", "--board", RUN_BOARD, "--handicap", "--no-search", "--json"),
        home=home,
    )
    assert json.loads(run.out)["scores"] == [0, 7]
    run = gridwise("analyze", "grid-runner", "--handicap", "--plain", home=home)
    assert "endless" in run.out
    run = gridwise("analyze", "number-maze", "--board", MAZE_BOARD, "--handicap", home=home)
    assert is_one_complaint(run)
