"""Report: how a player did, with the interval of every figure and the rows they come from.

Judged games or answers to a suite become a Report, split by side, phase and difficulty; two reports
on the same boards become a Comparison. What a board does to both players cancels out, so that a
difference is seen with fewer games.
"""

from __future__ import annotations

import json
import platform
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from statistics import fmean
from typing import Any, NamedTuple

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.engine.evaluation import Limits
from gridwise.lab.grading.judge import HARDEST, PHASES, GradedMove, Judge, by_cluster
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
        parts = {"all": self.summary}
        for kind, split in self.splits.items():
            parts |= {PART_NAMES[kind].format(part): found for part, found in split.items()}
        rows = [
            [part, f"{found.moves:,}", *(_figure(name, getattr(found, name)) for name in figures)]
            for part, found in parts.items()
        ]
        table = Table(["", "moves", *(FIGURE_NAMES[name] for name in figures)], rows)
        return "\n\n".join([str(self), *table.blocks(79)])

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
        """The report as JSON text."""
        return json.dumps(self.as_dict(), indent=indent)

    def write_rows(self, path: FilePath) -> None:
        """Write a row for each move, to Parquet or JSON Lines by the file's name."""
        write_rows(path, [row.as_dict() for row in self.rows])

    def plot(self, path: FilePath | None = None) -> Figure:
        """A figure of loss and best moves by side, phase and difficulty; needs matplotlib."""
        parts = {"all": self.summary}
        for name, split in self.splits.items():
            parts |= {f"{name} {part}": found for part, found in split.items()}
        what = f"suite {self.suite}" if self.suite else f"{self.games} games"
        title = f"{self.agent} at {self.game}, {what}: 95 % intervals"
        figure, panels = new_figure(0.6 + 0.35 * len(parts), 9, title, ncols=2, sharey=True)
        for panel, (measure, label) in zip(panels, PANEL_NAMES.items(), strict=True):
            estimates = [getattr(found, measure) for found in parts.values()]
            draw_intervals(panel, list(parts), {"": estimates}, label)
            panel.set_xlim(left=0)
        if path is not None:
            write_chart(figure, path)
        return figure


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
        data[name] = estimate.to_json() if estimate else None
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


def _figure(name: str, found: Estimate | None) -> str:
    if found is None:
        return ""
    if name == "loss":
        return found.text("{:.3f}".format, "{} ({}-{})")
    return found.text(lambda share: f"{100 * share:.1f}", "{} ({}-{})")


# Games


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
) -> Report:
    """The report on games."""
    tally, evidence, counted = _Tally(), _Tally(), _counted_once(judged)
    for played, own in judged:
        ending = {0.0: "losses", 0.5: "draws", 1.0: "wins"}[played.points]
        tally.counts[ending if played.outcome and played.outcome.winner else "unfinished"] += 1
        for row in own:
            tally.count(row)
    for row in (row for each in counted for row in each.rows):
        evidence.count(row)
    rows = [row for each in counted for row in each.rows]
    points = [each.played.points for each in counted]
    shares = pair_shares(points)
    low, high = interval(shares)
    score = fmean(points)
    clusters = tuple(each.played.pair for each in counted[::2])
    by_side = {
        str(side): Estimate(fmean(own), *interval(own), len(own))
        for side, own in ((1, points[::2]), (2, points[1::2]))
    }
    return Report(
        game=game.key,
        agent=names[0],
        opponent=names[1],
        seed=seed,
        games=len(judged),
        score=score,
        low=low,
        high=high,
        effort=effort if game.has_hidden_cells else 0,
        distinct=len({each.line for each in judged}),
        counted=len(counted),
        summary=summarize(rows, clusters, Estimate(score, low, high, len(shares)), ends_game=True),
        splits=_splits(rows, clusters, by_side, ends_game=True),
        rows=tuple(rows),
        clusters=clusters,
        points=tuple(shares),
        **(evidence.figures | tally.counts),
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


# Suites


def suite_report(rows: Suite, actions: Sequence[int], agent: str, seed: int = 0) -> Report:
    """The report on a suite's positions and the actions chosen there, NO_ACTION for none."""
    judge, tally = Judge(Limits()), _Tally()
    cluster_of = rows.clusters()
    graded = []
    for row, action in zip(rows, actions, strict=True):
        legal = action if row.position.is_legal(action) else NO_ACTION
        cluster = cluster_of[row.id]
        judged = judge.judge(row.position, legal, row.id, cluster, row.phase, row.evaluation)
        tally.count(judged)
        graded.append(judged)
    clusters = tuple(dict.fromkeys(cluster_of.values()))
    score = suite_score(graded, clusters)
    by_side = {
        str(side): suite_score([row for row in graded if row.side == side], clusters)
        for side in (1, 2)
    }
    value = score or Estimate(0.0, 0.0, 1.0)
    points: dict[str, list[float]] = {name: [] for name in clusters}
    for each in graded:
        points[each.cluster].append(each.chosen_value)
    return Report(
        game=rows.game.key,
        agent=agent,
        opponent="",
        seed=seed,
        games=0,
        score=value.value,
        low=value.low,
        high=value.high,
        effort=0,
        suite=rows.label,
        summary=summarize(graded, clusters, score, ends_game=False),
        splits=_splits(graded, clusters, by_side, ends_game=False),
        rows=tuple(graded),
        clusters=clusters,
        points=tuple(fmean(own) for own in points.values()),
        **tally.figures,
    )


def suite_score(rows: Sequence[GradedMove], clusters: Sequence[str]) -> Estimate | None:
    """What the chosen moves are worth, on average."""
    values: dict[str, list[float]] = {name: [] for name in clusters}
    for row in rows:
        values[row.cluster].append(row.chosen_value)
    return cluster_interval([Cluster.of(own) for own in values.values()])


# Both


@dataclass
class _Tally:
    """What is counted over all moves, by the names that a Report has for it."""

    counts: Counter[str] = field(default_factory=Counter)
    regrets: list[float] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)

    def count(self, row: GradedMove) -> None:
        """Count a row."""
        self.counts["moves"] += 1
        self.counts["illegal"] += not row.legal
        self.counts["unjudged"] += not row.judged
        if row.decision:
            self.counts["decisions"] += 1
            self.counts["kept"] += row.kept
            self.regrets.append(row.regret)
            self.errors.append(row.error)

    @property
    def figures(self) -> dict[str, Any]:
        """The fields of a Report."""
        return {
            "loss": fmean(self.regrets or [0.0]),
            "exact": not any(self.errors),
            "error": fmean(self.errors or [0.0]),
            **self.counts,
        }


def _splits(
    rows: Sequence[GradedMove],
    clusters: Sequence[str],
    by_side: Mapping[str, Estimate | None],
    *,
    ends_game: bool,
) -> dict[str, dict[str, Summary]]:
    """The summaries by side, by phase and by difficulty, of what there is."""
    kinds: dict[str, dict[str, Callable[[GradedMove], bool]]] = {
        "side": {str(k): lambda row, k=k: row.side == k for k in (1, 2)},  # type: ignore[misc]
        "phase": {name: lambda row, name=name: row.phase == name for name in PHASES},  # type: ignore[misc]
        "difficulty": {
            str(k): lambda row, k=k: row.difficulty == k  # type: ignore[misc]
            for k in range(1, HARDEST + 1)
        },
    }
    found: dict[str, dict[str, Summary]] = {}
    for kind, parts in kinds.items():
        found[kind] = {}
        for name, belongs in parts.items():
            part = [row for row in rows if belongs(row)]
            if part:
                score = by_side[name] if kind == "side" else None
                found[kind][name] = summarize(part, clusters, score, ends_game=ends_game)
    return found


# Two players


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
        differences = {name: found.to_json() for name, found in self.differences.items()}
        return {
            "reports": [self.one.as_dict(), self.two.as_dict()],
            "differences": differences,
        }

    def to_json(self, indent: int | None = None) -> str:
        """The comparison as JSON text."""
        return json.dumps(self.as_dict(), indent=indent)


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
