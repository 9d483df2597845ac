"""`gridwise solve`: boards from every format, files that are continued, and what a row says."""

from __future__ import annotations

import json
import random
import re
import signal
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gridwise import solve_boards
from gridwise.cli.commands.solve import CHUNK
from gridwise.lab.report.row_files import read_rows
from tests.cli.program import Piped, gridwise, is_one_complaint, stalled, stop, wait_for
from tests.lab.executor_tasks import kept_keys
from tests.sizes import sample

BOARDS = "4152/6371/2845/9162\n1234/5678/9123/4567\n"


def boards_text(count: int, seed: int = 1) -> str:
    """Boards of Number Connect, a line each."""
    rng = random.Random(seed)
    rows = [["".join(rng.choices("123456789", k=4)) for _ in range(4)] for _ in range(count)]
    return "".join("/".join(row) + "\n" for row in rows)


def write_parquet(rows: list[dict[str, Any]], file: Path) -> None:
    """Rows as other programs write them."""
    import pyarrow as pa  # noqa: PLC0415 - 0.2 s
    from pyarrow.parquet import write_table  # noqa: PLC0415 - as above

    write_table(pa.Table.from_pylist(rows), file)


@pytest.mark.parametrize("kind", ["text", "jsonl", "parquet"])
def test_boards_are_solved_from_every_format(home: Path, kind: str) -> None:
    """The rows are those of solve_boards, in order; what else a row has stays with it."""
    texts = boards_text(50).split()
    rows = [{"id": number, "board": text} for number, text in enumerate(texts)]
    file = home / {"text": "b.txt", "jsonl": "b.jsonl", "parquet": "b.parquet"}[kind]
    if kind == "parquet":
        write_parquet(rows, file)
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


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_a_file_that_is_there_is_done_or_refused(home: Path, suffix: str) -> None:
    """A second run finds it done; other boards or options are not mixed with it."""
    source, out = home / "b.txt", home / f"out{suffix}"
    boards = "1324/2132/4213/3421\n1234/2132/4213/3421\n4213/3421/1324/2132\n"  # of two games
    source.write_text(boards)
    words = ("--boards", source, "--to", out)
    run = gridwise("solve", "connect", *words, home=home)
    assert run.status == 0
    rows = [row for _, row in read_rows(out) if isinstance(row, dict)]
    assert [row["board"] for row in rows] == boards.split()
    said = gridwise("solve", "connect", *words, "--json", home=home).out
    assert json.loads(said) == {"game": "number-connect", "boards": 3, "to": str(out)}
    assert [path.name for path in home.glob("out*")] == [out.name]
    whole = out.read_bytes()
    assert gridwise("solve", "connect", *words, home=home) == run
    for args in (["connect", "--target", "20"], ["connect", "--no-actions"], ["maze"]):
        run = gridwise("solve", *args, *words, home=home)
        assert (run.status, out.read_bytes()) == (2, whole)
        assert "other boards or options" in run.err
    source.write_text(boards * 2)
    assert gridwise("solve", "connect", *words, home=home).status == 2


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_boards_come_through_a_pipe(home: Path, name: str) -> None:
    """The rows are those of a file, though a pipe cannot be looked at twice."""
    (home / "b.txt").write_text(BOARDS)
    words = ("solve", "connect", "--json", "--boards")
    with Piped(*words, name, home=home) as piped:
        piped.send(BOARDS)
        run = piped.finish()
    assert run == gridwise(*words, "b.txt", home=home)
    assert (run.status, run.err) == (0, "")
    assert [json.loads(line)["board"] for line in run.out.splitlines()] == BOARDS.split()


def test_files_from_other_systems_are_read(home: Path) -> None:
    """A mark at the beginning, other ends of lines, and empty lines do not matter."""
    file = home / "b.txt"
    file.write_bytes(b"\xef\xbb\xbf4152/6371/2845/9162\r\n\r\n263/415\r\n")
    run = gridwise("solve", "connect", "--boards", file, home=home)
    assert (run.status, run.err) == (0, "")
    assert run.out.count("\n") == 2


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ('{"board": null}', "Line 1 has no board"),
        ('{"board": "1324/2132/4213/3421", "moves": ["up"]}', "Line 1 has moves"),
        ('{"board": "1324/2132/4213/3421", "game": "number-maze"}', 'Line 1 is of "number-maze"'),
        ('{"board":' * 100_000, "Line 1: Cannot read the board"),
        ("\x00\x01\x02", "Line 1: "),
        (f"4152/6371/2845/9162\n{'/'.join(7 * ['1' * 9])}", "Line 2: too large"),
        (f"{BOARDS}12x4/1234\n", "Line 3: "),
        *(
            (f'{{"board": "4152/6371/2845/9162", {field}}}', "Line 1: ")
            for field in (
                '"target": "9"',
                '"target": 9.5',
                '"target": true',
                '"handicap": []',
                '"handicap": -1',
                '"handicap": 1',
            )
        ),
    ],
)
def test_what_cannot_be_solved_is_named_by_its_line(home: Path, content: str, why: str) -> None:
    """One sentence and status 2, before anything is solved or written."""
    (home / "b.txt").write_text(content)
    words = ("solve", "connect", "--boards", "b.txt", "--no-actions", "--to", "out.jsonl")
    run = gridwise(*words, home=home)
    assert run.status == 2
    assert not (home / "out.jsonl").exists()
    assert run.err.startswith(f"gridwise: {why}")
    assert len(run.err.splitlines()) == 1


def test_fields_that_json_does_not_have_become_text(home: Path) -> None:
    """A Parquet file may have dates and bytes; they stay with their rows."""
    row = {"board": "4152/6371/2845/9162", "day": date(2026, 11, 16), "raw": b"x"}
    write_parquet([row], home / "b.parquet")
    run = gridwise("solve", "connect", "--boards", home / "b.parquet", home=home)
    assert (run.status, run.err) == (0, "")
    assert json.loads(run.out)["day"] == "2026-11-16"


def test_rows_that_are_not_alike_are_kept_where_they_are(home: Path) -> None:
    """Parquet has one type a column; what was solved is still there, for another form."""
    lines = [{"board": "4152/6371/2845/9162", "n": n} for n in (1, "one")]
    (home / "b.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    out = home / "out.parquet"
    run = gridwise("solve", "connect", "--boards", home / "b.jsonl", "--to", out, home=home)
    assert run.status == 2
    assert "not alike" in run.err
    assert [path.name for path in home.glob("out*")] == ["out.parquet.partial"]


def test_solving_survives_ctrl_c_and_a_kill(home: Path) -> None:
    """The next run goes on from what was kept, and has only the rest to do.

    Ctrl-C is status 130, and says how to go on.
    """
    source, out, kept = home / "b.txt", home / "out.jsonl", home / "out.jsonl.partial"
    source.write_text(boards_text(sample(9_000, long=30_000)))
    words = ("solve", "connect", "--boards", source, "--to", out)
    for number in (signal.SIGINT, signal.SIGKILL):
        done = len(kept_keys(kept))
        with Piped(*words, home=home, through=stalled(home, 1)) as run:
            wait_for(lambda: len(kept_keys(kept)) > done)  # noqa: B023 - it is called at once
            stop(run.process, number)
            stopped = run.finish()
        assert not out.exists()
        if number == signal.SIGINT:
            assert stopped.status == 130
            said = rf"Stopped after [\d,]+ boards\. The same command goes on from {kept}\.\n"
            assert re.fullmatch(said, stopped.err)
    with closing(sqlite3.connect(kept)) as store, store:
        mark = json.dumps(['{"board": "kept"}'])
        store.execute("UPDATE results SET result = ? WHERE key = 'from line 1'", [mark])
    assert gridwise(*words, home=home).status == 0
    rows = [json.loads(line)["board"] for line in out.read_text().splitlines()]
    assert rows == ["kept", *source.read_text().split()[CHUNK:]]
    assert [path.name for path in home.glob("out*")] == [out.name]


# Files that are there already, and what a row says besides its board


@pytest.mark.parametrize("content", ["dear diary", '{"mine": 1}', '{"board": "415/263"}\n'])
def test_a_file_of_somebody_else_stays_as_it_is(home: Path, content: str) -> None:
    """Also if it is the one with the boards."""
    source, out = home / "b.txt", home / "mine.txt"
    source.write_text(BOARDS)
    out.write_text(content)
    for boards in (source, out) if "board" in content else (source,):
        run = gridwise("solve", "connect", "--boards", boards, "--to", out, home=home)
        assert run.status == 2
        assert "is there already and is of other boards" in run.err
    assert out.read_text() == content
    run = gridwise("solve", "connect", "--boards", source, "--to", home, home=home)
    assert is_one_complaint(run)
    assert "it is a folder" in run.err


@pytest.mark.parametrize(
    ("key", "board", "options"),
    [
        ("number-connect", "4152/6371/2845/9162", [{}, {"target": 9}, {"target": None}]),
        ("number-run", "314/251/432", [{"handicap": 2}, {}, {"handicap": 0}]),
    ],
)
def test_a_row_is_solved_with_its_own_target_and_handicap(
    home: Path, key: str, board: str, options: list[dict[str, int]]
) -> None:
    """Rows with different ones can be in one file."""
    cells = np.array([[[int(cell) for cell in row] for row in board.split("/")]])
    file = home / "b.jsonl"
    file.write_text("".join(json.dumps({"board": board, **each}) + "\n" for each in options))
    run = gridwise("solve", key, "--boards", file, home=home)
    assert run.status == 0
    lines = run.out.splitlines()
    for line, each in zip(lines, options, strict=True):
        target, handicap = each.get("target"), each.get("handicap", 0)
        found = solve_boards(key, cells, target=target, handicap=handicap)
        row = json.loads(line)
        assert (row["value"], row["distance"]) == (found.value[0], found.distance[0])
        assert row["action_value"] == found.action_value[0].tolist()
        assert row["action_distance"] == found.action_distance[0].tolist()
    assert len({json.dumps(json.loads(line)["action_distance"]) for line in lines}) == 2


def test_the_target_of_the_command_comes_before_that_of_a_row(home: Path) -> None:
    """It is also what the row says afterwards."""
    file = home / "b.jsonl"
    file.write_text('{"board": "4152/6371/2845/9162", "target": 20}\n')
    rows = []
    for target in (["--target", "9"], []):
        run = gridwise("solve", "connect", "--boards", file, *target, home=home)
        rows.append(json.loads(run.out))
    assert [row["target"] for row in rows] == [9, 20]
    assert rows[0]["distance"] < rows[1]["distance"]


@pytest.mark.parametrize(
    "words",
    [
        ("solve", "connect", "--boards", "b.txt", "--to"),
        ("suite", "connect", "--to"),
        ("grade", "random", "connect", "--games", "2", "--rows"),
    ],
)
def test_a_file_is_not_called_what_it_is_not(home: Path, words: tuple[str, ...]) -> None:
    """JSON Lines in a file called .csv would be a surprise; nothing is written."""
    (home / "b.txt").write_text(BOARDS)
    words = tuple(str(home / word) if word == "b.txt" else word for word in words)
    run = gridwise(*words, home / "rows.CSV", home=home)
    assert run.status == 2
    assert "to .jsonl or .parquet, not to .CSV" in run.err
    assert not (home / "rows.CSV").exists()
