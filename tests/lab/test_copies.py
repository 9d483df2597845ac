"""Pairs that are copies: where nobody draws what to play, a board counts once in the arena too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gridwise import Match, Position
from gridwise.core.registry import game
from gridwise.lab.run import LocalProcesses
from gridwise.lab.store import FILE_NAME
from gridwise.lab.tournament.ratings import Pairs
from gridwise.lab.tournament.report import as_text, information_lines, tournament_json
from gridwise.lab.tournament.run import Standings, Tally
from gridwise.lab.tournament.schedule import Schedule
from gridwise.lab.tournament.sprt import Sprt, SprtVerdict
from gridwise.play.boards import board_source
from tests.lab.executor_tasks import lose_half
from tests.lab.tournament import PATIENT, result

CONNECT = game("number-connect")
# The first legal move takes both games from the last one on three of them, and neither on the last.
WON = ["3257/7515/9793/9557", "3343/6665/6845/7184", "7856/8615/3543/4785"]
LOST = "6511/6991/8856/6438"
FIRST, LAST = (f"python:tests.lab.test_copies:{name}" for name in ("First", "Last"))


class First:
    """A player who always plays alike."""

    which = 0

    def __init__(self, *_: object) -> None:
        """For any game and seed."""

    def choose(self, position: Position) -> str:
        """The first of the moves."""
        return position.legal_moves[self.which]


class Last(First):
    """Another one: the last of the moves."""

    which = -1


def plan(boards: list[str], pairs: int) -> Schedule:
    """A schedule of the two on some boards."""
    return Schedule([FIRST, LAST], [board_source(CONNECT, boards=boards)], pairs, 0, limits=PATIENT)


def points(board: str, side: int) -> float:
    """What the first of them gets as Player 1 or 2, played by hand."""
    position = Match(CONNECT, board=board).position
    while not position.outcome:
        player = First() if position.turn == side else Last()
        position = position.after(player.choose(position))
    return float(position.outcome.winner == side)


def pair(board: str, moves: str, winners: tuple[int, int], ending: str = "goal") -> Any:  # noqa: ANN401
    """A pair of games as `play_block` reports it; the same moves in both."""
    return [
        {"board": board, "moves": list(moves), "winner": winner, "ending": ending, "swapped": at}
        for at, winner in enumerate(winners)
    ]


def counted(*pairs: Any) -> Tally:  # noqa: ANN401 - as above
    """The match of these pairs."""
    standings = Standings(["A", "B"], ["number-connect"])
    for each in pairs:
        standings.add(0, 1, "number-connect", each)
    return standings.match()


WW, LL = (1, 2), (2, 1)


def test_each_board_is_one_pair_however_often_it_comes() -> None:
    """60 pairs on four boards are four pairs of evidence; games and sides are of all of them."""
    boards = [*WON, LOST]
    assert [[points(board, side) for side in (1, 2)] for board in boards] == [[1, 1]] * 3 + [[0, 0]]
    found = result(plan(boards, 60))
    match, said = found.standings.match(), tournament_json(found)
    assert (match.pairs, match.played, match.games) == (Pairs(ww=3, ll=1), 60, 120)
    assert said["score"]["value"] == 0.75
    assert said["score"]["low"] < 0.5  # four boards prove nothing
    assert (said["pairs"], said["matches"][0]["copies"]) == ([1, 0, 0, 0, 3], 56)
    text = as_text(found)
    assert "60 pairs, 120 games" in text
    assert "56 of 60 pairs are copies: on a board both always play alike." in text
    assert f"Games   {match.wins} won, {120 - match.wins} lost" in text


def test_copies_decide_no_test() -> None:
    """Three boards that one player wins would soon be H1: it stops, undecided, after 100 copies."""
    found = result(plan(WON, 1000), sprt=Sprt(0, 50))
    assert found.verdict is SprtVerdict.NO_INFORMATION
    assert found.standings.match().pairs == Pairs(ww=3)
    assert 100 <= found.standings.pairs <= 130
    undecided = result(plan(WON, 60), sprt=Sprt(0, 50))
    assert undecided.verdict is SprtVerdict.CONTINUE
    assert "Not decided after 60 pairs; more boards may decide it." in as_text(undecided)


def test_one_board_is_no_evidence_even_for_the_wildest_claims() -> None:
    """A single pair speaks for 1000 Elo rather than -1000; it is not asked."""
    test = Sprt(-1000, 1000, "logistic")
    assert test.llr(Pairs(ww=1)) > test.bounds[1]
    found = result(plan(WON[:1], 1000), sprt=test)
    assert (found.verdict, found.standings.pairs) == (SprtVerdict.NO_INFORMATION, 100)
    assert tournament_json(found)["informative"] is False


def test_different_boards_decide_a_test_as_ever() -> None:
    """Where no board comes again every pair counts, though nobody draws: dealt boards."""
    schedule = Schedule([FIRST, LAST], [board_source(CONNECT)], 200, 0, limits=PATIENT)
    found = result(schedule, sprt=Sprt(-50, 300, "logistic"))
    assert found.standings.match().copies.total == 0
    assert found.decided
    assert found.standings.match().pairs.total == found.standings.pairs


def test_interruptions_do_not_change_what_is_a_copy(
    tmp_path: Path, two_workers: LocalProcesses
) -> None:
    """In one process, in two, and after half of the results are lost, all figures agree."""
    schedule = plan([*WON, LOST], 60)

    def figures(*where: Any) -> str:  # noqa: ANN401 - a folder and an executor
        return json.dumps(tournament_json(result(schedule, *where)))

    once = figures()
    assert figures(tmp_path, two_workers) == once
    lose_half(tmp_path / FILE_NAME)
    assert figures(tmp_path, two_workers) == once


def test_where_one_pair_differs_all_of_them_count() -> None:
    """Somebody draws what to play: then a pair that comes again says how likely it is."""
    same = pair("12/34", "abc", WW)
    assert (counted(same, same, same).pairs, counted(same, same).copies) == (
        Pairs(ww=1),
        Pairs(ww=1),
    )
    for other in (
        pair("12/34", "abd", WW),
        pair("12/34", "abc", LL),
        pair("12/34", "abc", WW, "crash"),
    ):
        for order in ([same, same, other, same], [other, same, same, same]):
            match = counted(*order)
            assert (match.pairs.total, match.copies.total) == (4, 0)
            assert not information_lines(match)
    elsewhere = counted(same, same, pair("43/21", "abd", LL), same)
    assert (elsewhere.pairs, elsewhere.copies) == (Pairs(ww=1, ll=1), Pairs(ww=2))


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_copies_at_one_game_leave_the_pairs_of_another(order: tuple[int, int]) -> None:
    """Together a match has one pair of a game that is always alike, and all of the other's."""
    standings = Standings(["A", "B"], ["grid-runner", "number-connect"])
    for number in range(10):
        both = [
            ("grid-runner", pair("..", "abc", WW)),
            ("number-connect", pair(str(number), "abc", LL)),
        ]
        for which in order:
            standings.add(0, 1, *both[which])
    assert (standings.pairs, standings.match().pairs) == (20, Pairs(ww=1, ll=10))
    assert standings.of_player(1).pairs == Pairs(ll=1, ww=10)
    assert standings.of_player(1).copies == Pairs(ll=9)
    assert standings.of_player(1).wins == 20
