"""Kernels for many games at once: deal them, step them, write their observations and masks.

Games are rows of the arrays of GameRows. Each function goes through the games that are `chosen`.
Observations are those of `gridwise.engine.observation`, games are dealt as the environments do it
one at a time, and the middling bots play the moves of `engine.bots.HeuristicBot` with a Stream.

The sets of legal actions, `legal[game]`, are kept because they are needed four times a step: to
draw an action, to check it, to answer it, to write the mask.
"""

from __future__ import annotations

from typing import NamedTuple

from gridwise.core.outcome import MAX_DEALS
from gridwise.engine.compiled.bitmasks import draw, random_bits
from gridwise.engine.compiled.kernels import pack, without_handicap
from gridwise.engine.compiled.pointers import as_pointer, write_sixteen
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
from gridwise.engine.deals import MAX_FAIR_DEALS, MIN_FAIR_WINS, fewer_wins
from gridwise.engine.exact.batch_solver import with_row
from gridwise.engine.lookahead import HeuristicSettings, choose_move
from gridwise.engine.observation import MAX_NUMBER

CHUNK = 256  # games that are done at a time, so that they stay in the processor's cache


class GameRows(NamedTuple):
    """The games: row k of each array is about game k."""

    cells: Ints  # its board
    states: Ints
    legal: Ints  # the set of legal actions; empty however a game has ended
    plies: Ints
    history: Ints  # who was first, and then the actions
    streams: Ints  # of random numbers
    sides: Ints  # which player the agent is; 0: the player to move


class Dealing(NamedTuple):
    """How boards are dealt, and what happens before the agent's first turn."""

    boards: Ints  # a row for each; cells that are 0 are dealt
    own: int  # whether row k is the board of game k; otherwise one is drawn, if there are several
    low: int  # cells are `low` and the `choices` - 1 numbers after it
    choices: int
    fair: int
    first: int  # 0 for a toss
    replies: int  # whether an opponent plays at random


class Stepping(NamedTuple):
    """What happens in a step."""

    replies: int  # whether an opponent answers at random
    loses: int  # whether an illegal action loses; otherwise it is ignored
    max_plies: int  # after which a game is stopped; 0 for never


class StepRows(NamedTuple):
    """What a step did: row k of each array is about game k."""

    rewards: Ints
    ended: Ints
    stopped: Ints
    winners: Ints
    illegal: Ints


class ObservationRows(NamedTuple):
    """What agents observe: row k of each array is about game k."""

    planes: Ints  # all cells of a plane, then those of the next
    masks: Ints


def advance_games(
    board: Grid, games: GameRows, playing: Ints, actions: Ints, stepping: Stepping, step: StepRows,
    dealt: Ints, dealing: Dealing, seen: Ints, observed: ObservationRows,
    begin: int, end: int, buffer: Ints,
) -> int:  # fmt: skip
    """A step of the games that are `playing`, new deals for others, and what is to be `seen`.

    All of that for the games from `begin` to `end`. Returns how many found no board to play on.
    """
    failed = 0
    for first in range(begin, end, CHUNK):
        rows = slice(first, min(first + CHUNK, end))
        part = _games_in(games, rows)
        step_games(board, part, playing[rows], actions[rows], stepping, _step_in(step, rows))
        failed += deal_games(board, part, dealt[rows], _dealing_in(dealing, rows))
        observe_games(board, part, seen[rows], _observed_in(observed, rows), buffer)
    return failed


# Arrays are cut here, and not indexed from `first` on: for an index that may be negative, as far as
# numba knows, it compiles a check, and a step takes a sixth longer.


def _games_in(games: GameRows, rows: slice) -> GameRows:
    return GameRows(
        games.cells[rows], games.states[rows], games.legal[rows], games.plies[rows],
        games.history[rows], games.streams[rows], games.sides[rows],
    )  # fmt: skip


def _step_in(step: StepRows, rows: slice) -> StepRows:
    return StepRows(
        step.rewards[rows], step.ended[rows], step.stopped[rows], step.winners[rows],
        step.illegal[rows],
    )  # fmt: skip


def _dealing_in(dealing: Dealing, rows: slice) -> Dealing:
    boards = dealing.boards[rows] if dealing.own else dealing.boards
    return Dealing(
        boards, dealing.own, dealing.low, dealing.choices, dealing.fair, dealing.first,
        dealing.replies,
    )  # fmt: skip


def _observed_in(observed: ObservationRows, rows: slice) -> ObservationRows:
    return ObservationRows(observed.planes[rows], observed.masks[rows])


# Dealing


def deal_games(board: Grid, games: GameRows, chosen: Ints, dealing: Dealing) -> int:
    """Start new games in the chosen rows; returns how many found no board to play on.

    A board is drawn, cells that it does not know are dealt in order, then the coin is tossed, as in
    a Match; and again as long as the game is over before the agent is to move.
    """
    failed = 0
    for game in range(len(games.states)):
        if not chosen[game]:
            continue
        grid = with_row(board, games.cells[game])
        stream = games.streams[game : game + 1]
        history = games.history[game]
        is_open = False
        tries = 0
        while not is_open and tries < MAX_DEALS:
            number = game if dealing.own else 0
            if not dealing.own and len(dealing.boards) > 1:
                number = random_bits(stream) * len(dealing.boards) >> 31
            if dealing.fair:
                _deal_fair(grid, dealing.boards[number], games.cells[game], dealing, stream)
            else:
                _deal_cells(dealing.boards[number], games.cells[game], dealing, stream)
            begins = dealing.first or 1 + (random_bits(stream) * 2 >> 31)
            state = start(grid, begins)
            legal = moves(grid, state)
            plies = 0
            write_history(history, 0, begins)
            while dealing.replies and legal and state.turn != games.sides[game]:
                action = draw(legal, stream)
                state = play(grid, state, action)
                legal = moves(grid, state)
                plies += 1
                write_history(history, plies, action)
            is_open = legal != 0
            tries += 1
        pack(state, games.states[game], 0)
        games.legal[game] = legal
        games.plies[game] = plies
        failed += not is_open
    return failed


def deal_boards(cells: Ints, stream: Ints, low: int, choices: int) -> None:
    """Deal all cells, board by board from one stream, each number from `low` on equally likely."""
    for game in range(len(cells)):
        for cell in range(cells.shape[1]):
            cells[game, cell] = low + (random_bits(stream) * choices >> 31)


def _deal_cells(template: Ints, cells: Ints, dealing: Dealing, stream: Ints) -> None:
    """Deal the cells that the template does not know."""
    for cell in range(len(cells)):
        cells[cell] = template[cell] or dealing.low + (random_bits(stream) * dealing.choices >> 31)


def _deal_fair(grid: Grid, template: Ints, cells: Ints, dealing: Dealing, stream: Ints) -> None:
    """Deal until a board is fair, or take the fairest of many: `engine.deals.deal`, compiled."""
    even = without_handicap(grid)
    fairest, most = stream[0], -1
    _deal_cells(template, cells, dealing, stream)
    for _ in range(MAX_FAIR_DEALS):
        before = stream[0]
        _deal_cells(template, cells, dealing, stream)
        wins = fewer_wins(even, stream)
        if wins >= MIN_FAIR_WINS:
            return
        if wins > most:
            fairest, most = before, wins
    after = stream[0]
    stream[0] = fairest
    _deal_cells(template, cells, dealing, stream)
    stream[0] = after


def write_history(history: Ints, place: int, number: int) -> None:
    """Write who is first, or an action, as long as there is room."""
    if place < len(history):
        history[place] = number


# Stepping


def step_games(
    board: Grid, games: GameRows, chosen: Ints, actions: Ints, stepping: Stepping, step: StepRows
) -> None:
    """Play an action in each of the chosen games; with `replies`, the opponent's random answers.

    The reward is the agent's. An illegal action changes nothing, and with `loses` the game is over.
    However a game ends, no legal action is left.
    """
    max_plies = stepping.max_plies
    for game in range(len(games.states)):
        if not chosen[game]:
            continue
        grid = with_row(board, games.cells[game])
        state = unpack(games.states[game], 0)
        action = actions[game]
        agent = games.sides[game] or state.turn
        if not _is_legal(games.legal[game], action):
            step.illegal[game] = True
            if stepping.loses:
                step.ended[game], step.winners[game] = True, 3 - state.turn
                step.rewards[game] = -1.0
                games.legal[game] = 0
            continue
        state = play(grid, state, action)
        legal = moves(grid, state)
        played = games.plies[game] + 1
        history = games.history[game]
        write_history(history, played, action)
        stream = games.streams[game : game + 1]
        while (
            stepping.replies
            and legal
            and state.turn != agent
            and (not max_plies or played < max_plies)
        ):
            action = draw(legal, stream)
            state = play(grid, state, action)
            legal = moves(grid, state)
            played += 1
            write_history(history, played, action)
        pack(state, games.states[game], 0)
        games.legal[game] = legal
        games.plies[game] = played
        if not legal:
            won = winner(grid, state)
            step.ended[game], step.winners[game] = True, won
            step.rewards[game] = 0.0 if won == 3 else 1.0 if won == agent else -1.0
        elif max_plies and played >= max_plies:
            step.stopped[game], games.legal[game] = True, 0


def first_illegal(legal: Ints, chosen: Ints, actions: Ints) -> int:
    """The first of the chosen games whose action is not legal; -1 if all are."""
    for game in range(len(legal)):
        if chosen[game] and not _is_legal(legal[game], actions[game]):
            return game
    return -1


def _is_legal(legal: int, action: int) -> bool:
    return 0 <= action < 63 and legal >> action & 1 == 1


def draw_actions(sets: Ints, streams: Ints, actions: Ints) -> None:
    """An action of each game's set, each equally likely; 0 where the set is empty."""
    for game in range(len(sets)):
        actions[game] = draw(sets[game], streams[game : game + 1]) if sets[game] else 0


# Choosing, as the middling bots do: they look at the board as far as it has been seen.


def choose_by_heuristic(
    board: Grid,
    cells: Ints,
    states: Ints,
    chosen: Ints,
    streams: Ints,
    actions: Ints,
    settings: HeuristicSettings,
    low: int,
    seen: Ints,
    least: Ints,
) -> None:
    """Write an action for each of the chosen games; face-down cells are `low` at the least.

    `seen` and `least` are room for a board.
    """
    for game in range(len(states)):
        if not chosen[game]:
            continue
        state = unpack(states[game], 0)
        unseen = hidden(with_row(board, cells[game]), state)
        for cell in range(board.size):
            known = cells[game, cell] * (1 - (unseen >> cell & 1))
            seen[cell] = known
            least[cell] = known or low
        known_grid = with_row(board, seen)
        least_grid = with_row(board, least)
        stream = streams[game : game + 1]
        actions[game] = choose_move(known_grid, least_grid, state, settings, stream)


# Observing


def observe_games(
    board: Grid, games: GameRows, chosen: Ints, observed: ObservationRows, buffer: Ints
) -> None:
    """Write the observations and action masks of the chosen games."""
    size, actions = board.size, observed.masks.shape[1]
    for game in range(len(games.states)):
        if not chosen[game]:
            continue
        cells = games.cells[game]
        grid = with_row(board, cells)
        state = unpack(games.states[game], 0)
        player = games.sides[game] or state.turn
        unseen = hidden(grid, state)
        seen = as_pointer(observed.planes[game])
        for cell in range(size):
            seen[cell] = cells[cell] * (1 - (unseen >> cell & 1))
        sets = (*planes(grid, state, player), 0)  # `pack` takes no empty tuple
        numbers = (*counts(grid, state, player), int(player == state.turn), int(player == 1))
        pack(sets, buffer, 1)
        pack(numbers, buffer, len(sets))
        for plane in range(1, len(sets)):
            _write_set(seen, plane * size, buffer[plane], 1, size)
        for plane in range(len(sets), len(buffer)):
            number = min(max(buffer[plane], 0), MAX_NUMBER)
            _write_set(seen, plane * size, -1, number, size)
        _write_set(as_pointer(observed.masks[game]), 0, games.legal[game], 1, actions)


def _write_set(row: Ints, at: int, members: int, number: int, size: int) -> None:
    """Write the number for each member of a set, and 0 for the others, from `row[at]` on.

    Sixteen at a time; the last sixteen may be partly written already.
    """
    if size < 16:
        for place in range(size):
            row[at + place] = number * (members >> place & 1)
        return
    for first in range(0, size - 15, 16):
        write_sixteen(row, at + first, members >> first, number)
    write_sixteen(row, at + size - 16, members >> size - 16, number)
