"""A hint without an engine: try each move in many random games and see which does best."""

from __future__ import annotations

import random
from typing import NamedTuple

from gridwise.core.bits import members
from gridwise.core.game import Position
from gridwise.core.playout import play_out

GAMES = 1500  # in all, shared among the moves: a quarter of a second


class Hint(NamedTuple):
    """A move and how often it won; a draw or an endless game counts half."""

    move: str
    share: float


def hint(position: Position) -> Hint:
    """The move that does best when both sides then play at random.

    Cells nobody has seen are dealt afresh for each trial. The same position gets the same hint.
    """
    game, board, state = position.game, position.board, position.state
    rng = random.Random(f"gridwise hint {game.board_text(board)} {tuple(state)}")
    actions = members(position.legal)
    points = dict.fromkeys(actions, 0.0)
    trials = max(20, GAMES // len(actions))
    for _ in range(trials):
        trial = game.deal_unknown(board, rng)
        for action in actions:
            after = game.rules.play(trial, state, action)
            last, _ = play_out(game, trial, after, rng.random)
            winner = game.rules.winner(trial, last)
            points[action] += 1.0 if winner == state.turn else 0.5 if winner in (0, 3) else 0.0
    best = max(actions, key=lambda action: points[action])
    return Hint(game.words.action_name(board, state, best), points[best] / trials)
