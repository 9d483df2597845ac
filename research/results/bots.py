"""Every bot on every test suite, with the versions: the table of results in docs/research.md."""

from __future__ import annotations

import sys
from pathlib import Path

from gridwise import Game, grade
from gridwise.engine.bots import LEVELS
from gridwise.lab.grading.report import GradeReport, versions

PAGE = Path(__file__).parents[2] / "docs" / "research.md"
BEGIN = "<!-- Made by `python -m research.results bots --write`. -->\n"
END = "<!-- The end of the table. -->\n"
SEED = 1


def report(played: Game, level: str) -> GradeReport:
    """How a bot did on the test part of a game's suite."""
    return grade(level, played, suite="test", seed=SEED)


def row(report: GradeReport) -> str:
    """A line of the table."""
    loss, best = report.summary.regret, report.summary.best
    assert loss
    assert best
    return (
        f"| {report.game} | {report.agent.removeprefix('bot:')} | {report.moves:,} "
        f"| {loss.value:.4f} | {loss.low:.4f} to {loss.high:.4f} "
        f"| {best.value:.1%} | {best.low:.1%} to {best.high:.1%} |"
    )


def table(chosen: list[Game]) -> str:
    """The table of some games, and what it was made with."""
    lines = [
        "| game | bot | positions | loss | 95 % interval | best moves | 95 % interval |",
        "|---|---|---|---|---|---|---|",
    ]
    for played in chosen:
        for level in LEVELS:
            lines.append(row(report(played, level)))
            print(lines[-1], file=sys.stderr)
    made = ", ".join(f"{name} {number}" for name, number in versions().items())
    return "\n".join([*lines, "", f"Made with {made}; seed {SEED}.", ""])


def write(made: str) -> None:
    """Put a table into the page."""
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n{made}\n{END}{after}", encoding="utf-8")
