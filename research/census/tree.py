"""Count boards without going through them one by one: kernels that walk a tree of boards.

At the root of the tree no cell is known. At each node `certainty` says whether that is enough. If
so, the node is a leaf: all boards below it, the number of values to the power of the unknown cells,
have one result in one number of plies. If not, it names an unknown cell on which the result
depends, and the node gets a child for each choice of that cell's number. So a cell is looked at
only if a token can come to stand on it, and only if that matters.

Kernels are compiled by `engine.compiled`, and make no arrays.
"""

from __future__ import annotations

from gridwise.core.game import Game
from gridwise.engine.compiled.kernels import Kernel, kernel
from gridwise.engine.compiled.specialize import Ints
from research.census.certainty import LEAF, SearchLayers, cell_to_look_at
from research.census.partial_board import (
    CompiledTable,
    PartialBoard,
    begin_choices,
    forget_choice,
    next_choice,
)

# Indices into `stats`: nodes of the tree, its leaves, boards they stand for, where parts begin.
NODES, LEAVES, BOARDS, ITEMS, STATS = 0, 1, 2, 3, 4


def counting_kernel(game: Game) -> Kernel:
    """`count_part`, compiled."""
    return kernel(game, count_part)


def leaf_kernel(game: Game) -> Kernel:
    """`find_leaf`, compiled."""
    return kernel(game, find_leaf)


def count_part(
    table: CompiledTable,
    board: PartialBoard,
    layers: SearchLayers,
    split: int,
    part: int,
    parts: int,
    counts: Ints,
    stats: Ints,
) -> None:
    """Count a part of all boards into `counts[winner * (len(counts) // 3) + plies]`.

    The nodes at the depth `split`, and the leaves above it, are dealt out to the parts in turn.
    """
    arrived = True
    while board.depth[0] >= 0:
        if arrived:
            cell = cell_to_look_at(table, board, layers)
            if not _is_of_part(board, cell, split, part, parts, stats):
                cell = LEAF
            elif cell == LEAF:
                _count_leaf(table, board, counts, stats)
            if cell == LEAF:
                board.depth[0] -= 1
                arrived = False
                continue
            begin_choices(table, board, cell)
        else:
            forget_choice(table, board)
        arrived = next_choice(table, board)
        if not arrived:
            board.depth[0] -= 1


def _is_of_part(
    board: PartialBoard, cell: int, split: int, part: int, parts: int, stats: Ints
) -> bool:
    """Whether a node is to be counted; those above the split are in every part's way."""
    depth = board.depth[0]
    if depth == split or (cell == LEAF and depth < split):
        stats[ITEMS] += 1
        if (stats[ITEMS] - 1) % parts != part:
            return False
    if depth >= split or cell == LEAF:
        stats[NODES] += 1
    return True


def _count_leaf(table: CompiledTable, board: PartialBoard, counts: Ints, stats: Ints) -> None:
    depth = board.depth[0]
    boards = board.weight[depth]
    for _ in range(board.unknown[depth]):
        boards *= table.numbers
    counts[board.found[0] * (len(counts) // 3) + board.found[1]] += boards
    stats[LEAVES] += 1
    stats[BOARDS] += boards


def find_leaf(
    table: CompiledTable, board: PartialBoard, layers: SearchLayers, choices: Ints
) -> None:
    """Go down the tree to the leaf of one board, given by the choice of each cell.

    Where the tree has only the mirror image of a board, the choices are mirrored.
    """
    while True:
        cell = cell_to_look_at(table, board, layers)
        if cell == LEAF:
            return
        begin_choices(table, board, cell)
        depth = board.depth[0]
        twin = board.twin[depth]
        if twin >= 0:
            other = table.mirrored[twin * table.numbers + choices[twin]]
            if other > choices[cell]:
                _mirror_choices(table, choices)
        while board.depth[0] == depth:
            next_choice(table, board)
            right = board.choice[depth] == choices[cell]
            if twin >= 0:
                place = cell * table.numbers + board.twin_choice[depth]
                right = right and table.mirrored[place] == choices[twin]
            if not right:
                board.depth[0] = depth
                forget_choice(table, board)


def _mirror_choices(table: CompiledTable, choices: Ints) -> None:
    for cell in range(table.size):
        twin = table.mirror[cell]
        if twin >= cell:
            mine = table.mirrored[cell * table.numbers + choices[cell]]
            yours = table.mirrored[twin * table.numbers + choices[twin]]
            choices[cell], choices[twin] = yours, mine
