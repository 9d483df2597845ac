"""What a move costs on the wire: less than 2 kB without compression, in whole games of all five."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from gridwise.core.registry import game as game_named
from gridwise.core.rng import Stream
from gridwise.web.game import commands
from gridwise.web.game.event_sourced_game import EventSourcedGame
from gridwise.web.game.snapshot import Snapshot
from gridwise.web.game.stored_game import JournalEntry
from tests.sizes import sample

from .servers import GAMES
from .stored import dealt_game

MOST_BYTES = 2_000  # of a move's message for a page
LONG = "Wilhelmina-Alexandra Montgomer"  # as long as a name can be
LARGEST = (7, 9)  # rows and columns: a board has at most 63 cells


def moves_sizes(game: str, board: str | None, seed: int) -> list[int]:
    """The bytes that each move of a game takes for the page that has to read most.

    With everything that makes it long: names, a clock, a match, a challenge wherever one is
    possible.
    """
    asked = {"game": game, "opponent": "same-screen", "name": LONG, "seed": seed, "best_of": 3}
    asked |= {"clock": {"minutes": 10, "increment": 5}} | ({"board": board} if board else {})
    session = EventSourcedGame(*dealt_game(asked, "ann", 60))
    session.seats[1] = replace(session.seats[1], token="bob", name=LONG[::-1])  # noqa: S106
    rng, snapshot = random.Random(seed), Snapshot(session)
    sizes: list[int] = []
    while not session.match.outcome:
        legal = session.match.legal_moves
        move = rng.choice([each for each in legal if each.endswith("!")] or legal)
        event = commands.move(session, (session.match.turn,), move)
        session.apply(JournalEntry(session.version + 1, event, None, 9.5 * len(sizes)))
        snapshot = Snapshot(session, snapshot)
        texts = [snapshot.change(you, picture=True) for you in ((1,), (2,), ())]
        sizes.append(max(len(text.encode()) for text in texts))
    return sizes


@pytest.mark.parametrize("size", ["usual", "largest"])
@pytest.mark.parametrize("game", GAMES)
def test_every_move_of_a_game_is_under_2_kb(game: str, size: str) -> None:
    """From the first move to the last, also on the largest boards that the server takes."""
    rules, dealt = game_named(game), Stream(f"sizes {game}")
    for seed in range(sample(4, long=8)):
        large = size == "largest" and not rules.fixed
        board = rules.board_text(rules.deal(dealt, *LARGEST)) if large else None
        assert max(moves_sizes(game, board, seed), default=0) < MOST_BYTES
