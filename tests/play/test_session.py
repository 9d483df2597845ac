"""A game being played is on disk from its first move on, wherever it can be put."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridwise import read_record
from gridwise.arena.setup import MatchSetup, set_up
from gridwise.play.library import Library

BOARD = "31425/25134/42513/14252/53142"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own."""
    monkeypatch.setenv("GRIDWISE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_a_game_is_kept_from_its_first_move_on(home: Path) -> None:
    """Nothing before it; then one file that follows every move, and every move taken back."""
    session = set_up(MatchSetup("number-run", p2="bot:random", board=BOARD))
    assert session.keep() == ""
    assert not home.exists()
    session.match.move("0,1")
    assert session.keep() == ""
    assert session.path
    assert read_record(session.path).moves == ("0,1",)
    session.match.move("3,4")
    session.keep()
    assert read_record(session.path).moves == ("0,1", "3,4")
    session.undo()
    session.keep()
    assert read_record(session.path).moves == ()
    assert [kept.path for kept in Library().games()] == [session.path]


def test_a_game_that_was_given_a_file_is_kept_there_only(tmp_path: Path) -> None:
    """The library has no second copy."""
    file = tmp_path / "game.gwr"
    session = set_up(MatchSetup("number-run", board=BOARD, record=file))
    session.match.move("0,1")
    session.keep()
    assert read_record(file).moves == ("0,1",)
    assert not list(Library().games())


def test_an_older_game_of_that_name_is_not_lost(tmp_path: Path) -> None:
    """It is copied to another name before the new game takes its place, and that is said."""
    file = tmp_path / "game.gwr"
    for move in ("0,1", "1,0"):
        session = set_up(MatchSetup("number-run", board=BOARD, record=file))
        session.match.move(move)
        session.keep()
        session.keep()
    assert read_record(file).moves == ("1,0",)
    assert read_record(tmp_path / "game.gwr~").moves == ("0,1",)
    assert "game.gwr~" in session.note
    assert len(list(tmp_path.glob("game*"))) == 2


def test_what_is_continued_stays_in_its_file() -> None:
    """Going on with a kept game makes no other one."""
    first = set_up(MatchSetup("number-run", board=BOARD))
    first.match.move("0,1")
    first.keep()
    second = set_up(MatchSetup(resume=first.path))
    second.match.move("3,4")
    second.keep()
    assert second.path == first.path
    assert [kept.moves for kept in Library().games()] == [2]


def test_a_game_continued_in_two_places_becomes_two() -> None:
    """Neither writes over what the other has played."""
    first = set_up(MatchSetup("number-run", board=BOARD))
    first.match.move("0,1")
    first.keep()
    second = set_up(MatchSetup(resume=first.path))
    second.match.move("3,4")
    second.keep()
    first.match.move("4,3")
    first.keep()
    assert first.path != second.path
    assert first.path
    assert second.path
    assert read_record(second.path).moves == ("0,1", "3,4")
    assert read_record(first.path).moves == ("0,1", "4,3")


def test_bots_alone_fill_no_library(home: Path) -> None:
    """A game between two programs is kept only where somebody named a file."""
    session = set_up(MatchSetup("number-run", p1="bot:random", p2="bot:random", board=BOARD))
    session.match.move("0,1")
    session.keep()
    assert session.path is None
    assert not home.exists()


def test_a_file_that_cannot_be_written_any_more_is_replaced_by_one_in_the_library(
    tmp_path: Path,
) -> None:
    """The game goes on there, and is said to once."""
    folder = tmp_path / "folder"
    folder.mkdir()
    session = set_up(MatchSetup("number-run", board=BOARD, record=folder / "game.gwr"))
    session.store()
    (folder / "game.gwr").unlink()
    folder.rmdir()
    session.match.move("0,1")
    warning = session.keep()
    assert session.path
    assert str(session.path) in warning
    session.match.move("3,4")
    assert session.keep() == ""
    assert read_record(session.path).moves == ("0,1", "3,4")


def test_where_nothing_can_be_written_there_is_one_warning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The game can be played on; once it can be written again, it is."""
    session = set_up(MatchSetup("number-run", board=BOARD))
    with monkeypatch.context() as unwritable:
        unwritable.setenv("GRIDWISE_HOME", "/dev/null/x")
        session.match.move("0,1")
        assert "not being saved" in session.keep()
        assert not session.is_kept
        session.match.move("3,4")
        assert session.keep() == ""
    session.match.move("0,2")
    assert session.keep() == ""
    assert session.is_kept
    assert session.path
    assert read_record(session.path).moves == ("0,1", "3,4", "0,2")


def test_hidden_cells_are_in_no_kept_file_of_an_unfinished_game() -> None:
    """Where nobody has looked there is a question mark, also after a move is taken back."""
    session = set_up(MatchSetup("grid-conquest", first=1))
    session.match.move("C3")
    session.keep()
    assert session.path
    assert read_record(session.path).board.cells.count(0) == 16
    session.undo()
    session.keep()
    assert read_record(session.path).board.cells.count(0) == 25
