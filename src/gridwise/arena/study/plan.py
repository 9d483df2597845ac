"""The tasks of a study: which boards are solved, which games are played, in blocks of some seconds.

A task's key says everything that its result depends on besides the game and the seed. So a study
with more boards, or of other variants, goes on in the same folder with what is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement

from gridwise.arena.executors import Task
from gridwise.arena.study.variant import Variant
from gridwise.engine.bots import LEVELS, check_level
from gridwise.errors import BadRequest

BOARDS, PAIRS, GAMES = 20_000, 2_000, 1_000  # unless others are asked for
SAMPLED = ("random", "casual")  # whose games positions are taken from
# Of the standard sizes, a block of boards is solved in 0.2 to 4 s, a block of pairs is played in
# 0.02 to 0.4 s. Of larger ones there are fewer in a block: a board of Number Run takes 0.1 ms on
# 5x5 and 30 ms on 7x7.
BOARD_BLOCK, PAIR_BLOCK, GAME_BLOCK = 8_192, 1_000, 500
SLOW_BLOCK = 4  # pairs, where a bot searches for a third of a second at each move
TYPICAL_CELLS = 25


MOST_BOARDS, MOST_GAMES = 10_000_000, 1_000_000  # what fits into memory and into a day


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
    return [
        _task(variant, plan, "solve_block", f"boards-{number}-{count}", block=number, boards=count)
        for number, count in blocks(total, _scaled(variant, BOARD_BLOCK))
    ]


def contest_tasks(variant: Variant, plan: Plan, levels: tuple[str, str]) -> list[Task]:
    """Games between two levels, or between equals."""
    size = _scaled(variant, PAIR_BLOCK)
    if variant.played.has_hidden_cells and "perfect" in levels:
        size = SLOW_BLOCK
    one, two = levels
    return [
        _task(
            variant,
            plan,
            "contest_block",
            f"games-{one}-{two}-{number}-{count}",
            block=number,
            pairs=count,
            levels=levels,
        )
        for number, count in blocks(plan.pairs, size)
    ]


def position_tasks(variant: Variant, plan: Plan, level: str) -> list[Task]:
    """Positions of games between bots of a level; none where cells are face down."""
    if variant.played.has_hidden_cells:
        return []
    return [
        _task(
            variant,
            plan,
            "position_block",
            f"positions-{level}-{number}-{count}",
            block=number,
            games=count,
            level=level,
        )
        for number, count in blocks(plan.games, _scaled(variant, GAME_BLOCK))
    ]


def all_tasks(variant: Variant, plan: Plan) -> list[Task]:
    """Everything that a report on a variant is made from."""
    tasks = board_tasks(variant, plan)
    for level in SAMPLED:
        tasks += position_tasks(variant, plan, level)
    for levels in combinations_with_replacement(plan.levels, 2):
        tasks += contest_tasks(variant, plan, levels)
    return tasks


def _scaled(variant: Variant, size: int) -> int:
    cells = variant.rows * variant.cols
    return size if cells <= TYPICAL_CELLS else max(32, size * TYPICAL_CELLS**4 // cells**4)


def _task(
    variant: Variant,
    plan: Plan,
    function: str,
    key: str,
    **arguments: int | str | tuple[str, str],
) -> Task:
    given = {"variant": variant.to_json(), "seed": plan.seed, **arguments}
    return Task(f"{variant.key}-{key}", f"gridwise.arena.study.sampling:{function}", given)
