"""The commands for researchers: grade, suite, solve."""

from __future__ import annotations

import json
import random
import signal
from contextlib import closing
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from gridwise import solve_boards
from gridwise.arena.grades.line_log import LineLog
from tests.cli.program import Piped, gridwise, stop, wait_for
from tests.sizes import sample


def boards_text(count: int, seed: int = 1) -> str:
    """Boards of Number Connect, a line each."""
    rng = random.Random(seed)
    rows = [["".join(rng.choices("123456789", k=4)) for _ in range(4)] for _ in range(count)]
    return "".join("/".join(row) + "\n" for row in rows)


# grade


def test_a_grade_has_a_table_and_json(home: Path) -> None:
    """The same figures for people and for programs."""
    run = gridwise("grade", "bot:casual", "number-connect", "--games", "10", "--json", home=home)
    assert (run.status, run.err) == (0, "")
    data = json.loads(run.out)
    assert (data["agent"], data["games"], data["game"]) == ("bot:casual", 10, "number-connect")
    assert data["intervals"]["loss"]["low"] <= data["loss"] <= data["intervals"]["loss"]["high"]
    table = gridwise("grade", "casual", "connect", "--games", "10", home=home)
    assert table.status == 0
    assert f"{data['loss']:.4f}" in table.out
    assert "difficulty" in table.out


def test_a_grade_on_a_suite(home: Path) -> None:
    """A part of the suite, all of it exact."""
    run = gridwise("grade", "strong", "number-maze", "--suite", "test", "--json", home=home)
    data = json.loads(run.out)
    assert (data["suite"], data["moves"], data["exact"]) == ("v1 test", 1000, True)


def test_grades_are_compared_kept_and_written(home: Path) -> None:
    """Rows, a checkpoint for each player, and the difference."""
    options = ["--games", "10", "--compare", "strong", "--against", "novice", "--seed", "3"]
    files = ["--rows", str(home / "rows.jsonl"), "--checkpoint", str(home / "kept.jsonl")]
    run = gridwise("grade", "casual", "maze", *options, *files, "--json", home=home)
    assert (run.status, run.err) == (0, "")
    data = json.loads(run.out)
    assert [report["agent"] for report in data["reports"]] == ["bot:casual", "bot:strong"]
    assert data["differences"].keys() == {"score", "loss", "best", "illegal"}
    assert len((home / "rows.jsonl").read_text().splitlines()) == data["reports"][0]["moves"]
    again = gridwise("grade", "casual", "maze", *options, *files, "--json", home=home)
    assert again.out == run.out
    assert (home / "kept-compared.jsonl").exists()


def test_an_interrupted_grading_says_how_to_continue(home: Path) -> None:
    """Status 130; the same command has the report of one run."""
    games, done = sample((40, 4), long=(300, 20))
    words = ["grade", "casual", "connect", "--games", str(games), "--seed", "3", "--json"]
    kept = home / "kept.jsonl"
    with Piped(*words, "--checkpoint", kept, home=home) as run:
        wait_for(lambda: kept.exists() and kept.read_bytes().count(b"\n") > done)
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
    "args",
    [
        ["grade", "casual", "maze", "--suite", "exam"],
        ["grade", "casual", "maze", "--games", "7"],
        ["grade", "human", "maze"],
        ["grade", "casual", "chess"],
        ["grade", "casual", "maze", "--games", "100000", "--rows", "nowhere/rows.jsonl"],
        ["grade", "casual", "maze", "--games", "100000", "--plot", "."],
        ["grade", "casual", "conquest", "--exploitability"],
        ["suite", "maze", "--version", "v0"],
        ["suite", "maze", "--part", "exam"],
        ["suite", "maze", "--head", "0"],
        ["suite", "maze", "--answers", "nowhere.jsonl"],
        ["suite", "maze", "--head", "1", "--to", "nowhere/rows.jsonl"],
        ["solve", "maze", "--boards", "nowhere.txt"],
        ["solve", "maze"],
        ["solve", "conquest", "--boards", "nowhere.txt"],
    ],
)
def test_wrong_usage_is_one_line(home: Path, args: list[str]) -> None:
    """Status 2 and a sentence, no traceback."""
    run = gridwise(*args, home=home)
    assert (run.status, run.out) == (2, "")
    assert len(run.err.splitlines()) == 1


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
    """Best moves lose nothing, an illegal one is counted, a wrong line is named."""
    listed = gridwise("suite", "connect", "--part", "test", "--head", "20", "--json", home=home)
    rows = [json.loads(line) for line in listed.out.splitlines()]
    answers = [{"id": row["id"], "move": row["best"][0]} for row in rows]
    file = home / "answers.jsonl"

    def score() -> dict[str, float]:
        file.write_text("".join(json.dumps(answer) + "\n" for answer in answers))
        run = gridwise("suite", "connect", "--answers", file, "--json", home=home)
        assert (run.status, run.err) == (0, "")
        found: dict[str, float] = json.loads(run.out)
        return found

    perfect = score()
    assert (perfect["loss"], perfect["kept"], perfect["illegal"]) == (0, 20, 0)
    answers[3]["move"] = "9,9"
    wrong = score()
    assert (wrong["kept"], wrong["illegal"]) == (19, 1)
    for move in (True, None, [1], 1.5, "", 10**30, "up" * 1000):
        answers[3]["move"] = move
        assert score()["illegal"] == 1
    for line in (
        "nonsense",
        "{" * 10_000,
        "\x00\x1b[31m",
        "[1]",
        '{"id": "number-run-v1-0001", "move": "0,1"}',
        '{"move": "0,1"}',
    ):
        file.write_text(line + "\n")
        run = gridwise("suite", "connect", "--answers", file, home=home)
        assert run.status == 2
        assert "Line 1" in run.err
    file.write_text("".join(json.dumps(answers[0]) + "\n" for _ in range(2)))
    assert "second time" in gridwise("suite", "connect", "--answers", file, home=home).err


# solve


@pytest.mark.parametrize("kind", ["text", "jsonl", "parquet"])
def test_boards_are_solved_from_every_format(home: Path, kind: str) -> None:
    """The rows are those of solve_boards, in order; what else a row has stays with it."""
    texts = boards_text(50).split()
    rows = [{"id": number, "board": text} for number, text in enumerate(texts)]
    file = home / {"text": "b.txt", "jsonl": "b.jsonl", "parquet": "b.parquet"}[kind]
    if kind == "parquet":
        import pyarrow as pa  # noqa: PLC0415 - 0.2 s
        from pyarrow.parquet import write_table  # noqa: PLC0415 - as above

        write_table(pa.Table.from_pylist(rows), file)
    else:
        lines = texts if kind == "text" else [json.dumps(row) for row in rows]
        file.write_text("\n".join(lines) + "\n")
    run = gridwise("solve", "connect", "--boards", file, home=home)
    assert (run.status, run.err) == (0, "")
    solved = [json.loads(line) for line in run.out.splitlines()]
    cells = np.array([[[int(c) for c in row] for row in text.split("/")] for text in texts])
    found = solve_boards("number-connect", cells)
    for number, row in enumerate(solved):
        assert row["board"] == texts[number]
        assert row.get("id", number) == number
        assert row["value"] == found.value[number]
        assert row["distance"] == found.distance[number]
        assert row["action_value"] == found.action_value[number].tolist()
        assert row["action_distance"] == found.action_distance[number].tolist()


def test_boards_of_several_sizes_keep_their_order(home: Path) -> None:
    """A file may mix them."""
    (home / "b.txt").write_text("415/263\n4152/6371/2845/9162\n263/415\n")
    run = gridwise("solve", "connect", "--boards", home / "b.txt", "--no-actions", home=home)
    rows = [json.loads(line) for line in run.out.splitlines()]
    assert [row["board"] for row in rows] == ["415/263", "4152/6371/2845/9162", "263/415"]
    assert "action_value" not in rows[0]


def test_solving_goes_on_where_it_stopped(home: Path) -> None:
    """However much is there, a torn line included, the file ends up the same."""
    source, out = home / "b.txt", home / "out.jsonl"
    source.write_text(boards_text(60))
    assert gridwise("solve", "connect", "--boards", source, "--to", out, home=home).status == 0
    whole = out.read_bytes()
    assert whole.count(b"\n") == 60
    for size in (0, 10, len(whole) // 2, len(whole) - 1, len(whole)):
        out.write_bytes(whole[:size])
        run = gridwise("solve", "connect", "--boards", source, "--to", out, home=home)
        assert (run.status, out.read_bytes()) == (0, whole)
    source.write_text(boards_text(60, seed=2))
    run = gridwise("solve", "connect", "--boards", source, "--to", out, home=home)
    assert (run.status, out.read_bytes()) == (2, whole)
    assert "other boards" in run.err


def test_solving_to_parquet(home: Path) -> None:
    """One file in the end, with a row a board; a second run finds it done."""
    from pyarrow.parquet import read_table  # noqa: PLC0415 - 0.2 s

    source, out = home / "b.txt", home / "out.parquet"
    source.write_text(boards_text(30))
    assert gridwise("solve", "connect", "--boards", source, "--to", out, home=home).status == 0
    table = read_table(out).to_pylist()
    assert [row["board"] for row in table] == source.read_text().split()
    assert sorted(path.name for path in home.iterdir() if "out" in path.name) == ["out.parquet"]
    before = out.read_bytes()
    assert gridwise("solve", "connect", "--boards", source, "--to", out, home=home).status == 0
    assert out.read_bytes() == before


def test_a_wrong_board_is_named_by_its_line(home: Path) -> None:
    """Before anything is solved or written."""
    (home / "b.txt").write_text(boards_text(3) + "12x4/1234\n")
    out = home / "out.jsonl"
    run = gridwise("solve", "connect", "--boards", home / "b.txt", "--to", out, home=home)
    assert (run.status, out.exists()) == (2, False)
    assert "Line 4" in run.err


def test_a_pipe_is_read_once(home: Path) -> None:
    """All of its boards are solved, though they cannot be looked at twice."""
    with Piped("solve", "connect", "--boards", "/dev/stdin", "--no-actions", home=home) as piped:
        piped.send(boards_text(30))
        run = piped.finish()
    assert (run.status, run.err) == (0, "")
    assert [json.loads(line)["board"] for line in run.out.splitlines()] == boards_text(30).split()


def test_files_from_other_systems_are_read(home: Path) -> None:
    """A mark at the beginning, other ends of lines, and empty lines do not matter."""
    file = home / "b.txt"
    file.write_bytes(b"\xef\xbb\xbf4152/6371/2845/9162\r\n\r\n263/415\r\n")
    run = gridwise("solve", "connect", "--boards", file, home=home)
    assert (run.status, run.err) == (0, "")
    assert run.out.count("\n") == 2


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_a_file_is_not_continued_with_other_options(home: Path, suffix: str) -> None:
    """Another target, game or choice of fields would make rows that do not belong together."""
    source, out = home / "b.txt", home / f"out{suffix}"
    source.write_text("1324/2132/4213/3421\n" * 3)
    run = gridwise("solve", "connect", "--boards", source, "--to", out, home=home)
    assert run.status == 0
    whole = out.read_bytes()
    for args in (["connect", "--target", "20"], ["connect", "--no-actions"], ["maze"]):
        run = gridwise("solve", *args, "--boards", source, "--to", out, home=home)
        assert (run.status, out.read_bytes()) == (2, whole)
        assert "other boards or options" in run.err
    source.write_text("1324/2132/4213/3421\n" * 4)
    run = gridwise("solve", "connect", "--boards", source, "--to", out, home=home)
    assert run.status == (0 if suffix == ".jsonl" else 2)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ('{"board": null}', "Line 1 has no board"),
        ('{"board": "1324/2132/4213/3421", "moves": ["up"]}', "Line 1 has moves"),
        ('{"board": "1324/2132/4213/3421", "game": "number-maze"}', 'Line 1 is of "number-maze"'),
        ('{"board":' * 100_000, "Line 1: Cannot read the board"),
        ("\x00\x01\x02", "Line 1: "),
        (f"4152/6371/2845/9162\n{'/'.join(7 * ['1' * 9])}", "Line 2: too large"),
    ],
)
def test_what_cannot_be_solved_is_named_by_its_line(home: Path, content: str, why: str) -> None:
    """One sentence and status 2."""
    (home / "b.txt").write_text(content)
    run = gridwise("solve", "connect", "--boards", home / "b.txt", "--no-actions", home=home)
    assert run.status == 2
    assert run.err.startswith(f"gridwise: {why}")
    assert len(run.err.splitlines()) == 1


def test_fields_that_json_does_not_have_become_text(home: Path) -> None:
    """A Parquet file may have dates and bytes; they stay with their rows."""
    import pyarrow as pa  # noqa: PLC0415 - 0.2 s
    from pyarrow.parquet import write_table  # noqa: PLC0415 - as above

    table = {"board": ["4152/6371/2845/9162"], "day": [date(2026, 11, 16)], "raw": [b"x"]}
    write_table(pa.table(table), home / "b.parquet")
    run = gridwise("solve", "connect", "--boards", home / "b.parquet", home=home)
    assert (run.status, run.err) == (0, "")
    assert json.loads(run.out)["day"] == "2026-11-16"


def test_rows_that_are_not_alike_are_kept_where_they_are(home: Path) -> None:
    """Parquet has one type a column; what was solved is still there."""
    lines = [{"board": "4152/6371/2845/9162", "n": n} for n in (1, "one")]
    (home / "b.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    out = home / "out.parquet"
    run = gridwise("solve", "connect", "--boards", home / "b.jsonl", "--to", out, home=home)
    assert run.status == 2
    assert "not alike" in run.err
    assert len((home / "out.parquet.partial.jsonl").read_text().splitlines()) == 2


def test_a_full_disk_and_a_file_in_use_are_one_line(home: Path) -> None:
    """Whatever is wrong with the output, and when."""
    (home / "b.txt").write_text(boards_text(3))
    words = ("solve", "connect", "--boards", home / "b.txt", "--to")
    run = gridwise(*words, "/dev/full", home=home)
    assert (run.status, run.err) == (
        2,
        'gridwise: Cannot use "/dev/full": No space left on device.\n',
    )
    with closing(LineLog(home / "out.jsonl")):
        run = gridwise(*words, home / "out.jsonl", home=home)
    assert (run.status, run.out) == (2, "")
    assert "Another process is writing" in run.err


def test_solving_survives_ctrl_c_and_a_kill(home: Path) -> None:
    """What was written is whole, and the next run adds the rest.

    Ctrl-C is status 130, and says how to go on.
    """
    count = sample(12_000, long=30_000)
    source, out = home / "b.txt", home / "out.jsonl"
    source.write_text(boards_text(count))
    words = ("solve", "connect", "--boards", source, "--to", out)
    before = b""
    for number in (signal.SIGINT, signal.SIGKILL):
        with Piped(*words, home=home) as run:
            wait_for(lambda: out.exists() and out.stat().st_size > len(before))  # noqa: B023
            stop(run.process, number)
            stopped = run.finish()
        assert out.read_bytes().startswith(before)
        before = out.read_bytes()
        if number == signal.SIGINT:
            assert stopped.status == 130
            said = f" of {count:,} boards. The same command goes on from there.\n"
            assert stopped.err.endswith(said)
            assert before.endswith(b"\n")
    assert gridwise(*words, home=home).status == 0
    rows = [json.loads(line)["board"] for line in out.read_text().splitlines()]
    assert rows == source.read_text().split()
    assert out.read_bytes().startswith(before[: before.rfind(b"\n") + 1])
