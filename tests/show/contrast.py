"""The colours of the style sheet, and how well one can be read on another."""

from __future__ import annotations

import re
from importlib.resources import files

STYLE = files("gridwise.web").joinpath("static", "style.css").read_text(encoding="utf-8")


def block(place: str) -> str:
    """What the style sheet says of a place."""
    return STYLE.split(f"\n{place} {{\n", 1)[1].split("\n}", 1)[0]


def variables(place: str) -> dict[str, list[str]]:
    """The colours of a block of the style sheet, by day and by night."""
    pairs = re.findall(r"--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", block(place))
    return {name: both for name, *both in pairs}


def contrast(one: str, two: str) -> float:
    """The contrast of two colours such as `#1f5fa8`, 1 to 21, as the W3C counts it."""

    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, light = sorted((luminance(one), luminance(two)))
    return (light + 0.05) / (dark + 0.05)
