"""Questions about the rules: which moves are legal, and what the position is after a move.

They are asked in the words of any skin, and answers are graded as data: moves as a set, a position
field by field. An answer that cannot be read may be given again: the model is told what was wrong
with its form, and never whether it was right.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from gridwise.core.position import Position
from gridwise.core.rng import Stream
from gridwise.errors import MoveError
from gridwise.evals.move_lists import MAX_ITEMS, read_move_list
from gridwise.evals.trial import suite_rows
from gridwise.lab.suites import SuiteRow
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.prompt_text import Prompt, position_text, rules_text
from gridwise.prompts.reply import CUT_OFF, REFUSALS, Failure, said
from gridwise.prompts.skins import Skin, skin_named
from gridwise.prompts.turn import Conversation
from gridwise.prompts.vocabulary import SEPARATOR

QUESTION, MOVE = "Question", "Move"
MOVES_ANSWER, POSITION_ANSWER = "MOVES:", "POSITION:"
NOBODY, DRAW = "nobody", "draw"
TO_MOVE, WINNER = "to move", "winner"


class Kind(StrEnum):
    """What is asked."""

    LEGAL_MOVES = "legal moves"
    NEXT_POSITION = "next position"

    @property
    def label(self) -> str:
        """What stands before an answer."""
        return MOVES_ANSWER if self is Kind.LEGAL_MOVES else POSITION_ANSWER


class RulesQuestion(NamedTuple):
    """A question about a position."""

    kind: Kind
    position: Position
    skin: Skin
    action: int = -1  # the move after which the position is asked for


def move_to_make(row: SuiteRow) -> int:
    """A move whose outcome can be foreseen, drawn by the row's id; -1 where none can.

    A move that turns up face-down cells cannot: nobody knows what is there.
    """
    position = row.position
    known = [action for action in position.legal if not position.reveals(action)]
    return known[Stream(row.id).below(len(known))] if known else -1


def sample_question(metadata: Mapping[str, Any]) -> RulesQuestion:
    """The question that a sample of the task asks."""
    row = suite_rows(metadata["game"], metadata["suite_version"])[metadata["suite_row"]]
    skin = skin_named(row.game, metadata["skin"])
    return RulesQuestion(Kind(metadata["kind"]), row.position, skin, move_to_make(row))


def question_prompt(
    kind: Kind, position: Position, conditions: Conditions, action: int = -1
) -> Prompt:
    """The question in words."""
    skin = skin_named(position.game, conditions.skin)
    system = [
        f"You are asked about {skin.words.title}, a game for two players.",
        *("", rules_text(position, conditions)),
        *("", "How moves are written", skin.answer(position.board)),
        *("", "Think as long as you like. Only the last line of your reply counts."),
    ]
    user = [position_text(position, conditions), "", f"{QUESTION}: {kind}"]
    if kind is Kind.LEGAL_MOVES:
        user += [
            "Which moves can you make now? List all of them, and no others.",
            *(
                f'A move with "{mark.strip()}" and the same move without it are two moves.'
                for mark in skin.words.marks.values()
            ),
            f"End your reply with one line: {MOVES_ANSWER} and the moves, separated by semicolons.",
        ]
    else:
        user += [
            f"{MOVE}: {skin.move_text(position, action)}",
            "What is the position after you have made this move?",
            f"End your reply with one line: {POSITION_ANSWER} and a JSON object like this one:",
            json.dumps(_blank(_fields(position.play(action), skin)), ensure_ascii=False),
            f'"{TO_MOVE}" is whose turn it is then, "{NOBODY}" if the game is over. "{WINNER}" is '
            f'who has won, "{DRAW}", or "{NOBODY}". All lists are complete, in any order.',
        ]
    return Prompt("\n".join(system), "\n".join(user))


def right_answer(question: RulesQuestion) -> str:
    """The line that answers a question."""
    _, position, skin, action = question
    if question.kind is Kind.LEGAL_MOVES:
        return f"{MOVES_ANSWER} {SEPARATOR.join(skin.legal_moves(position).values())}"
    return f"{POSITION_ANSWER} {json.dumps(_fields(position.play(action), skin))}"


def _fields(position: Position, skin: Skin) -> dict[str, Any]:
    """What can be said of a position, by name; only what the game has."""
    view, words = skin.show(position), skin.words
    who, nouns = words.players, words.nouns
    winner = position.outcome.winner if position.outcome else 0
    known: dict[str, Any] = {
        TO_MOVE: who[position.turn - 1] if position.turn else NOBODY,
        WINNER: {0: NOBODY, 3: DRAW}.get(winner) or who[winner - 1],
    }
    if view.scores:
        known[nouns.score] = dict(zip(who, view.scores, strict=True))
    tokens = {cell.token: cell.name for cell in view.cells if cell.token}
    if tokens:
        known[nouns.token] = {who[player - 1]: tokens[player] for player in sorted(tokens)}
    for label, cells in (
        (nouns.visited, [(cell.name, cell.visited) for cell in view.cells]),
        (nouns.claimed, [(cell.name, (cell.owner,)) for cell in view.cells]),
    ):
        by = {
            name: [cell for cell, players in cells if number in players]
            for number, name in enumerate(who, 1)
        }
        if any(by.values()):
            known[f"{label} by"] = by
    return known


def _blank(value: Any) -> Any:  # noqa: ANN401 - of JSON
    """A field of an answer with nothing in it."""
    if isinstance(value, dict):
        return {who: _blank(each) for who, each in value.items()}
    if isinstance(value, list):
        return ["…"]
    return 0 if isinstance(value, int) else "…"


# Grading


class GradedAnswer(NamedTuple):
    """How right an answer is: each part of it, and whether there was one at all."""

    right: dict[str, bool]
    detail: str = ""
    failure: Failure | None = None  # why there was no answer that can be read
    problem: str = ""  # the same in a sentence for the model, which does not say what is right

    @property
    def answered(self) -> bool:
        """Whether there was an answer, right or wrong."""
        return self.failure is None

    @property
    def exact(self) -> bool:
        """Whether all of it is right."""
        return self.answered and all(self.right.values())


def grade_answer(question: RulesQuestion, text: str, stop: str = "stop") -> GradedAnswer:
    """An answer compared with the right one; `stop` is why it ended, as for a move.

    What is wrong with its form does not depend on what is right: a model that may try again learns
    nothing else.
    """
    kind, label = question.kind, question.kind.label
    given = "" if stop in REFUSALS else _after_label(text, label)
    grade = _grade_moves if kind is Kind.LEGAL_MOVES else _grade_position
    graded, ended = grade(question, given)
    failure, problem = None, graded.problem
    if stop in REFUSALS:
        failure, problem = Failure.REFUSED, "The reply was stopped by a safeguard."
    elif stop in CUT_OFF and not ended:
        failure, problem = Failure.TRUNCATED, "Your reply was cut off before its end."
    elif not given.strip():
        failure, problem = Failure.NO_MOVE, f"Your reply has no line {label} with an answer."
    elif problem:
        failure = Failure.UNREADABLE
    return graded._replace(failure=failure, problem=problem)


class QuestionTurn(Conversation[GradedAnswer]):
    """A model that is asked a question about the rules."""

    def __init__(
        self, question: RulesQuestion, messages: list[dict[str, str]], retries: int
    ) -> None:
        super().__init__(messages, retries)
        self.question = question
        self.stop = ""  # why the last reply ended

    def read(self, text: str, stop: str) -> GradedAnswer:
        """How right an answer is, or what is wrong with its form."""
        self.stop = stop
        return grade_answer(self.question, text, stop)

    def ask_again(self, read: GradedAnswer) -> str:
        """What was wrong with the form. Nothing that is said here depends on what is right."""
        return (
            f"{read.problem}\nThe question is the same. Try again. End your reply with one line: "
            f"{self.question.kind.label} and your answer, in the form that was asked for."
        )

    @property
    def record(self) -> dict[str, Any]:
        """What a log keeps to grade the final reply again: `retried` is why others were none."""
        retried = self.failures[: self.retries]
        return {"stop": self.stop, "retried": [str(each) for each in retried]}


def _after_label(text: str, label: str) -> str:
    """What comes after the last label: first at the start of a line, first in capitals.

    What a model only thinks does not count.
    """
    plain = said(text)
    # Bounded repeats, so that a megabyte is read in linear time.
    pattern = rf"{label.rstrip(':')}[\s*_`\"'~]{{0,8}}[:=]"
    start = r"^[\s>#|*_`\"'~-]{0,12}"
    for before in (f"(?m){start}", f"(?im){start}", r"(?<![^\W_])"):
        _before, *after = re.split(before + pattern, plain)
        if after:
            return after[-1]
    return ""


def _grade_moves(question: RulesQuestion, given: str) -> tuple[GradedAnswer, bool]:
    """How right a list of moves is, and whether it had certainly ended where the text ends."""
    _, position, skin, _ = question
    listed = read_move_list(given, position, skin)
    missing = [skin.move_text(position, action) for action in {*position.legal} - listed.legal]
    right = {"none missing": not missing, "none wrong": not listed.wrong}
    wrong = [move[:40] for move in listed.wrong[:20]]
    detail = f"Missing: {sorted(missing)}. Not legal: {wrong}."
    line, end, rest = given.partition("\n")
    ended = bool(line.strip() and end and not rest.strip())
    return GradedAnswer(right, detail, problem=listed.problem), ended


def _grade_position(question: RulesQuestion, given: str) -> tuple[GradedAnswer, bool]:
    """How right a JSON object is, field by field, and whether the text ends with it."""
    _, position, skin, action = question
    wanted = _fields(position.play(action), skin)
    try:
        answer, end = json.JSONDecoder().raw_decode(given, given.find("{"))
    except (ValueError, RecursionError, IndexError):
        answer, end = None, 0
    if not isinstance(answer, dict):
        problem = f"What follows {POSITION_ANSWER} is not a JSON object."
        return GradedAnswer(dict.fromkeys(wanted, False), problem=problem), False
    named = {_tidy(name): value for name, value in answer.items()}
    right = {
        name: _same(position, skin, value, named.get(_tidy(name))) for name, value in wanted.items()
    }
    wrong = [name for name, is_right in right.items() if not is_right]
    detail = f"Wrong: {wrong}." if wrong else ""
    return GradedAnswer(right, detail), not given[end:].strip(" \n*_`")


def _tidy(name: object) -> str:
    return " ".join(str(name).casefold().replace("_", " ").split())


def _same(position: Position, skin: Skin, wanted: Any, given: Any) -> bool:  # noqa: ANN401 - of JSON
    """Whether a field of an answer says what it should: whose turn it is, or a thing of each."""
    if not isinstance(wanted, dict):
        return _tidy(wanted) == _tidy(given)
    if not isinstance(given, dict):
        return False
    named = {_tidy(name): value for name, value in given.items()}
    return all(
        _same_part(position, skin, value, named.get(_tidy(name))) for name, value in wanted.items()
    )


def _same_part(position: Position, skin: Skin, wanted: Any, given: Any) -> bool:  # noqa: ANN401 - of JSON
    """Whether a score, a cell or a list of cells says what it should."""
    if isinstance(wanted, list):
        if not isinstance(given, list) or len(given) > MAX_ITEMS:
            return False
        cells = [_cell(position, skin, each) for each in given]
        return {*cells} == {_cell(position, skin, each) for each in wanted}
    if isinstance(wanted, str):
        return _cell(position, skin, given) == _cell(position, skin, wanted) is not None
    return str(given).strip() == str(wanted)


def _cell(position: Position, skin: Skin, given: object) -> int | None:
    """The cell that an answer names; None for none."""
    try:
        return skin.parse_cell(position.board, str(given)[:40])
    except MoveError:
        return None
