"""`gridwise games`: one's own games, listed, found by id, exported, deleted and restored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from .program import MAZE_BOARD, PROMPTS, RUN_BOARD, Run, Terminal, gridwise, is_one_complaint
from .program import moves_in as moves_of
from .test_help import completed

MAZE = f"""\
[Game "number-maze"]
[Board "{MAZE_BOARD}"]
[First "1"]
[Player1 "PLAYER1"]
[Player2 "PLAYER2"]
[Date "2026.11.12"]
[Result "0-1"]
[Ending "no-moves"]
[Termination "the opponent has no valid moves"]

1. right left 2. down up 0-1
"""
RUN = f"""\
[Game "number-run"]
[Board "{RUN_BOARD}"]
[First "1"]
[Player1 "human"]
[Player2 "human"]
[Date "2026.11.13"]
[Result "*"]
[Termination "unfinished"]

1. 0,1 3,4 *
"""
# Four finished games of Number Maze and an unfinished one, by id; the newest first.
FILES = {
    "aaa5": ("2026-11-15-101500-number-maze-aaa5", ("human", "bot:casual")),
    "aaa4": ("2026-11-14-101500-number-maze-aaa4", ("bot:strong", "human")),
    "aaa3": ("2026-11-13-101500-number-run-aaa3", None),
    "aaa2": ("2026-11-12-101500-number-maze-aaa2", ("human", "human")),
    "aaa1": ("2026-11-11-101500-number-maze-aaa1", ("bot:casual", "bot:strong")),
}


@pytest.fixture
def kept(home: Path) -> Path:
    """The folder of somebody who has played."""
    folder = home / "games"
    folder.mkdir()
    for name, players in reversed(FILES.values()):
        text = RUN
        if players:
            text = MAZE.replace("PLAYER1", players[0]).replace("PLAYER2", players[1])
        (folder / f"{name}.gwr").write_text(text)
    return folder


def ids(run: Run) -> list[str]:
    """The ids in a list."""
    assert run.status == 0, run.err
    return [word for line in run.lines if (word := line.partition(" ")[0]) in FILES]


# The list


def test_a_list_before_the_first_game(home: Path) -> None:
    """It says that there is nothing yet, and makes no folder."""
    run = gridwise("games", home=home)
    assert run.status == 0
    assert "no games yet" in run.out
    assert json.loads(gridwise("games", "--json", home=home).out) == []
    assert not list(home.iterdir())


def test_the_list_says_who_played_what_and_how_it_ended(home: Path, kept: Path) -> None:
    """A line for each game, the newest first, the result from the person's side."""
    run = gridwise("games", home=home)
    rows = [line.split("  ") for line in run.lines]
    table = [[cell.strip() for cell in row if cell] for row in rows[1 : len(FILES) + 1]]
    at = "2026-11-1{} 10:15"
    maze = "Number Maze"
    assert table == [
        ["aaa5", at.format(5), maze, "You against the casual bot", "lost", "4"],
        ["aaa4", at.format(4), maze, "Strong bot against you", "won", "4"],
        ["aaa3", at.format(3), "Number Run", "Player 1 against Player 2", "unfinished", "2"],
        ["aaa2", at.format(2), maze, "Player 1 against Player 2", "Player 2 won", "4"],
        ["aaa1", at.format(1), maze, "Casual bot against the strong bot", "Player 2 won", "4"],
    ]


def test_the_list_as_json(home: Path, kept: Path) -> None:
    """For programs: marks and words that do not change, no sentences."""
    games = json.loads(gridwise("games", "--json", home=home).out)
    assert [game["id"] for game in games] == list(FILES)
    assert games[0] == {
        "id": "aaa5",
        "file": str(kept / "2026-11-15-101500-number-maze-aaa5.gwr"),
        "game": "number-maze",
        "players": ["human", "bot:casual"],
        "person": 1,
        "result": "0-1",
        "verdict": "lost",
        "help": None,
        "ending": "no-moves",
        "started": "2026-11-15T10:15:00",
        "moves": 4,
        "problem": None,
    }
    assert [game["person"] for game in games] == [1, 2, None, None, None]  # one person only


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--game", "run"), ["aaa3"]),
        (("--opponent", "casual", "--game", "number-maze"), ["aaa5", "aaa1"]),
        (("--result", "won"), ["aaa4"]),
        (("--result", "draw"), []),
        (("--text", "2026-11-12"), ["aaa2"]),
        (("--limit", "2"), ["aaa5", "aaa4"]),
        (("--limit", "2", "--all"), list(FILES)),
    ],
)
def test_the_list_is_filtered(
    home: Path, kept: Path, options: tuple[str, ...], expected: list[str]
) -> None:
    """By game, opponent, result, text and number."""
    run = gridwise("games", *options, home=home)
    assert ids(run) == expected
    assert expected or "no such games" in run.out


def test_a_shell_completes_ids(home: Path, kept: Path) -> None:
    """Those that begin with what was typed."""
    assert completed(home, "gridwise games delete aaa") == set(FILES)


def test_only_the_newest_are_listed_at_first(home: Path, kept: Path) -> None:
    """Twenty; it says how many there are, and how to see them all."""
    for number in range(30):
        (kept / f"2026-10-01-1200{number}-number-run-{number:04}.gwr").write_text(RUN)
    run = gridwise("games", home=home)
    assert len(json.loads(gridwise("games", "--json", home=home).out)) == 20
    assert "20 of 35 games. --all lists them all." in run.out
    assert len(json.loads(gridwise("games", "--json", "--all", home=home).out)) == 35


def test_narrow_terminals_and_screen_readers_get_sentences(home: Path, kept: Path) -> None:
    """A table of 80 columns would fall apart in 40; so do screen readers, a line for a game."""
    run = gridwise("games", "--linear", home=home)
    assert run.lines[0] == (
        "aaa5: Number Maze, you against the casual bot, lost, 4 moves, 2026-11-15 10:15."
    )
    with Terminal("games", home=home, columns=40) as terminal:
        assert terminal.finish() == 0
        assert "aaa5: Number Maze, you against the\n" in terminal.text
        assert all(len(line) <= 40 for line in terminal.text.splitlines())


def test_a_damaged_file_is_listed_as_damaged(home: Path, kept: Path) -> None:
    """The others are listed as ever; opening it says what is wrong; it is not touched."""
    bad = kept / "2026-11-16-101500-number-maze-bad0.gwr"
    bad.write_text(MAZE[:-6])
    run = gridwise("games", home=home)
    assert ids(run) == list(FILES)
    assert run.lines[1].split() == ["bad0", "2026-11-16", "10:15", "damaged"]
    shown = gridwise("replay", "bad0", "--at", "-1", home=home)
    assert is_one_complaint(shown)
    assert "its end is missing" in shown.err
    assert json.loads(gridwise("games", "--json", "--limit", "1", home=home).out)[0]["problem"]
    assert bad.read_text() == MAZE[:-6]


def test_a_game_that_was_left_is_in_the_list(home: Path) -> None:
    """Playing and leaving is enough."""
    gridwise("play", "number-run", "--board", RUN_BOARD, home=home, typed=["0,1", "quit"])
    (game,) = json.loads(gridwise("games", "--json", home=home).out)
    assert (game["verdict"], game["moves"]) == ("unfinished", 1)
    again = gridwise("games", "continue", home=home, typed=["3,4", "quit"])
    assert again.status == 0
    assert moves_of(Path(game["file"])) == ["0,1", "3,4"]


# One of them


def test_commands_take_an_id_for_a_file(home: Path, kept: Path) -> None:
    """An id, in any case; the last one; the name of the file."""
    file = kept / "2026-11-15-101500-number-maze-aaa5.gwr"
    file.touch()
    by_file = gridwise("replay", file, home=home).out
    for name in ("aaa5", "AAA5", "last", file.stem):
        assert gridwise("replay", name, home=home).out == by_file
    run = gridwise("games", "replay", "aaa5", home=home)
    assert (run.status, run.out) == (0, by_file)


def test_a_review_and_an_analysis_take_an_id(home: Path, kept: Path) -> None:
    """With the options that they have."""
    run = gridwise("games", "review", "aaa5", "--plain", home=home)
    assert run.status == 0, run.err
    assert run.out == gridwise("review", "aaa5", "--plain", home=home).out
    assert "Number Maze" in run.out
    run = gridwise("analyze", "aaa3", "--json", home=home)
    assert json.loads(run.out)["moves"] == ["0,1", "3,4"]


def test_a_file_wins_over_an_id(home: Path, kept: Path) -> None:
    """Somebody may have a file of that name."""
    (home / "aaa5").write_text(RUN)
    assert "Number Run" in gridwise("replay", "aaa5", "--at", "-1", home=home).out
    assert "Number Maze" in gridwise("replay", "aaa4", "--at", "-1", home=home).out


def test_the_last_game_to_continue_is_the_last_unfinished_one(home: Path, kept: Path) -> None:
    """Finished games do not stand in the way; where there is none, it says so.

    It goes on without colour where --plain asks for that.
    """
    (kept / "2026-11-15-101500-number-maze-aaa5.gwr").touch()
    for command in (("play", "--resume", "last"), ("games", "continue")):
        run = gridwise(*command, home=home, typed=["quit"])
        assert run.status == 0, run.err
        assert PROMPTS["number-run"] in run.out
    with Terminal("games", "continue", "--plain", home=home) as terminal:
        assert "\x1b" not in terminal.expect(PROMPTS["number-run"])
    (kept / "2026-11-13-101500-number-run-aaa3.gwr").unlink()
    run = gridwise("games", "continue", home=home)
    assert is_one_complaint(run)
    assert "no unfinished game" in run.err


@pytest.mark.parametrize(
    "command",
    [
        ("replay", "zzzz"),
        ("play", "--resume", "zzzz"),
        ("games", "continue", "zzzz"),
        ("games", "export", "zzzz", "--to", "x.gif"),
        ("games", "delete", "aaa5", "zzzz", "--yes"),
        ("games", "restore", "zzzz"),
        ("replay", "x" * 300),
    ],
    ids=" ".join,
)
def test_an_id_that_is_none_is_one_complaint(
    home: Path, kept: Path, command: tuple[str, ...]
) -> None:
    """It is named, with the command that lists the ids; and nothing has happened."""
    run = gridwise(*command, home=home)
    assert is_one_complaint(run)
    assert command[1 if command[0] == "replay" else -1][:40] in run.err or "zzzz" in run.err
    assert "gridwise games" in run.err
    assert ids(gridwise("games", home=home)) == list(FILES)


@pytest.mark.parametrize(
    "options",
    [
        ("--result", "victory"),
        ("--limit", "0"),
        ("--game", "chess"),
        ("frobnicate",),
        ("export", "aaa5", "--to", "game.bmp"),
        ("export", "aaa5", "--to", "not/there.png"),
        ("export", "aaa5", "--to", "x.gif", "--delay", "0"),
        ("delete",),
    ],
    ids=" ".join,
)
def test_wrong_usage_is_one_complaint(home: Path, kept: Path, options: tuple[str, ...]) -> None:
    """Status 2 and one line."""
    assert is_one_complaint(gridwise("games", *options, home=home))
    assert {path.name for path in home.iterdir()} == {"games"}


# Exporting


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("game.GWR", b'[Game "number-maze"]'),
        ("game.svg", b"<svg "),
        ("game.png", b"\x89PNG"),
        ("game.GIF", b"GIF89a"),
    ],
)
def test_a_game_is_exported(home: Path, kept: Path, name: str, begins: bytes) -> None:
    """The end of the name says as what; a file that is in the way is kept."""
    for _ in range(2):
        run = gridwise("games", "export", "aaa5", "--to", name, home=home)
        assert run.status == 0, run.err
        assert name in run.out
    content = (home / name).read_bytes()
    assert content.startswith(begins)
    if name == "game.GWR":
        assert content == (kept / f"{FILES['aaa5'][0]}.gwr").read_bytes()
    assert (home / f"{name}~").read_bytes() == (home / name).read_bytes()
    assert f"{name}~" in run.out


def test_an_animation_takes_the_time_that_was_asked_for(home: Path, kept: Path) -> None:
    """The seconds of --delay for a position."""
    gridwise("games", "export", "aaa5", "--to", "game.gif", "--delay", "0.3", home=home)
    with Image.open(home / "game.gif") as animation:
        assert animation.info["duration"] == 300


# Deleting


@pytest.mark.parametrize(
    ("typed", "is_deleted"), [("yes", True), ("Y", True), ("no", False), ("", False), (None, False)]
)
def test_deleting_asks_first(home: Path, kept: Path, typed: str | None, is_deleted: bool) -> None:
    """Only a yes deletes; the end of the input is none."""
    run = gridwise("games", "delete", "aaa5", home=home, typed=[] if typed is None else [typed])
    assert run.status == 0
    assert "Number Maze, you against the casual bot" in run.out
    assert ("aaa5" not in ids(gridwise("games", home=home))) == is_deleted


def test_deleted_games_can_be_restored(home: Path, kept: Path) -> None:
    """Several at once, one of them named twice; the way back is named."""
    run = gridwise("games", "delete", "aaa5", "aaa3", "aaa5", "--yes", home=home)
    assert run.status == 0, run.err
    assert "gridwise games restore aaa5 aaa3" in run.out
    assert ids(gridwise("games", home=home)) == ["aaa4", "aaa2", "aaa1"]
    assert ids(gridwise("games", "--deleted", home=home)) == ["aaa5", "aaa3"]
    assert gridwise("games", "restore", "aaa5", "aaa3", home=home).status == 0
    assert ids(gridwise("games", home=home)) == list(FILES)
    assert "no such games" in gridwise("games", "--deleted", home=home).out


def test_a_home_that_is_none_is_one_complaint(home: Path) -> None:
    """A file where the folder should be."""
    run = gridwise("games", home=home, env={"GRIDWISE_HOME": "/dev/null/x"})
    assert is_one_complaint(run)
