"""Game: one game's rules and text, and the facts about it that are data.

Its methods are what is the same for all games: dealing, reading and checking boards. What happens
on a board is a Position's business (`core/position.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from gridwise.core.bits import bit_indices
from gridwise.core.board import MAX_CELLS, Board
from gridwise.core.contracts import (
    Example,
    Handicap,
    Heuristic,
    Lesson,
    Planes,
    Reasons,
    Rules,
    State,
    check_complete,
    read_examples,
    read_lesson,
)
from gridwise.core.defaults import Text, default_planes
from gridwise.core.registry import game as game_named
from gridwise.core.rng import Rng, Stream
from gridwise.errors import BadBoard, BadRequest, quoted

# 63 nines are 567: nobody can get further.
MAX_TARGET = MAX_HANDICAP = 999


@dataclass(frozen=True, eq=False)
class Game:
    """One game. Games are compared by identity: a changed game is another one."""

    key: str
    title: str
    rules: Rules
    text: Text
    rows: int  # the standard size
    cols: int
    heuristic: Heuristic | None = None
    handicap: Handicap | None = None
    reasons: Reasons | None = None
    planes: Planes | None = None
    glyphs: str = "?123456789"  # glyphs[v] is how a cell of value v is written
    target: int = 0  # the number of points to reach, where there is one
    fixed: str = ""  # the one standard board, where boards are not dealt
    layout: Callable[[int, int], tuple[int, ...]] | None = None  # its cells for other sizes
    max_plies: Callable[[Board], int] | None = None  # no game on a board is longer
    coin_toss: bool = False  # whether chance decides who moves first
    has_hidden_cells: bool = False
    passes: bool = False  # whether a player without a move is passed over, and the other goes on
    smallest: int = 2  # the least number of cells
    example: str = ""  # a board to show in messages and on the rules page
    example_moves: str = ""  # moves that lead to a position worth a picture
    example_deal: str = ""  # the board of that picture, where `example` is face down
    package: str = ""  # where `rules.md`, `lesson.toml` and the like are

    def __post_init__(self) -> None:
        """Refuse parts that lack something: BadRequest says what."""
        if not isinstance(self.text, Text):
            raise BadRequest("Its text must be complete_text(text), which adds the defaults.")
        check_complete("rules.py", self.rules, Rules)
        for file, part, contract in (
            ("heuristic.py", self.heuristic, Heuristic),
            ("planes.py", self.planes, Planes),
            ("handicap.py", self.handicap, Handicap),
            ("reasons.py", self.reasons, Reasons),
        ):
            if part is not None:
                check_complete(file, part, contract)

    def __repr__(self) -> str:
        return f"Game({self.key!r})"

    def __reduce__(self) -> tuple[Callable[[str], Game], tuple[str]]:
        """Copied and pickled by name: the rules are a module, which does not travel."""
        return game_named, (self.key,)

    def actions(self, board: Board) -> int:
        """How many actions there are on a board; they are numbered from 0."""
        return self.rules.ACTIONS or board.size

    @cached_property
    def cyclic(self) -> bool:
        """Whether a game can go on for ever."""
        return self.rules.CYCLIC

    def rules_text(self) -> str:
        """The rules for people, as Markdown; `{board}` stands where a drawn board goes."""
        plain = f"# {self.title}\n\n{self.text.SUMMARY}\n\n{{board}}\n\n{self.text.HELP}\n"
        return self.file("rules.md") or plain

    def page(self) -> str:
        """The rules for a terminal: how to read the drawn board and how to type moves, too."""
        below_board, heading, sections = self.file("terminal.md").partition("## ")
        rules = self.rules_text()
        if below_board.strip():
            rules = rules.replace("{board}", f"{{board}}\n\n{below_board.strip()}")
        return f"{rules}\n{heading}{sections}" if heading else rules

    @cached_property
    def lesson(self) -> Lesson | None:
        """The guided first game, from `lesson.toml`, if there is one."""
        text = self.file("lesson.toml")
        return read_lesson(text) if text else None

    @cached_property
    def examples(self) -> tuple[Example, ...]:
        """Boards for the rules page, from `examples.toml`; none if there is no such file."""
        text = self.file("examples.toml")
        return read_examples(text) if text else ()

    def file(self, name: str) -> str:
        """The text of a file in the game's folder, such as `puzzles.txt`; empty if it has none."""
        from importlib.resources import files  # noqa: PLC0415 - 15 ms, only for this

        path = files(self.package).joinpath(name) if self.package else None
        return path.read_text(encoding="utf-8") if path and path.is_file() else ""

    # Boards

    def deal(self, rng: Rng, rows: int = 0, cols: int = 0, target: int | None = None) -> Board:
        """A uniform board: each cell independent, each value equally likely."""
        rows, cols = rows or self.rows, cols or self.cols
        target = self.target if target is None else target
        if self.fixed and (rows, cols) == (self.rows, self.cols):
            return self.parse_board(self.fixed, target)
        if self.fixed:
            # Without a layout no pattern is the natural one, so every cell has the lowest value.
            even = (self.rules.LOW,) * (rows * cols)
            return Board(rows, cols, self.layout(rows, cols) if self.layout else even, target)
        blank = Board(rows, cols, (0,) * (rows * cols), target)
        return self.deal_unknown(blank, rng)

    def deal_unknown(self, board: Board, rng: Rng) -> Board:
        """The board with each unknown cell dealt afresh."""
        low, choices = self.rules.LOW, self.rules.HIGH - self.rules.LOW + 1
        # `random()` gives the same numbers in every version of Python; `randint` need not.
        if 0 not in board.cells:
            return board
        random = rng.random
        return board.with_cells([v or low + int(random() * choices) for v in board.cells])

    @cached_property
    def observation_planes(self) -> Planes:
        """The game's own planes, or the default ones."""
        return self.planes or default_planes(self.rules, self.deal(Stream(1)))

    @cached_property
    def example_board(self) -> str:
        """A board of the standard size, as text."""
        return self.example or self.fixed or self.board_text(self.deal(Stream(1)))

    def default_board(self) -> Board:
        """The board where none is given and there is only one that it can be."""
        if self.fixed:
            return self.parse_board(self.fixed)
        if self.has_hidden_cells:
            return Board(self.rows, self.cols, (0,) * (self.rows * self.cols), self.target)
        raise BadRequest(f"{self.title} needs a board, such as {self.example_board}.")

    def board_text(self, board: Board) -> str:
        """The board as one word: rows from the top, joined by `/`."""
        written = "".join(map(self.glyphs.__getitem__, board.cells))
        return "/".join(
            written[start : start + board.cols] for start in range(0, board.size, board.cols)
        )

    def parse_board(self, text: str, target: int | None = None, handicap: int = 0) -> Board:
        """The board that `board_text` wrote, checked for this game."""
        rows = text.strip().strip("/").split("/") if len(text) <= 4 * MAX_CELLS else [text]
        rows = ["".join(row.split()) for row in rows]
        example = self.example_board
        if len(text) > 4 * MAX_CELLS or not all(rows):
            raise BadBoard(
                f"Cannot read the board {quoted(text)}. {self.title} boards look like {example}."
            )
        if len({len(row) for row in rows}) > 1:
            lengths = ", ".join(str(len(row)) for row in rows)
            raise BadBoard(f"The rows of the board have different lengths: {lengths}.")
        allowed = self.glyphs[self.rules.LOW : self.rules.HIGH + 1]
        allowed += self.glyphs[0] * self.has_hidden_cells
        for number, row in enumerate(rows, 1):
            for glyph in row.upper():
                if glyph not in allowed:
                    raise BadBoard(
                        f"Row {number} of the board has {quoted(glyph)}. Cells of {self.title} "
                        f"are {', '.join(allowed)}. A board looks like {example}."
                    )
        values = tuple(self.glyphs.index(glyph) for row in rows for glyph in row.upper())
        target = self.target if target is None else target
        return self.check_board(Board(len(rows), len(rows[0]), values, target, handicap))

    def check_first(self, first: int) -> int:
        """The player who begins, if that player can; raises BadRequest."""
        if first not in (1, 2):
            raise BadRequest(f"Player 1 or Player 2 can be first, not {first}.")
        if first == 2 and not self.coin_toss:
            raise BadRequest(f"In {self.title} Player 1 always goes first.")
        return first

    def check_board(self, board: Board) -> Board:
        """The board itself, if the game can be played on it; raises BadBoard."""
        if board.size < self.smallest:
            raise BadBoard(
                f"{self.title} needs at least {self.smallest} cells, and this board has "
                f"{board.size}."
            )
        if board.target and not self.target:
            raise BadBoard(f"{self.title} is not played for points: it has no target.")
        if board.handicap and not (self.handicap and self.handicap.IN_POINTS):
            raise BadBoard(f"There is no handicap in points in {self.title}.")
        if not 0 <= board.handicap <= MAX_HANDICAP:
            raise BadBoard(f"A handicap is 0 to {MAX_HANDICAP}, not {board.handicap}.")
        if self.target and not 1 <= board.target <= MAX_TARGET:
            raise BadBoard(
                f"The target must be 1 to {MAX_TARGET}, not {quoted(str(board.target))}."
            )
        low, high = self.rules.LOW, self.rules.HIGH
        for cell, value in enumerate(board.cells):
            if not (low <= value <= high or (self.has_hidden_cells and value == 0)):
                name = self.text.NOTATION.cell_name(board, cell)
                raise BadBoard(f"Cell {name} has the value {value}; it must be {low} to {high}.")
        problem = self.text.NOTATION.problem(board) or self.text.board_problem(board)
        if problem:
            raise BadBoard(problem)
        return board

    def check_turned_up(self, board: Board, state: State) -> None:
        """Raise BadBoard if a cell has been turned up whose value the board does not know."""
        if 0 not in board.cells:
            return
        missing = board.unknown & ~self.rules.hidden(board, state)
        if missing:
            name = self.text.NOTATION.cell_name(board, bit_indices(missing)[0])
            raise BadBoard(f"Cell {name} has been turned up, but the board has ? for its value.")
