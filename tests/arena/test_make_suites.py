"""The suites that are shipped are those that the script makes from its seed."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

import gridwise
from gridwise.arena.suites import suite
from gridwise.core.symmetry import canonical

SCRIPT = Path(__file__).parents[2] / "scripts" / "make_suites.py"
# So many of the first games that a few of their positions are in the suite.
FIRST_GAMES = {"grid-conquest": 8}


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script, as a module."""
    spec = importlib.util.spec_from_file_location("make_suites", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_suites"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("key", [game.key for game in gridwise.games()])
def test_rows_come_out_again_from_the_seed(script: ModuleType, key: str) -> None:
    """The first games of the seed, played again, have the rows of the suite that are theirs."""
    rows = {(row.board, row.first, row.moves): row for row in suite(key)}
    candidates = script.candidates(gridwise.game(key), range(FIRST_GAMES.get(key, 30)))
    found = 0
    for number, candidate in enumerate(candidates):
        made = script.as_row(candidate, "train", number)
        row = rows.get((made.board, made.first, made.moves))
        if row:
            found += 1
            assert (row.phase, row.difficulty, row.worth) == (
                *(made.phase, made.difficulty, made.worth),
            ), row.id
    assert found >= 2


def test_a_selection_is_the_same_each_time_and_spread_evenly(script: ModuleType) -> None:
    """From the same games the same rows are drawn, nothing twice, one stratum after the other."""
    game = gridwise.game("number-maze")
    drawn = []
    for _ in range(2):
        selection = script.Selection()
        for candidate in script.candidates(game, range(60)):
            selection.add(candidate)
        drawn.append({part: selection.drawn(part) for part in ("train", "test")})
    assert drawn[0] == drawn[1]
    for part in drawn[0].values():
        assert len({canonical(each.position) for each in part}) == len(part) > 10
        first = [each.stratum for each in part[: len({each.stratum for each in part})]]
        assert len(set(first)) > len(first) / 2
