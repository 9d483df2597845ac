"""The pages of results say what the data and the commands say."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from gridwise import game
from gridwise.core.position import start
from gridwise.core.rng import Stream
from research.results import boards, bots, first_move

ROOT = Path(__file__).parents[2]
CENSUS = json.loads((ROOT / "docs" / "census" / "number-maze-4x4.json").read_text(encoding="utf-8"))


def test_results_come_out_again() -> None:
    """To the digit; otherwise run `python -m research.results bots --write`."""
    page = (ROOT / "docs" / "research.md").read_text(encoding="utf-8")
    for key, level in (
        ("number-maze", "casual"),
        ("number-connect", "novice"),
        ("grid-conquest", "random"),
    ):
        assert bots.row(bots.report(game(key), level)) in page.splitlines()


def test_the_page_has_the_figures_of_the_census() -> None:
    """All of them, and no others."""
    page = (ROOT / "docs" / "census.md").read_text(encoding="utf-8")
    for side in ("p1", "p2", "endless"):
        assert (
            f"| {CENSUS[side]:,} | {CENSUS[side] / CENSUS['boards']:.3%}".replace("%", " %") in page
        )
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines()]
    rows = [cells for cells in lines if len(cells) == 5 and cells[0].isdigit()]
    columns = {"p1": {row[0]: row[1] for row in rows}, "p2": {row[3]: row[4] for row in rows}}
    for side, column in columns.items():
        column.pop("", None)
        assert column == {plies: f"{boards:,}" for plies, boards in CENSUS["plies"][side].items()}


def test_what_the_page_says_in_words_follows_from_the_figures() -> None:
    """How many games are short, how long the longest is, and who wins where a first move is."""
    page = (ROOT / "docs" / "census.md").read_text(encoding="utf-8")
    boards, plies = CENSUS["boards"], CENSUS["plies"]
    short = sum(plies[side].get(str(ply), 0) for side in ("p1", "p2") for ply in range(3))
    assert f"two plies at the most: {short:,}, or {short / boards:.1%}".replace("%", " %") in page
    longest = max(map(int, plies["p1"]))
    assert f"takes {longest} plies, {(longest + 1) // 2} moves of Player 1, on 16 boards" in page
    assert plies["p1"][str(longest)] == 16
    lost = plies["p2"]["0"]  # before the first move
    shares = [won / (boards - lost) for won in (CENSUS["p1"], CENSUS["p2"] - lost)]
    one, two = (f"{share:.1%}".replace("%", " %") for share in shares)
    assert f"Player 1 wins {one} of the boards and Player 2 {two}." in page


def test_the_commands_on_the_page_are_there() -> None:
    """Every command names a part of research, and one of its results, that exist."""
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    named = re.findall(r"^python -m research\.(\w+)(?: ([a-z-]+))?", page, re.MULTILINE)
    assert len(named) >= 4
    for folder, result in named:
        assert (ROOT / "research" / folder / "__main__.py").is_file()
        module = ROOT / "research" / folder / f"{result.replace('-', '_')}.py"
        assert folder == "census" or module.is_file()


@pytest.mark.parametrize("key", ["number-run", "number-connect"])
def test_figures_on_the_page_are_those_of_the_script(key: str) -> None:
    """A small run agrees with the large one, within the error of sampling."""
    found = boards.solve(game(key), 3_000, seed=2, threads=1)
    wins = sum(count for (winner, _), count in found.items() if winner == 1)
    expected = {"number-run": 1.0, "number-connect": 0.97155}[key]
    assert abs(wins / 3_000 - expected) <= 4 * (expected * (1 - expected) / 3_000) ** 0.5
    if key == "number-run":
        assert {plies for _, plies in found} == {11, 13, 15}


def test_strata_and_controls_leave_the_mean_where_it_is() -> None:
    """On made-up games of which the mean is known, the interval holds it, and is narrower."""
    rng = np.random.default_rng(1)
    inside = 0
    for _ in range(40):
        strata = np.tile(np.arange(first_move.STRATA), 4)
        luck = rng.normal(size=(len(strata), 16))
        shares = 0.6 + (strata / 624 - 0.5) / 4 + luck[:, 0] / 8 + rng.normal(0, 0.1, len(strata))
        share, error, plain = first_move.estimate(np.column_stack([strata, shares, luck]))
        assert error < plain
        inside += abs(share - 0.6) < 1.96 * error
    assert inside >= 34  # 38 of 40 are to be expected; fewer than 34 have a chance of 0.3 %


def test_luck_is_nothing_on_average() -> None:
    """Of many deals, what a claim turns up is neither good nor bad."""
    found = []
    for seed in range(400):
        board = first_move.deal(seed, Stream(seed))
        assert board.cells[0] == 1 + seed % 5  # the stratum decides on the corner
        position = start(game("grid-conquest"), board, 1).after("A1", board)
        found.append(first_move.luck(position.after("D4", board), board))
    means = np.mean(found, axis=0)
    errors = np.std(found, axis=0) / np.sqrt(len(found))
    assert (np.abs(means) < 4 * errors).all()
    assert (errors > 0).all()
