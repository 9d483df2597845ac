"""`analyze --batch`: JSON Lines in, JSON Lines out, one answer a line whatever comes in."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from .program import CONNECT_BOARD, RUN_BOARD, Piped, gridwise

GOOD = {"game": "number-connect", "board": CONNECT_BOARD, "moves": ["0,0"], "search": False}

# What is asked, and the kind of the error; "" for an answer.
REQUESTS: list[tuple[str, str]] = [
    (json.dumps(GOOD), ""),
    ("", "bad-request"),
    ("garbage", "bad-request"),
    ("[]", "bad-request"),
    ("null", "bad-request"),
    ("42", "bad-request"),
    ('"number-run"', "bad-request"),
    ("{}", "bad-request"),
    ("{" * 5000, "bad-request"),
    ("[" * 5000, "bad-request"),
    ("9" * 5000, "bad-request"),
    ('{"game": 1}', "bad-request"),
    ('{"game": "chess"}', "unknown-game"),
    ('{"game": "\\ud800"}', "unknown-game"),
    ('{"game": "number-run"}', "bad-request"),
    ('{"game": "number-run", "board": 12}', "bad-request"),
    ('{"game": "number-run", "board": "12/3"}', "bad-board"),
    ('{"game": "number-run", "board": "99/99"}', "bad-board"),
    ('{"game": "number-run", "board": ""}', "bad-board"),
    *(
        (json.dumps({"game": game, "board": board}), "bad-board")
        for game, boards in {
            "number-run": [
                "1",
                "////",
                "   ",
                "12//34",
                "-1/11",
                "1?/11",
                "\uff11\uff12/\uff11\uff12",
            ],
            "number-maze": ["10/11", "15/11"],
            "grid-runner": ["12/34", "X./.."],
            "number-connect": ["ab/cd", "/".join(["11111111"] * 8)],
        }.items()
        for board in boards
    ),
    ('{"game": "grid-runner", "first": 2}', "bad-request"),
    ('{"game": "grid-conquest", "first": 3}', "bad-request"),
    ('{"game": "grid-conquest", "first": true}', "bad-request"),
    ('{"game": "grid-conquest", "first": null}', "bad-request"),
    ('{"game": "grid-conquest", "first": "1"}', "bad-request"),
    ('{"game": "grid-runner", "moves": "up"}', "bad-request"),
    ('{"game": "grid-runner", "moves": [1]}', "bad-request"),
    ('{"game": "grid-runner", "moves": {"0": "up"}}', "bad-request"),
    ('{"game": "grid-runner", "moves": ["up"]}', "illegal-move"),
    ('{"game": "grid-runner", "moves": ["hop"]}', "unreadable-move"),
    ('{"game": "grid-runner", "moves": [""]}', "unreadable-move"),
    ('{"game": "grid-runner", "search": "yes"}', "bad-request"),
    ('{"game": "grid-runner", "surprise": 1}', "bad-request"),
    ('{"game": "number-maze", "board": "41/11", "moves": ["up"]}', "illegal-move"),
    (json.dumps({"game": "number-run", "board": RUN_BOARD, "moves": ["0,1!"]}), "illegal-move"),
    (json.dumps({"game": "number-run", "board": RUN_BOARD, "moves": ["9,9"]}), "unreadable-move"),
    ('{"game": "grid-runner", "moves": ["right"], "search": false}', ""),
]


def answers(home: Path, *lines: bytes) -> list[dict[str, Any]]:
    """The answers to a batch, each one JSON object on a line of its own."""
    run = gridwise("analyze", "--batch", "-", home=home, typed=b"".join(b + b"\n" for b in lines))
    assert run.status == 0, run.err
    assert not run.err
    parsed = [json.loads(line) for line in run.out.splitlines()]
    assert all(isinstance(answer, dict) for answer in parsed)
    return parsed


def test_every_line_gets_its_own_answer_in_order(home: Path) -> None:
    """Errors have a kind and a message, and the next line is answered all the same."""
    got = answers(home, *(line.encode() for line, _ in REQUESTS))
    assert len(got) == len(REQUESTS)
    for (line, kind), answer in zip(REQUESTS, got, strict=True):
        if kind:
            assert set(answer) == {"error"}, line
            assert set(answer["error"]) == {"kind", "message"}
            assert answer["error"]["kind"] == kind, line[:100]
            assert answer["error"]["message"]
        else:
            assert "error" not in answer


def test_a_player_is_a_whole_number(home: Path) -> None:
    """A broken number for the first player is answered, with a whole one or an error."""
    numbers = ("1.0", "2.0", "1e0", "2e0")
    lines = [
        f'{{"game": "grid-conquest", "board": "5555/5555", "first": {first}, '
        '"moves": ["A1", "A2", "A3", "A4", "B1"]}'
        for first in numbers
    ]
    for first, answer in zip(numbers, answers(home, *map(str.encode, lines)), strict=True):
        if "error" in answer:
            assert answer["error"]["kind"] == "bad-request"
        else:
            assert answer["result"] == f"p{first[0]}"


def test_noise_gets_an_answer_a_line(home: Path) -> None:
    """Random bytes are bad requests, one by one."""
    rng = random.Random("batch")
    noise = [rng.randbytes(rng.randrange(60)).replace(b"\n", b" ") for _ in range(300)]
    got = answers(home, *noise)
    assert [answer["error"]["kind"] for answer in got] == ["bad-request"] * 300


def test_a_line_of_megabytes_gets_one_answer(home: Path) -> None:
    """Length is no excuse for two answers, or for none."""
    good = json.dumps(GOOD).encode()
    got = answers(home, good, b"x" * 3_000_000, good, b'{"game": "' + b"y" * 900_000 + b'"}')
    assert [answer.get("error", {}).get("kind") for answer in got] == [
        None,
        "bad-request",
        None,
        "unknown-game",
    ]
    assert len(json.dumps(got)) < 5000


def test_the_last_line_needs_no_end(home: Path) -> None:
    """A request right before the end of the input is answered."""
    run = gridwise("analyze", "--batch", "-", home=home, typed=json.dumps(GOOD))
    assert json.loads(run.out)["to_move"] == 2


def test_nothing_in_nothing_out(home: Path) -> None:
    """An empty batch has no answers."""
    run = gridwise("analyze", "--batch", "-", home=home)
    assert (run.status, run.out, run.err) == (0, "", "")


def test_each_answer_comes_before_the_next_question(home: Path) -> None:
    """The output is flushed line by line, so that a program can wait for it."""
    with Piped("analyze", "--batch", "-", home=home) as batch:
        for count in (1, 2, 3):
            batch.send(json.dumps(GOOD) + "\n")
            batch.expect("\n", count)
        assert batch.finish().status == 0


def test_a_batch_can_come_from_a_file(home: Path) -> None:
    """Requests are read from a file as from a pipe."""
    file = home / "batch.jsonl"
    file.write_text(f"{json.dumps(GOOD)}\n?\n")
    run = gridwise("analyze", "--batch", file, home=home)
    first, second = map(json.loads, run.out.splitlines())
    assert first["scores"] == [4, 0]
    assert second["error"]["kind"] == "bad-request"
