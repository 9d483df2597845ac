"""The commands that stand on the engine: analyze, review, prepare, ladder, bots."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path

import pytest

from gridwise import Position, games
from gridwise.cli.commands.programs import prepare
from tests.cli.program import (
    CONNECT_BOARD,
    EXAMPLES,
    GAMES,
    MAZE_BOARD,
    RUN_BOARD,
    gridwise,
)
from tests.sizes import sample

LEVELS = ("random", "novice", "casual", "strong", "perfect")


def test_analyze_without_search_only_describes(home: Path) -> None:
    """The legal moves are listed, and nothing is worked out."""
    run = gridwise("analyze", "number-run", "--board", RUN_BOARD, "--no-search", home=home)
    assert "Player 1 to move: 0,1 1,0" in run.out


@pytest.mark.parametrize(
    ("game", "level"),
    sample(list(zip(GAMES, LEVELS, strict=True)), long=list(product(GAMES, LEVELS))),
)
def test_a_person_plays_against_every_level(home: Path, game: str, level: str) -> None:
    """Each bot answers, whichever side it has."""
    play = ("play", game, *EXAMPLES[game][0], "--p1", f"bot:{level}", "--seed", "4")
    run = gridwise(*play, home=home, typed=["quit"])
    assert run.status == 0, run.err
    assert not run.err
    assert "Player 2" in run.out


def test_resigning_a_won_game_is_the_mistake(home: Path) -> None:
    """With 2,2 Player 1 would win in three moves, and gives up instead."""
    file = home / "g.gwr"
    moves = ["0,1", "3,4", "1,1", "3,3", "1,2", "2,3"]
    gridwise(
        *("play", "number-run", "--board", RUN_BOARD, "--record", file),
        home=home,
        typed=[*moves, "resign", "no"],
    )
    run = gridwise("review", file, home=home)
    assert "No mistakes" not in run.out
    assert re.search(r"^ +Player 1 +resigns\?\? +loss +2,2$", run.out, re.MULTILINE)
    assert "Player 1 resigned in a won position: 2,2 wins in 3 moves." in run.out


def test_review_of_a_game_with_chance(home: Path) -> None:
    """Grid Conquest is reviewed in winning probabilities."""
    file = home / "conquest.gwr"
    bots = ("--p1", "bot:casual", "--p2", "bot:novice", "--seed", "2")
    gridwise("play", "grid-conquest", *bots, "--record", file, home=home)
    run = gridwise("review", file, home=home)
    assert run.status == 0, run.err
    assert re.search(r"\d+% to win", run.out)
    assert run.out.count("accuracy") + run.out.count("nothing wrong") == 2


def test_review_of_nothing_is_refused(home: Path) -> None:
    """A record without moves has nothing to review."""
    file = home / "g.gwr"
    gridwise("play", "number-maze", "--board", MAZE_BOARD, "--record", file, home=home, typed=[])
    run = gridwise("review", file, home=home)
    assert (run.status, run.out) == (2, "")
    assert "nothing to review" in run.err


def test_prepare_compiles_where_cells_are_hidden(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The one game whose engine is slow to compile is named, and how long it took."""
    evaluated: list[Position] = []  # compiling takes half a minute; here it is only asked for
    monkeypatch.setattr(prepare, "is_cached", lambda _game, _kernel: False)
    monkeypatch.setattr(prepare, "evaluate", lambda position, _limits: evaluated.append(position))
    prepare.prepare()
    out = capsys.readouterr().out
    assert [each.game.key for each in evaluated] == ["grid-conquest"]
    assert [each.key for each in games() if each.title in out] == ["grid-conquest"]
    assert re.search(r"^Done in \d+\.\d s\.$", out, re.MULTILINE)


def test_prepare_says_when_there_is_nothing_to_do(home: Path) -> None:
    """In one line, the second time at the latest."""
    gridwise("prepare", home=home)
    again = gridwise("prepare", home=home)
    assert (again.status, again.err) == (0, "")
    assert again.out.count("\n") == 1
    assert "nothing to do" in again.out


def test_the_ladder_has_a_row_a_level(home: Path) -> None:
    """Each level against the one below, with an interval; as JSON, to the digit that is shown."""
    asked = ("ladder", "maze", "--pairs", "10")
    table, data = gridwise(*asked, home=home), gridwise(*asked, "--json", home=home)
    assert (table.status, data.status) == (0, 0)
    expected = list(zip(LEVELS[1:], LEVELS, strict=False))
    shown = r"number-maze +(\w+) +(\w+) +[\d.]+%  -?[\d.]+% to [\d.]+%"
    assert re.findall(shown, table.out) == expected
    rows = json.loads(data.out)["rows"]
    assert [(row["level"], row["against"]) for row in rows] == expected
    assert all(f"{row['score']:.1%}" in table.out and row["pairs"] == 10 for row in rows)


def test_a_handicap_is_announced_and_recorded(home: Path) -> None:
    """Player 2 starts ahead, and the record says so."""
    file = home / "g.gwr"
    run = gridwise(
        *("play", "number-run", "--board", RUN_BOARD, "--handicap", "--record", file),
        home=home,
        typed=["0,1", "quit"],
    )
    assert "Player 2 has 7." in run.out
    assert '[Handicap "7"]' in file.read_text(encoding="utf-8")
    assert gridwise("play", "--resume", file, home=home, typed=["quit"]).status == 0


def test_a_handicap_where_there_is_none_is_refused(home: Path) -> None:
    """One clear line, status 2."""
    run = gridwise("play", "number-connect", "--board", CONNECT_BOARD, "--handicap", home=home)
    assert (run.status, run.out) == (2, "")
    assert "no handicap" in run.err
