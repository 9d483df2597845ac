"""The commands that stand on the engine: analyze, review, the ladder, bots."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path

import pytest

from gridwise import Position
from gridwise.play.library import Library
from tests.cli.program import (
    EXAMPLES,
    GAMES,
    MAZE_BOARD,
    RUN_BOARD,
    gridwise,
    tag_in,
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


def test_review_prints_how_a_mistake_could_have_gone_on(home: Path) -> None:
    """Instead of 0,2 Player 1 wins in five plies with 2,2; after it Player 2 wins in nine."""
    file = home / "g.gwr"
    moves = ["0,1", "3,4", "1,1", "3,3", "1,2", "2,3", "0,2", "no"]
    gridwise(
        *("play", "number-run", "--board", RUN_BOARD, "--record", file),
        home=home,
        typed=[*moves, "quit"],
    )
    run = gridwise("review", file, home=home)
    lines = dict(
        re.findall(r"^Player 1's move 4\. (Best play|After 0,2): (.+)$", run.out, re.MULTILINE)
    )
    played = Position("number-run", RUN_BOARD, moves=["0,1", "3,4", "1,1", "3,3", "1,2", "2,3"])
    for name, (winner, plies) in {"Best play": (1, 5), "After 0,2": (2, 9)}.items():
        position = played if name == "Best play" else played.after("0,2")
        line = lines[name].split()
        assert len(line) == plies
        for move in line:
            position = position.after(move)
        assert position.outcome
        assert position.outcome.winner == winner


def test_review_of_a_game_with_chance(home: Path) -> None:
    """Grid Conquest is reviewed in winning probabilities."""
    file = home / "conquest.gwr"
    bots = ("--p1", "bot:casual", "--p2", "bot:novice", "--seed", "2")
    gridwise("play", "grid-conquest", *bots, "--record", file, home=home)
    run = gridwise("review", file, home=home)
    assert run.status == 0, run.err
    assert re.search(r"\d+ % to win", run.out)
    assert run.out.count("accuracy") + run.out.count("nothing wrong") == 2


def test_review_of_nothing_is_refused(home: Path) -> None:
    """A record without moves has nothing to review."""
    file = home / "g.gwr"
    gridwise("play", "number-maze", "--board", MAZE_BOARD, "--record", file, home=home, typed=[])
    run = gridwise("review", file, home=home)
    assert (run.status, run.out) == (2, "")
    assert "nothing to review" in run.err


def test_the_ladder_has_a_row_a_level(home: Path) -> None:
    """Each level against the one below, with an interval; as JSON, to the digit that is shown."""
    asked = ("arena", "--ladder", "maze", "--pairs", "10")
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


# Player 1 can win in 5 plies with 2,2 and in 9 with 1,3 or a challenge; 0,2 loses.
MOVES = ("0,1", "3,4", "1,1", "3,3", "1,2", "2,3")
BEST, BLUNDER = "2,2", "0,2"


def test_hint_review_and_analyze_name_the_same_best_move(home: Path) -> None:
    """The fastest win, in one's own moves: three."""
    file = home / "game.gwr"
    played = gridwise(
        *("play", "number-run", "--board", RUN_BOARD, "--record", file),
        home=home,
        typed=[*MOVES, "hint", "hint", BLUNDER, "quit"],
    )
    assert re.findall(r"^Consider (\S+): ([^.]+\.)", played.out, re.MULTILINE) == [
        (BEST, "you can force a win in 3 moves.")
    ]
    reviewed = gridwise("review", file, home=home)
    assert re.search(rf"^ +4 Player 1 +{BLUNDER}\?\? .* {BEST}$", reviewed.out, re.MULTILINE)
    assert f"Player 1's move 4: {BEST} wins in 3 moves. {BLUNDER} lets" in reviewed.out
    analyzed = gridwise(
        *("analyze", "number-run", "--board", RUN_BOARD, "--moves", " ".join(MOVES)), home=home
    )
    assert "\nPlayer 1 wins in 3 moves.\n" in analyzed.out
    starred = re.findall(r"^\* (\S+) +(wins|loses) in (\d+)", analyzed.out, re.MULTILINE)
    assert starred == [(BEST, "wins", "3")]


@pytest.mark.parametrize("command", ["review", "analyze"])
def test_what_moves_are_worth_before_the_end_is_help(home: Path, command: str) -> None:
    """It is said and noted in the game, once; a game that is over stays as it is."""
    gridwise("play", "grid-runner", "--p2", "bot:novice", home=home, typed=["right", "quit"])
    path = Library(home / "games").last().path
    for said in (True, False):
        run = gridwise(command, "last", "--json", home=home)
        assert json.loads(run.out)
        assert ("a win does not count" in run.err) == said
        assert tag_in(path, "Help") == "values"
    gridwise("play", "--resume", "last", home=home, typed=["resign"])
    before = path.read_bytes()
    assert not gridwise(command, "last", "--json", home=home).err
    assert path.read_bytes() == before


def test_a_review_in_the_dialogue_is_help_too(home: Path) -> None:
    """And says so."""
    play = ("play", "grid-runner", "--p2", "bot:novice")
    run = gridwise(*play, home=home, typed=["right", "review", "quit"])
    assert "a win does not count" in run.out
    assert tag_in(Library(home / "games").last().path, "Help") == "values"
