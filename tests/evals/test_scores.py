"""Scores say what a model did: how good its moves are, and what was wrong with its answers."""

from __future__ import annotations

from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

import pytest
from inspect_ai.scorer import SampleScore, Score, stderr

from gridwise import evaluate as worth_of
from gridwise import game, grade, suite
from gridwise.evals.metrics import rate, rate_stderr
from gridwise.evals.report.leaderboard import read_leaderboard
from gridwise.evals.tasks.play import _dealt
from gridwise.prompts.conditions import Conditions
from tests.evals.conftest import Evaluate

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

GAMES = ["number-run", "number-maze", "grid-runner", "grid-conquest", "number-connect"]
EXACT = [key for key in GAMES if key != "grid-conquest"]
CLASSES = ["no-move", "unreadable", "illegal", "truncated", "refused"]


def metric(log: EvalLog, scorer: str, name: str) -> float:
    """One figure of a log's results."""
    assert log.results
    score = next(each for each in log.results.scores if each.name == scorer)
    return float(score.metrics[name].value)


def test_a_random_model_has_the_regret_of_the_random_bot(
    evaluate: Evaluate, tmp_path: Path
) -> None:
    """Its regret is what any-move-alike must lose on these positions, and what `grade` finds."""
    log = evaluate("positions", "gridwise/random", limit=40)
    assert log.status == "success"
    (row,) = read_leaderboard([tmp_path / "logs"], reference=False).rows
    for key in GAMES:
        rows = suite(key).part("test")[:40]
        # A move at random: the mean over the legal ones, counted here from the suite's own values.
        losses = [[max(each.values.values()) - v for v in each.values.values()] for each in rows]
        truth = fmean(fmean(own) for own in losses)
        spread = sqrt(sum(fmean((v - fmean(own)) ** 2 for v in own) for own in losses)) / 40
        found = row.games[key].regret
        assert found
        assert abs(found.value - truth) < 4 * spread
        assert metric(log, "gridwise/regret", key) == pytest.approx(found.value)
        graded = grade("random", key, suite=rows).summary.loss
        assert graded
        assert found.low < graded.high
        assert graded.low < found.high


def test_a_perfect_model_gives_nothing_away_on_the_suite(evaluate: Evaluate) -> None:
    """Its regret is 0 where nothing is hidden, and next to nothing where cells are face down."""
    log = evaluate("positions", "gridwise/perfect", limit=10)
    for key in EXACT:
        assert metric(log, "gridwise/regret", key) == 0
        assert metric(log, "gridwise/best_moves", key) == 1
    assert metric(log, "gridwise/regret", "grid-conquest") < 0.01


@pytest.mark.parametrize("key", EXACT)
def test_a_perfect_model_wins_what_can_be_won(key: str, evaluate: Evaluate) -> None:
    """Against the random bot it wins every game that its side can force, and errs in none."""
    log = evaluate("play", "gridwise/perfect", game=key, opponent="random", pairs=3, seed=5)
    assert log.samples
    for sample in log.samples:
        assert sample.scores
        side, start = sample.metadata["side"], _dealt(key, 5, sample.metadata["pair"]).position
        first_wins = worth_of(start).value == "win"
        lost = worth_of(start).value == "loss"
        if (first_wins and side == 1) or (lost and side == 2):
            assert sample.scores["gridwise/points"].value == 1
        assert sample.scores["gridwise/regret"].value in (
            0,
            pytest.approx(float("nan"), nan_ok=True),
        )


@pytest.mark.parametrize(
    ("model", "failure"),
    [
        ("gridwise/illegal", "illegal"),
        ("gridwise/truncate", "truncated"),
        ("gridwise/refuse", "refused"),
        ("gridwise/unreadable", "unreadable"),
        ("gridwise/garbage", "no-move"),
        ("mockllm/model", "no-move"),
    ],
)
def test_every_way_to_fail_has_its_own_name(
    model: str, failure: str, evaluate: Evaluate, tmp_path: Path
) -> None:
    """Who always fails in one way has 100 % of that, nothing else, and has lost all there was."""
    log = evaluate("positions", model, game="number-connect", limit=8)
    for name in CLASSES:
        assert metric(log, name, "gridwise/rate") == (name == failure)
    assert metric(log, "bad_answers", "gridwise/rate") == 1 + Conditions().retries
    assert metric(log, "gridwise/best_moves", "rate") == 0
    assert log.samples
    for sample, row in zip(log.samples, suite("number-connect").part("test"), strict=False):
        assert sample.scores
        assert sample.scores["gridwise/regret"].value == max(row.values.values())
    (shown,) = read_leaderboard([tmp_path / "logs"], reference=False).rows
    failures = shown.overall.failures
    assert {name: failures[name].value for name in CLASSES} == {
        name: float(name == failure) for name in CLASSES
    }
    assert shown.overall.failed == 0
    assert shown.overall.bad_answers == {failure: 24}


def test_a_question_about_the_rules_that_is_cut_off_is_counted_so(
    evaluate: Evaluate, tmp_path: Path
) -> None:
    """It is not right, and not merely wrong: two positions, two questions each."""
    evaluate("rules", "gridwise/truncate", game="maze", limit=2)
    (row,) = read_leaderboard([tmp_path / "logs"], reference=False).rows
    assert row.overall.bad_answers == {"truncated": 4}
    assert {each.value for each in row.overall.rules.values()} == {0.0}


def test_an_illegal_model_loses_its_games_and_not_by_another_name(evaluate: Evaluate) -> None:
    """In whole games too: every turn illegal, every game lost on the first one."""
    log = evaluate("play", "gridwise/illegal", game="maze,runner", opponent="random", pairs=2)
    assert metric(log, "gridwise/points", "mean") == 0
    assert metric(log, "illegal", "gridwise/rate") == 1
    assert log.samples
    for sample in log.samples:
        assert sample.scores
        assert sample.scores["gridwise/points"].answer == "illegal-move"
        assert len(sample.store["gridwise_trial"]["turns"]) == 1


def test_boards_and_opponents_are_those_of_grade(evaluate: Evaluate) -> None:
    """With the same seed: the first boards of `grade`, and a bot that draws the same."""
    log = evaluate(
        "play", "gridwise/perfect", game="number-maze", opponent="novice", pairs=2, seed=3
    )
    report = grade("perfect", "number-maze", games=4, seed=3, opponent="novice")
    boards = {int(row.cluster): row.board for row in report.rows}
    assert log.samples
    assert len(boards) == 2
    for sample in log.samples:
        pair = sample.metadata["pair"] - 1
        assert sample.store["gridwise_trial"]["board"] == boards[pair]


def test_two_models_play_each_other(evaluate: Evaluate) -> None:
    """`opponent=model` asks the model in the role of opponent; its forfeits are told apart."""
    roles = {"model_roles": {"opponent": "gridwise/illegal"}}
    log = evaluate("play", "gridwise/casual", roles, game="runner", opponent="model", pairs=1)
    assert metric(log, "gridwise/points", "mean") == 1
    assert log.samples
    for sample in log.samples:
        assert sample.scores
        assert sample.scores["gridwise/points"].metadata
        assert sample.scores["gridwise/points"].metadata["forfeit"] == "illegal"


def test_a_game_that_a_limit_stops_is_not_scored(evaluate: Evaluate, tmp_path: Path) -> None:
    """It is no loss and no draw; the moves that were made still count."""
    log = evaluate(
        "play", "gridwise/random", {"token_limit": 900}, game="connect", opponent="random", pairs=2
    )
    assert log.samples
    stopped = [each for each in log.samples if each.limit]
    assert stopped
    for sample in stopped:
        assert sample.scores
        assert sample.scores["gridwise/points"].value != sample.scores["gridwise/points"].value
        assert sample.store["gridwise_trial"]["turns"]
    (row,) = read_leaderboard([tmp_path / "logs"], reference=False).rows
    assert row.overall.stopped == len(stopped)


@pytest.mark.parametrize("task", ["positions", "rules", "play"])
def test_a_sample_that_is_stopped_at_once_is_not_scored(
    task: str, evaluate: Evaluate, tmp_path: Path
) -> None:
    """A limit that the first prompt exceeds leaves nothing to score, and nothing has failed."""
    args = {"opponent": "random", "pairs": 1} if task == "play" else {"limit": 2}
    log = evaluate(task, "gridwise/random", {"token_limit": 5}, game="maze", **args)
    assert log.status == "success"
    assert all(sample.limit for sample in log.samples or [])
    (row,) = read_leaderboard([tmp_path / "logs"], reference=False).rows
    assert row.overall.failed == 0
    assert row.overall.regret is None
    assert row.overall.rules == {}
    assert row.overall.scores == {}


def test_our_standard_error_is_inspects_where_both_are_defined() -> None:
    """With one decision a sample a rate is a mean, and its error the clustered one of Inspect."""
    scores = [
        SampleScore(
            score=Score(value=value, metadata={"of": 1}),
            sample_id=at,
            sample_metadata={"cluster": cluster},
        )
        for at, (value, cluster) in enumerate(
            [(0.0, "a"), (1.0, "a"), (0.25, "b"), (0.5, "c"), (1.0, "c"), (0.75, "d")]
        )
    ]
    ours, theirs = rate_stderr("cluster"), stderr(cluster="cluster")
    assert ours(scores) == pytest.approx(theirs(scores))  # type: ignore[arg-type]
    assert rate()(scores) == pytest.approx(3.5 / 6)  # type: ignore[arg-type]


def test_conditions_are_part_of_the_result(evaluate: Evaluate, tmp_path: Path) -> None:
    """The log has them, and the report keeps rows with other conditions apart."""
    evaluate("positions", game="maze", limit=3)
    evaluate("positions", game="maze", limit=3, legal_moves="hidden", skin="mirrored")
    rows = read_leaderboard([tmp_path / "logs"], reference=False).rows
    assert [row.conditions["skin"] for row in rows].count("mirrored") == 1
    assert {row.name for row in rows} == {
        "gridwise/casual",
        "gridwise/casual legal_moves=hidden skin=mirrored",
    }
    assert game("maze").key in rows[0].games
