"""The rules against a second implementation that was written from the texts alone.

`tests/reference` uses sets and dictionaries and shares no code with the product. Here both play
the same random games and must agree at every position; and the product must find the numbers of
move sequences that the reference has counted.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from gridwise.core.bits import bit_indices, random_bit
from gridwise.core.board import Board
from gridwise.core.contracts import State
from gridwise.core.game import Game
from gridwise.core.position import Position, start
from gridwise.core.registry import game as game_of
from tests.reference import REFERENCE
from tests.reference.base import ReferenceGame
from tests.sizes import sample

POSITIONS = sample(1_500, long=20_000)  # at the least, for each game and kind of content
STATES = sample(8_000, long=10**9)  # of a depth; from more than that it goes no deeper
PERFT = Path(__file__).parents[1] / "data" / "perft.json"


def contents(game: Game, kind: str, rng: random.Random) -> Board:
    """A board of the standard size, or now and then of another one, filled in one way."""
    rows, cols = rng.choice([(0, 0), (0, 0), (0, 0), (3, 3), (4, 6), (6, 6), (1, 6), (5, 2)])
    board = game.deal(rng, rows, cols)
    if kind == "uniform" and game.fixed and (rows or rng.random() < 0.5):
        # Obstacles anywhere but on the two corners.
        walls = [rng.choice("...X") for _ in range(board.size)]
        walls[0] = walls[-1] = "."
        text = "".join(walls)
        lines = [text[at : at + board.cols] for at in range(0, board.size, board.cols)]
        return game.parse_board("/".join(lines))
    if kind == "uniform" or game.fixed:
        return board
    value = game.rules.LOW if kind == "least" else game.rules.HIGH
    return Board(board.rows, board.cols, (value,) * board.size, board.target)


def assert_alike(position: Position, peer: ReferenceGame) -> None:
    """Both say the same of one position."""
    board, outcome = position.board, position.outcome
    assert peer.result() == (outcome.result if outcome else None)
    assert peer.to_move() == (position.turn or None)
    assert peer.scores() == position.scores
    assert set(peer.legal()) == set(position.legal_moves)
    marks = {
        divmod(cell, board.cols): f"P{shown.token or shown.owner}"
        for cell, shown in enumerate(position.game.text.cell_views(board, position.state))
        if shown.token or shown.owner
    }
    assert {cell: str(mark)[-1] for cell, mark in peer.owner_or_token().items()} == {
        cell: mark[-1] for cell, mark in marks.items()
    }
    hidden = position.hidden
    visible = {divmod(cell, board.cols) for cell in range(board.size) if not hidden >> cell & 1}
    assert peer.visible() == visible


@pytest.mark.parametrize("kind", ["uniform", "least", "greatest"])
@pytest.mark.parametrize("key", REFERENCE)
def test_both_agree_at_every_position(key: str, kind: str) -> None:
    """Legal moves, scores, owners, visible cells, turns and results are the same in both."""
    game = game_of(key)
    rng = random.Random(f"reference {key} {kind}")
    seen = 0
    while seen < POSITIONS:
        board = contents(game, kind, rng)
        first = rng.choice([1, 2]) if game.coin_toss else 1
        position = start(game, board, first)
        peer = REFERENCE[key](game.board_text(board), first)
        for _ in range(200):
            # Where there is no legal move at all, every game must still be compared once.
            assert_alike(position, peer)
            seen += 1
            if position.outcome:
                break
            action = random_bit(position.legal_mask, rng.random)
            peer.play(position.name(action))
            position = position.play(action, board)


def rows_by_board() -> dict[tuple[str, str, int, int | None], list[dict[str, Any]]]:
    """The stored counts, gathered by the position they start from."""
    gathered: dict[tuple[str, str, int, int | None], list[dict[str, Any]]] = {}
    for row in json.loads(PERFT.read_text(encoding="utf-8")):
        key = (row["game"], row["board"], row["first"], row["target"])
        gathered.setdefault(key, []).append(row)
    return gathered


STORED = rows_by_board()


@pytest.mark.parametrize(
    ("origin", "rows"), STORED.items(), ids=[f"{key[0]} {key[1]} {key[3]}" for key in STORED]
)
def test_move_sequences_are_as_many_as_the_reference_counted(
    origin: tuple[str, str, int, int | None], rows: list[dict[str, Any]]
) -> None:
    """At each depth there are as many sequences, and as many that end there, as were counted."""
    key, text, first, target = origin
    game = game_of(key)
    board = game.parse_board(text, target)
    # Equal states are counted together, with the number of ways to reach them.
    layer = Counter({game.rules.start(board, first): 1})
    for row in sorted(rows, key=lambda row: int(row["depth"])):
        if len(layer) > STATES:
            break
        following: Counter[State] = Counter()
        for state, ways in layer.items():
            for action in bit_indices(game.rules.moves(board, state)):
                following[game.rules.play(board, state, action)] += ways
        layer = following
        ends = Counter[int]()
        for state, ways in layer.items():
            ends[game.rules.winner(board, state)] += ways
        assert sum(layer.values()) == row["sequences"]
        assert (ends[1], ends[2], ends[3]) == (row["p1"], row["p2"], row["draw"])
