"""The tasks of a study, in blocks of some seconds, and what a worker does in each of them.

A block of boards is solved, or games are played on them, or positions of games are looked at. A
task's key says everything that its result depends on besides the game and the seed. So a study with
more boards, or of other variants, goes on in the same folder with what is there. Boards come from
the seed and the number of the block, the same in every variant of one size and one range of
numbers, so that variants are compared on the same boards.

Importing this module does not import numba, 0.5 s: what a worker does, does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, TypeAlias

from gridwise.engine.bots import LEVELS, check_level
from gridwise.errors import BadRequest
from gridwise.lab.run import Task
from gridwise.lab.study.variant import Cells, Variant

BlockResult: TypeAlias = dict[str, Any]

BOARDS, PAIRS, GAMES = 20_000, 2_000, 1_000  # unless others are asked for
SAMPLED = ("random", "casual")  # whose games positions are taken from
# Of the standard sizes, a block of boards is solved in 0.2 to 4 s, a block of pairs is played in
# 0.02 to 0.4 s. Of larger ones there are fewer in a block: a board of Number Run takes 0.1 ms on
# 5x5 and 30 ms on 7x7.
BOARD_BLOCK, PAIR_BLOCK, GAME_BLOCK = 8_192, 1_000, 500
SLOW_BLOCK = 4  # pairs, where a bot searches for a third of a second at each move
TYPICAL_CELLS = 25
MOST_BOARDS, MOST_GAMES = 10_000_000, 1_000_000  # what fits into memory and into a day
MAX_SAMPLED = 16  # positions of one game: 200 plies of a game that goes in circles say no more


@dataclass(frozen=True)
class Plan:
    """How much is measured."""

    boards: int = BOARDS
    pairs: int = PAIRS  # of games between two levels
    games: int = GAMES  # from which positions are taken, for each of SAMPLED
    levels: tuple[str, ...] = tuple(LEVELS)
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse a study that would never end."""
        for name, most in (("boards", MOST_BOARDS), ("pairs", MOST_GAMES), ("games", MOST_GAMES)):
            if getattr(self, name) > most:
                raise BadRequest(f"--{name} takes at most {most:,}, not {getattr(self, name)}.")


def levels_of(variant: Variant, text: str) -> tuple[str, ...]:
    """The levels that were asked for, from the weakest to the strongest; raises BadRequest.

    Where cells are face down, the perfect bot is left out unless it is asked for: a game takes it a
    second.
    """
    if not text:
        slow = variant.played.has_hidden_cells
        return tuple(level for level in LEVELS if not (slow and level == "perfect"))
    asked = {each.strip().removeprefix("bot:") for each in text.split(",")}
    for level in sorted(asked):
        check_level(level)
    return tuple(level for level in LEVELS if level in asked)


def blocks(total: int, size: int) -> Iterator[tuple[int, int]]:
    """The number and the size of each block."""
    for number, first in enumerate(range(0, total, size)):
        yield number, min(size, total - first)


def board_tasks(variant: Variant, plan: Plan) -> list[Task]:
    """Solving boards; none where cells are face down."""
    if variant.played.has_hidden_cells:
        return []
    total = plan.boards if variant.is_dealt else 1
    return _tasks(variant, plan, solve_block, "boards", total, BOARD_BLOCK)


def contest_tasks(variant: Variant, plan: Plan, levels: tuple[str, str]) -> list[Task]:
    """Games between two levels, or between equals."""
    slow = variant.played.has_hidden_cells and "perfect" in levels
    name = f"games-{levels[0]}-{levels[1]}"
    size = SLOW_BLOCK if slow else PAIR_BLOCK
    return _tasks(variant, plan, contest_block, name, plan.pairs, size, levels=levels)


def position_tasks(variant: Variant, plan: Plan, level: str) -> list[Task]:
    """Positions of games between bots of a level; none where cells are face down."""
    if variant.played.has_hidden_cells:
        return []
    name = f"positions-{level}"
    return _tasks(variant, plan, position_block, name, plan.games, GAME_BLOCK, level=level)


def all_tasks(variant: Variant, plan: Plan) -> list[Task]:
    """Everything that a report on a variant is made from."""
    tasks = board_tasks(variant, plan)
    for level in SAMPLED:
        tasks += position_tasks(variant, plan, level)
    for levels in combinations_with_replacement(plan.levels, 2):
        tasks += contest_tasks(variant, plan, levels)
    return tasks


def _tasks(
    variant: Variant,
    plan: Plan,
    function: Callable[..., BlockResult],
    name: str,
    total: int,
    size: int,
    **options: str | tuple[str, str],
) -> list[Task]:
    """A task for each block; on large boards blocks are smaller than `size`."""
    cells = variant.rows * variant.cols
    if cells > TYPICAL_CELLS and size > SLOW_BLOCK:
        size = max(32, size * TYPICAL_CELLS**4 // cells**4)
    shared = {"variant": variant, "seed": plan.seed, **options}
    return [
        Task(
            f"{variant.key}-{name}-{number}-{count}",
            function,
            {**shared, "block": number, "count": count},
        )
        for number, count in blocks(total, size)
    ]


# What a worker does


def board_block(variant: Variant, seed: int, block: int, count: int) -> Cells:
    """The uniform boards of a block."""
    return variant.deal(count, f"{seed} study boards {block}")


def contest_boards(variant: Variant, seed: int, block: int, count: int) -> Cells:
    """The boards that a block of games is played on."""
    from gridwise.lab.study.batch_games import playable_boards  # noqa: PLC0415 - numba

    return playable_boards(variant, count, f"{seed} study games {block}")


def solve_block(variant: Variant, seed: int, block: int, count: int) -> BlockResult:
    """Winner and length with perfect play on each board of a block.

    `winners` has a digit for each board: 1, 2, 3 for a draw, 0 for endless. A block with a board
    that is too large to be solved says so instead.
    """
    import numpy as np  # noqa: PLC0415 - for a worker only

    from gridwise.engine.exact.batch_solver import (  # noqa: PLC0415 - numba
        BoardTooLarge,
        solve_boards,
    )

    template = variant.template
    cells = board_block(variant, seed, block, count)
    try:
        solved = solve_boards(
            variant.played,
            cells.reshape(count, template.rows, template.cols),
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
    variant: Variant, seed: int, block: int, count: int, levels: tuple[str, str]
) -> BlockResult:
    """Games between two levels: each board twice with sides swapped, or once between equals.

    `games` has for each of the two seatings a digit for each board: the winner, 3 for a draw, 0 for
    a game that was stopped. `plies` counts games by their length. Where the perfect bot cannot
    solve a position, the block says so instead.
    """
    from gridwise.lab.study.batch_games import TooLargeToPlay, play_games  # noqa: PLC0415 - numba

    one, two = levels
    cells = contest_boards(variant, seed, block, count)
    seatings = [(one, two)] if one == two else [(one, two), (two, one)]
    plies: Counter[int] = Counter()
    games = []
    for number, seated in enumerate(seatings):
        try:
            played = play_games(variant, cells, seated, f"{seed} {block} {one} {two} {number}")
        except TooLargeToPlay as error:
            return {"too_large": str(error)}
        games.append("".join(map(str, played.winners.tolist())))
        plies.update(played.plies.tolist())
    return {"games": games, "plies": {str(length): n for length, n in sorted(plies.items())}}


def position_block(variant: Variant, seed: int, block: int, count: int, level: str) -> BlockResult:
    """Whether a move matters in positions of games between two bots of a level.

    It matters where some legal move is worth less than the best. `games` has for each game how many
    positions were looked at and in how many a move mattered; `plies` the same by ply.
    """
    import numpy as np  # noqa: PLC0415 - for a worker only

    from gridwise.engine.exact.batch_solver import (  # noqa: PLC0415 - numba
        NOT_LEGAL,
        BoardTooLarge,
        solve_states,
    )
    from gridwise.lab.study.batch_games import (  # noqa: PLC0415 - numba
        play_games,
        playable_boards,
        spread,
    )

    cells = playable_boards(variant, count, f"{seed} study positions {block}")
    trail: list[Any] = []
    played = play_games(variant, cells, (level, level), f"{seed} {block} positions", trail)
    sampled = list(spread(played.plies, MAX_SAMPLED))
    rows = np.array([trail[ply][game] for game, ply in sampled], np.int64)
    boards = cells[[game for game, _ in sampled]]
    try:
        solved = solve_states(variant.played, variant.template, boards, rows, threads=1)
    except BoardTooLarge as error:
        return {"too_large": error.reason}
    legal = solved.action_value != NOT_LEGAL
    matters = (legal & (solved.action_value < solved.value[:, None])).any(axis=1)
    by_game = [[0, 0] for _ in range(count)]
    by_ply: dict[str, list[int]] = {}
    for (game, ply), matter in zip(sampled, matters.tolist(), strict=True):
        for counts in (by_game[game], by_ply.setdefault(str(ply + 1), [0, 0])):
            counts[0] += 1
            counts[1] += matter
    return {"games": by_game, "plies": by_ply}
