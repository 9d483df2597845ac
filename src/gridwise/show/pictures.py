"""Views as pictures: an array of pixels, a PNG, an SVG, or all of a game as an animated GIF.

The SVG is the one place that says what a board looks like; its shapes and texts are painted one by
one with Pillow, which brings a font: the pixels are the same on every machine.
Importing this module imports nothing heavy.

Nine rasterisers from PyPI were compared. The closest, pyvips and pylunasvg, are no faster and draw
no text on a machine without fonts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, TypeAlias
from xml.etree import ElementTree as ET

from gridwise.core.view import View
from gridwise.errors import BadRequest, quoted
from gridwise.show.svg import svg

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL import Image, ImageDraw, ImageFont

    Pixels: TypeAlias = NDArray[np.uint8]

Origin: TypeAlias = tuple[int, int]

_TRANSLATE = re.compile(r"translate\((\d+) (\d+)\)")  # the one transformation there is

# Painted this many times as large and then made smaller, which smooths the edges.
OVERSAMPLING = 2


def rgb_array(view: View) -> Pixels:
    """The picture as rows of pixels, each red, green and blue from 0 to 255."""
    import numpy as np  # noqa: PLC0415 - 0.1 s, only for this

    return np.asarray(image(view), dtype=np.uint8).copy()


def image(view: View) -> Image.Image:
    """The picture as Pillow has it."""
    from PIL import Image, ImageDraw  # noqa: PLC0415 - 50 ms, only for this

    drawing = ET.fromstring(svg(view))  # noqa: S314 - text that we have just written
    canvas = Image.new("RGB", (_length(drawing, "width"), _length(drawing, "height")))
    brush = ImageDraw.Draw(canvas)
    _paint(brush, drawing, (0, 0))
    return canvas.reduce(OVERSAMPLING)


def _paint(brush: ImageDraw.ImageDraw, shape: ET.Element, origin: Origin) -> None:
    """Paint a shape, and what is in it, from an origin."""
    moved = _TRANSLATE.fullmatch(shape.get("transform", ""))
    if moved:
        origin = origin[0] + int(moved[1]), origin[1] + int(moved[2])
    paint = _PAINTERS.get(shape.tag.rpartition("}")[2])
    if paint:
        paint(brush, shape, origin)
    for part in shape:
        _paint(brush, part, origin)


def _length(shape: ET.Element, name: str, default: str = "0", origin: int = 0) -> int:
    return round((float(shape.get(name, default)) + origin) * OVERSAMPLING)


def _points(shape: ET.Element, origin: Origin) -> list[tuple[int, int]]:
    pairs = (pair.split(",") for pair in shape.get("points", "").split())
    return [_point(int(x), int(y), origin) for x, y in pairs]


def _point(x: int, y: int, origin: Origin) -> tuple[int, int]:
    return (x + origin[0]) * OVERSAMPLING, (y + origin[1]) * OVERSAMPLING


def _colour(shape: ET.Element, name: str) -> str | None:
    colour = shape.get(name)
    return None if colour == "none" else colour


def _rectangle(brush: ImageDraw.ImageDraw, shape: ET.Element, origin: Origin) -> None:
    x, y = (_length(shape, name, origin=at) for name, at in zip("xy", origin, strict=True))
    width, height, corner = (_length(shape, name) for name in ("width", "height", "rx"))
    fill, line = _colour(shape, "fill"), _colour(shape, "stroke")
    thickness = _length(shape, "stroke-width", "1") if line else 0
    brush.rounded_rectangle((x, y, x + width, y + height), corner, fill, line, thickness)


def _circle(brush: ImageDraw.ImageDraw, shape: ET.Element, origin: Origin) -> None:
    x, y = _length(shape, "cx", origin=origin[0]), _length(shape, "cy", origin=origin[1])
    radius = _length(shape, "r")
    brush.ellipse((x - radius, y - radius, x + radius, y + radius), _colour(shape, "fill"))


def _text(brush: ImageDraw.ImageDraw, shape: ET.Element, origin: Origin) -> None:
    # Pillow brings one font. It has no bold cut, so a bold letter is drawn with a thicker line.
    font = _font(_length(shape, "font-size"))
    place = _length(shape, "x", origin=origin[0]), _length(shape, "y", origin=origin[1])
    bold = 1 if shape.get("font-weight") == "bold" else 0
    brush.text(place, shape.text or "", shape.get("fill"), font, anchor="ms", stroke_width=bold)


def _polygon(brush: ImageDraw.ImageDraw, shape: ET.Element, origin: Origin) -> None:
    brush.polygon(_points(shape, origin), _colour(shape, "fill"))


def _polyline(brush: ImageDraw.ImageDraw, shape: ET.Element, origin: Origin) -> None:
    width = _length(shape, "stroke-width")
    brush.line(_points(shape, origin), _colour(shape, "stroke"), width, joint="curve")


def _path(brush: ImageDraw.ImageDraw, shape: ET.Element, origin: Origin) -> None:
    """Lines that go across and down: no other paths are drawn."""
    colour, width = _colour(shape, "stroke"), _length(shape, "stroke-width")
    x = y = 0
    points: list[tuple[int, int]] = []
    for letter, numbers in re.findall(r"([MHV])([\d ]+)", shape.get("d", "")):
        first, *rest = (int(each) for each in numbers.split())
        if letter == "M":
            x, y, points = first, rest[0], []
        else:
            x, y = (first, y) if letter == "H" else (x, first)
        points.append(_point(x, y, origin))
        if len(points) > 1:
            brush.line(points, colour, width, joint="curve")


@lru_cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    from PIL import ImageFont  # noqa: PLC0415 - with the rest of Pillow

    return ImageFont.load_default(size)  # decodes the font: two thirds of the time of a picture


_PAINTERS: dict[str, Callable[[ImageDraw.ImageDraw, ET.Element, Origin], None]] = {
    "rect": _rectangle,
    "circle": _circle,
    "text": _text,
    "polygon": _polygon,
    "polyline": _polyline,
    "path": _path,
}


FORMS = {".svg": "the last position", ".png": "the last position", ".gif": "the whole game"}
DELAY = 0.8  # seconds that a picture of an animation stays
LAST_DELAYS = 4  # how many times as long its last one does


def picture(form: str, views: Sequence[View], delay: float = DELAY) -> bytes:
    """What a file of that form holds; `form` is the end of its name, such as `.png`."""
    form = form.casefold()
    if form == ".svg":
        return svg(views[-1]).encode()
    if form == ".png":
        return _png(views[-1])
    if form == ".gif":
        return _gif(views, delay)
    known = ", ".join(f"{form} ({what})" for form, what in FORMS.items())
    raise BadRequest(f"There is no picture of the form {quoted(form)}. The forms are {known}.")


def _png(view: View) -> bytes:
    file = BytesIO()
    image(view).save(file, "PNG", optimize=True)
    return file.getvalue()


def _gif(views: Sequence[View], delay: float) -> bytes:
    # A picture has up to a thousand shades, nearly all of them on the edges of letters. With 64 a
    # pixel is off by 0.2 of 255 on average, which nobody sees.
    frames = [image(view).quantize(64) for view in views]
    milliseconds = [round(1000 * delay)] * len(frames)
    milliseconds[-1] *= LAST_DELAYS
    file = BytesIO()
    frames[0].save(
        file, "GIF", save_all=True, append_images=frames[1:], duration=milliseconds, loop=0
    )
    return file.getvalue()
