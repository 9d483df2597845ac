"""A person's own games on disk: kept, found, counted, and never lost."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from gridwise import Match, read_record
from gridwise.errors import BadRequest, GridwiseError
from gridwise.play.ladder import Help, Standing
from gridwise.play.library import Library, SavedStatus
from gridwise.play.records import Record, read_tags, record_text
from gridwise.play.setup import Setup
from gridwise.players.new_match import set_up

# Number Maze: after these moves Player 1 has none left, and Player 2 has won.
MAZE = "1324/2132/4213/3421"
LOST = ("right", "left", "down", "up")
YOU, CASUAL, STRONG = "human", "bot:casual", "bot:strong"


def record(moves: int = 4, players: tuple[str, str] = (YOU, CASUAL)) -> Record:
    """A game of Number Maze after so many of its four moves."""
    match = Match("number-maze", MAZE, moves=LOST[:moves])
    return match.record(players, "2026.11.15")


def conquest(moves: int = 2) -> Record:
    """A game of Grid Conquest, which hides cells."""
    match = Match("grid-conquest", seed=3, first=1)
    for _ in range(moves):
        match.move(match.legal_moves[0])
    return match.record((YOU, STRONG))


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    """The library of somebody who has not played yet."""
    monkeypatch.setenv("GRIDWISE_HOME", str(tmp_path))
    return Library()


def put_into(library: Library, name: str, moves: int) -> None:
    """A file of any name in the folder, as somebody may copy it there."""
    library.folder.mkdir(exist_ok=True)
    (library.folder / name).write_text(record_text(record(moves)))


# Keeping


def test_somebody_who_has_not_played_has_no_games(library: Library, tmp_path: Path) -> None:
    """Nothing is listed, nothing can be continued, and no folder is made for it."""
    assert list(library.games()) == []
    assert library.last_unfinished() is None
    assert library.tally() == {}
    assert not list(tmp_path.iterdir())
    with pytest.raises(BadRequest, match="no games yet"):
        library.find("last")


def test_a_game_is_an_ordinary_record(library: Library, tmp_path: Path) -> None:
    """It lies in the folder `games` under the time, the game and its id, and can be read."""
    path = library.new(record(2))
    assert path.parent == tmp_path / "games"
    assert read_record(path) == record(2)
    (kept,) = library.games()
    assert path.name.endswith(f"-number-maze-{kept.id}.gwr")
    assert kept.started
    assert path.name.startswith(kept.started.strftime("%Y-%m-%d-%H%M%S-"))
    assert len(kept.id) == 4


def test_what_a_list_says_about_a_game(library: Library) -> None:
    """Who played what, how it ended and how long it was, from the tags."""
    library.new(record())
    (kept,) = library.games()
    assert (kept.game, kept.title, kept.players) == ("number-maze", "Number Maze", (YOU, CASUAL))
    assert (kept.result, kept.ending, kept.moves) == ("0-1", "no-moves", 4)
    assert (kept.person, kept.opponent, kept.status) == (1, CASUAL, SavedStatus.LOST)
    assert kept.finished
    assert not kept.problem


@pytest.mark.parametrize(
    ("players", "verdict"),
    [
        ((CASUAL, YOU), SavedStatus.WON),
        ((YOU, CASUAL), SavedStatus.LOST),
        ((YOU, YOU), SavedStatus.PLAYER_2_WON),
        ((CASUAL, STRONG), SavedStatus.PLAYER_2_WON),
    ],
)
def test_a_result_is_told_from_the_side_of_the_person(
    library: Library, players: tuple[str, str], verdict: SavedStatus
) -> None:
    """Player 2 wins this game; where two people or two bots play, nobody here has won it."""
    library.new(record(4, players))
    assert [kept.status for kept in library.games()] == [verdict]


def test_games_of_one_moment_have_names_in_their_order(library: Library) -> None:
    """Many in one second: no name twice, no id twice, the newest first."""
    paths = [library.new(record(1)) for _ in range(50)]
    assert [kept.path for kept in library.games()] == paths[::-1]
    assert len({kept.id for kept in library.games()}) == 50


def test_two_processes_never_take_the_same_name(library: Library, tmp_path: Path) -> None:
    """Four processes keep 25 games each, as fast as they can: a hundred games."""
    code = (
        "from gridwise.play.library import Library\n"
        "from gridwise.play.records import parse_record\n"
        f"record = parse_record({record_text(record(2))!r})\n"
        "for _ in range(25): Library().new(record)\n"
    )
    processes = [subprocess.Popen([sys.executable, "-c", code], env=os.environ) for _ in range(4)]
    assert [process.wait(timeout=60) for process in processes] == [0] * 4
    assert [kept.status for kept in library.games()] == [SavedStatus.UNFINISHED] * 100


def test_a_game_continued_in_two_places_becomes_two_games(library: Library) -> None:
    """Both opened the same file; whoever writes second gets a file of their own."""
    path = library.new(record(1))
    here, there = Library(), Library()
    here.read(path)
    there.read(path)
    assert here.write(path, record(2)) == path
    branch = there.write(path, record(3))
    assert branch != path
    assert there.write(branch, record(4)) == branch
    assert here.write(path, record(3)) == path
    assert (read_record(path), read_record(branch)) == (record(3), record(4))


def test_two_branches_of_one_length_are_two_games_too(library: Library) -> None:
    """A file that somebody else has written to may be as long as it was: `0,1` is, and `1,0`."""
    one, two, three = (Match("number-run", "31425/25134/42513/14252/53142") for _ in range(3))
    two.move("0,1")
    three.move("1,0")
    path = library.new(two.record((YOU, CASUAL), "2026.11.15"))
    there = Library()
    there.read(path)
    library.write(path, three.record((YOU, CASUAL), "2026.11.15"))
    branch = there.write(path, one.record((YOU, CASUAL), "2026.11.15"))
    assert branch != path
    assert (read_record(path).moves, read_record(branch).moves) == (("1,0",), ())


def test_a_game_can_be_written_to_a_terminal(library: Library) -> None:
    """It changes with whatever is typed there, but is nobody else's file."""
    master, slave = os.openpty()
    path = Path(os.ttyname(slave))
    assert library.write(path, record(1)) == path
    os.utime(path, ns=(0, 0))
    assert library.write(path, record(2)) == path
    os.close(slave)
    os.close(master)
    assert library.count() == 0


def test_a_game_deleted_while_it_is_played_comes_back_with_the_next_move(library: Library) -> None:
    """What is being played is not lost."""
    path = library.new(record(1))
    Library().delete("last")
    assert library.write(path, record(2)) == path
    assert read_record(path) == record(2)


# Looking


def test_files_of_any_name_are_listed(library: Library) -> None:
    """A record that somebody puts into the folder is a game like others, by its own name."""
    library.new(record())
    path = library.folder / "against Anna.gwr"
    path.write_text(record_text(record(2)))
    assert {kept.id for kept in library.games()} >= {"against Anna"}
    assert library.find("against anna").path == path
    assert str(library.find("against anna").started) == "2026-11-15 00:00:00"


def test_games_are_filtered(library: Library) -> None:
    """By game, opponent, result and any text; the newest first, and no more than asked for."""
    lost = library.new(record(4))
    won = library.new(record(4, (STRONG, YOU)))
    people = library.new(record(4, (YOU, YOU)))
    open_game = library.new(conquest())
    found = {
        "game": [kept.path for kept in library.games(game="grid-conquest")],
        "player": [kept.path for kept in library.games(opponent="bot:casual")],
        "level": [kept.path for kept in library.games(opponent="Strong")],
        "people": [kept.path for kept in library.games(opponent="human")],
        "won": [kept.path for kept in library.games(result="won")],
        "lost": [kept.path for kept in library.games(result="lost")],
        "unfinished": [kept.path for kept in library.games(result="unfinished")],
        "text": [kept.path for kept in library.games(text="NUMBER MAZE")],
        "two": [kept.path for kept in library.games(limit=2)],
        "both": [kept.path for kept in library.games(opponent="strong", result="won")],
    }
    assert found == {
        "game": [open_game],
        "player": [lost],
        "level": [open_game, won],
        "people": [people],
        "won": [won],
        "lost": [lost],
        "unfinished": [open_game],
        "text": [people, won, lost],
        "two": [open_game, people],
        "both": [won],
    }


def test_a_list_reads_only_what_it_shows(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of older games cost nothing but their names."""
    for _ in range(20):
        library.new(record(2))
    read: list[object] = []

    def counted(path: Path) -> tuple[dict[str, str], int]:
        read.append(path)
        return read_tags(path)

    monkeypatch.setattr("gridwise.play.library.read_tags", counted)
    assert len(list(library.games(limit=3))) == 3
    assert len(read) == 3


def test_the_last_game_is_the_one_played_last(library: Library) -> None:
    """An older game that was continued since is the last one."""
    first, second = library.new(record(1)), library.new(record(1))
    assert library.find("last").path == second
    time.sleep(0.01)
    library.write(first, record(2))
    assert library.find("LAST").path == first
    assert (found := library.last_unfinished())
    assert found.path == first
    library.write(first, record(4))
    assert (found := library.last_unfinished())
    assert found.path == second


def test_an_id_that_fits_two_games_is_refused(library: Library) -> None:
    """It says which they are; the whole name still works."""
    names = [f"number-maze-2026-11-{day}-120000-77.gwr" for day in (14, 15)]
    for name in names:
        put_into(library, name, 2)
    with pytest.raises(BadRequest, match="whole name") as caught:
        library.find("77")
    assert all(name in str(caught.value) for name in names)
    assert library.find(names[0]).path.name == names[0]
    with pytest.raises(BadRequest, match="gridwise games"):
        library.find("78")


def test_wins_are_counted_from_the_side_of_the_person(library: Library) -> None:
    """By game and opponent; games of two people, of two bots and unfinished ones do not count."""
    for players in ((YOU, CASUAL), (CASUAL, YOU), (CASUAL, YOU), (STRONG, YOU)):
        library.new(record(4, players))
    for players in ((YOU, YOU), (CASUAL, STRONG)):
        library.new(record(4, players))
    library.new(record(2))
    assert library.tally() == {
        ("number-maze", CASUAL): Standing(won=2, lost=1),
        ("number-maze", STRONG): Standing(won=1),
    }


# Deleting


def test_a_deleted_game_can_be_brought_back(library: Library) -> None:
    """It is not listed, not found and not counted, but it is still there."""
    path = library.new(record())
    (kept,) = library.games()
    deleted = library.delete(kept.id)
    assert deleted.parent == library.deleted.folder
    assert (list(library.games()), library.count(), library.tally()) == ([], 0, {})
    with pytest.raises(BadRequest, match="There is no game"):
        library.find(kept.id)
    assert library.restore(kept.id) == path
    assert list(library.games()) == [kept]


def test_a_deleted_game_takes_no_other_ones_place(library: Library) -> None:
    """Two files of one name are both still there after both were deleted."""
    name = "number-maze-2026-11-14-120000-77.gwr"
    for moves in (1, 2):
        put_into(library, name, moves)
        library.delete("77")
    kept = sorted(read_record(path).moves for path in library.deleted.folder.iterdir())
    assert kept == [LOST[:1], LOST[:2]]


# What can go wrong


DAMAGE = {
    "cut short": record_text(record())[:-5].encode(),
    "no tags": b"hello\n",
    "no such game": record_text(record()).replace("number-maze", "chess").encode(),
    "no text": bytes(range(256)),
    "two megabytes": b"x" * 2_000_000,
    "no such ending": record_text(record()).replace("no-moves", "boredom").encode(),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_listed_as_damaged(library: Library, damage: str) -> None:
    """It hides no other game, says what is wrong, and stays as it is until it is deleted."""
    good = library.new(record(2))
    bad = library.folder / "2026-11-16-120000-number-maze-zzzz.gwr"
    bad.write_bytes(DAMAGE[damage])
    listed = {kept.path: kept for kept in library.games()}
    assert listed.keys() == {good, bad}
    assert listed[bad].status is SavedStatus.DAMAGED
    assert listed[bad].problem
    assert [kept.path for kept in library.games(result="damaged")] == [bad]
    assert (found := library.last_unfinished())
    assert found.path == good
    assert library.tally() == {}
    assert bad.read_bytes() == DAMAGE[damage]
    library.delete("zzzz")
    assert [kept.path for kept in library.games()] == [good]


def test_a_game_with_an_illegal_move_is_not_offered(library: Library) -> None:
    """The tags are right, so a list shows it; but it could not be continued."""
    library.new(record(1))
    text = record_text(record(2)).replace("1. right left", "1. right right")
    (library.folder / "bad.gwr").write_text(text)
    assert library.count() == 2
    assert (found := library.last_unfinished())
    assert found.id != "bad"


@pytest.mark.parametrize("kind", ["folder", "link to nowhere", "pipe", "hidden", "empty"])
def test_what_is_no_game_is_passed_over(library: Library, kind: str) -> None:
    """Whatever lies in the folder; an empty file is what a kill leaves of a file being moved."""
    path = library.new(record(2))
    other = library.folder / ("." * (kind == "hidden") + "other.gwr")
    if kind == "folder":
        other.mkdir()
    elif kind == "link to nowhere":
        other.symlink_to(library.folder / "nothing")
    elif kind == "pipe":
        os.mkfifo(other)
    else:
        other.write_text("x" * (kind == "hidden"))
    assert [kept.path for kept in library.games()] == [path]
    assert library.find("last").path == path


def test_a_folder_that_cannot_be_used_is_an_error_with_a_reason(tmp_path: Path) -> None:
    """A file where the folder should be; starting a game still works, as nothing is offered."""
    (tmp_path / "games").write_text("in the way")
    library = Library(tmp_path / "games")
    for action in (lambda: library.new(record(1)), lambda: list(library.games()), library.tally):
        with pytest.raises(GridwiseError, match="games"):
            action()
    assert library.last_unfinished() is None


def test_a_game_that_cannot_be_written_leaves_nothing_behind(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk the name is given back, an older state stays, and the reason is named."""
    path = library.new(record(1))

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(GridwiseError, match="No space left"):
        library.new(record(2))
    with pytest.raises(GridwiseError, match="No space left"):
        library.write(path, record(2))
    assert [file.name for file in library.folder.iterdir()] == [path.name]
    assert read_record(path) == record(1)


def test_a_kill_at_any_moment_leaves_whole_games(library: Library, tmp_path: Path) -> None:
    """However it is cut off, every file in the list can be read."""
    code = (
        "from gridwise import Match\n"
        "from gridwise.play.library import Library\n"
        "library = Library()\n"
        "while True:\n"
        f"    match = Match('number-maze', {MAZE!r})\n"
        "    path = None\n"
        f"    for move in {LOST!r}:\n"
        "        match.move(move)\n"
        "        record = match.record()\n"
        "        path = library.write(path, record) if path else library.new(record)\n"
    )
    for delay in (0.0, 0.003, 0.007, 0.011, 0.02):
        process = subprocess.Popen([sys.executable, "-c", code], env=os.environ)
        before = library.count()
        while library.count() == before:
            time.sleep(0.001)
        time.sleep(delay)
        process.kill()
        process.wait()
    games = list(library.games())
    assert len(games) == library.count() >= 5
    for kept in games:
        assert not kept.problem
        assert read_record(kept.path).moves == LOST[: kept.moves]


# Help


def both_sides(number: int, moves: int) -> Record:
    """One of the two games on a board, after so many of four moves."""
    score = {1: "0-0", 2: "1-0"}[number]
    tags = {"BestOf": "2", "Round": str(number), "Score": score}
    players = (YOU, CASUAL) if number == 1 else (CASUAL, YOU)
    return replace(record(moves, players), tags=tags)


def test_a_review_helps_in_what_is_still_to_be_won(library: Library) -> None:
    """Against a program, until the end; with both sides until that of the other game."""
    lost, people = library.new(record(4)), library.new(record(2, (YOU, YOU)))
    assert library.helped_by_review(lost) == library.helped_by_review(people) == []
    still = library.new(record(2))
    assert [saved.path for saved in library.helped_by_review(still)] == [still]
    library.delete(still.name)
    first = library.new(both_sides(1, 4))
    assert [saved.path for saved in library.helped_by_review(first)] == [first]
    second = library.new(both_sides(2, 2))
    assert [saved.path for saved in library.helped_by_review(first)] == [second]
    library.write(second, both_sides(2, 4))
    assert library.helped_by_review(first) == []


def test_a_review_helps_in_the_other_side_whenever_it_is_played(library: Library) -> None:
    """The first game can be gone on from after others, too, as long as there is no second."""
    first = library.new(both_sides(1, 4))
    match = Match("number-maze", "1111/1111/1111/1111", moves=["right"])
    another = library.new(match.record((YOU, CASUAL)))
    os.utime(first, ns=(1, 1))
    assert library.last().path == another
    assert [saved.path for saved in library.helped_by_review(first)] == [first]
    second = library.new(both_sides(2, 4))
    os.utime(first, ns=(1, 1))
    assert library.helped_by_review(second) == library.helped_by_review(first) == []


def test_what_cannot_be_read_keeps_nobody_from_a_review(library: Library, tmp_path: Path) -> None:
    """A damaged game goes on nowhere, and in a folder that is none there are no games."""
    elsewhere = tmp_path / "elsewhere.gwr"
    elsewhere.write_text(record_text(record(2)))
    still = library.new(record(2))
    put_into(library, "broken.gwr", 2)
    broken = library.folder / "broken.gwr"
    broken.write_text(broken.read_text().replace("1. right left", "1. right down"))
    assert [saved.path for saved in library.helped_by_review(elsewhere)] == [still]
    (tmp_path / "file").write_text("")
    assert Library(tmp_path / "file" / "games").helped_by_review(elsewhere) == []


def test_on_the_one_board_of_a_game_a_review_helps_in_nothing_else(library: Library) -> None:
    """Otherwise nobody could look at an old game of Grid Runner while another one goes on."""
    match = Match("grid-runner", moves=["right"])
    one, two = (library.new(match.record((YOU, CASUAL))) for _ in range(2))
    assert [saved.path for saved in library.helped_by_review(one)] == [one]
    assert two.exists()


def test_help_is_noted_in_the_file_and_changes_nothing_else(library: Library) -> None:
    """Nor does that make it the game that was played last."""
    older, newer = library.new(record(2)), library.new(record(3))
    os.utime(older, ns=(1, 1))
    (saved,) = (each for each in library.games() if each.path == older)
    library.note_help(saved, Help.VALUES)
    library.note_help(saved, Help.HINT)
    assert library.last().path == newer
    noted = library.read(older)
    assert noted.tags == {"Help": "1 hint, values"}
    assert replace(noted, tags={}) == record(2)


def test_a_game_that_is_reviewed_elsewhere_goes_on_in_its_file(library: Library) -> None:
    """With the help that was noted; it is not the same game continued in two places."""
    session = set_up(Setup(game="number-maze", board=MAZE, p2="human:Ann"))
    session.match.move(LOST[0])
    path = session.store()
    (saved,) = library.games()
    library.note_help(saved, Help.VALUES)
    session.match.move(LOST[1])
    assert session.store() == path
    assert library.count() == 1
    noted = library.read(path)
    assert (noted.tags["Help"], noted.moves) == ("values", LOST[:2])
    library.write(path, replace(noted, moves=LOST[:1]))
    session.match.move(LOST[2])
    assert session.store() != path
