"""The leaderboard: rankings of models, each among those that were asked the same thing.

A ranking is of one task, under one set of conditions, on one part of a suite with one limit and
seed, and of rows over the same games against the same opponents: all else is another measurement.
Whole games rank by score, positions of a suite by regret, questions by right answers. Regret a
decision of whole games ranks nobody: who plays chooses the questions. A model of which not all that
was asked for is scored stands below those of which it is: what is missing may be what it would have
lost.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from importlib.resources import files
from math import inf
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from gridwise.core.registry import short_names
from gridwise.engine.bots import LEVELS
from gridwise.errors import BadRequest
from gridwise.evals.report.logs import TASKS, SampleRecord, read_records
from gridwise.evals.report.model_figures import (
    ModelFigures,
    average,
    board_mean,
    counted_once,
    game_figures,
    overall_figures,
    paired,
)
from gridwise.evals.report.rating import anchors
from gridwise.evals.rules_questions import Kind
from gridwise.lab.report.provenance import today, versions
from gridwise.lab.statistics import (
    Cluster,
    Estimate,
    cluster_correlation,
    cluster_interval,
    difference_interval,
)
from gridwise.lab.suites import suite

# By game and board: what was measured there, by what can be compared with another model's.
Measured = Mapping[str, Mapping[str, Mapping[str, float]]]
# What a task ranks by, and its name where two models are compared.
RANKED_BY = {"play": "score", "positions": "regret", "rules": "right answers"}


class Setting(NamedTuple):
    """What makes figures comparable besides games and opponents."""

    task: str
    conditions: tuple[tuple[str, str | int], ...]
    asked: tuple[tuple[str, str | int | None], ...]  # part, limit, seed


@dataclass(frozen=True)
class Row:
    """One model in one ranking."""

    model: str
    overall: ModelFigures
    games: dict[str, ModelFigures]
    reference: bool = False
    missing: int = 0  # samples that were asked for and are not scored
    measured: Measured = field(default_factory=dict, compare=False, repr=False)

    def among(self, games: Collection[str], opponents: Collection[str]) -> Row:
        """The row of some games and opponents only, so that means are over the same ones.

        What is not known by opponent is left out where others are missing.
        """
        kept = {key: figures for key, figures in self.games.items() if key in games}
        if opponents and set(opponents) != self.overall.scores.keys():
            kept = {key: _against(figures, opponents) for key, figures in kept.items()}
        return replace(self, games=kept, overall=overall_figures(kept))

    def to_dict(self) -> dict[str, Any]:
        """The row as JSON has it."""
        return {
            "model": self.model,
            "reference": self.reference,
            "missing": self.missing,
            "overall": self.overall.to_dict(),
            "games": {key: figures.to_dict() for key, figures in self.games.items()},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Row:
        """The row that was written as JSON."""
        return cls(
            data["model"],
            ModelFigures.from_dict(data["overall"]),
            {key: ModelFigures.from_dict(each) for key, each in data["games"].items()},
            bool(data["reference"]),
            data["missing"],
        )


def _against(figures: ModelFigures, opponents: Collection[str]) -> ModelFigures:
    """What is known of the games against some opponents."""
    scores = {name: own for name, own in figures.scores.items() if name in opponents}
    if not scores:
        return ModelFigures(rating=figures.rating)
    # They are of the same boards: the errors may be the same too, and do not cancel out.
    values, lows, highs, counts = map(fmean, zip(*scores.values(), strict=True))
    score = Estimate(values, lows, highs, round(counts))
    return ModelFigures(rating=figures.rating, score=score, scores=scores)


class Difference(NamedTuple):
    """How much higher the figure that a ranking goes by is, of one model than of another."""

    one: str
    two: str
    games: tuple[str, ...]
    estimate: Estimate


@dataclass(frozen=True)
class Ranking:
    """Rows that can be compared, the best first."""

    setting: Setting
    rows: list[Row]

    @property
    def task(self) -> str:
        """What the models did."""
        return self.setting.task

    @property
    def games(self) -> list[str]:
        """The games that all rows are over."""
        return list(self.rows[0].games)

    @property
    def opponents(self) -> list[str]:
        """Who was played against, anchors first, in order."""
        met = dict.fromkeys(name for row in self.rows for name in row.overall.scores)
        return [*(name for name in LEVELS if name in met), *(n for n in met if n not in LEVELS)]

    @cached_property
    def checksums(self) -> dict[str, str]:
        """Of the positions that were asked about, by game; none of whole games."""
        asked = dict(self.setting.asked)
        checksums = {}
        for key in self.games if self.task != "play" else ():
            rows = suite(key, str(asked["suite"])).part(str(asked["part"]))
            limit = asked["limit"]
            own = rows.sample(int(limit), int(asked["seed"] or 0)) if limit else rows
            checksums[key] = own.checksum
        return checksums

    @cached_property
    def differences(self) -> list[Difference]:
        """The first model beside each of the others, on the boards that both have seen."""
        own = [row for row in self.rows if row.measured]
        compared = (_difference(self.task, own[0], each) for each in own[1:])
        return [each for each in compared if each]

    def to_dict(self) -> dict[str, Any]:
        """The ranking as JSON has it."""
        return {
            "task": self.task,
            "conditions": dict(self.setting.conditions),
            "asked": dict(self.setting.asked),
            "checksums": self.checksums,
            "games": self.games,
            "opponents": self.opponents,
            "ranked_by": RANKED_BY[self.task],
            "rows": [row.to_dict() for row in self.rows],
            "differences": [
                {
                    "one": each.one,
                    "two": each.two,
                    "figure": RANKED_BY[self.task],
                    "games": list(each.games),
                    **each.estimate.to_json(),
                }
                for each in self.differences
            ],
        }


@dataclass(frozen=True)
class Leaderboard:
    """All rankings, and what there is to say about the files."""

    rankings: list[Ranking]
    remarks: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The leaderboard as JSON has it."""
        return {
            "rankings": [ranking.to_dict() for ranking in self.rankings],
            "anchors": {key: dict(ratings) for key, ratings in anchors().items()},
            "remarks": self.remarks,
            "date": today(),
            "versions": versions(),
        }


def read_leaderboard(paths: Sequence[Path], *, reference: bool = True) -> Leaderboard:
    """The leaderboard of logs, and of folders of logs; raises BadRequest, naming the file."""
    records, remarks = read_records(paths)
    if not records:
        where = ", ".join(str(path) for path in paths)
        raise BadRequest(f"There is no sample of a gridwise evaluation in {where}.")
    return Leaderboard(make_rankings(records, reference=reference), remarks)


def make_rankings(records: Iterable[SampleRecord], *, reference: bool = True) -> list[Ranking]:
    """The rankings of samples, whole games first."""
    by_model: dict[tuple[Setting, str], list[SampleRecord]] = defaultdict(list)
    for each in records:
        by_model[Setting(each.task, each.conditions, each.asked), each.model].append(each)
    ranked: dict[tuple[Setting, tuple[str, ...], tuple[str, ...]], list[Row]] = defaultdict(list)
    for (setting, model), own in by_model.items():
        row = _row(model, own)
        opponents = tuple(sorted({each.opponent for each in own}))
        ranked[setting, tuple(row.games), opponents].append(row)
    rankings = []
    for (setting, games, opponents), rows in ranked.items():
        met = [name for name in opponents if name]
        bots = _references(setting, games, met) if reference else []
        placed = sorted([*rows, *bots], key=partial(_place, setting.task))
        rankings.append(Ranking(setting, placed))
    order = ("play", *(task for task in TASKS if task != "play"))
    return sorted(rankings, key=lambda each: (order.index(each.task), str(each.setting)))


def _place(task: str, row: Row) -> tuple[bool, float, float, str]:
    """What to sort by: what is whole first, then the figure that the task ranks by."""
    own, first, then = row.overall, inf, inf
    thrown = own.game_regret if task == "play" else own.regret
    if thrown:
        then = thrown.value
    if task == "play" and own.score:
        first = -own.score.value
    elif task == "positions":
        first = then
    elif rules := [share.value for kind, share in own.rules.items() if kind in set(Kind)]:
        first = -fmean(rules)
    return (row.missing > 0, first, then, row.model)


def _row(model: str, records: Sequence[SampleRecord]) -> Row:
    by_game: dict[str, list[SampleRecord]] = defaultdict(list)
    for each in records:
        by_game[each.game].append(each)
    known = [key for key in short_names() if key in by_game]
    games = {key: by_game[key] for key in known or by_game}
    figures = {key: game_figures(own) for key, own in games.items()}
    measured = {key: _measured(own) for key, own in games.items()}
    expected = {each.run: each.expected for each in records}
    scored = [
        each
        for each in records
        if not each.failed and (each.task != "play" or each.points is not None)
    ]
    missing = max(0, sum(expected.values()) - len(scored))
    return Row(model, overall_figures(figures), figures, missing=missing, measured=measured)


# Two models


def _measured(records: Sequence[SampleRecord]) -> dict[str, dict[str, float]]:
    """By board what a ranking goes by: shares of pairs, regrets, or right answers."""
    ready = [each for each in records if not each.failed]
    boards: dict[str, dict[str, float]] = defaultdict(dict)
    for pair in counted_once(paired([each for each in ready if each.task == "play"])):
        boards[pair.one.cluster][f"{pair.one.opponent} {pair.one.epoch}"] = pair.share
    for each in ready:
        exact = [value for kind in Kind for value in each.right_answers(kind)]
        values = exact if each.task == "rules" else each.figures("regret")
        if each.task != "play" and values:
            boards[each.cluster][f"{each.id} {each.epoch}"] = fmean(values)
    return boards


def _difference(task: str, one: Row, two: Row) -> Difference | None:
    """The difference on what both have been asked, over the games."""
    games, estimates = [], []
    for key in one.games:
        mine, theirs = one.measured.get(key, {}), two.measured.get(key, {})
        both = {
            board: items
            for board in mine.keys() & theirs.keys()
            if (items := sorted(mine[board].keys() & theirs[board].keys()))
        }
        values = [
            {board: [own[board][item] for item in both[board]] for board in sorted(both)}
            for own in (mine, theirs)
        ]
        clusters = [[Cluster.of(each) for each in own.values()] for own in values]
        if task == "play":
            first, second = (board_mean(own) for own in values)
        else:
            first, second = (cluster_interval(own) for own in clusters)
        if first and second:
            games.append(key)
            together = cluster_correlation(*clusters)
            estimates.append(difference_interval(first, second, together))
    estimate = average(estimates, least=-1.0)
    return Difference(one.model, two.model, tuple(games), estimate) if estimate else None


# Our own bots


def _references(setting: Setting, games: Collection[str], opponents: list[str]) -> list[Row]:
    """The rows of our bots that can stand beside others: of the same task, games and opponents.

    A bot takes its position from the sample, so it plays the same under all conditions.
    """
    part = dict(setting.asked).get("part", "test")
    if part != "test":
        return []
    rows = (row.among(games, opponents) for row in reference_rows(setting.task))
    return [row for row in rows if row.games.keys() == set(games)]


@cache
def reference_rows(task: str) -> tuple[Row, ...]:
    """The rows of our own bots in a task, which are shipped."""
    folder = files("gridwise.evals").joinpath("reference")
    texts = (folder.joinpath(f"{level}.json").read_text("utf-8") for level in LEVELS)
    return tuple(Row.from_dict(json.loads(text)["rows"][task]) for text in texts)
