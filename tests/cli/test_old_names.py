"""Earlier names of commands work for one version, and say what to type."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .program import RUN_BOARD, gridwise


@pytest.fixture
def folder(home: Path) -> Path:
    """A folder with a recorded game and an answer to the suite."""
    play = ("play", "run", "--board", RUN_BOARD)
    gridwise(*play, "--record", "game.gwr", home=home, typed=["0,1"])
    row = json.loads(gridwise("suite", "maze", "--head", "1", "--json", home=home).out)
    answer = {"id": row["id"], "move": row["best"][0]}
    (home / "answers.jsonl").write_text(json.dumps(answer))
    return home


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("show game.gwr", "replay game.gwr --at -1"),
        ("show game.gwr --at=0 --plain", "replay game.gwr --at=0 --plain"),
        ("games show last", "games replay last --at -1"),
        ("ladder maze --pairs 2", "arena --ladder maze --pairs 2"),
        ("suite maze --answers answers.jsonl", "grade maze --answers answers.jsonl"),
        (
            "suite maze --part test --answers=answers.jsonl --json",
            "grade maze --suite test --answers=answers.jsonl --json",
        ),
        ("ugi-check --json false maze", "ugi --json --check false maze"),
        ("proof runner", "rules runner --why"),
    ],
)
def test_an_earlier_name_does_what_the_new_one_does(folder: Path, old: str, new: str) -> None:
    """With a line on standard error that can be copied."""
    before = gridwise(*old.split(), home=folder)
    after = gridwise(*new.split(), home=folder)
    assert (before.status, before.out) == (after.status, after.out)
    note, _, rest = before.err.partition("\n")
    group = "gridwise games" if old.startswith("games") else "gridwise"
    assert note == f"`{group} {old.split()[-2 if group[8:] else 0]}` is now: gridwise {new}"
    assert rest == after.err


def test_what_is_done_by_itself_need_not_be_asked_for(home: Path) -> None:
    """`prepare` says so, and is no error: a script may still have it."""
    run = gridwise("prepare", home=home)
    assert (run.status, run.out) == (0, "")
    assert run.err == "`gridwise prepare` is not needed any more.\n"


def test_no_help_lists_them(home: Path) -> None:
    """Neither that of the program nor that of `games`."""
    for words in ((), ("games",)):
        lines = gridwise(*words, "--help", home=home).out.replace("│", " ").splitlines()
        listed = {line.split()[0] for line in lines if line.split()}
        assert not {"show", "ladder", "ugi-check", "proof", "prepare", "census"} & listed
