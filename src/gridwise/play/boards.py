"""The boards that programs play on: always the same ones, or deals of one size.

`play_on` is how a game goes on from there where only programs play.

One seed, one deal: `Stream(seed)` deals the cells in order and then tosses the coin, just as
`Match(game, seed=seed)` does, so the first deal of a seed is the board of that Match. Where that
game is over before the first move, the next deal of the same stream is taken: one board in four of
Number Maze has nothing to decide, and no framework has a place for a game without a move.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.outcome import MAX_DEALS, MAX_PLIES, illegal_move, unfinished
from gridwise.core.position import Position, start
from gridwise.core.rng import Stream
from gridwise.engine.deals import deal
from gridwise.errors import BadBoard, BadRequest, quoted
from gridwise.play.match import first_player

Size: TypeAlias = "int | str | tuple[int, int] | None"


class DealtGame(NamedTuple):
    """A game about to begin."""

    true_board: Board  # face-down cells included: never for a player
    position: Position


class BoardSource(NamedTuple):
    """Boards of one size, target and handicap; their cells that are 0 are dealt for each game."""

    game: Game
    templates: tuple[Board, ...]
    fair: bool = False  # whether deals are left out that are no fun

    @property
    def board(self) -> Board:
        """One of them: what is the same for all can be read from it."""
        return self.templates[0]

    def deal(self, stream: Stream, first: int | None = None) -> DealtGame:
        """The next game of a stream: the board, the cells in order, then the toss."""
        template = self.board
        if len(self.templates) > 1:
            template = self.templates[stream.below(len(self.templates))]
        if self.fair:
            rows, cols, target = template.rows, template.cols, template.target
            dealt = deal(self.game, stream, "fair", rows=rows, cols=cols, target=target)
            board = replace(dealt, handicap=template.handicap)
        else:
            board = self.game.deal_unknown(template, stream)
        return DealtGame(board, start(self.game, board, first_player(self.game, first, stream)))

    def deal_playable(self, stream: Stream, first: int | None = None) -> DealtGame:
        """The next game in which somebody has a move; raises BadBoard if there is none."""
        is_dealt = self.fair or len(self.templates) > 1 or self.board.unknown
        for _ in range(MAX_DEALS if is_dealt else 1):
            dealt = self.deal(stream, first)
            if not dealt.position.outcome:
                return dealt
        where = (
            f", {MAX_DEALS} deals in a row. Try another board or size"
            if is_dealt
            else f" on the board {self.game.board_text(self.board)}"
        )
        raise BadBoard(f"{self.game.title} is over before the first move{where}.")


def board_source(game: Game, board: Board | str | None = None, size: Size = None) -> BoardSource:
    """The boards that options ask for: always the same one, or uniform deals."""
    return BoardSource(game, (board_template(game, board, size),))


def board_template(game: Game, board: Board | str | None = None, size: Size = None) -> Board:
    """The board that every game starts from; its cells that are 0 are dealt anew for each."""
    if board is not None:
        if size is not None:
            raise BadRequest("Give a board or a size, not both: a board has a size of its own.")
        return game.parse_board(board) if isinstance(board, str) else game.check_board(board)
    rows, cols = (game.rows, game.cols) if size is None else read_size(size)
    dealt = game.check_board(game.deal(Stream(0), rows, cols))
    return dealt if game.fixed else dealt.without(dealt.full)


def read_size(size: Size) -> tuple[int, int]:
    """Rows and columns of a size such as 5, "5x5" or (5, 5); raises BadRequest."""
    text = f"{size}x{size}" if isinstance(size, int) else str(size).strip("()[]")
    match = re.fullmatch(r"\s*(\d{1,3})\s*[xX*,]\s*(\d{1,3})\s*", text)
    if not match or not int(match[1]) * int(match[2]):
        raise BadRequest(f"A size is rows by columns, like 5x5, not {quoted(str(size))}.")
    return int(match[1]), int(match[2])


def play_on(
    position: Position, action: int, true_board: Board, max_plies: int | None = None
) -> Position:
    """The position after an action; an illegal one loses.

    A game is stopped after `max_plies`; unless that is given, only games that can go on for ever.
    """
    if not position.is_legal(action):
        return position.ended(illegal_move(position.turn), true_board)
    after = position.play(action, true_board)
    if max_plies is None:
        max_plies = MAX_PLIES if position.game.cyclic else 0
    if max_plies and not after.outcome and len(after.history) >= max_plies:
        return after.ended(unfinished(max_plies))
    return after
