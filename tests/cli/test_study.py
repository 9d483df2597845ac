"""`gridwise study`: tables, files, going on after a kill, and everything that can be wrong."""

from __future__ import annotations

import json
import sqlite3
from base64 import b64encode
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gridwise.lab.store import ResultStore
from tests.cli.program import Piped, gridwise, is_one_complaint, stop, wait_for
from tests.lab.executor_tasks import kept_keys
from tests.sizes import sample

BOARDS = sample("200", long="30000")
QUICK = ["--boards", BOARDS, "--pairs", "20", "--games", "4", "--levels", "random,casual"]
TARGET = ["study", "connect", *QUICK, "--target", "12", "--workers", "1"]
REPORT = {"report.md", "report.html", "rows.parquet"}
FILES = REPORT | {"shares.svg", "first_mover.svg", "matters.svg"}


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Any:  # noqa: ANN401 - JSON
    """What a study of three variants reports, done in one go."""
    changes = ["--compare", "target=13", "--compare", "size=3x3,values=1-5"]
    home = tmp_path_factory.mktemp("compared")
    return json.loads(gridwise(*TARGET, *changes, "--json", home=home).out)


def test_variants_stand_side_by_side(compared: Any) -> None:  # noqa: ANN401 - JSON
    """A column for each, in the order in which they were asked for."""
    names = [each["name"] for each in compared["variants"]]
    assert names == ["target 12", "target 13", "3x3, target 12, values 1-5"]


def test_a_study_has_a_table_json_and_a_report_though_it_is_killed(
    home: Path,
    compared: Any,  # noqa: ANN401 - JSON
) -> None:
    """The same figures for people and for programs, and those of a run in one go.

    Killed -9 as soon as something is there, it goes on; once done, it finds everything there. On a
    busy machine all may be done before the kill, so all results but one are taken away.
    """
    study = (*TARGET, "--out", "out")
    results = home / "out" / "results.sqlite"
    with Piped(*study, home=home) as process:
        wait_for(lambda: kept_keys(results))
        process.kill()
    with closing(sqlite3.connect(results, isolation_level=None)) as store:
        store.execute("DELETE FROM results WHERE key > (SELECT min(key) FROM results)")
        store.execute("UPDATE results SET result = result || ' '")  # the same JSON, and known again
    kept = kept_keys(results)
    run = gridwise(*study, home=home)
    assert (run.status, run.err) == (0, "")
    assert "perfect play: Player 1 wins" in run.out
    assert {file.name for file in (home / "out").iterdir()} >= FILES
    assert kept_keys(results) > kept
    with closing(sqlite3.connect(results)) as store:
        known = store.execute("SELECT key FROM results WHERE result LIKE '% '").fetchall()
    assert {key for (key,) in known} == kept
    again = gridwise(*study, "--json", home=home)
    assert (again.status, again.err) == (0, "")
    data = json.loads(again.out)
    assert data["variants"] == compared["variants"][:1]
    share = data["variants"][0]["perfect_play"]["p1"]
    assert share["low"] <= share["value"] <= share["high"]
    assert f"{share['value']:.1%}" in run.out
    options = f"--boards {BOARDS} --pairs 20 --games 4 --levels random,casual --target 12"
    assert data["command"] == f"gridwise study number-connect {options}"
    page = (home / "out" / "report.md").read_text(encoding="utf-8")
    assert data["command"] in page


def test_ctrl_c_says_how_to_go_on(home: Path) -> None:
    """Status 130 and one line; no traceback."""
    options = ["--boards", "10000000", "--workers", "1", "--out", "out"]
    with Piped("study", "connect", *options, home=home) as run:
        wait_for((home / "out" / "results.sqlite").exists)
        stop(run.process)
        stopped = run.finish()
    assert stopped.status == 130
    assert stopped.err == "Stopped. The same command goes on from out.\n"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["chess"], "chess"),
        (["connect", "--boards", "0"], "0 is not in the range x>=1"),
        (["connect", "--boards", "many"], "--boards takes a whole number, not"),
        (["connect", "--boards", "999999999999"], "--boards takes at most"),
        (["connect", "--pairs", "999999999999"], "--pairs takes at most"),
        (["connect", "--workers", "100000"], "Workers are"),
        (["connect", "--levels", "clever"], "There is no bot"),
        (["connect", "--values", "0-5"], "within 1-9"),
        (["connect", "--size", "8x8"], "63 cells"),
        (["connect", "--board", "12/3"], "different lengths"),
        (["connect", "--board", "12/34", "--size", "2x2"], "not both"),
        (["connect", "--compare", "colour=red"], "What can be changed"),
        (["connect", "--even", "--compare", "target=13"], "not both"),
        (["conquest", "--openings"], "python -m research.openings grid-conquest"),
        (["connect", "--cluster", "nonsense"], "address of a Dask scheduler"),
        (["connect", "--out", "file"], "Cannot use the folder"),
        (["connect", "--out", "other"], "another run"),
        *sample(
            [],  # it is waited for, and as little there for `arena`
            long=[(["connect", "--cluster", "tcp://127.0.0.1:9"], "No Dask scheduler answers")],
        ),
    ],
)
def test_wrong_usage_is_one_line(home: Path, args: list[str], said: str) -> None:
    """Status 2, one line that says what is wrong, and nothing written."""
    (home / "file").write_text("")
    (home / "other").mkdir()
    with ResultStore.in_folder(home / "other", {"run": "census"}):
        pass
    run = gridwise("study", *args, home=home)
    assert is_one_complaint(run), run
    assert said in run.err


def test_a_search_for_an_even_game_is_a_table(home: Path) -> None:
    """Grid Runner has few variants; the board a row shorter is even, as its handicap has it."""
    pairs = sample("10", long="100")
    options = ["--even", "--boards", "100", "--pairs", pairs, "--workers", "1", "--out", "out"]
    run = gridwise("study", "runner", *options, "--json", home=home)
    found = {each["name"]: each for each in json.loads(run.out)["candidates"]}
    assert found["standard"]["perfect"]["value"] == 1
    assert any(each["perfect"]["value"] == 0.5 for each in found.values())
    table = gridwise("study", "runner", *options, home=home)
    assert "what would make it even" in table.out
    assert {file.name for file in (home / "out").iterdir()} >= {*REPORT, "even.svg"}
    picture = (home / "out" / "even.svg").read_bytes()
    page = (home / "out" / "report.html").read_text(encoding="utf-8")
    assert b64encode(picture).decode() in page
