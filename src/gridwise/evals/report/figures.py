"""Figures: what the samples of one model show, in one game or in all, each with its interval.

Regret and best moves are rates over moves where a mistake was possible, as in `gridwise.grade`. A
score is over pairs of games, both sides of one board. Over several games a figure is the mean of
the games' figures, so that no game counts for more because it has more moves.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from math import isnan, sqrt
from statistics import fmean
from typing import Any

from gridwise.core.registry import game as game_named
from gridwise.engine.bots import LEVELS
from gridwise.evals.report.logs import SampleRecord
from gridwise.evals.report.rating import Rating, anchors, rate
from gridwise.lab.grading.judge import HARDEST
from gridwise.lab.statistics import Cluster, Estimate, cluster_interval, interval
from gridwise.prompts.reply import Failure

CLASSES = tuple(each.value for each in Failure if each is not Failure.FAILED)
DIFFICULTIES = [str(level) for level in range(1, HARDEST + 1)]
# What is added up over games.
COUNTS = (
    *("samples", "failed", "stopped", "unpaired", "forfeits", "games", "turns"),
    *("input_tokens", "output_tokens"),
)


@dataclass(frozen=True)
class ModelFigures:
    """What is known of a model; None or missing where nothing could be measured."""

    regret: Estimate | None = None  # on the suite's positions
    best: Estimate | None = None
    play_regret: Estimate | None = None  # in whole games
    play_best: Estimate | None = None
    by_difficulty: dict[str, Estimate] = field(default_factory=dict)  # regret: suite, or games
    scores: dict[str, Estimate] = field(default_factory=dict)  # by opponent
    rating: Rating | None = None
    failures: dict[str, Estimate] = field(default_factory=dict)  # by class: turns without a move
    rules: dict[str, Estimate] = field(default_factory=dict)  # right answers, by kind of question
    bad_answers: dict[str, int] = field(default_factory=dict)  # by class, those retried included
    samples: int = 0
    failed: int = 0  # samples that the provider failed: nothing is scored
    stopped: int = 0  # games that a limit ended: not scored
    unpaired: int = 0  # games whose pair is incomplete: in no score
    forfeits: int = 0  # games won because another model made no legal move
    games: int = 0
    turns: int = 0  # moves that were asked for, and questions about the rules
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON has them."""
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: _plain(value) for name, value in found.items()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ModelFigures:
        """The figures that were written as JSON."""
        made: dict[str, Any] = dict(data)
        for name in ("regret", "best", "play_regret", "play_best"):
            made[name] = Estimate.from_json(data[name]) if data.get(name) else None
        for name in ("by_difficulty", "scores", "failures", "rules"):
            made[name] = {key: Estimate.from_json(each) for key, each in data.get(name, {}).items()}
        made["rating"] = Rating(**data["rating"]) if data.get("rating") else None
        return cls(**made)


def _plain(value: Any) -> Any:  # noqa: ANN401 - a field of ModelFigures
    if isinstance(value, Estimate):
        return value.to_json()
    if isinstance(value, Rating):
        return value._asdict()
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return value


# One game


def game_figures(records: Sequence[SampleRecord]) -> ModelFigures:
    """The figures of one model in one game."""
    ready = [each for each in records if not each.failed]
    suite = [each for each in ready if each.task == "positions"]
    games = [each for each in ready if each.task == "play"]
    pairs = _pairs(games)
    counted = _counted_once(pairs)
    pools = defaultdict(list)
    for pair in counted:
        pools[pair[0].opponent].append(_share(pair))
    turned = [each for each in ready if each.trial]
    return ModelFigures(
        regret=_rate(suite, _regrets),
        best=_rate(suite, _kept),
        play_regret=_rate(games, _regrets),
        play_best=_rate(games, _kept),
        by_difficulty=_rates(suite or games, DIFFICULTIES, _regrets_at),
        scores={
            name: Estimate(fmean(pools[name]), *interval(pools[name]), len(pools[name]))
            for name in sorted(pools, key=_opponent_order)
        },
        rating=_rating(counted),
        failures=_failures(turned),
        rules=_rates(ready, dict.fromkeys(n for each in ready for n, _ in each.right), _right),
        samples=len(records),
        games=len(games),
        stopped=sum(each.stopped for each in ready),
        unpaired=sum(each.points is not None for each in games) - 2 * len(pairs),
        forfeits=sum(bool(each.forfeit) for each in games),
        **_sums(records),
    )


def _sums(records: Sequence[SampleRecord]) -> dict[str, Any]:
    """What is added up over samples; also over those that failed: their tokens were paid for."""
    answers: Counter[str] = Counter()
    for each in records:
        answers.update(dict(each.answers))
    costs = [each.cost for each in records if each.cost is not None]
    return {
        "failed": sum(each.failed for each in records),
        "turns": sum(len(each.trial.turns) if each.trial else bool(each.right) for each in records),
        "bad_answers": {name: answers[name] for name in CLASSES if answers[name]},
        "input_tokens": sum(each.input_tokens for each in records),
        "output_tokens": sum(each.output_tokens for each in records),
        "cost": sum(costs) if costs else None,
    }


def _opponent_order(name: str) -> tuple[int, str]:
    levels = [*LEVELS]
    return (levels.index(name), "") if name in levels else (len(levels), name)


def _regrets(record: SampleRecord) -> list[float]:
    return [move["regret"] for move in record.moves if move["decision"]]


def _kept(record: SampleRecord) -> list[float]:
    return [float(move["kept"]) for move in record.moves if move["decision"]]


def _rate(
    records: Iterable[SampleRecord],
    measured: Callable[[SampleRecord], list[float]],
    worst: float = 0.0,
) -> Estimate | None:
    """A rate per move over the clusters of some samples."""
    by_cluster: dict[str, list[float]] = defaultdict(list)
    for each in records:
        by_cluster[each.cluster] += measured(each)
    return cluster_interval([Cluster.of(own) for own in by_cluster.values()], worst)


def _rates(
    records: Sequence[SampleRecord],
    names: Iterable[str],
    measured: Callable[[SampleRecord, str], list[float]],
    worst: float = 0.0,
) -> dict[str, Estimate]:
    """A rate for each name of which anything was measured."""
    found = {
        name: _rate(records, lambda record, name=name: measured(record, name), worst)  # type: ignore[misc]
        for name in names
    }
    return {name: estimate for name, estimate in found.items() if estimate}


def _regrets_at(record: SampleRecord, difficulty: str) -> list[float]:
    return [
        move["regret"]
        for move in record.moves
        if move["decision"] and str(move["difficulty"]) == difficulty
    ]


def _ended_by(record: SampleRecord, failure: str) -> list[float]:
    return [float(turn.failure == failure) for turn in (record.trial.turns if record.trial else [])]


def _right(record: SampleRecord, kind: str) -> list[float]:
    return [value for name, value in record.right if name == kind and not isnan(value)]


def _failures(records: Sequence[SampleRecord]) -> dict[str, Estimate]:
    # A failure ends its game. So where few were seen, the worst that is assumed is that one more
    # would have ended all games on a board, not that it would have taken all their turns.
    sizes = Counter(each.cluster for each in records)
    worst = sum(size**2 for size in sizes.values()) / len(records) if records else 0.0
    return _rates(records, CLASSES, _ended_by, worst)


def _pairs(games: Sequence[SampleRecord]) -> list[tuple[SampleRecord, SampleRecord]]:
    """The pairs of games of which both have been scored."""
    found: dict[tuple[str, str], dict[int, SampleRecord]] = defaultdict(dict)
    for each in games:
        if each.points is not None:
            found[each.pair, each.opponent][each.side] = each
    return [(both[1], both[2]) for both in found.values() if len(both) == 2]


def _share(pair: Sequence[SampleRecord]) -> float:
    return fmean(each.points or 0.0 for each in pair)


def _rating(pairs: Sequence[tuple[SampleRecord, SampleRecord]]) -> Rating | None:
    """The rating from the pairs against anchors; boards are units, unless there is only one."""
    rated = [(pair, known) for pair in pairs if (known := _anchor(pair[0])) is not None]
    results = [(known, _share(pair)) for pair, known in rated]
    always_same = bool(rated) and bool(game_named(rated[0][0][0].game).fixed)
    boards = None if always_same else [pair[0].cluster for pair, _ in rated]
    return rate(results, boards)


def _anchor(record: SampleRecord) -> float | None:
    return anchors().get(record.game, {}).get(record.opponent)


def _counted_once(
    pairs: Sequence[tuple[SampleRecord, SampleRecord]],
) -> Sequence[tuple[SampleRecord, SampleRecord]]:
    """One pair a board and opponent, if all pairs there are identical; as `gridwise.grade` counts.

    On a board that is always the same, a model that always answers the same plays one game.
    """
    kept: dict[tuple[str, str], tuple[SampleRecord, SampleRecord]] = {}
    for pair in pairs:
        trial = pair[0].trial
        before = kept.setdefault((trial.board if trial else "", pair[0].opponent), pair)
        if [_course(each) for each in before] != [_course(each) for each in pair]:
            return pairs
    return list(kept.values())


def _course(record: SampleRecord) -> object:
    trial = record.trial
    return (trial.moves, trial.winner, trial.termination) if trial else None


# All games


def overall_figures(by_game: Mapping[str, ModelFigures]) -> ModelFigures:
    """The mean over games of what each shows, and the sums of what is counted."""
    each = list(by_game.values())
    means: dict[str, Any] = {
        name: average([getattr(found, name) for found in each])
        for name in ("regret", "best", "play_regret", "play_best")
    }
    tables: dict[str, Any] = {
        name: _averages([getattr(found, name) for found in each])
        for name in ("by_difficulty", "scores", "failures", "rules")
    }
    sums: dict[str, Any] = {name: sum(getattr(found, name) for found in each) for name in COUNTS}
    answers: Counter[str] = Counter()
    for found in each:
        answers.update(found.bad_answers)
    costs = [found.cost for found in each if found.cost is not None]
    return ModelFigures(
        **means,
        **tables,
        **sums,
        rating=average_rating([found.rating for found in each]),
        bad_answers={name: answers[name] for name in CLASSES if answers[name]},
        cost=sum(costs) if costs else None,
    )


def average_rating(ratings: Iterable[Rating | None]) -> Rating | None:
    """The mean of the games' ratings; an end that one of them leaves open is open."""
    known = [each for each in ratings if each]
    if not known:
        return None
    values = [each.value for each in known if each.value is not None]
    lows = [each.low for each in known if each.low is not None]
    highs = [each.high for each in known if each.high is not None]
    value = fmean(values) if len(values) == len(known) else None
    low = fmean(lows) if len(lows) == len(known) else None
    high = fmean(highs) if len(highs) == len(known) else None
    if value is not None:  # the errors of games are independent, and add up by their squares
        if low is not None:
            low = value - _together([a - b for a, b in zip(values, lows, strict=True)])
        if high is not None:
            high = value + _together([a - b for a, b in zip(highs, values, strict=True)])
    return Rating(value, low, high, sum(each.pairs for each in known))


def _together(margins: Sequence[float]) -> float:
    return sqrt(sum(each**2 for each in margins)) / len(margins)


def _averages(tables: Sequence[Mapping[str, Estimate]]) -> dict[str, Estimate]:
    names = dict.fromkeys(name for table in tables for name in table)
    found = {name: average([table.get(name) for table in tables]) for name in names}
    return {name: each for name, each in found.items() if each}


def average(estimates: Iterable[Estimate | None]) -> Estimate | None:
    """The mean of independent estimates, with the interval that follows from theirs (MOVER)."""
    known = [each for each in estimates if each]
    if not known:
        return None
    value = fmean(each.value for each in known)
    below = _together([each.value - each.low for each in known])
    above = _together([each.high - each.value for each in known])
    measured = sum(each.n for each in known)
    return Estimate(value, max(0.0, value - below), min(1.0, value + above), measured)
