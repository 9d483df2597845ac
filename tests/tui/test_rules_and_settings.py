"""The rules page and the settings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.pilot import Pilot

from gridwise.core.registry import games
from gridwise.tui.app import GridwiseApp
from gridwise.tui.settings import Settings, load_settings
from gridwise.tui.themes import THEMES
from gridwise.tui.widgets.chooser import Chooser

from .pilots import SIZES, drive, text_of, until, until_screen, until_text


@pytest.mark.parametrize("size", SIZES)
def test_the_rules_of_every_game_are_an_arrow_away(size: tuple[int, int]) -> None:
    """Right goes through all five and comes back to the first."""

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await pilot.press("r")
        await until_screen(pilot, "RulesScreen")
        for game in [*games(), games()[0]]:
            await until_text(pilot, game.title)
            await pilot.press("right")
        await pilot.press("escape")
        await until_screen(pilot, "HomeScreen")

    drive(scenario, size)


def test_the_rules_scroll_to_their_end() -> None:
    """With the keyboard alone."""

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await pilot.press("r")
        await until_screen(pilot, "RulesScreen")
        await until_text(pilot, "Number Run")
        await pilot.press("end")
        await until_text(pilot, "--deal uniform")

    drive(scenario)


def test_a_game_begins_from_its_rules() -> None:
    """And the way back from there is home."""

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await pilot.press("r")
        await until_screen(pilot, "RulesScreen")
        await pilot.press("right", "p")
        await until_screen(pilot, "NewGameScreen")
        assert "Number Maze" in text_of(app)
        await pilot.press("escape")
        await until_screen(pilot, "HomeScreen")

    drive(scenario)


@pytest.mark.parametrize("size", SIZES)
def test_a_change_is_saved_at_once(size: tuple[int, int], home: Path) -> None:
    """By keys: the next theme, a slower pace, a stronger opponent, no animation."""

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await pilot.press("s")
        await until_screen(pilot, "SettingsScreen")
        await pilot.press("right")
        await until(pilot, lambda: app.theme == "light")
        assert load_settings().theme == "light"
        await pilot.press("down", "right", "down", "right", "down", "right")
        await pilot.pause()

    drive(scenario, size)
    saved = json.loads((home / "settings.json").read_text())
    assert saved["theme"] == "light"
    assert saved["delay"] == 0.3  # the tests begin at 0
    assert saved["opponent"] == "bot:strong"
    assert saved["animation"] is False


@pytest.mark.parametrize("size", SIZES)
def test_settings_change_with_the_mouse_alone(size: tuple[int, int]) -> None:
    """A click on each theme in turn, until the first one, which is dark, is back."""

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await pilot.click("#item-settings")
        await until_screen(pilot, "SettingsScreen")
        seen = []
        for _ in THEMES:
            await pilot.click("#theme", offset=(18, 0))
            await pilot.pause()
            seen.append(app.theme)
        assert seen == [*list(THEMES)[1:], "dark"]

    drive(scenario, size)


def test_changing_one_thing_changes_nothing_else(home: Path) -> None:
    """The pace that was given on the command line is not saved with another theme."""

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await pilot.press("s")
        await until_screen(pilot, "SettingsScreen")
        await pilot.press("right")
        await pilot.pause()

    drive(scenario)
    saved = load_settings()
    assert saved == Settings(theme="light")


def test_a_pace_between_the_usual_ones_is_shown() -> None:
    """It was set with the keys of a game, or in the file."""

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        app.set_delay(0.8)
        await pilot.press("s")
        await until_screen(pilot, "SettingsScreen")
        assert app.screen.query_one("#delay", Chooser).choice.label == "0.8 seconds"

    drive(scenario)


def test_what_was_chosen_for_a_game_survives_a_file_that_was_edited(home: Path) -> None:
    """Only text is taken for a choice."""
    home.mkdir()
    (home / "settings.json").write_text(
        '{"choices": {"number-run": {"side": "2", "size": 3}, "x": 1}}'
    )
    settings = load_settings()
    assert settings.choices_for("number-run") == {"side": "2"}
    assert settings.choices_for("x") == {}
    assert settings.choices_for("number-maze") == {}


def test_a_terminal_without_colour_keeps_its_theme(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else is changed; only asking for another theme changes it."""
    monkeypatch.setenv("NO_COLOR", "1")

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        assert app.theme == "terminal"
        await pilot.press("enter")
        await until_screen(pilot, "NewGameScreen")
        await pilot.press("enter")
        await until_screen(pilot, "GameScreen")
        assert app.theme == "terminal"
        assert load_settings().theme == "dark"
        app.action_next_theme()
        assert app.theme == load_settings().theme == "dark"

    drive(scenario)
