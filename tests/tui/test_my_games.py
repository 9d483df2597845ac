"""My games: the list, the filter, and what can be done with a game."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from gridwise.play.library import Library, resume_command
from gridwise.play.records import read_record
from gridwise.play.session import PlaySession
from gridwise.play.setup import Setup
from gridwise.players.new_match import set_up
from gridwise.tui.app import GridwiseApp
from gridwise.tui.screens.my_games import ROWS_AT_ONCE, MyGamesScreen
from gridwise.tui.screens.watch import ReplayScreen
from tests.sizes import sample

from .pilots import (
    SIZES,
    SOME_SIZES,
    in_app,
    press_until,
    text_of,
    until,
    until_screen,
    until_text,
)

BOARD = "4152/6371/2845/9162"
LOST = ("0,0", "0,3", "0,1", "1,3", "1,0", "0,2", "1,1", "1,2")


def connect(moves: tuple[str, ...]) -> PlaySession:
    """A game of Number Connect against the casual bot."""
    session = set_up(Setup(game="number-connect", p2="bot:casual", board=BOARD))
    for move in moves:
        session.match.move(move)
    return session


def keep_lost() -> Path:
    """One that the bot has won."""
    return Library().new(connect(LOST).record())


def keep_open(opponent: str = "bot:strong") -> Path:
    """A game of Grid Runner after one move."""
    session = set_up(Setup(game="grid-runner", p2=opponent))
    session.match.move("right")
    return Library().new(session.record())


async def open_list(app: GridwiseApp, pilot: Pilot[int]) -> MyGamesScreen:
    """The list, all of it read."""
    await press_until(pilot, "MyGamesScreen", "m")
    screen = app.screen
    assert isinstance(screen, MyGamesScreen)
    await until(pilot, lambda: screen._all_read, "all games are read")
    await pilot.pause()
    return screen


@in_app()
async def test_the_list_says_what_was_played_and_how_it_ended(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """From the person's side, the newest first.

    Columns come and go with the window, the game that is pointed at stays. Letters are commands
    until the filter is asked for.
    """
    keep_lost()
    keep_open()
    screen = await open_list(app, pilot)
    await pilot.press("down")
    chosen = screen.chosen
    for size in SIZES:
        await pilot.resize_terminal(*size)
        columns = 3 if size == (40, 20) else 5
        await until(pilot, lambda n=columns: len(screen.table.columns) == n, "the columns")  # type: ignore[misc]
        shown = text_of(app)
        for word in ("Number Connect", "Casual bot", "✗ lost"):
            assert word in shown
        for word in ("Grid Runner", "Strong bot", "open"):
            assert word in shown
        assert shown.index("Grid Runner") < shown.index("Number Connect")
        assert screen.chosen == chosen
    assert not isinstance(app.focused, Input)
    await pilot.click("#filter")
    assert isinstance(app.focused, Input)


@in_app(*SOME_SIZES)
async def test_the_filter_leaves_what_mentions_every_word(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """In any order; Escape takes it away, and Escape again leaves."""
    keep_lost()
    keep_open()
    screen = await open_list(app, pilot)
    await pilot.press("slash", *"lost connect")
    await until(pilot, lambda: len(screen._shown) == 1, "one game is left")
    assert "Number Connect" in text_of(app)
    assert "Grid Runner" not in text_of(app)
    await pilot.press(*"xyz")
    await until_text(pilot, "There are no such games.")
    await pilot.press("escape")
    await until(pilot, lambda: len(screen._shown) == 2, "both are back")
    await press_until(pilot, "HomeScreen", "escape")


@in_app(*SOME_SIZES)
async def test_a_game_goes_on_with_keys_or_clicks_alone(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """Enter asks what to do, Enter again goes on; or a click on its row, a click on Continue."""
    path = keep_open()
    await open_list(app, pilot)
    await press_until(pilot, "AskScreen", "enter")
    await press_until(pilot, "PlayScreen", "enter")
    session = app.screen.session  # type: ignore[attr-defined]
    assert session.match.moves[0] == "right"
    assert session.path == path
    await press_until(pilot, "MyGamesScreen", "escape")
    await pilot.click("#list", offset=(5, 1))
    await until_screen(pilot, "AskScreen")
    await pilot.click("Button")
    await until_screen(pilot, "PlayScreen")


@in_app()
async def test_a_review_before_the_end_is_asked_about_and_marks_the_game(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """It shows what every move is worth; Enter thinks better of it. Nobody is asked twice."""
    path = keep_open()
    await open_list(app, pilot)
    await press_until(pilot, "AskScreen", "o")
    assert "a win does not count" in text_of(app)
    await press_until(pilot, "MyGamesScreen", "enter")
    assert not read_record(path).tags
    await press_until(pilot, "AskScreen", "o")
    await press_until(pilot, "ReviewScreen", "y")
    assert read_record(path).tags == {"Help": "values"}
    await press_until(pilot, "MyGamesScreen", "escape")
    await press_until(pilot, "ReviewScreen", "o")


@in_app()
async def test_games_are_replayed_as_far_as_they_went(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """Move by move, from the start to how each ended; nobody makes another move.

    Their files stay as they were, and no other is written.
    """
    lost, resigned = connect(LOST).match, connect(LOST[:3]).match
    resigned.resign(1)
    wanted = {
        keep_open(): (["right"], None),
        **{
            Library().new(match.record(("human", "bot:casual"))): (match.moves, match.outcome)
            for match in (lost, resigned)
        },
    }
    before = {path: path.read_bytes() for path in wanted}
    replayed = {}
    screen = await open_list(app, pilot)
    for row in range(len(wanted)):
        await until(pilot, lambda: len(screen._shown) == len(wanted), "all are listed")
        await pilot.press(*["up"] * len(wanted), *["down"] * row)
        assert screen.chosen
        path = screen.chosen.path
        await press_until(pilot, "ReplayScreen", "p")
        assert isinstance(app.screen, ReplayScreen)
        match = app.screen.session.match
        if wanted[path][1]:
            await until(pilot, lambda m=match: m.outcome, "the end is reached")  # type: ignore[misc]
        else:
            await until_text(pilot, "This is as far as the game went.")
        replayed[path] = (match.moves, match.outcome)
        await press_until(pilot, "MyGamesScreen", "escape")
    assert replayed == wanted
    assert {path: path.read_bytes() for path in before} == before
    assert Library().count() == len(before)


@in_app()
async def test_a_finished_game_can_be_deleted_and_not_continued(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """Deleting asks, and can be undone. Without games it is said how they come there.

    And every key is harmless.
    """
    path = keep_lost()
    screen = await open_list(app, pilot)
    await press_until(pilot, "AskScreen", "c", "z", "enter")
    assert "Continue" not in text_of(app)
    await press_until(pilot, "MyGamesScreen", "escape")
    await press_until(pilot, "AskScreen", "d")
    await press_until(pilot, "MyGamesScreen", "escape")
    assert path.exists()
    await press_until(pilot, "MyGamesScreen", "d", "enter")
    assert path.exists(), "Enter keeps it"
    await press_until(pilot, "AskScreen", "d")
    await pilot.press("y")
    await until(pilot, lambda: not path.exists(), "the file is gone")
    await until_text(pilot, "You have no games yet")
    await pilot.press("c", "o", "e", "d", "p", "enter")
    assert app.screen is screen
    await pilot.press("z")
    await until(pilot, lambda: path.exists() and screen._shown, "the file is back")


@in_app()
async def test_a_game_is_exported_to_the_folder_one_is_in(
    app: GridwiseApp, pilot: Pilot[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a record, a picture or an animation; a file of that name is not lost."""
    forms = {".gwr": b"[Game", ".svg": b"<svg", ".png": b"\x89PNG", ".gif": b"GIF"}
    path = keep_lost()
    monkeypatch.chdir(tmp_path)
    targets = {form: tmp_path / f"{path.stem}{form}" for form in forms}
    for target in targets.values():
        target.write_text("precious")
    await open_list(app, pilot)
    for number, (form, begins) in enumerate(forms.items(), 1):
        await press_until(pilot, "AskScreen", "e")
        await pilot.press(str(number))
        await until(pilot, lambda f=form, b=begins: targets[f].read_bytes().startswith(b), form)  # type: ignore[misc]
        await until_text(pilot, "Written to")
    for target in targets.values():
        assert any(each.read_bytes() == b"precious" for each in tmp_path.glob(f"{target.name}*"))
    assert read_record(targets[".gwr"]).moves == LOST


# What is wrong with files


@in_app((200, 60))
async def test_a_damaged_file_is_listed_and_left_alone(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """It says what is wrong with it; it can be deleted and nothing else."""
    folder = keep_lost().parent
    damaged = folder / "2099-01-01-000000-number-run-zzzz.gwr"
    damaged.write_bytes(b"rubbish \x1b[31m")
    await open_list(app, pilot)
    assert "damaged" in text_of(app)
    assert "\x1b" not in text_of(app)
    await press_until(pilot, "AskScreen", "enter")
    assert "Delete" in text_of(app)
    assert "Review" not in text_of(app)
    assert "\x1b" not in text_of(app)
    assert damaged.exists()


@in_app((200, 60))
async def test_names_in_files_cannot_write_to_the_terminal(
    app: GridwiseApp, pilot: Pilot[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither in the list, nor beside it, nor in the menu, nor in a replay or an export.

    Neither the name of a player nor that of a file.
    """
    monkeypatch.chdir(tmp_path)
    path = keep_open()
    evil = "Eve\x1b]0;title\x07\x1b[31m\u202e[b]bold[/b]"
    path.write_text(path.read_text().replace("bot:strong", evil))
    path = path.rename(path.with_name("evil\x1b[31m\x07.gwr"))

    def assert_harmless(*words: str) -> None:
        shown = text_of(app)
        assert not {"\x1b", "\x07", "\u202e"} & set(shown)
        for word in words:
            assert word in shown

    await open_list(app, pilot)
    await until_text(pilot, "against Eve")
    assert_harmless("Eve")
    await press_until(pilot, "AskScreen", "enter")
    assert_harmless("Eve")
    await press_until(pilot, "MyGamesScreen", "escape")
    await pilot.press("e", "1")
    await until_text(pilot, "Written to")
    assert_harmless()
    await press_until(pilot, "ReplayScreen", "p")
    await until_text(pilot, "Eve")
    assert_harmless()
    assert not {"\x1b", "\x07", "\u202e"} & set(resume_command(path))


@in_app()
async def test_a_folder_that_cannot_be_read_is_said(
    app: GridwiseApp, pilot: Pilot[int], home: Path
) -> None:
    """And the app goes on."""
    home.mkdir(parents=True, exist_ok=True)
    (home / "games").write_text("a file where the folder should be")
    await open_list(app, pilot)
    await until_text(pilot, "Cannot read")


@in_app()
async def test_rows_are_made_as_somebody_comes_to_them(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """Of many games only the first have rows; the keys lead on to the last."""
    path = keep_lost()
    text = path.read_text()
    many = sample(3 * ROWS_AT_ONCE, long=500)
    for number in range(many):
        name = f"2020-01-01-{number:06}-number-connect-a{number:03}.gwr"
        (path.parent / name).write_text(text)
    screen = await open_list(app, pilot)
    assert str(many + 1) in text_of(app)
    assert len(screen._shown) <= 2 * ROWS_AT_ONCE
    for _ in range(6):
        await pilot.press("end")
    assert len(screen._shown) == many + 1
    assert screen.chosen is not None
    assert "a000" in screen.chosen.path.name
