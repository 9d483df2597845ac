"""The rules that a model reads are true of the board it is shown, and leave nothing to guess."""

from __future__ import annotations

import json
import re

import pytest

from gridwise import Position, suite
from gridwise.core.game import Game
from gridwise.core.registry import game as game_named
from gridwise.core.registry import games
from gridwise.core.rng import Stream
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.prompt_text import prompt, rules_text
from gridwise.prompts.skins import Skin, every_skin, explain, skin_named
from tests.prompts.samples import EXAMPLES, FORMS, dealt, example
from tests.sizes import sample

each_game = pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
RULES = ("full", "short")
RUNNER = game_named("grid-runner")


def named_cells(position: Position, skin: Skin, rules: str) -> set[str]:
    """The cells that the rules name, without the one that shows how cells are named."""
    text = rules_text(position, Conditions(skin=skin.name, rules=rules))
    explained = explain(skin.notation, skin.words.nouns.cell)
    assert explained in text
    board = position.board
    names = {skin.cell_name(board, cell) for cell in range(board.size)}
    found = re.findall(r"(?<!\w)\w+(?:,\d+)?(?!\w)", text.replace(explained, ""))
    return names & {*found}


def shown_cells(position: Position, skin: Skin, noun: str) -> set[str]:
    """The cells of which the board that is shown says this, such as that it is an obstacle."""
    user = prompt(position, board="json", skin=skin.name).user
    board = json.loads(user[user.index('{"rows"') : user.index("\n]}") + len("\n]}")])
    return {cell[skin.words.nouns.cell] for row in board["rows"] for cell in row if noun in cell}


@each_game
def test_the_rules_name_the_starts_and_obstacles_of_the_position_and_no_other_cell(
    game: Game,
) -> None:
    """In every skin, whole and short, of positions of the suites: as the board shows them."""
    rows, drawn = suite(game.key), Stream(f"rules {game.key}")
    for skin in every_skin(game):
        for _ in range(sample(3, long=30)):
            position = rows[drawn.below(len(rows))].position
            blocked = shown_cells(position, skin, skin.words.nouns.blocked)
            starts = shown_cells(position, skin, skin.words.nouns.start)
            assert named_cells(position, skin, "full") == blocked | starts
            assert named_cells(position, skin, "short") == blocked


def test_the_rules_of_every_test_position_of_grid_runner_name_its_obstacles() -> None:
    """Read from the text of the board: rows are numbered from the top, columns have letters."""
    plain = skin_named(RUNNER)
    for row in suite(RUNNER).part("test"):
        crossed = {
            f"{'ABCDE'[col]}{number}"
            for number, line in enumerate(row.board.split("/"), 1)
            for col, text in enumerate(line)
            if text == "X"
        }
        assert crossed
        assert named_cells(row.position, plain, "full") == crossed | {"A1", "E5"}
        assert named_cells(row.position, plain, "short") == crossed


@pytest.mark.parametrize(
    ("skin", "says"),
    [
        ("plain", "Obstacles: D1; B4."),  # on the board ...X./...../...../.X.../.....
        ("mirrored", "Walls: B1; D4."),
        ("flipped", "Walls: B2; D5."),
        ("turned", "Walls: B2; E4."),  # clockwise: the first row is the last column
        ("mirrored+renamed", "Walls: 1,2; 4,4."),
        ("theme", "Reefs: R1C4; R4C2."),
        ("theme+half-turned+renamed", "Reefs: B4; E2."),  # rows have letters
    ],
)
@pytest.mark.parametrize("form", FORMS)
def test_obstacles_are_where_a_skin_shows_them(form: str, skin: str, says: str) -> None:
    """Worked out by hand, whatever the form of the board."""
    position = Position(RUNNER, "...X./...../...../.X.../.....")
    for rules in RULES:
        asked = prompt(position, Conditions(board=form, skin=skin, rules=rules))
        assert says.rstrip(".").casefold() in asked.system.casefold()


def test_a_board_without_obstacles_says_so() -> None:
    """Rather than nothing, which could mean that they are not listed."""
    position = Position(RUNNER, "...../...../...../...../.....")
    for skin, what in (("plain", "Obstacles"), ("turned", "Walls"), ("theme", "Reefs")):
        assert f"{what}: none." in rules_text(position, Conditions(skin=skin))


@each_game
def test_no_number_of_the_usual_board_is_left_on_another_one(game: Game) -> None:
    """3 rows, 7 columns and, where there is a target, 22 points: no 4, 5, 15, 16 or 25."""
    board = game.parse_board(
        game.board_text(dealt(game, (3, 7), 1)), target=22 if game.target else None
    )
    position = Position(game, board)
    for skin in every_skin(game):
        turned = skin.orientation.swapped
        for rules in RULES:
            text = rules_text(position, Conditions(skin=skin.name, rules=rules))
            for cell in range(board.size):
                text = text.replace(skin.cell_name(board, cell), "")
            numbers = {int(each) for each in re.findall(r"\d+", text)}
            values = {1, game.rules.HIGH}
            assert numbers <= {0, 1, 2, 3, 7, 21, 22, 200, *values}, (skin.name, numbers)
            if rules == "full":
                rows, cols = (7, 3) if turned else (3, 7)
                assert re.search(rf"\b{rows} (rows|streets|lines)\b.*\b{cols}\b", text)
            assert not re.search("five obstacles|fifteen|sixteen|twenty", text, re.IGNORECASE)


@each_game
def test_when_a_game_is_stopped_is_said_where_it_can_go_on_for_ever_and_only_there(
    game: Game,
) -> None:
    """After 200 plies, with half a point each: in Number Maze and Grid Runner."""
    endless = game.key in ("number-maze", "grid-runner")
    for skin in every_skin(game):
        for rules in RULES:
            text = rules_text(example(game.key), Conditions(skin=skin.name, rules=rules))
            assert ("after 200 moves, those of both sides counted" in text) == endless
            assert text.count("half a point") == endless


@pytest.mark.parametrize("key", EXAMPLES)
def test_no_word_of_place_has_two_meanings(key: str) -> None:
    """`Next to` can be diagonal, `over as many squares` can end beyond them."""
    for skin in every_skin(game_named(key)):
        for rules in RULES:
            text = rules_text(example(key), Conditions(skin=skin.name, rules=rules))
            vague = (
                r"next door|next to|beside|adjacent|neighbour|side by side|over (exactly )?as many"
            )
            assert not re.search(vague, text), (skin.name, rules)
