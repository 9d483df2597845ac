"""Guided first games: what is shown and said at each step, on a page and in the app.

A lesson is data (`games/*/lesson.toml`). Nothing is kept between two steps: a place in a lesson is
made from its number alone.
"""

from __future__ import annotations

from typing import NamedTuple

from gridwise.core.contracts import Lesson
from gridwise.core.game import Game
from gridwise.core.narration import COLOURS, YOU, Names, capitalized
from gridwise.core.position import Position, replay
from gridwise.engine.evaluation import evaluate
from gridwise.engine.explain import explain
from gridwise.engine.review import SLIP, what_if_limits
from gridwise.errors import BadRequest, MoveError

LEARNER: Names = (YOU, COLOURS[1])  # you are Blue


class LessonPlace(NamedTuple):
    """Where a learner is."""

    number: int  # of the step to come, from 1; one more than there are at the end
    steps: int
    way: list[Position]  # from the learner's last move to here
    says: list[str]
    task: str = ""  # the move that is asked for, in words; empty where none is
    look: tuple[int, ...] = ()  # the cell of that move, and others that the words speak of
    trap: str = ""  # the question that the line that goes wrong answers, where the step has one

    @property
    def over(self) -> bool:
        """Whether the lesson is won."""
        return self.number > self.steps

    @property
    def position(self) -> Position:
        """Where the learner stands."""
        return self.way[-1]


class LessonAnswer(NamedTuple):
    """What a move at a step comes to."""

    wrong: str = ""  # what is wrong with it; empty if it is the one that is asked for
    is_trap: bool = False  # whether it begins the line that goes wrong


def lesson_place(game: Game, number: int) -> LessonPlace:
    """What to show before the move `number`; after the last, the end."""
    lesson, positions = _at(game, number)
    coming = lesson.steps[number - 1] if number <= len(lesson.steps) else None
    last = lesson.steps[number - 2] if number > 1 else None
    way = positions[-len(f"{last.move} {last.then}".split()) - 1 :] if last else positions
    says = [last.because if last else lesson.opening]
    if coming is None:
        return LessonPlace(number, len(lesson.steps), way, [*says, lesson.end])
    position = way[-1]
    cells = position.game.text.NOTATION.cell_names(position.board)
    look = position.target(position.read(coming.move)), *map(cells.index, coming.look.split())
    trap = coming.trap.say if coming.trap else ""
    return LessonPlace(number, len(lesson.steps), way, says, coming.say, look, trap)


def trap_place(game: Game, number: int) -> LessonPlace:
    """The line that goes wrong at a step; raises BadRequest where there is none."""
    lesson, positions = _at(game, number)
    trap = lesson.steps[number - 1].trap if number <= len(lesson.steps) else None
    if trap is None:
        raise BadRequest(f"There is nothing that goes wrong at step {number}.")
    way, true_board = [positions[-1]], game.parse_board(lesson.board)
    for move in trap.moves.split():
        way.append(way[-1].after(move, true_board))
    return LessonPlace(number, len(lesson.steps), way, [trap.because], trap=trap.say)


def lesson_answer(game: Game, number: int, move: str | int) -> LessonAnswer:
    """What a move at a step comes to; raises BadRequest once the lesson is over."""
    lesson, (*_, position) = _at(game, number)
    if number > len(lesson.steps):
        raise BadRequest("The lesson is over. You can start it over.")
    coached = lesson.steps[number - 1]
    try:
        action = position.read(move)
    except MoveError as error:
        return LessonAnswer(str(error))
    trap = coached.trap and position.read(coached.trap.moves.split()[0])
    wrong = "" if action == position.read(coached.move) else coached.otherwise
    return LessonAnswer(wrong, action == trap)


def lesson_reason(game: Game, number: int, move: str | int) -> str:
    """What can be seen on the board of a move at a step that is a mistake; empty where it is none.

    One sentence: the lesson has its own words for the rest. It searches: it is for a process that
    thinks.
    """
    _, (*_, position) = _at(game, number)
    try:
        action = position.read(move)
    except MoveError:
        return ""
    evaluation = evaluate(position, what_if_limits(game))
    if evaluation.move_value(action).points >= evaluation.points - SLIP:
        return ""
    told = explain(position, action, evaluation)
    seen = told._replace(facts=tuple(fact for fact in told.facts if not fact.is_general)[-1:])
    return f"{capitalized(told.move)}: {seen.text(LEARNER)}" if seen.facts else ""


def _at(game: Game, number: int) -> tuple[Lesson, list[Position]]:
    """A lesson, and its positions up to a step; raises BadRequest for one beyond its end."""
    lesson = game.lesson
    if lesson is None:
        raise BadRequest(f"There is no guided game of {game.title} yet. You can read its rules.")
    steps = lesson.steps
    if not 1 <= number <= len(steps) + 1:
        raise BadRequest(f"There is no step {number}. This lesson has {len(steps)} steps.")
    moves = [move for each in steps[: number - 1] for move in f"{each.move} {each.then}".split()]
    return lesson, list(replay(game, lesson.board, 1, moves))
