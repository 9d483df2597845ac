"""`gridwise puzzle`: lines to be played to their end, and what is said about them."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path

import pytest

from gridwise.core.position import Position
from gridwise.core.registry import game as game_named
from gridwise.core.registry import games
from gridwise.engine.puzzles import (
    Puzzle,
    PuzzleLine,
    levels,
    nearest_level,
    puzzle_at,
    puzzle_of_the_day,
    shuffled_puzzle,
    start_line,
)
from tests.cli.program import GAMES, Run, gridwise


def puzzle_run(home: Path, *args: str, typed: list[str]) -> Run:
    """A run with a seed, and what is typed in it."""
    return gridwise("puzzle", *args, "--seed", "3", home=home, typed=typed)


def asked(game: str, difficulty: int, turn: int = 0) -> Puzzle:
    """The puzzle that such a run asks first."""
    return puzzle_at(shuffled_puzzle(game_named(game), difficulty, 3, turn))


def answers(position: Position, action: int) -> list[str]:
    """What a person types to play a move."""
    question = position.question(action)
    if not question:
        return [position.name(action)]
    answer = next(text for text, meant in question.answers.items() if meant == action)
    return [position.name(question.undecided), answer]


def solution(puzzle: Puzzle) -> list[str]:
    """What a person types to solve it."""
    line: PuzzleLine = start_line(puzzle)
    typed = []
    while not line.is_solved:
        if line.awaits_answer:
            line = line.after_answer()
        else:
            action = line.step.solution.action
            typed += answers(line.position, action)
            line = line.after(action)
    return typed


@pytest.mark.parametrize("game", GAMES)
def test_a_puzzle_is_played_until_it_is_won(home: Path, game: str) -> None:
    """The opponent answers every move but the last; then it is solved, and counted."""
    difficulty = nearest_level(game_named(game), 3)
    puzzle = asked(game, difficulty)
    moves = solution(puzzle)
    run = puzzle_run(home, game, "--difficulty", str(difficulty), typed=[*moves, "quit"])
    assert (run.status, run.err) == (0, "")
    assert "to move and win." in run.out
    assert (
        f"difficulty {difficulty} of 5, number {puzzle.number}, rated {puzzle.rating}." in run.out
    )
    assert run.out.count("You won: ") == 1
    assert "Solved on the first try." in run.out
    assert "You solved 1 of 1, 1 on the first try." in run.out
    assert "1 puzzle solved" in run.out
    assert " wins (in" not in run.out  # nothing was given away


def test_a_wrong_move_is_refuted_and_the_puzzle_goes_on(home: Path) -> None:
    """It is solved all the same, but not on the first try."""
    puzzle = asked("number-connect", 2)
    step = start_line(puzzle).step
    wrong = next(each for each in step.evaluation.moves if each.action != puzzle.solution.action)
    run = puzzle_run(
        *(home, "number-connect", "--difficulty", "2"),
        typed=[wrong.move, *solution(puzzle), "quit"],
    )
    assert f"{wrong.move} " in run.out.partition("Your move: ")[2]
    assert "Try again." in run.out
    assert "You solved 1 of 1, 0 on the first try." in run.out


@pytest.mark.parametrize("word", ["quit", "q", "exit", "next", ""])
def test_leaving_a_puzzle_gives_nothing_away(home: Path, word: str) -> None:
    """Neither the one that is left nor the one after it; what was not tried is not counted."""
    puzzle = asked("number-connect", 2)
    run = puzzle_run(home, "number-connect", "--difficulty", "2", typed=[word] * bool(word))
    assert run.status == 0
    said = run.out.partition("to move and win.")[2]
    assert not re.search(rf"(?<![\d,]){puzzle.solution.move} wins", said)
    counted = re.search(r"You solved (\d+) of (\d+)", run.out)
    assert counted is None if word != "next" else counted and counted.groups() == ("0", "1")


def test_the_solution_comes_on_answer(home: Path) -> None:
    """With the whole line; then the next puzzle is asked, and this one was not solved."""
    puzzle = asked("number-connect", 2)
    run = puzzle_run(home, "number-connect", "--difficulty", "2", typed=["answer", "quit"])
    moves = start_line(puzzle).solution()
    assert f"Only {puzzle.solution.move} wins (in {(len(moves) + 1) // 2} moves)." in run.out
    said = " ".join(run.out.split())
    assert all(f"- {move.why}" in said for move in moves)
    assert "Puzzle 2:" in run.out
    assert "You solved 0 of 1, 0 on the first try." in run.out
    assert "0 puzzles solved" in run.out
    assert re.search(r"Puzzle rating: 10\d\d \(-\d+\)", run.out)  # looking is not solving


def test_help_and_hints_come_at_the_prompt(home: Path) -> None:
    """Help says how moves are written; a hint names a move that does not win."""
    run = puzzle_run(
        *(home, "number-connect", "--difficulty", "2"),
        typed=["help", "hint", "board", "read", "rules", "quit"],
    )
    text = game_named("number-connect").text
    assert text.HELP.splitlines()[0] in run.out
    assert "answer  show the solution" in run.out
    assert ": your opponent answers with " in run.out
    assert "Row 0: 0,0 is" in run.out
    assert "# Number Connect" in run.out
    assert run.out.count("Your move: ") == 6


def test_the_puzzle_of_the_day(home: Path) -> None:
    """It is one for everybody; solved, it begins a streak, and a second time changes nothing."""
    before = dt.datetime.now(dt.UTC).date()
    puzzle = puzzle_at(puzzle_of_the_day(before))
    first = gridwise("puzzle", "--daily", home=home, typed=solution(puzzle))
    again = gridwise("puzzle", "--daily", home=home, typed=solution(puzzle))
    if dt.datetime.now(dt.UTC).date() != before:
        pytest.skip("it is another day now")
    assert (first.status, first.err) == (0, "")
    assert puzzle.position.game.title in first.out
    assert "Solved on the first try." in first.out
    for run in (first, again):
        assert "So far: 1 puzzle solved. Streak: 1 day. Puzzle rating: 11" in run.out
    moved = re.compile(r"Puzzle rating: \d+ \(\+\d+\)")
    assert moved.search(first.out)
    assert not moved.search(again.out)
    assert "solved it already" in again.out


def test_the_puzzle_of_an_earlier_day(home: Path) -> None:
    """It is the one that there was, and adds no day to the streak."""
    puzzle = puzzle_at(puzzle_of_the_day(dt.date(2026, 11, 12)))
    run = gridwise("puzzle", "--day", "2026-11-12", home=home, typed=solution(puzzle))
    assert (run.status, run.err) == (0, "")
    assert "The puzzle of 12 November 2026: " in run.out
    assert "Solved on the first try." in run.out
    assert "1 puzzle solved. Streak: 0 days." in run.out
    for day, why in (("2099-01-01", "not out yet"), ("soon", "Write it like 2026-11-12")):
        refused = gridwise("puzzle", "--day", day, home=home, typed=[])
        assert (refused.status, refused.out) == (2, "")
        assert why in refused.err


def test_puzzles_come_near_the_rating(home: Path) -> None:
    """A new player gets some of 1100; who has seen the answer of one gets another one."""
    run = gridwise("puzzle", "connect", "--seed", "3", home=home, typed=["answer"] * 3 + ["quit"])
    numbers = re.findall(r"Puzzle \d+: Number Connect, difficulty (\d) of 5, number (\d+)", run.out)
    assert len(set(numbers)) == 4
    assert {level for level, _ in numbers} <= {"1", "2"}


def test_the_puzzle_of_the_day_takes_no_other_wishes(home: Path) -> None:
    """A game, a difficulty or a seed would make it another puzzle."""
    run = gridwise("puzzle", "number-run", "--daily", home=home, typed=[])
    assert (run.status, run.out) == (2, "")
    assert "--daily" in run.err


def test_sentences_instead_of_a_board(home: Path) -> None:
    """With --linear everything is said in sentences."""
    typed = ["rules", "quit"]
    run = puzzle_run(home, "number-maze", "--difficulty", "2", "--linear", typed=typed)
    assert "# Number Maze" in run.out
    assert run.out.count("Row 1: 1,1 is") == 2
    assert "+---" not in run.out


def test_a_difficulty_that_a_game_does_not_have_is_refused(home: Path) -> None:
    """The message says which ones it has; without a game, others are asked."""
    some, level = next(
        (each, level) for each in games() for level in range(1, 6) if level not in levels(each)
    )
    run = puzzle_run(home, some.key, "--difficulty", str(level), typed=[])
    assert (run.status, run.out) == (2, "")
    known = " ".join(map(str, levels(some)))
    assert f"{some.title} has no puzzles of difficulty {level}. It has: {known}." in run.err
    run = puzzle_run(home, "--difficulty", str(level), typed=["next", "next", "next", "quit"])
    assert run.status == 0
    assert run.out.count(f"difficulty {level} of 5") == 4
    assert some.title not in run.out
