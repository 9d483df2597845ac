"""The board an environment plays on, as its options say it: one board, or a size to deal."""

from __future__ import annotations

import re
from typing import Protocol, TypeAlias

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.errors import BadRequest, quoted

Size: TypeAlias = "int | str | tuple[int, int] | None"


class Lots(Protocol):
    """Anything random numbers come from: `random.Random`, a numpy generator, a stream."""

    def random(self) -> float:
        """A number from 0 up to 1."""


class Zero:
    """Lots that always fall on the least."""

    def random(self) -> float:
        """The least number."""
        return 0.0


def blank(game: Game, board: Board | str | None, size: Size) -> Board:
    """The board that every game starts from: its cells that are 0 are dealt afresh each time."""
    if board is not None:
        if size is not None:
            raise BadRequest("Give a board or a size, not both: a board has a size of its own.")
        return game.parse_board(board) if isinstance(board, str) else game.check_board(board)
    rows, cols = (game.rows, game.cols) if size is None else _read(size)
    dealt = game.deal(Zero(), rows, cols)  # type: ignore[arg-type] # it asks for `random()` alone
    game.check_board(dealt)
    return dealt if game.fixed else dealt.without(dealt.full)


def _read(size: Size) -> tuple[int, int]:
    text = f"{size}x{size}" if isinstance(size, int) else str(size).strip("()[]")
    found = re.fullmatch(r"\s*(\d{1,2})\s*[xX,]\s*(\d{1,2})\s*", text)
    if not found or not int(found[1]) * int(found[2]):
        raise BadRequest(f"A size is rows by columns, like 5x5, not {quoted(str(size))}.")
    return int(found[1]), int(found[2])


def deal(game: Game, board: Board, lots: Lots) -> Board:
    """The board with each cell dealt that is not known."""
    return game.deal_unknown(board, lots)  # type: ignore[arg-type] # it asks for `random()` alone
