"""`replay` and `analyze` take a record and a move number: the position as it was then."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.sizes import sample

from .program import EXAMPLES, GAMES, RUN_BOARD, Run, gridwise, is_one_complaint, recorded, tag_in
from .test_analyze import KEYS


def data(run: Run) -> Any:  # noqa: ANN401 - JSON
    """The JSON that was printed, on one line."""
    assert (run.status, run.err) == (0, "")
    assert run.out.count("\n") == 1
    assert run.out.isascii()
    return json.loads(run.out)


@pytest.mark.parametrize("game", GAMES)
def test_a_position_of_a_record_is_the_one_its_moves_lead_to(home: Path, game: str) -> None:
    """At every number, what `analyze` says is what it says about the moves up to there."""
    _, moves = EXAMPLES[game]
    file = recorded(home, game)
    options = ("--board", tag_in(file, "Board"))
    for number in sample([1, len(moves)], long=range(len(moves) + 1)):
        played = " ".join(moves[:number])
        at, described = ("--at", str(number), "--json"), ("--json", "--no-search")
        asked = data(gridwise("analyze", game, *options, "--moves", played, *described, home=home))
        found = data(gridwise("analyze", file, *at, "--no-search", home=home))
        assert found == asked
        assert list(found) == KEYS
        shown = data(gridwise("replay", file, *at, home=home))
        for name in ("board", "moves", "to_move", "scores", "legal"):
            assert shown[name] == asked[name]
    assert (
        gridwise("analyze", file, "--no-search", "--json", home=home).out
        == json.dumps(asked) + "\n"
    )


def test_analyze_tells_what_a_move_of_a_record_was_worth(home: Path) -> None:
    """Player 1 wins every Number Run, from the start too."""
    file = recorded(home, "number-run")
    found = data(gridwise("analyze", file, "--at", "0", "--json", home=home))
    assert (found["value"], found["to_move"], found["moves"]) == ("win", 1, [])
    assert "wins in" in gridwise("analyze", file, "--at", "0", home=home).out


def test_a_game_that_was_given_up_is_over_only_at_its_end(home: Path) -> None:
    """Before that it goes on."""
    options, moves = EXAMPLES["number-run"]
    file, typed = home / "game.gwr", [*moves, "resign", "no"]
    gridwise("play", "number-run", *options, "--record", file, home=home, typed=typed)
    end, before = (
        data(gridwise("analyze", file, "--at", at, "--json", "--no-search", home=home))
        for at in ("-1", "-2")
    )
    assert end["result"] == "p1"
    assert end["legal"] == []
    assert before["result"] is None
    shown = gridwise("replay", file, "--at", "-1", home=home)
    assert shown.status == 0
    assert re.search("Player 1 won: .*resigned", shown.out)


def test_a_position_of_a_finished_game_shows_what_was_seen_then(home: Path) -> None:
    """Not the board that the record of a finished game has: nobody knew it."""
    file = recorded(home, "grid-conquest")
    assert "?" not in tag_in(file, "Board")
    known = {0: "?????/?????/?????/?????/?????", 1: "?????/?425?/?345?/?152?/?????"}
    for number, board in known.items():
        at = ("--at", str(number), "--json")
        assert data(gridwise("replay", file, *at, home=home))["board"] == board
        assert data(gridwise("analyze", file, *at, "--no-search", home=home))["board"] == board
    drawn = gridwise("replay", file, "--at", "0", home=home).out
    assert drawn.count("[  ][  ][  ][  ][  ]") == 5
    pictures = []
    for corner in sample("15", long="12345"):
        other = home / "other.gwr"
        text = file.read_text(encoding="utf-8")
        board = tag_in(file, "Board")
        # The first cell of the fourth row is never turned up.
        other.write_text(text.replace(board, f"{board[:18]}{corner}{board[19:]}"), encoding="utf-8")
        pictures.append(gridwise("replay", other, "--at", "2", "--svg", home=home).out)
        pictures.append(gridwise("analyze", other, "--at", "2", "--no-search", home=home).out)
    assert len(set(pictures)) == 2


@pytest.mark.parametrize("command", ["replay", "analyze"])
def test_a_number_that_is_none_is_refused(home: Path, command: str) -> None:
    """With the numbers that there are, or with what the option takes."""
    for at in ("4", "-5", "99999999999999999999", "x", "1.5", ""):
        run = gridwise(command, recorded(home, "number-run"), "--at", at, home=home)
        assert is_one_complaint(run)
        assert "--at" in run.err


def test_a_record_has_its_board_already(home: Path) -> None:
    """Options that describe another one are refused."""
    for options in (
        ("--board", RUN_BOARD),
        ("--board", ""),
        ("--moves", "0,1"),
        ("--first", "2"),
        ("--target", "9"),
        ("--handicap",),
    ):
        run = gridwise("analyze", recorded(home, "number-run"), *options, home=home)
        assert is_one_complaint(run)
        assert "leave out" in run.err


def test_a_game_is_a_game_even_if_a_file_has_its_name(home: Path) -> None:
    """And the file is found by its path; what is neither is refused as a game."""
    file = recorded(home, "number-connect")
    file.rename(home / "runner")
    described = ("--json", "--no-search")
    assert data(gridwise("analyze", "runner", *described, home=home))["game"] == "grid-runner"
    assert data(gridwise("analyze", "./runner", *described, home=home))["game"] == "number-connect"
    for name, why in (("chess", "no game"), ("missing.gwr", "No such file"), ("grid", "could be")):
        run = gridwise("analyze", name, home=home)
        assert is_one_complaint(run)
        assert why in run.err


def test_the_number_works_without_a_record_too(home: Path) -> None:
    """It picks among the moves that were given."""
    asked = ("analyze", "run", "--board", RUN_BOARD, "--json", "--no-search")
    given = gridwise(*asked, "--moves", "0,1 3,4 1,1", "--at", "1", home=home)
    assert given.out == gridwise(*asked, "--moves", "0,1", home=home).out
