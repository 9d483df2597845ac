"""The commands for researchers: grade and suite; `solve` has a file of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.program import Piped, gridwise, is_one_complaint, stalled, stop, wait_for
from tests.lab.executor_tasks import kept_keys
from tests.sizes import sample

# grade


def test_a_grade_has_a_table_and_json(home: Path) -> None:
    """People and programs get equal figures."""
    run = gridwise("grade", "bot:casual", "number-connect", "--games", "10", "--json", home=home)
    assert (run.status, run.err) == (0, "")
    data = json.loads(run.out)
    assert (data["agent"], data["games"], data["game"]) == ("bot:casual", 10, "number-connect")
    assert (
        data["intervals"]["regret"]["low"] <= data["regret"] <= data["intervals"]["regret"]["high"]
    )
    table = gridwise("grade", "casual", "connect", "--games", "10", home=home)
    assert table.status == 0
    assert f"{data['regret']:.4f}" in table.out
    assert "difficulty" in table.out


def test_a_grade_on_a_suite(home: Path) -> None:
    """A part of the suite, all of it exact."""
    run = gridwise("grade", "strong", "number-maze", "--suite", "test", "--json", home=home)
    data = json.loads(run.out)
    assert (data["suite"], data["moves"], data["exact"]) == ("v1 test", 1000, True)


def test_grades_are_compared_kept_and_written(home: Path) -> None:
    """Rows, a checkpoint for each player, and the difference."""
    options = ["--games", "10", "--compare", "strong", "--against", "novice", "--seed", "3"]
    files = ["--rows", str(home / "rows.jsonl"), "--checkpoint", str(home / "kept.sqlite")]
    run = gridwise("grade", "casual", "maze", *options, *files, "--json", home=home)
    assert (run.status, run.err) == (0, "")
    data = json.loads(run.out)
    assert [report["agent"] for report in data["reports"]] == ["bot:casual", "bot:strong"]
    assert data["differences"].keys() == {
        "score",
        "regret",
        "game_regret",
        "best",
        "progress",
        "illegal",
    }
    assert len((home / "rows.jsonl").read_text().splitlines()) == data["reports"][0]["moves"]
    again = gridwise("grade", "casual", "maze", *options, *files, "--json", home=home)
    assert again.out == run.out
    assert (home / "kept-compared.sqlite").exists()


def test_an_interrupted_grading_says_how_to_continue(home: Path) -> None:
    """Status 130; the same command has the report of one run."""
    games, done = sample((40, 4), long=(300, 20))
    words = ["grade", "casual", "connect", "--games", str(games), "--seed", "3", "--json"]
    kept = home / "kept.sqlite"
    with Piped(*words, "--checkpoint", kept, home=home, through=stalled(home, 10 * done)) as run:
        wait_for(lambda: len(kept_keys(kept)) > done)
        stop(run.process)
        stopped = run.finish()
    assert stopped.status == 130
    assert stopped.err == f"Stopped. The same command goes on from {kept}.\n"
    again = gridwise(*words, "--checkpoint", kept, home=home)
    assert again.out == gridwise(*words, home=home).out


def test_exploitability_is_told(home: Path) -> None:
    """Exact, on the standard board of Grid Runner."""
    run = gridwise("grade", "perfect", "grid-runner", "--exploitability", "--json", home=home)
    assert json.loads(run.out)["exploitability"] == 0


@pytest.mark.parametrize(
    "words",
    [
        "grade casual maze --suite exam",
        "grade casual maze --games 7",
        "grade human maze",
        "grade casual chess",
        # What cannot be written is known before the games, which would take hours.
        "grade casual maze --games 1000000 --rows nowhere/rows.jsonl",
        "grade casual maze --games 1000000 --plot .",
        "grade casual maze --games 1000000 --plot plot.nonsense",
        "grade casual conquest --exploitability",
        "grade casual connect --size 1x1",
        "grade casual connect --board 5",
        "grade casual runner --deal fair",
        "grade maze --answers nowhere.jsonl",
        "grade casual maze --answers nowhere.jsonl",
        "grade maze",
        "suite maze --version v0",
        "suite maze --part exam",
        "suite maze --head 0",
        "suite maze --head 1 --to nowhere/rows.jsonl",
        "solve maze --boards nowhere.txt",
        "solve maze",
        "solve conquest --boards nowhere.txt",
    ],
)
def test_wrong_usage_is_one_line(home: Path, words: str) -> None:
    """Status 2 and a sentence, no traceback."""
    assert is_one_complaint(gridwise(*words.split(), home=home))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"board": 5}', "Line 2 of"),
        ('{"bord": "3257/7515/9793/9557"}', "has no board"),
        ("5", "One cell is no game for two"),
    ],
)
@pytest.mark.parametrize("command", ["grade casual connect", "arena casual random --game connect"])
def test_boards_that_are_none_are_told_so(home: Path, command: str, line: str, said: str) -> None:
    """With the line of the file; a number is no board of one cell."""
    (home / "boards.jsonl").write_text(f"3257/7515/9793/9557\n{line}\n")
    run = gridwise(*command.split(), "--boards-from", home / "boards.jsonl", home=home)
    assert is_one_complaint(run)
    assert said in run.err


def test_a_plot_without_matplotlib_is_refused_before_the_games(home: Path) -> None:
    """With what to install."""
    (home / "sitecustomize.py").write_text("import sys\nsys.modules['matplotlib'] = None\n")
    run = gridwise(
        *("grade", "casual", "maze", "--games", "1000000", "--plot", "plot.png"),
        home=home,
        through=["env", f"PYTHONPATH={home}:{Path(__file__).parents[2] / 'src'}"],
    )
    assert (run.status, run.out) == (2, "")
    assert "pip install 'gridwise[plot]'" in run.err


@pytest.mark.parametrize("option", ["--plot=full.svg", "--rows=full.jsonl"])
def test_the_report_is_printed_though_a_file_cannot_be_written(home: Path, option: str) -> None:
    """The games are not lost."""
    (home / option.partition("=")[2]).symlink_to("/dev/full")
    run = gridwise("grade", "casual", "maze", "--games", "2", option, home=home)
    assert run.status == 2
    assert "No space left" in run.err
    assert "casual" in run.out


# suite


def test_a_suite_is_printed(home: Path) -> None:
    """Some rows for people, or as JSON Lines."""
    run = gridwise("suite", "number-maze", "--head", "5", home=home)
    assert (run.status, run.err) == (0, "")
    assert run.out.count("number-maze-v1-") == 5
    lines = gridwise("suite", "maze", "--head", "5", "--json", home=home).out.splitlines()
    assert [json.loads(line)["id"] in run.out for line in lines] == [True] * 5


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_a_suite_is_written_to_a_file(home: Path, suffix: str) -> None:
    """Both formats have all rows of the part."""
    file = home / f"rows{suffix}"
    run = gridwise("suite", "run", "--part", "test", "--to", file, home=home)
    assert (run.status, run.err) == (0, "")
    if suffix == ".jsonl":
        count = len(file.read_text().splitlines())
    else:
        from pyarrow.parquet import read_table  # noqa: PLC0415 - 0.2 s

        count = read_table(file).num_rows
    assert count == 1000


def test_answers_are_scored(home: Path) -> None:
    """Best moves lose nothing, illegal ones are counted, a wrong line is named."""
    listed = gridwise("suite", "connect", "--part", "test", "--head", "20", "--json", home=home)
    rows = [json.loads(line) for line in listed.out.splitlines()]
    answers = [{"id": row["id"], "move": row["best"][0]} for row in rows]
    file = home / "answers.jsonl"
    scored = ("grade", "connect", "--answers", file)

    def score() -> dict[str, float]:
        file.write_text("".join(json.dumps(answer) + "\n" for answer in answers))
        run = gridwise(*scored, "--json", home=home)
        assert (run.status, run.err) == (0, "")
        found: dict[str, float] = json.loads(run.out)
        return found

    perfect = score()
    assert (perfect["regret"], perfect["optimal"], perfect["illegal"]) == (0, 20, 0)
    for number, move in enumerate(("9,9", True, None, [1], 1.5, "", 10**30, "up" * 1000)):
        answers[number]["move"] = move
    wrong = score()
    assert (wrong["optimal"], wrong["illegal"]) == (12, 8)
    for line in (
        "nonsense",
        "{" * 10_000,
        "\x00\x1b[31m",
        "[1]",
        '{"id": "number-run-v1-0001", "move": "0,1"}',
        '{"move": "0,1"}',
    ):
        file.write_text(line + "\n")
        run = gridwise(*scored, home=home)
        assert run.status == 2
        assert "Line 1" in run.err
    file.write_text(f"{json.dumps(answers[0])}\n" * 2)
    assert "second time" in gridwise(*scored, home=home).err
