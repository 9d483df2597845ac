"""Two players on the same boards, and the interval of the difference between them.

    print(gridwise.compare("strong", "casual", "number-connect", games=200))

Both play the same opponent on the same boards, from both sides, or answer the same suite. What a
board does to both cancels out, so that a difference is seen with fewer games.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gridwise.arena.grades.report import MEASURES, Report, clusters_of
from gridwise.arena.grades.table_files import FilePath
from gridwise.arena.grading import grade
from gridwise.arena.players import AnyPlayer
from gridwise.arena.statistics import (
    Cluster,
    Estimate,
    cluster_correlation,
    difference_interval,
)
from gridwise.core.game import Game


@dataclass(frozen=True)
class Comparison:
    """Two reports, and how much higher each figure of the first is."""

    one: Report
    two: Report
    differences: dict[str, Estimate]  # score, loss, best, illegal, as far as there are figures

    def __str__(self) -> str:
        lines = [str(self.one), str(self.two), f"{self.one.agent} minus {self.two.agent}"]
        for name, found in self.differences.items():
            clear = "" if found.low > 0 or found.high < 0 else ": not clear"
            lines.append(
                f"  {name:8} {found.value:+.4f}, 95 % interval {found.low:+.4f} to "
                f"{found.high:+.4f}{clear}"
            )
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Everything as JSON has it."""
        differences = {name: found._asdict() for name, found in self.differences.items()}
        return {
            "reports": [self.one.as_dict(), self.two.as_dict()],
            "differences": differences,
        }

    def to_json(self, indent: int | None = None) -> str:
        """The same as text."""
        return json.dumps(self.as_dict(), indent=indent)


def compare(
    one: AnyPlayer,
    two: AnyPlayer,
    game: Game | str,
    *,
    checkpoint: FilePath | None = None,
    **options: Any,  # noqa: ANN401 - those of `grade`
) -> Comparison:
    """Grade two players on the same boards; the options are those of `grade`.

    The second has a checkpoint of its own, beside the first's: `FILE-compared`.
    """
    other = None if checkpoint is None else _beside(Path(checkpoint))
    return difference(
        grade(one, game, checkpoint=checkpoint, **options),
        grade(two, game, checkpoint=other, **options),
    )


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.stem}-compared{path.suffix}")


def difference(one: Report, two: Report) -> Comparison:
    """The differences between two reports on the same boards."""
    found: dict[str, Estimate] = {}
    for measure in ("score", *MEASURES):
        first, second = getattr(one.summary, measure), getattr(two.summary, measure)
        if first and second:
            # Where one player's games are identical and counted once, only some boards are both's.
            both = sorted(set(one.clusters) & set(two.clusters))
            together = cluster_correlation(
                _measured(one, measure, both), _measured(two, measure, both)
            )
            found[measure] = difference_interval(first, second, together)
    return Comparison(one, two, found)


def _measured(report: Report, measure: str, names: Sequence[str]) -> Sequence[Cluster]:
    if measure == "score":
        shares = dict(zip(report.clusters, report.points, strict=True))
        return [Cluster.of([shares[name]]) for name in names]
    wanted = [row for row in report.rows if row.cluster in set(names)]
    return clusters_of(wanted, names, measure)
