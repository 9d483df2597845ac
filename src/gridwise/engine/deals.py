"""Dealing boards for people and for programs.

*Uniform* is what the games' texts describe. *Fair* leaves out boards that are no fun: nobody may be
able to lose before having moved, and when both sides play at random, each must win at least
`MIN_FAIR_WINS` of RANDOM_GAMES. *Even* is for people: neither side can force a win within
`SAFE_PLIES`, and between two casual bots each side wins at least `EVEN_SHARE` of the games, so that
the result hangs on how it is played. No kind looks at a clock: the same numbers deal the same board
anywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.outcome import MAX_PLIES
from gridwise.core.position import start as start_position
from gridwise.core.registry import games
from gridwise.core.rng import Rng
from gridwise.engine.bots import CASUAL, HeuristicBot
from gridwise.engine.compiled.bitmasks import lowest_bit, random_member
from gridwise.engine.compiled.kernels import interpreted
from gridwise.engine.compiled.specialize import Grid, Ints, moves, play, start, winner
from gridwise.engine.evaluation import Limits, evaluate
from gridwise.errors import BadRequest, quoted

# Environments deal one game at a time or, compiled, a batch: both the same, with these.
OPPONENT_SEEDS = 1 << 31  # seeds of opponents are below this
# `seed ^ SIDE_SEEDS` is for the stream of random sides: they must not change what the seed deals.
SIDE_SEEDS = 1 << 63
NO_TURN = (
    "On this board the game is over before the agent has had a turn, {tries} deals in a row. "
    "Try another board, size or side."
)

KINDS = ("even", "fair", "uniform")

RANDOM_GAMES = 100  # on each board
MIN_FAIR_WINS = 25  # of them, for each side
MAX_FAIR_DEALS = 400

SAFE_PLIES = 6  # three moves of each side
SEARCH_NODES = 20_000  # enough for any standard board; where it is not, no win is near
CASUAL_GAMES = 100  # on each board that gets so far
EVEN_SHARE = 0.3
# After each 25 games a board must be on the way there, or the next one is tried.
CHECKED_GAMES = 25
CHECKED_SHARE = 0.24
MAX_CASUAL_GAMES = 1_500  # for one deal: some two seconds; then the best one so far is taken


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
        raise BadRequest(f"Boards are dealt even, fair or uniform, not {quoted(kind)}.")
    draw = partial(game.deal, rng, rows, cols, target)
    # Where cells are face down, choosing among boards would say something about them, and where
    # there is only one board there is nothing to choose.
    only_one = game.fixed or game.rules.LOW == game.rules.HIGH
    if kind == "uniform" or game.has_hidden_cells or only_one:
        return draw()
    board = _deal_even(game, rng, draw) if kind == "even" else None
    return board or _deal_fair(game, rng, draw)


def _deal_fair(game: Game, rng: Rng, draw: Callable[[], Board]) -> Board:
    best, most_wins = draw(), -1
    for _ in range(MAX_FAIR_DEALS):
        board = draw()
        wins = interpreted(game, fewer_wins)(board, rng)
        if wins >= MIN_FAIR_WINS:
            return board
        if wins > most_wins:
            best, most_wins = board, wins
    return best  # very small boards have no fair deal; this is the fairest that came up


def _deal_even(game: Game, rng: Rng, draw: Callable[[], Board]) -> Board | None:
    """An even board, or the most even that came up; None if somebody wins soon on all of them."""
    best, best_share, played = None, -1.0, 0
    for _ in range(MAX_FAIR_DEALS):
        board = draw()
        if not is_safe(game, board):
            continue
        share, games_played = casual_share(game, board, rng)
        if share >= EVEN_SHARE and games_played == CASUAL_GAMES:
            return board
        if share > best_share:
            best, best_share = board, share
        played += games_played
        if played >= MAX_CASUAL_GAMES:
            break
    return best


def is_safe(game: Game, board: Board) -> bool:
    """Whether neither side can force a win within SAFE_PLIES."""
    position = start_position(game, board)
    if position.outcome:
        return False
    evaluation = evaluate(position, Limits(depth=SAFE_PLIES, nodes=SEARCH_NODES))
    return evaluation.value not in ("win", "loss") or (evaluation.distance or 0) > SAFE_PLIES


def casual_share(game: Game, board: Board, rng: Rng) -> tuple[float, int]:
    """How often the unluckier side wins between two casual bots, and in how many games.

    It is given up after CHECKED_GAMES, or twice or three times as many, if it is too seldom.
    """
    casual = HeuristicBot("bot:casual", CASUAL, rng)
    wins = [0, 0, 0, 0]
    for number in range(1, CASUAL_GAMES + 1):
        wins[_casual_game(game, board, casual)] += 1
        share = min(wins[1], wins[2]) / number
        if not number % CHECKED_GAMES and share < CHECKED_SHARE:
            break
    return share, number


def _casual_game(game: Game, board: Board, casual: HeuristicBot) -> int:
    """The winner when a casual bot plays both sides; 0 if nobody has won after MAX_PLIES."""
    position = start_position(game, board)
    while not position.outcome and len(position.history) < MAX_PLIES:
        position = position.play(casual.choose(position))
    return position.outcome.winner if position.outcome else 0


def fewer_wins(board: Grid, rng: Ints) -> int:
    """A kernel: how many of RANDOM_GAMES the unluckier side wins; -1 if one may never move."""
    opening = start(board, 1)
    legal = moves(board, opening)
    if not legal:
        return -1
    while legal:
        if not moves(board, play(board, opening, lowest_bit(legal))):
            return -1
        legal &= legal - 1
    wins, others = 0, 0
    for _ in range(RANDOM_GAMES):
        state = opening
        for _ply in range(MAX_PLIES):
            legal = moves(board, state)
            if not legal:
                break
            state = play(board, state, random_member(legal, rng))
        won = winner(board, state)
        wins += won == 1
        others += won == 2
    return min(wins, others)


def with_handicap(game: Game, board: Board) -> Board:
    """The board with the game's handicap; raises BadRequest if it has none."""
    if game.handicap is None:
        known = ", ".join(other.key for other in games() if other.handicap)
        raise BadRequest(f"{game.title} has no handicap. The games that have one: {known}.")
    return game.check_board(game.handicap.even(board))
