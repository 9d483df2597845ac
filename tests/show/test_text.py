"""Drawings look as the rulings show them."""

from __future__ import annotations

import pytest

from gridwise import Match
from gridwise.core.view import draw, plain


@pytest.mark.parametrize(
    ("row", "cells"),
    [("A", "[P2][3 ][1 ][5 ][2 ]"), ("C", "[4 ][3 ][P1][5 ][3 ]"), ("D", "[  ][1 ][P1][P2][3 ]")],
)
def test_grid_conquest_before_the_last_claim(row: str, cells: str) -> None:
    """Owners, numbers that have been turned up, and blanks, as in the text."""
    match = Match("grid-conquest", "53152/24251/43453/?1523/?2214", first=1)
    for move in ("C3", "D4", "D3", "A1", "B2", "B4"):
        match.move(move)
    assert f"{row} {cells}" in plain(draw(match.view)).splitlines()


def test_number_connect_shows_numbers_and_markers() -> None:
    """A claimed cell shows its owner's marker."""
    match = Match("number-connect", "4152/6371/2845/9162")
    for move in ("0,0", "0,3"):
        match.move(move)
    assert "0 | X | 1 | 5 | O |" in plain(draw(match.view)).splitlines()
