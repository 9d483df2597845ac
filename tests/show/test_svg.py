"""The SVG of a position: every cell has a name, nothing hidden is in it, colours are a theme's."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from gridwise import Game, Match, games
from gridwise.show.palette import DARK, LIGHT, PAGE
from gridwise.show.svg import CELL, MARGIN, svg, svg_cell

SVG = "{http://www.w3.org/2000/svg}"


def drawn(match: Match, **how: bool) -> ET.Element:
    """The picture of a match, as a tree."""
    return ET.fromstring(svg(match.view, PAGE, **how))  # noqa: S314 - made here


def cells(root: ET.Element) -> dict[str, ET.Element]:
    """The cells of a picture by name."""
    return {cell.attrib["data-cell"]: cell for cell in root.iter(f"{SVG}g") if _is_cell(cell)}


def classes(cell: ET.Element) -> list[str]:
    """What is the matter with a cell."""
    return cell.attrib["class"].split()


def named(within: ET.Element, name: str) -> list[ET.Element]:
    """The parts of a picture that have a class."""
    return [part for part in within.iter() if name in part.get("class", "").split()]


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
    assert classes(found["0,0"]) == ["cell", "visited", "by-one", "goal-two"]
    assert classes(found["0,1"]) == ["cell", "last", "visited", "by-one", "token"]
    assert classes(found["3,4"]) == ["cell", "open"]
    assert classes(found["4,4"]) == ["cell", "visited", "by-two", "token", "goal-one"]
    claimed = Match("grid-conquest", seed=1, first=1)
    claimed.move("A1")
    found = cells(drawn(claimed))
    assert classes(found["A1"]) == ["cell", "last", "claimed", "one"]
    assert classes(found["E5"]) == ["cell", "open", "hidden"]
    assert classes(cells(drawn(Match("grid-runner")))["C3"]) == ["cell", "blocked"]


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
def test_a_cell_alone_looks_as_it_does_in_the_picture(game: Game) -> None:
    """A page that draws only the changed cells has the same picture, for few bytes a cell."""
    match = Match(
        game, game.example_deal or game.example_board, first=1, moves=game.example_moves.split()
    )
    view = match.view
    for cell, placed in zip(view.cells, cells(drawn(match, playable=True)).values(), strict=True):
        alone = svg_cell(cell, view.drawing)
        assert len(alone) < 300
        assert '"' not in alone  # it would cost two bytes in JSON
        (look,) = ET.fromstring(f'<svg xmlns="{SVG[1:-1]}">{alone}</svg>')  # noqa: S314 - made here
        assert classes(look) == [name for name in classes(placed) if name != "last"]
        assert [ET.tostring(part) for part in look] == [ET.tostring(part) for part in placed]


def test_a_flag_is_where_a_player_wants_to_get_to() -> None:
    """Player 1 starts at the top left and wants to get to the bottom right."""
    found = cells(drawn(Match("grid-runner")))
    flags = {
        name: part.attrib["class"] for name, cell in found.items() for part in named(cell, "flag")
    }
    assert flags == {"A1": "flag two", "E5": "flag one"}


def test_a_trail_is_the_way_that_a_token_has_gone() -> None:
    """Step by step, also beside where it has been; a token that is sent home leaves none."""
    match = Match(
        "number-run",
        "31425/25134/42513/14252/53142",
        moves=("0,1", "3,4", "1,1", "3,3", "1,2", "2,3", "2,2!", "4,3"),
    )
    ways = {cell.name: cell.trail for cell in match.view.cells if any(cell.trail)}
    assert ways == {
        "0,0": ("r", ""),
        "0,1": ("ld", ""),
        "1,1": ("ur", ""),
        "1,2": ("ld", ""),
        "2,2": ("u", ""),
        "2,3": ("", "d"),
        "3,3": ("", "ru"),
        "3,4": ("", "dl"),
        "4,4": ("", "ul"),  # away from home for the second time
        "4,3": ("", "r"),
    }
    found = cells(drawn(match))
    (trail,) = named(found["0,1"], "trail")
    assert trail.attrib == {"class": "trail one", "d": "M0 26H26V64"}
    assert not named(found["2,0"], "trail")


def test_rays_end_where_the_token_can_land() -> None:
    """In Number Maze the number is in the token, and a line goes to each cell that it can reach."""
    match = Match("number-maze", "1324/2132/4213/3421")
    root = drawn(match, playable=True)
    (piece,) = named(cells(root)["1,1"], "piece")
    assert [text.text for text in piece.iter(f"{SVG}text")] == ["1"]
    ends = {
        (points[0], points[-1])
        for points in (ray.attrib["points"].split() for ray in named(root, "ray"))
    }
    x = y = MARGIN + CELL // 2
    assert ends == {
        (f"{x + 26},{y}", f"{x + CELL - 20},{y}"),
        (f"{x},{y + 26}", f"{x},{y + CELL - 20}"),
    }
    assert not named(drawn(Match("number-run", seed=1)), "ray")


def test_colours_come_from_the_theme_alone() -> None:
    """On a page the style sheet has them all; in a file they are in the picture."""
    for game in games():
        view = Match(game, seed=1).view
        assert not re.findall(r"(?:fill|stroke|style)=", svg(view, PAGE))
        for theme in (LIGHT, DARK):
            drawn = svg(view, theme)
            assert "var(" not in drawn
            colours = set(re.findall(r'(?:fill|stroke)="([^"]+)"', drawn))
            assert colours <= {*theme, "none"}
            for shape in ET.fromstring(drawn).iter():  # noqa: S314 - made here
                if shape.tag.removeprefix(SVG) in ("rect", "circle", "polygon", "text"):
                    assert "fill" in shape.attrib


def test_text_is_escaped() -> None:
    """A picture stays a picture whatever the labels are."""
    view = Match("grid-runner").view
    odd = type(view)(**{name: getattr(view, name) for name in view.__slots__} | {"title": "<&>"})
    assert "&lt;&amp;&gt;" in svg(odd)
    ET.fromstring(svg(odd))  # noqa: S314 - made here
