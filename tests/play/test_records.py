"""Damaged records say which tag or move is wrong, and nothing else goes wrong."""

from __future__ import annotations

import datetime as dt
import os
import re
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from gridwise import Match, Termination, read_record
from gridwise.core.position import MAX_MOVES
from gridwise.errors import BadRecord, GridwiseError
from gridwise.folders import rename, sync_folder
from gridwise.play.records import (
    local_date,
    parse_record,
    read_tags,
    record_text,
    write_file,
    write_record,
)

GOOD = """\
[Game "number-connect"]
[Board "4152/6371/2845/9162"]
[First "1"]
[Player1 "human"]
[Player2 "bot:random"]
[Date "2026.11.15"]
[Result "0-1"]
[Ending "target"]
[Termination "reached exactly 15"]

1. 0,0 0,3 2. 0,1 1,3 3. 1,0 0,2 4. 1,1 1,2 0-1
"""


def test_the_example_reads_and_writes_as_it_stands() -> None:
    """The form of the documents is read, and written back letter for letter."""
    record = parse_record(GOOD)
    assert record.players == ("human", "bot:random")
    assert record.moves[-1] == "1,2"
    assert record_text(record) == GOOD


def test_the_document_tells_the_truth_about_records() -> None:
    """The record in docs/records.md is one, and its table has every ending there is."""
    page = (Path(__file__).parents[2] / "docs" / "records.md").read_text(encoding="utf-8")
    shown = page.split("```text\n", 1)[1].split("```", 1)[0]
    assert record_text(parse_record(shown)) == shown
    table = page.split("| Ending | |", 1)[1].split("\n\n", 1)[0]
    assert re.findall(r"(?m)^ *\| `([a-z-]+)` \|", table) == list(Termination)


def test_the_tags_can_be_read_without_the_moves(tmp_path: Path) -> None:
    """For lists: every tag, and how many moves there are; an illegal one is not noticed."""
    path = tmp_path / "game.gwr"
    path.write_text(GOOD.replace("0,1 1,3", "3,3 1,3") + "\n", encoding="utf-8")
    tags, moves = read_tags(path)
    assert moves == 8
    assert record_text(parse_record(GOOD)).startswith(
        "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    )
    with pytest.raises(BadRecord, match="Move 3"):
        read_record(path)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('[Game "number-connect"]\n', "", "tag Game is missing: a record starts with [Game "),
        ("number-connect", "number-conect", "tag Game is wrong"),
        ("4152/", "41x2/", "tag Board is wrong"),
        (
            '[Board "4152/6371/2845/9162"]\n',
            "",
            "tag Board is missing: a record has a line such as [Board ",
        ),
        (
            '[Result "0-1"]\n',
            "",
            'tag Result is missing: a record has a line such as [Result "*"].',
        ),
        ("0-1", "*", "Result says *"),
        ('"human"]', '"human"', "Line 4 is no tag"),
        ('[First "1"]', '[First "2"]', "tag First"),
        ('[First "1"]', "[First 1]", "Line 3 is no tag"),
        ('[First "1"]', '[Board "11"]', "Board stands there twice"),
        ('[Result "0-1"]', '[Result "2-0"]', "tag Result says"),
        ('[Result "0-1"]', '[Result "1-0"]', "the moves end with 0-1"),
        ("1,1 1,2 0-1", "1,1 1,2", "its end is missing"),
        ("0,1 1,3", "3,3 1,3", 'Move 3, "3,3": (3,3) is not next to one of your cells'),
        ("0,1 1,3", "hello 1,3", 'Move 3, "hello": "hello" is not a cell'),
        ("1,1 1,2 0-1", "1,1 1,2 5. 2,2 0-1", "Move 9"),
        ("4. 1,1 1,2 0-1", "0-1", "still goes on"),
        ("1. 0,0", '1. 0,0\n[Event "x"]\n', "stands among the moves"),
    ],
)
def test_damage_is_named(old: str, new: str, says: str) -> None:
    """The message names the tag, the line or the move."""
    assert old in GOOD
    with pytest.raises(BadRecord) as caught:
        parse_record(GOOD.replace(old, new))
    assert says in str(caught.value)


def test_a_record_cut_off_anywhere_is_refused(tmp_path: Path) -> None:
    """No proper beginning passes for a record, up to its last line break, nor has tags to read."""
    path = tmp_path / "game.gwr"
    for end in range(len(GOOD) - 1):
        with pytest.raises(BadRecord):
            parse_record(GOOD[:end])
        path.write_text(GOOD[:end], encoding="utf-8")
        with pytest.raises(BadRecord, match="not a valid record"):
            read_tags(path)


def test_resignation_is_a_result_with_an_ending() -> None:
    """A game that is not over has a result only if one side gave up or failed, or by adjudication.

    The wording is free.
    """
    match = Match("number-connect", "4152/6371/2845/9162")
    match.move("0,0")
    match.resign()
    text = record_text(match.record())
    assert '[Ending "resignation"]\n[Termination "Player 2 resigned"]' in text
    record = parse_record(text)
    assert (record.result, record.ending) == ("1-0", Termination.RESIGNATION)
    assert parse_record(text.replace("Player 2 resigned", "boredom")).result == "1-0"
    assert parse_record(text.replace('[Ending "resignation"]\n', "")).ending is None
    possible = {Termination.RESIGNATION, Termination.TIME_OUT, Termination.ILLEGAL_MOVE}
    possible |= {Termination.CRASH, Termination.ADJUDICATION}
    for ending in possible:
        other = parse_record(text.replace('[Ending "resignation"]', f'[Ending "{ending}"]'))
        assert (other.result, other.ending) == ("1-0", ending)
    for ending in set(Termination) - possible:
        with pytest.raises(BadRecord, match="still goes on"):
            parse_record(text.replace('[Ending "resignation"]', f'[Ending "{ending}"]'))
    with pytest.raises(BadRecord, match="tag Ending says"):
        parse_record(text.replace('[Ending "resignation"]', '[Ending "boredom"]'))


def test_a_game_without_an_ending_is_never_drawn() -> None:
    """Nobody resigns into a draw."""
    text = GOOD.replace("4. 1,1 1,2 0-1", "1/2-1/2").replace('"0-1"', '"1/2-1/2"')
    text = text.replace('[Ending "target"]\n', "")
    with pytest.raises(BadRecord, match="still goes on"):
        parse_record(text)
    for ending in set(Termination) - {Termination.ADJUDICATION}:
        with pytest.raises(BadRecord, match="still goes on"):
            parse_record(text.replace("[Result", f'[Ending "{ending}"]\n[Result'))
    by_computer = text.replace("[Result", '[Ending "adjudication"]\n[Result')
    assert parse_record(by_computer).result == "1/2-1/2"


def test_unknown_tags_and_odd_spacing_are_kept_or_forgiven() -> None:
    """A tag we do not know is carried along; line breaks among moves do not matter."""
    text = GOOD.replace("[Date", '[Event "Club \\"night\\""]\n[Date').replace("2. 0,1", "\n2.\n0,1")
    record = parse_record("\ufeff" + text.replace("\n", "\r\n"))
    assert record.tags == {"Event": 'Club "night"'}
    assert parse_record(record_text(record)) == record


def test_unseen_cells_are_unknown_in_an_unfinished_record_and_dealt_afresh() -> None:
    """`?` stands for what nobody has seen; resuming keeps what has been, and deals the rest."""
    match = Match("grid-conquest", seed=3, first=2)
    match.move("A1")
    text = record_text(match.record())
    assert text.splitlines()[1].count("?") == 25 - 4
    record = parse_record(text)
    boards = {Match.resume(record, seed=seed).true_board.cells for seed in range(5)}
    assert len(boards) == 5
    assert {cells[0] for cells in boards} == {match.true_board.cells[0]}


def test_a_turned_up_cell_must_be_known() -> None:
    """A record that claims a cell it does not know the value of is damaged."""
    text = record_text(Match("grid-conquest", seed=3, first=1).record())
    with pytest.raises(BadRecord, match="turned up"):
        parse_record(text.replace("\n*", "\n1. A1 *"))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe\x00",
        b"\x00" * 50,
        b"x" * 2_000_000,
        GOOD.replace("human", "Jos\xe9").encode("latin-1"),
        GOOD.encode("utf-16"),
        b"[" * 5000,
        b'[Game "' + b"\\" * 100_001 + b'"]\n\n*\n',
    ],
    ids=range(8),
)
def test_files_that_are_no_records(content: bytes, tmp_path: Path) -> None:
    """Whatever bytes a file holds, the answer is one sentence."""
    path = tmp_path / "x.gwr"
    path.write_bytes(content)
    with pytest.raises(BadRecord) as caught:
        read_record(path)
    assert len(str(caught.value)) < 300


def test_places_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    """No file, a folder, a missing folder: said, not raised as something else."""
    record = parse_record(GOOD)
    with pytest.raises(BadRecord, match="No such file"):
        read_record(tmp_path / "none.gwr")
    with pytest.raises(BadRecord, match="Is a directory"):
        read_record(tmp_path)
    with pytest.raises(GridwiseError, match="No such file"):
        write_record(record, tmp_path / "no" / "where.gwr")
    with pytest.raises(GridwiseError, match="Is a directory"):
        write_record(record, tmp_path)


@pytest.mark.parametrize("name", ["", "Two words", 'Event"]', "Event\n", "Result", "Board"])
def test_a_tag_must_be_one_that_can_be_read_back(name: str) -> None:
    """Neither a name that breaks the line nor one that says something else of the game."""
    record = Match("grid-runner").record()
    with pytest.raises(BadRecord, match="tag"):
        replace(record, tags={name: "x"})
    kept = replace(record, tags={"Event": 'a "cup" \\ 1'})
    assert parse_record(record_text(kept)).tags == {"Event": 'a "cup" \\ 1'}


LONG = """[Game "grid-runner"]
[Board "..X../...../X.X.X/...../..X.."]
[Result "*"]

{moves} *
"""


def test_a_record_of_very_many_moves_is_refused() -> None:
    """A file within the limit of bytes cannot fill the memory with positions."""
    parse_record(LONG.format(moves="down up up down " * (MAX_MOVES // 4)))
    with pytest.raises(BadRecord, match="At most 5,000 moves"):
        parse_record(LONG.format(moves="down up up down " * (MAX_MOVES // 4 + 1)))


@pytest.mark.parametrize(
    ("result", "ending", "moves"),
    [
        ("*", "goal", "right left"),
        ("*", "resignation", "right left"),
        ("0-1", "goal", "right left down up"),
        ("0-1", "resignation", "right left down up"),
        ("1-0", "no-moves", "right left"),
        ("1/2-1/2", "agreement", "right left"),
    ],
)
def test_the_ending_must_fit_the_moves(result: str, ending: str, moves: str) -> None:
    """Here `right left down up` leaves Player 1 without a move; nothing else ends the game."""
    tags = f'[Board "1324/2132/4213/3421"]\n[Result "{result}"]\n[Ending "{ending}"]'
    with pytest.raises(BadRecord, match="Ending can only be"):
        parse_record(f'[Game "number-maze"]\n{tags}\n\n{moves} {result}\n')


# After a power cut


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[str]]]:
    """Everything that is synced: a file, or a folder with the names it had at that time."""
    found: list[tuple[str, list[str]]] = []
    sync = os.fsync

    def note(handle: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(handle).st_mode)
        names = os.listdir(handle) if is_folder else []
        found.append(("folder" if is_folder else "file", names))
        sync(handle)

    monkeypatch.setattr(os, "fsync", note)
    return found


def test_the_folder_is_synced_after_the_file_has_its_name(
    tmp_path: Path, synced: list[tuple[str, list[str]]]
) -> None:
    """First what is in the file, then its name."""
    write_file(tmp_path / "game.gwr", b"moves")
    assert synced == [("file", []), ("folder", ["game.gwr"])]


def test_both_folders_are_synced_when_a_file_moves(
    tmp_path: Path, synced: list[tuple[str, list[str]]]
) -> None:
    """It is at its new place before it is gone from the old one."""
    (tmp_path / "to").mkdir()
    (tmp_path / "a").touch()
    assert rename(tmp_path / "a", tmp_path / "to" / "b") == tmp_path / "to" / "b"
    assert synced == [("folder", ["b"]), ("folder", ["to"])]


def test_a_folder_that_cannot_be_synced_is_no_error(tmp_path: Path) -> None:
    """The file has its name all the same."""
    sync_folder(tmp_path / "missing")


@pytest.mark.parametrize(
    ("told", "day"),
    [("0", "1970-01-01"), ("1700000000", "2023-11-14"), ("99999999999", "5138-11-16")],
)
def test_the_date_can_be_told_from_outside(
    monkeypatch: pytest.MonkeyPatch, told: str, day: str
) -> None:
    """By the variable for output that is the same whenever it is made, in seconds since 1970."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", told)
    assert str(local_date()) == day


@pytest.mark.parametrize("told", ["", "today", "-1", "1" * 12, "1.5"])
def test_a_date_that_is_none_is_passed_over(monkeypatch: pytest.MonkeyPatch, told: str) -> None:
    """Then it is today."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", told)
    before = dt.datetime.now().astimezone().date()
    assert before <= local_date() <= dt.datetime.now().astimezone().date()
