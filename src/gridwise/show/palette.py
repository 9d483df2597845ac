"""Every colour of boards, on pages, in pictures and in the terminal, by what it is for.

Pages have each palette by day and by night: `web/static/style.css` has the values of this file as
its variables, and a test keeps the two in step. The app takes the night of each, and light. The
players are told apart by shape and letter too, so any palette will do for anybody.
"""

from __future__ import annotations

from typing import NamedTuple


class Palette(NamedTuple):
    """The colours of a board."""

    paper: str
    cell: str
    line: str
    ink: str
    faint: str
    one: str  # Player 1: tokens, claims and names
    two: str
    one_wash: str  # the ground of a cell that Player 1 has
    two_wash: str
    block: str
    hidden: str
    open: str  # marks of a cell that can be moved to
    open_wash: str


def _day_and_night(**colours: tuple[str, str]) -> tuple[Palette, Palette]:
    """Two palettes from pairs of colours."""
    day, night = ({name: both[at] for name, both in colours.items()} for at in (0, 1))
    return Palette(**day), Palette(**night)


LIGHT, DARK = _day_and_night(
    paper=("#fbfaf7", "#1d1c1a"),
    cell=("#ffffff", "#2a2926"),
    line=("#b9b3a6", "#57534a"),
    ink=("#2b2a27", "#f1eee6"),
    faint=("#676257", "#a8a294"),
    one=("#1f5fa8", "#7fb3ec"),
    two=("#b03a2e", "#f08d80"),
    one_wash=("#dbe8f6", "#23364b"),
    two_wash=("#f8dfdb", "#4b2a26"),
    block=("#57534a", "#8a8577"),
    hidden=("#e7e2d6", "#3a3833"),
    open=("#2f7d43", "#7cc98b"),
    open_wash=("#b4e8bf", "#2d5f3b"),
)
# Blue and orange differ to every kind of eye, by day in lightness too.
COLOUR_BLIND_LIGHT, COLOUR_BLIND_DARK = _day_and_night(
    **{name: (day, night) for name, day, night in zip(Palette._fields, LIGHT, DARK, strict=True)}
    | {
        "one": ("#00579c", "#79bdf0"),
        "two": ("#a84300", "#f2a154"),
        "one_wash": ("#d9e9f7", "#17324a"),
        "two_wash": ("#fbe6d4", "#47290d"),
        "open": ("#00624f", "#6fd6bd"),
        "open_wash": ("#a5e6d6", "#155a4b"),
    }
)
# Every text at least 7 to 1.
CONTRAST_LIGHT, CONTRAST_DARK = _day_and_night(
    paper=("#ffffff", "#000000"),
    cell=("#ffffff", "#000000"),
    line=("#000000", "#ffffff"),
    ink=("#000000", "#ffffff"),
    faint=("#333333", "#e0e0e0"),
    one=("#003a8c", "#9cccff"),
    two=("#8a0f0f", "#ffb8ad"),
    one_wash=("#d6e6ff", "#00305f"),
    two_wash=("#ffe0da", "#5a1410"),
    block=("#000000", "#ffffff"),
    hidden=("#d9d9d9", "#404040"),
    open=("#004d1a", "#8cff9e"),
    open_wash=("#a8f0b4", "#0b4d1c"),
)
# By the name of the theme in the style sheet: by day and by night.
PAGE_THEMES = {
    ":root": (LIGHT, DARK),
    '[data-theme="colour-blind"]': (COLOUR_BLIND_LIGHT, COLOUR_BLIND_DARK),
    '[data-theme="contrast"]': (CONTRAST_LIGHT, CONTRAST_DARK),
}
# For pictures inside a page, whose style sheet says which of them it is.
PAGE = Palette(*(f"var(--{name.replace('_', '-')})" for name in Palette._fields))


class AppColours(NamedTuple):
    """What the full-screen app has beside a palette: it draws with areas, and has no thin lines."""

    cursor: str
    surface: str  # the ground of panels,
    panel: str  # and of what is in front of them
    open_cell: str  # the ground of a cell that can be moved to
    # Where a palette's own are too bright or too pale for an area: tokens, and cells of a player.
    one_fill: str = ""
    two_fill: str = ""
    one_wash: str = ""
    two_wash: str = ""


APP_LIGHT = AppColours(
    cursor="#9a5b00",
    surface="#f3f0e9",
    panel="#e7e2d6",
    open_cell="#e9f5e4",
    one_wash="#c5dbf3",
    two_wash="#f5cdc7",
)
APP_DARK = AppColours(
    cursor="#f2c14e",
    surface="#262422",
    panel="#302d29",
    open_cell="#2f3a2c",
    one_fill="#4c94e0",
    two_fill="#e8715f",
    one_wash="#23405f",
    two_wash="#5c2f29",
)
APP_COLOUR_BLIND = AppColours(
    cursor="#f0e442", surface="#262422", panel="#302d29", open_cell="#2d3a45"
)
APP_CONTRAST = AppColours(cursor="#ffff00", surface="#000000", panel="#1a1a1a", open_cell="#1a2e1a")

# For a line of text in a terminal: codes that every colour terminal knows, legible on light and on
# dark backgrounds.
TERMINAL_CODES = {
    "p1": "1;34",
    "p2": "1;31",
    "open": "1;32",
    "seen1": "34",
    "seen2": "31",
    "blocked": "2",
    "frame": "2",
    "label": "1",
}
