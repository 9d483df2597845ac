"""Views as a picture file: the last one as SVG or PNG, all of them as an animated GIF."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from gridwise.core.view import View
from gridwise.errors import BadRequest, quoted
from gridwise.show.pixels import image
from gridwise.show.svg import svg

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
