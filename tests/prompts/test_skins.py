"""A skin is the same game in other words: positions, legal moves and values map one to one."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridwise import Board, Position, evaluate
from gridwise.core.board import DIRECTIONS, geometry, symmetries
from gridwise.core.contracts import Notation
from gridwise.core.game import Game
from gridwise.core.registry import game as game_named
from gridwise.core.registry import games
from gridwise.errors import BadRequest, IllegalMove, UnreadableMove
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.prompt_text import prompt
from gridwise.prompts.skins import (
    COORDINATES,
    ORIENTATIONS,
    UPRIGHT,
    every_skin,
    explain,
    skin_named,
    skin_names,
)
from gridwise.prompts.turn import Turn
from tests.prompts.samples import EXAMPLES, FORMS, dealt, example, position_after, positions
from tests.sizes import sample

each_game = pytest.mark.parametrize("key", EXAMPLES)
EXACT = [game for game in games() if not game.has_hidden_cells]


# Geometry


@pytest.mark.parametrize(("rows", "cols"), [(5, 5), (4, 4), (3, 6), (1, 7)])
def test_the_eight_orientations_are_those_of_a_square(rows: int, cols: int) -> None:
    """All differ, each is one to one, and on a square they are all symmetries that there are."""
    images = {way.cells(rows, cols) for way in ORIENTATIONS.values()}
    if rows == cols:
        assert images == set(symmetries(rows, cols))
    for way in ORIENTATIONS.values():
        cells = way.cells(rows, cols)
        assert sorted(cells) == list(range(rows * cols))
        assert [cells[way.place(rows, cols, cell)] for cell in range(rows * cols)] == [
            *range(rows * cols)
        ]


@pytest.mark.parametrize(("rows", "cols"), [(5, 5), (3, 6)])
def test_a_step_is_displayed_as_a_step(rows: int, cols: int) -> None:
    """Neighbours stay neighbours, and directions go the way they are named."""
    for way in ORIENTATIONS.values():
        steps, displayed = geometry(rows, cols).steps, geometry(*way.size(rows, cols)).steps
        for cell, direction in product(range(rows * cols), range(4)):
            to = steps[cell][direction]
            seen = displayed[way.place(rows, cols, cell)][way.direction(direction)]
            assert seen == (way.place(rows, cols, to) if to >= 0 else -1)
        assert [way.direction(each) for each in way.directions()] == [0, 1, 2, 3]


def test_a_quarter_turn_is_one_as_people_know_it() -> None:
    """Clockwise, the top left corner goes to the top right, and what was up is right."""
    board = game_named("number-connect").parse_board("123/456")
    turned = skin_named("number-connect", "turned")
    assert [board.cells[cell] for cell in turned.cells(board)] == [4, 1, 5, 2, 6, 3]
    assert DIRECTIONS[turned.orientation.direction(0)] == "right"
    mirrored = skin_named("number-connect", "mirrored")
    assert [board.cells[cell] for cell in mirrored.cells(board)] == [3, 2, 1, 6, 5, 4]


# Names


@each_game
def test_every_game_has_its_skins(key: str) -> None:
    """Plain first, then other sides, other coordinates, a theme, and combinations."""
    names = skin_names(key)
    assert names[:4] == ["plain", "mirrored", "turned", "renamed"]
    theme = skin_named(key, "theme").name
    assert {theme, f"{theme}+turned"} <= set(names)
    assert skin_named(key, "Turned+Theme") == skin_named(key, f"{theme}+turned")
    everyone = every_skin(game_named(key))
    assert len({each.name for each in everyone}) == len(everyone) == 32  # 1 + (2 · 8 · 2 - 1)
    assert all(skin_named(key, name) in everyone for name in names)


def test_titles_are_told_apart_between_all_games() -> None:
    """`read_prompt` knows game and skin from the title alone."""
    titles = [each.title for game in games() for each in every_skin(game)]
    assert len(titles) == len(set(titles))


@pytest.mark.parametrize(
    "name", ["", "fancy", "mirrored+turned", "plain+mirrored", "theme+theme", "upright", "+"]
)
def test_a_skin_that_is_none_is_refused_with_those_there_are(name: str) -> None:
    """One line, with the parts that can be combined."""
    with pytest.raises(BadRequest, match="mirrored, turned, renamed"):
        skin_named("number-run", name)


def test_a_board_with_too_many_rows_for_letters_is_refused() -> None:
    """There are 26 letters; other coordinates have no such limit."""
    position = Position("number-maze", "/".join(["1"] * 40))
    prompt(position, Conditions(skin="renamed"))
    with pytest.raises(BadRequest, match="26 letters"):
        prompt(position, Conditions(skin="theme+turned"))


# Moves


@settings(max_examples=sample(80, long=150), deadline=None)
@given(positions(), st.data())
def test_legal_moves_map_one_to_one(position: Position, data: st.DataObject) -> None:
    """Each action has one text, no two share one, and reading gives the action back."""
    skin = data.draw(st.sampled_from(every_skin(position.game)))
    moves = skin.legal_moves(position)
    assert sorted(moves) == sorted(position.legal)
    assert len(set(moves.values())) == len(moves)
    for action, text in moves.items():
        assert skin.move_text(position, action) == text
        assert skin.read_move(position, text) == action


@settings(max_examples=sample(40, long=60), deadline=None)
@given(positions(), st.data())
def test_cells_map_one_to_one_and_what_is_shown_moves_with_them(
    position: Position, data: st.DataObject
) -> None:
    """Every cell is displayed once, with all that is on it."""
    skin = data.draw(st.sampled_from(every_skin(position.game)))
    board, shown = position.board, skin.show(position)
    names = [skin.cell_name(board, cell) for cell in range(board.size)]
    assert len(set(names)) == board.size
    assert [skin.parse_cell(board, name) for name in names] == [*range(board.size)]
    assert (shown.rows, shown.cols) == skin.size(board)
    by_name = {cell.name: cell for cell in shown.cells}
    for cell, seen in enumerate(position.view.cells):
        there = by_name[names[cell]]
        same = ("value", "owner", "token", "start", "visited", "blocked", "hidden", "actions")
        assert [getattr(there, name) for name in same] == [getattr(seen, name) for name in same]
    last = position.view.last
    assert (shown.cells[shown.last].name if shown.last >= 0 else "") == (
        names[last] if last >= 0 else ""
    )


@each_game
def test_a_bad_move_is_refused_alike_in_every_skin(key: str) -> None:
    """Illegal stays illegal, unreadable stays unreadable, whatever the skin."""
    position = example(key)
    taken = next((n for n, cell in enumerate(position.view.cells) if cell.token), -1)
    for skin in every_skin(position.game):
        if taken < 0:
            taken = position.history[0]  # a cell that was claimed
        with pytest.raises(IllegalMove) as refused:
            skin.read_move(position, skin.cell_name(position.board, taken))
        assert "Possible" not in str(refused.value)
        with pytest.raises(UnreadableMove):
            skin.read_move(position, "castle kingside")


def test_a_cell_that_a_token_is_on_says_whose_it_is() -> None:
    """In the text's Number Run, P2 is to move and stands on 3,4; P1 stands on 1,1."""
    plain, position = skin_named("number-run"), example("number-run")
    for cell, whose in (("3,4", "Your token"), ("1,1", "Your opponent's token")):
        with pytest.raises(IllegalMove, match=f"^{whose} is on {cell}.$"):
            plain.read_move(position, cell)


@pytest.mark.parametrize("notation", COORDINATES.values(), ids=COORDINATES)
def test_how_cells_are_named_is_explained_by_a_true_example(notation: Notation) -> None:
    """The name that a model is told for the second cell of the first row is read as that cell."""
    said = explain(notation, "cell")
    example = re.search(
        r"(\S+) is the cell in the first row from the top and the second column from the left", said
    )
    assert example
    assert notation.parse_cell(Board(4, 5, (0,) * 20), example[1]) == 1


@pytest.mark.parametrize(
    ("notation", "row", "column"),
    [
        ("row-column-from-0", "0", "1"),
        ("row-column-from-1", "1", "2"),
        ("row-letter", "A", "2"),
        ("column-letter", "1", "B"),
        ("spreadsheet", "1", "2"),
    ],
)
def test_rows_and_columns_can_be_spelt_out(notation: str, row: str, column: str) -> None:
    """The second cell of the first row, in either order; letters and numbers keep their sides."""
    board, read = Board(4, 5, (0,) * 20), COORDINATES[notation].parse_cell
    for text in (f"row {row}, column {column}", f"Column {column}, Row {row}", f"r{row} c{column}"):
        assert read(board, text) == 1
    wrong = (f"row {row}", f"row {row}, row {column}", f"row {row}, column {column}, {column}")
    for text in wrong if row.isdigit() and column.isdigit() else (f"row {column}, column {row}",):
        with pytest.raises(UnreadableMove):
            read(board, text)


# Values


@pytest.mark.parametrize("game", EXACT, ids=lambda game: game.key)
@pytest.mark.parametrize("name", ["transposed", "theme+transposed+renamed"])
def test_a_transposed_game_is_worth_the_same(game: Game, name: str) -> None:
    """Rows for columns leaves both starts where they are, so plain rules play what is displayed."""
    size = (4, 4) if game.key != "grid-runner" else (5, 5)
    skin = skin_named(game, name)
    upright = replace(skin, orientation=UPRIGHT)  # for whoever looks at the displayed board
    for seed in range(6):
        board = dealt(game, size, seed)
        position = position_after(game, board, 1, seed, seed)
        cells = tuple(board.cells[cell] for cell in skin.cells(board))
        displayed = Position(game, Board(board.cols, board.rows, cells, board.target))
        now = Position(game, board)
        for action in position.history:
            displayed = displayed.play(upright.read_move(displayed, skin.move_text(now, action)))
            now = now.play(action)
        assert displayed.scores == position.scores
        own, there = evaluate(position), evaluate(displayed)
        assert (own.value, own.distance) == (there.value, there.distance)
        worth = {move.action: (move.value, move.distance) for move in there.moves}
        for move in own.moves:
            text = skin.move_text(position, move.action)
            assert worth[upright.read_move(displayed, text)] == (move.value, move.distance)


# Words


@each_game
def test_nothing_of_the_original_is_left_in_another_skin(key: str) -> None:
    """Neither its title nor its sentences nor its words; also not after a bad answer."""
    position = example(key)
    game = position.game
    plain = skin_named(game)
    texts = [plain.rules(position.board, short=short) for short in (False, True)]
    sentences = [
        " ".join(each.split())
        for text in (*texts, game.rules_text(), game.text.SUMMARY, game.text.HELP)
        for each in re.split(r"[.:;]\s|\n\n|\n- ", text)
        if len(each.split()) > 4
    ]
    words = ("token", "cell", "visited", "claimed", "obstacle", "face down", "challenge", "score")
    own = [game.title, game.key, *(f"Player {number}" for number in (1, 2)), *words]
    for skin in every_skin(game)[1:]:
        moves = [*skin.legal_moves(position).values()]
        assert not {word for move in moves for word in move.split()} & {*DIRECTIONS, "!"}
        for form in FORMS:
            for rules in ("full", "short"):
                turn = Turn(position, Conditions(board=form, rules=rules, skin=skin.name))
                turn.add_reply("MOVE: castle")
                turn.add_reply(f"MOVE: {skin.cell_name(position.board, 0)}")
                said = "\n".join(
                    each["content"] for each in turn.messages if each["role"] != "assistant"
                )
                said = " ".join(said.split())
                for word in own:
                    assert word.casefold() not in said.casefold(), (skin.name, word)
                for sentence in sentences:
                    assert sentence not in said, (skin.name, sentence)


@each_game
def test_every_template_is_filled_and_names_real_starts(key: str) -> None:
    """On boards of other sizes too; a token's start is where the rules say it is."""
    game = game_named(key)
    for size in ((0, 0), (3, 5)):
        board = dealt(game, size, 1)
        for skin in every_skin(game):
            for short in (False, True):
                text = skin.rules(board, short=short) + skin.answer(board)
                assert not re.search(r"[{}]", text)
            if skin.name != "plain" and "start1" in skin.words.rules:
                assert skin.cell_name(board, board.starts[1]) in skin.rules(board)
                assert skin.cell_name(board, board.starts[2]) in skin.rules(board)
