"""The checks of `gridwise.testing` find what is wrong: each broken game fails its check."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from tic_tac_toe import GAME, rules, text

from gridwise.core.defaults import complete_text
from gridwise.core.game import Game
from gridwise.core.view import Drawing
from gridwise.testing import (
    check_bad_moves,
    check_compiles,
    check_dialogue,
    check_game,
    check_pages,
    check_rules,
    check_text_round_trips,
    check_views,
)

RULES = {name: getattr(rules, name) for name in dir(rules) if not name.startswith("__")}
TEXT = {name: getattr(text, name) for name in dir(text) if not name.startswith("__")}


def with_rules(**changed: Any) -> Game:  # noqa: ANN401 - functions and numbers
    """Tic-tac-toe with other rules."""
    return replace(GAME, rules=SimpleNamespace(**RULES | changed))


def with_text(**changed: Any) -> Game:  # noqa: ANN401 - functions and texts
    """Tic-tac-toe with other text."""
    made: Any = SimpleNamespace(**TEXT | changed)
    return replace(GAME, text=complete_text(made))


def keeps_its_turn(board: Any, state: Any, action: int) -> Any:  # noqa: ANN401
    """A move that changes nothing."""
    return state


def marks_and_goes_on(board: Any, state: Any, action: int) -> Any:  # noqa: ANN401
    """A mark after which the same player moves again."""
    return state._replace(mine=state.mine | 1 << action)


def none_after_four(board: Any, state: Any) -> int:  # noqa: ANN401
    """No moves once four cells are marked, though nobody may have won."""
    marked = int(state.mine | state.yours).bit_count()
    return rules.moves(board, state) if marked < 4 else 0


def half_an_action(board: Any, state: Any, action: int) -> Any:  # noqa: ANN401
    """A state with a number that is not an int."""
    return rules.play(board, state, action)._replace(mine=0.5)  # type: ignore[arg-type]


def first_cell_always(board: Any, text: str) -> int:  # noqa: ANN401
    """A reader who knows one cell."""
    return 0


BROKEN: list[tuple[str, Callable[[], Game], Callable[..., object]]] = [
    ("leaves the state as it was", lambda: with_rules(play=keeps_its_turn), check_rules),
    ("moves again", lambda: with_rules(play=marks_and_goes_on), check_rules),
    ("exactly when there is a winner", lambda: with_rules(moves=none_after_four), check_rules),
    ("ints", lambda: with_rules(play=half_an_action), check_rules),
    ("0, 1, 2 or 3", lambda: with_rules(winner=lambda board, state: 7), check_rules),
    ("first turn", lambda: with_rules(start=lambda b, f: rules.State(1, 0, 0)), check_rules),
    ("has_hidden_cells", lambda: with_rules(hidden=lambda board, state: 1), check_rules),
    (
        "as many values",
        lambda: replace(GAME, planes=planes(counts=lambda board, state, player: (1, 2))),
        check_rules,
    ),
    (
        "Compiled and interpreted",
        lambda: replace(GAME, planes=planes(planes=_depends_on_the_compiler)),
        check_compiles,
    ),
    (
        "read back|is cell",
        lambda: with_text(NOTATION=SimpleNamespace(**_notation(parse_cell=first_cell_always))),
        check_text_round_trips,
    ),
    (
        "was played|must be refused",
        lambda: with_text(parse_action=lambda board, state, text: state.turn * 0 + _free(state)),
        check_bad_moves,
    ),
    (
        "a sentence",
        lambda: with_text(why_not=lambda board, state, action: "no"),
        check_dialogue,
    ),
    (
        "a single line",
        lambda: with_text(prompt=lambda board, state: "two\nlines"),
        check_dialogue,
    ),
    ("wider than", lambda: with_text(DRAWING=Drawing("boxes", width=0)), check_views),
    (
        "exactly one cell",
        lambda: with_text(target=lambda board, state, action: -1),
        check_views,
    ),
    ("SUMMARY is empty", lambda: with_text(SUMMARY=""), check_pages),
]


def planes(**changed: Any) -> Any:  # noqa: ANN401
    """The default planes with a change."""
    default = GAME.observation_planes
    parts = {name: getattr(default, name) for name in ("VALUE", "PLANES", "COUNTS", "ACTIONS")}
    return SimpleNamespace(**parts | {"planes": default.planes, "counts": default.counts} | changed)


def _depends_on_the_compiler(board: Any, state: Any, player: int) -> tuple[int, ...]:  # noqa: ANN401
    # A number beyond 64 bits is cut off in machine code.
    return state.mine, (state.mine + (1 << 62)) * 4 >> 62


def _notation(**changed: Any) -> dict[str, Any]:  # noqa: ANN401
    names = ("cell_name", "cell_names", "mention", "parse_cell", "problem", "labels")
    return {name: getattr(text.NOTATION, name) for name in names} | changed


def _free(state: Any) -> int:  # noqa: ANN401
    taken = int(state.mine | state.yours)
    return (~taken & (taken + 1)).bit_length() - 1


@pytest.mark.parametrize(("says", "make", "check"), BROKEN, ids=[each[0] for each in BROKEN])
def test_a_broken_game_is_found(
    says: str, make: Callable[[], Game], check: Callable[..., object]
) -> None:
    """With the check, a sentence that says what is wrong, and the board and moves."""
    with pytest.raises(AssertionError, match=says) as failed:
        check(make())
    assert str(failed.value).startswith(f"{check.__name__}: ")
    assert check is check_pages or " On the board 111/111/111, " in str(failed.value)


def test_an_error_in_a_game_is_named_with_its_place_and_the_moves() -> None:
    """Whatever its functions raise; the names of moves stand beside the numbers."""

    def prompt(board: Any, state: Any) -> str:  # noqa: ANN401
        return {0: "Begin: "}[int(state.mine | state.yours)]

    with pytest.raises(AssertionError) as failed:
        check_dialogue(with_text(prompt=prompt))
    said = str(failed.value)
    assert said.startswith("check_dialogue: KeyError: ")
    assert "(test_testing.py, line " in said
    assert re.search(r" On the board 111/111/111, after \d,\d \(actions \d\)\.$", said)


def test_all_checks_are_made_of_a_whole_game() -> None:
    """`check_game` stops at what the single checks stop at."""
    with pytest.raises(AssertionError, match="a sentence"):
        check_game(with_text(why_not=lambda board, state, action: "no"), games=2)
