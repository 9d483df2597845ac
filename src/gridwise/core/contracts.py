"""What the modules of a game's folder must have: the contract between a game and everything else.

| module | contract | what it says |
|---|---|---|
| `rules.py` | Rules | what is legal and who has won: pure functions over ints, which also compile |
| `text.py` | GameText | how the game is written, read and talked about |
| `heuristic.py` | Heuristic | what a move looks like to a beginner (optional) |
| `planes.py` | Planes | what a learning agent observes (optional) |
| `handicap.py` | Handicap | how a one-sided game is made even (optional) |
| `reasons.py` | Reasons | why a move is good or bad, as can be seen on the board (optional) |
| `balance.toml` | play.balance | who wins from the start, as data (optional) |
| `lesson.toml` | Lesson | a guided first game, as data (optional) |
| `skins.toml` | prompts.words | the words in which language models are asked, as data (optional) |
| `puzzles.txt` | engine.puzzles.book | puzzles found ahead of time, a line for each (optional) |
| `examples.toml` | Example | boards to be drawn on the rules page, as data (optional) |

`core/defaults.py` has what a game need not say; its Text is a GameText with the optional part.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple, Protocol, TypeAlias

from gridwise.core.board import Board
from gridwise.core.narration import NEUTRAL, Names
from gridwise.core.outcome import Termination
from gridwise.core.view import CellView, Drawing
from gridwise.errors import BadRequest

# Each game has its own NamedTuple of ints, whose first field is `turn`. Only the game's own folder
# and compiled kernels look inside.
State: TypeAlias = Any


class Rules(Protocol):
    """What a `rules.py` has."""

    ACTIONS: int  # how many actions there are; 0 = one for each cell
    LOW: int  # a dealt cell is uniform from LOW to HIGH
    HIGH: int
    CYCLIC: bool  # whether a game can go on for ever

    def start(self, board: Board, first: int) -> State:
        """The first state."""

    def moves(self, board: Board, state: State) -> int:
        """The set of legal actions; empty exactly when the game is over."""

    def play(self, board: Board, state: State, action: int) -> State:
        """The state after a legal action. Not checked."""

    def winner(self, board: Board, state: State) -> int:
        """0 while it goes on, 1 or 2 for the player who has won, 3 for a draw."""

    def hidden(self, board: Board, state: State) -> int:
        """The set of cells that nobody has seen."""


class Notation(Protocol):
    """How the cells of a board are named."""

    def cell_name(self, board: Board, cell: int) -> str:
        """A cell as the game writes it in moves: `0,1`."""

    def mention(self, board: Board, cell: int) -> str:
        """A cell as it is written inside a sentence: `(0,1)`."""

    def parse_cell(self, board: Board, text: str) -> int:
        """The cell that is meant; raises UnreadableMove."""

    def cell_names(self, board: Board) -> list[str]:
        """The names of all cells, row by row."""

    def problem(self, board: Board) -> str:
        """Why the cells of this board cannot all be named; empty if they can."""

    def labels(self, board: Board) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The labels beside the rows and above the columns."""


class Question(NamedTuple):
    """A second question that belongs to a move, such as whether to challenge."""

    lead: list[str]  # the lines before it
    text: str  # "Do you want to challenge?"
    answers: dict[str, int]  # answer -> the action it makes of the move
    undecided: int  # the action as it stands while the question is open
    labels: tuple[str, ...]  # the answers with what is at stake: "Challenge (12 : 8, you win)"
    default: int  # the action of the answer that is offered first: one that costs nothing at once
    stakes: str  # what would come of it: "You would win: your opponent goes home with 0 points."

    @property
    def prompt(self) -> str:
        """The question as the console asks it."""
        return f"{self.text} ({'/'.join(self.answers)}): "


class Challenge(NamedTuple):
    """A move in which the points of the two players are compared."""

    mine: int  # points of the player who moves,
    yours: int  # and of the other, when they are compared

    @property
    def won(self) -> bool | None:
        """Whether the player who moves has won it; None for a tie."""
        return None if self.mine == self.yours else self.mine > self.yours


class Objective(NamedTuple):
    """What a player is after, and how far along."""

    text: str  # in a few words: "8 more points to win"
    have: int = 0  # of the points to reach,
    need: int = 0  # where there are any
    goal: int = -1  # the cell to reach, where there is one
    number: int = 0  # how far the token goes, where a number says so
    exact: bool = False  # whether more points than needed lose the game


class Ending(NamedTuple):
    """How a game ended by its rules."""

    termination: Termination
    reason: str  # in a few words, for the record
    lines: list[str]  # the last lines of the dialogue


class GameText(Protocol):
    """What every `text.py` must have. Every board it is given has its hidden cells blanked."""

    SUMMARY: str  # the game in one line
    HELP: str  # how to write a move, in one or two lines
    NOTATION: Notation
    DRAWING: Drawing  # how the grid is drawn as text

    def why_not(self, board: Board, state: State, action: int) -> str:
        """Why an action is not legal."""

    def prompt(self, board: Board, state: State) -> str:
        """The line that asks the player to move."""

    def ending(self, board: Board, state: State) -> Ending:
        """How a game that is over ended."""

    def cell_views(self, board: Board, state: State) -> list[CellView]:
        """The cells as they can be seen, without their names and the actions that go to them."""


class Heuristic(Protocol):
    """What a `heuristic.py` has: what people see in a move without thinking ahead.

    If it is as plain as the rules have to be, it is compiled where many games are played at once.
    """

    def score(self, board: Board, state: State, action: int) -> float:
        """How good a move looks at first sight; only the order counts."""


class Planes(Protocol):
    """What a `planes.py` has: what a learning agent observes, and what its actions do.

    Both functions are pure, over ints, and are compiled like the rules. They get the whole board,
    so they must not look at cells that are hidden.
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

    def about(self, board: Board, names: Names = NEUTRAL) -> str:
        """What is different, in a sentence; `names` is what Player 1 and Player 2 are called."""


class BestPlay(NamedTuple):
    """A move, and best play after it as far as it is known: what a game finds reasons in."""

    board: Board  # face-down cells are blank
    states: tuple[State, ...]  # before the move, after it, then after each move of best play
    actions: tuple[int, ...]  # the move first; one fewer than states
    winner: int  # who wins with best play; 0 if nobody is known to

    @property
    def mover(self) -> int:
        """Who makes the move."""
        return int(self.states[0].turn)

    def plies_of(self, player: int) -> int:
        """How many of the moves after the first one a player makes."""
        return sum(state.turn == player for state in self.states[1:-1])


GameFact: TypeAlias = tuple[str, dict[str, Any]]  # one of the game's kinds, and its numbers


class Scope(Enum):
    """What a kind of fact is true of."""

    MOVE = "move"  # what the move does: it matters where another one would have done otherwise
    POSITION = "position"  # what is on the board after it
    LINE = "line"  # one line of best play: others, as good, may end elsewhere


class About(NamedTuple):
    """What a kind of fact is true of, and for whom it speaks."""

    scope: Scope
    helps: bool | None  # whether it is good for the `player` in its numbers; None if it is neither


class Reasons(Protocol):
    """What a `reasons.py` has: facts about a move that one can see on the board, and their words.

    Every fact is true of the position or of the line of best play that it was given. Its kinds are
    an enum, its numbers plain data; `player` in them is 1 or 2, a cell is its name.
    """

    ABOUT: dict[str, About]  # of each kind

    def facts(self, play: BestPlay) -> list[GameFact]:
        """What there is to say about the first move of the line, the most telling first."""

    def say(self, kind: str, numbers: dict[str, Any], names: Names) -> str:
        """A fact as a sentence, without its capital, for something may come before it.

        `certain` in the numbers of what is true of a line says whether it is true of all of them.
        """


class Trap(NamedTuple):
    """A line that goes wrong, for the learner to look at."""

    say: str  # the question that it answers: "What if you take the 7?"
    moves: str  # the learner's move and how the game goes on; moves of either side
    because: str  # what has gone wrong


class LessonStep(NamedTuple):
    """One move that the learner makes."""

    say: str  # the text before it
    move: str  # the move that is asked for
    otherwise: str  # the answer to any other legal move
    because: str  # the text once it is made
    then: str = ""  # how the game goes on before the next one; moves of either side
    look: str = ""  # cells that the text speaks of, to be pointed out beside the one to move to
    trap: Trap | None = None


class Lesson(NamedTuple):
    """A guided first game, from the first move to the end. The learner is Player 1 and begins."""

    board: str
    opening: str
    steps: tuple[LessonStep, ...]
    end: str  # the text when it is won


class Example(NamedTuple):
    """A board on the rules page: a position, and what is to be seen in it."""

    under: str  # the heading of the section that it belongs to
    caption: str
    moves: str = ""  # that lead to the position, from Player 1's first
    board: str = ""  # the game's example if it is empty


def check_complete(file: str, given: object, contract: type) -> None:
    """Raise BadRequest if a file of a game lacks something of its contract."""
    names = (*contract.__annotations__, *vars(contract))
    lacking = [name for name in names if name[0] != "_" and not hasattr(given, name)]
    if lacking:
        raise BadRequest(f"Its {file} has no {', '.join(lacking)}.")


def read_lesson(toml: str) -> Lesson:
    """The lesson in a `lesson.toml`; line breaks inside its texts do not count."""
    data = _tables(toml)
    steps = []
    for step in data.pop("steps"):
        trap = step.pop("trap", None)
        steps.append(LessonStep(**_one_line_each(step), trap=trap and Trap(**_one_line_each(trap))))
    return Lesson(steps=tuple(steps), **_one_line_each(data))


def read_examples(toml: str) -> tuple[Example, ...]:
    """The boards in an `examples.toml`."""
    return tuple(Example(**_one_line_each(each)) for each in _tables(toml)["examples"])


def _tables(toml: str) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415 - only for this

    return tomllib.loads(toml)


def _one_line_each(texts: dict[str, str]) -> dict[str, Any]:
    return {name: " ".join(text.split()) for name, text in texts.items()}
