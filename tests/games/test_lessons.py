"""The guided first games can be played as they are told."""

from __future__ import annotations

import re

import pytest

from gridwise import Game, Match, games
from gridwise.core.lesson import Lesson
from gridwise.engine.worth import Limits, weigh


def lesson_of(game: Game) -> Lesson:
    """Every game that is shipped has one."""
    lesson = game.teach()
    assert lesson is not None
    return lesson


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
def test_a_lesson_is_three_or_four_moves_to_a_win(game: Game) -> None:
    """Every move is legal, the learner's are Player 1's, and the last one wins."""
    lesson = lesson_of(game)
    assert len(lesson.steps) in (3, 4)
    match = Match(game, lesson.board, first=1)
    for step in lesson.steps:
        assert match.turn == 1
        match.move(step.move)
        for move in step.then.split():
            match.move(move)
    assert match.outcome
    assert match.outcome.winner == 1


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
def test_a_lesson_asks_for_no_bad_move(game: Game) -> None:
    """What is coached is worth as much as anything else, as the engine sees it."""
    lesson = lesson_of(game)
    match = Match(game, lesson.board, first=1)
    for step in lesson.steps:
        action = match.read(step.move)
        worth = weigh(match.position, Limits(nodes=20_000) if game.hides else Limits())
        chosen = next(option for option in worth.options if option.action == action)
        assert chosen.points >= worth.points - 0.01
        for move in (step.move, *step.then.split()):
            match.move(move)


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
def test_every_part_of_a_lesson_says_something(game: Game) -> None:
    """Each step names the move in the game's own words, or the cell it goes to."""
    lesson = lesson_of(game)
    match = Match(game, lesson.board, first=1)
    for step in lesson.steps:
        action = match.read(step.move)
        cell = game.words.target(match.board, match.state, action)
        name = game.words.NOTATION.cell_name(match.board, cell)
        assert step.move in step.say or name in step.say
        assert step.otherwise
        assert step.because
        for move in (step.move, *step.then.split()):
            match.move(move)
    assert lesson.opening
    assert lesson.end


def test_scores_told_in_lessons_are_the_scores() -> None:
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
            for told in re.findall(r"(?:You have|Your total is) (\d+)", step.because):
                assert int(told) in {each[0] for each in scores if each}
                counted += 1
            for told in re.findall(r"Player 2[^.]* has (\d+)", step.because):
                assert scores[-1] is not None
                assert scores[-1][1] == int(told)
                counted += 1
    assert counted >= 8
