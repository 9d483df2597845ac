"""What a beginner sees in a move of Grid Runner: the shortest way to the goal."""

from __future__ import annotations

from gridwise.core.board import Board, grid_distance
from gridwise.games.grid_runner.rules import OPEN, State

# A step forward counts for more than the bots' noise, or they go to and fro: when it counted 1.0 a
# casual bot took 17 moves for a way of 8. Obstacles ahead are seen, but not as well as the goal: a
# bot that goes by the true distance alone never errs as Player 1.
WAY, SIGHT = 0.8, 1.0


def score(board: Board, state: State, action: int) -> float:
    """How good a move looks at first sight."""
    to, goal = board.steps[state.my_cell][action], board.starts[3 - state.turn]
    return -WAY * steps_between(board, to, goal) - SIGHT * grid_distance(board.cols, to, goal)


def steps_between(board: Board, cell: int, goal: int) -> int:
    """The steps from a cell to a goal, nobody being in the way; all cells if there is no way."""
    seen = edge = 1 << goal
    steps = 0
    while edge and not seen >> cell & 1:
        around = 0
        for near in range(board.size):
            if edge >> near & 1:
                around |= board.neighbours4[near]
        edge = 0
        for near in range(board.size):
            if around >> near & 1 and not seen >> near & 1 and board.cells[near] == OPEN:
                edge |= 1 << near
        seen |= edge
        steps += 1
    return steps if seen >> cell & 1 else board.size
