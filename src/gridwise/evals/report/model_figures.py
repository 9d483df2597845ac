"""Figures: what the samples of one model show in one task, in one game or in all, with intervals.

Regret, best moves and progress are rates over moves as `gridwise.grade` measures them. A score is
over pairs of games, both sides of one board. Over several games a figure is the mean of the games'
figures, so that no game counts for more because it has more moves.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from math import inf, isfinite, nan, sqrt
from statistics import fmean
from typing import Any, NamedTuple

from gridwise.core.registry import game as game_named
from gridwise.engine.bots import LEVELS
from gridwise.evals.report.logs import SampleRecord
from gridwise.evals.report.rating import anchors, rate
from gridwise.evals.trial import CLASSES, MOVE_FIGURES
from gridwise.lab.grading.judge import HARDEST
from gridwise.lab.statistics import (
    NORMAL_95,
    Cluster,
    Estimate,
    cluster_interval,
    interval,
    wilson,
)

DIFFICULTIES = [str(level) for level in range(1, HARDEST + 1)]


@dataclass(frozen=True)
class ModelFigures:
    """What is known of a model; None or missing where nothing could be measured."""

    regret: Estimate | None = None  # a decision
    best: Estimate | None = None  # of the decisions
    game_regret: Estimate | None = None
    progress: Estimate | None = None  # of moves in won positions
    legal_at_once: Estimate | None = None  # of turns: the first answer was a legal move
    by_difficulty: dict[str, Estimate] = field(default_factory=dict)  # regret a decision
    score: Estimate | None = None  # the share of points
    scores: dict[str, Estimate] = field(default_factory=dict)  # by opponent
    rating: Estimate | None = None  # `n` pairs of games
    failures: dict[str, Estimate] = field(default_factory=dict)  # by class: turns without a move
    rules: dict[str, Estimate] = field(default_factory=dict)  # right answers, by kind of question
    bad_answers: dict[str, int] = field(default_factory=dict)  # by class, those retried included
    samples: int = 0
    failed: int = 0  # samples that the provider failed: nothing is scored
    again: int = 0  # times that a sample was begun again, after an error
    stopped: int = 0  # samples that a limit ended
    unpaired: int = 0  # games whose pair is incomplete: in no score
    unfinished: int = 0  # games that could have gone on for ever
    stalled: int = 0  # games in which a win was left standing
    forfeits: int = 0  # games won because another model made no legal move
    games: int = 0
    turns: int = 0  # moves that were asked for, and questions about the rules
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON has them."""
        return {each.name: _plain(getattr(self, each.name), each.name) for each in fields(self)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ModelFigures:
        """The figures that were written as JSON."""
        return cls(**{name: _read(value) for name, value in data.items()})


def _plain(value: Any, name: str = "") -> Any:  # noqa: ANN401 - a field of ModelFigures
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if not isinstance(value, Estimate):
        return value
    if name == "rating":
        return value._replace(n=0).to_json() | {"pairs": value.n}
    return value.to_json()


def _read(value: Any) -> Any:  # noqa: ANN401 - a field of ModelFigures
    if not isinstance(value, dict):
        return value
    if "low" not in value:
        return {key: _read(each) for key, each in value.items()}
    if "pairs" not in value:
        return Estimate.from_json(value)
    low = -inf if value["low"] is None else value["low"]
    high = inf if value["high"] is None else value["high"]
    rating = value["value"]
    if rating is None:
        rating = low + high  # the end that is open; neither is known where both are
    return Estimate(rating, low, high, value["pairs"])


# One game


def game_figures(records: Sequence[SampleRecord]) -> ModelFigures:
    """The figures of one model in one game and one task."""
    ready = [each for each in records if not each.failed]
    games = [each for each in ready if each.task == "play"]
    pairs = paired(games)
    counted = counted_once(pairs)
    pools: dict[str, list[float]] = defaultdict(list)
    boards: dict[str, list[float]] = defaultdict(list)
    for pair in counted:
        pools[pair.opponent].append(pair.share)
        boards[pair.one.cluster].append(pair.share)
    levels = [*LEVELS, *sorted(pools.keys() - {*LEVELS})]
    # A failure ends its game. So where few were seen, the worst that is assumed is that one more
    # would have ended all games on a board, not that it would have taken all their turns.
    turned = [each for each in ready if each.trial]
    sizes = Counter(each.cluster for each in turned)
    worst = sum(size**2 for size in sizes.values()) / len(turned) if turned else 0.0
    kinds = dict.fromkeys(kind for each in ready for kind, _ in each.right)
    # Also of samples that failed: their tokens were paid for.
    answers = sum((Counter(dict(each.answers)) for each in records), Counter[str]())
    costs = [each.cost for each in records if each.cost is not None]
    # Identical games are one: their moves count once too.
    moved = [each for pair in counted for each in pair] if len(counted) < len(pairs) else ready
    rates = {name: _rate(moved, SampleRecord.figures, name) for name in MOVE_FIGURES}
    return ModelFigures(
        **rates,
        game_regret=_game_regret(counted),
        legal_at_once=_rate(turned, SampleRecord.legal_at_once, worst=worst),
        by_difficulty={
            level: rate
            for level in DIFFICULTIES
            if (rate := _rate(moved, SampleRecord.figures, "regret", level))
        },
        score=board_mean(boards),
        scores={
            name: Estimate(fmean(pools[name]), *interval(pools[name]), len(pools[name]))
            for name in levels
            if name in pools
        },
        rating=_rating(counted),
        failures=_rates(turned, SampleRecord.ended_by, CLASSES, worst),
        rules=_rates(ready, SampleRecord.right_answers, kinds),
        bad_answers={name: answers[name] for name in CLASSES if answers[name]},
        samples=len(records),
        failed=sum(each.failed for each in records),
        again=sum(each.again for each in records),
        stopped=sum(each.stopped for each in ready),
        unpaired=sum(each.points is not None for each in games) - 2 * len(pairs),
        unfinished=sum(each.unfinished for each in games),
        stalled=sum(each.stalled for each in games),
        forfeits=sum(bool(each.forfeit) for each in games),
        games=len(games),
        turns=sum(len(each.turns) if each.trial else bool(each.right) for each in records),
        input_tokens=sum(each.input_tokens for each in records),
        output_tokens=sum(each.output_tokens for each in records),
        cost=sum(costs) if costs else None,
    )


def board_mean(boards: Mapping[str, Sequence[float]], most: float = 1.0) -> Estimate | None:
    """The mean over boards of what was measured on each; None without any."""
    means = [fmean(own) for own in boards.values()]
    return Estimate(fmean(means), *interval(means, most), len(means)) if means else None


def _game_regret(pairs: Sequence[Pair]) -> Estimate | None:
    """The points thrown away a game, over the boards."""
    boards: dict[str, list[float]] = defaultdict(list)
    for pair in pairs:
        boards[pair.one.cluster] += [each.game_regret or 0.0 for each in pair]
    return board_mean(boards, inf)


def _rate(
    records: Iterable[SampleRecord],
    measured: Callable[..., list[float]],
    *name: str,
    worst: float = 0.0,
) -> Estimate | None:
    """A rate per move over the clusters of some samples."""
    by_cluster: dict[str, list[float]] = defaultdict(list)
    for each in records:
        by_cluster[each.cluster] += measured(each, *name)
    return cluster_interval([Cluster.of(own) for own in by_cluster.values()], worst)


def _rates(
    records: Sequence[SampleRecord],
    measured: Callable[[SampleRecord, str], list[float]],
    names: Iterable[str],
    worst: float = 0.0,
) -> dict[str, Estimate]:
    """A rate for each name of which anything was measured."""
    rates = {name: _rate(records, measured, name, worst=worst) for name in names}
    return {name: rate for name, rate in rates.items() if rate}


class Pair(NamedTuple):
    """Both games on a board, with sides swapped."""

    one: SampleRecord
    two: SampleRecord

    @property
    def opponent(self) -> str:
        """Whom they were played against."""
        return self.one.opponent

    @property
    def share(self) -> float:
        """The share of points."""
        return fmean(each.points or 0.0 for each in self)

    @property
    def lines(self) -> list[object]:
        """How both were played."""
        trials = (each.trial for each in self)
        return [each and (each.moves, each.winner, each.termination) for each in trials]


def paired(games: Sequence[SampleRecord]) -> list[Pair]:
    """The pairs of games of which both have been scored."""
    sides: dict[tuple[str, str], dict[int, SampleRecord]] = defaultdict(dict)
    for each in games:
        if each.points is not None:
            sides[each.pair, each.opponent][each.side] = each
    return [Pair(both[1], both[2]) for both in sides.values() if len(both) == 2]


def counted_once(pairs: list[Pair]) -> list[Pair]:
    """One pair a board and opponent, if all pairs there are identical; as `gridwise.grade` counts.

    On a board that is always the same, a model that always answers the same plays one game.
    """
    first: dict[tuple[str, str], Pair] = {}
    for pair in pairs:
        board = pair.one.trial.board if pair.one.trial else pair.one.cluster
        if first.setdefault((board, pair.opponent), pair).lines != pair.lines:
            return pairs
    return list(first.values())


def _rating(pairs: list[Pair]) -> Estimate | None:
    """The rating from the pairs against anchors; boards are units, unless there is only one."""
    known = anchors().get(pairs[0].one.game, {}) if pairs else {}
    rated = [pair for pair in pairs if pair.opponent in known]
    if not rated:
        return None
    fixed = game_named(rated[0].one.game).fixed
    boards = None if fixed else [pair.one.cluster for pair in rated]
    return rate([(known[pair.opponent], pair.share) for pair in rated], boards)


# All games


def overall_figures(by_game: Mapping[str, ModelFigures]) -> ModelFigures:
    """The mean over games of what each shows, and the sums of what is counted."""
    figures = {
        each.name: [getattr(game, each.name) for game in by_game.values()]
        for each in fields(ModelFigures)
    }
    overall = {name: _combined(values) for name, values in figures.items()}
    answers = overall["bad_answers"]
    return ModelFigures(
        **overall
        | {
            "rating": average(figures["rating"], -inf, inf),
            "game_regret": average(figures["game_regret"], most=inf),
            "bad_answers": {name: answers[name] for name in CLASSES if name in answers},
        }
    )


def _combined(values: Sequence[Any]) -> Any:  # noqa: ANN401 - of one field of ModelFigures
    """The mean of estimates, the sum of numbers, and by name those of a table's."""
    known = [value for value in values if value is not None]
    if not known:
        return None
    if isinstance(known[0], dict):
        names = dict.fromkeys(name for table in known for name in table)
        return {name: _combined([table.get(name) for table in known]) for name in names}
    return average(known) if isinstance(known[0], Estimate) else sum(known)


def average(
    estimates: Iterable[Estimate | None], least: float = 0.0, most: float = 1.0
) -> Estimate | None:
    """The mean of independent estimates, with the interval that follows from theirs (MOVER)."""
    known = [each for each in estimates if each]
    if len(known) < 2:
        return known[0] if known else None
    values, lows, highs, counts = zip(*known, strict=True)
    n = sum(counts)
    if inf in values and -inf in values:
        return Estimate(nan, -inf, inf, n)
    value = fmean(values)
    if not isfinite(value):
        return Estimate(value, fmean(lows), fmean(highs), n)
    # The errors of games are independent, and add up by their squares.
    below, above, error = (
        sqrt(sum((one - two) ** 2 for one, two in zip(*ends, strict=True))) / len(values)
        for ends in ((values, lows), (highs, values), (highs, lows))
    )
    # No end is beyond 0 or 1, so near them the distance to one says too little of the error.
    if least == 0 and most == inf:
        below = max(below, error / 2)
    elif least == 0 and 0 < value < 1:
        count = value * (1 - value) * (2 * NORMAL_95 / error) ** 2
        low, high = wilson(value, count, NORMAL_95)
        below = max(below, value - low) if value < 0.5 else below
        above = max(above, high - value) if value > 0.5 else above
    return Estimate(value, max(least, value - below), min(most, value + above), n)
