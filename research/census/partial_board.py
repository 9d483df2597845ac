"""A board that is partly known, as the kernels of the census have it, and how more becomes known.

A node of the tree of boards is what is known of them. One goes down by choosing the number of a
cell (`begin_choices`, `next_choice`) and up by forgetting it again (`forget_choice`).

Where the board has a symmetry and everything known so far is symmetric, a cell and its mirror
image are chosen together, and of two choices that mirror each other one is counted twice.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import NamedTuple

from gridwise.engine.compiled.bitmasks import lowest_bit
from gridwise.engine.compiled.kernels import pointer, register_numba_type, zeros
from gridwise.engine.compiled.specialize import Ints
from research.census.move_table import MoveTable


class CompiledTable(NamedTuple):
    """A MoveTable as compiled code sees it; there is room for `numbers` choices a cell."""

    size: int
    numbers: int
    choices: Ints  # how many each cell has
    targets: Ints  # [cell * numbers + choice]
    weights: Ints  # the same: how many numbers the choice stands for
    anywhere: Ints  # of each cell, the targets of all choices together
    mirror: Ints
    mirrored: Ints  # the same: the choice of the mirrored cell
    starts: Ints
    goals: Ints


class PartialBoard(NamedTuple):
    """What is known of a board, and how the kernel came to know it."""

    known: Ints  # [0]: the set of cells that are known
    targets: Ints  # of each cell; of an unknown one, those that it may have
    sources: Ints  # of each cell, the known cells from which a token can come
    depth: Ints  # [0]: how many nodes above this one
    cell: Ints  # of each node above: the cell that was chosen,
    twin: Ints  # its mirror image, if that was chosen with it, or -1,
    choice: Ints  # what was chosen,
    twin_choice: Ints
    symmetric: Ints  # of each node, this one too: whether all that is known is symmetric
    weight: Ints  # how many boards each choice of the unknown cells stands for
    unknown: Ints  # how many cells are unknown
    found: Ints  # the winner and the plies of a leaf


def compiled_table(table: MoveTable) -> CompiledTable:
    """The table for kernels."""
    size, numbers = table.size, table.numbers
    targets, weights, mirrored = ([0] * (size * numbers) for _ in range(3))
    for cell, choices in enumerate(table.choices):
        for number, choice in enumerate(choices):
            place = cell * numbers + number
            targets[place], weights[place] = choice.targets, len(choice.values)
            mirrored[place] = table.mirrored(cell, number)
    counts = [len(choices) for choices in table.choices]
    anywhere = _anywhere(table)
    arrays = counts, targets, weights, anywhere, table.mirror, mirrored, table.starts, table.goals
    return register_numba_type(
        CompiledTable(size, numbers, *(pointer(list(each)) for each in arrays))
    )


def _anywhere(table: MoveTable) -> list[int]:
    return [reduce(or_, (each.targets for each in choices)) for choices in table.choices]


def make_partial_board(table: MoveTable) -> PartialBoard:
    """Nothing known; memory for the nodes above."""
    size, nodes = table.size, table.size + 2
    lengths = 1, size, size, 1, nodes, nodes, nodes, nodes, nodes, nodes, nodes, 2
    made = PartialBoard(*(zeros(length, compiled=True) for length in lengths))
    made.symmetric[0] = int(table.mirror != tuple(range(size)))
    made.weight[0], made.unknown[0] = 1, size
    for cell, targets in enumerate(_anywhere(table)):
        made.targets[cell] = targets
    return register_numba_type(made)


# Going down and up


def begin_choices(table: CompiledTable, board: PartialBoard, cell: int) -> None:
    """Choose which cell the children of a node differ in, together with its mirror image."""
    depth = board.depth[0]
    board.cell[depth], board.twin[depth] = cell, -1
    board.choice[depth], board.twin_choice[depth] = -1, -1
    if board.symmetric[depth] and table.mirror[cell] != cell:
        board.twin[depth] = table.mirror[cell]
        board.choice[depth] = 0


def next_choice(table: CompiledTable, board: PartialBoard) -> bool:
    """Go down to the next child of a node; False if there are no more.

    Of two choices for a cell and its twin, the twin's is never the later one.
    """
    depth = board.depth[0]
    cell, twin = board.cell[depth], board.twin[depth]
    if twin < 0:
        board.choice[depth] += 1
    else:
        board.twin_choice[depth] += 1
        if board.twin_choice[depth] > board.choice[depth]:
            board.choice[depth] += 1
            board.twin_choice[depth] = 0
    choice = board.choice[depth]
    if choice >= table.choices[cell]:
        return False
    place = cell * table.numbers + choice
    _learn(board, cell, table.targets[place])
    weight = board.weight[depth] * table.weights[place]
    unknown, symmetric = board.unknown[depth] - 1, board.symmetric[depth]
    if twin >= 0:
        other = board.twin_choice[depth]
        place = twin * table.numbers + table.mirrored[cell * table.numbers + other]
        _learn(board, twin, table.targets[place])
        weight *= table.weights[place]
        unknown -= 1
        if other != choice:
            weight *= 2
            symmetric = 0
    board.depth[0] = depth + 1
    board.weight[depth + 1], board.unknown[depth + 1] = weight, unknown
    board.symmetric[depth + 1] = symmetric
    return True


def forget_choice(table: CompiledTable, board: PartialBoard) -> None:
    """Take back the last choice, at the node that it was made for."""
    depth = board.depth[0]
    _forget(table, board, board.cell[depth])
    if board.twin[depth] >= 0:
        _forget(table, board, board.twin[depth])


def _learn(board: PartialBoard, cell: int, targets: int) -> None:
    board.known[0] |= 1 << cell
    board.targets[cell] = targets
    while targets:
        board.sources[lowest_bit(targets)] |= 1 << cell
        targets &= targets - 1


def _forget(table: CompiledTable, board: PartialBoard, cell: int) -> None:
    board.known[0] &= ~(1 << cell)
    targets = board.targets[cell]
    while targets:
        board.sources[lowest_bit(targets)] &= ~(1 << cell)
        targets &= targets - 1
    board.targets[cell] = table.anywhere[cell]
