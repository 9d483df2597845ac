"""Render modes: a position as text for a terminal, as SVG, or as an array of pixels.

All three are made from a View, so cells that nobody has seen are in none of them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from gridwise.core.view import View, draw
from gridwise.errors import BadRequest, quoted
from gridwise.show.pictures import rgb_array
from gridwise.show.svg import svg
from gridwise.show.text import coloured


def ansi(view: View) -> str:
    """The grid in the colours of a terminal, and the scores below it."""
    lines = [coloured(draw(view)), view.caption]
    return "\n".join(line for line in lines if line)


RENDERERS: dict[str, Callable[[View], Any]] = {"ansi": ansi, "svg": svg, "rgb_array": rgb_array}
RENDER_MODES = tuple(RENDERERS)


def check_render_mode(mode: str | None) -> None:
    """Raise BadRequest if there is no such mode."""
    if mode is not None and mode not in RENDER_MODES:
        raise BadRequest(
            f"There is no render mode {quoted(str(mode))}. There are {', '.join(RENDERERS)}, or "
            "None for no pictures."
        )


def render(view: View, mode: str | None) -> Any:  # noqa: ANN401 - text or pixels, by the mode
    """The view in that mode; None, with a warning, where no mode was chosen."""
    if mode is None:
        warnings.warn(
            f"No render mode was chosen: make the environment with one of {', '.join(RENDERERS)}.",
            stacklevel=3,
        )
        return None
    return RENDERERS[mode](view)
