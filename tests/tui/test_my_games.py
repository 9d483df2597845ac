"""My games: the list, the filter, and what can be done with a game."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from gridwise.arena.setup import MatchSetup, set_up
from gridwise.play.library import Library, resume_command
from gridwise.play.records import read_record
from gridwise.tui.app import GridwiseApp
from gridwise.tui.screens.my_games import ROWS, MyGamesScreen
from gridwise.tui.screens.watch import ReplayScreen

from .pilots import SIZES, drive, text_of, until, until_screen, until_text

BOARD = "4152/6371/2845/9162"
LOST = ("0,0", "0,3", "0,1", "1,3", "1,0", "0,2", "1,1", "1,2")


def keep_lost() -> Path:
    """A game of Number Connect that the casual bot has won."""
    session = set_up(MatchSetup(game="number-connect", p2="bot:casual", board=BOARD))
    for move in LOST:
        session.match.move(move)
    return Library().new(session.record())


def keep_open(opponent: str = "bot:strong") -> Path:
    """A game of Grid Runner after one move."""
    session = set_up(MatchSetup(game="grid-runner", p2=opponent))
    session.match.move("right")
    return Library().new(session.record())


async def open_list(app: GridwiseApp, pilot: Pilot[int]) -> MyGamesScreen:
    """The list, all of it read."""
    await pilot.press("m")
    await until_screen(pilot, "MyGamesScreen")
    screen = app.screen
    assert isinstance(screen, MyGamesScreen)
    await until(pilot, lambda: screen._all_read, "all games are read")
    await pilot.pause()
    return screen


@pytest.mark.parametrize("size", SIZES)
def test_the_list_says_what_was_played_and_how_it_ended(size: tuple[int, int]) -> None:
    """From the person's side, the newest first."""
    keep_lost()
    keep_open()

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await open_list(app, pilot)
        shown = text_of(app)
        for word in ("Number Connect", "Casual bot", "✗ lost", "Grid Runner", "Strong bot", "open"):
            assert word in shown
        assert shown.index("Grid Runner") < shown.index("Number Connect")

    drive(scenario, size)


def test_without_games_it_says_how_they_come_there() -> None:
    """And every key is harmless."""

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await open_list(app, pilot)
        assert "You have no games yet" in text_of(app)
        await pilot.press("c", "v", "e", "d", "u", "enter")
        await pilot.pause()
        assert isinstance(app.screen, MyGamesScreen)

    drive(scenario)


@pytest.mark.parametrize("size", SIZES)
def test_the_filter_leaves_what_mentions_every_word(size: tuple[int, int]) -> None:
    """In any order; Escape takes it away, and Escape again leaves."""
    keep_lost()
    keep_open()

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        screen = await open_list(app, pilot)
        await pilot.press("slash", *"lost connect")
        await until(pilot, lambda: len(screen._shown) == 1, "one game is left")
        assert "Number Connect" in text_of(app)
        assert "Grid Runner" not in text_of(app)
        await pilot.press(*"xyz")
        await until_text(pilot, "There are no such games.")
        await pilot.press("escape")
        await until(pilot, lambda: len(screen._shown) == 2, "both are back")
        await pilot.press("escape")
        await until_screen(pilot, "HomeScreen")

    drive(scenario, size)


@pytest.mark.parametrize("size", SIZES)
def test_a_game_goes_on_with_the_keyboard_alone(size: tuple[int, int]) -> None:
    """Enter asks what to do, Enter again goes on."""
    path = keep_open()

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await open_list(app, pilot)
        await pilot.press("enter")
        await until_screen(pilot, "AskScreen")
        await pilot.press("enter")
        await until_screen(pilot, "GameScreen")
        session = app.screen.session  # type: ignore[attr-defined]
        assert session.match.moves[0] == "right"
        assert session.path == path

    drive(scenario, size)


@pytest.mark.parametrize("size", SIZES)
def test_a_game_goes_on_with_the_mouse_alone(size: tuple[int, int]) -> None:
    """A click on its row, a click on Continue."""
    keep_open()

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await open_list(app, pilot)
        await pilot.click("#list", offset=(5, 1))
        await until_screen(pilot, "AskScreen")
        await pilot.click("Button")
        await until_screen(pilot, "GameScreen")

    drive(scenario, size)


def test_a_finished_game_cannot_go_on() -> None:
    """The key does nothing, and the menu does not offer it."""
    keep_lost()

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await open_list(app, pilot)
        await pilot.press("c", "enter")
        await until_screen(pilot, "AskScreen")
        assert "Continue" not in text_of(app)

    drive(scenario)


@pytest.mark.parametrize("resigned", [False, True])
def test_a_game_is_replayed_to_its_end(resigned: bool) -> None:
    """Move by move, from its start to how it ended; its file stays as it was."""
    session = set_up(MatchSetup(game="number-connect", p2="bot:casual", board=BOARD))
    for move in LOST[:3] if resigned else LOST:
        session.match.move(move)
    if resigned:
        session.match.resign(1)
    path = Library().new(session.record())
    before = path.read_bytes()

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await open_list(app, pilot)
        await pilot.press("p")
        await until_screen(pilot, "ReplayScreen")
        assert isinstance(app.screen, ReplayScreen)
        match = app.screen.session.match
        await until(pilot, lambda: match.outcome, "the end is reached")
        assert match.moves == session.match.moves
        assert match.outcome == session.match.outcome
        await pilot.press("escape")
        await until_screen(pilot, "MyGamesScreen")

    drive(scenario)
    assert path.read_bytes() == before
    assert Library().count() == 1


def test_an_unfinished_game_is_replayed_as_far_as_it_went() -> None:
    """Nobody makes another move."""
    keep_open()

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await open_list(app, pilot)
        await pilot.press("p")
        await until_screen(pilot, "ReplayScreen")
        await until_text(pilot, "This is as far as the game went.")
        assert isinstance(app.screen, ReplayScreen)
        assert app.screen.session.match.moves == ["right"]

    drive(scenario)


def test_deleting_asks_and_can_be_undone() -> None:
    """The file is gone from the list only after a yes."""
    path = keep_lost()

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        screen = await open_list(app, pilot)
        await pilot.press("d")
        await until_screen(pilot, "AskScreen")
        await pilot.press("escape")
        await until_screen(pilot, "MyGamesScreen")
        assert path.exists()
        await pilot.press("d")
        await until_screen(pilot, "AskScreen")
        await pilot.press("enter")
        await until(pilot, lambda: not path.exists(), "the file is gone")
        await until_text(pilot, "You have no games yet")
        await pilot.press("u")
        await until(pilot, lambda: path.exists() and screen._shown, "the file is back")

    drive(scenario)


@pytest.mark.parametrize(
    ("key", "form", "begins"),
    [
        ("1", ".gwr", b"[Game"),
        ("2", ".svg", b"<svg"),
        ("3", ".png", b"\x89PNG"),
        ("4", ".gif", b"GIF"),
    ],
)
def test_a_game_is_exported_to_the_folder_one_is_in(
    key: str, form: str, begins: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a record, a picture or an animation; a file of that name is not lost."""
    path = keep_lost()
    monkeypatch.chdir(tmp_path)
    target = tmp_path / f"{path.stem}{form}"
    target.write_text("precious")

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await open_list(app, pilot)
        await pilot.press("e")
        await until_screen(pilot, "AskScreen")
        await pilot.press(key)
        await until_text(pilot, "Written to")

    drive(scenario)
    assert target.read_bytes().startswith(begins)
    assert any(each.read_bytes() == b"precious" for each in tmp_path.glob(f"{target.name}*"))
    if form == ".gwr":
        assert read_record(target).moves == LOST


def test_a_damaged_file_is_listed_and_left_alone() -> None:
    """It says what is wrong with it; it can be deleted and nothing else."""
    folder = keep_lost().parent
    damaged = folder / "2099-01-01-000000-number-run-zzzz.gwr"
    damaged.write_bytes(b"rubbish \x1b[31m")

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await open_list(app, pilot)
        assert "damaged" in text_of(app)
        assert "\x1b" not in text_of(app)
        await pilot.press("enter")
        await until_screen(pilot, "AskScreen")
        assert "Delete" in text_of(app)
        assert "Review" not in text_of(app)
        assert "\x1b" not in text_of(app)

    drive(scenario, (200, 60))
    assert damaged.exists()


def test_names_in_files_cannot_write_to_the_terminal() -> None:
    """Neither in the list, nor beside it, nor in the menu."""
    path = keep_open()
    evil = "Eve\x1b]0;title\x07\x1b[31m\u202e[b]bold[/b]"
    path.write_text(path.read_text().replace("bot:strong", evil))

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await open_list(app, pilot)
        await until_text(pilot, "against Eve")
        shown = text_of(app)
        await pilot.press("enter")
        await until_screen(pilot, "AskScreen")
        for text in (shown, text_of(app)):
            assert "Eve" in text
            assert not {"\x1b", "\x07", "\u202e"} & set(text)

    drive(scenario, (200, 60))


def test_nor_in_a_replay_or_an_export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the name of a player nor that of a file is shown as it is."""
    monkeypatch.chdir(tmp_path)
    path = keep_open()
    path.write_text(path.read_text().replace("bot:strong", "Eve\x1b[31m\u202e"))
    path = path.rename(path.with_name("evil\x1b[31m\x07.gwr"))
    harmful = {"\x1b", "\x07", "\u202e"}

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await open_list(app, pilot)
        await pilot.press("e", "1")
        await until_text(pilot, "Written to")
        assert not harmful & set(text_of(app))
        await pilot.press("p")
        await until_screen(pilot, "ReplayScreen")
        await until_text(pilot, "Eve")
        assert not harmful & set(text_of(app))

    drive(scenario, (200, 60))
    assert not harmful & set(resume_command(path))


def test_a_folder_that_cannot_be_read_is_said(home: Path) -> None:
    """And the app goes on."""
    home.mkdir(parents=True, exist_ok=True)
    (home / "games").write_text("a file where the folder should be")

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await open_list(app, pilot)
        await until_text(pilot, "Cannot read")

    drive(scenario)


def test_rows_are_made_as_somebody_comes_to_them() -> None:
    """Of many games only the first have rows; the keys lead on to the last."""
    path = keep_lost()
    text = path.read_text()
    for number in range(500):
        name = f"2020-01-01-{number:06}-number-connect-a{number:03}.gwr"
        (path.parent / name).write_text(text)

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        screen = await open_list(app, pilot)
        assert "501" in text_of(app)
        assert len(screen._shown) <= 2 * ROWS
        for _ in range(6):
            await pilot.press("end")
            await pilot.pause()
        assert len(screen._shown) == 501
        assert screen.chosen is not None
        assert "a000" in screen.chosen.path.name

    drive(scenario)


def test_the_list_follows_a_resize() -> None:
    """Columns come and go, the game that is pointed at stays."""
    keep_lost()
    keep_open()

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        screen = await open_list(app, pilot)
        await pilot.press("down")
        chosen = screen.chosen
        await pilot.resize_terminal(40, 20)
        await until(pilot, lambda: len(screen.table.columns) == 3, "three columns are left")
        assert screen.chosen == chosen
        await pilot.resize_terminal(100, 30)
        await until(pilot, lambda: len(screen.table.columns) == 5, "all columns are back")
        assert screen.chosen == chosen

    drive(scenario)


def test_the_filter_has_the_focus_only_when_it_is_asked_for() -> None:
    """Letters are commands until then."""
    keep_open()

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await open_list(app, pilot)
        assert not isinstance(app.focused, Input)
        await pilot.click("#filter")
        assert isinstance(app.focused, Input)

    drive(scenario)
