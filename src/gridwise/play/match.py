"""Match: the arbiter of one game.

It owns the true board. It checks every move, keeps what was played, takes moves back, and says who
has won and why. What it hands out is a Position, a View or a Record, none of which can hold a cell
that nobody has seen.
"""

from __future__ import annotations

from collections.abc import Iterable

from gridwise.core.board import Board
from gridwise.core.contracts import State
from gridwise.core.game import Game
from gridwise.core.outcome import Outcome, Termination, resignation, time_out, unfinished
from gridwise.core.position import Position, start
from gridwise.core.registry import game as game_named
from gridwise.core.rng import Rng, SecretStream, derive_seed, random_stream
from gridwise.core.view import View
from gridwise.errors import BadRequest, OutOfTurn
from gridwise.play.records import Record

HUMAN = "human"  # a person; `human:Ann` is one with a name


def is_person(player: str) -> bool:
    """Whether a player, as records have it, is a person."""
    return player.partition(":")[0] == HUMAN


def one_person(players: tuple[str, str]) -> int:
    """The one player who is a person; 0 where two people or two programs play."""
    one, two = map(is_person, players)
    return 0 if one == two else 1 if one else 2


def first_player(game: Game, first: int | None, rng: Rng) -> int:
    """The player who begins: as asked for, by a coin toss, or Player 1."""
    if first is None:
        return 1 + int(rng.random() * 2) if game.coin_toss else 1
    return game.check_first(first)


class Match:
    """One game from the deal to the result.

    `board` may be a Board, its text, or None for a uniform deal; cells it does not know are dealt.
    The same `seed` gives the same deal and the same coin toss on every machine: a known seed is a
    known board. Without one, nobody can compute what is hidden from what was shown. `max_plies`
    stops a game that could go on for ever. `moves` are played from the start.
    """

    def __init__(
        self,
        game: Game | str,
        board: Board | str | None = None,
        *,
        first: int | None = None,
        seed: int | str | None = None,
        max_plies: int | None = None,
        moves: Iterable[str | int] = (),
    ) -> None:
        self.game = game_named(game) if isinstance(game, str) else game
        rng = random_stream(seed)
        # Not the stream of the deal: what is turned up again and again would give it away.
        self._redeals = SecretStream(None if seed is None else derive_seed(seed, "re-deal"))
        if board is None:
            board = self.game.deal(rng)
        elif isinstance(board, str):
            board = self.game.parse_board(board)
        else:
            board = self.game.check_board(board)
        self._true_board = self.game.deal_unknown(board, rng)
        self.first = first_player(self.game, first, rng)
        self._max_plies = max_plies
        self._last = start(self.game, self._true_board, self.first)  # where the moves have led
        # The states before it, one for each move. Positions are made of them when asked for: each
        # has all the moves before it, and a server holds thousands of matches.
        self._states: list[State] = []
        self._ended: Outcome | None = None  # by a resignation, the clock or an agreement
        self.resigned = 0  # the player who has given up, if one has
        for move in moves:
            self.move(move)

    @classmethod
    def resume(
        cls, record: Record, seed: int | str | None = None, max_plies: int | None = None
    ) -> Match:
        """A match that goes on where a record stops; cells nobody has seen are dealt afresh."""
        return cls(
            record.game,
            record.board,
            first=record.first,
            seed=seed,
            max_plies=max_plies,
            moves=record.moves,
        )

    def __repr__(self) -> str:
        board = self.game.board_text(self.board)
        return f"Match({self.game.key!r}, {board!r}, first={self.first}, moves={self.moves})"

    def __str__(self) -> str:
        return str(self.view)

    def _repr_svg_(self) -> str:
        return self.view._repr_svg_()

    # What can be seen

    @property
    def position(self) -> Position:
        """What a player is given to choose a move from."""
        position, limit = self._last, self._max_plies
        if self._ended:
            return position.ended(self._ended, self._true_board)
        if limit is not None and len(position.history) >= limit and not position.outcome:
            return position.ended(unfinished(limit))
        return position

    @property
    def positions(self) -> list[Position]:
        """Every position so far, the first one included."""
        return [*map(self.position_after, range(len(self._states))), self.position]

    def position_after(self, plies: int) -> Position:
        """The position after so many of the moves."""
        if plies == len(self._states):
            return self._last
        state, history = self._states[plies], self.actions[:plies]
        before = self._states[plies - 1] if plies else None
        return Position.from_state(self.game, self._true_board, state, self.first, history, before)

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None while it goes on."""
        return self.position.outcome

    @property
    def board(self) -> Board:
        """The board as far as it has been seen; all of it once somebody has won."""
        return self.position.board

    @property
    def true_board(self) -> Board:
        """The board with its face-down cells: for storing the game, never for a player."""
        return self._true_board

    @property
    def view(self) -> View:
        """What can be shown."""
        return self.position.view

    @property
    def turn(self) -> int:
        """The player to move; 0 when the game is over."""
        return self.position.turn

    @property
    def actions(self) -> tuple[int, ...]:
        """What was played, as action numbers."""
        return self._last.history

    @property
    def moves(self) -> list[str]:
        """What was played, as text."""
        board, name = self._last.board, self.game.text.action_name
        played = zip(self._states, self.actions, strict=True)
        return [name(board, state, action) for state, action in played]

    @property
    def movers(self) -> list[int]:
        """The player who made each of the moves."""
        return [int(state.turn) for state in self._states]

    def moves_of(self, player: int) -> int:
        """How many moves a player has made."""
        return self.movers.count(player)

    @property
    def legal_moves(self) -> list[str]:
        """The moves that can be made now; none when the game is over."""
        return self.position.legal_moves

    def record(self, players: tuple[str, str] = (HUMAN, HUMAN), date: str = "") -> Record:
        """What has been played so far, as a record."""
        outcome = self.outcome
        return Record(
            game=self.game,
            board=self.board,
            first=self.first,
            moves=tuple(self.moves),
            result=outcome.mark if outcome else "*",
            ending=outcome.termination if outcome else None,
            termination=outcome.reason if outcome else "unfinished",
            players=players,
            date=date,
        )

    # What can be done

    def read(self, move: str | int) -> int:
        """The legal action that a text or a number means now; raises MoveError."""
        return self.position.read(move)

    def move(self, move: str | int, player: int = 0) -> int:
        """Play a move, by its text or number; raises MoveError and changes nothing if it is none.

        `player`, where given, must be the one whose turn it is.
        """
        position = self.position
        action = position.read(move)
        if player and player != position.turn:
            raise OutOfTurn(f"It is Player {position.turn}'s turn, not Player {player}'s.")
        self._last = position.play(action, self._true_board)
        self._states.append(position.state)
        return action

    def undo(self) -> None:
        """Take back the last move, a resignation, or the agreement to stop.

        Cells that are face down again are dealt afresh: having seen them is no advantage.
        """
        if not self._ended and not self.actions:
            raise OutOfTurn("There is no move to take back.")
        plies = len(self.actions) - (not self._ended)
        self.rewind(plies, self.redealt(plies))

    def redealt(self, plies: int) -> Board:
        """The true board for going back to that many moves: what is hidden again is dealt anew."""
        hidden = self.position_after(plies).hidden
        return self.game.deal_unknown(self._true_board.without(hidden), self._redeals)

    def rewind(self, plies: int, true_board: Board) -> None:
        """Go back to that many moves, to go on with a board that `redealt` has given.

        Nothing is played again: what was seen until then is the same on both boards.
        """
        self._ended, self.resigned = None, 0
        self._last, self._true_board = self.position_after(plies), true_board
        del self._states[plies:]

    def resign(self, player: int = 0) -> None:
        """Give the game up, for the player to move unless another is named."""
        self._check_going_on()
        if player not in (0, 1, 2):
            raise BadRequest(f"Player 1 or Player 2 can resign, not {player}.")
        self.resigned = player or self.turn
        self._ended = resignation(self.resigned)

    def time_out(self, player: int) -> None:
        """End the game: a player's clock has run out."""
        self._check_going_on()
        self._ended = time_out(player)

    def stop(self, reason: str) -> None:
        """End the game without a winner."""
        self._check_going_on()
        self._ended = Outcome(0, Termination.AGREEMENT, reason)

    def _check_going_on(self) -> None:
        outcome = self.outcome
        if outcome:
            raise OutOfTurn(f"The game is over: {outcome.reason}.")
