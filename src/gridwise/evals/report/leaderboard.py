"""The leaderboard: a row for each model and set of conditions, beside the reference rows."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from math import isfinite
from pathlib import Path
from typing import Any

from gridwise.core.registry import short_names
from gridwise.engine.bots import LEVELS
from gridwise.errors import BadRequest, printable
from gridwise.evals.report.logs import SampleRecord, read_records
from gridwise.evals.report.model_figures import ModelFigures, game_figures, overall_figures
from gridwise.evals.report.rating import anchors
from gridwise.lab.grading.report import versions
from gridwise.prompts.conditions import Conditions

TASKS_ALONE = {"rules": ("legal_moves", "retries")}  # conditions that a task sets by itself


@dataclass(frozen=True)
class Row:
    """One model under one set of conditions."""

    model: str
    conditions: dict[str, str | int]
    overall: ModelFigures
    games: dict[str, ModelFigures]
    reference: bool = False

    @property
    def name(self) -> str:
        """The model, and what was not as usual, fit to be shown."""
        return printable(" ".join([self.model, *unusual(self.conditions)]))

    def only(self, keys: Collection[str]) -> Row:
        """The row of some games only, so that means are over the same ones."""
        kept = {key: figures for key, figures in self.games.items() if key in keys}
        return replace(self, games=kept, overall=overall_figures(kept))

    def to_dict(self) -> dict[str, Any]:
        """The row as JSON has it."""
        return {
            "model": self.model,
            "conditions": dict(self.conditions),
            "reference": self.reference,
            "overall": self.overall.to_dict(),
            "games": {key: figures.to_dict() for key, figures in self.games.items()},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Row:
        """The row that was written as JSON."""
        return cls(
            data["model"],
            dict(data["conditions"]),
            ModelFigures.from_dict(data["overall"]),
            {key: ModelFigures.from_dict(each) for key, each in data["games"].items()},
            bool(data["reference"]),
        )


def unusual(conditions: Mapping[str, str | int]) -> list[str]:
    """The conditions that differ from the usual ones, such as `skin=theme`."""
    usual = Conditions().to_dict()
    return [f"{name}={value}" for name, value in conditions.items() if value != usual.get(name)]


@dataclass(frozen=True)
class Leaderboard:
    """All rows, the best first, and what there is to say about the files."""

    rows: list[Row]
    remarks: list[str] = field(default_factory=list)

    @property
    def levels(self) -> list[str]:
        """The anchors and other opponents that somebody has played against, in order."""
        met = dict.fromkeys(name for row in self.rows for name in row.overall.scores)
        return [*(name for name in LEVELS if name in met), *(n for n in met if n not in LEVELS)]

    @property
    def games(self) -> list[str]:
        """The games of the rows that are no reference."""
        played = dict.fromkeys(key for row in self.rows if not row.reference for key in row.games)
        return [key for key in short_names() if key in played] or [*played]

    def to_dict(self) -> dict[str, Any]:
        """The leaderboard as JSON has it."""
        return {
            "rows": [row.to_dict() for row in self.rows],
            "anchors": {key: dict(ratings) for key, ratings in anchors().items()},
            "remarks": self.remarks,
            "versions": versions(),
        }


def read_leaderboard(paths: Sequence[Path], *, reference: bool = True) -> Leaderboard:
    """The leaderboard of logs, and of folders of logs; raises BadRequest, naming the file."""
    records, remarks = read_records(paths)
    if not records:
        where = ", ".join(str(path) for path in paths)
        raise BadRequest(f"There is no sample of a gridwise evaluation in {where}.")
    rows = make_rows(records)
    if reference:
        played = {key for row in rows for key in row.games}
        rows += [row.only(played) for row in reference_rows() if played & row.games.keys()]
    return Leaderboard(sorted(rows, key=_place), remarks)


def _place(row: Row) -> tuple[float, float, str]:
    """By regret, then by rating; who has neither comes last."""
    regret = row.overall.regret or row.overall.play_regret
    rating = row.overall.rating
    strength = rating.value if rating and isfinite(rating.value) else 0.0
    return (regret.value if regret else 2.0, -strength, row.name)


def make_rows(records: Iterable[SampleRecord]) -> list[Row]:
    """A row for each model and set of conditions."""
    grouped: dict[tuple[str, tuple[tuple[str, str | int], ...]], list[SampleRecord]]
    grouped = defaultdict(list)
    for record in records:
        grouped[record.model, _comparable(record)].append(record)
    return [_row(model, dict(conditions), own) for (model, conditions), own in grouped.items()]


def _comparable(record: SampleRecord) -> tuple[tuple[str, str | int], ...]:
    """The conditions of a sample; where a task has its own, the usual ones in their place."""
    usual, alone = Conditions().to_dict(), TASKS_ALONE.get(record.task, ())
    return tuple(
        (name, usual[name] if name in alone else value) for name, value in record.conditions
    )


def _row(model: str, conditions: dict[str, str | int], records: Sequence[SampleRecord]) -> Row:
    by_game: dict[str, list[SampleRecord]] = defaultdict(list)
    for each in records:
        by_game[each.game].append(each)
    order = [key for key in short_names() if key in by_game]
    figures = {key: game_figures(by_game[key]) for key in order or by_game}
    return Row(model, conditions, overall_figures(figures), figures)


@cache
def reference_rows() -> tuple[Row, ...]:
    """The rows of our own bots, which are shipped."""
    folder = files("gridwise.evals").joinpath("reference")
    texts = (folder.joinpath(f"{level}.json").read_text("utf-8") for level in LEVELS)
    return tuple(Row.from_dict(json.loads(text)["row"]) for text in texts)
