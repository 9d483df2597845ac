"""Digits of several lines, for numbers that are to be seen from afar."""

from __future__ import annotations

from functools import lru_cache

# Three dots wide and five high, row by row.
_DOTS = {
    "0": ("###", "# #", "# #", "# #", "###"),
    "1": (" # ", "## ", " # ", " # ", "###"),
    "2": ("###", "  #", "###", "#  ", "###"),
    "3": ("###", "  #", "###", "  #", "###"),
    "4": ("# #", "# #", "###", "  #", "  #"),
    "5": ("###", "#  ", "###", "  #", "###"),
    "6": ("###", "#  ", "###", "# #", "###"),
    "7": ("###", "  #", "  #", "  #", "  #"),
    "8": ("###", "# #", "###", "# #", "###"),
    "9": ("###", "# #", "###", "  #", "###"),
}
_HALVES = {(" ", " "): " ", ("#", " "): "▀", (" ", "#"): "▄", ("#", "#"): "█"}


@lru_cache(maxsize=32)
def large_digits(text: str) -> list[str]:
    """A number in five lines, six characters to a digit: each dot is two characters."""
    rows = [" ".join(_DOTS[digit][row] for digit in text) for row in range(5)]
    return ["".join("██" if dot == "#" else "  " for dot in row) for row in rows]


@lru_cache(maxsize=32)
def small_digits(text: str) -> list[str]:
    """A number in three lines, three characters to a digit: each dot is half a character."""
    rows = [" ".join(_DOTS[digit][row] for digit in text) for row in range(5)]
    rows.append(" " * len(rows[0]))
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return ["".join(_HALVES[dots] for dots in zip(*pair, strict=True)) for pair in pairs]
