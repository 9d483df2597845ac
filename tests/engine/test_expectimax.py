"""Winning probabilities against plain expectimax: every outcome of every claim, one by one."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest

from gridwise import Match, game
from gridwise.core.bits import bit_indices, random_bit
from gridwise.core.board import Board
from gridwise.core.contracts import State
from gridwise.core.position import Position
from gridwise.engine.evaluate import evaluate
from gridwise.engine.evaluation import Limits

CONQUEST = game("grid-conquest")
RULES = CONQUEST.rules


def chance_of(board: Board, state: State, memo: dict[tuple[Board, State], float]) -> float:
    """The probability that the player to move wins, both playing their best on what they see."""
    winner = RULES.winner(board, state)
    if winner:
        return 0.5 if winner == 3 else float(winner == state.turn)
    key = (board, state)
    if key not in memo:
        memo[key] = max(
            after_claim(board, state, action, memo)
            for action in bit_indices(RULES.moves(board, state))
        )
    return memo[key]


def after_claim(
    board: Board, state: State, action: int, memo: dict[tuple[Board, State], float]
) -> float:
    """The probability of winning with one claim: the average over all it may turn up."""
    turned_up = bit_indices((1 << action | board.neighbours8[action]) & board.unknown)
    outcomes = list(product(range(RULES.LOW, RULES.HIGH + 1), repeat=len(turned_up)))
    total = 0.0
    for values in outcomes:
        cells = list(board.cells)
        for cell, value in zip(turned_up, values, strict=True):
            cells[cell] = value
        known = replace(board, cells=tuple(cells))
        total += 1.0 - chance_of(known, RULES.play(known, state, action), memo)
    return total / len(outcomes)


def assert_same(position: Position) -> None:
    """The engine is exact here, and says what brute force says."""
    memo: dict[tuple[Board, State], float] = {}
    evaluation = evaluate(position)
    assert evaluation.exact
    for move in evaluation.moves:
        expected = after_claim(position.board, position.state, move.action, memo)
        assert move.win == pytest.approx(expected, abs=1e-9)
        assert move.error is None
    assert evaluation.win == pytest.approx(max(move.win or 0.0 for move in evaluation.moves))


@pytest.mark.parametrize(
    ("text", "target"),
    [("??/??", 5), ("??/??", 9), ("???", 4), ("???", 15), ("????", 7), ("?", 3), ("?", 15)],
)
def test_small_boards(text: str, target: int) -> None:
    """From the first claim to the last, on boards small enough to try everything."""
    board = CONQUEST.parse_board(text, target)
    assert_same(Position(CONQUEST, board))


def late_positions(count: int) -> list[Position]:
    """Positions of real games shortly before the end, with few cells left face down."""
    found: list[Position] = []
    seed = 0
    while len(found) < count:
        seed += 1
        rng = random.Random(seed)
        match = Match(CONQUEST, seed=seed)
        while not match.outcome:
            position = match.position
            scores = match.view.scores
            assert scores
            if position.board.unknown.bit_count() <= 2 and min(scores) >= 10:
                found.append(position)
                break
            match.move(random_bit(position.legal_mask, rng.random))
    return found


def test_late_positions() -> None:
    """On dozens of positions near the end of real games."""
    for position in late_positions(24):
        assert_same(position)


def test_a_board_of_ones_is_certain() -> None:
    """When everything has been turned up there is no chance left: whoever begins has one more."""
    board = CONQUEST.parse_board("111/111/111")
    match = Match(CONQUEST, board, first=1)
    match.move("B2")
    evaluation = evaluate(match.position)
    assert (evaluation.win, evaluation.exact) == (0.0, True)


def test_more_simulations_make_smaller_errors() -> None:
    """From the empty board the standard errors shrink, and the answer stays where it was."""
    position = Match(CONQUEST, seed=1, first=1).position
    few, many = evaluate(position, Limits(nodes=200)), evaluate(position, Limits(nodes=20_000))
    assert few.win is not None
    assert many.win is not None
    spread = max(move.error or 0.0 for move in few.moves)
    assert max(move.error or 0.0 for move in many.moves) < spread
    assert abs(few.win - many.win) < 4 * spread


def test_equal_seeds_give_equal_answers() -> None:
    """Limited by simulations, not by the clock, a search comes out the same."""
    position = Match(CONQUEST, seed=2, first=1).position
    assert evaluate(position, Limits(nodes=500)) == evaluate(position, Limits(nodes=500))
