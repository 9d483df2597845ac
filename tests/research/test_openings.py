"""The opening book against the exact value of a tiny board, and `python -m research.openings`."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path
from statistics import fmean

import pytest

from gridwise.lab.run import Executor
from gridwise.lab.store import ResultStore
from research.openings.book import opening_book, opening_kinds, search_openings
from research.openings.report import write_book
from tests.cli.program import gridwise, is_one_complaint
from tests.lab.test_study import MEMORY, standard
from tests.reference import REFERENCE
from tests.sizes import sample

OPENINGS = "research.openings"


@cache
def conquest_value(board: str, claimed: str) -> float:
    """What Player 1 gets on an open 2x2 board after claims, by trying everything."""
    state = REFERENCE["grid-conquest"](board, target=6)
    for cell in claimed.split():
        state.play(cell)
    if state.result() is not None:
        return {"p1": 1.0, "p2": 0.0, "draw": 0.5}[state.result() or ""]
    values = [conquest_value(board, f"{claimed} {move}".strip()) for move in state.legal()]
    return max(values) if state.to_move() == 1 else min(values)


def test_the_opening_book_finds_the_exact_value_of_a_tiny_board() -> None:
    """On 2x2 the first claim turns everything up: the mean over all 625 boards is the value."""
    boards = ("{}{}/{}{}".format(*numbers) for numbers in product(range(1, 6), repeat=4))
    exact = fmean(conquest_value(board, "A1") for board in boards)
    variant = standard("grid-conquest", "size=2x2,target=6")
    assert opening_kinds(variant) == {0: 4}
    book = opening_book(variant, 1, sample(300, long=600), Executor(), ResultStore(None, MEMORY))
    (only,) = book.openings
    assert only.bias == 0  # so small a game is searched to the end
    assert abs(only.win - exact) < 4 * only.error
    assert only.error < 0.02


def test_an_opening_book_keeps_its_searches_as_rows(tmp_path: Path) -> None:
    """A row for each claim in each deal: every number equally often, and a game of zero sum."""
    parquet = pytest.importorskip("pyarrow.parquet")
    variant, results = standard("grid-conquest", "size=2x2,target=6"), ResultStore(None, MEMORY)
    book = opening_book(variant, 3, 100, Executor(), results)
    write_book(tmp_path, variant, book, 3, "python -m research.openings …", results)
    rows = parquet.read_table(tmp_path / "rows.parquet").to_pylist()
    brief = [row for row in rows if row["simulations"] == 2_000]
    assert [row["deal"] for row in brief] == list(range(100))
    assert Counter(row["number"] for row in brief) == dict.fromkeys(range(1, 6), 20)
    for row in rows:  # no single claim is worth 6: there is always a reply
        assert row["win"] == pytest.approx(1 - row["reply_wins"])


def test_a_claim_that_wins_at_once_counts_as_won() -> None:
    """To 5 points, one claim in five wins; the opening is worth at least that."""
    variant = standard("grid-conquest", "size=2x2,target=5")
    found = search_openings(variant, 1, 0, 5, 100)["deals"]  # the numbers 1 to 5 in turn
    assert found[4]["wins"] == [1.0]
    assert found[4]["replies"] == [{}]
    assert found[0]["wins"] != [1.0]


def test_there_are_six_kinds_of_first_claims() -> None:
    """A corner, two kinds on the edge, three inside: 25 cells in all."""
    kinds = opening_kinds(standard("grid-conquest"))
    assert sorted(kinds.values()) == [1, 4, 4, 4, 4, 8]


def test_every_kind_of_claim_has_the_same_luck() -> None:
    """The first number lies under each claim; the reply sees only what was turned up."""
    found = search_openings(standard("grid-conquest"), 1, 0, 5, 200)
    for deal in found["deals"]:
        assert len(deal["wins"]) == 6
        # In the corner three cells lie open, so at most three numbers can be claimed.
        assert len(deal["replies"][0]) <= 4
        assert all("face down" in replies for replies in deal["replies"])


def test_the_command_writes_a_report_a_picture_and_rows(home: Path) -> None:
    """Like every study: a report twice, a picture, and what it was made from."""
    options = ["--size", "2x2", "--target", "6", "--boards", "100", "--workers", "1"]
    run = gridwise("conquest", *options, "--out", home / "out", home=home, module=OPENINGS)
    assert (run.status, run.err) == (0, "")
    files = {"report.md", "report.html", "rows.parquet", "openings.svg"}
    assert {file.name for file in (home / "out").iterdir()} >= files


@pytest.mark.parametrize(
    ("args", "said"),
    [(["connect"], "no face-down cells"), (["conquest", "--boards", "5"], "at least 100")],
)
def test_wrong_usage_is_one_line(home: Path, args: list[str], said: str) -> None:
    """A game without face-down cells, and too few boards."""
    run = gridwise(*args, home=home, module=OPENINGS)
    assert is_one_complaint(run), run
    assert said in run.err
