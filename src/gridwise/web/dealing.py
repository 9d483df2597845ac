"""Dealing: a wish for a game made into a deal and two seats. For a worker thread: fair takes time.

The same seed deals the same board, and tosses the same coin, as `gridwise play --seed`.
"""

from __future__ import annotations

import random
import secrets
import time
from dataclasses import replace

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.registry import game as game_of
from gridwise.core.registry import games
from gridwise.engine.bots import LEVELS
from gridwise.engine.deals import deal as deal_board
from gridwise.errors import BadRequest, quoted
from gridwise.play.match import who_is_first
from gridwise.web.kept import BOT, HUMAN, OPEN, Deal, Seat, new_id
from gridwise.web.messages import NewGame


def new_game(wish: NewGame, token: str, plies: int) -> tuple[Deal, tuple[Seat, Seat]]:
    """A deal and who sits where; raises GridwiseError for what cannot be played."""
    game = game_of(wish.game)
    kind = _kind(wish)
    if wish.opponent == "bot" and wish.level not in LEVELS:
        levels = ", ".join(LEVELS)
        raise BadRequest(f"There is no bot {quoted(wish.level)}. The levels are {levels}.")
    if game.hides and wish.opponent == "link" and wish.seed is not None:
        raise BadRequest(
            f"Whoever chooses the seed can work out what is face down in {game.title}. "
            "Against a friend, leave it out."
        )
    seed = _drawn() if wish.seed is None else str(wish.seed)
    if wish.board is None:
        board = deal_board(game, random.Random(f"{seed} board 1"), kind, target=wish.target)
    else:
        board = game.parse_board(wish.board, wish.target)
    if wish.handicap:
        board = _evened(game, board)
    deal = _dealt(game, board, kind, seed, wish.first, plies)
    return replace(deal, listed=wish.listed), _seats(wish, token)


def rematch(old: Deal, seats: list[Seat]) -> tuple[Deal, tuple[Seat, Seat]]:
    """The same again with sides swapped; a new board, unless it was chosen or is the only one."""
    game = game_of(old.game)
    seed = _drawn()
    target = old.target if game.target else None
    if (old.deal == "own" and not game.hides) or game.fixed:
        board = game.parse_board(old.board, target, old.handicap)
    else:
        kind = "fair" if old.deal == "own" else old.deal
        board = deal_board(game, random.Random(f"{seed} board 1"), kind, target=target)
        if old.handicap:
            board = _evened(game, board)
    deal = _dealt(game, board, old.deal, seed, None, old.cap or 0)
    one, two = seats
    swapped = (replace(two, number=1), replace(one, number=2))
    return replace(deal, listed=old.listed, rematch_of=old.id), swapped


def _kind(wish: NewGame) -> str:
    if wish.board is None:
        if wish.deal == "own":
            raise BadRequest('For a board of your own, send it as "board".')
        return wish.deal or "fair"
    if wish.deal not in (None, "own"):
        raise BadRequest(f'There is a "board" already; it cannot be dealt {wish.deal}.')
    return "own"


def _evened(game: Game, board: Board) -> Board:
    if game.handicap is None:
        known = ", ".join(each.key for each in games() if each.handicap)
        raise BadRequest(f"{game.title} has no handicap. Those that have one are {known}.")
    return game.check_board(game.handicap.even(board))


def _dealt(game: Game, board: Board, kind: str, seed: str, first: int | None, plies: int) -> Deal:
    rng = random.Random(f"gridwise deal {seed} match 1")
    board = game.deal_unknown(board, rng)
    return Deal(
        id=new_id(),
        game=game.key,
        board=game.board_text(board),
        target=board.target,
        handicap=board.handicap,
        first=who_is_first(game, first, rng),
        deal=kind,
        seed=seed,
        cap=plies if game.cyclic else None,
        listed=False,
        created=time.time(),
    )


def _seats(wish: NewGame, token: str) -> tuple[Seat, Seat]:
    side = 1 + secrets.randbelow(2) if wish.side == "random" else wish.side
    mine = Seat(side, HUMAN, wish.name, "", token)
    other = {
        "link": Seat(3 - side, OPEN),
        "same-screen": Seat(3 - side, HUMAN, "", "", token),
        "bot": Seat(3 - side, BOT, "", wish.level),
    }[wish.opponent]
    return (mine, other) if side == 1 else (other, mine)


def _drawn() -> str:
    """A seed nobody has chosen, and nobody can guess."""
    return str(secrets.randbits(64))
