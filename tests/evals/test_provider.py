"""Through Inspect's own provider for OpenAI-compatible servers, against one of ours on loopback."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from bot_endpoint.server import BotServer

from gridwise.errors import ProviderFailed
from gridwise.evals.report.leaderboard import read_leaderboard
from gridwise.worker_process import WorkerProcess
from tests.evals.conftest import Evaluate, row_of, samples_of, score_of
from tests.evals.inspect_runs import run_inspect

MODEL = "openai-api/gridwise-bots/perfect"
ENVIRONMENT = {"GRIDWISE_BOTS_API_KEY": "none"}


def at(server: BotServer, retries: int = 2) -> dict[str, Any]:
    """Options with which the provider finds the server, and does not try for ever."""
    return {"model_base_url": server.url, "max_retries": retries, "timeout": 30}


def test_a_bot_behind_a_server_is_scored_as_the_bot(evaluate: Evaluate, tmp_path: Path) -> None:
    """The perfect bot errs nowhere, wins as Player 1 in Grid Runner, and its tokens are counted."""
    with BotServer("perfect") as server:
        log = evaluate(
            "play", MODEL, at(server), ENVIRONMENT, game="runner", opponent="novice", pairs=2
        )
    assert log.status == "success"
    row = row_of(tmp_path / "logs")
    assert row.overall.regret
    assert row.overall.regret.value == 0
    assert row.overall.turns == server.asked
    assert row.overall.output_tokens > row.overall.turns
    for sample in samples_of(log):
        if sample.metadata["side"] == 1:
            assert score_of(sample, "points").value == 1


def test_a_provider_that_fails_has_lost_no_game(evaluate: Evaluate, tmp_path: Path) -> None:
    """HTTP errors are errors of the sample: not scored, counted apart, and nobody is rated."""
    with BotServer("perfect", fault="http-400") as server:
        log = evaluate(
            "play", MODEL, at(server), ENVIRONMENT, game="maze", opponent="random", pairs=2
        )
    assert log.status == "error"  # so `inspect eval-retry` runs these samples again
    for sample in samples_of(log):
        assert sample.error
        assert not sample.scores
    row = row_of(tmp_path / "logs")
    assert (row.overall.failed, row.overall.samples) == (4, 4)
    assert row.overall.scores == {}
    assert row.overall.rating is None
    assert row.overall.failures == {}


def test_an_output_without_an_answer_is_no_reply() -> None:
    """Nothing at all, or an error; but what a filter has stopped is the model's refusal."""
    from inspect_ai.model import ModelOutput  # noqa: PLC0415 - 1 s

    from gridwise.evals.asking import stop_reason  # noqa: PLC0415 - it loads Inspect

    said = ModelOutput.from_content("model", "MOVE: right")
    assert stop_reason(said) == "stop"
    for output in (ModelOutput(), said.model_copy(update={"error": "overloaded"})):
        with pytest.raises(ProviderFailed):
            stop_reason(output)
    filtered = ModelOutput.from_content("model", "", "content_filter", error="filtered")
    assert stop_reason(filtered) == "content_filter"


@pytest.mark.parametrize(
    ("fault", "named"),
    [
        ("illegal", "illegal"),
        ("truncate", "truncated"),
        ("refuse", "refused"),
        ("decline", "refused"),
    ],
)
def test_what_goes_wrong_keeps_its_name_on_the_way(
    fault: str, named: str, evaluate: Evaluate, tmp_path: Path
) -> None:
    """All turns end with this failure and with no other, whichever way a provider says it."""
    with BotServer("perfect", fault=fault) as server:
        log = evaluate(
            "positions", MODEL, at(server), ENVIRONMENT, game="connect", limit=2, retries=1
        )
    assert log.status == "success"
    assert server.asked == 4
    row = row_of(tmp_path / "logs")
    assert {name: each.value for name, each in row.overall.failures.items() if each.value} == {
        named: 1.0
    }
    assert row.overall.bad_answers == {named: 4}


def test_a_log_is_scored_again_without_the_model(
    evaluate: Evaluate, tmp_path: Path, inspect_process: WorkerProcess
) -> None:
    """`inspect score` gives the same figures when the server has long been gone."""
    with BotServer("casual") as server:
        log = evaluate(
            "play", MODEL, at(server), ENVIRONMENT, game="connect", opponent="novice", pairs=2
        )
    before = read_leaderboard([tmp_path / "logs"], reference=False).rankings
    again = ["score", log.location, "--action", "overwrite", "--overwrite"]
    assert inspect_process.call(run_inspect, tmp_path, again, ENVIRONMENT) == 0
    after = read_leaderboard([tmp_path / "logs"], reference=False).rankings
    assert after == before
    assert after[0].rows[0].overall.regret
