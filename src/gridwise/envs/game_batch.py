"""GameBatch: many games of one kind at once, as arrays, stepped by compiled code.

No Python loop goes over games, except where an opponent can only be asked about one at a time.
Everything handed out is a fresh copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gridwise.arena.boards import MAX_DEALS
from gridwise.arena.observation import Observation, shape
from gridwise.core.bits import bit_indices
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.outcome import MAX_PLIES
from gridwise.core.position import Position
from gridwise.core.rng import FACTOR, STEP, mix
from gridwise.engine.compiled.kernels import compiled_board, kernel, state_type
from gridwise.envs.batch_kernels import (
    deal_games,
    draw_actions,
    first_illegal,
    observe_games,
    step_games,
)
from gridwise.envs.shared.env_options import (
    NO_TURN,
    PLAYER_SEEDS,
    SIDE_SEEDS,
    Opponent,
    Side,
    asked_opponent,
    check_illegal,
    check_side,
    is_random,
)
from gridwise.errors import BadBoard, IllegalMove

Int64s: TypeAlias = npt.NDArray[np.int64]
UInt64s: TypeAlias = npt.NDArray[np.uint64]
Bools: TypeAlias = npt.NDArray[np.bool_]


class StepResult(NamedTuple):
    """What a step did, for each game."""

    rewards: npt.NDArray[np.float64]
    ended: Bools
    stopped: Bools
    winners: Int64s
    illegal: Bools

    @classmethod
    def empty(cls, count: int) -> StepResult:
        """The result of games that were not stepped."""
        no = [np.zeros(count, np.bool_) for _ in range(3)]
        return cls(np.zeros(count), no[0], no[1], np.zeros(count, np.int64), no[2])


def new_streams(seeds: UInt64s) -> Int64s:
    """Where the streams with these seeds begin: `core.rng.Stream` for arrays."""
    return mix(seeds).view(np.int64)  # type: ignore[arg-type, attr-defined, no-any-return]


def draw_below(streams: Int64s, chosen: Bools, limit: int) -> Int64s:
    """`Stream.below` for the chosen streams, which move on."""
    moved = streams[chosen].view(np.uint64) * np.uint64(FACTOR) + np.uint64(STEP)
    streams[chosen] = moved.view(np.int64)
    return ((moved >> np.uint64(33)) * np.uint64(limit) >> np.uint64(31)).astype(np.int64)


class GameBatch:
    """The games, each with its own board, state, agent and stream of random numbers."""

    def __init__(
        self, game: Game, board: Board, count: int, *, opponent: Opponent, side: Side, illegal: str
    ) -> None:
        self.game, self.board, self.count = game, board, count
        self.everyone = np.ones(count, np.bool_)
        self.plies = np.zeros(count, np.int64)
        self._side = check_side(side, opponent)
        self.sides = np.full(count, self._side if self._side in (1, 2) else 0)
        self._random = int(is_random(opponent))
        self.opponent = asked_opponent(opponent, game, batched=True)
        self.interrupted = False  # whether an opponent has failed to answer: nobody can go on
        self._illegal = check_illegal(illegal)
        self._max_plies = MAX_PLIES if game.cyclic else 0
        # Who was first, and the actions. Without a limit each uses up a cell for one player.
        self._history = np.zeros((count, 1 + (self._max_plies or 2 * board.size)), np.int8)
        self._cells = np.zeros((count, board.size), np.int64)
        self._bind()
        self._states = np.zeros((count, len(self._state_type._fields)), np.int64)  # type: ignore[attr-defined]
        self._legal = np.zeros(count, np.int64)  # the actions that are legal, as sets
        self._episodes = np.zeros(count, np.int64)
        self._streams = np.zeros(count, np.int64)
        # Sides and random actions have streams of their own, so that they do not change deals.
        self._side_streams = np.zeros(count, np.int64)
        self._action_streams = np.zeros(count, np.int64)
        self._shape = shape(game, board)
        self._buffer = np.zeros(self._shape[0], np.int64)

    def _bind(self) -> None:
        """Get the compiled code, which belongs to the process."""
        game = self.game
        self._state_type = state_type(game)
        self._compiled_board = compiled_board(self.board)
        self._deal = kernel(game, deal_games)
        self._step = kernel(game, step_games)
        self._observe = kernel(game, observe_games)
        self._draw = kernel(game, draw_actions)

    # Copying and pickling: compiled code does not travel.

    def __getstate__(self) -> dict[str, Any]:
        bound = {"_state_type", "_compiled_board", "_deal", "_step", "_observe", "_draw"}
        return {name: value for name, value in self.__dict__.items() if name not in bound}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        self.__dict__.update(attributes)
        self._bind()

    # What can be seen

    @property
    def turns(self) -> Int64s:
        """Who is to move in each game."""
        return self._states[:, 0].copy()

    def true_board(self, number: int) -> Board:
        """The board of one game, face-down cells included: never for a player."""
        return self.board.with_cells(self._cells[number].tolist())

    def position(self, number: int) -> Position:
        """One game as a player is given it: the board as far as it has been seen."""
        state = self._state_type(*self._states[number].tolist())
        first, *actions = self._history[number, : 1 + self.plies[number]].tolist()
        board = self.true_board(number)
        return Position.from_state(self.game, board, state, first, tuple(actions))

    def observe(self, chosen: Bools) -> Observation:
        """What the agents see, and what is legal; zeros for games that are not chosen."""
        make = np.empty if chosen is self.everyone else np.zeros
        return self._observations(make, self._cells, self._states, self._legal, self.sides, chosen)

    def observations(self, numbers: Sequence[int]) -> Observation:
        """The same of some games, stacked, each from the side of the player to move."""
        count = len(numbers)
        arrays = (array[numbers] for array in (self._cells, self._states, self._legal))
        movers, chosen = np.zeros(count, np.int64), np.ones(count, np.bool_)
        return self._observations(np.empty, *arrays, movers, chosen)

    def _observations(self, make: Any, *arrays: Any) -> Observation:  # noqa: ANN401 - see the kernel
        count = len(arrays[0])
        planes = make((count, *self._shape), np.int8)
        masks = make((count, self.game.actions(self.board)), np.int8)
        flat = planes.reshape(*planes.shape[:2], -1)
        self._observe(self._compiled_board, *arrays, flat, masks, self._buffer)
        return {"observation": planes, "action_mask": masks}

    def random_actions(self) -> Int64s:
        """A legal action for each game, each equally likely; 0 where the game is over."""
        actions = np.empty(self.count, np.int64)
        self._draw(self._legal, self._action_streams, actions)
        return actions

    # What can be done

    def seed(self, seeds: UInt64s, chosen: Bools) -> None:
        """Start the streams of the chosen games, and count their episodes from the first."""
        self._streams[chosen] = new_streams(seeds)[chosen]
        self._side_streams[chosen] = new_streams(seeds ^ np.uint64(SIDE_SEEDS))[chosen]
        self._action_streams[chosen] = new_streams(~seeds)[chosen]
        self._episodes[chosen] = 0

    def deal(self, chosen: Bools) -> None:
        """Start new games in the chosen places."""
        if self._side == "alternate":
            self.sides[chosen] = 1 + self._episodes[chosen] % 2
            self._episodes[chosen] += 1
        elif self._side == "random":
            self.sides[chosen] = 1 + draw_below(self._side_streams, chosen, 2)
        rules = self.game.rules
        choices, toss = rules.HIGH - rules.LOW + 1, int(self.game.coin_toss)
        for _ in range(MAX_DEALS):
            failed = self._deal(
                self._compiled_board, self._cells, self._states, self._legal, self.plies,
                self._history, self._streams, self.sides, chosen, rules.LOW, choices, toss,
                self._random,
            )  # fmt: skip
            if failed:
                break
            if self.opponent is None:
                return
            seeds = draw_below(self._streams, chosen, PLAYER_SEEDS).tolist()
            for number, seed in zip(np.flatnonzero(chosen).tolist(), seeds, strict=True):
                self.opponent.begin(number, seed)
            result = StepResult.empty(self.count)
            self._reply(chosen, result)
            chosen = result.ended | result.stopped
            if not chosen.any():
                return
        raise BadBoard(NO_TURN.format(tries=MAX_DEALS))

    def step(self, actions: Int64s, chosen: Bools) -> StepResult:
        """Play an action in each chosen game, and the opponent's answers.

        Raises IllegalMove, and changes nothing, if an action is not legal and that is the policy.
        """
        if self._illegal == "raise":
            self._check(actions, chosen)
        result = StepResult.empty(self.count)
        self._play(actions, chosen, result)
        if self.opponent is not None:
            self._reply(chosen & ~result.illegal, result)
        return result

    def _play(self, actions: Int64s, chosen: Bools, result: StepResult) -> None:
        self._step(
            self._compiled_board, self._cells, self._states, self._legal, self.plies, self._history,
            self._streams, self.sides, chosen, actions, self._random, int(self._illegal == "lose"),
            self._max_plies, *result,
        )  # fmt: skip

    def _reply(self, chosen: Bools, result: StepResult) -> None:
        """Let the opponent play in the chosen games until it is the agent's turn."""
        self.interrupted = True
        while self.opponent:
            over = result.ended | result.stopped
            waiting = chosen & ~over & (self._states[:, 0] != self.sides)
            numbers = np.flatnonzero(waiting).tolist()
            if not numbers:
                break
            actions = np.zeros(self.count, np.int64)
            actions[numbers] = self.opponent.choose(self, numbers)
            self._check(actions, waiting, "The opponent's action")
            self._play(actions, waiting, result)
        self.interrupted = False

    def _check(self, actions: Int64s, chosen: Bools, whose: str = "Action") -> None:
        found = kernel(self.game, first_illegal)(self._legal, chosen, actions)
        if found >= 0:
            legal = bit_indices(int(self._legal[found]))
            raise IllegalMove(
                f"{whose} {actions[found]} is not legal now in game {found}. "
                f"Possible: {' '.join(map(str, legal))}."
            )
