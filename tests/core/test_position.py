"""Position: an immutable value with what has been seen, what can be played and how it ended."""

from __future__ import annotations

import copy
import pickle
import xml.etree.ElementTree as ET
from dataclasses import FrozenInstanceError

import pytest

from gridwise import Board, Match, Outcome, Position, Termination, game, games
from gridwise.core.outcome import resignation, unfinished
from gridwise.core.position import replay, start
from gridwise.errors import (
    BadBoard,
    BadRequest,
    GridwiseError,
    IllegalMove,
    UnknownGame,
    UnreadableMove,
)

RUN = "31425/25134/42513/14252/53142"
MAZE = "1324/2132/4213/3421"
CONQUEST = "53152/24251/43453/31523/22214"
CONNECT = "4152/6371/2845/9162"
HIDDEN = "?????/?????/?????/?????/?????"
BOARDS = {
    "number-run": RUN,
    "number-maze": MAZE,
    "grid-runner": None,
    "grid-conquest": CONQUEST,
    "number-connect": CONNECT,
}


def test_every_game_has_a_board_here() -> None:
    """What is said below of each game is said of all."""
    assert list(BOARDS) == [each.key for each in games()]


# A value


@pytest.mark.parametrize("key", BOARDS)
def test_a_position_cannot_be_changed(key: str) -> None:
    """No attribute can be set, taken away or added, and going on makes another position."""
    position = Position(key, BOARDS[key])
    before = (position.history, position.state, position.board)
    for name in ("board", "history", "outcome", "anything"):
        with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
            setattr(position, name, None)
    with pytest.raises((FrozenInstanceError, AttributeError)):
        del position.history
    after = position.after(position.legal[0], game(key).deal_unknown(position.board, FIVES))
    assert (position.history, position.state, position.board) == before
    assert after != position
    assert after.history == (position.legal[0],)


class Fives:
    """A source of chance that deals the highest value everywhere."""

    def random(self) -> float:
        """As near to 1 as can be."""
        return 0.999


FIVES = Fives()


def test_equal_positions_are_equal_keys() -> None:
    """The same moves on the same board make the same position, however they are written."""
    one = Position("number-run", RUN, moves=["0,1", "3,4"])
    two = Position(game("number-run"), game("number-run").parse_board(RUN)).after(3).after("up")
    assert one == two
    assert {one: "x"}[two] == "x"
    assert one != one.after("1,1")
    assert one != Position("number-run", RUN.replace("5", "4"), moves=["0,1", "3,4"])


def test_the_way_there_is_part_of_a_position() -> None:
    """The same cells claimed in another order are another game, though the state is the same."""
    one = Position("number-connect", CONNECT, moves=["0,0", "3,3", "0,1", "3,2"])
    two = Position("number-connect", CONNECT, moves=["0,0", "3,3", "0,1", "3,2"])
    other = Position("number-connect", CONNECT, moves=["0,1", "3,3", "0,0", "3,2"])
    assert one == two
    assert one.state == other.state
    assert one != other


@pytest.mark.parametrize("key", BOARDS)
def test_positions_are_pickled_and_copied(key: str) -> None:
    """With their outcome and legal moves, which are not part of being equal."""
    match = Match(key, BOARDS[key], first=1)
    match.move(match.position.legal[0])
    for position in (match.position, match.position.ended(resignation(2))):
        for again in (
            pickle.loads(pickle.dumps(position)),  # noqa: S301 - our own
            copy.copy(position),
            copy.deepcopy(position),
        ):
            assert again == position
            assert hash(again) == hash(position)
            assert (again.outcome, again.legal_mask) == (position.outcome, position.legal_mask)
            assert again.last_cell == position.last_cell
            assert again.game is position.game


# Going on


def test_a_move_is_given_as_text_or_as_a_number() -> None:
    """Both lead to the same position; the text may be typed loosely."""
    position = Position("number-run", RUN)
    assert position.after("0,1") == position.after(3) == position.after(" (0, 1) ")
    assert position.after("RIGHT").moves == ["0,1"]
    assert position.after("0,1").after("3,4").after("1,1").scores == (6, 2)


@pytest.mark.parametrize(
    ("move", "error"),
    [("4,4", IllegalMove), ("rubbish", UnreadableMove), (7, IllegalMove), (-1, IllegalMove)],
)
def test_a_bad_move_raises_and_names_what_is_possible(
    move: str | int, error: type[Exception]
) -> None:
    """Unreadable and illegal moves are told apart."""
    with pytest.raises(error, match=r"Possible: 0,1 1,0\."):
        Position("number-run", RUN).after(move)


@pytest.mark.parametrize(
    ("moves", "says", "error"),
    [
        (["0,1", "3,4", "9,9"], 'Move 3, "9,9": ', UnreadableMove),
        (["0,0"], 'Move 1, "0,0": ', IllegalMove),
        ([3, 7], 'Move 2, "7": ', IllegalMove),
        (["0,1", ""], 'Move 2, "": ', UnreadableMove),
    ],
)
def test_replay_names_the_first_bad_move_by_its_number(
    moves: list[str | int], says: str, error: type[GridwiseError]
) -> None:
    """The number counts from 1, and the kind of error stays."""
    with pytest.raises(error) as caught:
        Position("number-run", RUN, moves=moves)
    assert str(caught.value).startswith(says)


def test_replay_gives_every_position_and_stops_at_a_bad_move() -> None:
    """One position more than moves; those before a bad move can still be had."""
    moves = ["0,1", "3,4", "1,1"]
    positions = list(replay("number-run", RUN, 1, moves))
    assert [len(each.history) for each in positions] == [0, 1, 2, 3]
    assert [each.turn for each in positions] == [1, 2, 1, 2]
    assert positions[-1] == Position("number-run", RUN, moves=moves)
    assert positions[-1].moves == moves
    steps = replay("number-run", RUN, 1, ["0,1", "nonsense"])
    assert [next(steps).turn, next(steps).turn] == [1, 2]
    with pytest.raises(UnreadableMove):
        next(steps)


def test_boards_and_first_players_are_checked() -> None:
    """What cannot be played on is refused before the first position."""
    with pytest.raises(UnknownGame):
        Position("chess")
    with pytest.raises(BadRequest, match="needs a board"):
        Position("number-run")
    with pytest.raises(BadBoard):
        Position("number-run", Board(2, 2, (9, 9, 9, 9)))
    with pytest.raises(BadRequest, match="always goes first"):
        Position("number-run", RUN, first=2)
    assert Position("grid-conquest", CONQUEST, first=2).turn == 2
    assert Position("grid-runner").legal_moves == ["down", "right"]


# Hidden cells


def test_cells_nobody_has_seen_are_blank_from_the_start() -> None:
    """The constructor is given the whole board and keeps none of it."""
    position = Position("grid-conquest", CONQUEST)
    assert position.board.unknown == position.hidden == position.board.full
    assert position == Position("grid-conquest", HIDDEN) == Position("grid-conquest")
    assert start(game("grid-conquest"), game("grid-conquest").parse_board(CONQUEST)) == position


def test_a_move_keeps_what_it_has_turned_up_and_no_more() -> None:
    """The true board is handed in, and nine of its cells stay."""
    true = game("grid-conquest").parse_board(CONQUEST)
    after = Position("grid-conquest").after("C3", true)
    assert game("grid-conquest").board_text(after.board) == "?????/?425?/?345?/?152?/?????"
    assert after.scores == (4, 0)
    assert after == Position("grid-conquest", CONQUEST, moves=["C3"])


def test_a_move_that_turns_up_unknown_cells_needs_the_true_board() -> None:
    """Without it the position says which cell it would have to know."""
    with pytest.raises(BadBoard, match="Cell B2 has been turned up"):
        Position("grid-conquest").after("C3")


def test_a_game_that_is_won_shows_the_whole_board() -> None:
    """Once it is over there is nothing left to hide."""
    moves = ["C3", "D4", "D3", "A1", "B2", "B4", "C5"]
    *_, before, over = replay("grid-conquest", CONQUEST, 1, moves)
    assert before.board.unknown
    assert game("grid-conquest").board_text(over.board) == CONQUEST
    assert over.outcome == Outcome(1, Termination.TARGET, "reached 15 points")


# Ends


def test_a_game_can_be_ended_otherwise_than_by_its_rules() -> None:
    """A resignation has a winner and shows the board; a limit of plies has none and does not."""
    true = game("grid-conquest").parse_board(CONQUEST)
    position = Position("grid-conquest", CONQUEST, moves=["C3"])
    given_up = position.ended(resignation(2), true)
    assert given_up.outcome == Outcome(1, Termination.RESIGNATION, "Player 2 resigned")
    assert given_up.outcome.mark == "1-0"
    assert given_up.board == true
    assert (given_up.turn, given_up.legal, given_up.view.result) == (0, (), "p1")
    stopped = position.ended(unfinished(1), true)
    assert stopped.outcome
    assert (stopped.outcome.winner, stopped.outcome.mark, stopped.outcome.result) == (0, "*", "")
    assert stopped.outcome.termination is Termination.MAX_PLIES
    assert stopped.board == position.board
    assert position.outcome is None


START, STUCK = "reached the opponent's start", "the opponent has no valid moves"
EQUAL = "all cells claimed, equal"
HIGHER = "all cells claimed, higher"
ENDINGS = [
    # Every way in which each game can end: worked examples, and the shortest games of the others.
    ("number-run", "12/34", "0,1 1,0 1,1", 1, Termination.GOAL, START),
    ("number-run", "121", "0,1", 1, Termination.NO_MOVES, STUCK),
    ("number-maze", MAZE, "right left down up", 2, Termination.NO_MOVES, STUCK),
    ("number-maze", "4111/1111/1111/1111", "", 2, Termination.NO_MOVES, STUCK),
    ("number-maze", MAZE, "down left down up right", 1, Termination.GOAL, START),
    (
        "grid-runner",
        ".../.../...",
        "right up right left down left down",
        1,
        Termination.GOAL,
        START,
    ),
    ("grid-runner", ".X./X../...", "", 2, Termination.NO_MOVES, STUCK),
    ("grid-conquest", CONQUEST, "C3 D4 D3 A1 B2 B4 C5", 1, Termination.TARGET, "reached 15 points"),
    ("grid-conquest", "11/11", "A1 A2 B1 B2", 3, Termination.BOARD_FULL, f"{EQUAL} scores"),
    ("grid-conquest", "111", "A1 A2 A3", 1, Termination.BOARD_FULL, f"{HIGHER} score"),
    (
        *("number-connect", CONNECT, "0,0 0,3 0,1 1,3 1,0 0,2 1,1 1,2"),
        *(2, Termination.TARGET, "reached exactly 15"),
    ),
    (
        *("number-connect", "99/99", "0,0 0,1 1,0"),
        *(2, Termination.OVER_TARGET, "the opponent went over 15"),
    ),
    ("number-connect", "11/11", "0,0 0,1 1,0 1,1", 3, Termination.BOARD_FULL, f"{EQUAL} totals"),
    ("number-connect", "12/11", "0,0 0,1 1,0 1,1", 2, Termination.BOARD_FULL, f"{HIGHER} total"),
]


@pytest.mark.parametrize(("key", "board", "moves", "winner", "termination", "reason"), ENDINGS)
def test_how_a_game_ended_is_an_enum_and_a_few_words(
    key: str, board: str, moves: str, winner: int, termination: Termination, reason: str
) -> None:
    """Every way in which every game can end by its rules has its member of Termination."""
    outcome = Position(key, board, moves=moves.split()).outcome
    assert outcome == Outcome(winner, termination, reason)
    assert outcome.mark == ("*", "1-0", "0-1", "1/2-1/2")[winner]


# Moves


@pytest.mark.parametrize(
    ("key", "moves", "expected"),
    [
        ("number-run", "0,1 3,4", ["0,2", "1,1"]),
        ("number-run", "0,1 3,4 1,1 3,3 1,2 2,3", ["0,2", "1,3", "1,3!", "2,2", "2,2!"]),
        ("number-maze", "", ["down", "right"]),
        ("grid-runner", "right up", ["down", "left"]),
        ("number-connect", "0,0 3,3", ["0,1", "1,0"]),
    ],
)
def test_moves_are_listed_row_by_row_or_by_direction(
    key: str, moves: str, expected: list[str]
) -> None:
    """A step comes before the same step with a challenge; directions are up, down, left, right."""
    position = Position(key, BOARDS[key], moves=moves.split())
    assert position.legal_moves == expected
    assert [position.name(action) for action in position.legal] == expected
    assert [position.read(move) for move in expected] == list(position.legal)
    assert sum(1 << action for action in position.legal) == position.legal_mask
    assert all(position.is_legal(action) for action in position.legal)


def test_only_a_step_next_to_the_opponent_has_a_question() -> None:
    """It names the two actions that the answers make; other games ask nothing."""
    position = Position("number-run", RUN, moves=["0,1", "3,4", "1,1", "3,3", "1,2", "2,3"])
    plain, challenge = position.read("2,2"), position.read("2,2!")
    question = position.question(plain)
    assert question == position.question(challenge)
    assert question
    assert question.answers == {"yes": challenge, "no": plain}
    assert question.undecided == plain
    assert question.prompt == "Do you want to challenge? (yes/no): "
    assert question.lead[-1] == "Opponent is adjacent at (2,3)."
    assert position.question(position.read("0,2")) is None
    assert all(
        Position(key, board).question(action) is None
        for key, board in BOARDS.items()
        for action in Position(key, board).legal
    )


def test_targets_and_cells_have_names() -> None:
    """Where an action goes, as a cell and as text."""
    position = Position("grid-runner")
    assert [position.target(action) for action in position.legal] == [5, 1]
    assert [position.cell_name(cell) for cell in (5, 1)] == ["A2", "B1"]
    assert position.after("right").last_cell == 1
    assert position.last_cell == -1


# Pictures


def test_positions_matches_views_and_boards_draw_themselves() -> None:
    """`str` is the grid as text, and `_repr_svg_` a picture for notebooks."""
    match = Match("grid-runner")
    match.move("right")
    expected = """\
    A   B   C   D   E
  +---+---+---+---+---+
1 |   |P1 | X |   |   |
  +---+---+---+---+---+
2 |   |   |   |   |   |
  +---+---+---+---+---+
3 | X |   | X |   | X |
  +---+---+---+---+---+
4 |   |   |   |   |   |
  +---+---+---+---+---+
5 |   |   | X |   |P2 |
  +---+---+---+---+---+"""
    for drawn in (match, match.position, match.view):
        assert str(drawn) == expected
    for picture in (match, match.position, match.view, match.board):
        tree = ET.fromstring(picture._repr_svg_())  # noqa: S314 - our own
        assert tree.tag == "{http://www.w3.org/2000/svg}svg"
        assert len(tree.findall(".//{http://www.w3.org/2000/svg}g[@data-cell]")) == 25


def test_number_connect_shows_numbers_and_markers() -> None:
    """A claimed cell shows its owner's marker."""
    drawn = str(Position("number-connect", CONNECT, moves=["0,0", "0,3"]))
    assert "0 | X | 1 | 5 | O |" in drawn.splitlines()


def test_a_board_draws_its_numbers() -> None:
    """Known numbers, and a question mark for the others."""
    assert str(Board(2, 3, (1, 2, 3, 4, 0, 5))) == (
        "    1   2   3\n"
        "  +---+---+---+\n"
        "1 | 1 | 2 | 3 |\n"
        "  +---+---+---+\n"
        "2 | 4 | ? | 5 |\n"
        "  +---+---+---+"
    )


def test_scores_stand_above_the_grid() -> None:
    """In the games that have them."""
    position = Position("number-run", RUN, moves=["0,1", "3,4"])
    assert str(position).splitlines()[0] == "Scores: Player 1 has 1, Player 2 has 2."


@pytest.mark.parametrize(
    ("key", "moves", "player", "text"),
    [
        ("number-connect", "0,0", 1, "exactly 11 more to win"),
        ("number-connect", "0,0 0,3 0,1 1,3 1,0 0,2 1,1 1,2", 2, "15 reached"),
        ("number-connect", "3,0 0,0 2,0 0,1 2,1", 1, "4 over 15"),
        ("grid-conquest", "C3 D4 D3 A1 B2 B4 C5", 1, "15 reached"),
    ],
)
def test_what_a_player_needs_is_never_less_than_nothing(
    key: str, moves: str, player: int, text: str
) -> None:
    """`16 of 15` says nothing: the points are reached, or gone over where that loses."""
    last = [*replay(key, BOARDS[key], 1, moves.split())][-1]
    assert last.objective(player).text == text
