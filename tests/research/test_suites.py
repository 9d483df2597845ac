"""The suites that are shipped are those that research.suites makes from its seed."""

from __future__ import annotations

from importlib.resources import files

import pytest

import gridwise
from gridwise.lab.suites import suite
from research.suites import Selection, as_row, candidates, write_suite
from research.symmetry import canonical

# So many of the first games that a few of their positions are in the suite.
FIRST_GAMES = {"grid-conquest": 8}


@pytest.mark.parametrize("key", [game.key for game in gridwise.games()])
def test_rows_come_out_again_from_the_seed(key: str) -> None:
    """The first games of the seed, played again, have the rows of the suite that are theirs."""
    rows = {(row.board, row.first, row.moves): row for row in suite(key)}
    made_again = candidates(gridwise.game(key), range(FIRST_GAMES.get(key, 30)))
    found = 0
    for number, candidate in enumerate(made_again):
        made = as_row(candidate, "train", number)
        row = rows.get((made.board, made.first, made.moves))
        if row:
            found += 1
            assert (row.phase, row.difficulty, row.worth) == (
                *(made.phase, made.difficulty, made.worth),
            ), row.id
    assert found >= 2


def test_a_selection_is_the_same_each_time_and_spread_evenly() -> None:
    """From the same games the same rows are drawn, nothing twice, one stratum after the other."""
    game = gridwise.game("number-maze")
    drawn = []
    for _ in range(2):
        selection = Selection()
        for candidate in candidates(game, range(60)):
            selection.add(candidate)
        drawn.append({part: selection.drawn(part) for part in ("train", "test")})
    assert drawn[0] == drawn[1]
    for part in drawn[0].values():
        assert len({canonical(each.position) for each in part}) == len(part) > 10
        first = [each.stratum for each in part[: len({each.stratum for each in part})]]
        assert len(set(first)) > len(first) / 2


def test_the_same_rows_make_the_same_file() -> None:
    """A suite is written byte for byte as it was read."""
    file = files("gridwise.lab").joinpath("suite_data", "number-run-v1.jsonl.gz")
    assert write_suite(list(suite("number-run"))) == file.read_bytes()
