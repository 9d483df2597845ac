"""The new-game screen: from what is chosen to a game that can begin, or to a word on why not."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Button, Input

from gridwise.play.match import HUMAN
from gridwise.play.setup import (
    Setup,
)
from gridwise.players.new_match import set_up
from gridwise.tui.app import GridwiseApp
from gridwise.tui.settings import load_settings
from gridwise.tui.widgets.forms import Chooser

from .pilots import (
    PATIENCE,
    SOME_SIZES,
    drive,
    in_app,
    nobody_thinks,
    press_until,
    text_of,
    until,
    until_screen,
    until_text,
)

OWN = "11111/22222/33333/44444/55555"


# The screen


async def open_form(pilot: Pilot[int], key: str) -> None:
    """The new-game screen of the game with that key on the home screen."""
    await press_until(pilot, "NewGameScreen", key)


async def focus_row(app: GridwiseApp, pilot: Pilot[int], row: str) -> None:
    """Go up to a row with the arrow key, as a person does."""
    for _ in range(20):
        if app.focused is app.screen.query_one(f"#{row}"):
            return
        await pilot.press("up")
    raise AssertionError(f"The arrow does not lead to {row}")


@in_app()
async def test_an_engine_that_is_not_there_is_noticed_in_the_form(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """And not in the middle of the game."""
    await open_form(pilot, "2")
    await focus_row(app, pilot, "opponent")
    while "A program" not in str(app.screen.query_one("#opponent", Chooser).render()):
        await pilot.press("right")
    await pilot.press("down", *("slash", "n", "o", "slash", "e"), "enter")
    await until_text(pilot, '! The engine "/no/e" cannot be started: no such program.')


@in_app()
async def test_two_people_are_called_by_their_names(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """Typed into the form, they are in the game, in its record and in the next form."""
    await open_form(pilot, "2")
    await focus_row(app, pilot, "opponent")
    while "Another person" not in str(app.screen.query_one("#opponent", Chooser).render()):
        await pilot.press("right")
    await pilot.press("down", *"Ann", "down", *"Ben", "enter")
    await until_screen(pilot, "PlayScreen")
    await until_text(pilot, "Ann's turn")
    assert "P2 Ben" in text_of(app)
    session = app.screen.session  # type: ignore[attr-defined]
    assert session.record().players == ("human:Ann", "human:Ben")
    await press_until(pilot, "HomeScreen", "escape")
    await open_form(pilot, "2")
    assert "Ann" in text_of(app)


@pytest.mark.parametrize("key", "12345")
@in_app(*SOME_SIZES)
async def test_down_from_the_form_reaches_play(
    app: GridwiseApp, pilot: Pilot[int], key: str
) -> None:
    """From the first row through every row, a typed one too, and no other button before it."""
    await open_form(pilot, key)
    await focus_row(app, pilot, "opponent")
    rows = [row for row in app.screen.query("#form Chooser, #form Input") if row.region]
    reached: list[Widget] = []
    while not reached or not isinstance(reached[-1], Button):
        await pilot.press("down")
        assert app.focused
        reached.append(app.focused)
    assert reached[-1].id == "play"
    assert {*rows} - {app.screen.query_one("#opponent")} == {*reached[:-1]}


@in_app(*SOME_SIZES)
async def test_a_game_is_set_up_with_the_keyboard_alone(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """Another opponent, the other side, best of three."""
    await open_form(pilot, "2")
    await focus_row(app, pilot, "best_of")
    await pilot.press("right", "right")
    await focus_row(app, pilot, "side")
    await pilot.press("right")
    await focus_row(app, pilot, "opponent")
    await pilot.press("left")
    await press_until(pilot, "PlayScreen", "enter")
    session = app.screen.session  # type: ignore[attr-defined]
    assert session.players == ("bot:novice", HUMAN)
    assert session.tags["BestOf"] == "3"
    await pilot.resize_terminal(80, 24)
    await until_text(pilot, "Best of 3")


@in_app(*SOME_SIZES)
async def test_a_game_is_set_up_with_the_mouse_alone(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """A click beside the value goes on to the next, one on the left arrow back."""
    await pilot.click("#card-number-maze")
    await until_screen(pilot, "NewGameScreen")
    await pilot.click("#opponent", offset=(18, 0))
    assert app.screen.query_one("#opponent", Chooser).value == "bot:strong"
    await pilot.click("#opponent", offset=(14, 0))
    await pilot.click("#opponent", offset=(14, 0))
    assert app.screen.query_one("#opponent", Chooser).value == "bot:novice"
    await pilot.click("#play")
    await until_screen(pilot, "PlayScreen")
    assert app.screen.session.players == (HUMAN, "bot:novice")  # type: ignore[attr-defined]


def test_the_last_choices_are_there_again(home: Path) -> None:
    """For each game its own; they outlive the program."""

    async def choose(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await open_form(pilot, "1")
        await focus_row(app, pilot, "opponent")
        await press_until(pilot, "PlayScreen", "right", "enter")

    async def look(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await press_until(pilot, "NewGameScreen", "1")
        assert app.screen.query_one("#opponent", Chooser).value == "bot:strong"
        await press_until(pilot, "HomeScreen", "escape")
        await open_form(pilot, "2")
        assert app.screen.query_one("#opponent", Chooser).value == "bot:casual"

    drive(choose)
    assert json.loads((home / "settings.json").read_text())["choices"]["number-run"]
    drive(look)


@in_app(*SOME_SIZES)
async def test_a_board_of_ones_own_is_checked_while_it_is_typed(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """What is wrong is said in place; Enter does not play until it is right."""
    await open_form(pilot, "1")
    await focus_row(app, pilot, "deal")
    await pilot.press("left")  # before the first value comes the last one
    await pilot.press("down")
    assert isinstance(app.focused, Input)
    await pilot.press(*"119")
    await until_text(pilot, "Row 1 of the board")
    await pilot.press("enter")
    await pilot.pause()
    assert type(app.screen).__name__ == "NewGameScreen"
    app.focused.value = OWN
    await pilot.pause()
    assert "Row 1 of the board" not in text_of(app)
    await press_until(pilot, "PlayScreen", "enter")
    match = app.screen.session.match  # type: ignore[attr-defined]
    assert match.game.board_text(match.board) == OWN


@in_app()
async def test_a_game_leads_home_afterwards(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """Two bots, who play the game that had the focus; a new game from a game, not to the old one.

    The old one is kept.
    """
    await press_until(pilot, "NewGameScreen", "right", "w")
    assert "Watch Number Maze" in text_of(app)
    await press_until(pilot, "WatchScreen", "enter")
    await press_until(pilot, "HomeScreen", "escape")
    await open_form(pilot, "3")
    await press_until(pilot, "PlayScreen", "enter")
    await press_until(pilot, "NewGameScreen", "n")
    await press_until(pilot, "PlayScreen", "enter")
    await press_until(pilot, "HomeScreen", "escape")


@in_app()
async def test_a_deal_that_nobody_waits_for_opens_nothing(
    app: GridwiseApp, pilot: Pilot[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Escape while the board is dealt: the game does not come up later."""
    dealt, asked = threading.Event(), threading.Event()

    def slowly(setup: Setup) -> object:
        asked.set()
        assert dealt.wait(PATIENCE)
        return set_up(setup)

    monkeypatch.setattr("gridwise.tui.screens.new_game.set_up", slowly)
    await open_form(pilot, "1")
    await pilot.press("enter")
    await until(pilot, asked.is_set)
    await until_text(pilot, "Dealing")
    await press_until(pilot, "HomeScreen", "escape")
    dealt.set()
    await until(pilot, nobody_thinks)
    assert type(app.screen).__name__ == "HomeScreen"


def test_choices_of_a_damaged_file_do_no_harm(home: Path) -> None:
    """Whatever stands there, the screen opens with something that can be played."""
    home.mkdir()
    damaged = {"opponent": 5, "side": "left", "deal": "cursed", "size": "6x6"}
    saved = {"choices": {"number-run": damaged, "number-maze": 1}}
    (home / "settings.json").write_text(json.dumps(saved))
    assert load_settings().choices_for("number-maze") == {}

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await open_form(pilot, "1")
        assert app.screen.query_one("#size", Chooser).value == "6x6"  # this makes sense
        await press_until(pilot, "PlayScreen", "enter")

    drive(scenario)
