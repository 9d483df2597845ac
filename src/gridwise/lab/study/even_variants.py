"""The variants of a game that are nearest to even: a search over targets, head starts, numbers.

One number is changed at a time. All candidates are measured on a tenth of the boards; those that
come nearest, between perfect players or between casual bots, are measured again on all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from gridwise.errors import GridwiseError
from gridwise.lab.report.document import CommandLine, Heading, Paragraph, Part, Picture, Table
from gridwise.lab.run import Executor, results_in_order
from gridwise.lab.statistics import Estimate, interval
from gridwise.lab.store import ResultStore, as_json
from gridwise.lab.study.blocks import Plan, board_tasks, contest_tasks
from gridwise.lab.study.report import NONE, intervals_picture, percent, write_parts, write_rows
from gridwise.lab.study.totals import (
    Figures,
    contest_of,
    perfect_play,
)
from gridwise.lab.study.variant import Variant, checked

LEVEL = "casual"
PICTURE = "even.svg"
COARSE = 10  # a candidate is measured on one board in so many at first
KEPT = 4  # of the candidates, by each of the two measures
SIZES = range(3, 8)  # where boards are not dealt


@dataclass
class Candidate:
    """A variant and Player 1's share of the points; a draw and an endless game count half."""

    figures: Figures
    perfect: Estimate | None  # between perfect players, where boards can be solved

    @property
    def variant(self) -> Variant:
        """The variant."""
        return self.figures.variant

    @property
    def casual(self) -> Estimate:
        """The share between casual bots."""
        return self.figures.first_mover[LEVEL]

    def to_json(self) -> dict[str, Any]:
        """The candidate as JSON."""
        data: dict[str, Any] = as_json(
            {
                "name": self.variant.name,
                "variant": self.variant,
                "perfect": self.perfect,
                LEVEL: self.casual,
            }
        )
        return data


def candidates(variant: Variant) -> list[Variant]:
    """The variant itself, and those with one number changed that can be played."""
    playable = {variant.key: variant}
    for each in chain(_targets(variant), _handicaps(variant), _ranges(variant), _sizes(variant)):
        try:
            playable.setdefault(each.key, checked(each))
        except GridwiseError:
            continue
    return list(playable.values())


def _targets(variant: Variant) -> Iterator[Variant]:
    if variant.target:
        for target in range(max(1, variant.target // 2), 2 * variant.target + 1):
            yield replace(variant, target=target)


def _handicaps(variant: Variant) -> Iterator[Variant]:
    handicap = variant.played.handicap
    if handicap:
        usual = handicap.even(variant.template).handicap if handicap.IN_POINTS else 1
        for points in range(2 * usual + 1 if handicap.IN_POINTS else 2):
            yield replace(variant, handicap=points)


def _ranges(variant: Variant) -> Iterator[Variant]:
    if variant.is_dealt and variant.obstacles is None:
        low, high = variant.played.rules.LOW, variant.played.rules.HIGH
        for least in range(low, high):
            for most in range(least + 1, high + 1):
                yield replace(variant, low=least, high=most)


def _sizes(variant: Variant) -> Iterator[Variant]:
    if not (variant.is_dealt or variant.board):
        for rows in SIZES:
            for cols in SIZES:
                yield replace(variant, rows=rows, cols=cols)


def find_even(
    variant: Variant,
    plan: Plan,
    executor: Executor,
    results: ResultStore,
    progress_of: Callable[[int], Callable[[int], None]] | None = None,
) -> list[Candidate]:
    """The candidates of the second round and the variant itself, the nearest to even first.

    `progress_of` is given the number of tasks of a round, and returns what counts them.
    """

    def measured(variants: Iterable[Variant], plan: Plan) -> list[Candidate]:
        variants = list(variants)
        tasks = []
        for each in variants:
            tasks += board_tasks(each, plan) + contest_tasks(each, plan, (LEVEL, LEVEL))
        progress = progress_of(len(tasks)) if progress_of else None
        results_in_order(tasks, executor, results, progress)
        return [_candidate(each, plan, results) for each in variants]

    boards, pairs = max(100, plan.boards // COARSE), max(100, plan.pairs // 4)
    first = measured(candidates(variant), replace(plan, boards=boards, pairs=pairs))
    kept = {variant.key: variant}
    for distance in (_perfect_distance, _casual_distance):
        kept |= {each.variant.key: each.variant for each in sorted(first, key=distance)[:KEPT]}
    return sorted(measured(kept.values(), plan), key=_perfect_distance)


def _candidate(variant: Variant, plan: Plan, results: ResultStore) -> Candidate:
    levels = (LEVEL, LEVEL)
    contest = contest_of(variant, plan, levels, results)
    assert contest  # nothing is too large for a casual bot
    perfect, _ = perfect_play(variant, plan, results)
    figures = Figures(variant, perfect, contests={levels: contest})
    if perfect is None:
        return Candidate(figures, None)
    won, lost = perfect.shares["p1"].value, perfect.shares["p2"].value
    value = won + (1 - won - lost) / 2
    if not variant.is_dealt:
        return Candidate(figures, Estimate(value, value, value, 1))
    counts = [round(share * perfect.boards) for share in (won, lost)]
    points = [1.0] * counts[0] + [0.0] * counts[1]
    points += [0.5] * (perfect.boards - len(points))
    low, high = interval(points)
    share = Estimate(value, min(low, value), max(high, value), perfect.boards)
    return Candidate(figures, share)


def _perfect_distance(candidate: Candidate) -> float:
    return abs((candidate.perfect or candidate.casual).value - 0.5)


def _casual_distance(candidate: Candidate) -> float:
    return abs(candidate.casual.value - 0.5)


def even_table(nearest: Sequence[Candidate]) -> Table:
    """The candidates as a table."""
    head = ["variant", "Player 1 scores, perfect play", f"Player 1 scores, {LEVEL} bots"]
    rows = [[each.variant.name, percent(each.perfect), percent(each.casual)] for each in nearest]
    if all(row[1] == NONE for row in rows):
        return Table([head[0], head[2]], [[row[0], row[2]] for row in rows])
    return Table(head, rows)


def even_picture(nearest: Sequence[Candidate]) -> dict[str, bytes]:
    """The candidates as a picture, by the name of its file."""
    names = [each.variant.name for each in nearest]
    measures: dict[str, list[Estimate | None]] = {
        "perfect play": [each.perfect for each in nearest],
        f"{LEVEL} bots": [each.casual for each in nearest],
    }
    return {PICTURE: intervals_picture(names, measures, "Player 1's share of points", middle=0.5)}


def even_report(variant: Variant, nearest: Sequence[Candidate], command: str) -> list[Part]:
    """The report of a search."""
    return [
        Heading(1, f"{variant.played.title}: what would make it even"),
        Paragraph("Made by this command. It makes the same page on every machine."),
        CommandLine(command),
        Paragraph(
            "Player 1's share of the points, with 95 % intervals; a draw and an endless game are "
            f"half a point. {len(candidates(variant))} variants were tried, with one number "
            "changed at a time, on a tenth of the boards; those nearest to 50 %, by either "
            "measure, and the game as it is were measured again on all of them. The nearest for "
            "perfect players comes first."
        ),
        even_table(nearest),
        Picture(PICTURE, "Player 1's share of the points in each variant"),
        Paragraph("rows.parquet has every board and every game of these variants."),
    ]


def write_even(
    folder: Path,
    variant: Variant,
    nearest: Sequence[Candidate],
    plan: Plan,
    command: str,
    results: ResultStore,
) -> None:
    """Write the report of a search for an even game, its picture and rows.parquet."""
    write_parts(folder, even_report(variant, nearest, command), even_picture(nearest))
    write_rows(folder, [each.figures for each in nearest], plan, results)
