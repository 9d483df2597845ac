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

from gridwise.lab.run import Executor, Task, results_in_order
from gridwise.lab.statistics import (
    NORMAL_95,
    Cluster,
    Estimate,
    cluster_interval,
    interval,
    wilson,
)
from gridwise.lab.store import ResultStore, as_json
from gridwise.lab.study.blocks import (
    SAMPLED,
    Plan,
    all_tasks,
    board_tasks,
    contest_tasks,
    position_tasks,
)
from gridwise.lab.study.variant import Variant

Results: TypeAlias = ResultStore | Mapping[str, Any]  # by the key of the task

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
        return {one: own.first for (one, two), own in self.contests.items() if one == two}

    @property
    def mean_plies(self) -> dict[str, float]:
        """The mean length of games between equals, by level."""
        return {one: own.mean_plies for (one, two), own in self.contests.items() if one == two}

    @property
    def skill(self) -> dict[tuple[str, str], Estimate]:
        """What the stronger of two levels scores, sides swapped."""
        return {
            (two, one): _flipped(contest.score)
            for (one, two), contest in self.contests.items()
            if contest.score
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
        data: dict[str, Any] = as_json(
            {
                "variant": self.variant,
                "name": self.variant.name,
                "perfect_play": perfect
                and {
                    "boards": perfect.boards,
                    **perfect.shares,
                    "over_at_once": perfect.at_once,
                    "mean_plies": perfect.mean_plies,
                    "plies": perfect.plies,
                },
                "too_large": self.too_large or None,
                "a_move_matters": {
                    level: {
                        **share.to_json(),
                        "plies": {
                            ply: {"positions": n, "matters": k}
                            for ply, (n, k) in self.matters_by_ply[level].items()
                        },
                    }
                    for level, share in self.matters.items()
                },
                "first_mover": self.first_mover,
                "mean_plies": self.mean_plies,
                "skill": [
                    {"level": one, "against": two, **score.to_json()}
                    for (one, two), score in self.skill.items()
                ],
                "sides": [
                    {"p1": one, "p2": two, **share.to_json()}
                    for one in self.first_mover
                    for two in self.first_mover
                    if (share := self.share_as_player_1(one, two))
                ],
            }
        )
        return data


def run_study(
    variants: Sequence[Variant],
    plan: Plan,
    executor: Executor,
    results: ResultStore,
    progress_of: Callable[[int], Callable[[int], None]] | None = None,
) -> list[Figures]:
    """The figures of each variant; what they are made from is in `results` then.

    `progress_of` is given the number of tasks, and returns what counts them.
    """
    tasks = [task for variant in variants for task in all_tasks(variant, plan)]
    progress = progress_of(len(tasks)) if progress_of else None
    results_in_order(tasks, executor, results, progress)
    return [figures_of(variant, plan, results) for variant in variants]


def figures_of(variant: Variant, plan: Plan, results: Results) -> Figures:
    """The figures of a variant, from the results of `all_tasks`."""
    figures = Figures(variant)
    figures.perfect, figures.too_large = perfect_play(variant, plan, results)
    for level in SAMPLED:
        _add_matters(figures, level, _in_order(position_tasks(variant, plan, level), results))
    equals = [(level, level) for level in plan.levels]
    for levels in (*equals, *combinations(plan.levels, 2)):
        contest = contest_of(variant, plan, levels, results)
        if contest:
            figures.contests[levels] = contest
    return figures


def perfect_play(variant: Variant, plan: Plan, results: Results) -> tuple[PerfectPlay | None, str]:
    """What boards are worth; if that is not known, why."""
    blocks = _in_order(board_tasks(variant, plan), results)
    for block in blocks:
        if "too_large" in block:
            return None, block["too_large"]
    if not blocks:
        return None, "cells are face down: a board has a chance of winning, not a value."
    ends = Counter(
        (OUTCOMES[winner], length)
        for block in blocks
        for winner, length in zip(block["winners"], block["plies"], strict=True)
    )
    boards = ends.total()
    plies = {
        name: {length: n for (end, length), n in sorted(ends.items()) if end == name}
        for name in OUTCOMES.values()
    }

    def share(count: int) -> Estimate:
        rate = count / boards
        # Where nothing is dealt there is only this board.
        low, high = wilson(rate, boards, NORMAL_95) if variant.is_dealt else (rate, rate)
        return Estimate(rate, min(low, rate), max(high, rate), boards)

    shares = {name: share(sum(counts.values())) for name, counts in plies.items()}
    del plies["endless"]
    at_once = share(sum(counts.get(0, 0) for counts in plies.values()))
    return PerfectPlay(boards, shares, at_once, plies), ""


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
        mean_points(seatings[0]),
        mean_plies=sum(length * n for length, n in plies.items()) / plies.total(),
        stopped=stopped / plies.total(),
    )
    if len(seatings) > 1:
        contest.second = mean_points(seatings[1])
        pairs = zip(*seatings, strict=True)
        contest.score = mean_points([(first + 1 - second) / 2 for first, second in pairs])
    return contest


def _add_matters(figures: Figures, level: str, blocks: Sequence[Any]) -> None:
    if any("too_large" in block for block in blocks):
        return
    games = [tuple(counts) for block in blocks for counts in block["games"]]
    share = cluster_interval([Cluster(n, k, n - k, k) for n, k in games])
    if share is None:
        return
    plies: dict[int, tuple[int, int]] = {}
    for block in blocks:
        for ply, (n, k) in block["plies"].items():
            before = plies.get(int(ply), (0, 0))
            plies[int(ply)] = before[0] + n, before[1] + k
    figures.matters[level] = share
    figures.matters_by_ply[level] = dict(sorted(plies.items()))


def _in_order(tasks: Sequence[Task], results: Results) -> list[Any]:
    return [results.get(task.key) for task in tasks]


def mean_points(points: Sequence[float]) -> Estimate:
    """The mean of shares of points, one for each board."""
    mean = fmean(points)
    low, high = interval(points)
    return Estimate(mean, min(low, mean), max(high, mean), len(points))


def _flipped(estimate: Estimate) -> Estimate:
    value, low, high, n = estimate
    return Estimate(1 - value, 1 - high, 1 - low, n)
