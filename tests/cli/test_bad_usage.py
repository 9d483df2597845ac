"""Options that cannot be used: status 2, one clear line on standard error, and no traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from .program import GAMES, RUN_BOARD, gridwise, is_one_complaint


def test_an_unknown_game_is_named_together_with_the_known_ones(home: Path) -> None:
    """The line quotes what was typed and lists the games."""
    run = gridwise("play", "chess", home=home, fresh=True)
    assert is_one_complaint(run)
    assert all(name in run.err for name in ("chess", *GAMES))
    assert not run.out


@pytest.mark.parametrize("args", [("frobnicate",), ("play", "number-run", "--frobnicate")])
def test_an_unknown_word_is_named(home: Path, args: tuple[str, ...]) -> None:
    """A command or an option that does not exist is quoted in the complaint."""
    run = gridwise(*args, home=home)
    assert is_one_complaint(run)
    assert "frobnicate" in run.err
    assert not run.out


LONG = "1" * 100_000

WRONG: dict[str, tuple[str, ...]] = {
    "two games": ("play", "number-run", "number-maze"),
    "empty game": ("play", ""),
    "rules of nothing": ("rules",),
    "game of odd characters": ("play", "\x1b[31m\N{PILE OF POO}\n\n"),
    "very long game": ("play", "x" * 100_000),
    "ragged board": ("play", "number-run", "--board", "12/3"),
    "value too high": ("play", "number-run", "--board", "16/11"),
    "empty board": ("play", "number-run", "--board", ""),
    "empty board where there is a standard one": ("play", "grid-runner", "--board="),
    "empty board to analyze": ("analyze", "grid-runner", "--board", ""),
    "ladder of no game": ("arena", "--ladder", "foo"),
    "the short name of a game for a new one": ("new-game", "run"),
    "line breaks": ("play", "number-run", "--board", "12\n34\n!"),
    "a board of 100,000 cells": ("play", "number-run", "--board", LONG),
    "size of letters": ("play", "number-run", "--size", "axb"),
    "huge size": ("play", "number-run", "--size", "999x999"),
    "huger size": ("play", "number-run", "--size", f"{LONG}x2"),
    "board and size": ("play", "number-run", "--board", RUN_BOARD, "--size", "5x5"),
    "seed of letters": ("play", "number-run", "--seed", "lucky"),
    "broken seed": ("play", "number-run", "--seed", "1.5"),
    "seed of 100,000 digits": ("play", "number-run", "--seed", LONG),
    "seed missing": ("play", "number-run", "--seed"),
    "third player first": ("play", "grid-conquest", "--first", "3"),
    "first by name": ("play", "grid-conquest", "--first", "me"),
    "second first where there is no toss": ("play", "number-run", "--first", "2"),
    "unknown deal": ("play", "number-run", "--deal", "cheating"),
    "unknown bot": ("play", "number-run", "--p1", "bot:hal9000"),
    "unknown player": ("play", "number-run", "--p2", "dog"),
    "no points to reach": ("play", "grid-conquest", "--target", "0"),
    "record missing": ("play", "--resume", "not-there.gwr"),
    "nothing to resume": ("play", "--resume", ""),
    "delay below nothing": ("play", "number-run", "--delay=-1"),
    "delay of more than a minute": ("play", "number-run", "--delay", "61"),
    "delay that is no number": ("play", "number-run", "--delay", "nan"),
    "delay of words": ("play", "number-run", "--delay", "x"),
    "replay without a file": ("replay",),
    "replay a missing file": ("replay", "not-there.gwr"),
    "replay a folder": ("replay", "."),
    "replay a device without end": ("replay", "/dev/zero"),
    "analyze nothing": ("analyze",),
    "analyze no board": ("analyze", "number-run"),
    "analyze an unreadable move": ("analyze", "grid-runner", "--moves", "hop"),
    "analyze a move too many": ("analyze", "grid-runner", "--board", "..", "--moves", "right"),
    "analyze a missing file": ("analyze", "--batch", "not-there.jsonl"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_usage_gets_one_line_and_status_2(home: Path, name: str) -> None:
    """Whatever is asked for, it is refused in one short printable line."""
    run = gridwise(*WRONG[name], home=home)
    assert is_one_complaint(run), run
    assert run.err.rstrip("\n").isprintable()
    assert not run.out


ABSURD_BUT_FINE: dict[str, tuple[str, ...]] = {
    "negative seed": ("play", "number-run", "--seed", "-1"),
    "seed of forty digits": ("play", "number-run", "--seed", "9" * 40),
    "two cells": ("play", "grid-conquest", "--board", "11"),
    "one column": ("play", "number-run", "--board", "/".join("1" * 63)),
    "spaced board": ("play", "number-run", "--board", " 12 / 34 "),
    "small letters": ("play", "grid-runner", "--board", "..x/x../..."),
    "a tall grid": ("play", "grid-conquest", "--size", "26x2", "--seed", "1"),
}


@pytest.mark.parametrize("name", ABSURD_BUT_FINE)
def test_odd_but_possible_options_are_accepted(home: Path, name: str) -> None:
    """A strange seed or a narrow board is nobody's mistake."""
    run = gridwise(*ABSURD_BUT_FINE[name], home=home, typed=["quit"])
    assert run.status == 0
    assert not run.err


@pytest.mark.parametrize(
    "args",
    [
        ("grid-conquest", "--size", "30x2"),
        ("grid-runner", "--size", "2x30"),
        ("grid-conquest", "--target", "9999999"),
        ("number-connect", "--target", "1000000000000"),
        ("number-run", "--target", "-5"),
    ],
)
def test_what_can_be_played_can_be_recorded_and_read_again(
    home: Path, args: tuple[str, ...]
) -> None:
    """An option is either refused, or its game's record can be shown and resumed."""
    file = home / "game.gwr"
    bots = ("--p1", "bot:random", "--p2", "bot:random", "--seed", "3")
    played = gridwise("play", *args, *bots, "--record", file, home=home)
    assert is_one_complaint(played) or (played.status == 0 and not played.err)
    if played.status == 0:
        shown = gridwise("replay", file, "--at", "-1", home=home)
        assert shown.status == 0, shown.err


def test_an_option_that_is_missing_is_named_as_it_is_typed(home: Path) -> None:
    """With its dashes; an argument by its name."""
    for words, name in ((("solve", "run"), "--boards"), (("games", "export"), "ID")):
        assert f"gridwise: {name} is missing." in gridwise(*words, home=home).err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--seed", "x"), '--seed takes a whole number, not "x".'),
        (("--seed", "it's"), '--seed takes a whole number, not "it\'s".'),
        (("--target", "1.5"), '--target takes a whole number, not "1.5".'),
        (("--delay", "soon"), '--delay takes a number, not "soon".'),
        (("--best-of", "2"), "--best-of takes 3, 5 or 7 games, not 2; --both-sides plays two."),
    ],
)
def test_what_an_option_takes_is_said(home: Path, options: tuple[str, ...], said: str) -> None:
    """In a sentence of ours; two games are a series that has an option of its own."""
    run = gridwise("play", "number-run", *options, home=home)
    assert is_one_complaint(run)
    assert said in run.err
