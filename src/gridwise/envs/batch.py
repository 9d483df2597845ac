"""In kernels: many games at once, dealt, stepped, and told as planes and masks.

Games are rows of arrays: `cells[game]` is its board, `states[game]` its state, `sources[game]` its
stream of random numbers, `history[game]` who was first and then the actions. Each kernel goes
through the games that are `chosen`. What is seen is the same as in `gridwise.envs.observation`.

The sets of legal actions, `legal[game]`, are kept because they are asked for four times a step: to
draw an action, to check it, to answer it, to show them.
"""

from __future__ import annotations

from gridwise.engine.binding import (
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
from gridwise.engine.masks import drawn, random_bits
from gridwise.engine.tables import table_of
from gridwise.engine.twin import pack, with_cells
from gridwise.envs.observation import MOST
from gridwise.envs.options import TRIES


def dealt(board: Grid, cells: Ints) -> Grid:
    """The board with the values of one game."""
    return with_cells(board, table_of(cells))  # type: ignore[call-arg] # as numba calls it


def note(history: Ints, place: int, number: int) -> None:
    """Write down who is first, or an action, as long as there is room."""
    if place < len(history):
        history[place] = number


def deal_games(
    board: Grid, cells: Ints, states: Ints, legal: Ints, plies: Ints, history: Ints, sources: Ints,
    sides: Ints, chosen: Ints, low: int, choices: int, toss: int, replies: int,
) -> int:  # fmt: skip
    """Start the chosen games afresh. Gives how many of them found no board to be played on.

    Cells that `board` does not know are dealt, and dealt again as long as the game is over before
    the agent is to move. With `replies` an opponent plays at random until then.
    """
    failed = 0
    for game in range(len(states)):
        if not chosen[game]:
            continue
        grid = dealt(board, cells[game])
        source = sources[game : game + 1]
        found = False
        tries = 0
        while not found and tries < TRIES:
            for cell in range(board.size):
                value = board.cells[cell]
                cells[game, cell] = value or low + (random_bits(source) * choices >> 31)
            state = start(grid, 1 + (random_bits(source) * 2 >> 31) if toss else 1)
            possible = moves(grid, state)
            plies[game] = 0
            note(history[game], 0, state.turn)
            while replies and possible and state.turn != sides[game]:
                action = drawn(possible, source)
                state = play(grid, state, action)
                possible = moves(grid, state)
                plies[game] += 1
                note(history[game], plies[game], action)
            found = possible != 0
            tries += 1
        pack(state, states[game], 0)
        legal[game] = possible
        failed += not found
    return failed


def step_games(
    board: Grid, cells: Ints, states: Ints, legal: Ints, plies: Ints, history: Ints, sources: Ints,
    sides: Ints, chosen: Ints, actions: Ints, replies: int, loses: int, cap: int,
    rewards: Ints, ended: Ints, stopped: Ints, winners: Ints, illegal: Ints,
) -> None:  # fmt: skip
    """Play an action in each of the chosen games; with `replies`, the opponent's random answers.

    `sides[game]` is the agent, 0 for whoever is to move; the reward is the agent's. An illegal
    action changes nothing, and with `loses` the game is over. A game is stopped at `cap` plies, if
    that is not 0. Whatever ends a game, no legal action is left.
    """
    for game in range(len(states)):
        if not chosen[game]:
            continue
        grid = dealt(board, cells[game])
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
        possible = moves(grid, state)
        played = plies[game] + 1
        note(history[game], played, action)
        source = sources[game : game + 1]
        while replies and possible and state.turn != agent and (not cap or played < cap):
            action = drawn(possible, source)
            state = play(grid, state, action)
            possible = moves(grid, state)
            played += 1
            note(history[game], played, action)
        pack(state, states[game], 0)
        legal[game] = possible
        plies[game] = played
        if not possible:
            won = winner(grid, state)
            ended[game], winners[game] = True, won
            rewards[game] = 0.0 if won == 3 else 1.0 if won == agent else -1.0
        elif cap and played >= cap:
            stopped[game], legal[game] = True, 0


def first_illegal(legal: Ints, chosen: Ints, actions: Ints) -> int:
    """The first of the chosen games whose action is not legal; -1 if all are."""
    for game in range(len(legal)):
        if chosen[game] and not _is_legal(legal[game], actions[game]):
            return game
    return -1


def _is_legal(legal: int, action: int) -> bool:
    return 0 <= action < 63 and legal >> action & 1 == 1


def draw_actions(legal: Ints, sources: Ints, actions: Ints) -> None:
    """A legal action for each game, each equally likely; 0 where the game is over."""
    for game in range(len(legal)):
        actions[game] = drawn(legal[game], sources[game : game + 1]) if legal[game] else 0


def observe_games(
    board: Grid, cells: Ints, states: Ints, legal: Ints, sides: Ints, chosen: Ints,
    seen: Ints, masks: Ints, room: Ints,
) -> None:  # fmt: skip
    """Write what is seen of the chosen games, and what is legal in them.

    `sides[game]` is who looks, 0 for the player to move. `seen` has a row of cells for each plane
    of each game.
    """
    for game in range(len(states)):
        if not chosen[game]:
            continue
        grid = dealt(board, cells[game])
        state = unpack(states[game], 0)
        player = sides[game] or state.turn
        unseen = hidden(grid, state)
        for cell in range(cells.shape[1]):
            seen[game, 0, cell] = cells[game, cell] * (1 - (unseen >> cell & 1))
        sets = (*planes(grid, state, player), 0)  # `pack` takes no empty tuple
        numbers = (*counts(grid, state, player), int(player == state.turn), int(player == 1))
        pack(sets, room, 1)
        pack(numbers, room, len(sets))
        for plane in range(1, len(sets)):
            mask = room[plane]
            for cell in range(seen.shape[2]):
                seen[game, plane, cell] = mask >> cell & 1
        for plane in range(len(sets), seen.shape[1]):
            number = min(max(room[plane], 0), MOST)
            for cell in range(seen.shape[2]):
                seen[game, plane, cell] = number
        actions = legal[game]
        for action in range(masks.shape[1]):
            masks[game, action] = actions >> action & 1
