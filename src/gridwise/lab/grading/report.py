"""GradeReport: how a player did, with the interval of every figure and the rows they come from.

Judged games or answers to a suite become a GradeReport, split by side, phase and difficulty; two
reports on the same boards become a Comparison. What a board does to both players cancels out, so
that a difference is seen with fewer games.
"""

from __future__ import annotations

import json
import platform
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from importlib.metadata import PackageNotFoundError, version
from statistics import fmean
from typing import Any, NamedTuple, TypeAlias

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.engine.evaluation import Limits
from gridwise.lab.grading.judge import HARDEST, PHASES, GradedMove, Judge
from gridwise.lab.paired_games import PairedGame
from gridwise.lab.report.charts import Figure, draw_intervals, new_figure, write_chart
from gridwise.lab.report.document import Table
from gridwise.lab.report.row_files import FilePath, write_rows
from gridwise.lab.statistics import (
    Cluster,
    Estimate,
    cluster_correlation,
    cluster_interval,
    difference_interval,
    interval,
    pair_shares,
)
from gridwise.lab.suites import Suite
from gridwise.players.batch_player import NO_ACTION

# What is measured move by move; None for a move on which it is not measured.
Measure: TypeAlias = Callable[[GradedMove], float | None]
MEASURES: dict[str, Measure] = {
    "loss": lambda row: row.regret if row.decision else None,
    "best": lambda row: float(row.kept) if row.decision else None,
    "illegal": lambda row: float(not row.legal),
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

    def to_json(self) -> dict[str, Any]:
        """The figures for other programs."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {
            name: value.to_json() if isinstance(value, Estimate) else value
            for name, value in values.items()
        }


@dataclass(frozen=True)
class GradeReport:
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
        parts = {"all": self.summary}
        for kind, split in self.splits.items():
            parts |= {PART_NAMES[kind].format(part): own for part, own in split.items()}
        rows = [
            [part, f"{own.moves:,}", *(_figure(name, getattr(own, name)) for name in figures)]
            for part, own in parts.items()
        ]
        table = Table(["", "moves", *(FIGURE_NAMES[name] for name in figures)], rows)
        return "\n\n".join([str(self), *table.blocks(79)])

    def as_dict(self) -> dict[str, Any]:
        """Everything but the rows, as JSON has it, with the versions it was made with."""
        left_out = {"rows", "clusters", "points", "summary", "splits"}
        names = [each.name for each in fields(self) if each.name not in left_out]
        return {name: getattr(self, name) for name in names} | {
            "best_rate": self.best_rate,
            "illegal_rate": self.illegal_rate,
            "intervals": self.summary.to_json(),
            "splits": {
                kind: {part: summary.to_json() for part, summary in parts.items()}
                for kind, parts in self.splits.items()
            },
            "versions": versions(),
        }

    def to_json(self, indent: int | None = None) -> str:
        """The report as JSON text."""
        return json.dumps(self.as_dict(), indent=indent)

    def write_rows(self, path: FilePath) -> None:
        """Write a row for each move, to Parquet or JSON Lines by the file's name."""
        write_rows(path, [row.as_dict() for row in self.rows])

    def plot(self, path: FilePath | None = None) -> Figure:
        """A figure of loss and best moves by side, phase and difficulty; needs matplotlib."""
        parts = {"all": self.summary}
        for kind, split in self.splits.items():
            parts |= {f"{kind} {part}": own for part, own in split.items()}
        what = f"suite {self.suite}" if self.suite else f"{self.games} games"
        title = f"{self.agent} at {self.game}, {what}: 95 % intervals"
        figure, panels = new_figure(0.6 + 0.35 * len(parts), 9, title, ncols=2, sharey=True)
        for panel, (measure, label) in zip(panels, PANEL_NAMES.items(), strict=True):
            estimates = [getattr(own, measure) for own in parts.values()]
            draw_intervals(panel, list(parts), {"": estimates}, label)
            panel.set_xlim(left=0)
        if path is not None:
            write_chart(figure, path)
        return figure


def versions() -> dict[str, str]:
    """What the figures were made with."""
    installed = {"python": platform.python_version()}
    for name in ("gridwise", *PACKAGES):
        try:
            installed[name] = version(name)
        except PackageNotFoundError:
            installed[name] = ""
    return installed


def clusters_of(
    rows: Iterable[GradedMove], names: Iterable[str], measure: Measure
) -> list[Cluster]:
    """What was measured in each cluster, in the order of the names."""
    measured: dict[str, list[float]] = {name: [] for name in names}
    for row in rows:
        value = measure(row)
        if value is not None:
            measured[row.cluster].append(value)
    return [Cluster.of(own) for own in measured.values()]


# Words


def _lines(report: GradeReport) -> list[str]:
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
    lines = [
        head,
        f"  score    {report.score:.1%}, 95 % interval {report.low:.1%} to {report.high:.1%}: "
        f"{ends}",
        f"  best     {best}",
        f"  loss     {report.loss:.4f} points a move"
        f"{_range(report.summary.loss, '{:.4f}')} (a win is 1, a loss 0), {how}",
        f"  illegal  {report.illegal:,} of {report.moves:,} moves "
        f"({report.illegal_rate:.1%}{_range(report.summary.illegal)})",
    ]
    if report.unjudged:
        lines.append(f"  unknown  {report.unjudged:,} moves, on a board too large to solve")
    if report.counted < report.games:
        lines.append(f"  games    {report.counted} counted: identical ones are counted once")
    return lines


def _range(estimate: Estimate | None, form: str = "{:.1%}") -> str:
    return estimate.text(form.format, ", {1} to {2}") if estimate else ""


def _figure(name: str, estimate: Estimate | None) -> str:
    if estimate is None:
        return ""
    show = "{:.3f}".format if name == "loss" else lambda share: f"{100 * share:.1f}"
    return estimate.text(show, "{} ({}-{})")


# From rows to a report


class JudgedGame(NamedTuple):
    """A game, and what each of the agent's moves in it was worth."""

    played: PairedGame
    rows: list[GradedMove]

    @property
    def line(self) -> tuple[object, ...]:
        """What is the same for identical games."""
        game = self.played
        return game.true_board, game.positions[-1].history, game.outcome


def games_report(
    names: tuple[str, str],
    game: Game,
    judged: Sequence[JudgedGame],
    seed: int,
    effort: int,
) -> GradeReport:
    """The report on games."""
    counted = _counted_once(judged)
    points = [each.played.points for each in counted]
    shares = pair_shares(points)
    by_side = [
        Estimate(fmean(own), *interval(own), len(own)) for own in (points[::2], points[1::2])
    ]
    endings = Counter(
        {0.0: "losses", 0.5: "draws", 1.0: "wins"}[played.points]
        if played.outcome and played.outcome.winner
        else "unfinished"
        for played, _ in judged
    )
    return _report(
        [row for each in counted for row in each.rows],
        tuple(each.played.pair for each in counted[::2]),
        Estimate(fmean(points), *interval(shares), len(shares)),
        by_side,
        {
            "game": game.key,
            "agent": names[0],
            "opponent": names[1],
            "seed": seed,
            "games": len(judged),
            "effort": effort if game.has_hidden_cells else 0,
            "distinct": len({each.line for each in judged}),
            "counted": len(counted),
            "points": tuple(shares),
            **endings,
            **_counts([row for each in judged for row in each.rows]),
        },
    )


def _counted_once(judged: Sequence[JudgedGame]) -> Sequence[JudgedGame]:
    """The games that are evidence: one pair a board, if games on the same board are identical.

    If some differ, somebody has drawn what to play. Then a game that comes again says how likely it
    is, and to leave it out would be to count rare games for as much as frequent ones.
    """
    kept: dict[Board, tuple[JudgedGame, JudgedGame]] = {}
    for one, two in zip(judged[::2], judged[1::2], strict=True):
        before = kept.setdefault(one.played.true_board, (one, two))
        if (before[0].line, before[1].line) != (one.line, two.line):
            return judged
    return [each for pair in kept.values() for each in pair]


def suite_report(suite: Suite, actions: Sequence[int], agent: str, seed: int = 0) -> GradeReport:
    """The report on a suite's positions and the actions chosen there, NO_ACTION for none."""
    judge, cluster_of = Judge(Limits()), suite.clusters()
    rows = []
    for row, action in zip(suite, actions, strict=True):
        legal = action if row.position.is_legal(action) else NO_ACTION
        cluster = cluster_of[row.id]
        rows.append(judge.judge(row.position, legal, row.id, cluster, row.phase, row.evaluation))
    clusters = tuple(dict.fromkeys(cluster_of.values()))
    values: dict[str, list[float]] = {name: [] for name in clusters}
    for graded in rows:
        values[graded.cluster].append(graded.chosen_value)

    def score(of: Iterable[GradedMove]) -> Estimate | None:
        """What the chosen moves are worth, on average."""
        return cluster_interval(clusters_of(of, clusters, lambda row: row.chosen_value))

    return _report(
        rows,
        clusters,
        score(rows),
        [score(row for row in rows if row.side == side) for side in (1, 2)],
        {
            "game": suite.game.key,
            "agent": agent,
            "opponent": "",
            "seed": seed,
            "games": 0,
            "effort": 0,
            "suite": suite.label,
            "points": tuple(map(fmean, values.values())),
            **_counts(rows),
        },
    )


def _counts(rows: Sequence[GradedMove]) -> dict[str, int]:
    """What is counted over all moves, by the names that a GradeReport has for it."""
    return {
        "moves": len(rows),
        "illegal": sum(not row.legal for row in rows),
        "unjudged": sum(not row.judged for row in rows),
        "decisions": sum(row.decision for row in rows),
        "kept": sum(row.kept for row in rows),
    }


def _report(
    rows: Sequence[GradedMove],
    clusters: tuple[str, ...],
    score: Estimate | None,
    by_side: Sequence[Estimate | None],
    others: dict[str, Any],
) -> GradeReport:
    """A report on the rows that are evidence, and the `others` of its fields."""
    decisions = [row for row in rows if row.decision]
    errors = [row.error for row in decisions]
    value, low, high, _ = score or Estimate(0.0, 0.0, 1.0)
    ends_game = bool(others["games"])  # as an illegal move does

    def summarize(own: Sequence[GradedMove], score: Estimate | None) -> Summary:
        figures = {
            name: cluster_interval(
                clusters_of(own, clusters, measure),
                worst=2.0 if ends_game and name == "illegal" else 0.0,  # of two games
            )
            for name, measure in MEASURES.items()
        }
        return Summary(len(own), sum(row.decision for row in own), score, **figures)

    parts = {"side": (1, 2), "phase": PHASES, "difficulty": range(1, HARDEST + 1)}
    return GradeReport(
        score=value,
        low=low,
        high=high,
        loss=fmean([row.regret for row in decisions] or [0.0]),
        exact=not any(errors),
        error=fmean(errors or [0.0]),
        summary=summarize(rows, score),
        splits={
            kind: {
                str(part): summarize(own, by_side[number] if kind == "side" else None)
                for number, part in enumerate(values)
                if (own := [row for row in rows if getattr(row, kind) == part])
            }
            for kind, values in parts.items()
        },
        rows=tuple(rows),
        clusters=clusters,
        **others,
    )


# Two players


@dataclass(frozen=True)
class Comparison:
    """Two reports, and how much higher each figure of the first is."""

    one: GradeReport
    two: GradeReport
    differences: dict[str, Estimate]  # score, loss, best, illegal, as far as there are figures

    def __str__(self) -> str:
        lines = [str(self.one), str(self.two), f"{self.one.agent} minus {self.two.agent}"]
        for name, (value, low, high, _) in self.differences.items():
            clear = "" if low > 0 or high < 0 else ": not clear"
            interval = f"95 % interval {low:+.4f} to {high:+.4f}{clear}"
            lines.append(f"  {name:8} {value:+.4f}, {interval}")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Everything as JSON has it."""
        return {
            "reports": [self.one.as_dict(), self.two.as_dict()],
            "differences": {name: own.to_json() for name, own in self.differences.items()},
        }

    def to_json(self, indent: int | None = None) -> str:
        """The comparison as JSON text."""
        return json.dumps(self.as_dict(), indent=indent)


def difference(one: GradeReport, two: GradeReport) -> Comparison:
    """The differences between two reports on the same boards."""
    # Where one player's games are identical and counted once, only some boards are both's.
    shared = set(one.clusters) & set(two.clusters)
    both = sorted(shared)

    def clusters(report: GradeReport, name: str) -> list[Cluster]:
        if name == "score":
            shares = dict(zip(report.clusters, report.points, strict=True))
            return [Cluster.of([shares[cluster]]) for cluster in both]
        rows = (row for row in report.rows if row.cluster in shared)
        return clusters_of(rows, both, MEASURES[name])

    differences: dict[str, Estimate] = {}
    for name in ("score", *MEASURES):
        first, second = getattr(one.summary, name), getattr(two.summary, name)
        if first and second:
            together = cluster_correlation(clusters(one, name), clusters(two, name))
            differences[name] = difference_interval(first, second, together)
    return Comparison(one, two, differences)
