"""A position as environments show it: text for a terminal, SVG, or an array of pixels.

All three are made from a View, so what nobody has seen is in none of them. The pixels are painted
from the SVG, shape by shape: it is the one place that says what a board looks like.

Importing this module imports nothing heavy; painting needs Pillow and numpy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias
from xml.etree import ElementTree as ET

from gridwise.core.view import View
from gridwise.errors import BadRequest, quoted
from gridwise.show.svg import svg
from gridwise.show.text import coloured, draw

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL import ImageDraw

    Pixels: TypeAlias = NDArray[np.uint8]

# Painted so many times as large and then made smaller, which rounds the edges off.
FINENESS = 2


def ansi(view: View) -> str:
    """The grid in the colours of a terminal, and the scores below it."""
    lines = [coloured(draw(view)), view.caption]
    return "\n".join(line for line in lines if line)


def rgb_array(view: View) -> Pixels:
    """The picture as rows of pixels, each red, green and blue from 0 to 255."""
    import numpy as np  # noqa: PLC0415 - 0.1 s, only for this
    from PIL import Image, ImageDraw  # noqa: PLC0415 - 50 ms, only for this

    drawing = ET.fromstring(svg(view))  # noqa: S314 - text that we have just written
    size = _number(drawing, "width"), _number(drawing, "height")
    image = Image.new("RGB", (size[0] * FINENESS, size[1] * FINENESS))
    brush = ImageDraw.Draw(image)
    for shape in drawing.iter():
        paint = _PAINTERS.get(shape.tag.rpartition("}")[2])
        if paint:
            paint(brush, shape)
    return np.asarray(image.reduce(FINENESS), dtype=np.uint8).copy()


def _number(shape: ET.Element, name: str) -> int:
    return int(shape.get(name, "0"))


def _colour(shape: ET.Element, name: str) -> str | None:
    colour = shape.get(name)
    return None if colour == "none" else colour


def _rectangle(brush: ImageDraw.ImageDraw, shape: ET.Element) -> None:
    left, top = _number(shape, "x") * FINENESS, _number(shape, "y") * FINENESS
    right = left + _number(shape, "width") * FINENESS
    bottom = top + _number(shape, "height") * FINENESS
    line = _colour(shape, "stroke")
    thickness = round(float(shape.get("stroke-width", "1")) * FINENESS) if line else 0
    corner = _number(shape, "rx") * FINENESS
    fill = _colour(shape, "fill")
    brush.rounded_rectangle((left, top, right, bottom), corner, fill, line, thickness)


def _circle(brush: ImageDraw.ImageDraw, shape: ET.Element) -> None:
    x, y, radius = (_number(shape, name) * FINENESS for name in ("cx", "cy", "r"))
    brush.ellipse((x - radius, y - radius, x + radius, y + radius), _colour(shape, "fill"))


def _text(brush: ImageDraw.ImageDraw, shape: ET.Element) -> None:
    from PIL import ImageFont  # noqa: PLC0415 - with the rest of Pillow

    # Pillow brings one font. It has no bold cut, so a bold letter is drawn with a thicker line.
    font = ImageFont.load_default(_number(shape, "font-size") * FINENESS)
    place = _number(shape, "x") * FINENESS, _number(shape, "y") * FINENESS
    bold = 1 if shape.get("font-weight") == "bold" else 0
    brush.text(place, shape.text or "", shape.get("fill"), font, anchor="ms", stroke_width=bold)


_PAINTERS: dict[str, Callable[[ImageDraw.ImageDraw, ET.Element], None]] = {
    "rect": _rectangle,
    "circle": _circle,
    "text": _text,
}

# By render mode; how an environment without one is shown is for nobody to see.
RENDERERS: dict[str, Callable[[View], Any]] = {"ansi": ansi, "svg": svg, "rgb_array": rgb_array}
RENDER_MODES = tuple(RENDERERS)


def check_render_mode(mode: str | None) -> None:
    """Raise BadRequest if there is no such mode."""
    if mode is not None and mode not in RENDERERS:
        raise BadRequest(
            f"There is no render mode {quoted(str(mode))}. There are {', '.join(RENDERERS)}, or "
            "None for no pictures."
        )


def render(view: View, mode: str | None) -> Any:  # noqa: ANN401 - text or pixels, by the mode
    """The position in that mode; None, with a word of warning, where no mode was chosen."""
    if mode is None:
        import warnings  # noqa: PLC0415 - for a slip

        warnings.warn(
            f"No render mode was chosen: make the environment with one of {', '.join(RENDERERS)}.",
            stacklevel=3,
        )
        return None
    return RENDERERS[mode](view)
