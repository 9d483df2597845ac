"""The files of `gridwise solve`: what is written over, and what a row says besides its board."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from gridwise import solve_boards
from tests.cli.program import gridwise

BOARDS = "4152/6371/2845/9162\n1234/5678/9123/4567\n"


@pytest.mark.parametrize("content", ["dear diary", '{"mine": 1}', "[1, 2]", "x" * 100_000])
def test_a_file_of_somebody_else_stays_as_it_is(home: Path, content: str) -> None:
    """Also if it has no end of a line, as a line that was cut short has none."""
    source, out = home / "b.txt", home / "mine.txt"
    source.write_text(BOARDS)
    out.write_text(content)
    run = gridwise("solve", "connect", "--boards", source, "--to", out, home=home)
    assert run.status == 2
    assert "is there already and is of other boards" in run.err
    assert out.read_text() == content


def test_a_line_that_was_cut_short_anywhere_is_written_again(home: Path) -> None:
    """Wherever it was cut; nothing is lost or twice."""
    source, out = home / "b.txt", home / "out.jsonl"
    source.write_text(BOARDS)
    words = ("solve", "connect", "--boards", source, "--to", out)
    assert gridwise(*words, home=home).status == 0
    whole = out.read_bytes()
    first = whole.index(b"\n") + 1
    for length in (1, first // 8, first - 1, first + 1, len(whole) - 1):
        out.write_bytes(whole[:length])
        assert gridwise(*words, home=home).status == 0
        assert out.read_bytes() == whole


@pytest.mark.parametrize(
    ("boards", "to"),
    [("b.jsonl", "b.jsonl"), ("b.jsonl", "link"), ("o.parquet.partial.jsonl", "o.parquet")],
)
def test_the_boards_are_not_written_over(home: Path, boards: str, to: str) -> None:
    """By whichever name."""
    source = home / boards
    source.write_text('{"board": "4152/6371/2845/9162"}\n')
    (home / "link").symlink_to(source)
    run = gridwise("solve", "connect", "--boards", source, "--to", home / to, home=home)
    assert run.status == 2
    assert "are the same file" in run.err
    assert json.loads(source.read_text()) == {"board": "4152/6371/2845/9162"}


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
    ("game", "field"),
    [
        ("connect", '"target": "9"'),
        ("connect", '"target": 9.5'),
        ("connect", '"target": true'),
        ("connect", '"handicap": []'),
        ("connect", '"handicap": -1'),
        ("connect", '"handicap": 1'),
    ],
)
def test_a_wrong_target_or_handicap_is_named_by_its_line(home: Path, game: str, field: str) -> None:
    """One sentence and status 2."""
    (home / "b.jsonl").write_text(f'{{"board": "4152/6371/2845/9162", {field}}}\n')
    run = gridwise("solve", game, "--boards", home / "b.jsonl", home=home)
    assert run.status == 2
    assert "Line 1: " in run.err
    assert run.err.count("\n") == 1


def test_boards_come_from_a_file_or_through_a_pipe(home: Path) -> None:
    """`-` is standard input, as for `analyze --batch`; the rows are the same."""
    source = home / "b.txt"
    source.write_text(BOARDS)
    words = ("solve", "connect", "--json", "--boards")
    by_file = gridwise(*words, source, home=home)
    by_pipe = gridwise(*words, "-", home=home, typed=BOARDS)
    assert by_pipe.out == by_file.out
    assert [json.loads(line)["board"] for line in by_file.out.splitlines()] == BOARDS.split()


def test_json_says_what_was_written(home: Path) -> None:
    """As every command that reports something."""
    source, out = home / "b.txt", home / "out.jsonl"
    source.write_text(BOARDS)
    run = gridwise("solve", "connect", "--boards", source, "--to", out, "--json", home=home)
    assert json.loads(run.out) == {"game": "number-connect", "boards": 2, "to": str(out)}


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
