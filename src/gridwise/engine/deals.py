"""Dealing boards for people and for programs.

*Uniform* is what the games' texts describe. *Fair* leaves out boards that are not worth sitting
down to: nobody may be able to lose before having moved, and when both sides play at random, each
must win at least `LEAST_SHARE` of the games.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from gridwise.core.bits import members
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.playout import play_out
from gridwise.errors import BadRequest, quoted

TRIALS = 100
LEAST_SHARE = 0.25
TRIES = 400


def deal(
    game: Game,
    rng: random.Random,
    kind: str = "uniform",
    *,
    rows: int = 0,
    cols: int = 0,
    target: int | None = None,
) -> Board:
    """A board of the kind asked for."""
    if kind not in DEALERS:
        known = " or ".join(DEALERS)
        raise BadRequest(f"Boards are dealt {known}, not {quoted(kind)}.")
    return DEALERS[kind](game, lambda: game.deal(rng, rows, cols, target), rng)


def _uniform(_game: Game, draw: Callable[[], Board], _rng: random.Random) -> Board:
    return draw()


def _fair(game: Game, draw: Callable[[], Board], rng: random.Random) -> Board:
    # Where cells are face down, choosing among boards would tell something about them, and
    # where there is only one board there is nothing to choose.
    if game.hides or game.fixed:
        return draw()
    best, best_share = draw(), -1.0
    for _ in range(TRIES):
        board = draw()
        share = smaller_share(game, board, rng)
        if share >= LEAST_SHARE:
            return board
        if share > best_share:
            best, best_share = board, share
    return best  # very small boards have no fair deal; this is the fairest that came up


def smaller_share(game: Game, board: Board, rng: random.Random) -> float:
    """How often the unluckier side wins when both play at random; -1 if one may never move."""
    rules = game.rules
    opening = rules.start(board, 1)
    replies = [
        rules.play(board, opening, action) for action in members(rules.moves(board, opening))
    ]
    if not replies or not all(rules.moves(board, reply) for reply in replies):
        return -1.0
    wins = [0, 0, 0, 0]
    for _ in range(TRIALS):
        last, _ = play_out(game, board, opening, rng.random)
        wins[rules.winner(board, last)] += 1
    return min(wins[1], wins[2]) / TRIALS


DEALERS: dict[str, Callable[[Game, Callable[[], Board], random.Random], Board]] = {
    "fair": _fair,
    "uniform": _uniform,
}
