"""A game being played is on disk from its first move on, wherever it can be put."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridwise import Match, read_record
from gridwise.errors import OutOfTurn
from gridwise.play.library import Library
from gridwise.play.setup import Setup
from gridwise.players.new_match import set_up

BOARD = "31425/25134/42513/14252/53142"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own."""
    monkeypatch.setenv("GRIDWISE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_a_game_is_kept_from_its_first_move_on(home: Path) -> None:
    """Nothing before it; then one file that follows every move, and every move taken back."""
    session = set_up(Setup("number-run", p2="bot:random", board=BOARD))
    assert session.save() == ""
    assert not home.exists()
    session.match.move("0,1")
    assert session.save() == ""
    assert session.path
    assert read_record(session.path).moves == ("0,1",)
    session.match.move("3,4")
    session.save()
    assert read_record(session.path).moves == ("0,1", "3,4")
    session.undo()
    session.save()
    assert read_record(session.path).moves == ()
    assert [kept.path for kept in Library().games()] == [session.path]


def test_a_game_that_was_given_a_file_is_kept_there_only(tmp_path: Path) -> None:
    """The library has no second copy."""
    file = tmp_path / "game.gwr"
    session = set_up(Setup("number-run", board=BOARD, record=file))
    session.match.move("0,1")
    session.save()
    assert read_record(file).moves == ("0,1",)
    assert not list(Library().games())


def test_an_older_game_of_that_name_is_not_lost(tmp_path: Path) -> None:
    """It is copied to another name before the new game takes its place, and that is said."""
    file = tmp_path / "game.gwr"
    for move in ("0,1", "1,0"):
        session = set_up(Setup("number-run", board=BOARD, record=file))
        session.match.move(move)
        session.save()
        session.save()
    assert read_record(file).moves == ("1,0",)
    assert read_record(tmp_path / "game.gwr~").moves == ("0,1",)
    assert "game.gwr~" in session.note
    assert len(list(tmp_path.glob("game*"))) == 2


def test_what_is_continued_stays_in_its_file_unless_it_goes_on_in_two_places() -> None:
    """Going on with a saved game makes no other one; neither of two writes over the other."""
    first = set_up(Setup("number-run", board=BOARD))
    first.match.move("0,1")
    first.save()
    second = set_up(Setup(resume=first.path))
    second.match.move("3,4")
    second.save()
    assert second.path == first.path
    assert [saved.moves for saved in Library().games()] == [2]
    first.match.move("4,3")
    first.save()
    assert first.path
    assert second.path
    assert read_record(second.path).moves == ("0,1", "3,4")
    assert read_record(first.path).moves == ("0,1", "4,3")


def test_bots_alone_fill_no_library(home: Path) -> None:
    """A game between two programs is kept only where somebody named a file."""
    session = set_up(Setup("number-run", p1="bot:random", p2="bot:random", board=BOARD))
    session.match.move("0,1")
    session.save()
    assert session.path is None
    assert not home.exists()


def test_a_file_that_cannot_be_written_any_more_is_replaced_by_one_in_the_library(
    tmp_path: Path,
) -> None:
    """The game goes on there, and is said to once."""
    folder = tmp_path / "folder"
    folder.mkdir()
    session = set_up(Setup("number-run", board=BOARD, record=folder / "game.gwr"))
    session.store()
    (folder / "game.gwr").unlink()
    folder.rmdir()
    session.match.move("0,1")
    warning = session.save()
    assert session.path
    assert str(session.path) in warning
    session.match.move("3,4")
    assert session.save() == ""
    assert read_record(session.path).moves == ("0,1", "3,4")


def test_where_nothing_can_be_written_there_is_one_warning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The game can be played on; once it can be written again, it is."""
    session = set_up(Setup("number-run", board=BOARD))
    with monkeypatch.context() as unwritable:
        unwritable.setenv("GRIDWISE_HOME", "/dev/null/x")
        session.match.move("0,1")
        assert "not being saved" in session.save()
        assert not session.is_saved
        session.match.move("3,4")
        assert session.save() == ""
    session.match.move("0,2")
    assert session.save() == ""
    assert session.is_saved
    assert session.path
    assert read_record(session.path).moves == ("0,1", "3,4", "0,2")


# Stopping a match


def test_a_stopped_game_has_no_result_and_can_be_taken_up_again() -> None:
    """Stopping is an end without a winner; undo takes it back, and not the move before it."""
    match = Match("grid-runner")
    match.move("down")
    match.stop("stopped by agreement")
    assert match.outcome
    assert (match.outcome.mark, match.outcome.reason) == ("*", "stopped by agreement")
    assert (match.turn, match.legal_moves) == (0, [])
    with pytest.raises(OutOfTurn, match="stopped by agreement"):
        match.move("up")
    match.undo()
    assert (match.moves, match.turn) == (["down"], 2)


def test_what_nobody_has_seen_is_dealt_afresh_when_a_game_is_continued() -> None:
    """By the seed that is given then; what was seen stays."""
    session = set_up(Setup(game="grid-conquest", p1="human", p2="human", first=1))
    session.match.move("C3")
    path, seen = session.store(), session.match.board
    again = [set_up(Setup(resume=path, seed=seed)).match for seed in (1, 2, 1)]
    boards = [match.true_board.cells for match in again]
    assert boards[0] == boards[2] != boards[1]
    assert [match.board for match in again] == [seen] * 3
