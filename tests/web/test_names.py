"""Names of all scripts are taken, and none of them harms the page around it."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from pydantic import ValidationError

from gridwise.play.records import parse_record
from gridwise.web.game.new_game import NewGame
from gridwise.web.game.stored_game import Seat
from gridwise.web.http.messages import TakeSeat
from gridwise.web.pages.templating import in_colours

from .servers import Browser, ok, refused

PERSIAN = "می‌خواهم"  # spelt with a zero-width non-joiner
FAMILY = "👨‍👩‍👧"  # an emoji joined of three
HEBREW = "שלום"
ARABIC = "ليلى 7"


@pytest.mark.parametrize(
    "names", [(PERSIAN, FAMILY), (HEBREW, ARABIC), ("नमस्ते", "Ann-Kathrin Ω")], ids=repr
)
def test_every_script_is_welcome(ann: Browser, bob: Browser, names: tuple[str, str]) -> None:
    """A name comes back as it was sent, in the state, on the pages and in the record."""
    game_id = ann.create("grid-runner", name=names[0], listed=True)
    state = bob.take_seat(game_id, names[1])
    assert tuple(player["name"] for player in state["players"]) == names
    over = ok(ann.request("resign", state))
    assert names[0] in over["reason"]
    for path in (f"/g/{game_id}", "/games", f"/g/{game_id}/back"):
        assert (names[0] in bob.page(path), names[1] in ann.page(path)) == (True, True), path
    record = parse_record(ann.http.get(f"/api/games/{game_id}/record").text)
    assert (record.tags["Name1"], record.tags["Name2"]) == names


REFUSED = {
    "printable": [  # characters that turn or hide text
        "evil\u202egnp.exe",  # the rest of the line runs backwards
        "open\u2066",
        "mark\u200f",
        "soft\u00adhyphen",
        "zero\u200bwidth",
        "bell\a",
        "\ufeffbom",
        "tag\U000e0041",
    ],
    "can be seen": [  # a name that looks empty: nobody could tell who it is that has won
        "\u3164",  # a filler of Hangul
        "\u115f\u1160",
        "\uffa0",
        "\u2800\u2800",  # Braille without dots
        "\ufe0f",  # only says how to draw what comes before it
        "\u034f",
        "\U000e0100",
        "\u0301",  # an accent without a letter
        "\u3164\u200d\u2800 \ufe0f",
    ],
    "at most 2 accents": [  # a heap of them would run into the lines above
        "A\u0301\u0302\u0303",
        "A" + "\u0301\u200d" * 3,
        "ก" + "\u0e47" * 9,
        "1\ufe0f" + "\u20e3" * 2,
    ],
}


@pytest.mark.parametrize("reason", REFUSED)
def test_a_name_that_misleads_is_refused(ann: Browser, reason: str) -> None:
    """With the reason, in a new game and for who sits down; and so over the network."""
    for name in REFUSED[reason]:
        with pytest.raises(ValidationError, match=reason):
            NewGame.model_validate({"game": "grid-runner", "name": name})
        with pytest.raises(ValidationError, match=reason):
            TakeSeat(name=name)
    assert reason in refused(ann.post("/games", game="grid-runner", name=name), 400, "bad-request")
    seats = f"/games/{ann.create('grid-runner')}/seats"
    assert reason in refused(ann.post(seats, name=name), 400, "bad-request")


@pytest.mark.parametrize(
    "name",
    [
        PERSIAN,
        FAMILY,
        "Nguyễn Thị Phượng",
        normalize("NFD", "Nguyễn Thị Phượng"),  # two accents on one letter
        "ทินกร พี่หนึ่ง",
        "محمّد",
        "फ़ैज़ सिंह",
        "སྒྲོལ་མ",  # letters below letters, and a vowel
        "葛\U000e0100城",  # the older shape of the letter
        "❤\ufe0f\u200d🔥 1\ufe0f\u20e3",
        "❤\ufe0f",
        "...",
        "",
    ],
)
def test_names_with_marks_are_taken(name: str) -> None:
    """As they are spelt."""
    assert NewGame.model_validate({"game": "grid-runner", "name": name}).name == name
    assert TakeSeat(name=name).name == name


def test_joiners_alone_are_no_name(ann: Browser) -> None:
    """A name that nobody sees is none; those between others stay."""
    for name, kept in (("\u200d\u200c", ""), (" \u200dAnn\u200c ", "Ann"), (PERSIAN, PERSIAN)):
        assert ann.state(ann.create("grid-runner", name=name))["players"][0]["name"] == kept


def test_a_name_from_right_to_left_does_not_turn_the_sentence() -> None:
    """It is isolated, as <bdi> does it on a page; others are as they are."""
    assert Seat(1, "human", HEBREW).called().object == f"\u2068{HEBREW}\u2069"
    assert Seat(1, "human", PERSIAN).called().subject == f"\u2068{PERSIAN}\u2069"
    for name in ("Ann", FAMILY, "Ω", "7", "Redmond"):
        assert Seat(1, "human", name).called().object == name


def test_a_name_with_a_colour_is_not_taken_for_one() -> None:
    """Red is Orange to whoever has chosen to see it so, but somebody called Red is not."""
    red = Seat(1, "human", "Eric the Red").called()
    shown = str(in_colours(f"{red.subject} won: {Seat(2, 'human').called().object} resigned."))
    assert shown == (
        "\u2068Eric the Red\u2069 won: "
        '<span class="usual">Red</span><span class="colour-blind">Orange</span> resigned.'
    )


def test_two_at_one_screen_both_have_names(ann: Browser) -> None:
    """Nobody else chooses the name of somebody who is not here yet."""
    game = ann.create("grid-runner", opponent="same-screen", name1="Ann", name2=" Ben ", side=2)
    assert [each["name"] for each in ann.state(game)["players"]] == ["Ann", "Ben"]
    asked = {"game": "grid-runner", "opponent": "link", "name2": "Ben"}
    said = refused(ann.http.post("/api/games", json=asked), 400, "bad-request")
    assert "same screen" in said
    asked = {"game": "grid-runner", "opponent": "same-screen", "name2": "\u2800"}
    said = refused(ann.http.post("/api/games", json=asked), 400, "bad-request")
    assert said == '"name2": a name needs a character that can be seen.'
