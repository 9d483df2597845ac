"""Lessons and puzzles, as pages show them: what stands on the board, and what is said.

Nothing is kept between two requests: the address says which step or puzzle it is, and everything
follows from that.
"""

from __future__ import annotations

import datetime as dt
from functools import lru_cache
from typing import Any, NamedTuple

from gridwise.core.game import Game
from gridwise.core.lesson import Lesson
from gridwise.core.registry import game as game_of
from gridwise.core.registry import games
from gridwise.engine.puzzles import Puzzle, explained, make_puzzle, refuted
from gridwise.errors import MoveError
from gridwise.play.match import Match
from gridwise.show.svg import PAGE, svg
from gridwise.web.asking import questions
from gridwise.web.refusals import NotFound

BY_WEEKDAY = (1, 2, 2, 3, 3, 4, 5)  # how hard the puzzle of the day is, from Monday on


# Lessons


def lesson_of(game: Game) -> Lesson:
    """The guided first game; raises NotFound."""
    lesson = game.teach()
    if lesson is None:
        raise NotFound(f"There is no guided game of {game.title} yet. Its rules are a page away.")
    return lesson


def lesson_step(game: Game, step: int) -> dict[str, Any]:
    """What is shown before the coached move `step`, counted from 1; after the last, the end."""
    lesson = lesson_of(game)
    if not 1 <= step <= len(lesson.steps) + 1:
        raise NotFound(f"This lesson has {len(lesson.steps)} steps.")
    match = _played(game, lesson, step)
    done = step > len(lesson.steps)
    told = [lesson.opening] if step == 1 else [lesson.steps[step - 2].because]
    if done:
        told.append(lesson.end)
    return {
        "step": step,
        "steps": len(lesson.steps),
        "done": done,
        "told": told,
        "say": "" if done else lesson.steps[step - 1].say,
        "caption": match.view.caption,
        "svg": svg(match.view, PAGE, playable=True),
        "questions": questions(match.position),
    }


def lesson_answer(game: Game, step: int, text: str) -> str:
    """What is wrong with a move at that step; nothing if it is the one that was asked for."""
    lesson = lesson_of(game)
    if not 1 <= step <= len(lesson.steps):
        raise NotFound(f"This lesson has {len(lesson.steps)} steps.")
    match = _played(game, lesson, step)
    coached = lesson.steps[step - 1]
    try:
        action = match.read(text)
    except MoveError as error:
        return str(error)
    return "" if action == match.read(coached.move) else coached.otherwise


def _played(game: Game, lesson: Lesson, step: int) -> Match:
    """The game of a lesson as it stands before that step."""
    match = Match(game, lesson.board, first=1)
    for coached in lesson.steps[: step - 1]:
        for move in (coached.move, *coached.then.split()):
            match.move(move)
    return match


# Puzzles


class Daily(NamedTuple):
    """Which puzzle it is on a day."""

    game: str
    difficulty: int
    seed: str


def puzzle_of_the_day(day: dt.date) -> Daily:
    """The games in turn, harder towards the end of the week; the same for everybody."""
    known = games()
    game = known[day.toordinal() % len(known)]
    return Daily(game.key, BY_WEEKDAY[day.weekday()], day.isoformat())


@lru_cache(maxsize=256)
def puzzle_of(key: str, difficulty: int, seed: str) -> Puzzle:
    """A puzzle by its address. It takes a search: for a worker thread."""
    return make_puzzle(game_of(key), difficulty, seed)


def puzzle_page(
    key: str, difficulty: int, seed: str, move: str, *, give_up: bool
) -> dict[str, Any]:
    """What is shown of a puzzle, after an answer if there was one. For a worker thread."""
    puzzle = puzzle_of(key, difficulty, seed)
    game, board, state = puzzle.position[:3]
    wrong, solved = "", False
    if move:
        try:
            action = game.read_move(board, state, move)
        except MoveError as error:
            wrong = str(error)
        else:
            solved = action == puzzle.solution.action
            wrong = "" if solved else f"{refuted(puzzle, action)} Try again."
    over = solved or give_up
    view = game.view(board, state)
    asked = questions(puzzle.position)
    if over:
        cell = game.words.target(board, state, puzzle.solution.action)
        after = game.rules.play(board, state, puzzle.solution.action)
        view, asked = game.view(board, after, cell), []
    return {
        "turn": state.turn,
        "difficulty": puzzle.difficulty,
        "solved": solved,
        "over": over,
        "wrong": wrong,
        "explained": explained(puzzle) if over else "",
        "caption": view.caption,
        "svg": svg(view, PAGE, playable=True),
        "questions": asked,
    }
