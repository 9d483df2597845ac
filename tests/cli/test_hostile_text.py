"""What a file, a tag or a path contains is cleaned before it reaches the terminal."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import TypeVar

import pytest

from tests.sizes import sample

from .program import CONQUEST_BOARD, RUN_BOARD, Run, Terminal, gridwise, is_one_complaint
from .test_help import completed

TRICKS = {
    "window title": "\x1b]0;owned\x07me",
    "colour": "\x1b[31mred\x1b[0m",
    "erase": "\x1b[2J\x1b[H",
    "one-character CSI": "\x9b31mred",
    "backspaces": "Ann\x08\x08\x08Bob",
    "carriage return": "Ann\x7fBob",
    "right to left": "\u202ennA",
    "isolates": "\u2067Ann\u2069",
    "zero width": "A\u200bn\u200dn",
    "very long": "Ann" * 50_000,
}
TAGS = ("Game", "Board", "First", "Result", "Ending", "Target", "\x1b[1m")
NAMES = [trick for trick in TRICKS.values() if len(trick) < 100] + ["one\ntwo", "\x1b[31m\nred"]
RECORD = """[Game "{game}"]
[Board "{board}"]
[First "1"]
[Player1 "{names[0]}"]
[Player2 "{names[1]}"]
[Date "{names[2]}"]
[Event "{names[3]}"]
[Result "{result}"]
[Termination "{names[4]}"]

{moves} {result}
"""

_Some = TypeVar("_Some")
_Other = TypeVar("_Other")


def hostile(home: Path, *names: str, result: str = "*", file: str = "game.gwr") -> Path:
    """A record in which everybody and everything is called like that, one after the other."""
    path = home / file
    filled = RECORD.format(
        game="number-run",
        board=RUN_BOARD,
        names=names * 5,
        result=result,
        moves="1. 0,1 3,4 2. 1,1",
    )
    path.write_text(filled, encoding="utf-8")
    return path


# Each trick is once the name of Player 1 or of Player 2, and comes in two of the other tags.
NAMED = [
    [list(TRICKS.values())[(first + tag) % len(TRICKS)] for tag in range(5)]
    for first in sample(range(0, len(TRICKS), 2), long=range(len(TRICKS)))
]


def mixed(some: Sequence[_Some], others: Sequence[_Other]) -> Iterator[tuple[_Some, _Other]]:
    """Each of the first with another of the second; with `--long`, all with all."""
    for turn in range(sample(1, long=len(others))):
        for at, one in enumerate(some):
            yield one, others[(at + turn) % len(others)]


def is_clean(run: Run) -> bool:
    """Whether nothing was printed that a terminal would obey, or that is not seen."""
    unseen = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    texts = run.out + run.err
    return not any(unicodedata.category(char) in unseen for char in texts if char != "\n")


@pytest.mark.parametrize("command", ["replay", "review", "analyze"])
def test_a_record_is_printed_without_its_tricks(home: Path, command: str) -> None:
    """Names, date and reason, in a game that goes on and in one that was given up."""
    for names, result in mixed(NAMED, ["*", "0-1"]):
        run = gridwise(command, hostile(home, *names, result=result), home=home)
        assert (run.status, run.err) == (0, "")
        assert is_clean(run)
        assert max(map(len, run.lines)) < 400


def test_a_resumed_game_is_played_without_its_tricks(home: Path) -> None:
    """Whatever the players were called, people sit down."""
    for names in NAMED:
        resumed = ("play", "--resume", hostile(home, *names))
        run = gridwise(*resumed, home=home, typed=["help", "quit"])
        assert (run.status, run.err) == (0, "")
        assert is_clean(run)
        assert "Current position: (4,4)" not in run.out


def test_a_shell_is_offered_no_names_with_tricks(home: Path) -> None:
    """Of the files in the folder only those that can be printed."""
    for name in ("good", *NAMES):
        hostile(home, "Ann", file=f"{name}.gwr")
    offered = completed(home, "gridwise analyze ")
    assert "good.gwr" in offered
    assert all(word.isprintable() for word in offered)
    assert not any("red" in word or "owned" in word for word in offered)


def assert_refused(home: Path, *args: str | Path) -> None:
    """The complaint is one clean line."""
    run = gridwise(*args, home=home)
    assert is_one_complaint(run)
    assert is_clean(run)


READS = ("replay", "play --resume", "review", "analyze")


def test_a_wrong_tag_is_quoted_without_its_tricks(home: Path) -> None:
    """Whatever reads the record."""
    file = home / "game.gwr"
    for (command, tag), trick in mixed(list(product(READS, TAGS)), list(TRICKS.values())):
        tags = {"Game": "number-run", "Board": RUN_BOARD, "Result": "*", tag: trick}
        text = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
        file.write_text(f"{text}\n*\n", encoding="utf-8")
        assert_refused(home, *command.split(), file)


def test_a_wrong_move_is_quoted_without_its_tricks(home: Path) -> None:
    """In a record and on the command line."""
    record = hostile(home, "Ann").read_text()
    for trick in TRICKS.values():
        file = home / "game.gwr"
        file.write_text(record.replace("1,1 *", f"{trick} *"), "utf-8")
        assert_refused(home, "replay", file)
        assert_refused(home, "analyze", "run", "--board", RUN_BOARD, "--moves", trick)


def test_the_name_of_a_file_is_printed_without_its_tricks(home: Path) -> None:
    """A file that is missing, one that is no record, one without moves, one that is played."""
    for name, command in mixed(NAMES, READS[:2]):
        assert_refused(home, *command.split(), home / f"{name}.gwr")
    for name, command in mixed(NAMES, READS):
        (home / f"{name}.gwr").write_text("nothing\n", encoding="utf-8")
        assert_refused(home, *command.split(), home / f"{name}.gwr")
    for name in NAMES:
        play = ("play", "run", "--board", RUN_BOARD, "--record", home / f"{name}.gwr")
        played = gridwise(*play, home=home, typed=["0,1", "quit"])
        assert played.status == 0
        assert is_clean(played)


def test_a_command_line_is_quoted_without_its_tricks(home: Path) -> None:
    """Commands, options, games, boards, sizes and players that do not exist."""
    options = "--board --size --seed --p2 --deal".split()  # noqa: SIM905
    places = [("{}",), ("play", "--{}"), ("play", "{}"), ("rules", "{}")]
    places += [("play", "run", option, "{}") for option in options]
    places += [("play", "run", "--p2", who) for who in ("bot:{}", "ugi:{}", "python:{0}:{0}")]
    for words, trick in mixed(places, NAMES):
        run = gridwise(*(word.format(trick) for word in words), home=home)
        assert run.status == 2
        assert is_clean(run)


def test_colours_of_our_own_survive(home: Path) -> None:
    """At a terminal the board is still coloured, and nothing else is."""
    with Terminal("replay", "--at", "-1", hostile(home, TRICKS["colour"]), home=home) as terminal:
        assert terminal.finish() == 0
        assert "\x1b[1;34m" in terminal.text
        assert "\x1b[31mred" not in terminal.text
        assert re.search("Player 1: .*red", terminal.text)


def test_a_record_says_nothing_about_cells_that_nobody_has_seen(home: Path) -> None:
    """Not even in the complaint about a move that is wrong."""
    file = home / "game.gwr"
    board = CONQUEST_BOARD.replace("?", "1")
    named = {"names": ["Ann"] * 5, "result": "*", "moves": "1. C9"}
    text = RECORD.format(game="grid-conquest", board=board, **named)
    file.write_text(text, encoding="utf-8")
    run = gridwise("replay", file, "--at", "-1", home=home)
    assert is_one_complaint(run)
    assert "53152" not in run.err


@pytest.mark.parametrize(
    "tricks",
    sample(
        [list(TRICKS.values())], long=[list(TRICKS.values()), *([one] for one in TRICKS.values())]
    ),
    ids=len,
)
def test_ones_own_games_are_listed_without_their_tricks(home: Path, tricks: list[str]) -> None:
    """Names in the file and the name of the file; a list stays a list of short lines."""
    folder = home / "games"
    folder.mkdir()
    ids = [f"aaa{number}" for number in range(len(tricks))]
    for name, trick in zip(ids, tricks, strict=True):
        hostile(folder, trick, file=f"2026-11-15-120000-number-run-{name}.gwr")
        hostile(folder, trick, file=f"{trick[:50]}.gwr".replace("/", ""))
    for options in ((), ("--linear",), ("delete", *ids, "--yes"), ("restore", *ids)):
        run = gridwise("games", *options, home=home)
        assert run.status == 0, run.err
        assert is_clean(run)
        assert max(map(len, run.lines)) < 400
        assert len(run.out) < 2000 * len(tricks)
