"""Handicaps even out the two games that Player 1 wins on their standard boards."""

from __future__ import annotations

import random

import pytest

from gridwise import Match, bot, game
from gridwise.engine.evaluate import evaluate
from gridwise.errors import BadBoard
from gridwise.play.records import parse_record, record_text


def test_number_run_with_a_head_start_goes_either_way() -> None:
    """On uniform boards perfect play is won about equally often by either side."""
    run = game("number-run")
    assert run.handicap
    rng = random.Random(21)
    wins = 0
    for _ in range(60):
        evaluation = evaluate(Match(run, run.handicap.even(run.deal(rng))).position)
        wins += evaluation.value == "win"
    assert 18 <= wins <= 42  # 60 throws of a fair coin stay within three standard deviations


def test_grid_runner_a_row_shorter_is_endless_and_can_be_won() -> None:
    """Neither side can force a win, where Player 1 could before; and casual bots win from both."""
    runner = game("grid-runner")
    assert runner.handicap
    board = runner.parse_board(runner.fixed)
    shorter = runner.handicap.even(board)
    assert evaluate(Match(runner, board).position).value == "win"
    assert evaluate(Match(runner, shorter).position).value == "endless"
    wins = {0: 0, 1: 0, 2: 0}
    for seed in range(60):
        match = Match(runner, shorter, max_plies=200)
        bots = [bot(runner, "casual", f"{seed} {player}") for player in (1, 2)]
        while not match.outcome:
            match.move(bots[match.turn - 1].choose(match.position))
        wins[match.outcome.winner] += 1
    assert min(wins[1], wins[2]) >= 18  # 60 throws of a fair coin, three standard deviations


def test_a_handicap_is_part_of_the_record() -> None:
    """It is written, read back, and the game resumes with it."""
    run = game("number-run")
    assert run.handicap
    match = Match(run, run.handicap.even(run.deal(random.Random(1))))
    assert match.view.scores == (0, 7)
    assert [cell.name for cell in match.view.cells if cell.token == 2] == ["3,3"]
    text = record_text(match.record())
    assert '[Handicap "7"]' in text
    assert parse_record(text) == match.record()


def test_a_handicap_where_there_is_none_is_refused() -> None:
    """Only Number Run has one in points, and it needs room."""
    with pytest.raises(BadBoard, match="no handicap"):
        game("number-maze").parse_board("11/11", handicap=3)
    with pytest.raises(BadBoard, match="at least 3 rows"):
        game("number-run").parse_board("11/11", handicap=3)
