"""Game: the contract between one game and everything that is derived from it.

A game is two modules. `rules.py` says what is legal and who has won, as pure functions over ints.
`words.py` says how it is written, read, told and looked at. The Game object holds both, with the
facts about the game that are data. Its methods are what is the same for all games.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Protocol, TypeAlias

from gridwise.core import registry
from gridwise.core.bits import members
from gridwise.core.board import MOST_CELLS, Board
from gridwise.core.lesson import Lesson
from gridwise.core.view import CellView, Drawing, View
from gridwise.errors import BadBoard, BadRequest, IllegalMove, OutOfTurn, UnreadableMove, quoted

# Each game has its own NamedTuple of ints, whose first field is `turn`. Only the game's own two
# modules look inside.
State: TypeAlias = Any

# 63 nines are 567: nobody can get further.
MOST_TARGET = MOST_HANDICAP = 999

RESULTS = ("", "p1", "p2", "draw")  # by what `winner` returns


class Rules(Protocol):
    """What a `rules.py` has."""

    ACTIONS: int  # how many actions there are; 0 = one a cell
    LOW: int  # a dealt cell is uniform from LOW to HIGH
    HIGH: int
    CYCLIC: bool  # whether a game can go on for ever

    def start(self, board: Board, first: int) -> State:
        """The first position."""

    def moves(self, board: Board, state: State) -> int:
        """The set of legal actions; empty exactly when the game is over."""

    def play(self, board: Board, state: State, action: int) -> State:
        """The position after a legal action. Not checked."""

    def winner(self, board: Board, state: State) -> int:
        """0 while it goes on, 1 or 2 for the player who has won, 3 for a draw."""

    def hidden(self, board: Board, state: State) -> int:
        """The set of cells that nobody has seen."""


class Notation(Protocol):
    """How the cells of a board are named."""

    def cell_name(self, board: Board, cell: int) -> str:
        """A cell as the game writes it."""

    def parse_cell(self, board: Board, text: str) -> int:
        """The cell that is meant; raises UnreadableMove."""

    def fault(self, board: Board) -> str:
        """Why the cells of this board cannot all be named; empty if they can."""

    def labels(self, board: Board) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What stands beside the rows and above the columns."""


class Question(NamedTuple):
    """A second question that belongs to a move, such as whether to challenge."""

    lead: list[str]  # what is told before it is asked
    prompt: str
    answers: dict[str, int]  # answer -> the action it makes of the move
    undecided: int  # the action as it is written while the question is open


class Words(Protocol):
    """What a `words.py` has. Every board it is given has its hidden cells blanked."""

    REFUSAL: str  # the fixed first line of the answer to a bad move; may be empty
    SUMMARY: str  # the game in one line
    HELP: str  # how to write a move, in one or two lines
    NOTATION: Notation  # how cells are named
    DRAWING: Drawing  # how the grid is drawn as text

    def board_fault(self, board: Board) -> str:
        """What is wrong with a board beyond its size and values; empty if nothing."""

    def action_name(self, board: Board, state: State, action: int) -> str:
        """A move as the game writes it."""

    def parse_action(self, board: Board, state: State, text: str) -> int:
        """The move that is meant, legal or not; raises UnreadableMove or IllegalMove."""

    def target(self, board: Board, state: State, action: int) -> int:
        """The cell a legal action goes to."""

    def listed(self, board: Board, state: State, actions: tuple[int, ...]) -> list[int]:
        """Actions in the order in which they are shown."""

    def why_not(self, board: Board, state: State, action: int) -> str:
        """Why an action is not legal."""

    def turn_lines(self, board: Board, state: State) -> list[str]:
        """What is said before the player to move is asked."""

    def prompt(self, board: Board, state: State) -> str:
        """How the player to move is asked."""

    def question(self, board: Board, state: State, action: int) -> Question | None:
        """What has to be asked about a move before it can be made."""

    def told(self, board: Board, before: State, action: int, after: State) -> list[str]:
        """What is said of a move once it is made (after its question, if it has one)."""

    def ending(self, board: Board, state: State) -> list[str]:
        """The last words of a game that is over."""

    def reason(self, board: Board, state: State) -> str:
        """Why it is over, in a few words for the record."""

    def scores(self, state: State) -> tuple[int, int] | None:
        """Points of Player 1 and Player 2, where the game has points."""

    def caption(self, state: State) -> str:
        """The scores in words; empty where there are none."""

    def cell_views(self, board: Board, state: State) -> list[CellView]:
        """The cells as they can be seen, but for their names and the actions behind them."""


class Sense(Protocol):
    """What a `sense.py` has: what people see in a move without thinking ahead."""

    def appeal(self, board: Board, state: State, action: int) -> float:
        """How good a move looks at first sight; only the order counts."""


class Planes(Protocol):
    """What a `planes.py` has: what an agent that learns is given to see, and what it can do.

    Both functions are pure, over ints, and are compiled like the rules. They get the whole board,
    so they must not look at cells that are hidden. A game may do without: `gridwise.core.planes`.
    """

    VALUE: str  # what the numbers in the cells mean
    PLANES: dict[str, str]  # name -> meaning, of planes that are sets of cells
    COUNTS: dict[str, str]  # name -> meaning, of numbers that belong to the whole board
    ACTIONS: tuple[str, ...]  # what each does; empty where action k is about cell k

    def planes(self, board: Board, state: State, player: int) -> tuple[int, ...]:
        """One set of cells for each of PLANES, from the side of a player."""

    def counts(self, board: Board, state: State, player: int) -> tuple[int, ...]:
        """One number for each of COUNTS, from the side of a player."""


class Handicap(Protocol):
    """What a `handicap.py` has: a way to make a one-sided game even."""

    IN_POINTS: bool  # whether `Board.handicap` says how much; otherwise the board is another one

    def even(self, board: Board) -> Board:
        """The board, made even; raises BadBoard where there is no room for it."""

    def about(self, board: Board) -> str:
        """What is different, in a sentence for the players."""


class Position(NamedTuple):
    """What a player is given: the game, the board as far as it has been seen, and the state.

    How it came about is there too, for players that must be told the moves.
    """

    game: Game
    board: Board
    state: State
    first: int = 1
    actions: tuple[int, ...] = ()

    @property
    def legal(self) -> int:
        """The set of legal actions."""
        return self.game.rules.moves(self.board, self.state)

    @property
    def moves(self) -> list[str]:
        """What was played, as text."""
        game, board = self.game, self.board
        state, written = game.rules.start(board, self.first), []
        for action in self.actions:
            written.append(game.words.action_name(board, state, action))
            state = game.rules.play(board, state, action)
        return written


@dataclass(frozen=True)
class Game:
    """One game: its rules, its words, and the facts about it that are data."""

    key: str
    title: str
    rules: Rules
    words: Words
    rows: int  # the standard size
    cols: int
    sense: Sense | None = None
    handicap: Handicap | None = None
    planes: Planes | None = None
    glyphs: str = "?123456789"  # glyphs[v] is how a cell of value v is written
    target: int = 0  # the number of points to reach, where there is one
    fixed: str = ""  # the one standard board, where boards are not dealt
    coin_toss: bool = False  # whether chance decides who moves first
    hides: bool = False  # whether cells are face down
    smallest: int = 2  # the least number of cells
    example: str = ""  # a board to show in messages and on the rules page
    example_moves: str = ""  # moves that lead to a position worth a picture
    example_deal: str = ""  # the board of that picture, where `example` is face down
    package: str = ""  # where `rules.md`, the rules page, is
    proof: str = ""  # the module whose `prove()` gives the game's proof, where there is one
    lesson: str = ""  # the module whose `LESSON` is a guided first game, where there is one

    def __repr__(self) -> str:
        return f"Game({self.key!r})"

    def __reduce__(self) -> tuple[Callable[[str], Game], tuple[str]]:
        """Copied and pickled by name: the rules are a module, which does not travel."""
        return registry.game, (self.key,)

    def actions(self, board: Board) -> int:
        """How many actions there are on a board; they are numbered from 0."""
        return self.rules.ACTIONS or board.size

    @cached_property
    def cyclic(self) -> bool:
        """Whether a game can go on for ever."""
        return self.rules.CYCLIC

    def page(self) -> str:
        """The rules for people, as Markdown; `{board}` stands where a drawn board goes."""
        if not self.package:
            return f"# {self.title}\n\n{self.words.SUMMARY}\n\n{{board}}\n\n{self.words.HELP}\n"
        from importlib.resources import files  # noqa: PLC0415 - 15 ms, only for this

        return files(self.package).joinpath("rules.md").read_text(encoding="utf-8")

    def prove(self) -> Iterator[str]:
        """The game's proof, line by line, each after what it says has been checked.

        Raises ProofFailed where a check does not hold, and BadRequest if the game has no proof.
        """
        if not self.proof:
            raise BadRequest(f"{self.title} has no proof.")
        lines: Iterator[str] = importlib.import_module(self.proof).prove()
        return lines

    def teach(self) -> Lesson | None:
        """The game's guided first game, if it has one."""
        if not self.lesson:
            return None
        lesson: Lesson = importlib.import_module(self.lesson).LESSON
        return lesson

    # Boards

    def deal(
        self, rng: random.Random, rows: int = 0, cols: int = 0, target: int | None = None
    ) -> Board:
        """A uniform board: each cell independent, each value equally likely."""
        rows, cols = rows or self.rows, cols or self.cols
        target = self.target if target is None else target
        if self.fixed and (rows, cols) == (self.rows, self.cols):
            return self.parse_board(self.fixed, target)
        if self.fixed:
            # No number of obstacles is "uniform": the grid is left open.
            return Board(rows, cols, (self.rules.LOW,) * (rows * cols), target)
        blank = Board(rows, cols, (0,) * (rows * cols), target)
        return self.deal_unknown(blank, rng)

    def deal_unknown(self, board: Board, rng: random.Random) -> Board:
        """The board with each unknown cell dealt afresh."""
        low, choices = self.rules.LOW, self.rules.HIGH - self.rules.LOW + 1
        # `random()` gives the same numbers in every version of Python; `randint` need not.
        cells = tuple(value or low + int(rng.random() * choices) for value in board.cells)
        return replace(board, cells=cells)

    @cached_property
    def example_board(self) -> str:
        """A board of the standard size, as text."""
        return self.example or self.fixed or self.board_text(self.deal(random.Random(1)))

    def board_text(self, board: Board) -> str:
        """The board as one word: rows from the top, joined by `/`."""
        written = "".join(self.glyphs[value] for value in board.cells)
        return "/".join(
            written[start : start + board.cols] for start in range(0, board.size, board.cols)
        )

    def parse_board(self, text: str, target: int | None = None, handicap: int = 0) -> Board:
        """The board that `board_text` wrote, checked for this game."""
        rows = text.strip().strip("/").split("/") if len(text) <= 4 * MOST_CELLS else [text]
        rows = ["".join(row.split()) for row in rows]
        example = self.example_board
        if len(text) > 4 * MOST_CELLS or not all(rows):
            raise BadBoard(
                f"Cannot read the board {quoted(text)}. {self.title} boards look like {example}."
            )
        if len({len(row) for row in rows}) > 1:
            lengths = ", ".join(str(len(row)) for row in rows)
            raise BadBoard(f"The rows of the board have different lengths: {lengths}.")
        allowed = self._allowed_glyphs()
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
            raise BadRequest(f"In {self.title} Player 1 always moves first.")
        return first

    def _allowed_glyphs(self) -> str:
        known = self.glyphs[self.rules.LOW : self.rules.HIGH + 1]
        return known + self.glyphs[0] if self.hides else known

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
        if not 0 <= board.handicap <= MOST_HANDICAP:
            raise BadBoard(f"A handicap is 0 to {MOST_HANDICAP}, not {board.handicap}.")
        if self.target and not 1 <= board.target <= MOST_TARGET:
            raise BadBoard(
                f"The target must be 1 to {MOST_TARGET}, not {quoted(str(board.target))}."
            )
        low, high = self.rules.LOW, self.rules.HIGH
        for cell, value in enumerate(board.cells):
            if not (low <= value <= high or (self.hides and value == 0)):
                name = self.words.NOTATION.cell_name(board, cell)
                raise BadBoard(f"Cell {name} has the value {value}; it must be {low} to {high}.")
        fault = self.words.NOTATION.fault(board) or self.words.board_fault(board)
        if fault:
            raise BadBoard(fault)
        return board

    # Positions

    def seen(self, board: Board, state: State) -> Board:
        """The board as far as the players have seen it. Once the game is over that is all of it."""
        if not self.hides or self.rules.winner(board, state):
            return board
        return board.without(self.rules.hidden(board, state))

    def check_known(self, board: Board, state: State) -> None:
        """Raise BadBoard if a cell has been turned up whose value the board does not tell."""
        missing = board.unknown & ~self.rules.hidden(board, state)
        if missing:
            name = self.words.NOTATION.cell_name(board, members(missing)[0])
            raise BadBoard(f"Cell {name} has been turned up, but the board has ? for its value.")

    def legal_actions(self, board: Board, state: State) -> list[int]:
        """The legal actions in the order in which they are shown."""
        actions = members(self.rules.moves(board, state))
        return self.words.listed(board, state, actions)

    def legal_moves(self, board: Board, state: State) -> list[str]:
        """The same, as text."""
        name = self.words.action_name
        return [name(board, state, action) for action in self.legal_actions(board, state)]

    def read_move(self, board: Board, state: State, text: str) -> int:
        """The legal action that `text` means. Otherwise the error says why not, and what is."""
        legal = self.rules.moves(board, state)
        if not legal:
            raise OutOfTurn("The game is over; there is nothing left to move.")
        possible = " ".join(self.legal_moves(board, state))
        try:
            action = self.words.parse_action(board, state, text)
        except (UnreadableMove, IllegalMove) as error:
            raise type(error)(f"{error} Possible: {possible}.") from None
        if not legal >> action & 1:
            why = self.words.why_not(board, state, action)
            raise IllegalMove(f"{why} Possible: {possible}.")
        return action

    def view(self, board: Board, state: State, last: int = -1, stopped: int | None = None) -> View:
        """The position as it can be seen, with the actions behind each cell.

        `stopped` is the winner (0 for nobody) of a game that ended otherwise than by its rules.
        """
        winner = self.rules.winner(board, state) if stopped is None else stopped
        if not winner:
            board = self.seen(board, state)
        over = bool(winner) or stopped is not None
        words = self.words
        behind: dict[int, list[int]] = {}
        for action in [] if over else self.legal_actions(board, state):
            behind.setdefault(words.target(board, state, action), []).append(action)
        cells = []
        for cell, seen in enumerate(words.cell_views(board, state)):
            actions = tuple(behind.get(cell, ()))
            moves = tuple(words.action_name(board, state, action) for action in actions)
            name = words.NOTATION.cell_name(board, cell)
            cells.append(seen.placed(name, actions, moves))
        row_labels, col_labels = words.NOTATION.labels(board)
        return View(
            game=self.key,
            title=self.title,
            rows=board.rows,
            cols=board.cols,
            row_labels=row_labels,
            col_labels=col_labels,
            cells=tuple(cells),
            turn=0 if over else state.turn,
            result=RESULTS[winner],
            scores=words.scores(state),
            caption=words.caption(state),
            drawing=words.DRAWING,
            last=last,
        )
