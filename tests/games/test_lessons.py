"""The guided first games can be played as written."""

from __future__ import annotations

import re

import pytest

from gridwise import Game, Match, games
from gridwise.core.contracts import Lesson
from gridwise.engine.evaluation import Limits, evaluate
from gridwise.testing import check_lesson


def lesson_of(game: Game) -> Lesson:
    """Every game that is shipped has one."""
    lesson = game.lesson
    assert lesson is not None
    return lesson


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
def test_a_lesson_is_three_or_four_moves_to_a_win(game: Game) -> None:
    """Every move is legal and named, the learner's are Player 1's, and the last one wins."""
    assert len(lesson_of(game).steps) in (3, 4)
    check_lesson(game)


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
def test_a_lesson_asks_for_no_bad_move(game: Game) -> None:
    """The move that is asked for is as good as any other, as the engine sees it."""
    lesson = lesson_of(game)
    match = Match(game, lesson.board, first=1)
    for step in lesson.steps:
        action = match.read(step.move)
        limits = Limits(nodes=20_000) if game.has_hidden_cells else Limits()
        evaluation = evaluate(match.position, limits)
        assert evaluation.move_value(action).points >= evaluation.points - 0.01
        for move in (step.move, *step.then.split()):
            match.move(move)


def test_scores_named_in_lessons_are_the_scores() -> None:
    """`You have 9.` in a lesson is what the rules make of it."""
    counted = 0
    for game in games():
        lesson = lesson_of(game)
        match = Match(game, lesson.board, first=1)
        for step in lesson.steps:
            match.move(step.move)
            scores = [match.view.scores]
            for move in step.then.split():
                match.move(move)
                scores.append(match.view.scores)
            for named in re.findall(r"(?:You have|Your total is) (\d+)", step.because):
                assert int(named) in {each[0] for each in scores if each}
                counted += 1
            for named in re.findall(r"Red[^.]* has (\d+)", step.because):
                assert scores[-1] is not None
                assert scores[-1][1] == int(named)
                counted += 1
    assert counted >= 8
