"""Games as picture files: the last position as SVG or PNG, all of them as an animated GIF."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from PIL import Image, ImageColor, ImageSequence

from gridwise import Match
from gridwise.core.view import View
from gridwise.errors import BadRequest
from gridwise.show.palette import LIGHT
from gridwise.show.pictures import FORMS, picture, rgb_array
from gridwise.show.svg import CELL, MARGIN, svg


def views(board: str = "53152/24251/43453/31523/42214") -> list[View]:
    """A game of Grid Conquest, in which all is face down at first."""
    match = Match("grid-conquest", board, first=1, moves=("C3", "D4", "D3"))
    return [position.view for position in match.positions]


def frames(content: bytes) -> list[Image.Image]:
    """The pictures of an animation."""
    with Image.open(BytesIO(content)) as animation:
        return [frame.convert("RGB") for frame in ImageSequence.Iterator(animation)]


def test_a_png_is_the_last_position() -> None:
    """Pixel for pixel what `rgb_array` has."""
    with Image.open(BytesIO(picture(".png", views()))) as image:
        assert image.format == "PNG"
        assert (np.asarray(image) == rgb_array(views()[-1])).all()


def test_trails_rays_and_flags_are_painted() -> None:
    """What the SVG has beside boxes, tokens and texts is in the pixels as well."""
    run = Match("number-run", "31425/25134/42513/14252/53142", moves=("0,1", "3,4", "1,1"))
    pixels = rgb_array(run.view)
    x, y = MARGIN + CELL, MARGIN  # of 0,1: in from the left, out below
    for place in ((y + 26, x + 8), (y + 56, x + 26)):
        assert tuple(pixels[place]) == ImageColor.getrgb(LIGHT.one)
    assert tuple(pixels[MARGIN + 14, MARGIN + 14]) == ImageColor.getrgb(LIGHT.two)  # of the flag
    maze = rgb_array(Match("number-maze", "1324/2132/4213/3421").view)
    assert tuple(maze[MARGIN + 32, MARGIN + CELL]) == ImageColor.getrgb(LIGHT.open)


def test_an_svg_is_the_last_position() -> None:
    """As text."""
    assert picture(".SVG", views()).decode() == svg(views()[-1])


def test_a_gif_has_every_position() -> None:
    """One after the other, for ever, and the last one can be looked at for longer."""
    content = picture(".gif", views(), delay=0.5)
    with Image.open(BytesIO(content)) as animation:
        assert animation.format == "GIF"
        assert animation.info["loop"] == 0
        times = [frame.info["duration"] for frame in ImageSequence.Iterator(animation)]
    assert times == [500, 500, 500, 2000]
    for frame, view in zip(frames(content), views(), strict=True):
        # 64 colours are enough: a pixel is off by less than half a step in 255 on average.
        assert np.abs(np.asarray(frame).astype(int) - rgb_array(view)).mean() < 0.5


def test_what_was_face_down_is_face_down_in_a_gif() -> None:
    """The pictures of two games on different boards are the same until something is turned up."""
    one = frames(picture(".gif", views()))
    two = frames(picture(".gif", views("12345/51234/45123/34512/23451")))
    assert one[0].tobytes() == two[0].tobytes()
    assert one[1].tobytes() != two[1].tobytes()


@pytest.mark.parametrize("form", ["", ".bmp", "png"])
def test_other_forms_are_refused(form: str) -> None:
    """The message names those there are."""
    with pytest.raises(BadRequest) as caught:
        picture(form, views())
    assert all(known in str(caught.value) for known in FORMS)
