"""The figures of a study of one variant, added up from the results of its tasks.

Results are added in the order of the tasks, whichever worker was first, so the figures are the same
to the digit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import fmean
from typing import Any, TypeAlias

from gridwise.lab.run import Executor, Task, run_tasks
from gridwise.lab.statistics import (
    NORMAL_95,
    Cluster,
    Estimate,
    cluster_interval,
    interval,
    wilson,
)
from gridwise.lab.store import Store
from gridwise.lab.study.blocks import (
    SAMPLED,
    Plan,
    all_tasks,
    board_tasks,
    contest_tasks,
    position_tasks,
)
from gridwise.lab.study.variant import Variant

Results: TypeAlias = Mapping[str, Any]  # by the key of the task

OUTCOMES = {"1": "p1", "2": "p2", "3": "draw", "0": "endless"}
POINTS = {"1": 1.0, "2": 0.0}  # of Player 1; anything else is a half


@dataclass
class PerfectPlay:
    """What uniform boards are worth if both play perfectly."""

    boards: int
    shares: dict[str, Estimate]  # of boards that are p1, p2, draw, endless
    at_once: Estimate  # boards on which the game is over before the first move
    plies: dict[str, dict[int, int]]  # p1, p2, draw -> plies to the end -> boards

    @property
    def mean_plies(self) -> float | None:
        """The mean length of the games that end."""
        counts: Counter[int] = Counter()
        for part in self.plies.values():
            counts.update(part)
        total = counts.total()
        return sum(plies * n for plies, n in counts.items()) / total if total else None


@dataclass
class LevelMatch:
    """Games between two levels; `first` and `second` are Player 1's share of the points."""

    first: Estimate  # where the first of the two is Player 1
    second: Estimate | None = None  # where the second is; None between equals
    score: Estimate | None = None  # the share of the first of the two over both sides, paired
    mean_plies: float = 0.0
    stopped: float = 0.0  # the share of games that were stopped after 200 plies


@dataclass
class Figures:
    """All figures of one variant."""

    variant: Variant
    perfect: PerfectPlay | None = None
    too_large: str = ""  # why there is no `perfect`
    matters: dict[str, Estimate] = field(default_factory=dict)  # by level
    matters_by_ply: dict[str, dict[int, tuple[int, int]]] = field(default_factory=dict)
    contests: dict[tuple[str, str], LevelMatch] = field(default_factory=dict)

    @property
    def first_mover(self) -> dict[str, Estimate]:
        """Player 1's share of the points between equals, by level."""
        return {one: each.first for (one, two), each in self.contests.items() if one == two}

    @property
    def mean_plies(self) -> dict[str, float]:
        """The mean length of games between equals, by level."""
        return {one: each.mean_plies for (one, two), each in self.contests.items() if one == two}

    @property
    def skill(self) -> dict[tuple[str, str], Estimate]:
        """What the stronger of two levels scores, sides swapped."""
        return {
            (two, one): _flipped(each.score)
            for (one, two), each in self.contests.items()
            if each.score
        }

    def share_as_player_1(self, one: str, two: str) -> Estimate | None:
        """Player 1's share of the points if Player 1 is of the first level."""
        if (one, two) in self.contests:
            return self.contests[one, two].first
        contest = self.contests.get((two, one))
        return contest.second if contest else None

    def to_json(self) -> dict[str, Any]:
        """The figures as JSON."""
        perfect = self.perfect
        return {
            "variant": self.variant.to_json(),
            "name": self.variant.name,
            "perfect_play": perfect
            and {
                "boards": perfect.boards,
                **{name: each.to_json() for name, each in perfect.shares.items()},
                "over_at_once": perfect.at_once.to_json(),
                "mean_plies": perfect.mean_plies,
                "plies": {
                    name: {str(plies): n for plies, n in counts.items()}
                    for name, counts in perfect.plies.items()
                },
            },
            "too_large": self.too_large or None,
            "a_move_matters": {
                level: {
                    **each.to_json(),
                    "plies": {
                        str(ply): {"positions": n, "matters": k}
                        for ply, (n, k) in self.matters_by_ply[level].items()
                    },
                }
                for level, each in self.matters.items()
            },
            "first_mover": {lv: each.to_json() for lv, each in self.first_mover.items()},
            "mean_plies": self.mean_plies,
            "skill": [
                {"level": one, "against": two, **each.to_json()}
                for (one, two), each in self.skill.items()
            ],
            "sides": [
                {"p1": one, "p2": two, **share.to_json()}
                for one in self.first_mover
                for two in self.first_mover
                if (share := self.share_as_player_1(one, two))
            ],
        }


def run_study(
    variants: Sequence[Variant],
    plan: Plan,
    executor: Executor,
    results: Store,
    progress: Callable[[int], None] | None = None,
) -> tuple[list[Figures], Results]:
    """The figures of each variant, and what they were made from."""
    tasks = [task for variant in variants for task in all_tasks(variant, plan)]
    found = {task.key: result for task, result in run_tasks(tasks, executor, results, progress)}
    return [figures_of(variant, plan, found) for variant in variants], found


def count_tasks(variants: Sequence[Variant], plan: Plan) -> int:
    """How many tasks that will be."""
    return sum(len(all_tasks(variant, plan)) for variant in variants)


def figures_of(variant: Variant, plan: Plan, results: Results) -> Figures:
    """The figures of a variant, from the results of `all_tasks`."""
    found = Figures(variant)
    found.perfect, found.too_large = perfect_play(variant, plan, results)
    for level in SAMPLED:
        _add_matters(found, level, _in_order(position_tasks(variant, plan, level), results))
    equals = [(level, level) for level in plan.levels]
    for levels in (*equals, *combinations(plan.levels, 2)):
        contest = contest_of(variant, plan, levels, results)
        if contest:
            found.contests[levels] = contest
    return found


def perfect_play(variant: Variant, plan: Plan, results: Results) -> tuple[PerfectPlay | None, str]:
    """What boards are worth; if that is not known, why."""
    blocks = _in_order(board_tasks(variant, plan), results)
    for block in blocks:
        if "too_large" in block:
            return None, block["too_large"]
    if not blocks:
        return None, "cells are face down: a board has a chance of winning, not a value."
    wins: Counter[str] = Counter()
    plies: dict[str, Counter[int]] = {name: Counter() for name in ("p1", "p2", "draw")}
    for block in blocks:
        for winner, length in zip(block["winners"], block["plies"], strict=True):
            name = OUTCOMES[winner]
            wins[name] += 1
            if name in plies:
                plies[name][length] += 1
    boards = wins.total()
    known = not variant.is_dealt  # there is only this board
    shares = {name: _share(wins[name], boards, exact=known) for name in OUTCOMES.values()}
    at_once = sum(counts[0] for counts in plies.values())
    counted = {name: dict(sorted(counts.items())) for name, counts in plies.items()}
    return PerfectPlay(boards, shares, _share(at_once, boards, exact=known), counted), ""


def contest_of(
    variant: Variant, plan: Plan, levels: tuple[str, str], results: Results
) -> LevelMatch | None:
    """The games between two levels; None if the board is too large for one of them."""
    blocks = _in_order(contest_tasks(variant, plan, levels), results)
    if any("too_large" in block for block in blocks):
        return None
    seatings = [
        [POINTS.get(digit, 0.5) for block in blocks for digit in block["games"][seating]]
        for seating in range(len(blocks[0]["games"]))
    ]
    plies = Counter[int]()
    for block in blocks:
        plies.update({int(length): n for length, n in block["plies"].items()})
    stopped = sum(games.count("0") for block in blocks for games in block["games"])
    contest = LevelMatch(
        _mean(seatings[0]),
        mean_plies=sum(length * n for length, n in plies.items()) / plies.total(),
        stopped=stopped / plies.total(),
    )
    if len(seatings) > 1:
        contest.second = _mean(seatings[1])
        pairs = zip(*seatings, strict=True)
        contest.score = _mean([(first + 1 - second) / 2 for first, second in pairs])
    return contest


def _add_matters(found: Figures, level: str, blocks: Sequence[Any]) -> None:
    if not blocks or any("too_large" in block for block in blocks):
        return
    games = [tuple(each) for block in blocks for each in block["games"]]
    estimate = cluster_interval([Cluster(n, k, n - k, k) for n, k in games])
    if estimate is None:
        return
    found.matters[level] = estimate
    plies: dict[int, list[int]] = {}
    for block in blocks:
        for ply, counts in block["plies"].items():
            kept = plies.setdefault(int(ply), [0, 0])
            kept[0] += counts[0]
            kept[1] += counts[1]
    found.matters_by_ply[level] = {ply: (n, k) for ply, (n, k) in sorted(plies.items())}


def _in_order(tasks: Sequence[Task], results: Results) -> list[Any]:
    return [results[task.key] for task in tasks]


def _share(count: int, total: int, *, exact: bool) -> Estimate:
    rate = count / total
    if exact:
        return Estimate(rate, rate, rate, total)
    low, high = wilson(rate, total, NORMAL_95)
    return Estimate(rate, min(low, rate), max(high, rate), total)


def _mean(points: Sequence[float]) -> Estimate:
    mean = fmean(points)
    low, high = interval(points)
    return Estimate(mean, min(low, mean), max(high, mean), len(points))


def _flipped(estimate: Estimate) -> Estimate:
    value, low, high, n = estimate
    return Estimate(1 - value, 1 - high, 1 - low, n)
