"""The rules page and the settings."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from gridwise.core.registry import games
from gridwise.tui.app import GridwiseApp
from gridwise.tui.settings import AppSettings, load_settings
from gridwise.tui.themes import THEMES
from gridwise.tui.widgets.forms import Chooser

from .pilots import SOME_SIZES, drive, in_app, press_until, text_of, until, until_screen, until_text


@in_app(*SOME_SIZES)
async def test_the_rules_of_every_game_are_an_arrow_away(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """Right goes through all five and comes back to the first, and they scroll to their end.

    A game begins from its rules, and the way back from there is home.
    """
    await press_until(pilot, "RulesScreen", "h")
    for game in games():
        await until_text(pilot, game.title)
        await pilot.press("right")
    await until_text(pilot, games()[0].title)
    await pilot.resize_terminal(80, 24)
    for _ in range(20):  # the text finds its new width bit by bit
        await pilot.press("end")
        if "--deal uniform" in text_of(app):
            break
    await until_text(pilot, "--deal uniform")
    await press_until(pilot, "NewGameScreen", "right", "p")
    assert games()[1].title in text_of(app)
    await press_until(pilot, "HomeScreen", "escape")


@in_app(*SOME_SIZES)
async def test_a_change_is_saved_at_once_and_changes_nothing_else(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """By keys: the next theme, a slower pace, a stronger opponent, no animation."""
    await press_until(pilot, "SettingsScreen", "s")
    await pilot.press("right")
    await until(pilot, lambda: app.theme == "light")
    # The pace that was given on the command line is not saved with another theme.
    assert load_settings() == AppSettings(theme="light")
    await pilot.press("down", "right", "down", "right", "down", "right")
    assert load_settings() == AppSettings(
        theme="light",
        delay=0.3,  # the tests begin at 0
        opponent="bot:strong",
        animation=False,
    )


@in_app(*SOME_SIZES)
async def test_settings_change_with_the_mouse_alone(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """A click on each theme in turn, until the first one, which is dark, is back.

    A pace between the usual ones is shown: it was set with the keys of a game, or in the file.
    """
    app.set_delay(0.8)
    await pilot.click("#item-s")
    await until_screen(pilot, "SettingsScreen")
    assert app.screen.query_one("#delay", Chooser).choice.label == "0.8 seconds"
    seen = []
    for _ in THEMES:
        await pilot.click("#theme", offset=(18, 0))
        seen.append(app.theme)
    assert seen == [*list(THEMES)[1:], "dark"]


def test_a_terminal_without_colour_keeps_its_theme(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else is changed; only asking for another theme changes it."""
    monkeypatch.setenv("NO_COLOR", "1")

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        assert app.theme == "terminal"
        await press_until(pilot, "NewGameScreen", "enter")
        await press_until(pilot, "PlayScreen", "enter")
        app.set_delay(1.0)
        assert app.theme == "terminal"
        assert load_settings().theme == "dark"
        app.action_next_theme()
        assert app.theme == load_settings().theme == "dark"

    drive(scenario)
