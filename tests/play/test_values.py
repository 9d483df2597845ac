"""What the moves are worth, on the cells that they go to, is said in one place for everybody."""

from __future__ import annotations

import pytest

from gridwise.core.position import Position
from gridwise.engine.evaluation import Evaluation, Limits, MoveValue, evaluate
from gridwise.play.look_back import BEST
from gridwise.play.values import (
    CellValue,
    cell_values,
    legend,
    short_worth,
    worth_in_words,
)

RUN = "31425/25134/42513/14252/53142"
# From the text of Number Maze: after these moves Player 1 has no move, so `up` before it has won.
MAZE, LOSES = "1324/2132/4213/3421", ["right", "left", "down"]


CLAIMED = ["C3", "D4", "D3", "A1"]  # of the game in the text of Grid Conquest


def values(position: Position) -> dict[str, CellValue]:
    """What the moves are worth, by the name of the cell."""
    return {each.name: each for each in cell_values(position, evaluate(position)).values()}


def test_distances_are_counted_in_moves_of_ones_own() -> None:
    """Grid Runner is a race of 15 plies, eight of them of Player 1, whichever way it begins."""
    shown = values(Position("grid-runner"))
    assert {each.text for each in shown.values()} == {"W8"}
    assert {each.words for each in shown.values()} == {
        "down: wins in 8 moves",
        "right: wins in 8 moves",
    }
    assert all(each.best and each.kind == "win" for each in shown.values())


def test_a_move_that_wins_at_once_is_w1() -> None:
    """The other player cannot move after `up`, as the text of Number Maze shows."""
    shown = values(Position("number-maze", MAZE, moves=LOSES))
    assert ("W1", "up: wins in 1 move", True) in [
        (each.text, each.words, each.best) for each in shown.values()
    ]


def test_two_moves_to_one_cell_show_the_better_with_its_mark_and_tell_both() -> None:
    """Where the challenge is better it is marked as it is written."""
    challenge = Evaluation(
        (
            MoveValue(3, "1,1", "loss", 4),
            MoveValue(7, "1,1!", "win", 9),
            MoveValue(1, "0,2", "win", 11),
        )
    )
    position = Position("number-run", RUN, moves=["0,1", "3,4"])
    # The actions are those of the position: down is 1, right 3, each four more with a challenge.
    downward = position.read("1,1")
    moves = (
        challenge.moves[0]._replace(action=downward),
        challenge.moves[1]._replace(action=downward + 4),
        challenge.moves[2]._replace(action=position.read("0,2")),
    )
    shown = cell_values(position, Evaluation(moves))
    here = shown[position.target(downward)]
    assert (here.text, here.best) == ("W5!", True)
    assert here.words == "1,1: loses in 2 moves; 1,1!: wins in 5 moves"
    assert "! by playing 1,1!" in legend(shown)


@pytest.mark.parametrize(
    ("worth", "text"),
    [
        (MoveValue(0, value="win", distance=9), "W5"),
        (MoveValue(0, value="loss", distance=2), "L1"),
        (MoveValue(0, value="draw"), "="),
        (MoveValue(0, value="endless"), "∞"),
        (MoveValue(0, win=0.634), "63%"),
        (MoveValue(0), "-"),
        # Where somebody may be passed over, not every other ply is one's own.
        (MoveValue(0, value="win", distance=7, passes=True), "W7*"),
        (MoveValue(0, value="win", distance=1, passes=True), "W1"),
    ],
)
def test_each_kind_has_a_sign_of_its_own(worth: MoveValue, text: str) -> None:
    """A colour is not needed to tell them apart."""
    assert short_worth(worth) == text


def test_a_chance_in_words_is_the_movers() -> None:
    """And never certain where it is not."""
    assert worth_in_words(MoveValue(0, win=0.634)) == "63 % to win"
    assert worth_in_words(MoveValue(0, win=0.999)) == "99 % to win"
    assert short_worth(MoveValue(0, win=0.999)) == "99%"


def test_what_was_not_worked_out_is_never_best() -> None:
    """Nothing is claimed of a board that is too large."""
    position = Position("grid-runner")
    unknown = Evaluation(tuple(MoveValue(each, "?") for each in position.legal))
    shown = cell_values(position, unknown)
    assert not any(each.best for each in shown.values())
    assert legend(shown) == f"- not worked out · {BEST} best"


def test_hidden_cells_have_chances_and_the_same_ones_whatever_lies_there() -> None:
    """What a move is worth is worked out without the cells that are face down."""
    boards = ("53152/24251/43453/11523/12214", "53155/24255/43453/11523/12214")
    one, two = (Position("grid-conquest", board, moves=CLAIMED) for board in boards)
    limits = Limits(nodes=300)
    shown = cell_values(one, evaluate(one, limits))
    assert shown == cell_values(two, evaluate(two, limits))
    assert {each.kind for each in shown.values()} == {"chance"}
    assert all(each.text.endswith("%") and "to win" in each.words for each in shown.values())


@pytest.mark.parametrize(
    ("text", "width", "fitted"),
    [("W12!", 4, "W12!"), ("W12!", 3, "W12"), ("100%", 3, "100"), ("W12*", 2, "W"), ("=", 1, "=")],
)
def test_what_has_no_room_is_shortened(text: str, width: int, fitted: str) -> None:
    """The sign stays, whatever else is left out."""
    assert CellValue("", text, "", False, "", "", "!").fitted(width) == fitted


def test_the_legend_says_what_is_on_the_board() -> None:
    """By an example of each kind that is there, and of no other."""
    position = Position("number-run", RUN, moves=["0,1", "3,4"])
    one, two = (position.read(move) for move in ("0,2", "1,1"))
    moves = MoveValue(one, "0,2", "win", 11), MoveValue(two, "1,1", "loss", 4)
    shown = cell_values(position, Evaluation(moves))
    assert legend(shown) == "W6 wins in 6 moves · L2 loses in 2 moves · ★ best"
    assert legend({}) == ""
