"""Conditions are data: read from task arguments, checked, and written back."""

from __future__ import annotations

import pytest

from gridwise.errors import BadRequest
from gridwise.prompts.conditions import Conditions


def test_the_defaults_are_those_of_the_open_track() -> None:
    """A model is told all it may know but which moves are legal: that it has to find out."""
    assert Conditions.read().to_dict() == {
        "legal_moves": "hidden",
        "history": "shown",
        "board": "grid",
        "rules": "full",
        "retries": 2,
        "skin": "plain",
    }


def test_arguments_come_as_text_or_as_numbers() -> None:
    """Inspect reads `-T retries=0` as a number, a shell script passes texts."""
    read = Conditions.read(
        legal_moves="HIDDEN", history=False, board=" json ", retries="0", skin="Theme+Turned"
    )
    assert read == Conditions("hidden", "hidden", "json", "full", 0, "theme+turned")
    assert Conditions.read(retries=0, board=None) == Conditions(retries=0)


def test_what_was_written_is_read_back() -> None:
    """A log holds conditions, and a report reads them from it."""
    given = Conditions("hidden", "shown", "sentences", "short", 5, "renamed")
    assert Conditions.read(**given.to_dict()) == given


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"board": "picture"}, "`board` is grid or sentences or json"),
        ({"legal_moves": "maybe"}, "shown or hidden"),
        ({"history": 7}, "shown or hidden"),
        ({"rules": ""}, "full or short"),
        ({"retries": "-1"}, "whole number from 0 to 20"),
        ({"retries": 2.5}, "whole number from 0 to 20"),
        ({"retries": "٣"}, "whole number from 0 to 20"),
        ({"retries": 2000}, "whole number from 0 to 20"),
        ({"skin": "../../etc/passwd"}, "A skin is named like plain"),
        ({"skin": "+"}, "A skin is named like plain"),
        ({"bord": "grid"}, "The conditions are track, legal_moves"),
    ],
)
def test_a_slip_is_answered_with_what_is_possible(given: dict[str, object], says: str) -> None:
    """One line that names the argument and what it takes."""
    with pytest.raises(BadRequest, match=says) as refused:
        Conditions.read(**given)
    assert "\n" not in str(refused.value)
