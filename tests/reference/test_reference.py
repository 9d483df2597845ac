"""The reference games against the games' texts: walkthroughs, rulings, and every kind of ending.

Expected values come from the texts, the rulings or arithmetic, never from a run. Nothing here
may import the product.
"""

import itertools
import json
import math
import random

import pytest

from . import REFERENCE, ReferenceGame
from .counts import CASES, DATA, Case, Count, counted, rows

RUN = "31425/25134/42513/14252/53142"
RUN_RICH_RIGHT = "31425/25134/42525/14255/53142"
MAZE = "1324/2132/4213/3421"
RUNNER = "..X../...../X.X.X/...../..X.."
CONQUEST = "53152/24251/43453/?1523/?2214"
CONQUEST_GAME = "C3 D4 D3 A1 B2 B4 C5"
CONNECT = "4152/6371/2845/9162"
CONNECT_GAME = "0,0 0,3 0,1 1,3 1,0 0,2 1,1 1,2"
USUAL = {
    "number-run": RUN,
    "number-maze": MAZE,
    "grid-runner": RUNNER,
    "grid-conquest": CONQUEST.replace("?", "1"),
    "number-connect": CONNECT,
}


def played(
    key: str, board: str, moves: str, first: int = 1, target: int | None = None
) -> ReferenceGame:
    """Play moves, separated by spaces, from the start."""
    game = REFERENCE[key](board, first, target)
    for move in moves.split():
        game.play(move)
    return game


def named(cells: str) -> set[tuple[int, int]]:
    """Read Grid Conquest's cell names, separated by spaces."""
    return {("ABCDE".index(name[0]), int(name[1]) - 1) for name in cells.split()}


# Number Run


def test_run_opens_like_the_text() -> None:
    """Each player has the two cells next to the own corner to begin with."""
    assert played("number-run", RUN, "").legal() == ["1,0", "0,1"]
    assert played("number-run", RUN, "0,1").legal() == ["3,4", "4,3"]
    assert played("number-run", RUN, "0,1").scores() == (1, 0)


def test_run_never_goes_back() -> None:
    """On the text's second turn the start cell is closed to Player 1."""
    game = played("number-run", RUN, "0,1 3,4")
    assert game.legal() == ["1,1", "0,2"]
    assert game.scores() == (1, 2)


def test_run_worked_example() -> None:
    """After three moves the scores are 6 and 2 and Player 2 has two cells."""
    game = played("number-run", RUN, "0,1 3,4 1,1")
    assert game.scores() == (6, 2)
    assert game.legal() == ["2,4", "3,3"]
    assert game.to_move() == 2
    assert game.owner_or_token() == {(1, 1): "P1", (3, 4): "P2"}


def test_run_challenge_won() -> None:
    """With 14 against 12 the challenger stays and the opponent goes home with nothing."""
    game = played("number-run", RUN_RICH_RIGHT, "1,0 3,4 1,1 2,4 2,1 2,3")
    assert game.legal() == ["3,1", "2,0", "2,2", "2,2!"]
    game.play("2,2!")
    assert game.scores() == (14, 0)
    assert game.owner_or_token() == {(2, 2): "P1", (4, 4): "P2"}
    assert game.legal() == ["4,3"]


def test_run_challenge_declined() -> None:
    """The same step without a challenge leaves the opponent and both scores alone."""
    game = played("number-run", RUN_RICH_RIGHT, "1,0 3,4 1,1 2,4 2,1 2,3 2,2")
    assert game.scores() == (14, 12)
    assert game.owner_or_token() == {(2, 2): "P1", (2, 3): "P2"}


def test_run_challenge_lost() -> None:
    """A challenger with less goes home, keeps the trail, and the turn passes."""
    game = played("number-run", "111/115/111", "0,1 1,2 1,1!")
    assert game.scores() == (0, 5)
    assert game.owner_or_token() == {(0, 0): "P1", (1, 2): "P2"}
    assert game.to_move() == 2
    game.play("0,2")
    assert game.legal() == ["1,0"]


def test_run_challenge_tied() -> None:
    """With equal scores a challenge changes nothing but the turn."""
    game = played("number-run", "111/112/111", "0,1 1,2 1,1!")
    assert game.scores() == (2, 2)
    assert game.owner_or_token() == {(1, 1): "P1", (1, 2): "P2"}
    assert game.to_move() == 2


def test_run_second_player_challenges() -> None:
    """Player 2 can challenge and win as well."""
    game = played("number-run", "1111/1151/1111", "0,1 2,2 0,2 1,2!")
    assert game.scores() == (0, 6)
    assert game.owner_or_token() == {(0, 0): "P1", (1, 2): "P2"}


def test_run_text_win() -> None:
    """From (4,3) with 22 points the only move is the corner, worth 24 and the game."""
    moves = "0,1 3,4 0,2 2,4 1,2 1,4 1,3 0,4 2,3 0,3 3,3 0,2 3,2 0,1 4,2 1,1 4,3 1,0"
    game = played("number-run", RUN, moves)
    assert game.legal() == ["4,4"]
    assert game.scores() == (22, 28)
    game.play("4,4")
    assert game.scores() == (24, 28)
    assert game.result() == "p1"


def test_run_second_player_wins_in_the_corner() -> None:
    """Player 2 wins by entering the top left corner once it is empty."""
    game = played("number-run", "111/111/111", "0,1 2,1 0,2 2,0 1,2 1,0 1,1 0,0")
    assert game.result() == "p2"
    assert game.to_move() is None


def test_run_no_challenge_on_the_winning_step() -> None:
    """Entering the corner next to the opponent offers no challenge."""
    game = played("number-run", "111/111/111", "1,0 2,1 2,0 1,1 2,1 1,2")
    assert game.legal() == ["1,1", "2,2", "1,1!"]


def test_run_trapped() -> None:
    """Between the own trail and the opponent there is no move, and that loses."""
    game = played("number-run", "111/111/111", "0,1 1,2 0,2 1,1 1,2 2,1 1,1 2,0 1,0")
    assert game.result() == "p1"
    assert game.legal() == []


def test_run_sent_home_and_trapped() -> None:
    """A loser of a challenge whose own trail fills the way out loses the game."""
    game = played("number-run", "11111", "0,1 0,3 0,2!")
    assert game.result() == "p1"
    assert game.owner_or_token() == {(0, 2): "P1", (0, 4): "P2"}


def test_run_challenger_sent_home_and_trapped() -> None:
    """A rash challenge can throw away a won game."""
    assert played("number-run", "11191", "0,1 0,3 0,2").result() == "p1"
    game = played("number-run", "11191", "0,1 0,3 0,2!")
    assert game.owner_or_token() == {(0, 0): "P1", (0, 3): "P2"}
    assert game.legal() == ["0,2"]
    game.play("0,2")
    assert game.result() == "p2"


def test_run_cannot_enter_an_occupied_corner() -> None:
    """On two cells Player 1 is blocked from the start and has lost."""
    assert played("number-run", "12", "").result() == "p2"


def test_run_one_row() -> None:
    """On four cells in a row the one who moves second to the middle wins."""
    assert played("number-run", "3142", "0,1 0,2").result() == "p2"
    assert played("number-run", "3142", "0,1 0,2!").result() == "p2"
    game = played("number-run", "1942", "0,1 0,2!")
    assert game.scores() == (9, 0)
    game.play("0,2")
    assert game.result() == "p1"


# Number Maze


def test_maze_worked_example() -> None:
    """The text's game leaves Player 1 on a four without a move, so Player 2 wins."""
    game = played("number-maze", MAZE, "right left down up")
    assert game.result() == "p2"
    assert game.owner_or_token() == {(3, 1): "P1", (1, 2): "P2"}
    assert game.legal() == []


def test_maze_first_choices() -> None:
    """A one in the corner leads down and right, and up and left for the other side."""
    assert played("number-maze", MAZE, "").legal() == ["down", "right"]
    assert played("number-maze", MAZE, "right").legal() == ["up", "left"]
    assert played("number-maze", MAZE, "right left").legal() == ["down"]
    assert played("number-maze", MAZE, "right left down").legal() == ["up", "left"]


def test_maze_lost_before_the_first_move() -> None:
    """A four in the first corner of a 4x4 board loses without a move."""
    game = played("number-maze", "4" + MAZE[1:], "")
    assert game.result() == "p2"
    assert game.to_move() is None


def test_maze_passes_over_the_opponent() -> None:
    """A token may jump over the opponent's."""
    game = played("number-maze", "13111", "right left")
    assert game.owner_or_token() == {(0, 1): "P1", (0, 3): "P2"}
    game.play("right")
    assert game.result() == "p1"


def test_maze_does_not_land_on_the_opponent() -> None:
    """A landing under the opponent's token is no move."""
    assert played("number-maze", "211", "").result() == "p2"
    game = played("number-maze", "111/211/111", "down left")
    assert game.owner_or_token() == {(1, 0): "P1", (2, 1): "P2"}
    assert game.legal() == ["right"]
    assert played("number-maze", "111/211/111", "down up").result() == "p2"


def test_maze_reaching_the_corner() -> None:
    """Landing on the empty corner of the opponent wins, for either side."""
    assert played("number-maze", "211/111/211", "down up").result() is None
    assert played("number-maze", "211/111/211", "down up right").result() == "p1"
    assert played("number-maze", "112/111/112", "right up down").result() is None
    assert played("number-maze", "112/111/112", "right up down left").result() == "p2"


def test_maze_second_player_stuck() -> None:
    """Player 2 loses without a move as well."""
    game = played("number-maze", "11/12", "right")
    assert game.legal() == []
    assert game.result() == "p1"


def test_maze_own_corner_is_ordinary() -> None:
    """Coming back to the own corner is a move like any other."""
    game = played("number-maze", "1111/1111/1111/1111", "right left left")
    assert game.owner_or_token()[0, 0] == "P1"
    assert game.result() is None


# Grid Runner


def test_runner_first_moves() -> None:
    """Player 1 begins with down and right, and at B1 with down and left."""
    assert played("grid-runner", RUNNER, "").legal() == ["down", "right"]
    assert played("grid-runner", RUNNER, "right up").legal() == ["down", "left"]


def test_runner_text_turns() -> None:
    """The text's two turns come out, Player 2 going back to the own corner."""
    game = played("grid-runner", RUNNER, "right up down")
    assert game.owner_or_token() == {(1, 1): "P1", (3, 4): "P2"}
    assert game.legal() == ["down", "left"]
    game.play("down")
    assert game.owner_or_token() == {(1, 1): "P1", (4, 4): "P2"}
    assert game.result() is None


def test_runner_text_win() -> None:
    """From D5, with Player 2 on A2, right reaches E5 and wins."""
    moves = "right left down up down up down up right left right left down left"
    game = played("grid-runner", RUNNER, moves)
    assert game.owner_or_token() == {(4, 3): "P1", (1, 0): "P2"}
    assert game.legal() == ["up", "right"]
    game.play("right")
    assert game.result() == "p1"
    assert game.scores() is None


def test_runner_second_player_wins() -> None:
    """Player 2 wins on A1, which Player 1 left."""
    moves = "right left down up down up down up right left right left down left up up"
    assert played("grid-runner", RUNNER, moves).result() == "p2"


def test_runner_blocked_by_the_opponent() -> None:
    """The opponent's cell is closed."""
    assert played("grid-runner", "....", "right left").legal() == ["left"]


def test_runner_stuck_loses() -> None:
    """On a custom board a player without a move loses, even before the first."""
    assert played("grid-runner", "...", "right").result() == "p1"
    assert played("grid-runner", ".X/X.", "").result() == "p2"
    assert played("grid-runner", "..", "").result() == "p2"


@pytest.mark.parametrize("board", ["X./..", "../.X"])
def test_runner_refuses_blocked_corners(board: str) -> None:
    """A board with an obstacle on a start cell is no board for this game."""
    with pytest.raises(ValueError, match="start cell"):
        REFERENCE["grid-runner"](board)


# Grid Conquest


def test_conquest_worked_example() -> None:
    """The text's game ends 16 to 12 for Player 1."""
    game = played("grid-conquest", CONQUEST, CONQUEST_GAME)
    assert game.scores() == (16, 12)
    assert game.result() == "p1"
    owners = game.owner_or_token()
    assert {cell for cell, owner in owners.items() if owner == "P1"} == named("C3 D3 B2 C5")
    assert {cell for cell, owner in owners.items() if owner == "P2"} == named("D4 A1 B4")


def test_conquest_scores_turn_by_turn() -> None:
    """The scores after each of the text's turns come out."""
    game = played("grid-conquest", CONQUEST, "")
    expected = [(4, 0), (4, 2), (9, 2), (9, 7), (13, 7), (13, 12), (16, 12)]
    for move, scores in zip(CONQUEST_GAME.split(), expected, strict=True):
        game.play(move)
        assert game.scores() == scores


def test_conquest_reveals() -> None:
    """Each of the text's claims shows the cells round it, C5 on the second turn included."""
    game = played("grid-conquest", CONQUEST, "")
    seen = named("")
    for move, shown in [
        ("C3", "C3 B2 B3 B4 C2 C4 D2 D3 D4"),
        ("D4", "C5 D5 E3 E4 E5"),
        ("D3", "E2"),
        ("A1", "A1 A2 B1"),
        ("B2", "A3 C1"),
        ("B4", "A4 A5 B5"),
        ("C5", ""),
    ]:
        assert game.visible() == seen
        game.play(move)
        seen |= named(shown)
    assert len(seen) == 25 - len(["D1", "E1"])
    assert game.visible() == seen


def test_conquest_offers_every_free_cell() -> None:
    """Hidden and revealed cells can be claimed, claimed ones cannot."""
    game = played("grid-conquest", CONQUEST, "")
    assert game.legal()[:6] == ["A1", "A2", "A3", "A4", "A5", "B1"]
    game.play("A2")
    assert game.legal()[:5] == ["A1", "A3", "A4", "A5", "B1"]
    with pytest.raises(ValueError, match="A2"):
        game.play("A2")


def test_conquest_second_player_may_start() -> None:
    """After a lost toss Player 2 starts and scores."""
    game = played("grid-conquest", CONQUEST, "", first=2)
    assert game.to_move() == 2
    game.play("C3")
    assert game.scores() == (0, 4)
    assert game.to_move() == 1


def test_conquest_exactly_the_target() -> None:
    """Fifteen is enough."""
    game = played("grid-conquest", "555/555/555", "A1 A2 A3 B1 B2")
    assert game.scores() == (15, 10)
    assert game.result() == "p1"


def test_conquest_second_player_wins() -> None:
    """Player 2 can be the first to reach the target."""
    game = played("grid-conquest", "555/111/555", "B1 A1 B2 A2 B3 A3")
    assert game.scores() == (3, 15)
    assert game.result() == "p2"


def test_conquest_full_board() -> None:
    """When nothing is left the higher score wins, and equal scores are a draw."""
    assert played("grid-conquest", "12/34", "A1 B2 A2 B1").result() == "p2"
    assert played("grid-conquest", "12/34", "B2 A1 B1 A2").result() == "p1"
    assert played("grid-conquest", "12/34", "A1 A2 B2 B1").result() == "draw"


def test_conquest_target_on_the_last_cell() -> None:
    """The target may be reached with the very last cell, or long before."""
    game = played("grid-conquest", "1225", "A1 A3 A2 A4", target=7)
    assert game.result() == "p2"
    assert played("grid-conquest", "11/11", "A1 A2 B1", target=2).result() == "p1"


def test_conquest_unknown_values() -> None:
    """An unknown cell is on offer, but the reference refuses to guess its worth."""
    game = played("grid-conquest", CONQUEST, "")
    assert "D1" in game.legal()
    with pytest.raises(ValueError, match="not known"):
        game.play("D1")
    assert game.owner_or_token() == {}


# Number Connect


def test_connect_worked_example() -> None:
    """The text's game ends 14 to 15: Player 2 wins."""
    game = played("number-connect", CONNECT, CONNECT_GAME)
    assert game.scores() == (14, 15)
    assert game.result() == "p2"


def test_connect_choices_turn_by_turn() -> None:
    """Every cell in touch is on offer, those the walkthrough leaves out included."""
    game = played("number-connect", CONNECT, "")
    for move, free in [
        ("0,0", None),
        ("0,3", None),
        ("0,1", "0,1 1,0"),
        ("1,3", "0,2 1,3"),
        ("1,0", "0,2 1,0 1,1"),
        ("0,2", "0,2 1,2 2,3"),
        ("1,1", "1,1 2,0"),
        ("1,2", "1,2 2,3"),
    ]:
        if free is not None:
            assert game.legal() == free.split()
        game.play(move)


def test_connect_scores_turn_by_turn() -> None:
    """The totals after each of the walkthrough's turns come out."""
    game = played("number-connect", CONNECT, "")
    totals = [(4, 0), (4, 2), (5, 2), (5, 3), (11, 3), (11, 8), (14, 8), (14, 15)]
    for move, scores in zip(CONNECT_GAME.split(), totals, strict=True):
        game.play(move)
        assert game.scores() == scores


def test_connect_first_claims_are_free() -> None:
    """Both first claims may be any free cell."""
    assert len(played("number-connect", CONNECT, "").legal()) == 16
    assert len(played("number-connect", CONNECT, "2,2").legal()) == 15


def test_connect_over_the_target() -> None:
    """Going over loses at once, and a player who can claim must."""
    game = played("number-connect", "99/99", "0,0 0,1")
    assert game.legal() == ["1,0"]
    game.play("1,0")
    assert game.scores() == (18, 9)
    assert game.result() == "p2"
    assert played("number-connect", "1999/1999", "0,0 0,3 1,0 0,2").result() == "p1"


def test_connect_exact_target() -> None:
    """Player 1 wins with exactly the target."""
    game = played("number-connect", "69/12", "0,0 1,0 0,1")
    assert game.scores() == (15, 1)
    assert game.result() == "p1"


def test_connect_pass() -> None:
    """A player who is closed in passes, and the other claims on."""
    game = played("number-connect", "11111", "0,1 0,0 0,2")
    assert game.to_move() == 1
    assert game.legal() == ["0,3"]
    game.play("0,3")
    assert game.to_move() == 1
    game.play("0,4")
    assert game.scores() == (4, 1)
    assert game.result() == "p1"


def test_connect_pass_of_the_first_player() -> None:
    """Player 1 can be closed in as well, and then Player 2 may be pushed over the target."""
    game = played("number-connect", "119", "0,0 0,1")
    assert game.to_move() == 2
    assert game.legal() == ["0,2"]
    game.play("0,2")
    assert game.result() == "p2"
    assert played("number-connect", "119", "0,0 0,1 0,2", target=9).result() == "p1"


def test_connect_alone() -> None:
    """A player who closes the other in claims all the rest, up to the target."""
    closing = "1,0 0,0 1,1 0,1 1,2 0,2 1,3 0,3"
    cells = [f"{row},{column}" for row in range(4) for column in range(4)]
    rest = [cell for cell in cells if cell not in closing.split()]
    game = played("number-connect", "1111/1111/1111/1111", " ".join([closing, *rest]))
    assert game.scores() == (12, 4)
    assert game.result() == "p1"
    game = played("number-connect", "1111/1111/1111/1111", " ".join([closing, *rest[:5]]), target=9)
    assert game.scores() == (9, 4)
    assert game.result() == "p1"


def test_connect_full_board() -> None:
    """When all is claimed the higher total wins, and equal totals are a draw."""
    assert played("number-connect", "12/34", "1,1 0,0 1,0 0,1").result() == "p1"
    assert played("number-connect", "12/34", "0,0 1,1 0,1 1,0").result() == "p2"
    assert played("number-connect", "12/21", "0,0 1,1 0,1 1,0").result() == "draw"
    assert played("number-connect", "3", "0,0").result() == "p1"


# All five


@pytest.mark.parametrize("key", REFERENCE)
def test_illegal_moves_change_nothing(key: str) -> None:
    """Refused text leaves the game as it was."""
    game = REFERENCE[key](USUAL[key])
    before = (game.legal(), game.scores(), game.owner_or_token(), game.visible())
    for text in ("", "9,9", "Z9", "nowhere", "0,0!", " up", "a1"):
        with pytest.raises(ValueError, match="is not one of"):
            game.play(text)
    assert before == (game.legal(), game.scores(), game.owner_or_token(), game.visible())


@pytest.mark.parametrize("key", REFERENCE)
def test_copies_go_their_own_way(key: str) -> None:
    """Playing on in a copy does not touch the game it came from."""
    game = REFERENCE[key](USUAL[key])
    before = vars(game.copy())
    twin = game.copy()
    for _ in range(3):
        twin.play(twin.legal()[-1])
    assert vars(game) == before
    assert vars(twin) != before


@pytest.mark.parametrize("key", REFERENCE)
def test_random_games_are_coherent(key: str) -> None:
    """There is a mover with a move exactly as long as there is no result."""
    for seed in range(20):
        game, rng = REFERENCE[key](USUAL[key]), random.Random(seed)
        for _ in range(200):
            assert (game.to_move() is None) == (game.legal() == []) == (game.result() is not None)
            if game.result() is not None:
                break
            game.play(rng.choice(game.legal()))
        assert key in {"number-maze", "grid-runner"} or game.result() is not None


@pytest.mark.parametrize("key", REFERENCE)
@pytest.mark.parametrize("board", ["", "1/", "11/1", "ab/cd", "00/00"])
def test_bad_boards_are_refused(key: str, board: str) -> None:
    """What is no rectangle of the game's letters is no board."""
    with pytest.raises(ValueError, match=r"rectangle|unexpected"):
        REFERENCE[key](board)


@pytest.mark.parametrize("key", ["number-run", "number-maze", "grid-runner"])
def test_tokens_need_two_cells(key: str) -> None:
    """Two tokens do not fit on one cell."""
    with pytest.raises(ValueError, match="too few"):
        REFERENCE[key]("." if key == "grid-runner" else "1")


@pytest.mark.parametrize("key", [key for key in REFERENCE if key != "grid-conquest"])
def test_player_one_starts_elsewhere(key: str) -> None:
    """Only Grid Conquest lets Player 2 start."""
    with pytest.raises(ValueError, match="cannot start"):
        REFERENCE[key](USUAL[key], 2)


@pytest.mark.parametrize("key", ["number-run", "number-maze", "grid-runner"])
def test_games_without_target_take_none(key: str) -> None:
    """A target is refused where the game has none."""
    with pytest.raises(ValueError, match="played to"):
        REFERENCE[key](USUAL[key], 1, 15)


@pytest.mark.parametrize("key", REFERENCE)
def test_visible_cells(key: str) -> None:
    """All cells are open from the start, except in Grid Conquest, where none is."""
    game = REFERENCE[key](USUAL[key])
    cells = len(USUAL[key].replace("/", ""))
    assert len(game.visible()) == (0 if key == "grid-conquest" else cells)


# Counts


def test_counts_of_free_claims() -> None:
    """Grid Conquest's sequences are arrangements as long as nobody can have won."""
    found = counted(Case("grid-conquest", "555/555/555", None))
    assert [row.sequences for row in found] == [math.perm(9, n) for n in range(1, 6)] + [0]
    assert found[4] == Count(math.perm(9, 5), math.perm(9, 5), 0, 0)


def test_counts_of_first_claims() -> None:
    """All nines end Number Connect on ply three, always for Player 2."""
    found = counted(Case("number-connect", "9999/9999/9999/9999", None))
    assert found[:2] == [Count(16, 0, 0, 0), Count(240, 0, 0, 0)]
    assert found[2].sequences == found[2].p2
    assert found[3] == Count(0, 0, 0, 0)


def test_counts_mirror_with_the_board() -> None:
    """Reflecting a board in its diagonal changes no count."""
    wide, tall = Case("number-run", "3142/2513", None), Case("number-run", "32/15/41/23", None)
    assert counted(wide) == counted(tall)


def test_counts_scale_with_the_values() -> None:
    """Number Run on all ones and on all fives is the same game."""
    ones, fives = Case("number-run", "111/111/111", None), Case("number-run", "555/555/555", None)
    assert counted(ones) == counted(fives)


def test_counts_swap_with_the_toss() -> None:
    """Who starts Grid Conquest only changes whose wins they are."""
    ours = counted(Case("grid-conquest", "524/315", None, first=1))
    theirs = counted(Case("grid-conquest", "524/315", None, first=2))
    assert ours == [Count(row.sequences, row.p2, row.p1, row.draw) for row in theirs]


def test_counts_end_where_they_end() -> None:
    """In a game counted to the end every sequence ends or goes on."""
    found = counted(Case("number-connect", "3142/1213", None, target=9))
    assert found[-1].sequences == 0
    assert sum(row.p1 + row.p2 + row.draw for row in found) > 0
    for row, following in itertools.pairwise(found):
        going_on = row.sequences - row.p1 - row.p2 - row.draw
        assert (going_on == 0) == (following.sequences == 0)


def test_stored_counts_are_of_these_cases() -> None:
    """The stored file holds the listed cases, and the quick ones come out again."""
    stored = json.loads(DATA.read_text(encoding="utf-8"))
    kept = {(row["game"], row["board"], row["first"], row["target"]) for row in stored}
    assert kept == {(case.game, case.board, case.first, case.target) for case in CASES}
    for row in stored:
        if row["depth"] <= 2:
            case = Case(row["game"], row["board"], row["depth"], row["first"], row["target"])
            assert rows(case)[-1] == row
