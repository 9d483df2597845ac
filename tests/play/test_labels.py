"""Lists of moves: two columns, a player's moves in each, with the points after them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridwise import Match, game, games
from gridwise.core.rng import random_stream
from gridwise.play.labels import MoveRow, move_rows, status_label
from gridwise.play.library import SavedGame
from tests.sizes import sample

# Nobody gets to 15 with so many ones before somebody has no cell to claim.
BOARDS = {"number-connect": "1111/1111/1111/1111"}


def test_a_row_has_both_players_moves_and_their_points() -> None:
    """The worked example of Number Run: 6 points and 2 after three moves."""
    match = Match("number-run", "31425/25134/42513/14252/53142", moves=["0,1", "3,4", "1,1"])
    assert move_rows(match.positions) == [
        MoveRow(1, "0,1 (1)", "3,4 (2)"),
        MoveRow(2, "1,1 (6)", ""),
    ]
    maze = Match("number-maze", "1324/2132/4213/3421", moves=["right", "left"])
    assert move_rows(maze.positions) == [MoveRow(1, "right", "left")]
    assert move_rows(maze.positions[:1]) == []


def test_who_begins_second_is_in_the_second_column() -> None:
    """In Grid Conquest the coin may let Player 2 begin."""
    board = "53152/24251/43453/51523/12214"
    match = Match("grid-conquest", board, first=2, moves=["C3", "D4", "D3"])
    assert move_rows(match.positions) == [MoveRow(1, "", "C3 (4)"), MoveRow(2, "D4 (2)", "D3 (9)")]


@pytest.mark.parametrize("key", [each.key for each in games()])
def test_every_move_is_in_its_players_column_and_in_order(key: str) -> None:
    """Also after a pass, when somebody moves twice: random games, read back from the rows."""
    passes = 0
    for seed in range(sample(40, long=400)):
        match, rng = Match(key, BOARDS.get(key), seed=seed), random_stream(seed)
        while not match.outcome and len(match.moves) < 60:
            match.move(match.legal_moves[int(rng.random() * len(match.legal_moves))])
        rows = move_rows(match.positions)
        read = [
            (who, cell.split(" ")[0]) for row in rows for who, cell in ((1, row.one), (2, row.two))
        ]
        assert [each for each in read if each[1]] == [*zip(match.movers, match.moves, strict=True)]
        assert [row.number for row in rows] == [*range(1, len(rows) + 1)]
        passes += any(one == two for one, two in zip(match.movers, match.movers[1:], strict=False))
    assert bool(passes) == game(key).passes


@pytest.mark.parametrize(
    ("players", "result", "said"),
    [
        (("human:Ann", "human:Ben"), "0-1", "Ben won"),
        (("human:Ann", "human"), "0-1", "Red won"),
        (("human", "human"), "1-0", "Blue won"),
        (("bot:weak", "bot:weak"), "1-0", "Weak bot 1 won"),
        (("human:Ann", "bot:weak"), "1-0", "✓ won"),
        (("human", "human"), "1/2-1/2", "= draw"),
    ],
)
def test_a_list_says_who_has_won(players: tuple[str, str], result: str, said: str) -> None:
    """From the side of the one person, otherwise by name."""
    saved = SavedGame(Path("x.gwr"), "x", "number-run", players, result)
    assert status_label(saved) == said
