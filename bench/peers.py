"""What ours is compared with: Connect Four, and our games as two peers know games.

The latter for comparing speed (here) and answers (in the tests).

easyAI's solver is Negamax with a table, deeper and deeper. OpenSpiel's is alpha-beta in Python, on
a game written in Python in the way OpenSpiel documents. Both go by our interpreted rules; neither
can tell that a game is endless: to them nobody wins within so many plies.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from typing import NamedTuple

import pyspiel
from easyAI import TranspositionTable, TwoPlayerGame, solve_with_iterative_deepening
from open_spiel.python.algorithms import minimax

from gridwise import Board, Game
from gridwise.core.bits import bit_indices
from gridwise.core.contracts import State

DEEPEST_PLIES = 30  # plies; what OpenSpiel looks ahead unless told otherwise


def connect_four() -> Callable[[], int]:
    """Random games of OpenSpiel's C++ Connect Four, driven from Python; each call plays one."""
    game, rng = pyspiel.load_game("connect_four"), random.Random(1)

    def one_game() -> int:
        state = game.new_initial_state()
        plies = 0
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            plies += 1
        return plies

    return one_game


class OutOfPatienceError(Exception):
    """A peer takes too long."""


class Clock:
    """Ends a search that nobody wants to wait for."""

    def __init__(self, seconds: float = math.inf) -> None:
        self.end = time.process_time() + seconds

    def look(self) -> None:
        """Raise OutOfPatienceError when it is time."""
        if time.process_time() > self.end:
            raise OutOfPatienceError


class EasyGame(TwoPlayerGame):  # type: ignore[misc]
    """One of our games for easyAI, which passes the turn after every move, come what may."""

    def __init__(self, played: Game, board: Board, state: State, clock: Clock) -> None:
        self.rules, self.board, self.state, self.clock = played.rules, board, state, clock
        self.current_player = state.turn
        self.players = [None, None]

    def copy(self) -> EasyGame:
        """A copy, to try a move in; easyAI's own copy is a deep one, and far slower."""
        twin = object.__new__(EasyGame)
        twin.__dict__.update(self.__dict__)
        return twin

    def possible_moves(self) -> list[int]:
        """The legal actions; -1 for a turn that the rules skip."""
        if self.state.turn != self.current_player and not self.is_over():
            return [-1]
        return list(bit_indices(self.rules.moves(self.board, self.state)))

    def make_move(self, move: int) -> None:
        """Play an action."""
        if move >= 0:
            self.state = self.rules.play(self.board, self.state, move)

    def is_over(self) -> bool:
        """Whether nobody can move."""
        self.clock.look()
        return not self.rules.moves(self.board, self.state)

    def scoring(self) -> float:
        """Plus or minus 100 for the current player once somebody has won."""
        winner = self.rules.winner(self.board, self.state)
        return 0.0 if winner in (0, 3) else 100.0 if winner == self.current_player else -100.0

    def ttentry(self) -> tuple[int, ...]:
        """The key for the table."""
        return (self.current_player, *self.state)


_TYPE = pyspiel.GameType(
    short_name="bench",
    long_name="A board of ours",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
)


class SearchedBoard(NamedTuple):
    """What OpenSpiel's states are about; they are copied at every move, and this is not."""

    played: Game
    board: Board
    state: State  # where to begin
    clock: Clock


_tables: list[SearchedBoard] = []  # the last one is being solved


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """The board being solved, as an OpenSpiel game written in Python."""

    def __init__(self, params: object = None) -> None:
        actions = _tables[-1].played.actions(_tables[-1].board) if _tables else 1
        info = pyspiel.GameInfo(
            num_distinct_actions=actions, max_chance_outcomes=0, num_players=2,
            min_utility=-1.0, max_utility=1.0, utility_sum=0.0, max_game_length=200,
        )  # fmt: skip
        super().__init__(_TYPE, info, params or {})

    def new_initial_state(self) -> SpielState:
        """The first position."""
        return SpielState(self)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position of it."""

    def __init__(self, of: SpielGame) -> None:
        super().__init__(of)
        self.state = _tables[-1].state

    def _seen(self) -> tuple[Game, Board, State]:
        played, board, _, clock = _tables[-1]
        clock.look()
        return played, board, self.state

    def current_player(self) -> int:
        """The player to move, counted from 0."""
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else int(self.state.turn) - 1

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        played, board, state = self._seen()
        return not played.rules.moves(board, state)

    def returns(self) -> list[float]:
        """What each player gets."""
        played, board, state = self._seen()
        winner = played.rules.winner(board, state)
        return [0.0, 0.0] if winner in (0, 3) else [3.0 - 2 * winner, 2 * winner - 3.0]

    def _legal_actions(self, _player: int) -> list[int]:
        played, board, state = self._seen()
        return list(bit_indices(played.rules.moves(board, state)))

    def _apply_action(self, action: int) -> None:
        played, board, state = self._seen()
        self.state = played.rules.play(board, state, action)

    def __str__(self) -> str:
        return str(self.state)


pyspiel.register_game(_TYPE, SpielGame)


def by_easy_ai(
    played: Game, board: Board, state: State, clock: Clock, deepest: int = DEEPEST_PLIES
) -> int:
    """1 if the player to move wins, -1 if the other does, 0 if nobody does within some plies."""
    opening = EasyGame(played, board, state, clock)
    depths = range(1, deepest + 1)
    table = TranspositionTable()
    found = solve_with_iterative_deepening(opening, depths, win_score=90, tt=table, verbose=False)
    return int(found[0])


def by_open_spiel(
    played: Game, board: Board, state: State, clock: Clock, deepest: int = DEEPEST_PLIES
) -> int:
    """1, -1 or 0 for the player to move, by OpenSpiel's alpha-beta search in Python."""
    _tables.append(SearchedBoard(played, board, state, clock))
    value, _ = minimax.alpha_beta_search(
        SpielGame(),
        value_function=lambda _: 0.0,
        maximum_depth=deepest,
        maximizing_player_id=state.turn - 1,
    )
    return int(value)
