"""Questions about the rules are read back, and answers to them are graded as data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from bot_endpoint.prompt_reader import read_rules_question
from hypothesis import given, settings
from hypothesis import strategies as st

from gridwise import Position, suite
from gridwise.core.rng import Stream
from gridwise.errors import UnreadableMove
from gridwise.evals.move_lists import read_move_list
from gridwise.evals.rules_questions import (
    Kind,
    RulesQuestion,
    grade_answer,
    move_to_make,
    question_prompt,
    right_answer,
    sample_question,
)
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.skins import Skin, every_skin, skin_named, skin_names
from gridwise.worker_process import WorkerProcess
from tests.evals.conftest import Evaluate, row_of, samples_of
from tests.evals.inspect_runs import run_inspect
from tests.sizes import sample

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog
    from inspect_ai.model import StopReason

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
        ("MOVES: down; castle", "stop", "unreadable"),
        ("MOVES: ...", "stop", "unreadable"),
        ("MOVES: down; u", "length", "truncated"),
        ("Let me see. The", "length", "truncated"),
        ("MOVES: down\n", "length", None),  # its line was complete, and the last one
        ("MOVES: down\nThat is", "length", "truncated"),  # nobody knows what would have come
        ("MOVES:\n- down\n", "length", "truncated"),  # nor here
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
    for right in (
        "MOVES: down",
        "MOVES = down",
        "MOVES: downwards",
        "**moves:** `Down`",
        "I see.\nMOVES: up\nno:\nMOVES: D;",
    ):
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


START = Position("number-run", "31425/25134/42513/14252/53142")  # 0,1 and 1,0, as the text says
# With the moves 0,1 and 1,0 and no others.
BOTH = [
    "0,1; 1,0",
    "0,1;1,0;",
    "1,0; 0,1; 0,1.",
    "0,1, 1,0",
    "0, 1, 1, 0",
    "(0,1), (1,0)",
    "(0, 1) (1, 0)",
    "(0,1)(1,0)",
    "0,1 1,0",
    "0 1, 1 0",
    "0,1 and 1,0",
    "(0,1), and (1,0)",
    "(0,1) & (1,0)",
    "| 0,1 | 1,0 |",
    "{0,1; 1,0}",
    "**0,1**, **1,0**",
    "`0,1`; `1,0`",
    "0\uff0c1\uff1b1\uff0c0",  # the wide ones of Chinese
    "right, down",
    "right and 1,0",
    "0,1\n1,0",
    "\n0,1\n1,0\nThese are all.",
    "\n- 0,1\n- 1,0",
    "\n\n* `0,1`\n\n* `1,0`\n\nThat is all.",
    "\n1. (0,1)\n2. (1,0)",
    '["0,1", "1,0"]',
    "[[0,1],[1,0]]",
    '```json\n[\n  "0,1",\n  "1,0"\n]\n```',
    "\n```json\n[\n  [\n    0,\n    1\n  ],\n  [\n    1,\n    0\n  ]\n]\n```\n",
    "0,1; 1,0\n\nNeither is next to the opponent:\n- so no challenge is possible",
    "0,1; 1,0\n(The opponent's moves: 3,4; 4,3)",
    "0,1; 1,0</s>",
    "0,1; 1,0<|im_end|>",
    "<b>0,1</b>; <b>1,0</b><br>",
    "\\boxed{0,1; 1,0}",
    "$\\boxed{\\text{0,1; 1,0}}$",
    "$0,1; 1,0$",
    "\\[ (0,1), (1,0) \\]",
    "→, ↓",
    "➡️ ⬇️",
    "→ right; ↓ down",
    "0.1; 1.0",
    "0.1, 1.0",
    "row 0, column 1; row 1, column 0",
    "0,0 -> 0,1; 0,0 -> 1,0",
    "0,1 (right); 1,0 (down)",
    "right (0,1), down (1,0)",
    "\n- 0,1 - one step right\n- 1,0 - one step down",
    "\n1. **0,1** — nearer\n2. **1,0** — more points",
    "0,1؛ 1,0",
    "0,1; 1,0\nThe best move is 0,1. I could not go to 0,2.",
    "0,1; 1,0\nI stand on 0,0.\n- 0,1 is to the right",
]
# What a person would have to guess at.
UNCLEAR = [
    "0,1,1",
    "0,1; 1",
    "0,1; 1,0; castle",
    "the two steps that there are",
    "0,1 1,0 1",
    "0,1\n1,0 (perhaps)",
    "\n- 0,1\n- 1,0, I think",
    "0,1\nWith a challenge:\n1,0",
    "…",
    "<s>0,1</s>; 1,0",
    "0,1; ~~1,0~~",
    "0,1; not 1,0",
    "0,1 or rather 1,0 (or not)",
    "0,1; 1,0; up or down, who knows",
    "\n- 0,1 (right)\n- 1,0 (right)",
]


@pytest.mark.parametrize("said", BOTH)
def test_a_list_that_is_clear_to_a_person_is_read(said: str) -> None:
    """Commas belong to moves and stand between them; a line, a bullet, a bracket can do as well."""
    graded = grade_answer(asked(Kind.LEGAL_MOVES, START), f"MOVES: {said}")
    assert graded.failure is None, graded.problem
    assert graded.exact, graded.detail


@pytest.mark.parametrize("said", UNCLEAR)
def test_what_is_not_clear_is_not_guessed(said: str) -> None:
    """It is unreadable as a whole, and nothing of it counts."""
    graded = grade_answer(asked(Kind.LEGAL_MOVES, START), f"MOVES: {said}")
    assert (graded.failure, graded.answered) == ("unreadable", False)


@pytest.mark.parametrize("challenges", ["1,3!; 2,2!", "1,3 challenge; 2,2 with a challenge"])
def test_a_challenge_in_a_list_is_written_as_in_a_move(challenges: str) -> None:
    """On 1,2, next to whose neighbours 1,3 and 2,2 Player 2 stands; 0,2 is not next to 2,3."""
    moves = ["0,1", "3,4", "1,1", "2,4", "1,2", "2,3"]
    board = "31425/25134/42513/14252/53142"
    question = asked(Kind.LEGAL_MOVES, Position("number-run", board, moves=moves))
    graded = grade_answer(question, f"MOVES: 0,2; 1,3; 2,2; {challenges}")
    assert graded.exact, graded


def test_what_can_be_read_in_two_ways_is_not_read() -> None:
    """No game of ours writes moves like that; one from outside may."""

    class TwoWays:
        def read_move(self, _position: Position, text: str) -> int:
            if text not in ("1", "2", "1,2"):
                raise UnreadableMove(text)
            return len(text)

    skin = cast("Skin", TwoWays())
    assert "more than one way" in read_move_list("1,2", MAZE, skin).problem
    assert not read_move_list("1; 2", MAZE, skin).problem


@pytest.mark.parametrize(
    ("said", "wrong"),
    [("0,1, 1,0, 0,1!", ["0,1!"]), ("0,1; 1,0; 9,9", ["9,9"]), ("up and 0,1; 1,0", ["up"])],
)
def test_a_move_that_is_not_legal_is_wrong_and_not_unreadable(said: str, wrong: list[str]) -> None:
    """Nor is one off the board: to say so would tell what is right."""
    graded = grade_answer(asked(Kind.LEGAL_MOVES, START), f"MOVES: {said}")
    assert graded.failure is None
    assert graded.right == {"none missing": True, "none wrong": False}
    assert str(wrong) in graded.detail


@pytest.mark.parametrize("key", GAMES)
def test_commas_do_in_every_skin(key: str) -> None:
    """Also where a move is a letter and a number, or ends with a word."""
    rows = suite(key).part("train")[:200:10]
    for skin in every_skin(rows[0].game):
        for row in rows[:: sample(7, long=1)]:
            question = RulesQuestion(Kind.LEGAL_MOVES, row.position, skin)
            moves = list(skin.legal_moves(row.position).values())
            for between in (", ", "; ", " and ", "\n- "):
                assert grade_answer(question, f"MOVES: {between.join(moves)}").exact


@pytest.mark.parametrize("stop", ["stop", "length"])
@pytest.mark.parametrize("end", ["", "\n", "\nThat is", "; castle", "\n- and"])
def test_what_is_said_of_the_form_does_not_depend_on_what_is_right(stop: str, end: str) -> None:
    """A right and a wrong answer of one form have one problem, or none: no try is an oracle."""
    question = asked(Kind.LEGAL_MOVES, MAZE)  # only down is legal
    right, wrong, both, off = (
        grade_answer(question, f"MOVES: {moves}{end}", stop)
        for moves in ("down", "left", "left; down", "9,9")
    )
    assert right.failure == wrong.failure == both.failure == off.failure
    assert right.problem == wrong.problem == both.problem == off.problem
    question = asked(Kind.NEXT_POSITION, MAZE, "down")
    true, false = (
        grade_answer(question, f"{answer}{end}", stop)
        for answer in (right_answer(question), 'POSITION: {"winner": "Player 1"}')
    )
    assert (true.failure, true.problem) == (false.failure, false.problem)


def test_where_a_challenge_makes_another_move_the_question_says_so() -> None:
    """In the words of the skin, and in that game only."""
    for key in GAMES:
        position = suite(key).part("train")[0].position
        for skin in every_skin(position.game):
            said = question_prompt(Kind.LEGAL_MOVES, position, Conditions(skin=skin.name)).user
            assert ("the same move without it are two moves" in said) == (key == "number-run")
    themed = Conditions(skin="theme")
    assert 'A move with "!" and the' in question_prompt(Kind.LEGAL_MOVES, RUN, Conditions()).user
    assert 'A move with "haggle" and the' in question_prompt(Kind.LEGAL_MOVES, RUN, themed).user


@pytest.mark.parametrize(
    ("said", "exact"),
    [
        ("MOVES: down\nMy opponent's moves: left", True),
        ("I would say MOVES: down", True),
        ("Its moves: down", False),
        ("<think>\nMOVES: up\n</think>\nMOVES: down", True),
        ("MOVES: down\n<think>MOVES: up</think>", True),
        ("<think>\nMOVES: down\n", False),
    ],
)
def test_the_label_counts_at_the_start_of_a_line_or_in_capitals(said: str, exact: bool) -> None:
    """As for a move: what is said or thought of other moves on the way is no answer."""
    assert grade_answer(asked(Kind.LEGAL_MOVES, MAZE), said).exact == exact


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
    for text in ("up;" * 400_000, ("- " + "→ " * 1_200 + "\n") * 400):
        assert not grade_answer(asked(Kind.LEGAL_MOVES, MAZE), "MOVES: " + text).exact


# In Inspect


def questions_of(log: EvalLog) -> list[RulesQuestion]:
    """The questions of a run, in order."""
    return [sample_question(each.metadata) for each in samples_of(log)]


def replies(*texts: str, stop: StopReason = "stop") -> dict[str, Any]:
    """Options of a run in which the model says this, one sample after the other, and no more."""
    from inspect_ai.model import ModelOutput  # noqa: PLC0415 - 1 s

    outputs = [ModelOutput.from_content("mockllm/model", text, stop) for text in texts]
    return {"model_args": {"custom_outputs": outputs}, "max_samples": 1}


def answers_of(log: EvalLog) -> list[tuple[Any, ...]]:
    """Of each sample: whether it was right, whether it was asked again, and what went wrong."""
    found = []
    for each in samples_of(log):
        (score,) = (each.scores or {}).values()
        value, metadata = cast("dict[str, float]", score.value), score.metadata or {}
        found.append((value[each.metadata["kind"]], value["retried"], metadata["answers"]))
    return found


def test_an_answer_that_cannot_be_read_may_be_written_once_more(evaluate: Evaluate) -> None:
    """And a wrong one may not. The model learns what was wrong with the form and nothing else."""
    first, second = questions_of(evaluate("rules", game="run", limit=1))
    wrong = 'POSITION: {"winner": "Player 1"}'
    said = ["MOVES: see above", right_answer(first), wrong]
    log = evaluate("rules", "mockllm/model", replies(*said), game="run", limit=1)
    assert log.status == "success"
    assert answers_of(log) == [(1, True, {"unreadable": 1}), (0, False, {})]
    asked_again, asked_once = ([each.text for each in one.messages] for one in samples_of(log))
    assert asked_again[2::2] == said[:2]
    problem, _, rest = asked_again[3].partition("\n")
    assert problem.startswith('"see above" is not a move. A move is the cell you step to')
    assert rest == (
        "The question is the same. Try again. End your reply with one line: MOVES: and your "
        "answer, in the form that was asked for."
    )
    assert asked_once[2:] == [wrong]
    assert second.kind is Kind.NEXT_POSITION


def test_a_second_answer_that_cannot_be_read_is_the_last_one(
    evaluate: Evaluate, inspect_process: WorkerProcess, tmp_path: Path
) -> None:
    """Each by its own name; the log says so again when it is scored again, also without a store."""
    from inspect_ai.log import read_eval_log, write_eval_log  # noqa: PLC0415 - 1 s

    said = ["I do not know.", "MOVES: castle", "POSITION: {", "POSITION: none"]
    log = evaluate("rules", "mockllm/model", replies(*said), game="maze", limit=1)
    once = [(0, True, {"no-move": 1, "unreadable": 1}), (0, True, {"unreadable": 2})]
    assert answers_of(log) == once
    assert row_of(tmp_path / "logs").overall.bad_answers == {"no-move": 1, "unreadable": 3}
    stripped = read_eval_log(log.location)
    for each in samples_of(stripped)[:1]:
        each.store = {}
    write_eval_log(stripped, log.location)
    again = ["score", "--model", "none", "--action", "overwrite", "--overwrite", log.location]
    assert inspect_process.call(run_inspect, tmp_path, again, {}) == 0
    assert answers_of(read_eval_log(log.location)) == once


@pytest.mark.parametrize(
    ("stop", "failure"), [("max_tokens", "truncated"), ("content_filter", "refused")]
)
def test_a_reply_that_was_stopped_is_asked_for_again(
    stop: StopReason, failure: str, evaluate: Evaluate
) -> None:
    """As one for a move is; what it says by then does not count, right or wrong."""
    (first, second) = questions_of(evaluate("rules", game="maze", limit=1))
    said = [right_answer(each) for each in (first, first, second, second)]
    said = [text.replace("}", "") if text.startswith("POSITION") else text for text in said]
    log = evaluate("rules", "mockllm/model", replies(*said, stop=stop), game="maze", limit=1)
    assert answers_of(log) == [(0, True, {failure: 2})] * 2
