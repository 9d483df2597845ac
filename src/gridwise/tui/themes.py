"""The themes of the app: dark, light, high contrast, safe for the colour-blind, and 16 colours.

Their colours are those of pages and pictures (`show.palette`), under the names that the app's style
sheet and Textual have for them.
"""

from __future__ import annotations

from typing import Any

from textual.theme import Theme

from gridwise.show.palette import (
    APP_COLOUR_BLIND,
    APP_CONTRAST,
    APP_DARK,
    APP_LIGHT,
    COLOUR_BLIND_DARK,
    CONTRAST_DARK,
    DARK,
    LIGHT,
    AppColours,
    Palette,
)


def _theme(
    name: str,
    colours: Palette,
    app: AppColours,
    variables: dict[str, str] | None = None,
    **textual: Any,  # noqa: ANN401 - as Textual's Theme has it
) -> Theme:
    """A theme; `text` colours are for a player's colour as writing, `ink` for what is on it."""
    board = {
        "p1": app.one_fill or colours.one,
        "p1-ink": colours.paper,
        "p1-wash": app.one_wash or colours.one_wash,
        "p1-wash-ink": colours.ink,
        "p1-text": colours.one,
        "p2": app.two_fill or colours.two,
        "p2-ink": colours.paper,
        "p2-wash": app.two_wash or colours.two_wash,
        "p2-wash-ink": colours.ink,
        "p2-text": colours.two,
        "board-cell": colours.cell,
        "board-ink": colours.ink,
        "board-faint": colours.faint,
        "board-line": colours.line,
        "board-block": colours.block,
        "board-cursor": app.cursor,
        "board-open": app.open_cell,
        "board-legal": colours.open,
        "board-mark": app.cursor,
    }
    usual: dict[str, Any] = {
        "primary": colours.one,
        "secondary": colours.faint,
        "accent": app.cursor,
        "warning": app.cursor,
        "error": colours.two,
        "success": colours.open,
        "foreground": colours.ink,
        "background": colours.paper,
        "surface": app.surface,
        "panel": app.panel,
        "dark": True,
    }
    return Theme(name=name, variables=board | (variables or {}), **usual | textual)


_OWN = "ansi_default"
# The sixteen colours of the terminal, as its owner has set them: also what is left without colour.
_TERMINAL = _theme(
    "terminal",
    Palette(*[_OWN] * len(Palette._fields))._replace(
        one="ansi_bright_blue", two="ansi_bright_red", open="ansi_green"
    ),
    AppColours(
        cursor="ansi_yellow",
        surface=_OWN,
        panel=_OWN,
        open_cell=_OWN,
        one_fill="ansi_blue",
        two_fill="ansi_red",
        one_wash=_OWN,
        two_wash=_OWN,
    ),
    variables={
        "p1-ink": "ansi_bright_white",
        "p2-ink": "ansi_bright_white",
        "p1-wash-ink": "ansi_bright_blue",
        "p2-wash-ink": "ansi_bright_red",
        "ansi-background": "ansi_black",
        "ansi-foreground": "ansi_white",
        "border-blurred": "ansi_bright_black",
        "block-cursor-foreground": "ansi_black",
        "block-cursor-background": "ansi_white",
        "input-cursor-background": "ansi_black",
        "input-cursor-foreground": "ansi_bright_white",
        "input-cursor-text-style": "reverse",
        "input-selection-background": "ansi_bright_blue",
        "input-selection-foreground": "ansi_black",
        "screen-selection-background": "ansi_bright_blue",
        "screen-selection-foreground": "ansi_black",
    },
    boost=_OWN,
    primary="ansi_blue",
    secondary="ansi_cyan",
    error="ansi_red",
    ansi=True,
)
_ALL = (
    _theme("dark", DARK, APP_DARK),
    _theme("light", LIGHT, APP_LIGHT, dark=False),
    _theme("high-contrast", CONTRAST_DARK, APP_CONTRAST),
    _theme("colour-blind", COLOUR_BLIND_DARK, APP_COLOUR_BLIND),
    _TERMINAL,
)
# By name, in the order in which the key for the theme goes through them.
THEMES = {theme.name: theme for theme in _ALL}
# What each is called, for people who choose one.
ABOUT = {
    "dark": "Dark",
    "light": "Light",
    "high-contrast": "High contrast",
    "colour-blind": "Colour-blind safe",
    "terminal": "Your terminal's own 16 colours",
}
