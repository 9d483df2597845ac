"""The analysis board: any position of a game, played freely for both sides, and edited.

It has no clock, no seats and no result that counts, so two people can use it at one table. What a
cell has may be unknown where a game has hidden cells: then chances are worked out, and a move that
would turn it up has to wait until it is given a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from urllib.parse import parse_qsl, urlencode, urlsplit

from gridwise.core.bits import bit_indices
from gridwise.core.board import MAX_CELLS, Board
from gridwise.core.game import Game
from gridwise.core.registry import game as game_named
from gridwise.core.view import View
from gridwise.errors import BadBoard, BadRequest, GridwiseError, quoted
from gridwise.play.look_back import Exploration
from gridwise.play.records import Record, parse_record

MAX_MOVES = 400
_PATH = "/analysis/"


class AnalysisBoard(Exploration):
    """A board with whatever is on it, and the moves that are made on it, from its start.

    A move that cannot be made is an error; or, if it is not `strict`, the end of the moves.
    """

    def __init__(
        self,
        game: Game,
        board: Board | None = None,
        first: int = 1,
        moves: Iterable[str] = (),
        *,
        strict: bool = True,
    ) -> None:
        board = game.check_board(board or game.parse_board(game.example_board))
        super().__init__(Record(game, board, game.check_first(first), ()))
        for number, move in enumerate(moves, 1):
            try:
                self.try_move(self.playable.read(move))
            except GridwiseError as error:
                if not strict:
                    break
                raise type(error)(f"Move {number}, {quoted(move)}: {error}") from None

    @property
    def game(self) -> Game:
        """The game that it is a board of."""
        return self.record.game

    @property
    def board(self) -> Board:
        """The board as it was entered: with cells that are still face down."""
        return self.record.board

    @property
    def moves(self) -> list[str]:
        """All moves, also those that lie ahead."""
        return (self.line[-1] if self.line else self.position).moves

    def after(self, move: str) -> AnalysisBoard:
        """The board with another move made, or as it is if the move has to wait."""
        made = AnalysisBoard(self.game, self.board, self.record.first)
        made.line, made.place = self.tried, self.place
        with suppress(BadRequest):
            made.try_move(made.playable.read(move))
        return made

    def go_to_move(self, number: int) -> None:
        """Go to where so many of the moves have been made; the others lie ahead."""
        self.place = max(0, min(len(self.line), number))

    def step(self, by: int) -> None:
        """Go on or back; nothing that was made is lost."""
        self.go_to_move(self.place + by)

    def try_move(self, action: int) -> None:
        """Make a move; raises BadRequest if it would turn up cells that have no number."""
        position = self.playable
        if missing := position.reveals(action) & self.board.unknown:
            names = [position.cell_name(cell) for cell in bit_indices(missing)]
            which = f"{', '.join(names[:-1])} and {names[-1]}" if names[1:] else names[0]
            have = "have no numbers" if names[1:] else "has no number"
            raise BadRequest(f"{which} would be turned up and {have} yet: edit the board first.")
        if self.place >= MAX_MOVES:
            raise BadRequest(f"At most {MAX_MOVES} moves can be made.")
        super().try_move(action)

    # Editing

    @property
    def glyphs(self) -> str:
        """What a cell can be, a character each; the last one is `?` where that is possible."""
        rules, glyphs = self.game.rules, self.game.glyphs
        return glyphs[rules.LOW : rules.HIGH + 1] + glyphs[0] * self.game.has_hidden_cells

    def with_cell(self, cell: int, glyph: str) -> AnalysisBoard:
        """The same with another cell; raises BadBoard if it cannot be that."""
        rows = [*self.game.board_text(self.board).replace("/", "")]
        rows[cell] = glyph
        cols = self.board.cols
        text = "/".join("".join(rows[at : at + cols]) for at in range(0, len(rows), cols))
        return self.with_board(self._parsed(text))

    def with_size(self, rows: int, cols: int) -> AnalysisBoard:
        """The same with more or fewer rows and columns; new cells have the lowest number."""
        old, low = self.board, self.game.rules.LOW
        if rows * cols > MAX_CELLS:  # before they are made: the size may come from an address
            raise BadBoard(f"A board has at most {MAX_CELLS} cells, not {rows} x {cols}.")
        cells = [
            old.cells[row * old.cols + col] if row < old.rows and col < old.cols else low
            for row in range(rows)
            for col in range(cols)
        ]
        return self.with_board(Board(rows, cols, tuple(cells), old.target, old.handicap))

    def with_board(self, board: Board) -> AnalysisBoard:
        """The same moves on another board, up to the first that cannot be made on it."""
        made = AnalysisBoard(self.game, board, self.record.first, self.moves, strict=False)
        made.go_to_move(self.place)
        return made

    def _parsed(self, text: str) -> Board:
        return self.game.parse_board(text, self.board.target, self.board.handicap)

    def read(self, text: str) -> AnalysisBoard:
        """The board, the record or the link that somebody has pasted, or a size such as 4x6.

        Raises GridwiseError.
        """
        text = text.strip()
        if size := re.fullmatch(r"([0-9]{1,2}) ?[x\u00d7] ?([0-9]{1,2})", text, re.IGNORECASE):
            return self.with_size(int(size[1]), int(size[2]))
        if text.startswith("["):
            record = parse_record(text)
            return AnalysisBoard(record.game, record.board, record.first, record.moves)
        if _PATH in text:
            return from_link(text)
        return AnalysisBoard(self.game, self._parsed(text), self.record.first)

    @property
    def edited_view(self) -> View:
        """What is to be seen while it is edited: also what is still face down."""
        view = self.position.view.without_moves()
        cells = [
            shown._replace(value=value, text=str(value), about="", hidden=False)
            if shown.hidden and value
            else shown
            for shown, value in zip(view.cells, self.board.cells, strict=True)
        ]
        return View(**{name: getattr(view, name) for name in View.__slots__} | {"cells": (*cells,)})

    # Sharing

    @property
    def link(self) -> str:
        """The path of its page, with all that there is in it."""
        board, game = self.board, self.game
        said = {
            "board": game.board_text(board),
            "first": self.record.first if self.record.first != 1 else "",
            "target": board.target if board.target != game.target else "",
            "handicap": board.handicap or "",
            "moves": " ".join(self.moves),
            "at": self.place if self.place != len(self.line) else "",
        }
        kept = {name: value for name, value in said.items() if value != ""}
        return f"{_PATH}{game.key}?{urlencode(kept, safe='/,!')}"


def from_link(link: str) -> AnalysisBoard:
    """The board that a link leads to; raises GridwiseError."""
    path, query = urlsplit(link).path, dict(parse_qsl(urlsplit(link).query))
    return from_query(game_named(path.rpartition("/")[2]), query)


def from_query(game: Game, query: dict[str, str], *, strict: bool = True) -> AnalysisBoard:
    """The board that the parts of a link describe; raises GridwiseError."""
    numbers = {
        name: whole_number(name.capitalize(), query[name])
        for name in ("first", "target", "handicap", "at")
        if query.get(name)
    }
    text = query.get("board") or game.example_board
    board = game.parse_board(text, numbers.get("target"), numbers.get("handicap", 0))
    moves = query.get("moves", "").split()
    if len(moves) > MAX_MOVES:
        raise BadRequest(f"At most {MAX_MOVES} moves can be made.")
    made = AnalysisBoard(game, board, numbers.get("first", 1), moves, strict=strict)
    made.go_to_move(numbers.get("at", len(moves)))
    return made


def whole_number(name: str, text: str) -> int:
    """A number that somebody has typed, or that stands in a link; raises BadRequest."""
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise BadRequest(f"{name} must be a whole number, not {quoted(text)}.")
    return int(text)
