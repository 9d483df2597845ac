"""What must be true of every game's bare rules, interpreted and compiled."""

from __future__ import annotations

from itertools import islice
from typing import Any

from gridwise.core.board import Board
from gridwise.core.contracts import State
from gridwise.core.game import Game
from gridwise.core.outcome import MAX_PLIES
from gridwise.core.rng import Stream
from gridwise.engine.compiled.kernels import compiled_board, kernel, pack, packed
from gridwise.engine.compiled.specialize import (
    counts,
    hidden,
    moves,
    planes,
    play,
    start,
    unpack,
    winner,
)
from gridwise.testing.samples import STANDARD, Size, boards, check, expect, subject


@check
def check_rules(game: Game, size: Size = STANDARD, *, games: int = 50, seed: int = 1) -> int:
    """Play random games with the bare rules; gives how many of them came to an end.

    There are legal actions exactly until somebody has won or it is a draw. States are tuples of
    ints that the rules never change. What has been seen stays seen, and neither the rules nor the
    planes depend on what has not.
    """
    stream = Stream(f"rules {game.key} {size} {seed}")
    ended = 0
    for board in islice(boards(game, size, stream), games):
        subject.look(game, board)
        turns = tuple(game.rules.start(board, first).turn for first in (1, 2))
        expect(turns == (1, 2), "start(board, first) must give the first turn to `first`.")
        state = game.rules.start(board, 1)
        hides = game.rules.hidden(board, state) != 0
        expect(hides == game.has_hidden_cells, "has_hidden_cells is not what `hidden` says.")
        played: tuple[int, ...] = ()
        for _ in range(MAX_PLIES):
            subject.look(game, board, played)
            legal = _check_position(game, board, state)
            if not legal:
                ended += 1
                break
            action = stream.draw(legal)
            state = _check_step(game, board, state, action)
            played += (action,)
        else:
            expect(game.cyclic, f"CYCLIC is False, but a game went on for {MAX_PLIES} plies.")
    return ended


def _check_position(game: Game, board: Board, state: State) -> int:
    """What must be true of one state; gives the legal actions."""
    rules = game.rules
    legal, won = rules.moves(board, state), rules.winner(board, state)
    actions = game.actions(board)
    expect(won in range(4), f"winner must be 0, 1, 2 or 3 (a draw), not {won}.")
    expect(
        (legal == 0) == (won != 0),
        f"moves must be empty exactly when there is a winner: moves is {legal}, winner {won}, "
        f"in {state}.",
    )
    expect(0 <= legal < 1 << actions, f"moves has an action that is not 0 to {actions - 1}.")
    unseen = rules.hidden(board, state)
    expect(0 <= unseen <= board.full, "hidden has a cell that is not on the board.")
    blanked = board.without(unseen)
    same = (rules.moves(blanked, state), rules.winner(blanked, state)) == (legal, won)
    expect(same, "moves and winner must not depend on cells that are hidden.")
    own = game.observation_planes
    for seen_by, names in ((own.planes, own.PLANES), (own.counts, own.COUNTS)):
        for player in (1, 2):
            values = seen_by(board, state, player)
            named = len(values) == len(names)
            expect(named, "planes and counts must give as many values as PLANES and COUNTS name.")
            same = values == seen_by(blanked, state, player)
            expect(same, "planes and counts must not depend on cells that are hidden.")
    return legal


def _check_step(game: Game, board: Board, state: State, action: int) -> State:
    """What must be true of one legal action; gives the state after it."""
    rules = game.rules
    before = tuple(state)
    after = rules.play(board, state, action)
    expect(tuple(state) == before, "play must not change the state that it is given.")
    expect(after != state, f"Action {action} leaves the state as it was: {state}.")
    ints = all(type(value) is int and 0 <= value < 1 << 63 for value in after)
    expect(ints, f"A state must hold ints from 0 to 2^63 - 1 only: {after}.")
    expect(after[0] == after.turn, "`turn` must be the first field of a state.")
    expect(after.turn in (1, 2), f"`turn` must be 1 or 2, not {after.turn}.")
    goes_on = game.passes or after.turn != state.turn or rules.winner(board, after)
    expect(goes_on, f"The same player moves again after action {action}, and `passes` is False.")
    expect({after: 1}.get(type(after)(*after)) == 1, "Equal states must be equal as keys.")
    unseen = rules.hidden(board, after)
    expect(not unseen & ~rules.hidden(board, state), "A cell that was seen is hidden again.")
    return after


def _everything(board: Any, row: Any, action: int, out: Any) -> None:  # noqa: ANN401 - see kernels
    """As a kernel: all that the rules and planes say of a state, and the state after an action."""
    state = unpack(row, 0)
    out[0] = moves(board, state)
    out[1] = winner(board, state)
    out[2] = hidden(board, state)
    at = 3
    for player in (1, 2):
        # The zero is there because `pack` takes no empty tuple.
        values = (*planes(board, state, player), *counts(board, state, player), 0)
        pack(values, out, at)
        at += len(values)
    if action >= 0:
        state = play(board, state, action)
    pack(state, out, at)
    pack(start(board, 1), row, 0)


@check
def check_compiles(game: Game, size: Size = STANDARD, *, games: int = 50, seed: int = 1) -> None:
    """The rules and planes, compiled to machine code, say the same as the Python functions."""
    import numpy as np  # noqa: PLC0415 - 0.1 s

    rules, seen_by = game.rules, game.observation_planes
    compiled = kernel(game, _everything)
    stream = Stream(f"compiled {game.key} {size} {seed}")
    for board in islice(boards(game, size, stream), games):
        flat = compiled_board(board)
        state = rules.start(board, 1)
        played: tuple[int, ...] = ()
        for _ in range(MAX_PLIES):
            subject.look(game, board, played)
            legal = rules.moves(board, state)
            action = stream.draw(legal) if legal else -1
            expected = [legal, rules.winner(board, state), rules.hidden(board, state)]
            for player in (1, 2):
                expected += seen_by.planes(board, state, player)
                expected += (*seen_by.counts(board, state, player), 0)
            after = rules.play(board, state, action) if legal else state
            expected += after
            row, out = packed(state), np.zeros(len(expected), dtype=np.int64)
            compiled(flat, row, action, out)
            same = list(out) == expected
            expect(same, f"Compiled and interpreted rules differ after action {action} in {state}.")
            expect(tuple(row) == tuple(rules.start(board, 1)), "Compiled `start` differs.")
            if not legal:
                break
            state = after
            played += (action,)


@check
def check_observation(game: Game, size: Size = STANDARD, *, games: int = 50, seed: int = 1) -> None:
    """Positions that differ look different to an agent, from the side of the player to move."""
    from gridwise.engine.observation import confused_positions, observe  # noqa: PLC0415 - 0.1 s

    board = game.deal(Stream(f"observation {seed}"), *size)
    template = board if game.fixed else board.without(board.full)
    if pair := confused_positions(game, template, observe, games):
        one, other = pair
        subject.look(game, other.board, other.history)
        which = "planes.py" if game.planes else "the default planes; the game needs a planes.py"
        expect(
            one.state == other.state,
            f"{one.state}, after {' '.join(one.moves) or 'no move'}, and {other.state} are the "
            f"same to {which}.",
        )
