"""The analysis board: any position, edited, played for both sides, pasted and shared."""

from __future__ import annotations

import pytest

from gridwise import Match, game, games
from gridwise.engine.evaluation import Limits, evaluate
from gridwise.errors import BadBoard, BadRequest, GridwiseError
from gridwise.play.analysis_board import AnalysisBoard, from_link
from gridwise.play.records import record_text

RUN, CONQUEST = game("number-run"), game("grid-conquest")
BOARD = "31425/25134/42513/14252/53142"
SEEN = "53152/24251/43453/?1523/?2214"


def analysis(moves: str = "", board: str = BOARD) -> AnalysisBoard:
    """A board of Number Run."""
    return AnalysisBoard(RUN, RUN.parse_board(board), moves=moves.split())


@pytest.mark.parametrize("each", games(), ids=lambda each: each.key)
def test_moves_of_both_sides_are_made_and_gone_through(each: object) -> None:
    """Back to the start, and on again: nothing is lost until another move is made."""
    played = next(one for one in games() if one is each)
    board = played.parse_board(played.example_deal or played.example_board)
    made = AnalysisBoard(played, board, moves=played.example_moves.split())
    assert made.moves == played.example_moves.split()
    end = made.position
    for _ in range(len(made.moves) + 3):
        made.step(-1)
    assert made.position.history == ()
    made.go_to_move(len(made.moves))
    assert made.position == end
    made.take_back()
    assert made.moves == played.example_moves.split()[:-1]


def test_an_edited_cell_keeps_the_moves_that_can_still_be_made() -> None:
    """The place is kept, too; where a move no longer exists, it and the rest are gone."""
    made = analysis("0,1 3,4 1,1")
    made.step(-1)
    edited = made.with_cell(24, "5")
    assert (edited.moves, edited.place) == (["0,1", "3,4", "1,1"], 2)
    assert edited.board.cells[24] == 5
    runner = game("grid-runner")
    walk = AnalysisBoard(runner, runner.parse_board(runner.fixed), moves=["right", "up", "down"])
    blocked = walk.with_cell(runner.cols + 1, "X")  # B2, where the third move goes
    assert blocked.moves == ["right", "up"]


def test_a_cell_can_only_be_what_the_game_knows() -> None:
    """The error says what it can be; and the choices are offered beforehand."""
    assert analysis().glyphs == "12345"
    assert AnalysisBoard(CONQUEST).glyphs == "12345?"
    with pytest.raises(BadBoard, match="1, 2, 3, 4, 5"):
        analysis().with_cell(0, "9")


def test_a_board_of_another_size_keeps_its_corner() -> None:
    """New cells have the lowest number."""
    assert RUN.board_text(analysis().with_size(3, 6).board) == "314251/251341/425131"
    assert analysis().read("3x6").board == analysis().with_size(3, 6).board
    too_many = 10**9  # no list of them is made
    for rows, cols in ((9, 9), (0, 4), (1, 1), (too_many, too_many)):
        with pytest.raises(BadBoard):
            analysis().with_size(rows, cols)


def test_a_board_a_record_and_a_link_can_be_pasted() -> None:
    """A record brings its game along; what is none of them is refused with what it could be."""
    match = Match("number-maze", "1324/2132/4213/3421", moves=["right", "left"])
    pasted = analysis().read(record_text(match.record()))
    assert (pasted.game.key, pasted.moves, pasted.place) == ("number-maze", ["right", "left"], 2)
    assert analysis().read(" 12345/12345 ").board.rows == 2
    shared = analysis("0,1 3,4 1,1")
    shared.step(-1)
    again = analysis().read(f"https://example.org{shared.link}")
    assert (again.board, again.moves, again.place) == (shared.board, shared.moves, shared.place)
    for nonsense in ("hello", "[Game", "/analysis/chess?board=1", ""):
        with pytest.raises(GridwiseError):
            analysis().read(nonsense)


@pytest.mark.parametrize(
    "link",
    [
        "/analysis/number-run?board=31425/25134&moves=0,9",
        "/analysis/number-run?first=2",
        "/analysis/number-run?target=many",
        "/analysis/number-run?board=X",
    ],
)
def test_a_broken_link_says_what_is_wrong(link: str) -> None:
    """With an error for people, not with a traceback."""
    with pytest.raises(GridwiseError):
        from_link(link)


def test_what_is_unknown_is_worked_with_and_has_to_be_entered_before_it_is_turned_up() -> None:
    """Cells with `?` have chances; a move that would turn one up names those that lack a number."""
    made = AnalysisBoard(CONQUEST, CONQUEST.parse_board(SEEN), moves=["C3"])
    found = evaluate(made.position, Limits(nodes=100))
    assert all(each.win is not None for each in found.moves)
    with pytest.raises(BadRequest, match=r"^D1 and E1 would be turned up and have no numbers yet"):
        made.try_move(made.position.read("D1"))
    known = made.with_cell(15, "4").with_cell(20, "2")
    assert known.moves == ["C3"]
    known.try_move(known.position.read("D1"))
    assert known.moves == ["C3", "D1"]


def test_cells_that_are_face_down_are_seen_only_where_the_board_is_edited() -> None:
    """The position, and so whatever is worked out from it, does not hold them."""
    made = AnalysisBoard(CONQUEST, CONQUEST.parse_board(SEEN), moves=["C3"])
    assert made.position.board.cells[0] == 0
    assert made.position.view.cells[0].hidden
    assert (made.edited_view.cells[0].value, made.edited_view.cells[0].hidden) == (5, False)
    assert made.edited_view.cells[15].hidden
