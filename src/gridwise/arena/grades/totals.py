"""From judged moves to a Report: what is counted, and the splits by side, phase and difficulty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, NamedTuple

from gridwise.arena.grades.difficulty import HARDEST, PHASES
from gridwise.arena.grades.graded_moves import GradedMove, Judge
from gridwise.arena.grades.report import Report, Summary, summarize
from gridwise.arena.paired_games import PairedGame
from gridwise.arena.players import NO_ACTION
from gridwise.arena.statistics import Cluster, Estimate, cluster_interval, interval, pair_shares
from gridwise.arena.suites import Suite
from gridwise.core.board import Board
from gridwise.core.game import Game

# Games


class JudgedGame(NamedTuple):
    """A game, and what each of the agent's moves in it was worth."""

    played: PairedGame
    rows: list[GradedMove]

    @property
    def course(self) -> tuple[object, ...]:
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
        distinct=len({each.course for each in judged}),
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
        if (before[0].course, before[1].course) != (one.course, two.course):
            return judged
    return [each for pair in kept.values() for each in pair]


# Suites


@dataclass(frozen=True)
class Answers:
    """A suite and the action that a player chose in each of its positions."""

    rows: Suite
    actions: list[int]


def suite_report(judge: Judge, agent: str, game: Game, answers: Answers, seed: int) -> Report:
    """The report on answers to a suite."""
    rows, tally = answers.rows, _Tally()
    cluster_of = rows.clusters()
    graded = []
    for row, action in zip(rows, answers.actions, strict=True):
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
        game=game.key,
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
    worth: dict[str, list[float]] = {name: [] for name in clusters}
    for row in rows:
        worth[row.cluster].append(row.chosen_value)
    return cluster_interval([Cluster.of(own) for own in worth.values()])


# Both


@dataclass
class _Tally:
    """What is counted over all moves, by the names that a Report has for it."""

    counts: Counter[str] = field(default_factory=Counter)
    lost: list[float] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)

    def count(self, row: GradedMove) -> None:
        """Count a row."""
        self.counts["moves"] += 1
        self.counts["illegal"] += not row.legal
        self.counts["unjudged"] += not row.judged
        if row.decision:
            self.counts["decisions"] += 1
            self.counts["kept"] += row.kept
            self.lost.append(row.regret)
            self.errors.append(row.error)

    @property
    def figures(self) -> dict[str, Any]:
        """The fields of a Report."""
        return {
            "loss": fmean(self.lost or [0.0]),
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
