"""The standard board of every size: where the obstacles of Grid Runner stand."""

from __future__ import annotations

from gridwise.games.grid_runner.rules import OBSTACLE, OPEN


def layout(rows: int, cols: int) -> tuple[int, ...]:
    """The cells of a board with obstacles in the pattern of the one with five rows and columns.

    There they stand an even number of cells away from the nearest edge, in both directions, and
    never on a corner. So the second and the last but one row and column are open, and every cell
    can be reached. A board that looks the same from both starts has no side with the shorter way.
    Where there is no second row that is not the last, the grid is left open.
    """
    if min(rows, cols) < 3:
        return (OPEN,) * (rows * cols)
    edges = {0, cols - 1}
    cells = []
    for row in range(rows):
        from_edge = min(row, rows - 1 - row)
        corners = edges if from_edge == 0 else set()
        for col in range(cols):
            even = from_edge % 2 == 0 and min(col, cols - 1 - col) % 2 == 0
            cells.append(OBSTACLE if even and col not in corners else OPEN)
    return tuple(cells)
