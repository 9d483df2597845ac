"""Kernels for many games at once: deal them, step them, write their observations and masks.

Games are rows of arrays: `cells[game]` is its board, `states[game]` its state, `streams[game]` its
stream of random numbers, `history[game]` who was first and then the actions. Each kernel goes
through the games that are `chosen`. Observations are those of `gridwise.arena.observation`.

The sets of legal actions, `legal[game]`, are kept because they are needed four times a step: to
draw an action, to check it, to answer it, to write the mask.
"""

from __future__ import annotations

from gridwise.arena.boards import MAX_DEALS
from gridwise.arena.observation import MAX_NUMBER
from gridwise.engine.compiled.bitmasks import draw, random_bits
from gridwise.engine.compiled.kernels import pack, with_cells
from gridwise.engine.compiled.pointers import as_pointer
from gridwise.engine.compiled.specialize import (
    Grid,
    Ints,
    counts,
    hidden,
    moves,
    planes,
    play,
    start,
    unpack,
    winner,
)


def board_of_game(board: Grid, cells: Ints) -> Grid:
    """The board with the values of one game."""
    return with_cells(board, as_pointer(cells))  # type: ignore[call-arg] # as numba calls it


def write_history(history: Ints, place: int, number: int) -> None:
    """Write who is first, or an action, as long as there is room."""
    if place < len(history):
        history[place] = number


def deal_games(
    board: Grid, cells: Ints, states: Ints, legal: Ints, plies: Ints, history: Ints, streams: Ints,
    sides: Ints, chosen: Ints, low: int, choices: int, toss: int, replies: int,
) -> int:  # fmt: skip
    """Start new games in the chosen rows; returns how many found no board to play on.

    Cells that `board` does not know are dealt in order, then the coin is tossed, as in a Match; and
    again as long as the game is over before the agent is to move. With `replies` an opponent plays
    at random until then.
    """
    failed = 0
    for game in range(len(states)):
        if not chosen[game]:
            continue
        grid = board_of_game(board, cells[game])
        stream = streams[game : game + 1]
        found = False
        tries = 0
        while not found and tries < MAX_DEALS:
            for cell in range(board.size):
                value = board.cells[cell]
                cells[game, cell] = value or low + (random_bits(stream) * choices >> 31)
            state = start(grid, 1 + (random_bits(stream) * 2 >> 31) if toss else 1)
            legal_now = moves(grid, state)
            plies[game] = 0
            write_history(history[game], 0, state.turn)
            while replies and legal_now and state.turn != sides[game]:
                action = draw(legal_now, stream)
                state = play(grid, state, action)
                legal_now = moves(grid, state)
                plies[game] += 1
                write_history(history[game], plies[game], action)
            found = legal_now != 0
            tries += 1
        pack(state, states[game], 0)
        legal[game] = legal_now
        failed += not found
    return failed


def step_games(
    board: Grid, cells: Ints, states: Ints, legal: Ints, plies: Ints, history: Ints, streams: Ints,
    sides: Ints, chosen: Ints, actions: Ints, replies: int, loses: int, max_plies: int,
    rewards: Ints, ended: Ints, stopped: Ints, winners: Ints, illegal: Ints,
) -> None:  # fmt: skip
    """Play an action in each of the chosen games; with `replies`, the opponent's random answers.

    `sides[game]` is the agent, 0 for the player to move; the reward is the agent's. An illegal
    action changes nothing, and with `loses` the game is over. A game is stopped after `max_plies`
    plies, if that is not 0. However a game ends, no legal action is left.
    """
    for game in range(len(states)):
        if not chosen[game]:
            continue
        grid = board_of_game(board, cells[game])
        state = unpack(states[game], 0)
        action = actions[game]
        agent = sides[game] or state.turn
        if not _is_legal(legal[game], action):
            illegal[game] = True
            if loses:
                ended[game], winners[game], rewards[game] = True, 3 - state.turn, -1.0
                legal[game] = 0
            continue
        state = play(grid, state, action)
        legal_now = moves(grid, state)
        played = plies[game] + 1
        write_history(history[game], played, action)
        stream = streams[game : game + 1]
        while (
            replies and legal_now and state.turn != agent and (not max_plies or played < max_plies)
        ):
            action = draw(legal_now, stream)
            state = play(grid, state, action)
            legal_now = moves(grid, state)
            played += 1
            write_history(history[game], played, action)
        pack(state, states[game], 0)
        legal[game] = legal_now
        plies[game] = played
        if not legal_now:
            won = winner(grid, state)
            ended[game], winners[game] = True, won
            rewards[game] = 0.0 if won == 3 else 1.0 if won == agent else -1.0
        elif max_plies and played >= max_plies:
            stopped[game], legal[game] = True, 0


def first_illegal(legal: Ints, chosen: Ints, actions: Ints) -> int:
    """The first of the chosen games whose action is not legal; -1 if all are."""
    for game in range(len(legal)):
        if chosen[game] and not _is_legal(legal[game], actions[game]):
            return game
    return -1


def _is_legal(legal: int, action: int) -> bool:
    return 0 <= action < 63 and legal >> action & 1 == 1


def draw_actions(legal: Ints, streams: Ints, actions: Ints) -> None:
    """A legal action for each game, each equally likely; 0 where the game is over."""
    for game in range(len(legal)):
        actions[game] = draw(legal[game], streams[game : game + 1]) if legal[game] else 0


def observe_games(
    board: Grid, cells: Ints, states: Ints, legal: Ints, sides: Ints, chosen: Ints,
    observed: Ints, masks: Ints, buffer: Ints,
) -> None:  # fmt: skip
    """Write the observations and action masks of the chosen games.

    `sides[game]` is the observing player, 0 for the player to move. `observed` has a row of cells
    for each plane of each game.
    """
    for game in range(len(states)):
        if not chosen[game]:
            continue
        grid = board_of_game(board, cells[game])
        state = unpack(states[game], 0)
        player = sides[game] or state.turn
        unseen = hidden(grid, state)
        for cell in range(cells.shape[1]):
            observed[game, 0, cell] = cells[game, cell] * (1 - (unseen >> cell & 1))
        sets = (*planes(grid, state, player), 0)  # `pack` takes no empty tuple
        numbers = (*counts(grid, state, player), int(player == state.turn), int(player == 1))
        pack(sets, buffer, 1)
        pack(numbers, buffer, len(sets))
        for plane in range(1, len(sets)):
            mask = buffer[plane]
            for cell in range(observed.shape[2]):
                observed[game, plane, cell] = mask >> cell & 1
        for plane in range(len(sets), observed.shape[1]):
            number = min(max(buffer[plane], 0), MAX_NUMBER)
            for cell in range(observed.shape[2]):
                observed[game, plane, cell] = number
        actions = legal[game]
        for action in range(masks.shape[1]):
            masks[game, action] = actions >> action & 1
