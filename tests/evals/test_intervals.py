"""Intervals of the report hold a known truth: simulated players, of known errors and strength.

Games are clustered as those of `gridwise/play` are: boards, five opponents on each, both sides. A
player may err on some boards more than on others, against all opponents at once; a model that
always answers the same does so wherever two games begin alike.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import product
from math import inf
from statistics import fmean

import numpy as np
import pytest

from gridwise.engine.bots import LEVELS
from gridwise.evals.report.leaderboard import make_rankings
from gridwise.evals.report.logs import SampleRecord
from gridwise.evals.report.model_figures import average, game_figures, overall_figures
from gridwise.evals.report.rating import anchors, expected, rate
from gridwise.evals.trial import Trial, TurnRecord
from gridwise.lab.statistics import Cluster, cluster_interval
from tests.sizes import sample

KEY = "number-connect"
# Of 100 intervals of 95 % fewer than 88 hold the truth in 1 of 680 such tests, of 150 fewer than
# 133 in 1 of 1,800 (binomial); of 100 that hold it 80 times in 100, 88 do in 1 of 39.
RUNS, HELD = sample((100, 88), long=(150, 133))
TURNS = 3


def played(board: int, opponent: str, side: int, errors: list[bool]) -> SampleRecord:
    """A game in which each decision is an error or the best move; an error is also a failure."""
    failed = bool(errors) and errors[-1]
    turns = [TurnRecord(2 * at, "0,0") for at in range(len(errors) - failed)]
    turns += [TurnRecord(2 * len(turns), "", "illegal", ("illegal",))] * failed
    moves = tuple(
        {"regret": float(e), "best": not e, "progress": None, "difficulty": 1} for e in errors
    )
    return SampleRecord(
        model="m",
        conditions=(),
        task="play",
        asked=(),
        run="r",
        expected=0,
        id=f"{board} {opponent} {side}",
        epoch=1,
        game=KEY,
        cluster=str(board),
        failed=False,
        opponent=opponent,
        pair=str(board),
        side=side,
        trial=Trial(KEY, str(board), 1, [], turns),
        moves=moves,
    )


CLEAN = [
    played(board, opponent, side, [False] * TURNS)
    for board in range(10)
    for opponent in LEVELS
    for side in (1, 2)
]


def decisions(
    rng: np.random.Generator, truth: float, boards: int, alike: str
) -> list[SampleRecord]:
    """Games of a player whose every decision is an error with a chance of `truth`."""
    games = []
    for board in range(boards):
        chance = {
            "independent": truth,
            "boards differ": rng.beta(2 * truth, 2 * (1 - truth)),  # a correlation of a third
            "whole boards": float(rng.random() < truth),
        }.get(alike, truth)
        openings = rng.random(2) < truth
        for opponent in LEVELS:
            for side in (1, 2):
                errors = rng.random(rng.integers(1, TURNS + 1)) < chance
                if alike == "same openings":
                    errors[0] = openings[side - 1]
                games.append(played(board, opponent, side, [bool(each) for each in errors]))
    return games


@pytest.mark.parametrize(
    ("alike", "truth", "boards"),
    sample(
        [("whole boards", 0.05, 20), ("boards differ", 0.1, 10), ("same openings", 0.3, 10)],
        long=[
            (alike, truth, boards)
            for alike in ("independent", "same openings", "boards differ", "whole boards")
            for truth, boards in ((0.1, 10), (0.05, 20), (0.3, 10))
        ],
    ),
)
def test_regret_in_games_holds_the_truth(alike: str, truth: float, boards: int) -> None:
    """Also where errors are few and come by whole boards: with pairs as units 88 of 150 held."""
    rng = np.random.default_rng(14)
    held = 0
    for _ in range(RUNS):
        regret = game_figures(decisions(rng, truth, boards, alike)).regret
        assert regret
        held += regret.low <= truth <= regret.high
    assert held >= HELD


@pytest.mark.parametrize("alike", sample(["whole boards"], long=["independent", "whole boards"]))
def test_a_mean_over_games_holds_the_truth(alike: str) -> None:
    """Five games, of which each has errors of its own: the mean of all is inside as often."""
    rng = np.random.default_rng(14)
    truths = {"a": 0.0, "b": 0.02, "c": 0.05, "d": 0.2, "e": 0.4}
    held = 0
    for _ in range(RUNS):
        by_game = {
            name: game_figures(decisions(rng, truth, 10, alike) if truth else CLEAN)
            for name, truth in truths.items()
        }
        regret = overall_figures(by_game).regret
        assert regret
        held += regret.low <= fmean(truths.values()) <= regret.high
    assert held >= HELD


@pytest.mark.parametrize(
    ("alike", "truth", "boards"),
    sample(
        [("independent", 0.03, 10), ("whole boards", 0.03, 10)],
        long=[
            (alike, truth, boards)
            for alike in ("independent", "whole boards")
            for truth, boards in ((0.03, 10), (0.1, 20))
        ],
    ),
)
def test_failures_hold_the_truth(alike: str, truth: float, boards: int) -> None:
    """A failure ends a game in its third turn: by chance, or in all games on some boards."""
    rng = np.random.default_rng(14)
    held = 0
    for _ in range(RUNS):
        records = []
        for board in range(boards):
            chance = float(rng.random() < truth) if alike == "whole boards" else truth
            for opponent in LEVELS:
                for side in (1, 2):
                    ends = bool(rng.random() < chance)
                    records.append(played(board, opponent, side, [*[False] * (TURNS - 1), ends]))
        share = game_figures(records).failures["illegal"]
        held += share.low <= truth / TURNS <= share.high
    assert held >= HELD


@pytest.mark.parametrize("boards", sample([2, 10], long=[2, 3, 5, 10, 20]))
def test_scores_and_first_answers_hold_the_truth(boards: int) -> None:
    """Over all opponents and against one; and how often the first answer was a legal move."""
    rng = np.random.default_rng(23)
    truths = {"score": 0.7, "one opponent": 0.7, "legal at once": 0.9, "difficulty": 0.2}
    held = Counter[str]()
    for _ in range(RUNS):
        records = []
        for board in range(boards):
            luck = rng.choice([-0.15, 0.15])
            for opponent in LEVELS:
                for side in (1, 2):
                    errors = [bool(rng.random() < 0.2 + luck) for _ in range(TURNS)]
                    game = played(board, opponent, side, [*errors, False])
                    again = [("illegal",) if rng.random() < 0.1 else () for _ in range(TURNS + 1)]
                    turns = [TurnRecord(2 * at, "0,0", "", own) for at, own in enumerate(again)]
                    trial = Trial(KEY, str(board), 1, [str(rng.random())], turns, 1)
                    won = float(rng.random() < 0.7 + luck)
                    moves = game.moves[:TURNS]
                    records.append(replace(game, points=won, trial=trial, moves=moves))
        own = game_figures(records)
        figures = {
            "score": own.score,
            "one opponent": own.scores["casual"],
            "legal at once": own.legal_at_once,
            "difficulty": own.by_difficulty["1"],
        }
        for name, figure in figures.items():
            assert figure
            held[name] += figure.low <= truths[name] <= figure.high
    assert min(held[name] for name in truths) >= HELD


@pytest.mark.parametrize(
    ("strength", "boards", "differ"),
    sample(
        [(-400, 5, 0), (0, 10, 200), (900, 5, 200)],
        long=list(product([-400, 0, 900], [5, 10], [0, 200])),
    ),
)
def test_ratings_hold_the_true_strength(strength: int, boards: int, differ: int) -> None:
    """Of a player who is as strong on every board, or by 200 points stronger or weaker on each.

    With boards that differ, the strength is that which promises the same share of points. By pairs
    of games instead of boards, the intervals held it in 123 of 150.
    """
    rng = np.random.default_rng(14)
    ladder = [anchors()[KEY][level] for level in LEVELS]
    signs = (-1, 1)
    share = fmean(expected(strength + sign * differ, a) for sign in signs for a in ladder)
    held = 0
    for _ in range(RUNS):
        results, names = [], []
        for board in range(boards):
            own = strength + rng.choice(signs) * differ
            for anchor in ladder:
                won = rng.random(2) < expected(own, anchor)
                results.append((anchor, float(won.mean())))
                names.append(str(board))
        rating = rate(results, names)
        assert rating
        low, high = (fmean(expected(end, a) for a in ladder) for end in (rating.low, rating.high))
        held += low <= share <= high
    assert held >= HELD


@pytest.mark.parametrize("strength", sample([100], long=[-300, 100, 600]))
def test_a_mean_of_ratings_holds_the_truth(strength: int) -> None:
    """Of five games in which a player is weaker or stronger by 200 points."""
    rng = np.random.default_rng(23)
    ladder = [anchors()[KEY][level] for level in LEVELS]
    strengths = [strength + 100 * step for step in (-2, -1, 0, 1, 2)]
    held = 0
    for _ in range(RUNS):
        ratings = []
        for own in strengths:
            results = [(a, float((rng.random(2) < expected(own, a)).mean())) for a in ladder * 10]
            ratings.append(rate(results, [str(at // len(ladder)) for at in range(len(results))]))
        rating = average(ratings, -inf, inf)
        assert rating
        held += rating.low <= strength <= rating.high
    assert held >= HELD


@pytest.mark.parametrize(
    ("thrown", "boards"),
    sample([(0.3, 2), (0.3, 10)], long=list(product([0.1, 0.3, 1.0], [2, 5, 10]))),
)
def test_regret_a_game_holds_the_truth(thrown: float, boards: int) -> None:
    """Points thrown away come by half and whole ones, more on some boards than on others."""
    rng = np.random.default_rng(23)
    held = 0
    for _ in range(RUNS):
        records = []
        for board in range(boards):
            own = thrown * rng.choice([0.5, 1.5])
            for opponent in LEVELS:
                for side in (1, 2):
                    game = played(board, opponent, side, [bool(rng.random() < 0.5)])
                    regret = float(rng.poisson(2 * own)) / 2
                    records.append(replace(game, points=0.5, game_regret=regret))
        figures = game_figures(records).game_regret
        assert figures
        held += figures.low <= thrown <= figures.high
    assert held >= HELD


@pytest.mark.parametrize("boards", sample([10], long=[2, 5, 10, 20]))
def test_a_difference_between_models_holds_the_truth(boards: int) -> None:
    """On the same boards, on which both do better or worse together."""
    rng = np.random.default_rng(23)
    truth, held = 0.2, 0
    for _ in range(RUNS):
        records = []
        for board in range(boards):
            luck = rng.choice([-0.2, 0.2])
            for model, chance in (("one", 0.6), ("two", 0.4)):
                for opponent in LEVELS:
                    for side in (1, 2):
                        game = played(board, opponent, side, [])
                        won = float(rng.random() < chance + luck)
                        trial = Trial(KEY, str(board), 1, [str(rng.random())], game.turns, 1)
                        records.append(replace(game, model=model, points=won, trial=trial))
        (ranking,) = make_rankings(records, reference=False)
        (difference,) = ranking.differences
        sign = 1 if difference.one == "one" else -1
        held += difference.estimate.low <= sign * truth <= difference.estimate.high
    assert held >= HELD


@pytest.mark.parametrize(
    ("rates", "size"),
    sample(
        [((0.01,) * 5, 20), ((0.97,) * 5, 50)],
        long=list(
            product([(0.01,) * 5, (0.03,) * 5, (0, 0, 0, 0.02, 0.1), (0.97,) * 5], [10, 50, 200])
        ),
    ),
)
def test_a_mean_of_rare_events_holds_the_truth(rates: tuple[float, ...], size: int) -> None:
    """Adding up the distances to the ends alone held it 91 times in 100."""
    rng = np.random.default_rng(23)
    one = cache(
        lambda events: cluster_interval(
            [Cluster.of([1.0])] * events + [Cluster.of([0.0])] * (size - events)
        )
    )
    held = 0
    for _ in range(2 * RUNS):
        mean = average([one(int(rng.binomial(size, rate))) for rate in rates])
        assert mean
        held += mean.low <= fmean(rates) <= mean.high
    assert held >= 0.95 * 2 * RUNS


def test_more_than_a_point_can_be_thrown_away_a_game() -> None:
    """In one game, and on average over games."""
    records = [
        replace(played(board, "random", side, []), points=0.0, game_regret=2.5)
        for board in range(4)
        for side in (1, 2)
    ]
    one = game_figures(records)
    overall = overall_figures({"a": one, "b": one}).game_regret
    assert overall
    assert overall.low < overall.value == 2.5 < overall.high


def test_boards_never_make_an_interval_narrower() -> None:
    """Where results on each board happen to cancel out, nothing more is known of other boards."""
    results = [(250.0, 1.0), (250.0, 0.0)] * 5
    widths = []
    for boards in (None, [str(at // 2) for at in range(10)]):
        rating = rate(results, boards)
        assert rating
        widths.append(rating.high - rating.low)
    assert widths[1] >= widths[0]


def test_one_board_says_nothing_of_others() -> None:
    """The same results, on one board or on many: only of many is there an interval."""
    results = [(250.0, 1.0), (250.0, 0.0)] * 5
    one = rate(results, ["a"] * 10)
    assert one
    assert one.value == pytest.approx(250)
    assert (one.low, one.high) == (-inf, inf)
    many = rate(results, [str(at) for at in range(10)])
    assert many == rate(results)
    games = [
        replace(played(0, opponent, side, [False]), points=float(side == 1))
        for opponent in LEVELS
        for side in (1, 2)
    ]
    reported = game_figures(games).rating
    assert reported
    assert (reported.low, reported.high) == (-inf, inf)
