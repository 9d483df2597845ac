"""GameBatch: many games of one kind at once, as arrays, stepped by compiled code; and BatchBot.

Environments, studies and matches between bots play on it. No Python loop goes over games, except
where an opponent can only be asked about one at a time. Everything handed out is a fresh copy.

Importing this module imports numba.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from gridwise.core.bits import bit_indices
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.outcome import MAX_DEALS
from gridwise.core.position import Position
from gridwise.core.rng import FACTOR, STEP, mix
from gridwise.engine.batch_kernels import (
    Dealing,
    GameRows,
    ObservationRows,
    Stepping,
    StepRows,
    advance_games,
    choose_by_heuristic,
    draw_actions,
    first_illegal,
)
from gridwise.engine.bots import settings_of
from gridwise.engine.compiled.kernels import (
    compiled_board,
    kernel,
    register_numba_type,
    state_type,
    state_width,
)
from gridwise.engine.compiled.threads import Threads
from gridwise.engine.deals import NO_TURN, OPPONENT_SEEDS, SIDE_SEEDS
from gridwise.engine.exact.batch_solver import (
    NOT_LEGAL,
    SolvedBoards,
    solve_positions,
    solve_states,
)
from gridwise.engine.exact.best_actions import BestActions
from gridwise.engine.observation import Observation, shape
from gridwise.errors import BadBoard, IllegalMove

Int64s: TypeAlias = npt.NDArray[np.int64]
UInt64s: TypeAlias = npt.NDArray[np.uint64]
Bools: TypeAlias = npt.NDArray[np.bool_]

DRAWN_CHUNK = 2048  # games that a thread draws actions for at a time, 15 to 30 µs
CHOSEN_CHUNK = 256  # the same where a bot looks at them
MIN_SHARED = 2048  # games; fewer are done before another thread has woken up
TOO_LARGE = -1  # in place of an action: the position cannot be solved in a batch


class Opponent(Protocol):
    """Who plays against the agent of a batch."""

    def begin(self, number: int, seed: int) -> None:
        """A new game with this number starts; `seed` is for whatever is drawn in it."""

    def answer(self, games: GameBatch, waiting: Bools) -> Int64s:
        """A legal action for each of the games that are waiting."""


class BatchBot:
    """A bot of any level in many games at once, on boards like `board`; a stream for each game.

    Perfect plays one of the moves that `engine.bots.SearchBot` would choose from.
    """

    def __init__(
        self, game: Game, board: Board, level: str, streams: Int64s, threads: Threads
    ) -> None:
        self._game, self._streams, self._threads = game, streams, threads
        self._board = compiled_board(board)
        self._best = BestActions(game, board, threads) if level == "perfect" else None
        settings = settings_of(game, level)
        self._settings = settings and register_numba_type(settings)

    def choose(self, cells: Int64s, states: Int64s, legal: Int64s, chosen: Bools) -> Int64s:
        """An action for each of the chosen games, which are rows of arrays, or TOO_LARGE."""
        actions = np.zeros(len(states), np.int64)
        if self._settings is None:
            sets = self._best.find(cells, states, chosen) if self._best else legal
            kernel(self._game, draw_actions)(np.where(chosen, sets, 0), self._streams, actions)
            actions[chosen & (sets == 0)] = TOO_LARGE
            return actions

        def choose_part(rows: slice) -> None:
            room = np.zeros((2, self._board.size), np.int64)
            kernel(self._game, choose_by_heuristic)(
                self._board, cells[rows], states[rows], chosen[rows], self._streams[rows],
                actions[rows], self._settings, self._game.rules.LOW, room[0], room[1],
            )  # fmt: skip

        self._threads.run(choose_part, len(states), CHOSEN_CHUNK)
        return actions


def nothing_happened(count: int) -> StepRows:
    """What a step did in games that were not stepped."""
    no = [np.zeros(count, np.bool_) for _ in range(3)]
    return register_numba_type(
        StepRows(np.zeros(count), no[0], no[1], np.zeros(count, np.int64), no[2])
    )


class _Turn(NamedTuple):
    """What the kernel is to do, as it takes it: `advance_games`."""

    rows: GameRows
    playing: Bools
    actions: Int64s
    stepping: Stepping
    step: StepRows
    dealt: Bools
    dealing: Dealing
    seen: Bools
    observed: ObservationRows


def new_streams(seeds: UInt64s) -> Int64s:
    """Where the streams with these seeds begin: `core.rng.Stream` for arrays."""
    return mix(seeds).view(np.int64)  # type: ignore[arg-type, attr-defined, no-any-return]


def system_numbers(count: int) -> Int64s:
    """Numbers of the system's randomness, for streams that nobody can compute from each other."""
    return np.frombuffer(os.urandom(8 * count), np.int64)


def draw_below(streams: Int64s, chosen: Bools, limit: int) -> Int64s:
    """`Stream.below` for the chosen streams, which move on."""
    moved = streams[chosen].view(np.uint64) * np.uint64(FACTOR) + np.uint64(STEP)
    streams[chosen] = moved.view(np.int64)
    return ((moved >> np.uint64(33)) * np.uint64(limit) >> np.uint64(31)).astype(np.int64)


class GameBatch:
    """The games, each with its own board, state, agent and stream of random numbers."""

    def __init__(
        self,
        game: Game,
        boards: Sequence[Board],
        count: int,
        *,
        fair: bool = False,
        opponent: Opponent | None = None,
        random_opponent: bool = False,
        side: int | str = 0,
        illegal: str = "lose",
        max_plies: int = 0,
        threads: Threads | None = None,
    ) -> None:
        """Boards are of one size, target and handicap; their cells that are 0 are dealt.

        `side` is the player that is the agent, "alternate" or "random", or 0 where the agent plays
        both; a random opponent draws from the game's own stream. An illegal action can "lose" the
        game, "raise" an error or do nothing. `max_plies` is 0 for no limit.
        """
        self.game, self.board, self.count = game, boards[0], count
        self._boards, self._fair = tuple(boards), fair
        self._threads = threads or Threads()
        self.everyone = np.ones(count, np.bool_)
        self._side = side
        self.opponent = opponent
        self._random = int(random_opponent)
        self.interrupted = False  # whether an opponent has failed to answer: nobody can go on
        self._illegal = illegal
        self._stepping = Stepping(self._random, int(illegal == "lose"), max_plies)
        # Who was first, and the actions. Without a limit each uses up a cell for one player.
        longest = 1 + (max_plies if game.cyclic else 2 * self.board.size)
        self.cells = np.zeros((count, self.board.size), np.int64)
        self.states = np.zeros((count, state_width(game)), np.int64)
        self.legal = np.zeros(count, np.int64)  # the actions that are legal, as sets
        self.plies = np.zeros(count, np.int64)
        self._history = np.zeros((count, longest), np.int8)
        self._streams = np.zeros(count, np.int64)
        self.sides = np.full(count, side if side in (1, 2) else 0)
        self._episodes = np.zeros(count, np.int64)
        self._seeds = np.zeros(count, np.uint64)
        # Whether each deal has a stream of its own, so that no opponent can compute the next one.
        self.secret = False
        # Sides and random actions have streams of their own, so that they do not change deals.
        self._side_streams = np.zeros(count, np.int64)
        self._action_streams = np.zeros(count, np.int64)
        self._shape = shape(game, self.board)
        self._bind()

    def _bind(self) -> None:
        """Get the compiled code, which belongs to the process, and the arrays it works on."""
        game = self.game
        self._state_type = state_type(game)
        self._compiled_board = compiled_board(self.board)
        self._rows = register_numba_type(
            GameRows(
                self.cells, self.states, self.legal, self.plies, self._history, self._streams,
                self.sides,
            )
        )  # fmt: skip
        self._dealing = self._dealing_on(self._boards, fair=self._fair)
        self._advance = kernel(game, advance_games)
        self._draw = kernel(game, draw_actions)
        register_numba_type(self._stepping)
        nobody = np.zeros(self.count, np.bool_)
        self._idle = _Turn(
            self._rows, nobody, np.zeros(0, np.int64), self._stepping, nothing_happened(0), nobody,
            self._dealing, nobody, self._new_observations(0, np.empty)[0],
        )  # fmt: skip

    def _dealing_on(
        self,
        boards: Sequence[Board],
        *,
        fair: bool = False,
        own: bool = False,
        first: int | None = None,
    ) -> Dealing:
        rules = self.game.rules
        if first is None:
            first = 0 if self.game.coin_toss else 1
        choices = rules.HIGH - rules.LOW + 1
        cells = np.array([board.cells for board in boards], np.int64)
        return register_numba_type(
            Dealing(cells, int(own), rules.LOW, choices, int(fair), first, self._random)
        )

    # Copying and pickling: compiled code does not travel.

    def __getstate__(self) -> dict[str, Any]:
        bound = {
            "_state_type", "_compiled_board", "_rows", "_dealing", "_idle", "_advance",
            "_draw",
        }  # fmt: skip
        return {name: value for name, value in self.__dict__.items() if name not in bound}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        self.__dict__.update(attributes)
        self._bind()

    # What can be seen

    @property
    def turns(self) -> Int64s:
        """Who is to move in each game."""
        return self.states[:, 0].copy()

    @property
    def seeds(self) -> UInt64s:
        """The seed of each game's series."""
        return self._seeds.copy()

    def true_board(self, number: int) -> Board:
        """The board of one game, face-down cells included: never for a player."""
        return self.board.with_cells(self.cells[number].tolist())

    def position(self, number: int) -> Position:
        """One game as a player is given it: the board as far as it has been seen."""
        state = self._state_type(*self.states[number].tolist())
        first, *actions = self._history[number, : 1 + self.plies[number]].tolist()
        board = self.true_board(number)
        return Position.from_state(self.game, board, state, first, tuple(actions))

    def observe(self, chosen: Bools) -> Observation:
        """What the agents see, and what is legal; zeros for games that are not chosen."""
        make = np.empty if chosen is self.everyone else np.zeros
        observed, seen = self._new_observations(self.count, make)
        self._run(self._idle._replace(seen=chosen, observed=observed))
        return seen

    def observations(self, numbers: Sequence[int]) -> Observation:
        """What players to move see in some games, stacked."""
        rows = GameRows(*(array[numbers] for array in self._rows))
        rows = rows._replace(sides=np.zeros(len(numbers), np.int64))
        observed, seen = self._new_observations(len(numbers), np.empty)
        chosen = self.everyone[: len(numbers)]
        self._run(self._idle._replace(rows=rows, seen=chosen, observed=observed))
        return seen

    def _new_observations(self, count: int, make: Any) -> tuple[ObservationRows, Observation]:  # noqa: ANN401 - `np.empty` and the like
        planes = make((count, *self._shape), np.int8)
        masks = make((count, self.game.actions(self.board)), np.int8)
        observed = ObservationRows(planes.reshape(count, math.prod(self._shape)), masks)
        return register_numba_type(observed), {"observation": planes, "action_mask": masks}

    def random_actions(self) -> Int64s:
        """A legal action for each game, each equally likely; 0 where the game is over."""
        actions = np.empty(self.count, np.int64)

        def draw_part(rows: slice) -> None:
            self._draw(self.legal[rows], self._action_streams[rows], actions[rows])

        self._threads.run(draw_part, self.count, DRAWN_CHUNK)
        return actions

    def labels(self) -> dict[str, npt.NDArray[Any]]:
        """What each position and its actions are worth to the player to move: `exact_labels`."""
        solved = solve_states(self.game, self.board, self.cells, self.states, self._threads.count)
        return exact_labels(solved, self.legal)

    # What can be done

    def seed(self, seeds: UInt64s, chosen: Bools) -> None:
        """Start the streams of the chosen games, and count their episodes from the first."""
        self._seeds[chosen] = seeds[chosen]
        self._streams[chosen] = new_streams(seeds)[chosen]
        self._side_streams[chosen] = new_streams(seeds ^ np.uint64(SIDE_SEEDS))[chosen]
        self._action_streams[chosen] = new_streams(~seeds)[chosen]
        self._episodes[chosen] = 0

    def start(self, cells: Int64s) -> None:
        """Start a game on each of these boards, Player 1 first; some may be over at once."""
        dealing = self._dealing_on(self._boards, own=True, first=1)._replace(boards=cells)
        self._run(self._idle._replace(dealt=self.everyone, dealing=dealing))

    def deal(
        self, chosen: Bools, boards: Sequence[Board] | None = None, first: int | None = None
    ) -> None:
        """Start new games in the chosen places, for once on other boards or with this player first.

        Of several `boards` each game has its own.
        """
        dealing = self._dealing
        if boards is not None:
            dealing = self._dealing_on(boards, own=len(boards) > 1, first=first)
        elif first is not None:
            dealing = self._dealing_on(self._boards, fair=self._fair, first=first)
        self._choose_sides(chosen)
        if self.secret:
            self._streams[chosen] = system_numbers(self.count)[chosen]
        for _ in range(MAX_DEALS):
            if self._run(self._idle._replace(dealt=chosen, dealing=dealing)):
                break
            chosen = self._begin(chosen)
            if not chosen.any():
                return
        raise BadBoard(NO_TURN.format(tries=MAX_DEALS))

    def _choose_sides(self, chosen: Bools) -> None:
        if self._side == "alternate":
            self.sides[chosen] = 1 + self._episodes[chosen] % 2
            self._episodes[chosen] += 1
        elif self._side == "random":
            self.sides[chosen] = 1 + draw_below(self._side_streams, chosen, 2)

    def _begin(self, chosen: Bools) -> Bools:
        """Let the opponent begin; the games that were over before the agent had a turn."""
        if self.opponent is None:
            return np.zeros(0, np.bool_)
        seeds = draw_below(self._streams, chosen, OPPONENT_SEEDS).tolist()
        for number, seed in zip(np.flatnonzero(chosen).tolist(), seeds, strict=True):
            self.opponent.begin(number, seed)
        step = nothing_happened(self.count)
        self._reply(chosen, step)
        early: Bools = step.ended | step.stopped
        return early

    def step(self, actions: Int64s, chosen: Bools) -> StepRows:
        """Play an action in each chosen game, and the opponent's answers.

        Raises IllegalMove, and changes nothing, if an action is not legal and that is the policy.
        """
        if self._illegal == "raise":
            self.check(actions, chosen)
        step = nothing_happened(self.count)
        self._play(actions, chosen, step)
        if self.opponent is not None:
            self._reply(chosen & ~step.illegal, step)
        return step

    def advance(self, actions: Int64s, over: Bools) -> tuple[StepRows, Observation]:
        """A step of the games that are not over, new deals for those that are, and what all see."""
        playing = ~over
        if self.opponent is not None or (self._side not in (0, 1, 2) and over.any()):
            step = self.step(actions, playing)
            if over.any():
                self.deal(over)
            return step, self.observe(self.everyone)
        if self._illegal == "raise":
            self.check(actions, playing)
        step = nothing_happened(self.count)
        observed, seen = self._new_observations(self.count, np.empty)
        failed = self._run(
            self._idle._replace(
                playing=playing, actions=actions, step=step, dealt=over, seen=self.everyone,
                observed=observed,
            )
        )  # fmt: skip
        if failed:
            raise BadBoard(NO_TURN.format(tries=MAX_DEALS))
        return step, seen

    def _run(self, turn: _Turn) -> int:
        """Run the kernel on all threads; in how many games it failed."""
        count, failed = len(turn.rows.states), 0

        def advance(rows: slice) -> None:
            nonlocal failed
            buffer = np.empty(self._shape[0], np.int64)
            failed += self._advance(self._compiled_board, *turn, rows.start, rows.stop, buffer)

        shared = max(MIN_SHARED // 2, -(-count // (2 * self._threads.count)))
        self._threads.run(advance, count, count if count < MIN_SHARED else shared)
        return failed

    def _play(self, actions: Int64s, chosen: Bools, step: StepRows) -> None:
        self._run(self._idle._replace(playing=chosen, actions=actions, step=step))

    def _reply(self, chosen: Bools, step: StepRows) -> None:
        """Let the opponent play in the chosen games until it is the agent's turn."""
        self.interrupted = True
        while self.opponent:
            over = step.ended | step.stopped
            waiting = chosen & ~over & (self.states[:, 0] != self.sides)
            if not waiting.any():
                break
            actions = self.opponent.answer(self, waiting)
            self._play(actions, waiting, step)
        self.interrupted = False

    def check(self, actions: Int64s, chosen: Bools, whose: str = "Action") -> None:
        """Raise IllegalMove unless the actions of the chosen games are legal."""
        game = kernel(self.game, first_illegal)(self.legal, chosen, actions)
        if game >= 0:
            legal = bit_indices(int(self.legal[game]))
            raise IllegalMove(
                f"{whose} {actions[game]} is not legal now in game {game}. "
                f"Possible: {' '.join(map(str, legal))}."
            )


def exact_labels(solved: SolvedBoards, legal: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
    """What positions and their actions are worth, for `info`; `legal` has the sets of actions.

    | name | |
    |---|---|
    | `value` | 1 for a win, -1 for a loss, 0 for a draw or a game that nobody can win |
    | `distance` | plies to the end when both play perfectly; 0 where there is none |
    | `action_values` | `value` for each action; -128 where it is not legal |
    | `optimal_actions` | 1 for the actions that are worth as much as the position, else 0 |

    Once a game is over, however it ended, there is nothing to choose: the first two are 0, and no
    action is legal.
    """
    going_on = legal != 0
    values = np.where(going_on[:, None], solved.action_value, np.int8(NOT_LEGAL))
    return {
        "value": np.where(going_on, solved.value, np.int8(0)),
        "distance": np.where(going_on, solved.distance, np.int16(0)),
        "action_values": values,
        "optimal_actions": (going_on[:, None] & solved.best).astype(np.int8),
    }


def labels_of(position: Position) -> dict[str, Any]:
    """The labels of one game."""
    solved = solve_positions([position], threads=1)
    labels = exact_labels(solved, np.array([position.legal_mask]))
    return {name: values[0] for name, values in labels.items()}
