"""What positions are worth, against solvers that other people wrote: easyAI's and OpenSpiel's.

Both go by our rules, which have tests of their own; what is compared is the searching.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from bench.peers import Clock, by_easy_ai, by_open_spiel
from gridwise import Board, Game, Position, game
from gridwise.core.bits import bit_indices
from gridwise.core.contracts import State
from gridwise.engine.evaluation import evaluate
from tests.sizes import sample

Solver = Callable[[Game, Board, State, Clock, int], int]

# A game, the size of its boards, how many plies are played at random, and how deep a peer looks.
SMALL = [
    ("number-run", 3, 3, 0, 20),
    ("number-run", 4, 4, 8, 20),
    ("number-run", 5, 5, 18, 20),
    ("number-connect", 3, 3, 0, 20),
    ("number-connect", 4, 4, 6, 20),
    ("number-maze", 2, 3, 0, 12),
    ("number-maze", 3, 3, 0, 9),
    ("number-maze", 4, 4, 2, 8),
    ("grid-runner", 3, 3, 0, 8),
    ("grid-runner", 5, 5, 10, 6),
]
POSITIONS = sample(3, long=6)  # of each of these


def positions(played: Game, rows: int, cols: int, plies: int) -> Iterator[tuple[Board, State]]:
    """Positions that are not over yet, after so many random moves, from a seed."""
    rng = random.Random(f"{played.key} {rows} {cols} {plies}")
    found = 0
    while found < POSITIONS:
        board = played.deal(rng, rows, cols)
        state = played.rules.start(board, 1)
        for _ in range(plies):
            if played.rules.moves(board, state):
                action = rng.choice(bit_indices(played.rules.moves(board, state)))
                state = played.rules.play(board, state, action)
        if played.rules.moves(board, state):
            found += 1
            yield board, state


@pytest.mark.parametrize("solver", [by_easy_ai, by_open_spiel])
@pytest.mark.parametrize(("key", "rows", "cols", "plies", "deep"), SMALL)
def test_values_are_those_of_peers(
    solver: Solver, key: str, rows: int, cols: int, plies: int, deep: int
) -> None:
    """A peer finds the same winner; where it finds none in some plies, there is none so soon."""
    played = game(key)
    for board, state in positions(played, rows, cols, plies):
        evaluation = evaluate(Position.from_state(played, board, state))
        assert evaluation.exact
        soon = evaluation.distance is not None and evaluation.distance <= deep
        expected = {"win": 1, "loss": -1}.get(evaluation.value or "", 0) if soon else 0
        assert solver(played, board, state, Clock(), deep) == expected, played.board_text(board)
