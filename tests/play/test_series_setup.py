"""Games of a series: what the setup of the next game takes over from the one just played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from gridwise.play.library import Library
from gridwise.play.records import read_record, write_record
from gridwise.play.series import Series
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
    assert following.tags == {"BestOf": "3", "Round": "2", "Score": "1-0"}
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
