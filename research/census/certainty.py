"""What is certain about the start of the game on a board that is partly known.

Two searches go back from the ends of the game (retrograde analysis):

- *hopeful*: from a cell that is not known the player can go wherever any number leads, and the
  opponent nowhere. If the player cannot force a win within k plies even so, no board below this
  node has one.
- *certain*: nothing is won where a token stands on a cell that is not known. If the player can
  force a win within k plies even so, every board below has it.

Plies are tried one after the other, so the first k at which a player may hope is the fastest win
there can be. If it is certain too, that is the result on every board below. If nobody may ever
hope, all of them are endless. Otherwise the hope depends on an unknown cell, which is found by
following it.

A search keeps sets of positions as masks. `layers` has for each ply k and each cell of the player
who is to win the set of the opponent's cells from which that win takes k plies or fewer: for even k
with the opponent to move, for odd k with the player to move. It takes a few dozen operations a ply.
"""

from __future__ import annotations

from typing import NamedTuple

from gridwise.engine.compiled.bitmasks import lowest_bit
from gridwise.engine.compiled.kernels import register_numba_type, zeros
from gridwise.engine.compiled.specialize import Ints
from research.census.move_table import MoveTable
from research.census.partial_board import CompiledTable, PartialBoard

NOBODY, ENDLESS = -1, 0
LEAF = -1  # in place of a cell to look at


class SearchLayers(NamedTuple):
    """The memory of the two searches: `[((ply * 2) + player) * size + cell]`."""

    hopeful: Ints
    certain: Ints


def make_layers(table: MoveTable) -> SearchLayers:
    """Memory for as many plies as a forced win can take: one for each position."""
    length = max_plies(table) * 2 * table.size
    return register_numba_type(
        SearchLayers(zeros(length, compiled=True), zeros(length, compiled=True))
    )


def max_plies(table: MoveTable) -> int:
    """More plies than a search takes: two without any new position end it."""
    return 2 * table.size**2 + 4


def cell_to_look_at(table: CompiledTable, board: PartialBoard, layers: SearchLayers) -> int:
    """The unknown cell on which the result depends, or LEAF with the result in `found`."""
    reach1 = _reachable(table, board, 0)
    reach2 = _reachable(table, board, 1)
    changed_at = ply = 0
    winner = NOBODY
    while True:
        changed = _add_layer(table, board, layers.hopeful, 0, ply, reach1, True)
        changed |= _add_layer(table, board, layers.hopeful, 1, ply, reach2, True)
        if changed:
            changed_at = ply
        # Player 1 begins, and so wins after an odd number of plies and loses after an even one.
        winner = 1 - ply % 2
        if _has_start(table, layers.hopeful, winner, ply):
            break
        if ply >= changed_at + 2:
            board.found[0], board.found[1] = ENDLESS, 0
            return LEAF
        ply += 1
    board.found[0], board.found[1] = winner + 1, ply
    # Most often one line is enough to meet an unknown cell; the search for certainty can wait.
    cell = _follow_hope(table, board, layers, winner, ply, False)
    if cell != LEAF:
        return cell
    reach = reach2 if winner else reach1
    for before in range(ply + 1):
        _add_layer(table, board, layers.certain, winner, before, reach, False)
    if _has_start(table, layers.certain, winner, ply):
        return LEAF
    return _follow_hope(table, board, layers, winner, ply, True)


def _reachable(table: CompiledTable, board: PartialBoard, player: int) -> int:
    """Where a player's token may come to stand."""
    reached = todo = 1 << table.starts[player]
    while todo:
        cell = lowest_bit(todo)
        todo &= todo - 1
        new = board.targets[cell] & ~reached
        reached |= new
        todo |= new
    return int(reached)


def _add_layer(
    table: CompiledTable,
    board: PartialBoard,
    layers: Ints,
    player: int,
    ply: int,
    reach: int,
    hopeful: bool,
) -> bool:
    """Fill in the layer of a ply from the one before; whether it has more than that two before."""
    size = table.size
    full = (1 << size) - 1
    here = (ply * 2 + player) * size
    before = here - 2 * size
    not_lost = full & ~table.goals[1 - player]  # the opponent's token has not arrived
    changed = ply < 2
    while reach:
        cell = lowest_bit(reach)
        reach &= reach - 1
        if ply & 1:
            won = 0
            if hopeful or board.known[0] >> cell & 1:
                won = _won_by_moving(board, layers, before, cell) & not_lost
        elif table.goals[player] >> cell & 1:
            won = full
        else:
            safe = layers[before + cell] if ply else 0
            earlier = layers[before - 4 * size + cell] if ply >= 4 else 0
            if ply >= 2 and safe == earlier:  # as two plies before, which saves a fifth of the time
                won = layers[here - 4 * size + cell]
            else:
                won = full & ~_escapes(board, full & ~(1 << cell) & ~safe)
                if not hopeful:
                    won &= board.known[0]
        layers[here + cell] = won
        if ply >= 2 and won != layers[here - 4 * size + cell]:
            changed = True
    return changed


def _won_by_moving(board: PartialBoard, layers: Ints, before: int, cell: int) -> int:
    """The opponent's cells from which some move of the player on a cell leads to a win."""
    won = 0
    targets = board.targets[cell]
    while targets:
        target = lowest_bit(targets)
        targets &= targets - 1
        won |= layers[before + target] & ~(1 << target)
    return won


def _escapes(board: PartialBoard, others: int) -> int:
    """The cells from which the opponent can go to one of those where nothing is lost."""
    escapes = 0
    while others:
        escapes |= board.sources[lowest_bit(others)]
        others &= others - 1
    return escapes


def _has_start(table: CompiledTable, layers: Ints, player: int, ply: int) -> bool:
    place = (ply * 2 + player) * table.size + table.starts[player]
    return bool(layers[place] >> table.starts[1 - player] & 1)


def _follow_hope(
    table: CompiledTable,
    board: PartialBoard,
    layers: SearchLayers,
    player: int,
    ply: int,
    uncertain: bool,
) -> int:
    """Play a hopeful win until a token stands on an unknown cell; LEAF if none does.

    With `uncertain` the opponent answers with moves after which the win is not certain, and then
    there is such a cell: with every known number it would be certain.
    """
    known = board.known[0]
    mine, yours = table.starts[player], table.starts[1 - player]
    while True:
        before = ((ply - 1) * 2 + player) * table.size
        if ply & 1:
            if not known >> mine & 1:
                return int(mine)
            mine = _hopeful_target(board, layers.hopeful, before, mine, yours)
        else:
            if table.goals[player] >> mine & 1:
                return LEAF
            if not known >> yours & 1:
                return int(yours)
            targets = board.targets[yours] & ~(1 << mine)
            if targets == 0:
                return LEAF
            preferred = targets & ~(layers.certain[before + mine] if uncertain else known)
            yours = lowest_bit(preferred or targets)
        ply -= 1


def _hopeful_target(board: PartialBoard, hopeful: Ints, before: int, mine: int, yours: int) -> int:
    """A cell to go to from which there is hope; there is one."""
    targets = board.targets[mine] & ~(1 << yours)
    while not hopeful[before + lowest_bit(targets)] >> yours & 1:
        targets &= targets - 1
    return lowest_bit(targets)
