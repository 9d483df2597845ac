"""The SVG of a position: every cell has a name, nothing hidden is in it, colours are a theme's."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from gridwise import Game, Match, games
from gridwise.show.svg import DARK, LIGHT, PAGE, svg

SVG = "{http://www.w3.org/2000/svg}"


def drawn(match: Match, **how: bool) -> ET.Element:
    """The picture of a match, as a tree."""
    return ET.fromstring(svg(match.view, PAGE, **how))  # noqa: S314 - made here


def cells(root: ET.Element) -> dict[str, ET.Element]:
    """The cells of a picture by name."""
    return {cell.attrib["data-cell"]: cell for cell in root.iter(f"{SVG}g") if _is_cell(cell)}


def _is_cell(group: ET.Element) -> bool:
    return "data-cell" in group.attrib


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
def test_every_cell_has_a_name_and_its_moves(game: Game) -> None:
    """A screen reader gets each cell, and each legal move belongs to one."""
    match = Match(game, seed=3)
    root = drawn(match, playable=True)
    found = cells(root)
    assert list(found) == [cell.name for cell in match.view.cells]
    for name, cell in found.items():
        title = cell.find(f"{SVG}title")
        assert title is not None
        assert (title.text or "").startswith(name)
    moves = [move for cell in found.values() for move in cell.get("data-moves", "").split()]
    assert sorted(moves) == sorted(match.legal_moves)


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
def test_a_playable_board_is_a_grid_of_rows_of_cells(game: Game) -> None:
    """Screen readers walk over it cell by cell."""
    match = Match(game, seed=3)
    root = drawn(match, playable=True)
    assert root.get("role") == "grid"
    rows = [row for row in root if row.get("role") == "row"]
    assert len(rows) == match.view.rows
    for row in rows:
        assert [cell.get("role") for cell in row] == ["gridcell"] * match.view.cols
    for other in root:
        assert other.get("role") == "row" or other.get("aria-hidden") == "true"


def test_a_picture_is_one_image() -> None:
    """A picture in a document is not walked over."""
    root = drawn(Match("grid-runner"))
    assert root.get("role") == "img"
    assert not [part for part in root.iter() if "tabindex" in part.attrib]


def test_states_of_cells_are_classes() -> None:
    """A style sheet can see the state of a cell."""
    match = Match("number-run", "31425/25134/42513/14252/53142")
    match.move("0,1")
    found = cells(drawn(match, playable=True))
    assert found["0,0"].attrib["class"].split() == ["cell", "visited"]
    assert found["0,1"].attrib["class"].split() == ["cell", "last", "visited", "token"]
    assert found["3,4"].attrib["class"].split() == ["cell", "open"]
    claimed = Match("grid-conquest", seed=1, first=1)
    claimed.move("A1")
    found = cells(drawn(claimed))
    assert found["A1"].attrib["class"].split() == ["cell", "last", "claimed"]
    assert found["E5"].attrib["class"].split() == ["cell", "open", "hidden"]
    assert cells(drawn(Match("grid-runner")))["C3"].attrib["class"].split() == ["cell", "blocked"]


def test_hidden_values_are_not_in_the_picture() -> None:
    """Two deals that differ only face down look the same to the byte."""
    pictures = set()
    for rest in ("1" * 5, "5" * 5):
        match = Match("grid-conquest", f"53152/24251/43453/31523/{rest}", first=1)
        match.move("A1")
        pictures.add(svg(match.view, PAGE, playable=True))
    assert len(pictures) == 1


def test_colours_come_from_the_theme_alone() -> None:
    """On a page every colour is a variable of the style sheet; in a file there are none."""
    view = Match("number-run", seed=1).view
    colours = re.findall(r'(?:fill|stroke)="([^"]+)"', svg(view, PAGE))
    assert {colour for colour in colours if not colour.startswith("var(--")} <= {"none"}
    for theme in (LIGHT, DARK):
        assert "var(" not in svg(view, theme)


def test_text_is_escaped() -> None:
    """A picture stays a picture whatever the labels are."""
    view = Match("grid-runner").view
    odd = type(view)(**{name: getattr(view, name) for name in view.__slots__} | {"title": "<&>"})
    assert "&lt;&amp;&gt;" in svg(odd)
    ET.fromstring(svg(odd))  # noqa: S314 - made here
