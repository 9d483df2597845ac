"""Records that are damaged or cut short: one clear line that names the fault, and status 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sizes import sample

from .program import gridwise, is_one_complaint

FINISHED = """\
[Game "number-maze"]
[Board "1324/2132/4213/3421"]
[First "1"]
[Player1 "human"]
[Player2 "human"]
[Date "2026.11.15"]
[Result "0-1"]
[Ending "no-moves"]
[Termination "the opponent has no valid moves"]

1. right left 2. down up 0-1
"""

STOPPED = """\
[Game "grid-conquest"]
[Board "?????/?425?/?345?/?152?/?????"]
[First "2"]
[Player1 "human"]
[Player2 "human"]
[Date "2026.11.15"]
[Result "*"]
[Termination "unfinished"]

1. C3 *
"""

COMMANDS = (("replay",), ("play", "--resume"))


def test_the_whole_records_are_read(home: Path) -> None:
    """What is cut up below is right to begin with."""
    (home / "finished.gwr").write_text(FINISHED)
    (home / "stopped.gwr").write_text(STOPPED)
    calls = [(*command, "stopped.gwr") for command in COMMANDS]
    calls += [("replay", "finished.gwr")]
    for args in calls:
        run = gridwise(*args, home=home, typed=["quit"])
        assert run.status == 0, run
        assert not run.err


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("text", [FINISHED, STOPPED], ids=["finished", "stopped"])
def test_a_record_cut_anywhere_is_refused(home: Path, command: tuple[str, ...], text: str) -> None:
    """Cut after any byte but the last, a record says what is missing, and is left as it is."""
    whole = text.rstrip("\n")
    file = home / "game.gwr"
    # Every cut is tried where records are parsed; here a tag, the moves and the end are cut.
    for cut in sample([0, 20, len(whole) - 10, len(whole) - 1], long=range(len(whole))):
        file.write_text(whole[:cut])
        run = gridwise(*command, file.name, home=home)
        assert is_one_complaint(run), (cut, run)
        assert "game.gwr" in run.err
        assert file.read_text() == whole[:cut]


# What is changed in a record, what it is changed into, and what the line names.
FAULTS = {
    "no such game": (FINISHED, "number-maze", "number-haze", "number-haze"),
    "no board": (FINISHED, '[Board "1324/2132/4213/3421"]\n', "", "Board"),
    "no such player": (FINISHED, 'First "1"', 'First "3"', "First"),
    "no result tag": (FINISHED, '[Result "0-1"]\n', "", "Result"),
    "the wrong result": (FINISHED, "0-1", "1-0", "1-0"),
    "a game that is over but says it is not": (FINISHED, "0-1", "*", "*"),
    "a tag without an end": (FINISHED, '"human"]\n[Date', '"human"\n[Date', "Player2"),
    "an illegal third move": (FINISHED, "2. down", "2. up", "Move 3"),
    "a revealed cell without a value": (STOPPED, "?425?", "?42??", "B4"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_damaged_record_says_which_tag_or_move_is_wrong(home: Path, fault: str) -> None:
    """The line names the file and the place."""
    text, old, new, named = FAULTS[fault]
    assert old in text
    (home / "game.gwr").write_text(text.replace(old, new))
    for command in sample(COMMANDS[:1], long=COMMANDS):
        run = gridwise(*command, "game.gwr", home=home)
        assert is_one_complaint(run), run
        assert "game.gwr" in run.err
        assert named in run.err, run.err


RUBBISH = {
    "nothing": b"",
    "latin-1": FINISHED.replace("human", "Jos\xe9").encode("latin-1"),
    "utf-16": FINISHED.encode("utf-16"),
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    "json": b'{"game": "number-run"}',
    "only brackets": b"[" * 5000,
    "backslashes": b'[Game "' + b"\\" * 100_001 + b'"]\n\n*\n',
}


@pytest.mark.parametrize("kind", RUBBISH)
def test_files_that_are_no_records_are_refused(home: Path, kind: str) -> None:
    """Whatever a file holds, it gets one line."""
    (home / "game.gwr").write_bytes(RUBBISH[kind])
    for command in COMMANDS if kind == "nothing" else sample(COMMANDS[:1], long=COMMANDS):
        assert is_one_complaint(gridwise(*command, "game.gwr", home=home))


def test_harmless_differences_are_read(home: Path) -> None:
    """Other line ends, a byte order mark, other spacing and further tags do no harm."""
    text = FINISHED.replace("1. right left", "1.   right\n  left\n")
    text = '\ufeff[Event "A \\"friendly\\" game"]\n' + text
    (home / "game.gwr").write_bytes(text.replace("\n", "\r\n").encode())
    run = gridwise("replay", "game.gwr", "--at", "-1", home=home)
    assert run.status == 0, run.err
