"""The palette: one place of colours for pages, app and pictures."""

from __future__ import annotations

import re

import pytest

from gridwise import games
from gridwise.show.palette import PAGE_THEMES
from gridwise.tui.themes import THEMES

from .contrast import block, contrast, variables


@pytest.mark.parametrize("theme", PAGE_THEMES)
def test_the_style_sheet_has_the_colours_of_the_palette(theme: str) -> None:
    """In every theme, by day and by night; what a theme leaves out it has from the usual one."""
    usual = variables(":root")
    light, dark = PAGE_THEMES[theme]
    colours = usual | variables(theme)
    for name, day, night in zip(light._fields, light, dark, strict=True):
        assert colours[name.replace("_", "-")] == [day, night]


@pytest.mark.parametrize("key", ["", *(game.key for game in games())])
def test_words_on_the_colour_of_a_game_can_be_read(key: str) -> None:
    """At least 4.5 to 1 on its buttons; a game of another package has the colours of no key."""
    anyone, own = (
        dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", block(f"[data-game{of}]")))
        for of in ("", f'="{key}"' if key else "")
    )
    colours = anyone | own
    assert contrast(colours["accent"], colours["accent-ink"]) >= 4.5


def test_players_have_the_colours_of_the_pages_in_the_app() -> None:
    """By name: the app's themes are those of the pages by night, and light."""
    one = {name: theme.variables["p1-text"] for name, theme in THEMES.items() if not theme.ansi}
    light, dark = PAGE_THEMES[":root"]
    assert one == {
        "dark": dark.one,
        "light": light.one,
        "high-contrast": PAGE_THEMES['[data-theme="contrast"]'][1].one,
        "colour-blind": PAGE_THEMES['[data-theme="colour-blind"]'][1].one,
    }
