"""A game is named by its key, or by any part of it that no other game shares."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tic_tac_toe import GAME as TOY

from gridwise import game
from gridwise.core.registry import short_names
from gridwise.errors import UnknownGame
from gridwise.testing.samples import registered

SHORT = {
    "number-run": "run",
    "number-maze": "maze",
    "grid-runner": "runner",
    "grid-conquest": "conquest",
    "number-connect": "connect",
}


def test_every_game_has_the_short_name_of_the_interface() -> None:
    """`run`, `maze`, `runner`, `conquest`, `connect`."""
    assert short_names() == SHORT


@pytest.mark.parametrize(("key", "short"), SHORT.items())
def test_a_short_name_is_read_as_its_game(key: str, short: str) -> None:
    """In capitals too; and the key itself, with spaces or underscores."""
    for name in (short, short.upper(), key, key.replace("-", " "), key.replace("-", "_").title()):
        assert game(name).key == key


@pytest.mark.parametrize(
    ("part", "key"),
    [("maz", "number-maze"), ("conq", "grid-conquest"), ("grid run", "grid-runner")],
)
def test_the_beginning_of_a_word_is_enough_where_it_is_clear(part: str, key: str) -> None:
    """No other game has a word that begins like this."""
    assert game(part).key == key


def test_a_whole_word_counts_more_than_a_beginning() -> None:
    """`run` is Number Run, though Grid Runner begins with the same letters; `runn` is not."""
    assert game("run").key == "number-run"
    assert game("runn").key == "grid-runner"


@pytest.mark.parametrize(
    ("part", "candidates"),
    [
        ("number", {"number-run", "number-maze", "number-connect"}),
        ("grid", {"grid-runner", "grid-conquest"}),
        ("con", {"grid-conquest", "number-connect"}),
    ],
)
def test_an_ambiguous_part_is_refused_with_its_candidates(part: str, candidates: set[str]) -> None:
    """All of them are named, and no other game."""
    with pytest.raises(UnknownGame) as refused:
        game(part)
    assert {key for key in SHORT if key in str(refused.value)} == candidates


@pytest.mark.parametrize("name", ["", " ", "-", "ess", "chess", "umber", "run maze", "--run--x"])
def test_anything_else_is_no_game(name: str) -> None:
    """The middle of a word does not count, and nothing is not a part of everything."""
    with pytest.raises(UnknownGame, match="There is no game"):
        game(name)


def test_a_game_that_is_added_gets_a_short_name_for_nothing() -> None:
    """Its last word."""
    with registered(TOY):
        assert game("toe") is TOY
        assert short_names() == {**SHORT, "tic-tac-toe": "toe"}


def test_a_last_word_that_two_games_share_is_no_short_name() -> None:
    """Both are called by their keys, and the word is refused with both."""
    with registered(replace(TOY, key="dry-run")):
        assert short_names() == {**SHORT, "number-run": "number-run", "dry-run": "dry-run"}
        with pytest.raises(UnknownGame, match="number-run or dry-run"):
            game("run")
