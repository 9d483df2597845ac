"""In kernels: many games at once, told as planes and masks. The same as `observation`, compiled.

Games are rows of arrays: `cells[game]` is its board, `states[game]` its state.
"""

from __future__ import annotations

from gridwise.core.game import State
from gridwise.engine.binding import Grid, Ints, counts, hidden, moves, planes, unpack
from gridwise.engine.tables import table_of
from gridwise.engine.twin import with_cells
from gridwise.envs.observation import MOST


def dealt(board: Grid, cells: Ints) -> Grid:
    """The board with the values of one game."""
    return with_cells(board, table_of(cells))  # type: ignore[call-arg] # as numba calls it


def observe_games(
    board: Grid, cells: Ints, states: Ints, players: Ints, chosen: Ints, seen: Ints, legal: Ints
) -> None:
    """Write what is seen of the chosen games, and what is legal in them.

    `players[game]` is who looks, 0 for the player to move. `seen` has a row of cells for each plane
    of each game.
    """
    for game in range(len(states)):
        if not chosen[game]:
            continue
        grid = dealt(board, cells[game])
        state = unpack(states[game], 0)
        player = players[game] or state.turn
        _write_planes(grid, state, player, seen[game])
        actions = moves(grid, state)
        for action in range(legal.shape[1]):
            legal[game, action] = actions >> action & 1


def _write_planes(board: Grid, state: State, player: int, seen: Ints) -> None:
    # Written so that the compiler makes wide instructions of the loops over cells.
    size = board.size
    unseen = hidden(board, state)
    for cell in range(size):
        seen[0, cell] = board.cells[cell] * (1 - (unseen >> cell & 1))
    plane = 1
    masks = (*planes(board, state, player), 0)  # never empty, which could not be indexed
    for number in range(len(masks) - 1):
        mask = masks[number]
        for cell in range(size):
            seen[plane, cell] = mask >> cell & 1
        plane += 1
    numbers = (*counts(board, state, player), int(player == state.turn), int(player == 1))
    for number in range(len(numbers)):
        count = min(max(numbers[number], 0), MOST)
        for cell in range(size):
            seen[plane, cell] = count
        plane += 1
