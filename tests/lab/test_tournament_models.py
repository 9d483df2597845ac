"""Language models in a tournament: they play like anybody, and their providers lose no games."""

from __future__ import annotations

from pathlib import Path

import pytest
from bot_endpoint.server import BotServer

from tests.cli.program import Run, gridwise
from tests.lab.tournament import FAST, played


@pytest.fixture
def perfect(monkeypatch: pytest.MonkeyPatch) -> BotServer:
    """A server that answers with perfect moves; entered by the test."""
    server = BotServer("perfect")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    return server


def arena(server: BotServer, home: Path, *options: str | Path) -> Run:
    """`gridwise arena` between a model and a bot."""
    players = ("model:Owl", "random", "--game", "number-connect", "--seed", "5", "--workers", "1")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("OPENAI_BASE_URL", server.url)
        environment.setenv("OPENAI_API_KEY", "sk-not-to-be-printed")
        return gridwise("arena", *players, *options, home=home)


def test_a_model_plays_both_sides_to_the_end(perfect: BotServer) -> None:
    """Perfect answers win as Player 1 on the standard board of Grid Runner."""
    with perfect:
        one, two = played("model:Owl", "bot:random")
    assert (one["winner"], one["ending"]) == (1, "goal")
    assert two["ending"] in {"goal", "max-plies"}
    assert perfect.asked
    assert not one["complaint"] + two["complaint"]


def test_a_model_that_gives_no_legal_move_loses_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is counted as an illegal move, with what was wrong."""
    with BotServer("random", fault="illegal") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        one, two = played("model:Owl", "bot:random")
    assert [each["ending"] for each in (one, two)] == ["illegal-move"] * 2
    assert (one["winner"], two["winner"]) == (2, 1)
    assert "Owl" in one["complaint"]


def test_a_slow_model_does_not_lose_on_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits are for programs on this machine; also a late illegal answer is an illegal one."""
    with BotServer("random", fault="slow:1", delay=0.3) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        games = played("model:Owl", "bot:random", key="number-connect", limits=FAST)
    assert "time-out" not in {each["ending"] for each in games}


def test_what_was_played_before_a_provider_failed_is_kept(tmp_path: Path) -> None:
    """One line says what happened and how to go on; what was played counts."""
    kept = tmp_path / "kept"
    with BotServer("casual") as server:
        assert arena(server, tmp_path, "--pairs", "1", "--out", kept).status == 0
    with BotServer("casual", fault="http-401") as broken:
        stopped = arena(broken, tmp_path, "--pairs", "2", "--out", kept)
    assert stopped.status != 0
    assert "Stopped after 1 of 2 pairs." in stopped.err
    assert "HTTP 401" in stopped.err
    assert "Traceback" not in stopped.err
    assert "sk-not-to-be-printed" not in stopped.err + stopped.out
