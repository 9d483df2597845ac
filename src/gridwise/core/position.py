"""Position: where a game stands, as far as anybody has seen it. Everything else talks about this.

    position = Position("number-run", "31425/25134/42513/14252/53142")
    position.after("0,1").after("3,4").legal_moves

A Position never changes and cannot hold what nobody has seen: its constructor blanks the cells that
are face down. Where a move turns cells up, the one who knows the true board (a Match, a dealer, a
chance node) hands it to `after`, and the new Position keeps what the move has revealed and no more.

`replay` is the one place where a list of moves is played from a board.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from gridwise.core.bits import bit_indices
from gridwise.core.board import DIRECTIONS, Board
from gridwise.core.contracts import Objective, Question, State
from gridwise.core.defaults import with_trails
from gridwise.core.game import Game
from gridwise.core.narration import NEUTRAL, Names, result_line
from gridwise.core.outcome import Outcome
from gridwise.core.registry import game as game_named
from gridwise.core.view import CellView, View, place_cells
from gridwise.errors import (
    BadRequest,
    GridwiseError,
    IllegalMove,
    OutOfTurn,
    UnreadableMove,
    quoted,
)

# Each position has all the moves before it, so a long game takes room by the square of its length:
# the positions of this many moves take 0.1 GB.
MAX_MOVES = 5_000


@dataclass(frozen=True, slots=True, init=False)
class Position:
    """A game, the board as far as it has been seen, and the moves that led here.

    `Position(game, board, first=1, moves=…)` replays moves from a board; without `board` it is the
    game's standard board, where there is one. A game that was ended otherwise than by its rules (a
    resignation, a limit of plies) has that `outcome`.
    """

    game: Game
    board: Board
    state: State  # only rules and kernels look inside
    first: int
    history: tuple[int, ...]  # the actions played
    before: State | None = field(compare=False)  # the state before the last move
    outcome: Outcome | None = field(compare=False)  # how it ended; None while it goes on
    legal_mask: int = field(compare=False)  # the legal actions as a set of bits

    def __init__(
        self,
        game: Game | str,
        board: Board | str | None = None,
        *,
        first: int = 1,
        moves: Iterable[str | int] = (),
    ) -> None:
        (last,) = deque(replay(game, board, first, moves), maxlen=1)
        for name in Position.__slots__:
            object.__setattr__(self, name, getattr(last, name))

    @staticmethod
    def from_state(
        game: Game,
        true_board: Board,
        state: State,
        first: int = 1,
        history: tuple[int, ...] = (),
        before: State | None = None,
    ) -> Position:
        """The position of a state that the rules or a kernel have produced; nothing is checked.

        What nobody has seen of `true_board` is blanked. Once a game is over all of it is shown.
        """
        legal = game.rules.moves(true_board, state)
        outcome, board = None, true_board
        if not legal:
            ending = game.text.ending(true_board, state)
            winner = game.rules.winner(true_board, state)
            outcome = Outcome(winner, ending.termination, ending.reason)
        elif game.has_hidden_cells:
            board = true_board.without(game.rules.hidden(true_board, state))
        return _made(game, board, state, first, history, before, outcome, legal)

    # What is the case

    @property
    def turn(self) -> int:
        """The player to move; 0 once the game is over."""
        return 0 if self.outcome else int(self.state.turn)

    @property
    def legal(self) -> tuple[int, ...]:
        """The legal actions, in the order in which moves are shown."""
        ordered = self.game.text.in_display_order
        return tuple(ordered(self.board, self.state, bit_indices(self.legal_mask)))

    @property
    def legal_moves(self) -> list[str]:
        """The legal moves as text, in the order in which they are shown."""
        return list(self.named_moves.values())

    @property
    def named_moves(self) -> dict[int, str]:
        """The legal actions, each with its text."""
        legal = self.legal
        names = self.game.text.action_names(self.board, self.state, legal)
        return dict(zip(legal, names, strict=True))

    @property
    def key(self) -> tuple[Game, Board, State]:
        """What the rest of the game depends on: the same however the position came about."""
        return self.game, self.board, self.state

    @property
    def hidden(self) -> int:
        """The set of cells that nobody has seen."""
        return self.game.rules.hidden(self.board, self.state)

    @property
    def scores(self) -> tuple[int, int] | None:
        """Points of Player 1 and Player 2, where the game has points."""
        return self.game.text.scores(self.state)

    @property
    def last_cell(self) -> int:
        """The cell of the last move; -1 before the first."""
        if self.before is None:
            return -1
        return self.game.text.target(self.board, self.before, self.history[-1])

    @property
    def moves(self) -> list[str]:
        """What was played, as text."""
        name, board = self.game.text.action_name, self.board
        return [name(board, state, action) for state, action in self._played()]

    def _played(self) -> Iterator[tuple[State, int]]:
        """Each action with the state that it was played in."""
        rules, board = self.game.rules, self.board
        state = rules.start(board, self.first)
        for action in self.history:
            yield state, action
            state = rules.play(board, state, action)

    # Moves

    def name(self, action: int) -> str:
        """An action as the game writes it."""
        return self.game.text.action_name(self.board, self.state, action)

    def target(self, action: int) -> int:
        """The cell a legal action goes to."""
        return self.game.text.target(self.board, self.state, action)

    def cell_name(self, cell: int) -> str:
        """A cell as the game writes it."""
        return self.game.text.NOTATION.cell_name(self.board, cell)

    @property
    def move_initials(self) -> frozenset[str]:
        """The letters, in lower case, with which a typed move can begin on this board."""
        words = [
            *self.legal_moves,
            *self.game.text.NOTATION.cell_names(self.board),
            "row",
            "column",
        ]
        words += filter(self._is_readable, DIRECTIONS)
        return frozenset(word[0].casefold() for word in words if word[0].isalpha())

    def _is_readable(self, move: str) -> bool:
        """Whether the game can make sense of a text as a move, legal or not."""
        try:
            self.game.text.parse_action(self.board, self.state, move)
        except UnreadableMove:
            return False
        except IllegalMove:
            pass
        return True

    def is_legal(self, action: int) -> bool:
        """Whether an action can be played now."""
        return action >= 0 and bool(self.legal_mask >> action & 1)

    def reveals(self, action: int) -> int:
        """The set of face-down cells that a legal action turns up."""
        hidden, board = self.game.rules.hidden, self.board
        after = self.game.rules.play(board, self.state, action)
        return hidden(board, self.state) & ~hidden(board, after)

    def read(self, move: str | int) -> int:
        """The legal action that a text or a number means; otherwise a MoveError says why not."""
        if self.outcome:
            raise OutOfTurn(f"The game is over: {self.outcome.reason}.")
        try:
            return self._legal_action(move)
        except (UnreadableMove, IllegalMove) as error:
            refused = type(error)(f"{error} Possible: {' '.join(self.legal_moves)}.")
            refused.why = str(error)
            raise refused from None

    def _legal_action(self, move: str | int) -> int:
        text, board, state = self.game.text, self.board, self.state
        action = text.parse_action(board, state, move) if isinstance(move, str) else move
        if self.is_legal(action):
            return action
        if isinstance(move, str):
            raise IllegalMove(text.why_not(board, state, action))
        raise IllegalMove(f"Action {move} is not legal now.")

    def after(self, move: str | int, true_board: Board | None = None) -> Position:
        """The position after a move, given as text or as an action; raises MoveError.

        A move that turns up cells needs a board that knows them; without it BadBoard is raised.
        """
        return self.play(self.read(move), true_board)

    def play(self, action: int, true_board: Board | None = None) -> Position:
        """The position after an action that is known to be legal: nothing is checked."""
        game, board = self.game, true_board or self.board
        state = game.rules.play(board, self.state, action)
        if game.has_hidden_cells:
            game.check_turned_up(board, state)
        history = (*self.history, action)
        return Position.from_state(game, board, state, self.first, history, self.state)

    def ended(self, outcome: Outcome, true_board: Board | None = None) -> Position:
        """The position with the game at its end, though the rules would let it go on.

        A game that has a winner shows the whole board: `true_board`, where it is known.
        """
        board = true_board if true_board and outcome.winner else self.board
        same = self.state, self.first, self.history, self.before
        return _made(self.game, board, *same, outcome, 0)

    def heuristic_score(self, action: int) -> float:
        """How good a legal move looks at first sight; 0 where the game has no heuristic."""
        heuristic = self.game.heuristic
        return heuristic.score(self.board, self.state, action) if heuristic else 0.0

    # Words and pictures

    def question(self, action: int) -> Question | None:
        """The second question of a move, if it has one."""
        return self.game.text.question(self.board, self.state, action)

    @property
    def turn_lines(self) -> list[str]:
        """The dialogue's lines before the player to move is asked."""
        return self.game.text.turn_lines(self.board, self.state)

    @property
    def move_prompt(self) -> str:
        """The dialogue's line that asks for a move."""
        return self.game.text.prompt(self.board, self.state)

    def move_lines(self, after: Position) -> list[str]:
        """The dialogue's lines about the move that led from here to `after`."""
        return self.game.text.move_lines(after.board, self.state, after.history[-1], after.state)

    def last_line(self, names: Names = NEUTRAL) -> str:
        """The move that led here in one line; empty before the first."""
        say, before = self.game.text.log_line, self.before
        return say(self.board, before, self.history[-1], self.state, names) if before else ""

    def result_line(self, names: Names = NEUTRAL) -> str:
        """Who has won and how, of a game that is over; empty while it goes on."""
        return result_line(self.outcome, self.scores, names) if self.outcome else ""

    def objective(self, player: int) -> Objective:
        """What a player has and needs to win."""
        return self.game.text.objective(self.board, self.state, player)

    @property
    def ending_lines(self) -> list[str]:
        """The dialogue's last lines, of a game that is over by its rules."""
        return self.game.text.ending(self.board, self.state).lines

    @property
    def bare_cells(self) -> list[CellView]:
        """The cells as they can be seen, without their names and moves."""
        text, played = self.game.text, (self.game.rules, self.board, self.first, self.history)
        cells = text.cell_views(self.board, self.state)
        return with_trails(cells, *played) if text.DRAWING.trails else cells

    @property
    def view(self) -> View:
        """What can be shown: each cell with the moves that go to it."""
        board, state, text = self.board, self.state, self.game.text
        names = text.NOTATION.cell_names(board)
        row_labels, col_labels = text.NOTATION.labels(board)
        moves: dict[int, dict[int, str]] = {}  # by the cell that they go to
        for action, name in self.named_moves.items():
            moves.setdefault(self.target(action), {})[action] = name
        return View(
            game=self.game.key,
            title=self.game.title,
            rows=board.rows,
            cols=board.cols,
            row_labels=row_labels,
            col_labels=col_labels,
            cells=place_cells(self.bare_cells, names, moves),
            turn=self.turn,
            result=self.outcome.result if self.outcome else "",
            scores=text.scores(state),
            caption=text.caption(state),
            drawing=text.DRAWING,
            last=self.last_cell,
        )

    def __str__(self) -> str:
        return str(self.view)

    def _repr_svg_(self) -> str:
        return self.view._repr_svg_()


def log_lines(positions: Iterable[Position], names: Names = NEUTRAL) -> list[str]:
    """Every move of a game in one line, from its positions."""
    return [after.last_line(names) for after in [*positions][1:]]


class Player(Protocol):
    """Anything that can choose a move from what can be seen. People are asked elsewhere."""

    name: str

    def choose(self, position: Position) -> int:
        """One of the legal actions."""


def replay(
    game: Game | str,
    board: Board | str | None = None,
    first: int = 1,
    moves: Iterable[str | int] = (),
) -> Iterator[Position]:
    """The positions from the start on, one more after each move; each is blanked as of then.

    Raises GridwiseError for a board that cannot be played on, and for the first move that cannot be
    made: the message names it by its number.
    """
    game = game_named(game) if isinstance(game, str) else game
    if board is None:
        board = game.default_board()
    board = game.parse_board(board) if isinstance(board, str) else game.check_board(board)
    position = start(game, board, game.check_first(first))
    yield position
    for number, move in enumerate(moves, 1):
        if number > MAX_MOVES:
            raise BadRequest(f"At most {MAX_MOVES:,} moves can be replayed.")
        try:
            position = position.after(move, board)
        except GridwiseError as error:
            raise type(error)(f"Move {number}, {quoted(str(move))}: {error}") from None
        yield position


def start(game: Game, true_board: Board, first: int = 1) -> Position:
    """The first position on a board that has been checked."""
    return Position.from_state(game, true_board, game.rules.start(true_board, first), first)


# The class is frozen; its own construction writes past that. One by one, because environments make
# a Position at every step: a loop over the names takes three times as long.
_game, _board, _state, _first, _history, _before, _outcome, _legal_mask = (
    Position.__dict__[name].__set__ for name in Position.__slots__
)


def _made(
    game: Game,
    board: Board,
    state: State,
    first: int,
    history: tuple[int, ...],
    before: State | None,
    outcome: Outcome | None,
    legal_mask: int,
) -> Position:
    """A Position of these fields, whose board is blanked."""
    made = object.__new__(Position)
    _game(made, game)
    _board(made, board)
    _state(made, state)
    _first(made, first)
    _history(made, history)
    _before(made, before)
    _outcome(made, outcome)
    _legal_mask(made, legal_mask)
    return made
