"""How well a colour can be read on another."""

from __future__ import annotations


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
