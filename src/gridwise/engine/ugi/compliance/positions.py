"""Positions to ask an engine about: the start, the midst and each kind of end of a game.

They come from games of random moves on fixed deals, the same every time, so that two runs of the
checks ask the same.
"""

from __future__ import annotations

import random
from functools import lru_cache

from gridwise.core.bits import random_bit
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.outcome import MAX_PLIES, unfinished
from gridwise.core.position import Position, start
from gridwise.core.rng import Stream

GAMES = 200  # that are played to find a win of each side and a draw
MIDGAMES = 3


@lru_cache(maxsize=16)
def sample_positions(game: Game) -> tuple[Position, ...]:
    """Some positions after the first move, an end of each kind, and a game that was stopped."""
    midst: list[Position] = []
    ends: dict[int, Position] = {}
    for seed in range(GAMES):
        course = _random_game(game, seed)
        last = course[-1]
        if last.outcome and last.outcome.winner:
            ends.setdefault(last.outcome.winner, last)
        if len(midst) < MIDGAMES and len(course) > 2:
            midst.append(course[1 + seed % (len(course) - 2)])
        if len(ends) == 3 and len(midst) == MIDGAMES:
            break
    stopped = _stopped_game(game)
    return (*midst, *ends.values(), *stopped)


def _random_game(game: Game, seed: int) -> list[Position]:
    board = game.deal(Stream(seed))
    course = [start(game, board, 1)]
    rng = random.Random(seed)
    while not course[-1].outcome and len(course) < MAX_PLIES:
        action = random_bit(course[-1].legal_mask, rng.random)
        course.append(course[-1].play(action, board))
    return course


def _stopped_game(game: Game) -> list[Position]:
    """A game of MAX_PLIES plies, if the game can go on for ever: then it is over."""
    if not game.cyclic:
        return []
    for seed in range(GAMES):
        board = game.deal(Stream(seed))
        position = _walked(start(game, board, 1), board, random.Random(seed))
        if position:
            return [position.ended(unfinished(MAX_PLIES))]
    return []


def _walked(position: Position, board: Board, rng: random.Random) -> Position | None:
    """The position after MAX_PLIES plies of moves that end nothing; None if there is no way."""
    for _ in range(MAX_PLIES):
        after = [position.play(action, board) for action in position.legal]
        going = [each for each in after if not each.outcome]
        if not going:
            return None
        position = going[int(rng.random() * len(going))]
    return position
