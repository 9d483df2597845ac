"""Skins: the same game in other words, so that a result can be told from recall.

A skin is a way to lay the board (mirrored, turned), a way to name its cells, and words (title,
players, things, a rules text). It is a function and its inverse: `show` gives what can be seen of a
position, `move_text` writes a move, `read_move` reads it back. Rules, legal moves and what they are
worth stay what they are.

A skin is named by its parts, in any order: `plain`, `mirrored`, `theme`, `theme+turned+renamed`. A
game's own name for its theme is as good as `theme`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import product
from typing import NamedTuple

from gridwise.core.board import DIRECTIONS, Board
from gridwise.core.contracts import Notation
from gridwise.core.game import Game
from gridwise.core.notation import LetterNumber, RowColumn, spelt_out, tidy
from gridwise.core.position import Position, start
from gridwise.core.registry import game as game_named
from gridwise.core.view import View
from gridwise.errors import (
    BadRequest,
    IllegalMove,
    NoSuchCell,
    OutOfTurn,
    UnreadableMove,
    quoted,
)
from gridwise.prompts.vocabulary import NONE, SEPARATOR, Words, vocabulary

_STEPS = (-3, 3, -1, 1)  # up, down, left, right, as in DIRECTIONS, on a 3x3 board


class Orientation(NamedTuple):
    """Where each cell of a board is displayed: swap rows and columns first, then flip."""

    name: str
    letter: str  # in the title of a game that is shown so; it says nothing to a reader
    swapped: bool = False  # rows are displayed as columns
    flip_rows: bool = False  # top and bottom change places
    flip_cols: bool = False  # left and right do

    def size(self, rows: int, cols: int) -> tuple[int, int]:
        """Rows and columns as displayed."""
        return (cols, rows) if self.swapped else (rows, cols)

    def place(self, rows: int, cols: int, cell: int) -> int:
        """Where a cell is displayed, counted row by row."""
        row, col = divmod(cell, cols)
        if self.swapped:
            row, col, rows, cols = col, row, cols, rows
        row = rows - 1 - row if self.flip_rows else row
        col = cols - 1 - col if self.flip_cols else col
        return row * cols + col

    def cells(self, rows: int, cols: int) -> tuple[int, ...]:
        """The cells in the order in which they are displayed."""
        return tuple(sorted(range(rows * cols), key=partial(self.place, rows, cols)))

    def direction(self, direction: int) -> int:
        """The direction in which a step is displayed: 0 to 3 for up, down, left, right."""
        return _STEPS.index(self.place(3, 3, 4 + _STEPS[direction]) - 4)

    def directions(self) -> tuple[int, ...]:
        """For each displayed direction the direction on the board."""
        shown = [self.direction(direction) for direction in range(len(DIRECTIONS))]
        return tuple(shown.index(direction) for direction in range(len(DIRECTIONS)))


UPRIGHT = Orientation("upright", "A")
ORIENTATIONS = {
    way.name: way
    for way in (
        UPRIGHT,
        Orientation("mirrored", "B", flip_cols=True),
        Orientation("flipped", "C", flip_rows=True),
        Orientation("half-turned", "D", flip_rows=True, flip_cols=True),
        Orientation("transposed", "E", swapped=True),
        Orientation("turned", "F", swapped=True, flip_cols=True),  # a quarter, clockwise
        Orientation("turned-back", "G", swapped=True, flip_rows=True),
        Orientation("antitransposed", "H", swapped=True, flip_rows=True, flip_cols=True),
    )
}


TURNS = [name for name in ORIENTATIONS if name != UPRIGHT.name]


class Spreadsheet(RowColumn):
    """Cells as in a spreadsheet: `R2C3` is the second row, third column."""

    def __init__(self) -> None:
        super().__init__(base=1)

    def cell_name(self, board: Board, cell: int) -> str:
        """`R2C3`."""
        row, col = divmod(cell, board.cols)
        return f"R{row + 1}C{col + 1}"

    mention = cell_name

    def parse_cell(self, board: Board, text: str) -> int:
        """The cell meant by `R2C3`, `r2 c3`, `(R2, C3)`, `row 2, column 3`."""
        if spelt_out(tidy(text)) is None:
            example = self.cell_name(board, board.size // 2)
            raise UnreadableMove(f"{quoted(text.strip())} is not a cell, which is like {example}.")
        return super().parse_cell(board, text)

    def labels(self, board: Board) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The labels beside the rows and above the columns."""
        rows, cols = super().labels(board)
        return tuple(f"R{row}" for row in rows), tuple(f"C{col}" for col in cols)


def explain(notation: Notation, cell: str) -> str:
    """How cells are named, in a sentence that is true of any displayed board; `cell` is the noun.

    Empty for a notation that is not one of ours.
    """
    return _EXPLAINED.get(notation, "").format(cell=cell)


_WHERE = "the {cell} in the first row from the top and the second column from the left"
_EXPLAINED: dict[object, str] = {
    RowColumn(base=0): "Each {cell} is named by its row, then its column, both counted from 0: "
    f"0,1 is {_WHERE}.",
    RowColumn(base=1): "Each {cell} is named by its row, then its column, both counted from 1: "
    f"1,2 is {_WHERE}.",
    LetterNumber(
        letter_is_row=True
    ): "Each {cell} is named by the letter of its row and the number "
    f"of its column: A2 is {_WHERE}.",
    LetterNumber(letter_is_row=False): "Each {cell} is named by the letter of its column and the "
    f"number of its row: B1 is {_WHERE}.",
    Spreadsheet(): "Each {cell} is named by the number of its row and the number of its column: "
    f"R1C2 is {_WHERE}.",
}

# By the name that a skin has for it in `skins.toml`.
COORDINATES: dict[str, Notation] = {
    "row-column-from-0": RowColumn(base=0),
    "row-column-from-1": RowColumn(base=1),
    "row-letter": LetterNumber(letter_is_row=True),
    "column-letter": LetterNumber(letter_is_row=False),
    "spreadsheet": Spreadsheet(),
}


PLAIN, THEME, RENAMED = "plain", "theme", "renamed"
# Those that are named in lists; any other combination can be used as well.
LISTED_VARIANTS = ("mirrored", "turned", RENAMED, "half-turned+renamed")


@dataclass(frozen=True, slots=True)
class Skin:
    """One skin of one game."""

    game: Game
    name: str
    words: Words
    orientation: Orientation
    notation: Notation
    renamed: bool = False

    @property
    def title(self) -> str:
        """What the game is called. The variant tells skins apart that have the same words."""
        if self.name == PLAIN:
            return self.words.title
        return f"{self.words.title} (variant {self.orientation.letter}{1 + self.renamed})"

    def check(self, board: Board) -> None:
        """Raise BadRequest if the cells of this board cannot all be named in this skin."""
        problem = self.notation.problem(_displayed(*self.size(board)))
        if problem:
            raise BadRequest(f"The skin {self.name} does not fit this board: {problem}")

    # Cells

    def size(self, board: Board) -> tuple[int, int]:
        """Rows and columns as displayed."""
        return self.orientation.size(board.rows, board.cols)

    def cells(self, board: Board) -> tuple[int, ...]:
        """The cells of a board in the order in which they are displayed."""
        return _cells(self.orientation, board.rows, board.cols)

    def cell_name(self, board: Board, cell: int) -> str:
        """A cell as this skin writes it."""
        place = self.orientation.place(board.rows, board.cols, cell)
        return self.notation.cell_name(_displayed(*self.size(board)), place)

    def parse_cell(self, board: Board, text: str) -> int:
        """The cell that is meant; raises UnreadableMove."""
        place = self.notation.parse_cell(_displayed(*self.size(board)), text)
        return self.cells(board)[place]

    # Moves

    def move_text(self, position: Position, action: int) -> str:
        """A legal move as this skin writes it."""
        name = position.name(action)
        if name in DIRECTIONS:
            return self.words.directions[self.orientation.direction(DIRECTIONS.index(name))]
        cell = position.target(action)
        own = position.cell_name(cell)
        if not name.startswith(own):
            return name  # a game with moves of another kind, in its own words
        mark = name.removeprefix(own)
        return self.cell_name(position.board, cell) + self.words.marks.get(mark, mark)

    def legal_moves(self, position: Position) -> dict[int, str]:
        """The legal actions with their texts, in the order in which they are displayed."""
        board = position.board

        def displayed(action: int) -> tuple[int, int]:
            name = position.name(action)
            if name in DIRECTIONS:
                return self.orientation.direction(DIRECTIONS.index(name)), action
            place = self.orientation.place(board.rows, board.cols, position.target(action))
            return place, action

        upright = self.orientation is UPRIGHT
        legal = position.legal if upright else sorted(position.legal, key=displayed)
        return {action: self.move_text(position, action) for action in legal}

    def read_move(self, position: Position, text: str) -> int:
        """The legal action that a text means, read as forgivingly as in play.

        Otherwise a MoveError says why not, in the words of this skin and without a list of moves.
        """
        if position.outcome:
            raise OutOfTurn("The game is over.")
        try:
            own = self._own_text(position, text)
            action = position.game.text.parse_action(position.board, position.state, own)
        except IllegalMove:
            raise IllegalMove(self._why_not(position, text)) from None
        except NoSuchCell:
            raise NoSuchCell(self._no_such_cell(position.board, text)) from None
        except UnreadableMove:
            raise UnreadableMove(
                f"{quoted(text.strip())} is not a move. {self.answer(position.board)}"
            ) from None
        if position.is_legal(action):
            return action
        raise IllegalMove(self._why_not(position, text))

    def _own_text(self, position: Position, text: str) -> str:
        """The move in the game's own words; raises UnreadableMove."""
        if self.name == PLAIN:
            return text
        step, mark = self._split(tidy(text))
        direction = self._direction(step)
        if direction is not None:
            return DIRECTIONS[direction] + mark
        return position.cell_name(self.parse_cell(position.board, step)) + mark

    def _split(self, tidied: str) -> tuple[str, str]:
        """A cell or a direction, and the game's own mark after it, if there is one."""
        for own, mark in (self.words.marks or {"!": "!"}).items():
            if tidied.endswith(tidy(mark)):
                return tidied.removesuffix(tidy(mark)).rstrip(), own
        return tidied, ""

    def _direction(self, tidied: str) -> int | None:
        """The direction on the board that a word or its first letter means here, if it does."""
        names = [name.casefold() for name in self.words.directions]
        letters = [name[0] for name in names]
        if tidied in names:
            return self.orientation.directions()[names.index(tidied)]
        if letters.count(tidied) == 1:
            return self.orientation.directions()[letters.index(tidied)]
        return None

    def _no_such_cell(self, board: Board, text: str) -> str:
        """That a cell is not on the board, and which are."""
        nouns, cells = self.words.nouns, self.cells(board)
        first, last = (self.cell_name(board, cell) for cell in (cells[0], cells[-1]))
        return (
            f"The {nouns.board} has no {nouns.cell} {quoted(text.strip())}: the first is {first}, "
            f"the last is {last}."
        )

    def _why_not(self, position: Position, text: str) -> str:
        """Why a move that can be read is not legal, in the words of this skin.

        It is made from what can be seen, so every skin of a game gives the same reasons.
        """
        nouns, (step, mark) = self.words.nouns, self._split(tidy(text))
        try:
            cell = self.meant_cell(position, step)
        except UnreadableMove:  # a game with moves of another kind
            return f"{quoted(text.strip())} is not legal now."
        if cell < 0:
            return f"{quoted(text.strip())} would leave the {nouns.board}."
        name, seen, turn = (
            self.cell_name(position.board, cell),
            position.bare_cells[cell],
            position.turn,
        )
        owner = "Your" if seen.token == turn else "Your opponent's"
        by = "you" if seen.owner == turn else "your opponent"
        own_mark = self.words.marks.get(mark, mark).strip()
        possible = {position.target(action) for action in position.legal}
        reasons = (
            (seen.token, f"{owner} {nouns.token} is on {name}."),
            (seen.owner, f"{name} has already been {nouns.claimed} by {by}."),
            (seen.blocked, f"{name} is closed: {nouns.blocked}."),
            (turn in seen.visited, f"{name} has already been {nouns.visited} by you."),
            (cell in possible, f"A move to {name} cannot have {quoted(own_mark)} now."),
        )
        return next((why for so, why in reasons if so), f"{name} cannot be reached in this move.")

    def meant_cell(self, position: Position, step: str) -> int:
        """The cell that a step would lead to, legal or not; -1 off the board.

        Raises UnreadableMove if it is neither a cell nor a direction.
        """
        board, direction = position.board, self._direction(step)
        if direction is None:
            return self.parse_cell(board, step)
        text = position.game.text
        action = text.parse_action(board, position.state, DIRECTIONS[direction])
        return text.target(board, position.state, action)

    # What is seen and said

    def show(self, position: Position) -> View:
        """What can be seen, as it is displayed; sentences in the game's own words are left out."""
        board, moves, shown = position.board, self.legal_moves(position), position.view
        rows, cols = self.size(board)
        self.check(board)
        row_labels, col_labels = self.notation.labels(_displayed(rows, cols))
        cells = tuple(
            shown.cells[cell]._replace(
                name=self.cell_name(board, cell),
                moves=tuple(moves[action] for action in shown.cells[cell].actions),
                text="",
                about="",
                trail=("", ""),
            )
            for cell in self.cells(board)
        )
        last = shown.last
        return replace(
            shown,
            title=self.title,
            rows=rows,
            cols=cols,
            row_labels=row_labels,
            col_labels=col_labels,
            cells=cells,
            caption="",
            last=last if last < 0 else self.orientation.place(board.rows, board.cols, last),
        )

    def rules(self, board: Board, *, short: bool = False) -> str:
        """The rules in the words of this skin, for a board."""
        return self._filled(self.words.short if short else self.words.rules, board)

    def answer(self, board: Board) -> str:
        """How a move is written, in a sentence or two."""
        return self._filled(self.words.answer, board)

    def _filled(self, template: str, board: Board) -> str:
        rows, cols = self.size(board)
        displayed = self.cells(board)  # what is in their order tells no orientation
        seen = start(self.game, board).bare_cells
        blocked = [self.cell_name(board, cell) for cell in displayed if seen[cell].blocked]
        return template.format(
            rows=rows,
            columns=cols,
            cells=board.size,
            target=board.target,
            start1=self.cell_name(board, board.starts[1]),
            start2=self.cell_name(board, board.starts[2]),
            blocked=SEPARATOR.join(blocked) or NONE,
            example=self.cell_name(board, displayed[board.size // 2]),
            coordinates=explain(self.notation, self.words.nouns.cell),
        )


@lru_cache(maxsize=1_024)
def _cells(orientation: Orientation, rows: int, cols: int) -> tuple[int, ...]:
    return orientation.cells(rows, cols)


@lru_cache(maxsize=256)
def _displayed(rows: int, cols: int) -> Board:
    """An empty board of the size that is displayed, for a notation to look at."""
    return Board(rows, cols, (0,) * (rows * cols))


# Finding skins


def skin_named(game: Game | str, name: str = PLAIN) -> Skin:
    """The skin of that name; raises BadRequest, which says which there are."""
    return _skin(game_named(game) if isinstance(game, str) else game, name.strip().casefold())


@lru_cache(maxsize=1_024)
def _skin(game: Game, name: str) -> Skin:
    words, own = vocabulary(game), game.text.NOTATION
    if name == PLAIN:
        return Skin(game, PLAIN, words.plain, UPRIGHT, own)
    parts = name.split("+")
    themes = [part for part in parts if part in words.themes or (part == THEME and words.themes)]
    ways = [part for part in parts if part in TURNS]
    known = len(themes) + len(ways) + parts.count(RENAMED)
    chosen = words.neutral
    if themes:
        chosen = words.themes.get(themes[0]) or next(iter(words.themes.values()))
    if (
        chosen is None
        or known != len(parts)
        or max(len(themes), len(ways), parts.count(RENAMED)) > 1
    ):
        raise BadRequest(
            f"{game.title} has no skin {quoted(name)}. There are {', '.join(skin_names(game))}. "
            f"Parts can be combined with +: a theme, one of {', '.join(TURNS)}, and {RENAMED}."
        )
    renamed = RENAMED in parts
    coordinates = chosen.renamed if renamed else chosen.coordinates
    full_name = "+".join([chosen.name] * bool(themes) + ways + [RENAMED] * renamed)
    orientation = ORIENTATIONS[ways[0]] if ways else UPRIGHT
    notation = COORDINATES[coordinates] if coordinates else own
    return Skin(game, full_name, chosen, orientation, notation, renamed)


def skin_names(game: Game | str) -> list[str]:
    """Skins of a game to choose from, the plain one first."""
    game = game_named(game) if isinstance(game, str) else game
    words = vocabulary(game)
    names = [PLAIN, *(LISTED_VARIANTS if words.neutral else ())]
    for theme in words.themes:
        names += [theme, *(f"{theme}+{variant}" for variant in LISTED_VARIANTS)]
    return names


def every_skin(game: Game) -> list[Skin]:
    """All skins of a game: its words in every orientation and with both kinds of coordinates."""
    words = vocabulary(game)
    bases = ["", *words.themes] if words.neutral else []
    combined = (
        "+".join(filter(None, parts)) for parts in product(bases, ["", *TURNS], ["", RENAMED])
    )
    return [skin_named(game, name) for name in (PLAIN, *filter(None, combined))]
