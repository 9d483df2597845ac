"""The worked examples of the texts and of the rulings come out, here as in the reference."""

from __future__ import annotations

from gridwise import Match, game
from gridwise.core.view import CellView
from tests.reference.claims import CONQUEST, each_claim


@each_claim
def test_what_the_texts_and_the_rulings_say(
    key: str, board: str, moves: str, expected: dict[str, object]
) -> None:
    """Legal moves, scores, cells of both players, turn and result."""
    target = expected.get("target")
    parsed = game(key).parse_board(board, target if isinstance(target, int) else None)
    match = Match(
        key, parsed, first=2 if expected.get("first") == 2 else 1, seed=1, moves=moves.split()
    )
    cells = [
        {divmod(at, parsed.cols) for at, cell in enumerate(match.view.cells) if player == _of(cell)}
        for player in (1, 2)
    ]
    found = {
        "legal": sorted(match.legal_moves),
        "scores": match.view.scores,
        "to_move": match.turn or None,
        "result": match.outcome.result if match.outcome else None,
        "cells": tuple(cells),
    }
    for name in found.keys() & expected.keys():
        said = expected[name]
        assert found[name] == (sorted(str(said).split()) if name == "legal" else said)


def _of(cell: CellView) -> int:
    return cell.token or cell.owner


def test_grid_conquest_reveals_c5_on_the_second_turn() -> None:
    """D4 turns up C5: the list of the text is right and its picture is not."""
    match = Match("grid-conquest", CONQUEST, first=1, moves=("C3", "D4"))
    shown = " ".join(cell.name for cell in match.view.cells if not cell.hidden)
    assert shown == "B2 B3 B4 C2 C3 C4 C5 D2 D3 D4 D5 E3 E4 E5"


def test_letters_name_columns_in_one_game_and_rows_in_the_other() -> None:
    """A2 is column A, row 2 in Grid Runner, and row A, column 2 in Grid Conquest."""
    for key, cell in (("grid-runner", 5), ("grid-conquest", 1)):
        match = Match(key)
        assert match.game.text.NOTATION.parse_cell(match.board, "A2") == cell


def test_the_coin_falls_both_ways() -> None:
    """Who begins in Grid Conquest is tossed: about half the time each."""
    begins = [Match("grid-conquest", seed=seed).first for seed in range(400)]
    assert 150 < begins.count(2) < 250
