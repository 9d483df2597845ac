"""The report: ratings on a fixed scale, logs merged and refused, tables, Markdown, JSON, a page."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from math import inf
from pathlib import Path
from shutil import copytree
from statistics import fmean
from typing import TYPE_CHECKING

import pytest
from typer import TyperException

from gridwise.cli.main import app
from gridwise.errors import BadRequest
from gridwise.evals.report.leaderboard import (
    Leaderboard,
    Ranking,
    Row,
    Setting,
    read_leaderboard,
    reference_rows,
)
from gridwise.evals.report.model_figures import ModelFigures, average
from gridwise.evals.report.page import as_html, as_markdown, as_text, charts
from gridwise.evals.report.rating import anchors, expected, rate
from gridwise.lab.statistics import Estimate
from gridwise.prompts.conditions import Conditions
from gridwise.worker_process import WorkerProcess
from research.reference.fit_anchors import fit_anchors
from tests.cli.program import gridwise, is_one_complaint
from tests.evals.conftest import Evaluate, evaluated, row_of, samples_of, score_of

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

LEVELS = ["random", "novice", "casual", "strong", "perfect"]
TASKS = ["play", "positions", "rules"]
GAMES = ["number-run", "number-maze", "grid-runner", "grid-conquest", "number-connect"]


# Ratings


def test_a_rating_is_where_the_expected_score_is_the_score() -> None:
    """The scale is Elo's: ten of eleven points are 400 more than the anchor, half are as much."""
    assert expected(400, 0) == pytest.approx(10 / 11)
    assert expected(0, 400) == pytest.approx(1 / 11)
    even = rate([(250.0, 1.0), (250.0, 0.0)] * 20)
    assert even
    assert even.value == pytest.approx(250)
    assert even.low < 250 < even.high
    better = rate([(100.0, 1.0)] * 20 + [(100.0, 0.0)] * 2)
    assert better
    assert better.value == pytest.approx(500)


def test_who_has_lost_every_game_is_only_limited_from_above() -> None:
    """There is no lowest rating; and none at all without a game."""
    lost = rate([(0.0, 0.0)] * 30)
    assert lost
    assert lost.value == lost.low == -inf
    assert -inf < lost.high < 0
    won = rate([(0.0, 1.0)] * 30)
    assert won
    assert won.value == won.high == inf
    assert rate([]) is None


def test_anchors_are_what_bradley_and_terry_give() -> None:
    """As evalica fits them, from the same games."""
    evalica = pytest.importorskip("evalica")
    scores = {("random", "a"): (30.0, 100), ("random", "b"): (10.0, 100), ("a", "b"): (25.0, 100)}
    ones, others, winners = [], [], []
    for (one, other), (points, games) in scores.items():
        ones += [one] * games
        others += [other] * games
        winners += [evalica.Winner.X] * int(points) + [evalica.Winner.Y] * (games - int(points))
    theirs = evalica.bradley_terry(ones, others, winners).scores
    ours = fit_anchors(scores)
    for name in ("a", "b"):
        ratio = theirs[name] / theirs["random"]
        assert 10 ** (ours[name] / 400) == pytest.approx(ratio, rel=1e-3)


def test_the_anchors_are_in_the_order_of_the_levels() -> None:
    """Random is 0, and every level is above the one before."""
    for key in GAMES:
        ratings = [anchors()[key][level] for level in LEVELS]
        assert ratings[0] == 0
        assert ratings == sorted(ratings)
        assert min(after - before for before, after in pairwise(ratings)) > 10


def test_a_mean_of_games_is_more_certain_than_one_of_them() -> None:
    """The interval of a mean of two like estimates is narrower by the root of two."""
    one = Estimate(0.3, 0.2, 0.4, 50)
    both = average([one, one, None])
    assert both
    assert both.value == pytest.approx(0.3)
    assert both.high - both.low == pytest.approx((one.high - one.low) / 2**0.5)
    assert average([None]) is None


# Reference rows


def bots(task: str) -> Ranking:
    """A ranking of our bots, under the conditions that are usual."""
    asked: dict[str, str | int | None] = {"seed": 0}
    if task != "play":
        asked |= {"suite": "v1", "part": "test", "limit": 100}
    conditions = Conditions().to_dict()
    setting = Setting(task, tuple(conditions.items()), tuple(asked.items()))
    return Ranking(setting, list(reference_rows(task))[::-1])


def test_reference_rows_are_shipped_for_every_bot() -> None:
    """All five, in all games, asked through the same pipe; none ever failed to answer."""
    for task in TASKS:
        rows = reference_rows(task)
        assert [row.model for row in rows] == [f"bot:{level}" for level in LEVELS]
        for row in rows:
            own = row.overall
            assert row.reference
            assert list(row.games) == GAMES
            assert own.failed == own.stopped == own.unpaired == 0
            assert {share.value for share in own.failures.values()} <= {0.0}
            wanted = {"legal moves": 1, "next position": 1, "fields": 1, "retried": 0}
            assert {name: share.value for name, share in own.rules.items()} == (
                wanted if task == "rules" else {}
            )
            assert bool(own.failures) == (task != "rules")
            assert Row.from_dict(json.loads(json.dumps(row.to_dict()))) == row


def test_reference_rows_agree_with_the_anchors() -> None:
    """A bot that speaks as a model has the rating that it has as a bot, within the interval."""
    held = 0
    for row, level in zip(reference_rows("play"), LEVELS, strict=True):
        for key in GAMES:
            rating = row.games[key].rating
            assert rating
            held += rating.low <= anchors()[key][level] <= rating.high
    assert held >= 21  # of 25 intervals of 95 %: fewer have a chance of 0.7 % (binomial)


def test_against_some_opponents_bots_are_in_their_order() -> None:
    """Of the reference rows the scores against those alone are known, and they rank."""
    rows = [row.among(GAMES, ["novice", "strong"]) for row in reference_rows("play")]
    scores = [row.overall.score for row in rows]
    assert [set(row.overall.scores) for row in rows] == [{"novice", "strong"}] * 5
    values = [score.value for score in scores if score]
    assert len(values) == 5
    assert values == sorted(values)
    for row, value in zip(rows, values, strict=True):
        own = [row.games[key].scores[name].value for key in GAMES for name in ("novice", "strong")]
        assert value == pytest.approx(fmean(own))


def test_stronger_bots_have_less_regret() -> None:
    """On the suite, level by level; and the perfect one next to none."""
    for task in ("positions", "play"):
        regrets = [row.overall.regret.value for row in reference_rows(task) if row.overall.regret]
        assert len(regrets) == 5
        assert regrets == sorted(regrets, reverse=True)
        assert regrets[-1] < 0.001


def test_the_tables_in_the_documents_are_those_of_the_rows() -> None:
    """docs/evals.md shows the leaderboard and the scores of the reference rows, to the digit."""
    page = (Path(__file__).parents[2] / "docs" / "evals.md").read_text(encoding="utf-8")
    for task in ("play", "positions"):
        table = as_markdown(Leaderboard([bots(task)])).partition("\n\n### ")[0]
        lines = [line for line in table.splitlines() if line.startswith("|")]
        assert len(lines) == 7
        assert set(lines) <= set(page.splitlines())


# Logs


@pytest.fixture(scope="module")
def run_logs(tmp_path_factory: pytest.TempPathFactory, inspect_process: WorkerProcess) -> Path:
    """A folder with a log of positions and one of questions."""
    folder = tmp_path_factory.mktemp("runs")
    evaluated(inspect_process, folder, "positions", game="maze", limit=6)
    evaluated(inspect_process, folder, "rules", game="maze", limit=3)
    return folder / "logs"


@pytest.fixture
def logs(run_logs: Path, tmp_path: Path) -> Path:
    """A copy of the logs in `tmp_path`, to be changed."""
    return copytree(run_logs, tmp_path / "logs")


def one_log(logs: Path) -> Path:
    """The log of positions."""
    return next(logs.glob("2*_positions_*.eval"))


def changed(logs: Path, name: str, change: Callable[[EvalLog], None]) -> Path:
    """A copy of the log of positions, changed, as JSON."""
    from inspect_ai.log import read_eval_log, write_eval_log  # noqa: PLC0415 - 1 s

    log, path = read_eval_log(one_log(logs)), logs.parent / name
    change(log)
    write_eval_log(log, path)
    return path


def with_an_error(sample: EvalSample) -> EvalSample:
    """A sample, failed."""
    from inspect_ai.log import EvalError  # noqa: PLC0415 - 1 s

    error = EvalError(message="refused", traceback="", traceback_ansi="")
    return sample.model_copy(update={"error": error, "scores": None})


def test_copies_and_json_add_nothing(logs: Path) -> None:
    """A sample counts once, in whatever files it is."""
    before = read_leaderboard([logs], reference=False)
    positions, rules = (ranking.rows[0].overall for ranking in before.rankings)
    assert (positions.samples, positions.turns) == (rules.samples, rules.turns) == (6, 6)
    assert set(rules.rules) == {"legal moves", "next position", "fields", "retried"}
    for log in list(logs.glob("*.eval")):
        (logs / f"copy-{log.name}").write_bytes(log.read_bytes())
    as_json = changed(logs, "log.json", lambda _: None)
    assert read_leaderboard([logs, as_json], reference=False) == before
    alone = row_of(as_json)
    assert alone.overall.regret == positions.regret


def test_whose_samples_fail_where_it_loses_stands_last(logs: Path) -> None:
    """Everything that is scored is perfect, but not everything is scored."""
    from inspect_ai.log import read_eval_log, write_eval_log  # noqa: PLC0415 - 1 s

    def clever(log: EvalLog) -> None:
        log.eval.model, log.eval.task_id = "clever", "another"
        log.samples = [
            with_an_error(each) if score_of(each, "regret").value else each
            for each in samples_of(log)
        ]

    path = changed(logs, "clever.json", clever)
    log = read_eval_log(one_log(logs))
    assert any(score_of(each, "regret").value for each in samples_of(log))
    write_eval_log(log, logs.parent / "honest.json")
    (ranking,) = read_leaderboard([path, logs.parent / "honest.json"], reference=False).rankings
    honest, last = ranking.rows
    assert (honest.model, honest.missing, last.model) == ("gridwise/casual", 0, "clever")
    assert last.overall.regret
    assert last.overall.regret.value == 0
    assert last.missing == last.overall.failed > 0
    shown = as_text(Leaderboard([ranking]))
    assert "not scored" in shown
    assert "stand last" in shown


def test_what_failed_and_then_went_well_counts_as_it_went(logs: Path) -> None:
    """As after `inspect eval-retry`, in whatever order the logs are given."""

    def fail(log: EvalLog) -> None:
        log.samples = [with_an_error(samples_of(log)[0])]

    failed = changed(logs, "failed.json", fail)
    alone = row_of(failed)
    assert (alone.overall.failed, alone.overall.samples) == (1, 1)
    for both in ([failed, one_log(logs)], [one_log(logs), failed]):
        merged = row_of(*both)
        assert merged.overall.again == 1
        assert (merged.overall.failed, merged.overall.samples) == (0, 6)


def test_a_run_that_was_stopped_is_reported_as_far_as_it_went(logs: Path) -> None:
    """Samples that were under way have not failed, and the way on is named."""

    def stop(log: EvalLog) -> None:
        log.status = "cancelled"
        first, *others = samples_of(log)
        log.samples = [with_an_error(first), *others]

    path = changed(logs, "stopped.json", stop)
    stopped = read_leaderboard([path], reference=False)
    (row,) = stopped.rankings[0].rows
    assert (row.overall.failed, row.overall.samples) == (0, 5)
    assert "eval-retry" in stopped.remarks[0]
    assert not read_leaderboard([path, one_log(logs)]).remarks


def test_logs_of_others_are_left_out_or_refused(logs: Path) -> None:
    """In a folder with a remark, by name with an error; also a log that nobody has scored."""

    def rename(log: EvalLog) -> None:
        log.eval.task = log.eval.task_registry_name = "other/task"

    def unscore(log: EvalLog) -> None:
        for sample in samples_of(log):
            sample.scores = None

    before = read_leaderboard([logs], reference=False)
    foreign = changed(logs, "foreign.json", rename)
    with pytest.raises(BadRequest, match=r"foreign\.json.* is a log of .other/task."):
        read_leaderboard([foreign])
    (logs / "foreign.json").write_bytes(foreign.read_bytes())
    (logs / "notes.json").write_text('{"a": 1}', encoding="utf-8")
    remarked = read_leaderboard([logs], reference=False)
    assert remarked.rankings == before.rankings
    assert len(remarked.remarks) == 2
    with pytest.raises(BadRequest, match=r"unscored\.json.* has no scores"):
        read_leaderboard([changed(logs, "unscored.json", unscore)])


def test_a_damaged_log_is_named_in_one_line(logs: Path, tmp_path: Path) -> None:
    """Cut short, empty, no log at all, noise: never a traceback, never a figure."""
    content = one_log(logs).read_bytes()
    as_json = changed(logs, "log.json", lambda _: None).read_bytes()
    for name, damaged in (
        ("cut.eval", content[: len(content) // 2]),
        ("empty.eval", b""),
        ("text.eval", b"no log at all"),
        ("random.eval", os.urandom(2000)),
        ("broken.json", as_json[:-2000]),
    ):
        (tmp_path / name).write_bytes(damaged)
        with pytest.raises(BadRequest, match=re.escape(name)) as refused:
            read_leaderboard([tmp_path / name])
        assert "\n" not in str(refused.value)
    with pytest.raises(BadRequest, match=r"cut\.eval"):
        report(tmp_path / "cut.eval")


def test_figures_that_are_none_are_named_in_one_line(logs: Path) -> None:
    """A log that somebody has changed by hand: no traceback, and no score beyond what there is."""

    def better_than_best(log: EvalLog) -> None:
        for move in score_of(samples_of(log)[0], "regret").metadata["moves"]:
            move["regret"] = -5.0

    with pytest.raises(BadRequest, match=r"edited\.json.* damaged at the sample .*regret is -5"):
        read_leaderboard([changed(logs, "edited.json", better_than_best)])


def test_points_are_those_of_the_moves(evaluate: Evaluate, tmp_path: Path) -> None:
    """Whatever a score in the log says."""
    from inspect_ai.log import read_eval_log, write_eval_log  # noqa: PLC0415 - 1 s

    log = evaluate("play", "gridwise/random", game="connect", opponent="casual", pairs=2)
    before = row_of(tmp_path / "logs").overall.score
    changed_log = read_eval_log(log.location)
    for each in samples_of(changed_log):
        score_of(each, "points").value = 7.5
    write_eval_log(changed_log, log.location)
    assert before
    assert before.value < 1
    assert row_of(tmp_path / "logs").overall.score == before


def report(*args: str | Path) -> None:
    """`gridwise evals report`, in this process: Inspect is loaded here; raises what is wrong."""
    app(["evals", "report", *map(str, args)], standalone_mode=False)


def test_the_command_prints_tables_json_markdown_and_a_page(
    evaluate: Evaluate, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From one log: figures beside the reference rows, and one page that loads nothing."""
    evaluate("play", "gridwise/novice", game="maze,connect", opponent="random,casual", pairs=2)
    logs, page = tmp_path / "logs", tmp_path / "board.html"
    report(logs, "--html", page)
    shown = capsys.readouterr()
    assert shown.err == ""
    assert "gridwise/novice" in shown.out
    assert "bot:perfect *" in shown.out
    report(logs, "--json")
    (ranking,) = json.loads(capsys.readouterr().out)["rankings"]
    (row,) = [each for each in ranking["rows"] if not each["reference"]]
    assert ranking["conditions"]["retries"] == 2
    assert ranking["opponents"] == ["random", "casual"]
    assert row["overall"]["games"] == 16
    scores = row["games"]["number-maze"]["scores"]
    assert set(scores) == {"random", "casual"}
    assert scores["random"]["low"] <= scores["random"]["value"] <= scores["random"]["high"]
    report(logs, "--markdown", "--no-reference")
    written = capsys.readouterr().out
    assert "| model |" in written
    assert "bot:perfect" not in written
    html = page.read_text(encoding="utf-8")
    assert not re.search(r"src=\"(?!data:)|href\s*=|url\(|@import|<script", html)
    assert html.count("data:image/svg+xml;base64,") >= 4


def test_wrong_usage_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file, an empty folder, a file that is no log, a page that cannot be written."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("notes", encoding="utf-8")
    for args in (
        ["missing.eval"],
        ["empty"],
        ["notes.txt"],
        ["empty", "--json", "--markdown"],
        ["empty", "--html", str(tmp_path / "no" / "page.html")],
        [],
    ):
        with pytest.raises((BadRequest, TyperException)) as refused:
            report(*args)
        assert "\n" not in str(refused.value), args
    assert is_one_complaint(gridwise("evals", "report", home=tmp_path))


def test_names_from_a_log_are_shown_as_text() -> None:
    """A model's name is whatever somebody has typed: no markup, no escape sequence gets through."""
    name = "<script>alert(1)</script>|x| \x1b[2Jy"
    row = replace(reference_rows("play")[0], model=name, reference=False)
    board = Leaderboard([replace(bots("play"), rows=[row])])
    assert "<script>" not in as_html(board)
    assert "\x1b" not in as_text(board) + as_markdown(board) + as_html(board)
    assert "|x|" not in as_markdown(board)


def test_an_empty_row_is_drawn_without_complaint() -> None:
    """A model of which nothing could be measured has its place in the table, and no chart."""
    empty = Row("nobody", ModelFigures(samples=3, failed=3), {"number-maze": ModelFigures()})
    for task in TASKS:
        ranking = replace(bots(task), rows=[empty])
        assert "nobody" in as_text(Leaderboard([ranking]))
        assert charts(ranking) == []


def test_no_figure_is_outside_its_chart() -> None:
    """Every row has its point in every panel of the regrets by difficulty."""
    ranking = bots("play")
    (figure,) = [figure for title, figure in charts(ranking) if title == "Regret by difficulty"]
    assert len(figure.axes) == 5
    for panel in figure.axes:
        low, high = panel.get_xlim()
        regrets = [
            own.high
            for row in ranking.rows
            if (own := row.overall.by_difficulty.get(panel.get_xlabel()[-1]))
        ]
        assert len(regrets) == 5
        assert low <= 0 <= max(regrets) <= high


def test_tables_fit_a_terminal_of_80_columns() -> None:
    """Wide tables are broken between columns, with the names of rows again; no figure is lost."""
    board = Leaderboard([bots(task) for task in TASKS])
    narrow, wide = as_text(board, 80), as_text(board)
    assert max(len(line) for line in narrow.splitlines()) <= 80 < max(map(len, wide.splitlines()))
    assert set(narrow.split()) == set(wide.split())
