"""The reference games against the games' texts: walkthroughs, rulings, and every kind of ending.

Expected values come from the texts, the rulings or arithmetic, never from a run. Nothing here
may import the product.
"""

import itertools
import json
import math
import random

import pytest

from . import REFERENCE, ReferenceGame
from .claims import (
    CONNECT,
    CONNECT_GAME,
    CONQUEST,
    CONQUEST_GAME,
    MAZE,
    RUN,
    RUNNER,
    each_claim,
    named,
)
from .counts import CASES, DATA, Case, Count, counted, rows

USUAL = {
    "number-run": RUN,
    "number-maze": MAZE,
    "grid-runner": RUNNER,
    "grid-conquest": CONQUEST.replace("?", "1"),
    "number-connect": CONNECT,
}


def played(
    key: str, board: str, moves: str, first: int = 1, target: int | None = None
) -> ReferenceGame:
    """Play moves, separated by spaces, from the start."""
    game = REFERENCE[key](board, first, target)
    for move in moves.split():
        game.play(move)
    return game


@each_claim
def test_what_the_texts_and_the_rulings_say(
    key: str, board: str, moves: str, expected: dict[str, object]
) -> None:
    """Each claim of the tables above."""
    options: dict[str, int] = {  # of the game itself
        name: int(str(expected[name])) for name in ("first", "target") if name in expected
    }
    game = played(key, board, moves, **options)
    owners = game.owner_or_token()
    found = {
        "legal": " ".join(game.legal()),
        "scores": game.scores(),
        "to_move": game.to_move(),
        "result": game.result(),
        "cells": tuple({cell for cell in owners if owners[cell] == who} for who in ("P1", "P2")),
        **options,
    }
    assert {name: found[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("key", "board", "moves", "scores"),
    [
        (
            *("grid-conquest", CONQUEST, CONQUEST_GAME),
            [(4, 0), (4, 2), (9, 2), (9, 7), (13, 7), (13, 12), (16, 12)],
        ),
        (
            *("number-connect", CONNECT, CONNECT_GAME),
            [(4, 0), (4, 2), (5, 2), (5, 3), (11, 3), (11, 8), (14, 8), (14, 15)],
        ),
    ],
)
def test_scores_turn_by_turn(
    key: str, board: str, moves: str, scores: list[tuple[int, int]]
) -> None:
    """The scores after each of the text's turns come out."""
    game = REFERENCE[key](board)
    for move, expected in zip(moves.split(), scores, strict=True):
        game.play(move)
        assert game.scores() == expected


@pytest.mark.parametrize("board", ["X./..", "../.X"])
def test_runner_refuses_blocked_corners(board: str) -> None:
    """A board with an obstacle on a start cell is no board for this game."""
    with pytest.raises(ValueError, match="start cell"):
        REFERENCE["grid-runner"](board)


def test_conquest_reveals() -> None:
    """Each of the text's claims shows the cells round it, C5 on the second turn included."""
    game = played("grid-conquest", CONQUEST, "")
    seen = named("")
    for move, shown in [
        ("C3", "C3 B2 B3 B4 C2 C4 D2 D3 D4"),
        ("D4", "C5 D5 E3 E4 E5"),
        ("D3", "E2"),
        ("A1", "A1 A2 B1"),
        ("B2", "A3 C1"),
        ("B4", "A4 A5 B5"),
        ("C5", ""),
    ]:
        assert game.visible() == seen
        game.play(move)
        seen |= named(shown)
    assert len(seen) == 25 - len(["D1", "E1"])
    assert game.visible() == seen


def test_conquest_offers_every_free_cell() -> None:
    """Hidden and revealed cells can be claimed, claimed ones cannot."""
    game = played("grid-conquest", CONQUEST, "")
    assert game.legal()[:6] == ["A1", "A2", "A3", "A4", "A5", "B1"]
    game.play("A2")
    assert game.legal()[:5] == ["A1", "A3", "A4", "A5", "B1"]
    with pytest.raises(ValueError, match="A2"):
        game.play("A2")


def test_conquest_unknown_values() -> None:
    """An unknown cell is on offer, but the reference refuses to guess its worth."""
    game = played("grid-conquest", CONQUEST, "")
    assert "D1" in game.legal()
    with pytest.raises(ValueError, match="not known"):
        game.play("D1")
    assert game.owner_or_token() == {}


def test_connect_choices_turn_by_turn() -> None:
    """Every cell in touch is on offer, those the walkthrough leaves out included."""
    game = played("number-connect", CONNECT, "")
    assert len(game.legal()) == 16
    game.play("0,0")
    assert len(game.legal()) == 15
    game.play("0,3")
    for move, free in [
        ("0,1", "0,1 1,0"),
        ("1,3", "0,2 1,3"),
        ("1,0", "0,2 1,0 1,1"),
        ("0,2", "0,2 1,2 2,3"),
        ("1,1", "1,1 2,0"),
        ("1,2", "1,2 2,3"),
    ]:
        assert game.legal() == free.split()
        game.play(move)


# All five


@pytest.mark.parametrize("key", REFERENCE)
def test_illegal_moves_change_nothing(key: str) -> None:
    """Refused text leaves the game as it was."""
    game = REFERENCE[key](USUAL[key])
    before = (game.legal(), game.scores(), game.owner_or_token(), game.visible())
    for text in ("", "9,9", "Z9", "nowhere", "0,0!", " up", "a1"):
        with pytest.raises(ValueError, match="is not one of"):
            game.play(text)
    assert before == (game.legal(), game.scores(), game.owner_or_token(), game.visible())


@pytest.mark.parametrize("key", REFERENCE)
def test_copies_go_their_own_way(key: str) -> None:
    """Playing on in a copy does not touch the game it came from."""
    game = REFERENCE[key](USUAL[key])
    before = vars(game.copy())
    twin = game.copy()
    for _ in range(3):
        twin.play(twin.legal()[-1])
    assert vars(game) == before
    assert vars(twin) != before


@pytest.mark.parametrize("key", REFERENCE)
def test_random_games_are_coherent(key: str) -> None:
    """There is a mover with a move exactly as long as there is no result."""
    for seed in range(20):
        game, rng = REFERENCE[key](USUAL[key]), random.Random(seed)
        for _ in range(200):
            assert (game.to_move() is None) == (game.legal() == []) == (game.result() is not None)
            if game.result() is not None:
                break
            game.play(rng.choice(game.legal()))
        assert key in {"number-maze", "grid-runner"} or game.result() is not None


@pytest.mark.parametrize("key", REFERENCE)
@pytest.mark.parametrize("board", ["", "1/", "11/1", "ab/cd", "00/00"])
def test_bad_boards_are_refused(key: str, board: str) -> None:
    """What is no rectangle of the game's letters is no board."""
    with pytest.raises(ValueError, match=r"rectangle|unexpected"):
        REFERENCE[key](board)


@pytest.mark.parametrize("key", ["number-run", "number-maze", "grid-runner"])
def test_tokens_need_two_cells(key: str) -> None:
    """Two tokens do not fit on one cell."""
    with pytest.raises(ValueError, match="too few"):
        REFERENCE[key]("." if key == "grid-runner" else "1")


@pytest.mark.parametrize("key", [key for key in REFERENCE if key != "grid-conquest"])
def test_player_one_starts_elsewhere(key: str) -> None:
    """Only Grid Conquest lets Player 2 start."""
    with pytest.raises(ValueError, match="cannot start"):
        REFERENCE[key](USUAL[key], 2)


@pytest.mark.parametrize("key", ["number-run", "number-maze", "grid-runner"])
def test_games_without_target_take_none(key: str) -> None:
    """A target is refused where the game has none."""
    with pytest.raises(ValueError, match="played to"):
        REFERENCE[key](USUAL[key], 1, 15)


@pytest.mark.parametrize("key", REFERENCE)
def test_visible_cells(key: str) -> None:
    """All cells are open from the start, except in Grid Conquest, where none is."""
    game = REFERENCE[key](USUAL[key])
    cells = len(USUAL[key].replace("/", ""))
    assert len(game.visible()) == (0 if key == "grid-conquest" else cells)


# Counts


def test_counts_of_free_claims() -> None:
    """Grid Conquest's sequences are arrangements as long as nobody can have won."""
    found = counted(Case("grid-conquest", "555/555/555", None))
    assert [row.sequences for row in found] == [math.perm(9, n) for n in range(1, 6)] + [0]
    assert found[4] == Count(math.perm(9, 5), math.perm(9, 5), 0, 0)


def test_counts_of_first_claims() -> None:
    """All nines end Number Connect on ply three, always for Player 2."""
    found = counted(Case("number-connect", "9999/9999/9999/9999", None))
    assert found[:2] == [Count(16, 0, 0, 0), Count(240, 0, 0, 0)]
    assert found[2].sequences == found[2].p2
    assert found[3] == Count(0, 0, 0, 0)


def test_counts_mirror_with_the_board() -> None:
    """Reflecting a board in its diagonal changes no count."""
    wide, tall = Case("number-run", "3142/2513", None), Case("number-run", "32/15/41/23", None)
    assert counted(wide) == counted(tall)


def test_counts_scale_with_the_values() -> None:
    """Number Run on all ones and on all fives is the same game."""
    ones, fives = Case("number-run", "111/111/111", None), Case("number-run", "555/555/555", None)
    assert counted(ones) == counted(fives)


def test_counts_swap_with_the_toss() -> None:
    """Who starts Grid Conquest only changes whose wins they are."""
    ours = counted(Case("grid-conquest", "524/315", None, first=1))
    theirs = counted(Case("grid-conquest", "524/315", None, first=2))
    assert ours == [Count(row.sequences, row.p2, row.p1, row.draw) for row in theirs]


def test_counts_end_where_they_end() -> None:
    """In a game counted to the end every sequence ends or goes on."""
    found = counted(Case("number-connect", "3142/1213", None, target=9))
    assert found[-1].sequences == 0
    assert sum(row.p1 + row.p2 + row.draw for row in found) > 0
    for row, following in itertools.pairwise(found):
        going_on = row.sequences - row.p1 - row.p2 - row.draw
        assert (going_on == 0) == (following.sequences == 0)


def test_stored_counts_are_of_these_cases() -> None:
    """The stored file holds the listed cases, and the quick ones come out again."""
    stored = json.loads(DATA.read_text(encoding="utf-8"))
    kept = {(row["game"], row["board"], row["first"], row["target"]) for row in stored}
    assert kept == {(case.game, case.board, case.first, case.target) for case in CASES}
    for row in stored:
        if row["depth"] <= 2:
            case = Case(row["game"], row["board"], row["depth"], row["first"], row["target"])
            assert rows(case)[-1] == row
