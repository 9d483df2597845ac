"""Scores say what a model did: how good its moves are, and what was wrong with its answers."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import pytest

from gridwise import evaluate as worth_of
from gridwise import grade, suite
from gridwise.evals.report.leaderboard import read_leaderboard
from gridwise.prompts.conditions import Conditions
from tests.evals.conftest import Evaluate, row_of, samples_of, score_of
from tests.sizes import sample

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
    limit = sample(12, long=40)
    log = evaluate("positions", "gridwise/random", limit=limit)
    assert log.status == "success"
    row = row_of(tmp_path / "logs")
    for key in GAMES:
        rows = suite(key).part("test").sample(limit)
        # A move at random: the mean over the legal ones, counted here from the suite's own values.
        losses = [[max(each.values.values()) - v for v in each.values.values()] for each in rows]
        truth = fmean(fmean(own) for own in losses)
        spread = sqrt(sum(fmean((v - fmean(own)) ** 2 for v in own) for own in losses)) / limit
        regret = row.games[key].regret
        assert regret
        assert abs(regret.value - truth) < 4 * spread
        assert metric(log, "gridwise/regret", key) == pytest.approx(regret.value)
        graded = grade("random", key, suite=rows).summary.regret
        assert graded
        assert regret.low < graded.high
        assert graded.low < regret.high


def test_a_perfect_model_gives_nothing_away_on_the_suite(evaluate: Evaluate) -> None:
    """Its regret is 0 where nothing is hidden, and next to nothing where cells are face down."""
    log = evaluate("positions", "gridwise/perfect", limit=sample(3, long=10))
    for key in EXACT:
        assert metric(log, "gridwise/regret", key) == 0
        assert metric(log, "gridwise/best_moves", key) == 1
    assert metric(log, "gridwise/regret", "grid-conquest") < 0.01


def test_a_perfect_model_wins_what_can_be_won(evaluate: Evaluate) -> None:
    """Against the random bot it wins every game that its side can force, and errs in none."""
    from gridwise.evals.tasks import dealt_pair  # noqa: PLC0415 - it loads Inspect

    pairs = sample(1, long=3)
    log = evaluate("play", "gridwise/perfect", game=EXACT, opponent="random", pairs=pairs, seed=5)
    assert len(samples_of(log)) == len(EXACT) * 2 * pairs
    forced = 0
    for each in samples_of(log):
        key, side = each.metadata["game"], each.metadata["side"]
        start = dealt_pair(key, 5, each.metadata["pair"]).position
        if (worth_of(start).value, side) in (("win", 1), ("loss", 2)):
            forced += 1
            assert score_of(each, "points").value == 1
        assert score_of(each, "regret").value in (
            0,
            pytest.approx(float("nan"), nan_ok=True),
        )
    assert forced >= 2 * pairs  # at least Number Run and Grid Runner, which Player 1 always wins


FAILING = {
    "gridwise/illegal": "illegal",
    "gridwise/truncate": "truncated",
    "gridwise/refuse": "refused",
    "gridwise/unreadable": "unreadable",
    "gridwise/garbage": "no-move",
    "mockllm/model": "no-move",
}


@pytest.mark.parametrize(("model", "failure"), list(FAILING.items()))
def test_every_way_to_fail_has_its_own_name(
    model: str, failure: str, evaluate: Evaluate, tmp_path: Path
) -> None:
    """Who always fails in one way has 100 % of that, nothing else, and has lost all there was."""
    limit, answers = sample(4, long=8), 1 + Conditions().retries
    log = evaluate("positions", model, game="number-run", limit=limit)
    overall = row_of(tmp_path / "logs").overall
    for name in CLASSES:
        share = float(name == failure)
        assert metric(log, name, "gridwise/rate") == overall.failures[name].value == share
    assert metric(log, "bad_answers", "gridwise/rate") == answers
    assert metric(log, "gridwise/best_moves", "rate") == 0
    rows = suite("number-run").part("test").sample(limit)
    for each, row in zip(samples_of(log), rows, strict=True):
        assert score_of(each, "regret").value == max(row.values.values())
    assert overall.failed == 0
    assert overall.bad_answers == {failure: answers * limit}


def test_a_question_about_the_rules_that_is_cut_off_is_counted_so(
    evaluate: Evaluate, tmp_path: Path
) -> None:
    """It is not right, and not merely wrong: two positions, two questions each, asked twice."""
    evaluate("rules", "gridwise/truncate", game="maze", limit=2)
    row = row_of(tmp_path / "logs")
    assert row.overall.bad_answers == {"truncated": 8}
    rules = dict(row.overall.rules)
    assert rules.pop("retried").value == 1
    assert {each.value for each in rules.values()} == {0.0}


def test_an_illegal_model_loses_its_games_and_not_by_another_name(evaluate: Evaluate) -> None:
    """In whole games too: every turn illegal, every game lost on the first one."""
    log = evaluate("play", "gridwise/illegal", game="maze,runner", opponent="random", pairs=2)
    assert metric(log, "gridwise/points", "mean") == 0
    assert metric(log, "illegal", "gridwise/rate") == 1
    for each in samples_of(log):
        assert score_of(each, "points").answer == "illegal-move"
        assert len(each.store["gridwise_trial"]["turns"]) == 1


def test_boards_and_opponents_are_those_of_grade(evaluate: Evaluate) -> None:
    """With the same seed: the first boards of `grade`, and a bot that draws the same."""
    log = evaluate(
        "play", "gridwise/perfect", game="number-maze", opponent="novice", pairs=2, seed=3
    )
    report = grade("perfect", "number-maze", games=4, seed=3, opponent="novice")
    boards = {int(row.cluster): row.board for row in report.rows}
    assert len(boards) == 2
    for each in samples_of(log):
        pair = each.metadata["pair"] - 1
        assert each.store["gridwise_trial"]["board"] == boards[pair]


def test_forced_moves_count_for_nothing(evaluate: Evaluate) -> None:
    """Regret and best moves are means over the moves where a mistake was possible, no others."""
    log = evaluate("play", "gridwise/random", game="number-run", opponent="random", pairs=2)
    forced = 0
    for each in samples_of(log):
        score = score_of(each, "regret")
        assert score.metadata
        moves = score.metadata["moves"]
        lost = [move["regret"] for move in moves if move["regret"] is not None]
        if not lost:
            continue
        forced += len(moves) - len(lost)
        assert score.value == pytest.approx(fmean(lost))
        best = score_of(each, "best_moves").value
        assert best == pytest.approx(sum(regret == 0 for regret in lost) / len(lost))
    assert forced


def test_two_models_play_each_other(evaluate: Evaluate) -> None:
    """`opponent=model` asks the model in the role of opponent; its forfeits are told apart."""
    roles = {"model_roles": {"opponent": "gridwise/illegal"}}
    log = evaluate("play", "gridwise/casual", roles, game="runner", opponent="model", pairs=1)
    assert metric(log, "gridwise/points", "mean") == 1
    for each in samples_of(log):
        assert score_of(each, "points").metadata
        assert score_of(each, "points").metadata["forfeit"] == "illegal"


def test_a_game_that_a_limit_stops_at_the_models_turn_is_lost(
    evaluate: Evaluate, tmp_path: Path
) -> None:
    """As on a clock; the moves that were made count, and the last turn is one without a move."""
    log = evaluate(
        "play", "gridwise/random", {"token_limit": 900}, game="connect", opponent="random", pairs=2
    )
    stopped = [each for each in samples_of(log) if each.limit]
    assert stopped
    for each in stopped:
        assert score_of(each, "points").value == 0
        assert score_of(each, "points").answer == "time-out"
        asked = len(each.store["gridwise_trial"]["turns"]) + 1
        assert score_of(each, "failures").value["stopped"] == pytest.approx(1 / asked)
    overall = row_of(tmp_path / "logs").overall
    assert overall.stopped == len(stopped)
    assert overall.unpaired == 0
    assert overall.bad_answers == {"stopped": len(stopped)}


def test_a_sample_that_is_stopped_at_once_is_wrong_and_counted(evaluate: Evaluate) -> None:
    """A limit that the first prompt exceeds: no move, no answer, nothing right, nobody failed."""
    asked: list[tuple[str, dict[str, Any]]] = [
        ("positions", {"limit": 2}),
        ("rules", {"limit": 2}),
        ("play", {"opponent": "random", "pairs": 1}),
    ]
    for task, args in asked:
        log = evaluate(task, "gridwise/random", {"token_limit": 5}, game="connect", **args)
        assert log.status == "success"
        assert all(each.limit for each in samples_of(log))
        row = row_of(Path(log.location))
        own = row.overall
        assert (own.failed, row.missing) == (0, 0)
        assert own.stopped == own.samples == len(samples_of(log))
        assert own.best is None or own.best.value == 0
        assert {each.value for each in own.scores.values()} <= {0.0}
        assert {each.value for each in own.rules.values()} <= {0.0}
        assert bool(own.best or own.rules)


def test_our_standard_error_is_inspects_where_both_are_defined() -> None:
    """With one decision a sample a rate is a mean, and its error the clustered one of Inspect."""
    from inspect_ai.scorer import SampleScore, Score, stderr  # noqa: PLC0415 - 1 s

    from gridwise.evals.scorers import rate, rate_stderr  # noqa: PLC0415 - it loads Inspect

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
    """The log has them, and the report keeps rows with other conditions apart.

    The bot answers whatever is shown: it takes the position from the sample.
    """
    evaluate("positions", game="maze", limit=3)
    evaluate("positions", game="maze", limit=3, track="planning", history="hidden", skin="mirrored")
    rankings = read_leaderboard([tmp_path / "logs"], reference=False).rankings
    conditions = [dict(ranking.setting.conditions) for ranking in rankings]
    assert sorted((each["history"], each["skin"]) for each in conditions) == [
        ("hidden", "mirrored"),
        ("shown", "plain"),
    ]
    rows = [row for ranking in rankings for row in ranking.rows]
    assert {row.model for row in rows} == {"gridwise/casual"}
    assert {row.overall.failed for row in rows} == {0}
    one, other = (replace(row.overall, input_tokens=0) for row in rows)
    assert one == other
