"""What workers do for a study: solve a block of boards, play a block of games, look at positions.

Each function takes JSON and returns JSON (`executors.Task`), and depends on its arguments alone.
Boards come from the seed and the number of the block, the same in every variant of one size and one
range of numbers, so that variants are compared on the same boards.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeAlias

import numpy as np

from gridwise.arena.study.batch_games import (
    Ply,
    TooLarge,
    play_games,
    playable_boards,
    spread,
)
from gridwise.arena.study.variant import Cells, Variant
from gridwise.engine.exact.batch_solver import (
    NOT_LEGAL,
    BoardTooLarge,
    solve_boards,
    solve_states,
)

Found: TypeAlias = dict[str, Any]

MAX_SAMPLED = 16  # positions of one game: 200 plies of a game that goes in circles say no more


def board_block(variant: Variant, seed: int, block: int, boards: int) -> Cells:
    """The uniform boards of a block."""
    return variant.deal(boards, f"{seed} study boards {block}")


def games_seed(seed: int, block: int) -> str:
    """The seed of the boards that a block of games is played on."""
    return f"{seed} study games {block}"


def solve_block(variant: Found, seed: int, block: int, boards: int) -> Found:
    """Winner and length with perfect play on each board of a block.

    `winners` has a digit for each board: 1, 2, 3 for a draw, 0 for endless. A block with a board
    that is too large to be solved says so instead.
    """
    given = Variant.from_json(variant)
    template = given.template
    cells = board_block(given, seed, block, boards)
    try:
        solved = solve_boards(
            given.played,
            cells.reshape(boards, template.rows, template.cols),
            target=template.target,
            handicap=template.handicap,
            threads=1,
            actions=False,
        )
    except BoardTooLarge as error:
        return {"too_large": error.reason}
    # Player 1 begins on every board.
    winners = np.select([solved.value > 0, solved.value < 0, solved.endless], [1, 2, 0], 3)
    return {
        "winners": "".join(map(str, winners.tolist())),
        "plies": solved.distance.tolist(),
    }


def contest_block(
    variant: Found, seed: int, block: int, pairs: int, levels: tuple[str, str]
) -> Found:
    """Games between two levels: each board twice with sides swapped, or once between equals.

    `games` has for each of the two seatings a digit for each board: the winner, 3 for a draw, 0 for
    a game that was stopped. `plies` counts games by their length. Where the perfect bot cannot
    solve a position, the block says so instead.
    """
    given = Variant.from_json(variant)
    one, two = levels
    cells = playable_boards(given, pairs, games_seed(seed, block))
    seatings = [(one, two)] if one == two else [(one, two), (two, one)]
    plies: Counter[int] = Counter()
    games = []
    for number, seated in enumerate(seatings):
        try:
            played = play_games(given, cells, seated, f"{seed} {block} {one} {two} {number}")
        except TooLarge as error:
            return {"too_large": str(error)}
        games.append("".join(map(str, played.winners.tolist())))
        plies.update(played.plies.tolist())
    return {"games": games, "plies": {str(each): plies[each] for each in sorted(plies)}}


def position_block(variant: Found, seed: int, block: int, games: int, level: str) -> Found:
    """Whether a move matters in positions of games between two bots of a level.

    It matters where some legal move is worth less than the best. `games` has for each game how many
    positions were looked at and in how many a move mattered; `plies` the same by ply.
    """
    given = Variant.from_json(variant)
    cells = playable_boards(given, games, f"{seed} study positions {block}")
    trail: list[Any] = []

    def note(ply: Ply) -> None:
        trail.append(ply.states.copy())

    played = play_games(given, cells, (level, level), f"{seed} {block} positions", note)
    wanted = list(spread(played.plies, MAX_SAMPLED))
    rows = np.array([trail[ply][game] for game, ply in wanted], np.int64)
    boards = cells[[game for game, _ in wanted]]
    try:
        solved = solve_states(given.played, given.template, boards, rows, threads=1)
    except BoardTooLarge as error:
        return {"too_large": error.reason}
    legal = solved.action_value != NOT_LEGAL
    matters = (legal & (solved.action_value < solved.value[:, None])).any(axis=1)
    by_game = [[0, 0] for _ in range(games)]
    by_ply: dict[str, list[int]] = {}
    for (game, ply), matter in zip(wanted, matters.tolist(), strict=True):
        for counts in (by_game[game], by_ply.setdefault(str(ply + 1), [0, 0])):
            counts[0] += 1
            counts[1] += matter
    return {"games": by_game, "plies": by_ply}
