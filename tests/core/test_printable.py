"""A text from elsewhere cannot command a terminal, hide in it or break its lines."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridwise.errors import printable, quoted

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
HOSTILE = {
    "window title": "\x1b]0;owned\x07",
    "erase the screen": "\x1b[2J",
    "one-character CSI": "\x9b31m",
    "backspace": "good\b\b\b\bevil",
    "carriage return": "good\revil",
    "line break": "good\nevil",
    "line separator": "good\u2028evil",
    "next line": "good\x85evil",
    "right to left": "\u202egnp.exe",
    "isolate": "\u2066evil\u2069",
    "Arabic letter mark": "a\u061cb",
    "zero width space": "a\u200bb",
    "zero width joiner": "a\u200db",
    "byte order mark": "\ufeffa",
    "soft hyphen": "a\xadb",
    "grapheme joiner": "a\u034fb",
    "Hangul filler": "\u3164",
    "tag character": "a\U000e0041",
    "lone surrogate": "a\udc9b",
    "nothing": "a\x00b",
    "delete": "a\x7fb",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_what_a_terminal_would_obey_is_replaced(text: str) -> None:
    """Something shows that it was there."""
    shown = printable(text)
    assert shown != text
    assert REPLACEMENT in shown
    assert shown.isprintable()


@pytest.mark.parametrize(
    "text",
    ["plain", "Zoë", 'O\'Neil "the wall" \\', "Łukasz", "名前", "שם", "e\u0301", "± 3 %…", "🙂"],
)
def test_names_of_people_stay_as_they_are(text: str) -> None:
    """In every script, accents and all."""
    assert printable(text) == text


def test_a_pile_of_accents_is_cut() -> None:
    """It would cover the lines above and below."""
    assert printable("a" + "\u0301" * 500 + "b") == "a" + "\u0301" * 3 + "b"


def test_odd_spaces_become_plain_ones() -> None:
    """They look the same."""
    assert printable("a\xa0b\u3000c") == "a b c"


def test_a_long_text_is_cut_where_that_is_asked_for() -> None:
    """And says so."""
    assert printable("x" * 1000) == "x" * 1000
    assert printable("x" * 1000, 10) == "x" * 10 + "…"
    assert printable("x" * 10, 10) == "x" * 10


@given(st.text())
def test_whatever_comes_in_what_goes_out_is_printable(text: str) -> None:
    """No control, no format character, no surrogate; and cleaning twice changes nothing."""
    shown = printable(text)
    assert not {unicodedata.category(char) for char in shown} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert printable(shown) == shown
    assert quoted(text).isprintable()
