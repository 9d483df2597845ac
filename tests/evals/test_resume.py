"""A run that is killed goes on, and the report is that of an unbroken run."""

from __future__ import annotations

import json
import signal
import sqlite3
import time
import zipfile
from collections.abc import Callable
from contextlib import closing, suppress
from math import isnan
from pathlib import Path

import pytest
from bot_endpoint.server import BotServer

from gridwise.evals.report.leaderboard import Leaderboard, read_leaderboard
from gridwise.worker_process import WorkerProcess
from tests.evals.conftest import Evaluate, samples_of, score_of
from tests.evals.inspect_runs import kill_inspect, run_inspect, start_inspect
from tests.sizes import sample

LIMIT = sample(6, long=20)  # positions, of two games
COMMON = ["--model", "openai-api/local/casual", "-T", "game=connect,maze", "--max-samples", "1"]
POSITIONS = ["eval", "gridwise/positions", *COMMON, "-T", f"limit={LIMIT}"]
GAMES = ["eval", "gridwise/play", *COMMON, "-T", "opponent=novice", "-T", "pairs=3"]
RULES = ["eval", "gridwise/rules", *COMMON, "-T", "limit=3"]
PATIENCE = 120


class StallingServer(BotServer):
    """A model that falls silent after some answers, while `stalls` is set: a run stops there."""

    stalls = False

    def __init__(self, level: str, answers: int) -> None:
        super().__init__(level)
        self._answers = answers

    @property
    def is_silent(self) -> bool:
        """Whether there were enough answers."""
        return self.stalls and self.asked > self._answers

    def next_fault(self) -> str:
        """Silence, once there were enough answers."""
        fault = super().next_fault()
        return "silent" if self.is_silent else fault


def environment(folder: Path) -> dict[str, str]:
    """Everything that Inspect writes goes into the folder."""
    return {"INSPECT_LOG_DIR": str(folder / "logs"), "LOCAL_API_KEY": "none"}


def finished_samples(folder: Path) -> tuple[int, int]:
    """How many samples of the only run are finished: in its log, and only in Inspect's buffer."""
    logged = buffered = 0
    for log in (folder / "logs").glob("*.eval"):
        # Either may be being written.
        with suppress(zipfile.BadZipFile, OSError), zipfile.ZipFile(log) as opened:
            logged = sum(name.startswith("samples/") for name in opened.namelist())
    for buffer in (folder / "data").rglob("*.db"):
        uri = f"file:{buffer}?mode=ro"
        with suppress(sqlite3.Error), closing(sqlite3.connect(uri, uri=True)) as opened:
            rows = [json.loads(row) for (row,) in opened.execute("SELECT data FROM samples")]
            buffered = sum(bool(row.get("completed_at")) for row in rows)
    return logged, buffered


def run_and_kill(
    inspect_process: WorkerProcess,
    folder: Path,
    server: StallingServer,
    task: list[str],
    enough: Callable[[], bool],
) -> None:
    """Begin the run, and kill it when the model has fallen silent and enough is finished."""
    server.asked = 0
    server.stalls = True
    running = inspect_process.call(start_inspect, folder, task, environment(folder))
    deadline = time.monotonic() + PATIENCE
    while not (server.is_silent and enough()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert inspect_process.call(kill_inspect, running) == -signal.SIGKILL
    server.stalls = False


def board_of(folder: Path) -> Leaderboard:
    """The leaderboard of a folder's logs, without our bots."""
    return read_leaderboard([folder / "logs"], reference=False)


def kept_stores(folder: Path) -> list[bool]:
    """Of each sample of the last log, whether its store says what the model did."""
    from inspect_ai.log import read_eval_log  # noqa: PLC0415 - 1 s

    last = max((folder / "logs").glob("*.eval"))
    return [bool(each.store) for each in samples_of(read_eval_log(last))]


@pytest.mark.parametrize(
    ("task", "answers", "buffer"),
    [(POSITIONS, 5, 1), (GAMES, 12, 100), (POSITIONS, 5, 100), (RULES, 5, 100)],
    ids=["positions-written", "games-buffered", "positions-buffered", "rules-buffered"],
)
def test_a_killed_run_goes_on_and_the_report_is_the_same(
    task: list[str],
    answers: int,
    buffer: int,
    tmp_path: Path,
    inspect_process: WorkerProcess,
) -> None:
    """Killed in the middle and continued with `inspect eval-retry`: the same rows, to the digit.

    Of samples that are only in its buffer Inspect loses the store. They are read from their scores,
    also after they have been scored again.
    """
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    for folder in (whole, broken):
        folder.mkdir()
    with StallingServer("casual", answers) as server:
        # As an argument: Inspect keeps models, also where the environment says another address.
        task = [*task, "--log-buffer", str(buffer), "--model-base-url", server.url]

        def run(folder: Path, *arguments: str) -> None:
            where = environment(folder)
            assert inspect_process.call(run_inspect, folder, list(arguments), where) == 0

        run(whole, *task)
        kept_in = 0 if buffer == 1 else 1

        def enough() -> bool:
            return finished_samples(broken)[kept_in] >= 2

        run_and_kill(inspect_process, broken, server, task, enough)
        _, buffered = finished_samples(broken)
        assert enough()
        (log,) = (broken / "logs").glob("*.eval")
        run(broken, "eval-retry", str(log))
    assert len([*(broken / "logs").glob("*.eval")]) == 2
    assert kept_stores(broken).count(False) == (buffered if kept_in else 0)
    unbroken = board_of(whole)
    assert unbroken.rankings
    assert board_of(broken) == unbroken
    last = max((broken / "logs").glob("*.eval"))
    run(broken, "score", "--model", "none", "--action", "overwrite", "--overwrite", str(last))
    assert board_of(broken) == unbroken


def test_what_is_lost_is_left_out_and_said(tmp_path: Path, evaluate: Evaluate) -> None:
    """Two games without stores and without what the scores had: no game is made up for them."""
    from inspect_ai.log import read_eval_log, write_eval_log  # noqa: PLC0415 - 1 s

    log = evaluate("play", game="connect", opponent="novice", pairs=3)
    path = Path(log.location)
    before = board_of(tmp_path).rankings[0].rows[0].overall
    stripped = read_eval_log(path)
    for each in samples_of(stripped)[2:4]:
        each.store = {}
        for score in (each.scores or {}).values():
            (score.metadata or {}).pop("trial", None)
    write_eval_log(stripped, path)
    board = board_of(tmp_path)
    after = board.rankings[0].rows[0].overall
    assert (before.games, before.unpaired) == (6, 0)
    assert (after.games, after.unpaired) == (4, 0)
    assert after.score
    assert after.score.n == 2
    assert "2 finished samples" in board.remarks[0]


def test_scoring_again_asks_for_no_key(
    tmp_path: Path, evaluate: Evaluate, inspect_process: WorkerProcess
) -> None:
    """With `--model none`, a log of a provider whose key is not here; what is lost is unscored."""
    from inspect_ai.log import read_eval_log, write_eval_log  # noqa: PLC0415 - 1 s

    log = evaluate("play", game="connect", opponent="novice", pairs=2)
    path = Path(log.location)
    changed = read_eval_log(path)
    changed.eval.model = "openai/gpt-4o"
    first, *_ = samples_of(changed)
    first.store, first.events = {}, []
    write_eval_log(changed, path)
    again = ["score", "--model", "none", "--action", "overwrite", "--overwrite", str(path)]
    assert inspect_process.call(run_inspect, tmp_path, again, {"OPENAI_API_KEY": ""}) == 0
    scored = read_eval_log(path)
    assert scored.eval.model == "openai/gpt-4o"
    lost, *others = samples_of(scored)
    assert isnan(score_of(lost, "points").value)
    assert not any(isnan(score_of(each, "points").value) for each in others)
    remark = board_of(tmp_path).remarks[0]
    assert "1 finished sample" in remark
