"""Match: the arbiter of one game.

It owns the true board. It checks every move, keeps what was played, takes moves back, and says who
has won and why. What it hands out is a Position or a View, with the cells nobody has seen blanked;
code that must not know a value never holds it.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from gridwise.core.board import Board
from gridwise.core.game import RESULTS, Game, Position, State
from gridwise.core.registry import game as game_of
from gridwise.core.view import View
from gridwise.errors import BadRequest, IllegalMove, OutOfTurn

# By what `winner` returns; a game without a winner has no result of its own.
RESULT_MARKS = ("*", "1-0", "0-1", "1/2-1/2")


class Outcome(NamedTuple):
    """How a game ended."""

    winner: int  # 1, 2, 3 for a draw, 0 for a game that was stopped
    reason: str

    @property
    def mark(self) -> str:
        """`1-0`, `0-1`, `1/2-1/2` or `*`."""
        return RESULT_MARKS[self.winner]

    @property
    def result(self) -> str:
        """`p1`, `p2`, `draw`, or empty."""
        return RESULTS[self.winner]


def who_is_first(game: Game, first: int | None, rng: random.Random) -> int:
    """The player who begins: as asked for, by a coin toss, or Player 1."""
    if first is None:
        return 1 + int(rng.random() * 2) if game.coin_toss else 1
    if first not in (1, 2):
        raise BadRequest(f"Player 1 or Player 2 can be first, not {first}.")
    if first == 2 and not game.coin_toss:
        raise BadRequest(f"In {game.title} Player 1 always moves first.")
    return first


class Match:
    """One game from the deal to the result.

    `board` may be a Board, its text, or None for a uniform deal; cells it does not know are dealt.
    The same `seed` gives the same deal and the same coin toss on every machine.
    """

    def __init__(
        self,
        game: Game | str,
        board: Board | str | None = None,
        *,
        first: int | None = None,
        seed: int | str | None = None,
        cap: int | None = None,
    ) -> None:
        self.game = game_of(game) if isinstance(game, str) else game
        self._rng = random.Random(None if seed is None else f"gridwise deal {seed}")
        if board is None:
            board = self.game.deal(self._rng)
        elif isinstance(board, str):
            board = self.game.parse_board(board)
        else:
            board = self.game.check_board(board)
        self._board = self.game.deal_unknown(board, self._rng)
        self.first = who_is_first(self.game, first, self._rng)
        self.cap = cap
        self.version = 0
        self._states: list[State] = [self.game.rules.start(self._board, self.first)]
        self._actions: list[int] = []
        self._resigned = 0
        self._stopped = ""
        self.outcome = self._judged()  # how it ended, or None while it goes on

    def __repr__(self) -> str:
        board = self.game.board_text(self.board)
        return f"Match({self.game.key!r}, {board!r}, first={self.first}, moves={self.moves})"

    # What can be seen

    @property
    def state(self) -> State:
        """The present state."""
        return self._states[-1]

    @property
    def board(self) -> Board:
        """The board as far as it has been seen; all of it once the game has ended."""
        if self.outcome and self.outcome.winner:
            return self._board
        return self.game.seen(self._board, self.state)

    @property
    def dealt(self) -> Board:
        """The true board, face-down cells and all: for whoever keeps the game, never for a player.

        It changes only when a move is taken back, with the cells that are dealt afresh.
        """
        return self._board

    @property
    def position(self) -> Position:
        """What a player is given to choose a move from."""
        return Position(self.game, self.board, self.state, self.first, self.actions)

    @property
    def view(self) -> View:
        """What can be shown."""
        last = -1
        if self._actions:
            last = self.game.words.target(self._board, self._states[-2], self._actions[-1])
        stopped = self.outcome.winner if self.outcome else None
        return self.game.view(self._board, self.state, last, stopped)

    @property
    def turn(self) -> int:
        """The player to move; 0 when the game is over."""
        return 0 if self.outcome else int(self.state.turn)

    @property
    def actions(self) -> tuple[int, ...]:
        """What was played, as action numbers."""
        return tuple(self._actions)

    @property
    def moves(self) -> list[str]:
        """What was played, as text."""
        name = self.game.words.action_name
        played = zip(self._states, self._actions, strict=False)
        return [name(self._board, state, action) for state, action in played]

    @property
    def movers(self) -> list[int]:
        """The player who made each of the moves."""
        return [state.turn for state in self._states[: len(self._actions)]]

    @property
    def legal_moves(self) -> list[str]:
        """The moves that can be made now; none when the game is over."""
        return [] if self.outcome else self.game.legal_moves(self.board, self.state)

    # What can be done

    def read(self, text: str) -> int:
        """The legal action that `text` means now; raises MoveError."""
        self._must_go_on()
        return self.game.read_move(self.board, self.state, text)

    def move(self, text: str, player: int = 0, version: int | None = None) -> int:
        """Play the move that `text` means; raises MoveError and changes nothing if it is none."""
        self._must_be_due(player, version)
        action = self.read(text)
        self.play(action)
        return action

    def play(self, action: int, player: int = 0, version: int | None = None) -> None:
        """Play an action. `player` and `version`, where given, must be the present ones."""
        self._must_be_due(player, version)
        if action < 0 or not self.position.legal >> action & 1:
            possible = " ".join(self.legal_moves)
            raise IllegalMove(f"Action {action} is not legal now. Possible: {possible}.")
        self._states.append(self.game.rules.play(self._board, self.state, action))
        self._actions.append(action)
        self._changed()

    def undo(self) -> None:
        """Take the last move back, or a resignation, or that the game was stopped.

        Cells that are face down again are dealt afresh: whoever has seen them knows nothing.
        """
        if self._resigned or self._stopped:
            self._resigned, self._stopped = 0, ""
        elif self._actions:
            self._actions.pop()
            self._states.pop()
        else:
            raise OutOfTurn("There is no move to take back.")
        hidden = self.game.rules.hidden(self._board, self.state)
        self._board = self.game.deal_unknown(self._board.without(hidden), self._rng)
        self._changed()

    def resign(self, player: int = 0) -> None:
        """Give the game up, for the player to move unless another is named."""
        self._must_go_on()
        if player not in (0, 1, 2):
            raise BadRequest(f"Player 1 or Player 2 can resign, not {player}.")
        self._resigned = player or self.turn
        self._changed()

    def stop(self, reason: str) -> None:
        """End the game without a result."""
        self._must_go_on()
        self._stopped = reason
        self._changed()

    def _judged(self) -> Outcome | None:
        if self._resigned:
            return Outcome(3 - self._resigned, f"Player {self._resigned} resigned")
        if self._stopped:
            return Outcome(0, self._stopped)
        winner = self.game.rules.winner(self._board, self.state)
        if winner:
            return Outcome(winner, self.game.words.reason(self._board, self.state))
        if self.cap is not None and len(self._actions) >= self.cap:
            return Outcome(0, f"unfinished after {self.cap} plies")
        return None

    def _changed(self) -> None:
        self.version += 1
        self.outcome = self._judged()

    def _must_go_on(self) -> None:
        if self.outcome:
            raise OutOfTurn(f"The game is over: {self.outcome.reason}.")

    def _must_be_due(self, player: int, version: int | None) -> None:
        self._must_go_on()
        if version is not None and version != self.version:
            raise OutOfTurn(f"The game has moved on: it is at {self.version}, not at {version}.")
        if player and player != self.turn:
            raise OutOfTurn(f"It is Player {self.turn}'s turn, not Player {player}'s.")
