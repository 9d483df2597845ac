"""Balance: who wins from the start, and what makes a game one on even terms.

What is known of a game is `balance.toml` in its folder: shares with perfect play and between casual
bots, by deal, size and start. Where nothing is known nothing is said.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.narration import NEUTRAL, Names, PlayerName
from gridwise.engine.deals import with_handicap
from gridwise.errors import BadBoard

Shares = tuple[int, int]  # of 100 games, those that each side wins

ABOUT_EVEN = 4 / 5  # the smaller share is at least so much of the larger
BEGINS: Names = (
    PlayerName("Whoever begins", "whoever begins"),
    PlayerName("The other", "the other"),
)


class Balance(NamedTuple):
    """Who wins from a start, as far as that is known."""

    perfect: Shares | None = None
    casual: Shares | None = None
    by_turn: bool = False  # whether the shares are of whoever begins and of the other
    deals: tuple[str, ...] = ()  # kinds of boards that it is true of; of any board, if none
    sizes: tuple[str, ...] = ()  # the usual one, if none
    even_start: bool = False  # whether it is the start with the game's handicap

    def perfect_line(self, names: Names = NEUTRAL) -> str:
        """Who wins with perfect play, in a sentence."""
        if self.perfect is None:
            return ""
        ahead, share, behind, less = _ahead(self.perfect, BEGINS if self.by_turn else names)
        if not share:
            return "Neither side can force a win."
        if share == 100:
            return f"{ahead.subject} can always win with perfect play."
        if self.by_turn:
            return f"{ahead.subject} wins {share} % between equally good players."
        if less >= ABOUT_EVEN * share:
            return "With perfect play it is about even."
        return (
            f"With perfect play {ahead.object} wins {share} % of the boards, "
            f"{behind.object} {less} %."
        )

    def casual_line(self, names: Names = NEUTRAL) -> str:
        """How far casual play decides it, in a sentence."""
        if self.casual is None or self.casual == self.perfect:
            return ""
        ahead, share, _, less = _ahead(self.casual, BEGINS if self.by_turn else names)
        if less >= ABOUT_EVEN * share:
            return "Casual play is about even."
        return f"Between casual players {ahead.object} wins {share} %."

    @property
    def is_certain(self) -> bool:
        """Whether it says the same of every board, and not how many are won."""
        return self.by_turn or (self.perfect is not None and max(self.perfect) in (0, 100))

    def is_harder(self, side: int, first: int = 1) -> bool:
        """Whether perfect play wins for the other side at least twice as often."""
        if self.perfect is None:
            return False
        mine, other = self.perfect if side == (first if self.by_turn else 1) else self.perfect[::-1]
        return 2 * mine <= other > 0


def _ahead(shares: Shares, names: Names) -> tuple[PlayerName, int, PlayerName, int]:
    """The side that wins more and how often, and the other."""
    place = int(shares[1] > shares[0])
    return names[place], max(shares), names[1 - place], min(shares)


def is_even(shares: Shares | None) -> bool:
    """Whether neither side wins much more often."""
    return shares is not None and 2 * min(shares) > max(shares)


@cache
def balances(game: Game) -> tuple[Balance, ...]:
    """All that is known of a game."""
    import tomllib  # noqa: PLC0415 - only where a game is set up

    starts: list[dict[str, Any]] = tomllib.loads(game.file("balance.toml")).get("starts", [])
    lists = ({name: _fixed(value) for name, value in each.items()} for each in starts)
    return tuple(Balance(**each) for each in lists)


def _fixed(value: Any) -> Any:  # noqa: ANN401 - a value of TOML
    return tuple(value) if isinstance(value, list) else value


def balance(game: Game, board: Board, deal: str) -> Balance | None:
    """What is known of a board that was dealt so; a board that somebody typed has no deal."""
    usual_target = board.target == game.target
    size, even_start = f"{board.rows}x{board.cols}", is_even_start(game, board)
    for each in balances(game):
        sizes = each.sizes or (f"{game.rows}x{game.cols}",)
        fits = size in sizes and (not each.deals or deal in each.deals)
        if fits and usual_target and each.even_start == even_start:
            return each
    return None


def is_even_start(game: Game, board: Board) -> bool:
    """Whether a board is one that the game's handicap has made even."""
    if not game.handicap:
        return False
    before = (
        replace(board, handicap=0)
        if board.handicap
        else game.default_board()
        if game.fixed
        else None
    )
    try:
        return before is not None and with_handicap(game, before) == board
    except BadBoard:
        return False


class EvenTerms(StrEnum):
    """What makes a game one in which neither player has the better side."""

    EVEN_BOARD = "even board"
    EVEN_START = "even start"
    COIN_TOSS = "coin toss"  # chance decides who has it
    BOTH_SIDES = "both sides"  # each player has it once
    HARDER_SIDE = "harder side"  # of a person, who won it all the same


def even_terms(
    game: Game, board: Board, deal: str, side: int, first: int, *, tossed: bool
) -> EvenTerms | None:
    """What makes a single game on a board that was dealt one on even terms, for a person's side.

    Nothing where it is not known who is better off, as with other sizes and targets: to 1 point
    whoever begins wins, and on a board of two cells nobody has to play well.
    """
    known = balance(game, board, deal)
    if known is None:
        return None
    chosen = deal == "even" and not (game.handicap or game.fixed or game.has_hidden_cells)
    grounds = {
        EvenTerms.EVEN_BOARD: chosen,
        EvenTerms.EVEN_START: known.even_start,
        EvenTerms.COIN_TOSS: game.coin_toss and tossed,
        EvenTerms.HARDER_SIDE: known.is_harder(side, first),
    }
    return next((terms for terms, holds in grounds.items() if holds), None)


def outlook(
    game: Game, board: Board, deal: str, names: Names = NEUTRAL, *, tossed: bool = True
) -> list[str]:
    """What is said before the first move about who is better off, in sentences."""
    known = balance(game, board, deal)
    lines = [known.perfect_line(names), known.casual_line(names)] if known else []
    if game.handicap and (board.handicap or is_even_start(game, board)):
        lines = [game.handicap.about(board, names)]
    if game.coin_toss and tossed:
        lines.append("A coin decides who that is." if known and known.by_turn else "")
    return list(filter(None, lines))
