"""A board is drawn in whatever room there is, and says everything without colour."""

from __future__ import annotations

from itertools import product

import pytest

from gridwise import Match, Position, game, games
from gridwise.core.board import Board
from gridwise.core.position import start
from gridwise.core.view import View
from gridwise.play.look_back import BEST
from gridwise.play.values import CellValue
from gridwise.tui.widgets.board import next_target
from gridwise.tui.widgets.board_drawing import (
    FLAG,
    LEFT,
    LEGAL,
    SHAPES,
    BoardSpan,
    Layout,
    Overlay,
    Role,
    draw,
    fit,
    large_digits,
    small_digits,
)

ROOMS = list(product((20, 33, 46, 80, 140, 200), (6, 12, 22, 40, 59)))
SHOWN = Overlay(legal=True)


def example(key: str) -> View:
    """A position of a game that is worth a picture."""
    played = game(key)
    board = played.example_deal or played.example or played.fixed
    return Position(played, board, moves=played.example_moves.split()).view


def lines_of(view: View, layout: Layout, overlay: Overlay = SHOWN) -> list[str]:
    """The drawing, without its roles."""
    return ["".join(span.text for span in line) for line in draw(view, layout, overlay)]


def inside(view: View, layout: Layout, cell: int, overlay: Overlay = SHOWN) -> list[str]:
    """The characters of one cell."""
    x, y = layout.corner(cell)
    return [
        line[x : x + layout.width]
        for line in lines_of(view, layout, overlay)[y : y + layout.height]
    ]


@pytest.mark.parametrize("key", [each.key for each in games()])
def test_a_drawing_has_the_size_that_its_layout_says(key: str) -> None:
    """Every line is equally wide, and it fits, unless even the smallest does not."""
    view = example(key)
    for width, height in ROOMS:
        layout = fit(view, width, height)
        lines = lines_of(view, layout)
        assert {len(line) for line in lines} == {layout.total_width}
        assert len(lines) == layout.total_height
        if layout.line:
            assert layout.total_width <= width
            assert layout.total_height <= height


@pytest.mark.parametrize(("rows", "cols"), [(1, 2), (2, 1), (7, 9), (9, 7), (3, 21), (21, 3)])
def test_boards_of_any_shape_can_be_drawn(rows: int, cols: int) -> None:
    """From two cells to 63, small pictures included."""
    number_maze = game("number-maze")
    view = start(number_maze, Board(rows, cols, (1,) * (rows * cols))).view
    for room in ROOMS:
        for small in (False, True):
            lines = lines_of(view, fit(view, *room, small=small))
            assert len({len(line) for line in lines}) == 1


def test_every_character_of_a_cell_leads_back_to_it() -> None:
    """A click anywhere in a cell chooses it."""
    view = example("number-run")
    for room in ROOMS:
        layout = fit(view, *room)
        for cell in range(len(view.cells)):
            x, y = layout.corner(cell)
            for dx, dy in product(range(layout.width), range(layout.height)):
                assert layout.cell_at(x + dx, y + dy) == cell
        assert layout.cell_at(-1, 0) == layout.cell_at(layout.total_width + 9, 3) == -1


@pytest.mark.parametrize("room", [(46, 23), (40, 13), (140, 59)], ids=str)
def test_nothing_is_said_by_colour_alone(room: tuple[int, int]) -> None:
    """Tokens, owners, goals, marks, what can be entered and the cursor have characters."""
    run, conquest = example("number-run"), example("grid-conquest")
    layout = fit(run, *room)
    tokens = {shown.token: cell for cell, shown in enumerate(run.cells) if shown.token}
    for player, cell in tokens.items():
        assert f"P{player}" in "".join(inside(run, layout, cell))
        if layout.height > 1:
            assert SHAPES[player] in "".join(inside(run, layout, cell))
    legal = [cell for cell, shown in enumerate(run.cells) if shown.actions]
    for cell in legal:
        assert LEGAL in "".join(inside(run, layout, cell))
    overlay = Overlay(legal[0], {4: BEST, 3: LEFT}, {20: 1})
    assert "▸" in "".join(inside(run, layout, legal[0], overlay))
    assert BEST in "".join(inside(run, layout, 4, overlay))
    assert LEFT in "".join(inside(run, layout, 3, overlay))
    assert FLAG in "".join(inside(run, layout, 20, overlay))
    visited = next(cell for cell, shown in enumerate(run.cells) if shown.visited == (1,))
    assert "x" in "".join(inside(run, layout, visited))
    owners = {shown.owner: cell for cell, shown in enumerate(conquest.cells) if shown.owner}
    for player, cell in owners.items():
        assert f"P{player}" in "".join(inside(conquest, fit(conquest, *room), cell))
    hidden = next(cell for cell, shown in enumerate(conquest.cells) if shown.hidden)
    assert "?" in "".join(inside(conquest, fit(conquest, *room), hidden))


def test_the_cursor_and_the_last_move_have_heavy_lines() -> None:
    """The others have light ones."""
    view = example("number-run")
    layout = fit(view, 46, 23)
    lines = lines_of(view, layout, Overlay(cursor=0, legal=True))
    x, y = layout.corner(0)
    assert lines[y - 1][x - 1] + lines[y - 1][x] + lines[y][x - 1] == "┏━┃"
    x, y = layout.corner(view.last)
    assert lines[y - 1][x] == "━"
    x, y = layout.corner(20)
    assert lines[y + layout.height][x - 1] + lines[y + layout.height][x] == "└─"


def test_numbers_grow_with_their_cells() -> None:
    """One character, then three lines, then five."""
    view = example("number-maze")
    heights = []
    for room in ((40, 13), (60, 30), (140, 59)):
        layout = fit(view, *room)
        cell = next(cell for cell, shown in enumerate(view.cells) if not shown.token)
        drawn = [line for line in inside(view, layout, cell, Overlay(legal=False)) if line.strip()]
        heights.append(len(drawn))
    assert heights == [1, 3, 5]


def test_digits_are_as_large_as_they_say() -> None:
    """Ten of them, all different."""
    for digits, height in ((small_digits, 3), (large_digits, 5)):
        drawn = {tuple(digits(str(number))) for number in range(10)}
        assert len(drawn) == 10
        assert {len(lines) for lines in drawn} == {height}


def test_an_arrow_goes_to_the_nearest_cell_ahead() -> None:
    """Straight ahead before aside; nowhere if there is none."""
    view = example("grid-conquest")
    assert next_target(view, [0, 3, 20, 24], 0, "right") == 3
    assert next_target(view, [0, 3, 20, 24], 0, "down") == 20
    assert next_target(view, [0, 3, 20, 24], 0, "left") == -1
    assert next_target(view, [7, 11], 6, "right") == 7
    assert next_target(view, [7, 11], 6, "down") == 11


def test_an_arrow_rather_skips_cells_than_leaves_its_row() -> None:
    """A cell straight ahead, three steps away, comes before one that is nearer but aside."""
    view = example("grid-conquest")
    assert next_target(view, [6, 13], 10, "right") == 13
    assert next_target(view, [6, 17], 2, "down") == 17


def valued(text: str, *, best: bool = False, mark: str = "") -> CellValue:
    """What a move to a cell is worth."""
    return CellValue("0,1", text, "win", best, f"0,1: {text}", text, mark)


@pytest.mark.parametrize("text", ["W5", "L12", "=", "∞", "63%", "100%", "W3!", "W7*", "-"])
def test_what_a_move_is_worth_stands_in_its_cell_beside_its_number(text: str) -> None:
    """In every room: in large signs where there is room, and never without the first of them."""
    view, cell = example("number-connect"), 1
    assert view.cells[cell].value == 1
    overlay = Overlay(values={cell: valued(text, best=True, mark="!")})
    for room in ROOMS:
        layout = fit(view, *room)
        drawn = inside(view, layout, cell, overlay)
        large = any(
            all(any(line.strip() in shown for shown in drawn) for line in art)
            for art in (small_digits(text), large_digits(text))
        )
        assert large or text[0] in "".join(drawn), (room, drawn)
        if layout.height > 1:
            assert "★" in drawn[0]
            number = [
                line.strip() for art in (large_digits("1"), small_digits("1")) for line in art
            ]
            assert any(line in "".join(drawn) for line in ["1", *filter(None, number)])


def test_a_board_without_values_is_drawn_as_before() -> None:
    """Nobody pays for what is not shown."""
    view = example("number-run")
    for room in ROOMS:
        layout = fit(view, *room)
        assert lines_of(view, layout) == lines_of(view, layout, Overlay(values={}))


def test_a_number_that_counts_no_more_looks_thin_and_small() -> None:
    """Claimed, or visited by the one to move: another weight and size, not colour alone.

    Cells that one player has visited have that player's ground.
    """
    met = Match("number-run", "31425/25134/42513/14252/53142", moves=["0,1", "3,4", "1,1"]).view
    layout = fit(met, 200, 60)
    inks = {
        cell: {
            role
            for line, spans in enumerate(draw(met, layout, Overlay()))
            for x, _, role in placed(spans)
            if layout.cell_at(x, line) == cell and role.ink in {"value", "spent"}
        }
        for cell in (0, 1, 12, 19, 24)
    }
    assert inks[12] == {Role("cell", "value")}
    assert inks[0] == inks[1] == {Role("own1", "value")}, "Player 2, who is to move, may go there"
    assert inks[24] == {Role("own2", "spent")}
    claimed = Match("number-connect", "4152/6371/2845/9162", moves=["0,0"]).view
    lines = draw(claimed, fit(claimed, 200, 60), Overlay())
    texts = {span.role.ink: span.text for spans in lines for span in spans}
    assert texts["spent"] == "4"
    assert "█" in texts["value"]


def placed(spans: list[BoardSpan]) -> list[tuple[int, str, Role]]:
    """The characters of a line with their columns and roles."""
    roles = [(char, span.role) for span in spans for char in span.text]
    return [(x, char, role) for x, (char, role) in enumerate(roles)]
