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

COMMANDS = (("show",), ("replay",), ("play", "--resume"))


def test_the_whole_records_are_read(home: Path) -> None:
    """What is cut up below is right to begin with."""
    (home / "finished.gwr").write_text(FINISHED)
    (home / "stopped.gwr").write_text(STOPPED)
    calls = [(*command, "stopped.gwr") for command in COMMANDS]
    calls += [("show", "finished.gwr"), ("replay", "finished.gwr")]
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
    # Showing tries every cut; the other commands read with the same eyes, so fewer will do.
    step = sample(13, long=1) if command == ("show",) else sample(47, long=11)
    for cut in range(0, len(whole), step):
        file.write_text(whole[:cut])
        run = gridwise(*command, file.name, home=home)
        assert is_one_complaint(run), (cut, run)
        assert "game.gwr" in run.err
        assert file.read_text() == whole[:cut]


# What is changed in the finished record, what it is changed into, and what the line names.
FAULTS = {
    "no such game": ("number-maze", "number-haze", "number-haze"),
    "no game": ('[Game "number-maze"]\n', "", "Game"),
    "no board": ('[Board "1324/2132/4213/3421"]\n', "", "Board"),
    "two boards": ("[First", '[Board "11/11"]\n[First', "Board"),
    "bad board": ("1324", "1394", "Board"),
    "ragged board": ("1324", "132", "Board"),
    "no such player": ('First "1"', 'First "3"', "First"),
    "the wrong player first": ('First "1"', 'First "2"', "First"),
    "no result tag": ('[Result "0-1"]\n', "", "Result"),
    "no such result": ('Result "0-1"', 'Result "2-1"', "Result"),
    "results that differ": ("up 0-1", "up 1-0", "1-0"),
    "the wrong result": ("0-1", "1-0", "1-0"),
    "a game that is over but says it is not": ("0-1", "*", "*"),
    "a tag without an end": ('"human"]\n[Date', '"human"\n[Date', "Player2"),
    "a tag among the moves": ("1. right", '1. right\n[Late "yes"]\n', "Late"),
    "an illegal first move": ("right left", "up left", "Move 1"),
    "an illegal third move": ("2. down", "2. up", "Move 3"),
    "an unreadable move": ("2. down", "2. sideways", "Move 3"),
    "a move too many": ("up 0-1", "up up 0-1", "Move 5"),
    "a move missing": ("down up", "down", "0-1"),
    "no such ending": ('"no-moves"', '"boredom"', "Ending"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_damaged_record_says_which_tag_or_move_is_wrong(home: Path, fault: str) -> None:
    """The line names the file and the place."""
    old, new, named = FAULTS[fault]
    assert old in FINISHED
    file = home / "game.gwr"
    file.write_text(FINISHED.replace(old, new))
    for command in sample(COMMANDS[:1], long=COMMANDS):
        run = gridwise(*command, "game.gwr", home=home)
        assert is_one_complaint(run), run
        assert "game.gwr" in run.err
        assert named in run.err, run.err


RUBBISH = {
    "nothing": b"",
    "zeros": bytes(300),
    "latin-1": FINISHED.replace("human", "Jos\xe9").encode("latin-1"),
    "utf-16": FINISHED.encode("utf-16"),
    "two megabytes": b"x" * 2_000_000,
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    "json": b'{"game": "number-run"}',
    "only brackets": b"[" * 5000,
    "backslashes": b'[Game "' + b"\\" * 100_001 + b'"]\n\n*\n',
}


@pytest.mark.parametrize("kind", RUBBISH)
def test_files_that_are_no_records_are_refused(home: Path, kind: str) -> None:
    """Whatever a file holds, it gets one line."""
    (home / "game.gwr").write_bytes(RUBBISH[kind])
    for command in COMMANDS:
        assert is_one_complaint(gridwise(*command, "game.gwr", home=home))


@pytest.mark.parametrize("change", ["\r\n", "\ufeff", "spaces", "comment tag"])
def test_harmless_differences_are_read(home: Path, change: str) -> None:
    """Other line ends, a byte order mark, other spacing and further tags do no harm."""
    texts = {
        "\r\n": FINISHED.replace("\n", "\r\n"),
        "\ufeff": "\ufeff" + FINISHED,
        "spaces": FINISHED.replace("1. right left", "1.   right\n  left\n"),
        "comment tag": '[Event "A \\"friendly\\" game"]\n' + FINISHED,
    }
    (home / "game.gwr").write_bytes(texts[change].encode())
    run = gridwise("show", "game.gwr", home=home)
    assert run.status == 0, run.err


def test_an_unfinished_record_must_know_what_was_revealed(home: Path) -> None:
    """A revealed cell whose value the record does not give is named."""
    (home / "game.gwr").write_text(STOPPED.replace("?425?", "?42??"))
    run = gridwise("show", "game.gwr", home=home)
    assert is_one_complaint(run)
    assert "B4" in run.err
