"""The rules of Number Run, and nothing else.

Two tokens cross a grid of numbers towards each other's corner. No cell twice; every cell entered
scores its number; next to the opponent one may challenge, and the lower score goes back to start.

Pure functions over small integers. Nothing is checked: `play` is given legal actions only. A state
is seen from the side of the player to move: `my_…` is that player's, `your_…` the other's.
"""

from __future__ import annotations

from typing import NamedTuple

from gridwise.core.board import Board

# Actions 0 to 3 step up, down, left, right; 4 to 7 do the same and challenge.
ACTIONS = 8
CHALLENGE = 4
LOW, HIGH = 1, 5
CYCLIC = False


class State(NamedTuple):
    """Where both stand, where they have been, and what they have scored."""

    turn: int
    my_cell: int
    your_cell: int
    my_visited: int
    your_visited: int
    my_score: int
    your_score: int


def start(board: Board, first: int) -> State:
    """Both tokens on their starts, which count as visited; nobody has scored.

    With a handicap Player 2 starts a cell up and a cell left, with that many points.
    """
    mine, yours = board.starts[first], board.starts[3 - first]
    if board.handicap == 0:
        return State(first, mine, yours, 1 << mine, 1 << yours, 0, 0)
    ahead = board.starts[2] - board.cols - 1
    visited = 1 << board.starts[2] | 1 << ahead
    if first == 1:
        return State(first, mine, ahead, 1 << mine, visited, 0, board.handicap)
    return State(first, ahead, yours, visited, 1 << yours, board.handicap, 0)


def moves(board: Board, state: State) -> int:
    """Step to a cell next to you that you have not visited and the opponent is not on."""
    turn, my_cell, your_cell, my_visited, _, _, _ = state
    if your_cell == board.starts[turn]:
        return 0
    open_cells = board.neighbours4[my_cell] & ~(my_visited | 1 << your_cell)
    # On the opponent's start the game is won, so there is nobody left to challenge.
    contact = open_cells & board.neighbours4[your_cell] & ~(1 << board.starts[3 - turn])
    legal = 0
    for action, to in enumerate(board.steps[my_cell]):
        # Off the grid, `to` is -1 and cell 63 is asked for, which no board has.
        legal |= (open_cells >> (to & 63) & 1) << action
        legal |= (contact >> (to & 63) & 1) << action + CHALLENGE
    return legal


def play(board: Board, state: State, action: int) -> State:
    """Enter the cell, score it, settle a challenge, pass the turn."""
    turn, my_cell, your_cell, my_visited, your_visited, my_score, your_score = state
    my_cell = board.steps[my_cell][action & 3]
    my_visited |= 1 << my_cell
    my_score += board.cells[my_cell]
    if action >= CHALLENGE:
        if my_score > your_score:
            your_cell, your_score = board.starts[3 - turn], 0
        elif my_score < your_score:
            my_cell, my_score = board.starts[turn], 0
    return State(3 - turn, your_cell, my_cell, your_visited, my_visited, your_score, my_score)


def winner(board: Board, state: State) -> int:
    """A player who cannot move has lost: the opponent is on their start, or they are stuck."""
    if moves(board, state):
        return 0
    return 3 - state.turn


def hidden(board: Board, state: State) -> int:
    """Everything is in the open."""
    return 0
