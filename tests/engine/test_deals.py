"""Even boards hang on play, fair ones are lively, uniform ones are as the texts say; handicaps."""

from __future__ import annotations

import random
from functools import cache

import pytest
from tic_tac_toe import GAME as TIC_TAC_TOE

from gridwise import Match, bot
from gridwise.core.bits import bit_indices
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.position import start
from gridwise.core.registry import game, games
from gridwise.core.rng import Rng, Stream
from gridwise.engine import deals
from gridwise.engine.deals import KINDS, casual_share, deal
from gridwise.engine.evaluation import evaluate
from gridwise.errors import BadBoard, BadRequest
from gridwise.play.records import parse_record, record_text
from tests.engine.forcing import can_force, peer_of
from tests.engine.new_python import run_python
from tests.sizes import sample

CHOSEN = ["number-maze", "number-connect", "number-run"]  # where boards are chosen among


@cache
def even_board(key: str, seed: int) -> Board:
    """An even deal, which takes a while."""
    return deal(game(key), Stream(seed), "even")


@pytest.mark.parametrize("each", games(), ids=lambda each: each.key)
def test_nobody_loses_before_having_moved_on_a_fair_board(each: object) -> None:
    """After any first move the other player has a move too."""
    found = game(each.key)  # type: ignore[attr-defined]
    rules = found.rules
    for seed in range(25):
        board = deal(found, random.Random(seed), "fair")
        opening = rules.start(board, 1)
        assert rules.moves(board, opening)
        for action in bit_indices(rules.moves(board, opening)):
            assert rules.moves(board, rules.play(board, opening, action))


def test_one_uniform_number_maze_board_in_four_is_lost_at_once() -> None:
    """A 4 under Player 1 is a dead end: a quarter of uniform boards, no fair one."""
    maze = game("number-maze")
    rng = random.Random(5)
    lost = sum(maze.deal(rng).cells[0] == 4 for _ in range(2000))
    assert 400 < lost < 600
    assert all(deal(maze, random.Random(seed), "fair").cells[0] != 4 for seed in range(40))


def test_an_even_deal_does_not_depend_on_what_was_searched_before() -> None:
    """Nor on the clock: another process, and another order, deals the same; fair ones too."""
    code = (
        "from gridwise import game; from gridwise.core.rng import Stream\n"
        "from gridwise.engine.deals import deal\n"
        f"for key in {CHOSEN[::-1]}:\n"
        "    for kind in ('fair', 'even'):\n"
        "        print(game(key).board_text(deal(game(key), Stream(0), kind)))"
    )
    there = run_python(code).stdout.split()
    here: list[str] = []
    for key in CHOSEN[::-1]:
        boards = deal(game(key), Stream(0), "fair"), even_board(key, 0)
        here += map(game(key).board_text, boards)
    assert there == here


@pytest.mark.parametrize(
    ("key", "boards"), [("number-maze", sample(3, long=8)), ("number-run", sample(1, long=3))]
)
def test_on_an_even_board_nobody_wins_within_three_moves(key: str, boards: int) -> None:
    """Found out by the reference rules, move by move, for both sides."""
    for seed in range(boards):
        peer = peer_of(start(game(key), even_board(key, seed)))
        assert not can_force(peer, 1, 5)
        assert not can_force(peer, 2, 6)


def test_on_an_even_board_number_connect_takes_more_than_six_plies() -> None:
    """A board is won for Player 1 or Player 2, but not soon."""
    connect = game("number-connect")
    for seed in range(sample(3, long=8)):
        found = evaluate(start(connect, even_board(connect.key, seed)))
        assert found.distance is None or found.distance > 6


def test_a_board_is_even_from_thirty_games_of_a_hundred_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board on which the unluckier side wins fewer is not dealt if another comes up."""
    looked_at: list[Board] = []

    def share_of(_: Game, board: Board, __: Rng) -> tuple[float, int]:
        looked_at.append(board)
        return (0.29, 0.3, 0.5)[len(looked_at) - 1], 100

    monkeypatch.setattr(deals, "casual_share", share_of)
    dealt = deal(game("number-maze"), Stream(1), "even")
    assert (len(looked_at), looked_at[-1]) == (2, dealt)


@pytest.mark.parametrize("key", ["number-maze", "number-connect"])
def test_casual_bots_split_even_boards(key: str) -> None:
    """With other numbers than those of the deal: overall, and no board is one-sided."""
    each, wins = game(key), [0, 0, 0, 0]
    for seed in range(sample(3, long=10)):
        board = even_board(key, seed)
        share, _ = casual_share(each, board, Stream(f"again {seed}"))
        assert share > 0.1  # fair boards of Number Maze have less than 0.15 in 60 of 100
        casual = [bot(each, "casual", f"{seed} {side}") for side in (1, 2)]
        for _ in range(30):
            match = Match(each, board, max_plies=200)
            while not match.outcome:
                match.move(casual[match.turn - 1].choose(match.position))
            wins[match.outcome.winner] += 1
    assert 0.4 < wins[1] / (wins[1] + wins[2]) < 0.6


def test_where_there_is_one_board_it_is_the_even_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A standard one, or one whose cells are all alike; others are not even looked for."""
    for look in ("is_safe", "fewer_wins"):
        monkeypatch.setattr(deals, look, None)
    runner = game("grid-runner")
    for kind in KINDS:
        assert deal(runner, Stream(1), kind) == runner.parse_board(runner.fixed)
        assert deal(TIC_TAC_TOE, Stream(1), kind) == TIC_TAC_TOE.parse_board("111/111/111")


def test_where_cells_are_face_down_all_deals_are_uniform() -> None:
    """Choosing among boards would tell something about hidden cells, so nothing is chosen."""
    conquest = game("grid-conquest")
    for kind in KINDS:
        assert deal(conquest, random.Random(8), kind) == conquest.deal(random.Random(8))


def test_a_board_too_small_to_be_fair_is_dealt_all_the_same() -> None:
    """On 1x2 nobody can move, whatever the numbers; there is still a board."""
    for kind in KINDS:
        assert deal(game("number-maze"), random.Random(1), kind, rows=1, cols=2).size == 2


def test_other_kinds_of_deal_do_not_exist() -> None:
    """The message names the three there are."""
    with pytest.raises(BadRequest, match="even, fair or uniform"):
        deal(game("number-run"), random.Random(1), "kind")


def test_number_run_with_a_head_start_goes_either_way() -> None:
    """On uniform boards perfect play is won about equally often by either side."""
    run = game("number-run")
    assert run.handicap
    rng = random.Random(21)
    wins = 0
    for _ in range(60):
        evaluation = evaluate(Match(run, run.handicap.even(run.deal(rng))).position)
        wins += evaluation.value == "win"
    assert 18 <= wins <= 42  # 60 throws of a fair coin stay within three standard deviations


def test_grid_runner_a_row_shorter_is_endless_and_can_be_won() -> None:
    """Neither side can force a win, where Player 1 could before; and casual bots win from both."""
    runner = game("grid-runner")
    assert runner.handicap
    board = runner.parse_board(runner.fixed)
    shorter = runner.handicap.even(board)
    assert evaluate(Match(runner, board).position).value == "win"
    assert evaluate(Match(runner, shorter).position).value == "endless"
    wins = {0: 0, 1: 0, 2: 0}
    for seed in range(60):
        match = Match(runner, shorter, max_plies=200)
        bots = [bot(runner, "casual", f"{seed} {player}") for player in (1, 2)]
        while not match.outcome:
            match.move(bots[match.turn - 1].choose(match.position))
        wins[match.outcome.winner] += 1
    assert min(wins[1], wins[2]) >= 18  # 60 throws of a fair coin, three standard deviations


def test_a_handicap_is_part_of_the_record() -> None:
    """It is written, read back, and the game resumes with it."""
    run = game("number-run")
    assert run.handicap
    match = Match(run, run.handicap.even(run.deal(random.Random(1))))
    assert match.view.scores == (0, 7)
    assert [cell.name for cell in match.view.cells if cell.token == 2] == ["3,3"]
    text = record_text(match.record())
    assert '[Handicap "7"]' in text
    assert parse_record(text) == match.record()


def test_a_handicap_where_there_is_none_is_refused() -> None:
    """Only Number Run has one in points, and it needs room."""
    with pytest.raises(BadBoard, match="no handicap"):
        game("number-maze").parse_board("11/11", handicap=3)
    with pytest.raises(BadBoard, match="at least 3 rows"):
        game("number-run").parse_board("11/11", handicap=3)
