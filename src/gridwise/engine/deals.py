"""Dealing boards for people and for programs.

*Uniform* is what the games' texts describe. *Fair* leaves out boards that are no fun: nobody may be
able to lose before having moved, and when both sides play at random, each must win at least
`MIN_SHARE` of the games.
"""

from __future__ import annotations

from functools import partial

from gridwise.core.bits import bit_indices, random_bit
from gridwise.core.board import Board
from gridwise.core.contracts import Rules, State
from gridwise.core.game import Game
from gridwise.core.outcome import MAX_PLIES
from gridwise.core.registry import games
from gridwise.core.rng import Rng
from gridwise.errors import BadRequest, quoted

KINDS = ("fair", "uniform")
RANDOM_GAMES = 100  # on each board
MIN_SHARE = 0.25
MAX_DEALS = 400


def deal(
    game: Game,
    rng: Rng,
    kind: str = "uniform",
    *,
    rows: int = 0,
    cols: int = 0,
    target: int | None = None,
) -> Board:
    """A board of the kind asked for."""
    if kind not in KINDS:
        raise BadRequest(f"Boards are dealt {' or '.join(KINDS)}, not {quoted(kind)}.")
    draw = partial(game.deal, rng, rows, cols, target)
    # Where cells are face down, choosing among boards would say something about them, and where
    # there is only one board there is nothing to choose.
    if kind == "uniform" or game.has_hidden_cells or game.fixed:
        return draw()
    best, best_share = draw(), -1.0
    for _ in range(MAX_DEALS):
        board = draw()
        share = smaller_share(game, board, rng)
        if share >= MIN_SHARE:
            return board
        if share > best_share:
            best, best_share = board, share
    return best  # very small boards have no fair deal; this is the fairest that came up


def smaller_share(game: Game, board: Board, rng: Rng) -> float:
    """How often the unluckier side wins when both play at random; -1 if one may never move."""
    rules = game.rules
    opening = rules.start(board, 1)
    replies = [
        rules.play(board, opening, action) for action in bit_indices(rules.moves(board, opening))
    ]
    if not replies or not all(rules.moves(board, reply) for reply in replies):
        return -1.0
    wins = [0, 0, 0, 0]
    for _ in range(RANDOM_GAMES):
        wins[_random_game(rules, board, opening, rng)] += 1
    return min(wins[1], wins[2]) / RANDOM_GAMES


def _random_game(rules: Rules, board: Board, state: State, rng: Rng) -> int:
    """The winner when both sides play at random; 0 if nobody has won after MAX_PLIES."""
    for _ in range(MAX_PLIES):
        legal = rules.moves(board, state)
        if not legal:
            break
        state = rules.play(board, state, random_bit(legal, rng.random))
    return rules.winner(board, state)


def with_handicap(game: Game, board: Board) -> Board:
    """The board with the game's handicap; raises BadRequest if it has none."""
    if game.handicap is None:
        known = ", ".join(each.key for each in games() if each.handicap)
        raise BadRequest(f"{game.title} has no handicap. The games that have one: {known}.")
    return game.check_board(game.handicap.even(board))
