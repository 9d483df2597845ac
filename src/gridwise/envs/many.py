"""Many games of one kind at once, as arrays, stepped by compiled code.

No loop here goes over games, except where an opponent can only be asked about one game at a time.
Everything handed out is fresh.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gridwise.core.bits import members
from gridwise.core.board import Board
from gridwise.core.game import Game, Position, State
from gridwise.core.playout import CAP
from gridwise.engine.twin import kernel, state_type, twin_board
from gridwise.envs.batch import deal_games, draw_actions, first_illegal, observe_games, step_games
from gridwise.envs.observation import Int8s, shape
from gridwise.envs.opponents import Answers, answers_of
from gridwise.envs.options import NO_TURN, TRIES, Opponent, Side
from gridwise.envs.streams import Int64s, below, sources
from gridwise.errors import BadBoard, IllegalMove

Bools: TypeAlias = npt.NDArray[np.bool_]


class Outcome(NamedTuple):
    """What became of a step, for each game."""

    rewards: npt.NDArray[np.float64]
    ended: Bools
    stopped: Bools
    winners: Int64s
    illegal: Bools


def nothing(count: int) -> Outcome:
    """What becomes of games that are not stepped."""
    no = [np.zeros(count, np.bool_) for _ in range(3)]
    return Outcome(np.zeros(count), no[0], no[1], np.zeros(count, np.int64), no[2])


class ManyGames:
    """The games, each with its own board, state, agent and stream of random numbers."""

    def __init__(
        self, game: Game, board: Board, count: int, *, opponent: Opponent, side: Side, illegal: str
    ) -> None:
        self.game, self.board, self.count = game, board, count
        self.everyone = np.ones(count, np.bool_)
        self.plies = np.zeros(count, np.int64)
        # 0 where the agent plays for both.
        self.sides = np.full(count, side if opponent is not None and side in (1, 2) else 0)
        self._side = None if opponent is None else side
        self._random = int(opponent == "random")
        self._answers: Answers | None = None
        self.torn = False  # whether an opponent has failed to answer, so that nobody can go on
        if opponent is not None and not self._random:
            self._answers = answers_of(game, opponent)
        self._illegal = illegal
        self._cap = CAP if game.cyclic else 0
        # Who was first, and the actions. Without a cap each uses up a cell for one of the players.
        self._history = np.zeros((count, 1 + (self._cap or 2 * board.size)), np.int8)
        self._cells = np.zeros((count, board.size), np.int64)
        self._bind()
        self._states = np.zeros((count, len(self._state_type._fields)), np.int64)  # type: ignore[attr-defined]
        self._legal = np.zeros(count, np.int64)  # the actions that are legal, as sets
        self._episodes = np.zeros(count, np.int64)
        self._streams = np.zeros(count, np.int64)
        self._lots = np.zeros(count, np.int64)  # what actions are drawn with; deals do not notice
        self._planes = shape(game, board)
        self._room = np.zeros(self._planes[0], np.int64)

    def _bind(self) -> None:
        """Make what belongs to the process: compiled code, and what it takes."""
        game = self.game
        self._state_type = state_type(game)
        self._twin = twin_board(self.board)
        self._deal = kernel(game, deal_games)
        self._step = kernel(game, step_games)
        self._observe = kernel(game, observe_games)
        self._draw = kernel(game, draw_actions)

    # Copying: compiled code need not travel.

    def __getstate__(self) -> dict[str, Any]:
        bound = ("_state_type", "_twin", "_deal", "_step", "_observe", "_draw")
        return {name: value for name, value in self.__dict__.items() if name not in bound}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._bind()

    # What is known

    @property
    def turns(self) -> Int64s:
        """Who is to move in each game."""
        return self._states[:, 0].copy()

    def state(self, number: int) -> State:
        """The state of one game."""
        return self._state_type(*self._states[number].tolist())

    def position(self, number: int) -> Position:
        """What a player is given of one game: the board as far as it has been seen."""
        cells = tuple(self._cells[number].tolist())
        board = self.board
        board = Board(board.rows, board.cols, cells, board.target, board.handicap)
        state = self.state(number)
        first, *actions = self._history[number, : 1 + self.plies[number]].tolist()
        return Position(self.game, self.game.seen(board, state), state, first, tuple(actions))

    def observe(self, chosen: Bools) -> dict[str, Int8s]:
        """What the agents see, and what is legal; zeros for games that are not chosen."""
        make = np.empty if chosen is self.everyone else np.zeros
        seen = make((self.count, *self._planes), np.int8)
        legal = make((self.count, self.game.actions(self.board)), np.int8)
        self._look(self._cells, self._states, self._legal, self.sides, chosen, seen, legal)
        return {"observation": seen, "action_mask": legal}

    def as_seen_by_mover(self, numbers: Int64s) -> tuple[Int8s, Int8s]:
        """The observations and masks of some games, from the side of the player to move."""
        count = len(numbers)
        seen = np.empty((count, *self._planes), np.int8)
        legal = np.empty((count, self.game.actions(self.board)), np.int8)
        movers, chosen = np.zeros(count, np.int64), np.ones(count, np.bool_)
        kept = (self._cells, self._states, self._legal)
        self._look(*(array[numbers] for array in kept), movers, chosen, seen, legal)
        return seen, legal

    def _look(self, *args: Any) -> None:  # noqa: ANN401 - as the kernel takes them
        *given, seen, legal = args
        self._observe(self._twin, *given, seen.reshape(*seen.shape[:2], -1), legal, self._room)

    def random_actions(self) -> Int64s:
        """A legal action for each game, each equally likely; 0 where the game is over."""
        actions = np.empty(self.count, np.int64)
        self._draw(self._legal, self._lots, actions)
        return actions

    # What can be done

    def seed(self, seeds: npt.NDArray[np.uint64], chosen: Bools) -> None:
        """Begin the streams of the chosen games, and count their episodes from the first."""
        self._streams[chosen] = sources(seeds)[chosen]
        self._lots[chosen] = sources(~seeds)[chosen]
        self._episodes[chosen] = 0

    def deal(self, chosen: Bools) -> None:
        """Start the chosen games afresh."""
        if self._side == "alternate":
            self.sides[chosen] = 1 + self._episodes[chosen] % 2
            self._episodes[chosen] += 1
        elif self._side == "random":
            self.sides[chosen] = 1 + below(self._streams, chosen, 2)
        rules = self.game.rules
        choices, toss = rules.HIGH - rules.LOW + 1, int(self.game.coin_toss)
        for _ in range(TRIES):
            failed = self._deal(
                self._twin, self._cells, self._states, self._legal, self.plies, self._history,
                self._streams, self.sides, chosen, rules.LOW, choices, toss, self._random,
            )  # fmt: skip
            if failed:
                break
            if self._answers is None:
                return
            self._answers.begin(chosen, self._streams)
            outcome = nothing(self.count)
            self._reply(chosen, outcome)
            chosen = outcome.ended | outcome.stopped
            if not chosen.any():
                return
        raise BadBoard(NO_TURN.format(tries=TRIES))

    def step(self, actions: Int64s, chosen: Bools) -> Outcome:
        """Play an action in each chosen game, and the opponent's answers.

        Raises IllegalMove, and changes nothing, if an action is not legal and that is the policy.
        """
        if self._illegal == "raise":
            self._check(actions, chosen)
        outcome = nothing(self.count)
        self._play(actions, chosen, outcome)
        if self._answers is not None:
            self._reply(chosen & ~outcome.illegal, outcome)
        return outcome

    def _play(self, actions: Int64s, chosen: Bools, outcome: Outcome) -> None:
        self._step(
            self._twin, self._cells, self._states, self._legal, self.plies, self._history,
            self._streams, self.sides, chosen, actions, self._random, int(self._illegal == "lose"),
            self._cap, *outcome,
        )  # fmt: skip

    def _reply(self, chosen: Bools, outcome: Outcome) -> None:
        """Let the opponent play in the chosen games until it is the agent's turn."""
        self.torn = True
        while True:
            over = outcome.ended | outcome.stopped
            waiting = chosen & ~over & (self._states[:, 0] != self.sides)
            numbers = np.flatnonzero(waiting)
            if not len(numbers) or self._answers is None:
                self.torn = False
                return
            actions = np.zeros(self.count, np.int64)
            actions[numbers] = self._answers.choose(self, numbers)
            self._check(actions, waiting, "The opponent's action")
            self._play(actions, waiting, outcome)

    def _check(self, actions: Int64s, chosen: Bools, whose: str = "Action") -> None:
        found = kernel(self.game, first_illegal)(self._legal, chosen, actions)
        if found >= 0:
            legal = members(int(self._legal[found]))
            raise IllegalMove(
                f"{whose} {actions[found]} is not legal now in game {found}. "
                f"Possible: {' '.join(map(str, legal))}."
            )
