"""The graph of who was winning says what the curve says, drawn and in words."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from gridwise.core.narration import YOU, PlayerName
from gridwise.show.review_curve import curve_svg

SVG = "{http://www.w3.org/2000/svg}"


def test_higher_is_better_for_player_one() -> None:
    """A win of Player 1 is at the top, one of Player 2 at the bottom, an even game between."""
    root = ET.fromstring(curve_svg([0.5, 1.0, 0.0]))  # noqa: S314 - made here
    spots = [spot for spot in root.iter(f"{SVG}circle") if spot.get("class") == "spot"]
    even, won, lost = (float(spot.attrib["cy"]) for spot in spots)
    assert won < even < lost
    across = [float(spot.attrib["cx"]) for spot in spots]
    assert across == sorted(across)


def test_its_title_says_it_in_words() -> None:
    """Its title says when the lead changed."""
    assert (
        "<title>Who was winning: at the start even; from move 2 Player 1 ahead; "
        "from move 4 Player 2 ahead.</title>" in curve_svg([0.5, 0.5, 1.0, 1.0, 0.0])
    )


def test_marks_stand_at_their_moves_and_colours_follow_the_page() -> None:
    """A blunder is marked; on a page every colour is a variable."""
    drawn = curve_svg([0.5, 0.0], {1: "??"})
    assert ">??</text>" in drawn
    assert "#" not in drawn


def test_it_names_the_players_and_points_out_the_turning_point() -> None:
    """Names are escaped; below the spots are the numbers that it is given."""
    names = YOU, PlayerName("<Ada>", "<Ada>")
    drawn = curve_svg([0.5, 0.0, 0.0], {}, names, 1, {1: 7})
    root = ET.fromstring(drawn)  # noqa: S314 - made here
    assert [text.text for text in root.iter(f"{SVG}text")] == ["You", "<Ada>", "7"]
    (line,) = (path for path in root.iter(f"{SVG}path") if path.get("class") == "turning")
    spot = next(spot for spot in root.iter(f"{SVG}circle") if spot.get("data-at") == "1")
    assert line.attrib["d"].startswith(f"M{spot.get('cx')} ")


def test_a_game_of_any_length_can_be_drawn() -> None:
    """No move at all, one, or a thousand."""
    for length in (0, 1, 2, 1000):
        ET.fromstring(curve_svg([0.5] * length))  # noqa: S314 - made here
