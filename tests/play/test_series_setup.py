"""Games of a series: what the setup of the next game takes over from the one just played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from gridwise.play.ladder import Help
from gridwise.play.library import Library
from gridwise.play.records import read_record, write_record
from gridwise.play.series import BOTH_SIDES, Series
from gridwise.play.session import PlaySession
from gridwise.play.setup import Setup
from gridwise.players.new_match import set_up

BOARD = "4152/6371/2845/9162"
WON_BY_TWO = ("0,0", "0,3", "0,1", "1,3", "1,0", "0,2", "1,1", "1,2")
BEST_OF_3 = Setup(game="number-connect", p2="bot:casual", board=BOARD, series=Series(3))


def played(setup: Setup, moves: Sequence[str] = WON_BY_TWO) -> PlaySession:
    """A game of a setup after some moves."""
    session = set_up(setup)
    for move in moves:
        session.match.move(move)
    return session


def test_the_next_game_swaps_sides_and_keeps_the_score() -> None:
    """The bot won as Player 2; in the next game it is Player 1, with its point."""
    session = played(BEST_OF_3)
    assert session.tags == {"BestOf": "3", "Round": "1", "Score": "0-0"}
    following = BEST_OF_3.next_game(session)
    assert (following.p1, following.p2) == ("bot:casual", "human")
    assert set_up(following).tags == {"BestOf": "3", "Round": "2", "Score": "1-0"}


def test_a_game_from_a_file_goes_on_in_its_series(tmp_path: Path) -> None:
    """Nothing but its tags is needed."""
    session = played(BEST_OF_3, WON_BY_TWO[:-1])
    write_record(session.record(), tmp_path / "kept.gwr")
    setup = Setup(resume=tmp_path / "kept.gwr")
    resumed = set_up(setup)
    resumed.match.move(WON_BY_TWO[-1])
    assert setup.next_game(resumed).series == Series(3, 2, (2, 0))
    write_record(resumed.record(), tmp_path / "kept.gwr")
    assert read_record(tmp_path / "kept.gwr").tags["Round"] == "1"


@pytest.mark.parametrize("series", [Series(3, 2, (0, 2)), Series(1)])
def test_after_the_last_game_a_new_series_begins(series: Series) -> None:
    """Playing again after 2 to 0 starts at 0 to 0; after a single game comes a single game."""
    setup = Setup(game="number-connect", board=BOARD, series=series)
    session = played(setup)
    assert bool(session.tags) == (series.best_of > 1)
    assert setup.next_game(session).series == Series(series.best_of)


def test_the_next_game_after_a_resumed_one_is_as_large(tmp_path: Path) -> None:
    """And is played for the same target."""
    session = set_up(Setup(game="number-connect", size="3x5", target=21))
    write_record(session.record(), tmp_path / "kept.gwr")
    setup = Setup(resume=tmp_path / "kept.gwr")
    resumed = set_up(setup)
    resumed.match.resign()
    board = set_up(setup.next_game(resumed)).match.board
    assert (board.rows, board.cols, board.target) == (3, 5, 21)


def test_a_series_that_was_left_between_two_games_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last game is over and its series is not: it is offered, and leads to the next game."""
    monkeypatch.setenv("GRIDWISE_HOME", str(tmp_path))
    session = played(BEST_OF_3)
    session.save()
    offered = Library().last_unfinished()
    assert offered is not None
    assert (offered.path, offered.next_round) == (session.path, 2)
    following = set_up(Setup(resume=offered.path))
    assert following.players == ("bot:casual", "human")
    assert (following.tags["Round"], following.tags["Score"]) == ("2", "1-0")
    assert following.match.moves == []
    following.match.resign(2)
    assert following.path is None, "the finished game stays as it is"


def test_a_series_that_is_decided_is_not_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two wins of three are enough."""
    monkeypatch.setenv("GRIDWISE_HOME", str(tmp_path))
    session = played(replace(BEST_OF_3, series=Series(3, 2, (0, 2))))
    session.save()
    assert Library().last_unfinished() is None


BOTH = Setup(game="number-connect", p2="bot:casual", series=Series(BOTH_SIDES))


def test_both_sides_are_played_on_one_board() -> None:
    """The same numbers and the same target, once from either side; then on another board."""
    first = set_up(replace(BOTH, target=20))
    first.match.resign(2)
    second_setup = replace(BOTH, target=20).next_game(first)
    second = set_up(second_setup)
    assert second.players == ("bot:casual", "human")
    assert second.match.true_board == first.match.true_board
    second.match.resign(1)
    again = set_up(second_setup.next_game(second))
    assert again.tags["Round"] == "1"
    assert again.match.true_board != first.match.true_board
    assert again.match.board.target == 20


def test_both_sides_left_between_the_games_go_on(tmp_path: Path) -> None:
    """On the same board, with the moves of the first win; what counted still counts."""
    first = set_up(Setup(game="number-run", p2="bot:casual", series=Series(BOTH_SIDES)))
    first.match.move("0,1")
    first.match.resign(2)
    write_record(first.record(), tmp_path / "kept.gwr")
    second = set_up(Setup(resume=tmp_path / "kept.gwr"))
    assert second.players == ("bot:casual", "human")
    assert second.match.true_board == first.match.true_board
    assert (second.tags["WonIn"], second.tags["Terms"]) == ("0-1", "both sides")


def test_the_other_side_counts_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It can be played again from the first game, but then its board is known."""
    monkeypatch.setenv("GRIDWISE_HOME", str(tmp_path))
    first = set_up(BOTH)
    first.match.move(first.match.legal_moves[0])
    first.match.resign(2)
    path = first.store()
    second = set_up(Setup(resume=path))
    assert second.tags["Terms"] == "both sides"
    second.match.move(second.match.legal_moves[0])
    second.store()
    again = set_up(Setup(resume=path))
    assert again.match.true_board == first.match.true_board
    assert "Terms" not in again.tags


def test_both_sides_begin_anew_after_a_game_that_is_given_up() -> None:
    """The second one alone, from the side of the first, would be one side twice."""
    setup = Setup(game="number-run", p2="bot:novice", series=Series(BOTH_SIDES))
    first = played(setup, ())
    first.match.resign(2)
    second = setup.next_game(first)
    following = second.next_game(played(second, ()))
    assert (following.p1, following.series) == ("human", Series(BOTH_SIDES))


def test_help_in_the_first_game_is_help_in_both() -> None:
    """Both sides are one match."""
    first = set_up(BOTH)
    assert first.tags["Terms"] == "both sides"
    first.note_help(Help.HINT)
    first.match.resign(2)
    assert "Terms" not in set_up(BOTH.next_game(first)).tags


def test_chance_decides_the_sides_of_the_last_game() -> None:
    """An odd number of games gives one player one start more: it must not be the one who chose."""
    setup = replace(BEST_OF_3, series=Series(3, 2, (0, 2)))
    sides = set()
    for seed in range(20):
        following = replace(setup, seed=seed)
        session = set_up(following)
        session.match.resign(2)  # 1 : 1
        last = following.next_game(session)
        assert last.series == Series(3, 3, (2, 2))
        sides.add((last.p1, last.p2))
    assert sides == {("human", "bot:casual"), ("bot:casual", "human")}


def test_players_take_turns_at_beginning_in_a_series() -> None:
    """Where a coin decides who begins, it is tossed for the first game and for the last."""
    setup = Setup(game="grid-conquest", p2="bot:casual", series=Series(5))
    begun = []
    for seed in range(8):
        following, firsts = replace(setup, seed=seed), []
        for winner in (1, 1, 1, 1):  # whoever has that seat: points stay even
            session = set_up(following)
            firsts.append(session.players[session.match.first - 1])
            session.match.resign(3 - winner)
            following = following.next_game(session)
        begun.append(firsts)
        assert firsts[0] == firsts[2] != firsts[1] == firsts[3]
        assert following.begins is None
    assert len({firsts[0] for firsts in begun}) == 2
