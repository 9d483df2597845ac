"""Variant: a game with some of its numbers changed: size, target, values, head start, obstacles.

It travels to workers, and its key names their results: two variants with the same key are the same.
`changed` reads changes as people write them: `target=13` or `size=5x5,values=1-6`.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.outcome import MAX_DEALS
from gridwise.core.position import start
from gridwise.core.registry import game as game_named
from gridwise.core.rng import Stream, mix
from gridwise.errors import BadBoard, BadRequest, quoted
from gridwise.play.boards import board_template, read_size

Cells = npt.NDArray[np.int64]  # a row for each board

CHANGES = ("size", "target", "values", "handicap", "obstacles")


@dataclass(frozen=True)
class Variant:
    """A game and how it is changed; None and "" are as the game has it."""

    game: str
    rows: int
    cols: int
    target: int
    low: int  # dealt numbers, from `low` to `high`
    high: int
    handicap: int = 0
    obstacles: int | None = None  # so many on each board, at random
    board: str = ""  # always this board

    @classmethod
    def standard(cls, game: Game) -> Variant:
        """The game as it is."""
        rules = game.rules
        return cls(game.key, game.rows, game.cols, game.target, rules.LOW, rules.HIGH)

    def __getstate__(self) -> dict[str, Any]:
        """What a worker is sent: nothing that was computed."""
        return asdict(self)

    def to_json(self) -> dict[str, Any]:
        """The variant as JSON."""
        return asdict(self)

    @cached_property
    def played(self) -> Game:
        """The game."""
        return game_named(self.game)

    @cached_property
    def name(self) -> str:
        """What is different, in a few words."""
        game = self.played
        parts = []
        if self.board:
            parts.append(f"board {self.board}")
        elif (self.rows, self.cols) != (game.rows, game.cols):
            parts.append(f"{self.rows}x{self.cols}")
        if self.target != game.target:
            parts.append(f"target {self.target}")
        if (self.low, self.high) != (game.rules.LOW, game.rules.HIGH):
            parts.append(f"values {self.low}-{self.high}")
        if self.handicap:
            parts.append(f"handicap {self.handicap}")
        if self.obstacles is not None:
            parts.append(f"{self.obstacles} obstacle{'s' * (self.obstacles != 1)}")
        return ", ".join(parts) or "standard"

    @cached_property
    def key(self) -> str:
        """The beginning of the names of its result files."""
        parts = [
            f"{self.rows}x{self.cols}-v{self.low}-{self.high}",
            f"t{self.target}" if self.target else "",
            f"h{self.handicap}" if self.handicap else "",
            "" if self.obstacles is None else f"o{self.obstacles}",
            f"b{self.board.replace('/', '_').replace('.', '-')}" if self.board else "",
        ]
        return "-".join(filter(None, parts))

    @property
    def is_dealt(self) -> bool:
        """Whether boards differ from each other."""
        one_number = self.low == self.high and not self.played.has_hidden_cells
        return self.obstacles is not None or not (self.board or self.played.fixed or one_number)

    @cached_property
    def template(self) -> Board:
        """A board of this variant; which values its cells have does not matter if it is dealt."""
        game = self.played
        if self.board:
            board = game.parse_board(self.board, self.target)
        else:
            board = board_template(game, (self.rows, self.cols))
            board = replace(board, target=self.target)
            if not (game.fixed or game.has_hidden_cells):
                board = board.with_cells([self.low] * board.size)
        if self.handicap and game.handicap:
            points = game.handicap.IN_POINTS
            board = replace(board, handicap=self.handicap) if points else game.handicap.even(board)
        return game.check_board(board)

    def deal(self, count: int, seed: str) -> Cells:
        """Boards, a row for each; the same seed gives the same."""
        board = self.template
        if not self.is_dealt:
            return np.tile(np.array(board.cells, np.int64), (count, 1))
        if self.obstacles is not None:
            stream = Stream(seed)
            return np.array([self._with_obstacles(stream) for _ in range(count)], np.int64)
        from gridwise.engine.batch_kernels import deal_boards  # noqa: PLC0415 - imports numba
        from gridwise.engine.compiled.kernels import kernel  # noqa: PLC0415 - as the next

        cells = np.zeros((count, board.size), np.int64)
        source = np.array([mix(Stream(seed).bits())], np.uint64).view(np.int64)
        kernel(self.played, deal_boards)(cells, source, self.low, self.high - self.low + 1)
        return cells

    def _with_obstacles(self, stream: Stream) -> list[int]:
        board, game = self.template, self.played
        clear, blocked = _obstacle_values(game)
        free = sum(1 << cell for cell in range(board.size) if cell not in board.starts)
        for _ in range(MAX_DEALS):
            cells, left = [clear] * board.size, free
            for _ in range(self.obstacles or 0):
                cell = stream.draw(left)
                cells[cell] = blocked
                left &= ~(1 << cell)
            if not game.text.board_problem(board.with_cells(cells)):
                return cells
        raise BadRequest(f"{self.obstacles} obstacles do not fit on {self.rows}x{self.cols}.")


def _obstacle_values(game: Game) -> tuple[int, int]:
    """The values of an open cell and of an obstacle; raises BadRequest if a game has none."""
    if game.fixed:
        shown = start(game, game.parse_board(game.fixed), 1).view.cells
        values = game.parse_board(game.fixed).cells
        blocked = {value for value, cell in zip(values, shown, strict=True) if cell.blocked}
        if len(blocked) == 1 and len(set(values)) > 1:
            return min(set(values) - blocked), blocked.pop()
    raise BadRequest(f"{game.title} has no obstacles.")


def changed(variant: Variant, changes: str) -> Variant:
    """A variant with changes such as `size=5x5,target=20`; raises BadRequest or BadBoard."""
    for change in changes.split(","):
        name, equals, text = (part.strip() for part in change.partition("="))
        if not equals or name not in CHANGES:
            raise BadRequest(
                f"A variant is written like target=13 or size=5x5,values=1-6, not "
                f"{quoted(changes)}. What can be changed: {', '.join(CHANGES)}."
            )
        if name == "size":
            if variant.board:
                raise BadRequest("Give a board or a size, not both: a board has a size of its own.")
            rows, cols = read_size(text)
            variant = replace(variant, rows=rows, cols=cols)
        elif name == "values":
            low, dash, high = text.partition("-")
            if not dash:
                raise BadRequest(f"Values are written LOW-HIGH, like 1-6, not {quoted(text)}.")
            low_value, high_value = _whole("lowest value", low), _whole("highest value", high)
            variant = replace(variant, low=low_value, high=high_value)
        else:
            if name == "target" and not variant.played.target:
                raise BadBoard(
                    f"{variant.played.title} is not played for points: it has no target."
                )
            what = "number of obstacles" if name == "obstacles" else name
            number: dict[str, Any] = {name: _whole(what, text)}
            variant = replace(variant, **number)
    return checked(variant)


def _whole(what: str, text: str) -> int:
    if not re.fullmatch(r"\s*[0-9]{1,5}\s*", text):
        raise BadRequest(f"The {what} is a whole number, not {quoted(text)}.")
    return int(text)


def checked(variant: Variant) -> Variant:
    """The variant itself, if it can be played; raises BadRequest or BadBoard."""
    game, rules = variant.played, variant.played.rules
    if variant.handicap and not game.handicap:
        raise BadRequest(f"{game.title} has no handicap.")
    if variant.handicap > 1 and game.handicap and not game.handicap.IN_POINTS:
        raise BadRequest(f"The handicap of {game.title} is 1 or 0: it is not in points.")
    if (variant.low, variant.high) != (rules.LOW, rules.HIGH):
        if game.fixed or variant.board:
            raise BadRequest("Numbers are dealt only where there is no fixed board.")
        if not rules.LOW <= variant.low <= variant.high <= rules.HIGH:
            raise BadRequest(
                f"The numbers of {game.title} are within {rules.LOW}-{rules.HIGH}, not "
                f"{variant.low}-{variant.high}."
            )
    if variant.obstacles is not None:
        if variant.board:
            raise BadRequest("Give a board or a number of obstacles, not both.")
        _obstacle_values(game)
        most = variant.rows * variant.cols - 2
        if not 0 <= variant.obstacles <= most:
            raise BadRequest(f"Obstacles are 0 to {most} on this board, not {variant.obstacles}.")
        variant.deal(1, "0")
    _ = variant.template  # which is checked as it is made
    return variant


def with_board(variant: Variant, text: str) -> Variant:
    """The variant on one board."""
    board = variant.played.parse_board(text, variant.target)
    if board.unknown:
        raise BadBoard("Every cell of the board must be known.")
    kept = variant.played.board_text(board)
    return checked(replace(variant, rows=board.rows, cols=board.cols, board=kept))
