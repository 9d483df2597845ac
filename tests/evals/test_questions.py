"""Questions about the rules are read back, and answers to them are graded as data."""

from __future__ import annotations

import json

import pytest
from bot_endpoint.prompt_reader import read_rules_question
from hypothesis import given, settings
from hypothesis import strategies as st

from gridwise import Position, suite
from gridwise.core.rng import Stream
from gridwise.evals.rules_questions import (
    Kind,
    RulesQuestion,
    grade_answer,
    move_to_make,
    question_prompt,
    right_answer,
)
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.skins import skin_named, skin_names

GAMES = ["number-run", "number-maze", "grid-runner", "grid-conquest", "number-connect"]
MAZE = Position("number-maze", "1324/2132/4213/3421", moves=["right", "left"])
RUN = Position("number-run", "31425/25134/42513/14252/53142", moves=["0,1", "3,4"])


@pytest.mark.parametrize("key", GAMES)
def test_every_question_can_be_read_back_and_answered(key: str) -> None:
    """In every skin and form of the board, the question says enough to be answered rightly."""
    rows = [row for row in suite(key).part("train")[:40] if move_to_make(row) >= 0]
    stream = Stream(7)
    for name in skin_names(key):
        for board in ("grid", "sentences", "json"):
            row = rows[stream.below(len(rows))]
            conditions = Conditions(skin=name, board=board, legal_moves="hidden", retries=0)
            for kind in Kind:
                asked = question_prompt(kind, row.position, conditions, move_to_make(row))
                read = read_rules_question(asked.user)
                assert read
                assert read.position == row.position
                wanted = RulesQuestion(kind, row.position, skin_named(key, name), move_to_make(row))
                assert grade_answer(wanted, right_answer(read)).exact


def test_the_form_of_an_answer_is_shown_as_it_is_written() -> None:
    """No escaped characters: a model would have to guess what they are for."""
    assert "\\u" not in question_prompt(Kind.NEXT_POSITION, RUN, Conditions(), RUN.legal[0]).user


@pytest.mark.parametrize(
    ("said", "stop", "failure"),
    [
        ("I am thinking.", "stop", "no-move"),
        ("MOVES:", "stop", "no-move"),
        ("MOVES: down; up", "stop", None),  # an answer, though a wrong one
        ("MOVES: down; u", "length", "truncated"),
        ("Let me see. The", "length", "truncated"),
        ("MOVES: down\nThat is", "length", None),  # it was there before the reply was cut off
        ("MOVES: down", "content_filter", "refused"),
    ],
)
def test_a_question_without_an_answer_says_why(said: str, stop: str, failure: str | None) -> None:
    """By the same names as a move."""
    assert grade_answer(asked(Kind.LEGAL_MOVES, MAZE), said, stop).failure == failure


def test_a_position_that_is_no_json_is_unreadable() -> None:
    """It is not a wrong answer to a question that was understood."""
    graded = grade_answer(asked(Kind.NEXT_POSITION, MAZE, "down"), "POSITION: much the same")
    assert (graded.failure, graded.exact) == ("unreadable", False)


def asked(kind: Kind, position: Position, move: str = "") -> RulesQuestion:
    """A question in plain words."""
    action = position.read(move) if move else -1
    return RulesQuestion(kind, position, skin_named(position.game), action)


def test_moves_are_compared_as_a_set() -> None:
    """On the text's board Player 1 stands on (1,2), a 3: of four ways, only down stays on it."""
    question = asked(Kind.LEGAL_MOVES, MAZE)
    for right in ("MOVES: down", "**moves:** `Down`", "I see.\nMOVES: up\nno:\nMOVES: D;"):
        assert grade_answer(question, right).exact
    assert grade_answer(question, "MOVES: down; up").right == {
        "none missing": True,
        "none wrong": False,
    }
    assert not grade_answer(question, "MOVES: left").exact
    assert not grade_answer(question, "down").answered


def test_a_position_is_compared_field_by_field() -> None:
    """`0,1 3,4 1,1` on the text's board gives 6 to 2, Player 2 to move."""
    question = asked(Kind.NEXT_POSITION, RUN, "1,1")
    answer = {
        "to move": "player 2",
        "winner": "nobody",
        "score": {"Player 1": 6, "Player 2": 2},
        "token": {"Player 1": "(1,1)", "Player 2": "3,4"},
        "visited by": {"Player 1": ["0,0", "1,1", "0,1"], "Player 2": ["4,4", "3,4"]},
    }
    assert grade_answer(question, f"POSITION:\n```json\n{json.dumps(answer, indent=1)}\n```").exact
    wrong = {**answer, "score": {"Player 1": 5, "Player 2": 2}}
    graded = grade_answer(question, f"POSITION: {json.dumps(wrong)}")
    assert [name for name, right in graded.right.items() if not right] == ["score"]
    assert not grade_answer(question, "POSITION: the token moves on").answered


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=400), st.sampled_from(["", "MOVES:", "POSITION: {", 'POSITION: {"a":']))
def test_no_answer_breaks_the_grader(text: str, label: str) -> None:
    """Whatever is said is right or wrong, and that is all."""
    for question in (asked(Kind.LEGAL_MOVES, MAZE), asked(Kind.NEXT_POSITION, RUN, "1,1")):
        graded = grade_answer(question, label + text)
        assert graded.exact == (graded.answered and all(graded.right.values()))


def test_a_megabyte_is_graded_too() -> None:
    """In linear time: these would take minutes otherwise."""
    question = asked(Kind.NEXT_POSITION, RUN, "1,1")
    for text in ("POSITION:" * 120_000, "POSITION " * 120_000, "POSITION: " + "[" * 1_000_000):
        assert not grade_answer(question, text).exact
    assert not grade_answer(asked(Kind.LEGAL_MOVES, MAZE), "MOVES: " + "up;" * 400_000).exact
