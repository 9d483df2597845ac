"""Every bot on every test suite, with the versions: the table of results in docs/research.md."""

from __future__ import annotations

import sys

from gridwise import Game, grade
from gridwise.engine.bots import LEVELS
from gridwise.lab.grading.report import GradeReport
from gridwise.lab.report.provenance import versions

SEED = 1
FIGURES = ("regret", "best", "progress")


def report(played: Game, level: str) -> GradeReport:
    """How a bot did on the test part of a game's suite."""
    return grade(level, played, suite="test", seed=SEED)


def row(report: GradeReport) -> str:
    """A line of the table."""
    regret, best, progress = (getattr(report.summary, name) for name in FIGURES)
    return (
        f"| {report.game} | {report.agent.removeprefix('bot:')} | {report.moves:,} "
        f"| {regret.value:.4f} | {regret.low:.4f} to {regret.high:.4f} "
        f"| {best.value:.1%} | {best.low:.1%} to {best.high:.1%} "
        f"| {f'{progress.value:.1%}' if progress else ''} |"
    )


def table(chosen: list[Game]) -> str:
    """The table of some games, and what it was made with."""
    lines = [
        "| game | bot | positions | regret | 95 % interval | best moves | 95 % interval "
        "| progress |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for played in chosen:
        for level in LEVELS:
            lines.append(row(report(played, level)))
            print(lines[-1], file=sys.stderr)
    made = ", ".join(f"{name} {number}" for name, number in versions().items())
    return "\n".join([*lines, "", f"Made with {made}; seed {SEED}.", ""])
