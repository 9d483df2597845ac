"""Report: how a player did, with the interval of every figure and the rows they come from."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from gridwise.arena.grades.graded_moves import GradedMove, by_cluster
from gridwise.arena.grades.table_files import FilePath, write_rows
from gridwise.arena.statistics import Cluster, Estimate, cluster_interval

# What is measured move by move, with the rows it is measured on.
MEASURES: dict[str, tuple[Callable[[GradedMove], bool], Callable[[GradedMove], float]]] = {
    "loss": (lambda row: row.decision, lambda row: row.regret),
    "best": (lambda row: row.decision, lambda row: float(row.kept)),
    "illegal": (lambda _: True, lambda row: float(not row.legal)),
}
PACKAGES = ("numpy", "numba", "llvmlite")
PART_NAMES = {"side": "as Player {}", "phase": "{}", "difficulty": "difficulty {}"}
PANEL_NAMES = {"loss": "loss (points a move)", "best": "share of best moves"}
FIGURE_NAMES = {"best": "best, %", "loss": "loss", "score": "score, %", "illegal": "illegal, %"}


@dataclass(frozen=True)
class Summary:
    """What some moves show; each figure is None where nothing could be measured."""

    moves: int
    decisions: int  # moves where a mistake was possible
    score: Estimate | None  # the share of points
    loss: Estimate | None  # points given away, on average over the decisions
    best: Estimate | None  # the share of decisions that were as good as the best move
    illegal: Estimate | None  # the share of all moves


@dataclass(frozen=True)
class Report:
    """How an agent did. `print(report)` shows it in a few lines, `report.table()` in more."""

    game: str
    agent: str
    opponent: str  # empty on a suite
    seed: int
    games: int  # 0 on a suite
    score: float  # the share of points: 1 for a win, a half for a draw or a game without an end
    low: float  # the 95 % interval of the score
    high: float
    loss: float  # points given away, on average over the decisions
    exact: bool  # whether the value of every move is exact
    error: float  # the average standard error of a chosen move's value
    effort: int  # simulations a position, where there is chance
    wins: int = 0
    draws: int = 0
    losses: int = 0
    unfinished: int = 0
    moves: int = 0
    illegal: int = 0
    unjudged: int = 0  # moves on boards too large to solve
    decisions: int = 0  # moves where a mistake was possible
    kept: int = 0  # of those, the ones that were as good as the best
    distinct: int = 0  # different games, whoever played which side
    counted: int = 0  # games that score, loss and intervals are from: identical ones once
    suite: str = ""  # such as "v1 test"
    summary: Summary = field(kw_only=True)
    splits: dict[str, dict[str, Summary]] = field(kw_only=True)  # side, phase, difficulty
    rows: tuple[GradedMove, ...] = field(kw_only=True, repr=False)
    clusters: tuple[str, ...] = field(kw_only=True, repr=False)
    points: tuple[float, ...] = field(kw_only=True, repr=False)  # by each cluster

    @property
    def best_rate(self) -> float | None:
        """How often the best result was kept where a mistake was possible; None if it never was."""
        return self.kept / self.decisions if self.decisions else None

    @property
    def accuracy(self) -> float | None:
        """The share of points kept there, as `gridwise review` has it; None if there was none."""
        return 1.0 - self.loss if self.decisions else None

    @property
    def illegal_rate(self) -> float:
        """The share of moves that were illegal."""
        return self.illegal / self.moves if self.moves else 0.0

    def __str__(self) -> str:
        return "\n".join(_lines(self))

    def table(self) -> str:
        """The report and its splits, for a terminal of 80 columns."""
        figures = ["best", "loss", "score", *(["illegal"] if self.illegal else [])]
        lines = [str(self)]
        for begin in range(0, len(figures), 3):
            lines += ["", *_table(self, figures[begin : begin + 3])]
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Everything but the rows, as JSON has it, with the versions it was made with."""
        left_out = {"rows", "clusters", "points", "summary", "splits"}
        data = {name: getattr(self, name) for name in self.__dataclass_fields__}
        data = {name: value for name, value in data.items() if name not in left_out}
        splits = {
            name: {part: summary_dict(found) for part, found in parts.items()}
            for name, parts in self.splits.items()
        }
        return data | {
            "best_rate": self.best_rate,
            "illegal_rate": self.illegal_rate,
            "intervals": summary_dict(self.summary),
            "splits": splits,
            "versions": versions(),
        }

    def to_json(self, indent: int | None = None) -> str:
        """The same as text."""
        return json.dumps(self.as_dict(), indent=indent)

    def write_rows(self, path: FilePath) -> None:
        """Write a row for each move, to Parquet or JSON Lines by the file's name."""
        write_rows(path, [row.as_dict() for row in self.rows])

    def plot(self, path: FilePath | None = None) -> Any:  # noqa: ANN401 - a matplotlib Figure
        """A figure of loss and best moves by side, phase and difficulty; needs matplotlib."""
        from gridwise.arena.grades.plots import plot_estimates  # noqa: PLC0415 - an extra

        parts = {"all": self.summary}
        for name, split in self.splits.items():
            parts |= {f"{name} {part}": found for part, found in split.items()}
        panels = {
            label: [getattr(found, measure) for found in parts.values()]
            for measure, label in PANEL_NAMES.items()
        }
        what = f"suite {self.suite}" if self.suite else f"{self.games} games"
        title = f"{self.agent} at {self.game}, {what}"
        return plot_estimates(panels, list(parts), title, path)


def versions() -> dict[str, str]:
    """What the figures were made with."""
    found = {"python": platform.python_version(), "gridwise": _version("gridwise")}
    return found | {name: _version(name) for name in PACKAGES}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def summary_dict(found: Summary) -> dict[str, Any]:
    """A summary as JSON has it."""
    data = asdict(found)
    for name in ("score", *MEASURES):
        estimate: Estimate | None = getattr(found, name)
        data[name] = estimate._asdict() if estimate else None
    return data


def clusters_of(rows: Sequence[GradedMove], names: Sequence[str], measure: str) -> list[Cluster]:
    """What was measured in each cluster, in the order of the names."""
    wanted, value = MEASURES[measure]
    sorted_in = by_cluster(rows, names)
    return [Cluster.of([value(row) for row in sorted_in[name] if wanted(row)]) for name in names]


def summarize(
    rows: Sequence[GradedMove], names: Sequence[str], score: Estimate | None, *, ends_game: bool
) -> Summary:
    """The summary of some rows; `ends_game` says that an illegal move ends its game."""
    found = {
        measure: cluster_interval(
            clusters_of(rows, names, measure),
            worst=2.0 if ends_game and measure == "illegal" else 0.0,  # of two games
        )
        for measure in MEASURES
    }
    return Summary(len(rows), sum(row.decision for row in rows), score, **found)


# Words


def _lines(report: Report) -> list[str]:
    if report.suite:
        head = f"{report.agent} at {report.game}: suite {report.suite}, {report.moves} positions"
        ends = "what the chosen moves are worth"
    else:
        head = (
            f"{report.agent} at {report.game}: {report.games} games against {report.opponent}, "
            f"each board from both sides, seed {report.seed}"
        )
        ends = f"{report.wins} won, {report.draws} drawn, {report.losses} lost"
    if report.unfinished:
        ends += f", {report.unfinished} unfinished"
    best = "no move mattered: every choice was worth the same"
    if report.best_rate is not None:
        alike = "" if report.exact else " within the sampling error"
        best = (
            f"kept{alike} in {report.kept:,} of {report.decisions:,} moves where a mistake was "
            f"possible ({report.best_rate:.1%}{_range(report.summary.best)})"
        )
    how = "exact"
    if not report.exact:
        how = f"sampled: {report.effort:,} simulations, standard error {report.error:.3f} a move"
    loss = report.summary.loss
    between = f", {loss.low:.4f} to {loss.high:.4f}" if loss else ""
    lines = [
        head,
        f"  score    {report.score:.1%}, 95 % interval {report.low:.1%} to {report.high:.1%}: "
        f"{ends}",
        f"  best     {best}",
        f"  loss     {report.loss:.4f} points a move{between} (a win is 1, a loss 0), {how}",
        f"  illegal  {report.illegal:,} of {report.moves:,} moves "
        f"({report.illegal_rate:.1%}{_range(report.summary.illegal)})",
    ]
    if report.unjudged:
        lines.append(f"  unknown  {report.unjudged:,} moves, on a board too large to solve")
    if report.counted < report.games:
        lines.append(f"  games    {report.counted} counted: identical ones are counted once")
    return lines


def _range(estimate: Estimate | None) -> str:
    return f", {estimate.low:.1%} to {estimate.high:.1%}" if estimate else ""


def _table(report: Report, figures: Sequence[str]) -> Iterator[str]:
    """Some figures of all moves and of each part, with their intervals; 79 columns at most."""
    parts = {"all": report.summary}
    for kind, split in report.splits.items():
        parts |= {PART_NAMES[kind].format(part): found for part, found in split.items()}
    yield f"{'':12} {'moves':>6}" + "".join(f"{FIGURE_NAMES[name]:>20}" for name in figures)
    for part, found in parts.items():
        cells = "".join(f"{_figure(name, getattr(found, name)):>20}" for name in figures)
        yield f"{part:12} {found.moves:6,}{cells}".rstrip()


def _figure(name: str, found: Estimate | None) -> str:
    if found is None:
        return ""
    if name == "loss":
        return f"{found.value:.3f} ({found.low:.3f}-{found.high:.3f})"
    value, low, high = (100 * each for each in found[:3])
    return f"{value:.1f} ({low:.1f}-{high:.1f})"
