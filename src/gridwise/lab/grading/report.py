"""GradeReport: how a player did, with the interval of every figure and the rows they come from.

Judged games or answers to a suite become a GradeReport, split by side, phase and difficulty; two
reports on the same boards become a Comparison. What a board does to both players cancels out, so
that a difference is seen with fewer games. docs/figures.md says what each number means, and what
would fool it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from math import inf
from statistics import fmean
from typing import Any, NamedTuple, TypeAlias

from gridwise.core.board import Board
from gridwise.engine.evaluation import Limits
from gridwise.lab.grading.judge import (
    HARDEST,
    PHASES,
    GradedMove,
    Judge,
    game_regret,
    is_stalled,
)
from gridwise.lab.paired_games import PairedGame
from gridwise.lab.report.charts import Figure, draw_intervals, new_figure, write_chart
from gridwise.lab.report.document import Table
from gridwise.lab.report.provenance import date_and_version, today, versions
from gridwise.lab.report.row_files import FilePath, write_rows
from gridwise.lab.statistics import (
    Cluster,
    Estimate,
    cluster_correlation,
    cluster_interval,
    difference_interval,
    interval,
    pair_means,
)
from gridwise.lab.store import JSON
from gridwise.lab.suites import Suite
from gridwise.play.boards import STANDARD, BoardSource, with_variant
from gridwise.players.batch_player import NO_ACTION

# What is measured move by move; None for a move on which it is not measured. A position counts
# once a game, but an illegal move always does.
Measure: TypeAlias = Callable[[GradedMove], float | None]
MEASURES: dict[str, Measure] = {
    "regret": lambda row: row.regret if _counts(row) else None,
    "best": lambda row: row.optimal if _counts(row) else None,
    "progress": lambda row: None if row.repeated else row.progress,
    "illegal": lambda row: None if row.repeated and not row.illegal else row.illegal,
}
OF_GAMES = ("score", "game_regret")  # the figures that a game has, or on a suite a position
PART_NAMES = {"side": "as Player {}", "phase": "{}", "difficulty": "difficulty {}"}
PANEL_NAMES = {"regret": "regret (points a decision)", "best": "share of best moves"}
FIGURE_NAMES = {
    "best": "best, %",
    "regret": "regret",
    "game_regret": "regret a game",
    "score": "score, %",
    "illegal": "illegal, %",
}


def _counts(row: GradedMove) -> bool:
    """Whether a move is a decision that counts: the first in its position, or an illegal one."""
    return row.decision and (row.illegal > 0 or not row.repeated)


@dataclass(frozen=True)
class Summary:
    """What some moves show; each figure is None where nothing could be measured."""

    moves: int
    decisions: int  # moves where a mistake was possible, each position once a game
    score: Estimate | None  # the share of points
    regret: Estimate | None  # points given away, on average over the decisions
    game_regret: Estimate | None  # points thrown away a game, by moves and by not finishing
    best: Estimate | None  # the share of decisions that were as good as the best move
    progress: Estimate | None  # of moves in won positions: the share that win and lose no time
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
    regret: float  # points given away, on average over the decisions
    exact: bool  # whether the value of every move is exact
    error: float  # the average standard error of a chosen move's value
    effort: int  # simulations a position, where there is chance
    wins: int = 0
    draws: int = 0
    losses: int = 0
    unfinished: int = 0
    stalled: int = 0  # games in which a win was left standing, in circles or for ten moves
    game_regret: float | None = None  # points thrown away a game; None on a suite
    moves: int = 0  # of the games that count
    repeated: int = 0  # of them, those in a position that had come up before in the same game
    illegal: float = 0
    unjudged: int = 0  # moves on boards too large to solve
    decisions: int = 0  # moves where a mistake was possible, each position once a game
    optimal: float = 0  # of those, the ones that were as good as the best
    distinct: int = 0  # different games, whoever played which side
    counted: int = 0  # games that count, identical ones once: all figures are from them
    suite: str = ""  # such as "v1 test"
    checksum: str = ""  # of the suite's positions and values
    chances: bool = False  # whether figures are expected ones, of moves with chances
    variant: str = STANDARD  # what is not as the rules have it
    boards: dict[str, JSON] = field(default_factory=dict)  # which boards, as BoardSource has it
    date: str = field(default_factory=today)
    summary: Summary = field(kw_only=True)
    splits: dict[str, dict[str, Summary]] = field(kw_only=True)  # side, phase, difficulty
    rows: tuple[GradedMove, ...] = field(kw_only=True, repr=False)
    clusters: tuple[str, ...] = field(kw_only=True, repr=False)
    points: tuple[float, ...] = field(kw_only=True, repr=False)  # by each cluster
    thrown: tuple[float, ...] = field(default=(), kw_only=True, repr=False)  # away a game, the same

    @property
    def where(self) -> str:
        """The game, with what is not as the rules have it."""
        return with_variant(self.game, self.variant)

    @property
    def best_rate(self) -> float | None:
        """How often the best result was kept where a mistake was possible; None if it never was."""
        return self.optimal / self.decisions if self.decisions else None

    @property
    def accuracy(self) -> float | None:
        """The share of points kept there, as `gridwise review` has it; None if there was none."""
        return 1.0 - self.regret if self.decisions else None

    @property
    def illegal_rate(self) -> float:
        """The share of moves that were illegal; legal ones count once a position and game."""
        return self.summary.illegal.value if self.summary.illegal else 0.0

    def __str__(self) -> str:
        return "\n".join(_lines(self))

    def table(self) -> str:
        """The report and its splits, for a terminal of 80 columns."""
        parts = {"all": self.summary}
        for kind, split in self.splits.items():
            parts |= {PART_NAMES[kind].format(part): own for part, own in split.items()}
        of_moves = ["decisions", "best", "regret", *(["illegal"] if self.illegal else [])]
        of_games = [name for name in OF_GAMES if getattr(self.summary, name)]
        whole = {name: own for name, own in parts.items() if own.score}
        tables = _summaries(parts, of_moves), _summaries(whole, of_games)
        return "\n\n".join([str(self), *(block for each in tables for block in each.blocks(79))])

    def as_dict(self) -> dict[str, Any]:
        """Everything but the rows, as JSON has it, with the versions it was made with."""
        left_out = {"rows", "clusters", "points", "thrown", "summary", "splits"}
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
        """A figure of regret and best moves by side, phase and difficulty; needs matplotlib."""
        parts = {"all": self.summary}
        for kind, split in self.splits.items():
            parts |= {f"{kind} {part}": own for part, own in split.items()}
        what = f"suite {self.suite}" if self.suite else f"{self.games} games"
        title = f"{self.agent} at {self.where}, {what}: 95 % intervals"
        figure, panels = new_figure(0.6 + 0.35 * len(parts), 9, title, ncols=2, sharey=True)
        for panel, (measure, label) in zip(panels, PANEL_NAMES.items(), strict=True):
            estimates = [getattr(own, measure) for own in parts.values()]
            draw_intervals(panel, list(parts), {"": estimates}, label)
            panel.set_xlim(left=0)
        if path is not None:
            write_chart(figure, path)
        return figure


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
        head = f"{report.agent} at {report.where}: suite {report.suite}, {report.moves} positions"
        ends = "what the chosen moves are worth"
    else:
        head = (
            f"{report.agent} at {report.where}: {report.games} games against {report.opponent}, "
            f"each board from both sides, seed {report.seed}"
        )
        ends = f"{report.wins} won, {report.draws} drawn, {report.losses} lost"
    if report.unfinished:
        ends += f", {report.unfinished} unfinished"
    best = "no move mattered: every choice was worth the same"
    if report.best_rate is not None:
        alike = "" if report.exact else " within the sampling error"
        best = (
            f"kept{alike} in {_counted(report.optimal)} of {report.decisions:,} decisions "
            f"({report.best_rate:.1%}{_range(report.summary.best)})"
        )
    how = "expected, exact" if report.chances else "exact"
    if not report.exact:
        how = f"sampled: {report.effort:,} simulations, standard error {report.error:.3f} a move"
    lines = [
        head,
        f"  score    {report.score:.1%}, 95 % interval {report.low:.1%} to {report.high:.1%}: "
        f"{ends}",
        f"  best     {best}",
        f"  regret   {report.regret:.4f} points a decision"
        f"{_range(report.summary.regret, '{:.4f}')} (a win is 1, a loss 0), {how}",
    ]
    if report.summary.game_regret:
        unfinished = "moves and wins not finished" if report.unfinished else "all its moves"
        lines.append(
            f"  a game   {report.game_regret:.4f} points thrown away"
            f"{_range(report.summary.game_regret, '{:.4f}')}, by {unfinished}"
        )
    if report.summary.progress:
        stalled = f"; a win stood still in {report.stalled:,} games" if report.stalled else ""
        lines.append(
            f"  progress {report.summary.progress.value:.1%}"
            f"{_range(report.summary.progress, form=', {1} to {2}')} of the moves in won "
            f"positions lost no time{stalled}"
        )
    moves = report.summary.illegal.n if report.summary.illegal else 0
    lines.append(
        f"  illegal  {_counted(report.illegal)} of {moves:,} moves "
        f"({report.illegal_rate:.1%}{_range(report.summary.illegal)})"
    )
    if more := report.moves - moves:
        lines.append(
            f"  repeated {more:,} more moves, in a position that had come up before in "
            "the game: not counted"
        )
    if report.unjudged:
        lines.append(f"  unknown  {report.unjudged:,} moves, on a board too large to solve")
    if report.counted < report.games:
        lines.append(f"  games    {report.counted} counted: identical ones are counted once")
    made = f"  made     {date_and_version(report.date)}"
    lines.append(f"{made}; checksum of the suite {report.checksum}" if report.suite else made)
    return lines


def _counted(number: float) -> str:
    return f"{number:,}" if isinstance(number, int) else f"{number:,.1f}"


def _range(estimate: Estimate | None, show: str = "{:.1%}", form: str = ", {1} to {2}") -> str:
    return estimate.text(show.format, form) if estimate else ""


def _summaries(parts: Mapping[str, Summary], figures: Sequence[str]) -> Table:
    """Some figures of each part."""
    rows = [
        [part, *(_figure(name, getattr(own, name)) for name in figures)]
        for part, own in parts.items()
    ]
    return Table(["", *(FIGURE_NAMES.get(name, name) for name in figures)], rows)


def _figure(name: str, estimate: Estimate | int | None) -> str:
    if not isinstance(estimate, Estimate):
        return "" if estimate is None else f"{estimate:,}"
    points = name in ("regret", "game_regret")
    show = "{:.3f}".format if points else lambda share: f"{100 * share:.1f}"
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

    @property
    def regret(self) -> float:
        """The points that the agent threw away in it."""
        game = self.played
        return game_regret(self.rows, game.outcome, len(game.positions) - 1)


def games_report(
    names: tuple[str, str],
    boards: BoardSource,
    judged: Sequence[JudgedGame],
    seed: int,
    effort: int,
) -> GradeReport:
    """The report on games."""
    counted = _counted_once(judged)
    points = [each.played.points for each in counted]
    shares = pair_means(points)
    thrown = [each.regret for each in counted]
    game = boards.game
    endings = Counter(
        {0.0: "losses", 0.5: "draws", 1.0: "wins"}[played.points]
        if played.outcome and played.outcome.winner
        else "unfinished"
        for played, _ in judged
    )
    return _report(
        [row for each in counted for row in each.rows],
        tuple(each.played.pair for each in counted[::2]),
        _of_pairs(points),
        _of_pairs(thrown, most=inf),
        {
            "game": game.key,
            "variant": boards.variant,
            "boards": boards.about(),
            "agent": names[0],
            "opponent": names[1],
            "seed": seed,
            "games": len(judged),
            "effort": effort if game.has_hidden_cells else 0,
            "distinct": len({each.line for each in judged}),
            "counted": len(counted),
            "points": tuple(shares),
            "thrown": tuple(pair_means(thrown)),
            "stalled": sum(is_stalled(each.rows) for each in counted),
            **endings,
        },
    )


def _of_pairs(figures: Sequence[float], most: float = 1.0) -> list[Estimate]:
    """The mean of a figure of each game: over the pairs, then as Player 1 and as Player 2."""
    return [
        Estimate(fmean(own), *interval(own, most), len(own))
        for own in (pair_means(figures), figures[::2], figures[1::2])
    ]


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


def suite_report(
    suite: Suite, choices: Sequence[int | Mapping[int, float]], agent: str, seed: int = 0
) -> GradeReport:
    """The report on a suite's positions and what was chosen there.

    A choice is an action, NO_ACTION for none, or the chance of each: then figures are expected
    ones.
    """
    judge, cluster_of = Judge(Limits()), suite.clusters()
    rows = []
    for row, choice in zip(suite, choices, strict=True):
        legal = choice
        if not isinstance(choice, Mapping) and not row.position.is_legal(choice):
            legal = NO_ACTION
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
        [score(rows), *(score(row for row in rows if row.side == side) for side in (1, 2))],
        [None] * 3,
        {
            "game": suite.game.key,
            "agent": agent,
            "opponent": "",
            "seed": seed,
            "games": 0,
            "effort": 0,
            "suite": suite.label,
            "checksum": suite.checksum,
            "chances": any(isinstance(choice, Mapping) for choice in choices),
            "points": tuple(map(fmean, values.values())),
        },
    )


def _report(
    rows: Sequence[GradedMove],
    clusters: tuple[str, ...],
    scores: Sequence[Estimate | None],
    thrown: Sequence[Estimate | None],
    others: dict[str, Any],
) -> GradeReport:
    """A report on the rows that are evidence, and the `others` of its fields.

    `scores` and the points `thrown` away a game are over all, as Player 1 and as Player 2.
    """
    decisions = [row for row in rows if _counts(row)]
    errors = [row.error for row in decisions]
    value, low, high, _ = scores[0] or Estimate(0.0, 0.0, 1.0)
    ends_game = bool(others["games"])  # as an illegal move does

    def summarize(own: Sequence[GradedMove], number: int | None) -> Summary:
        figures = {
            name: cluster_interval(
                clusters_of(own, clusters, measure),
                worst=2.0 if ends_game and name == "illegal" else 0.0,  # of two games
            )
            for name, measure in MEASURES.items()
        }
        of_games = (None, None) if number is None else (scores[number], thrown[number])
        count = sum(map(_counts, own))
        return Summary(len(own), count, score=of_games[0], game_regret=of_games[1], **figures)

    parts = {"side": (1, 2), "phase": PHASES, "difficulty": range(1, HARDEST + 1)}
    return GradeReport(
        score=value,
        low=low,
        high=high,
        regret=fmean([row.regret for row in decisions] or [0.0]),
        game_regret=thrown[0].value if thrown[0] else None,
        moves=len(rows),
        repeated=sum(row.repeated for row in rows),
        illegal=_total(row.illegal for row in rows),
        unjudged=sum(not row.judged for row in rows),
        decisions=len(decisions),
        optimal=_total(row.optimal for row in decisions),
        exact=not any(errors),
        error=fmean(errors or [0.0]),
        summary=summarize(rows, 0),
        splits={
            kind: {
                str(part): summarize(own, number if kind == "side" else None)
                for number, part in enumerate(values, 1)
                if (own := [row for row in rows if getattr(row, kind) == part])
            }
            for kind, values in parts.items()
        },
        rows=tuple(rows),
        clusters=clusters,
        **others,
    )


def _total(chances: Iterable[float]) -> float:
    """How many there were, a whole number unless some have chances."""
    total = sum(chances)
    return int(total) if float(total).is_integer() else total


# Two players


@dataclass(frozen=True)
class Comparison:
    """Two reports, and how much higher each figure of the first is."""

    one: GradeReport
    two: GradeReport
    differences: dict[str, Estimate]  # of each figure of a Summary that both have

    def __str__(self) -> str:
        lines = [str(self.one), str(self.two), f"{self.one.agent} minus {self.two.agent}"]
        for name, (value, low, high, _) in self.differences.items():
            clear = "" if low > 0 or high < 0 else ": not clear"
            interval = f"95 % interval {low:+.4f} to {high:+.4f}{clear}"
            lines.append(f"  {name:11} {value:+.4f}, {interval}")
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
        if name in OF_GAMES:
            own = report.points if name == "score" else report.thrown
            figures = dict(zip(report.clusters, own, strict=True))
            return [Cluster.of([figures[cluster]]) for cluster in both]
        rows = (row for row in report.rows if row.cluster in shared)
        return clusters_of(rows, both, MEASURES[name])

    differences: dict[str, Estimate] = {}
    for name in (*OF_GAMES, *MEASURES):
        first, second = getattr(one.summary, name), getattr(two.summary, name)
        if first and second:
            together = cluster_correlation(clusters(one, name), clusters(two, name))
            most = inf if name == "game_regret" else 1.0
            differences[name] = difference_interval(first, second, together, most)
    return Comparison(one, two, differences)
