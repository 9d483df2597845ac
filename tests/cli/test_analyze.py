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

MAZE_MOVES = "right left down up"
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


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        # After Player 1's claim of (0,0), Player 2 may claim any of the other fifteen cells.
        (
            {"game": "number-connect", "board": CONNECT_BOARD, "moves": ["0,0"]},
            {"board": CONNECT_BOARD, "moves": ["0,0"], "to_move": 2, "scores": [4, 0]}
            | {"legal": [f"{row},{column}" for row in range(4) for column in range(4)][1:]},
        ),
        # Player 1 has no move: it is over, won by Player 2, and nobody is to move.
        (
            {"game": "number-maze", "board": MAZE_BOARD, "moves": MAZE_MOVES.split()},
            {"to_move": None, "result": "p2", "scores": None, "legal": []},
        ),
        # Grid Runner needs no board: the standard one is meant.
        ({"game": "grid-runner"}, {"legal": ["down", "right"]}),
        (
            {"game": "grid-runner", "moves": ["right", "up"]},
            {"legal": ["down", "left"], "board": "..X../...../X.X.X/...../..X.."},
        ),
        # Where nobody has looked there is `?`, whatever the request knew.
        (
            {"game": "grid-conquest", "board": "53152/24251/43453/11523/12214"}
            | {"first": 2, "moves": ["C3"]},
            {"board": "?????/?425?/?345?/?152?/?????", "to_move": 1, "scores": [0, 4]},
        ),
        (
            {"game": "grid-conquest", "board": "11", "moves": ["A1", "A2"]},
            {"result": "draw", "to_move": None},
        ),
    ],
)
def test_a_position_is_described_as_worked_out(
    home: Path, request_: dict[str, Any], expected: dict[str, Any]
) -> None:
    """What the texts and the rulings say about it, without a search."""
    answer = described(home, **request_)
    assert {name: answer[name] for name in expected} == expected
    assert bool(answer["reason"]) == (answer["to_move"] is None)


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


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (
            ("number-run", "--board", RUN_BOARD, "--moves", "0,1 3,4 1,1"),
            (
                "P1:5",
                "\nPlayer 2 loses in 4 moves.\n",
                "\n* 2,4   loses in 4 moves\n* 3,3   loses in 4 moves\n",
            ),
        ),
        (
            ("number-maze", "--board", MAZE_BOARD, "--moves", MAZE_MOVES),
            ("Player 2 has won", "no valid moves"),
        ),
    ],
)
def test_one_position_for_people(home: Path, args: tuple[str, ...], said: tuple[str, ...]) -> None:
    """The board, who is to move, and the moves; or who has won, and why."""
    run = gridwise("analyze", *args, home=home)
    assert run.status == 0
    assert all(text in run.out for text in said)


# Walking into 1,4 leaves Player 2 the one way on to 0,4, and none from there.
LOST = ("number-run", "--board", RUN_BOARD, "--moves", "1,0 3,4 1,1 2,4 1,2")


def test_why_is_told_of_every_move(home: Path) -> None:
    """A paragraph for each, the best one first, with the line that shows it."""
    run = gridwise("analyze", *LOST, "--why", home=home)
    better, worse = (line for line in run.out.splitlines() if line[:4] in {"2,3:", "1,4:"})
    assert run.out.index(better) < run.out.index(worse)
    assert "holds out longest (3 moves)" in better
    assert "Player 2 ends without a move at 0,4" in worse
    assert "2,3 holds out 1 move longer" in worse
    assert worse.endswith(")")
    assert "(better: 2,3 " in worse
    assert "; after 1,4: 1,3 " in worse
    assert "(after 2,3: " in better


def test_why_as_data(home: Path) -> None:
    """Each option then has its facts, and no other key is new; a request of a batch asks itself."""
    run = gridwise("analyze", *LOST, "--why", "--json", home=home)
    answer = json.loads(run.out)
    assert list(answer) == KEYS
    kinds = {each["move"]: [fact["kind"] for fact in each["why"]] for each in answer["options"]}
    assert kinds["1,4"] == ["sooner", "blocked"]
    request = {"game": LOST[0], "board": RUN_BOARD, "moves": LOST[-1].split(), "why": True}
    batch = gridwise("analyze", "--batch", "-", home=home, typed=f"{json.dumps(request)}\n")
    assert json.loads(batch.out) == answer


@pytest.mark.parametrize(
    "args",
    [("--why", "--no-search"), ("--why", "--batch", "-"), ("--why", "--no-search", "--json")],
)
def test_why_takes_a_search(home: Path, args: tuple[str, ...]) -> None:
    """What cannot go together is said in a line."""
    run = gridwise("analyze", "number-run", *args, home=home)
    assert is_one_complaint(run)
    assert "--why" in run.err


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
