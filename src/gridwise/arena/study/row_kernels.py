"""What happens to many games at once, a row of arrays for each: plain functions to be compiled.

Importing this module imports numba.
"""

from __future__ import annotations

from gridwise.engine.compiled.bitmasks import draw, random_bits
from gridwise.engine.compiled.kernels import pack, with_cells
from gridwise.engine.compiled.pointers import as_pointer
from gridwise.engine.compiled.specialize import Grid, Ints, moves, play, start, unpack, winner


def deal_rows(cells: Ints, stream: Ints, low: int, choices: int) -> None:
    """Deal all cells, board by board, each number from `low` on equally likely."""
    for game in range(len(cells)):
        for cell in range(cells.shape[1]):
            cells[game, cell] = low + (random_bits(stream) * choices >> 31)


def begin_rows(board: Grid, cells: Ints, states: Ints, legal: Ints) -> None:
    """Write the first state on each board, and its legal actions."""
    for game in range(len(states)):
        grid = with_cells(board, as_pointer(cells[game]))
        state = start(grid, 1)
        pack(state, states[game], 0)
        legal[game] = moves(grid, state)


def play_rows(
    board: Grid, cells: Ints, states: Ints, legal: Ints, actions: Ints, winners: Ints
) -> None:
    """Play an action in each game that is not over."""
    for game in range(len(states)):
        if not legal[game]:
            continue
        grid = with_cells(board, as_pointer(cells[game]))
        state = play(grid, unpack(states[game], 0), actions[game])
        pack(state, states[game], 0)
        legal[game] = moves(grid, state)
        if not legal[game]:
            winners[game] = winner(grid, state)


def draw_rows(sets: Ints, streams: Ints, actions: Ints) -> None:
    """An action of each game's set, each equally likely."""
    for game in range(len(sets)):
        if sets[game]:
            actions[game] = draw(sets[game], streams[game : game + 1])
