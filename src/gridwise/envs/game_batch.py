"""GameBatch: many games of one kind at once, as arrays, stepped by compiled code.

No Python loop goes over games, except where an opponent can only be asked about one at a time.
Everything handed out is a fresh copy.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gridwise.arena.boards import MAX_DEALS
from gridwise.arena.observation import Observation, shape
from gridwise.arena.players import BatchPlayer
from gridwise.core.bits import bit_indices
from gridwise.core.board import Board
from gridwise.core.position import Position
from gridwise.core.rng import FACTOR, STEP, mix
from gridwise.engine.compiled.kernels import compiled_board, kernel, pinned, state_type
from gridwise.engine.compiled.shared_rows import SharedRows
from gridwise.engine.compiled.threads import Threads
from gridwise.engine.exact.batch_solver import solve_states
from gridwise.envs.batch_kernels import (
    Dealing,
    GameRows,
    ObservationRows,
    Stepping,
    StepRows,
    advance_games,
    draw_actions,
    first_illegal,
)
from gridwise.envs.shared.board_source import BoardSource
from gridwise.envs.shared.env_options import (
    NO_TURN,
    PLAYER_SEEDS,
    SIDE_SEEDS,
    Opponent,
    Side,
    asked_opponent,
    check_illegal,
    check_side,
    is_perfect,
    is_random,
)
from gridwise.envs.shared.exact_labels import exact_labels
from gridwise.envs.shared.heuristic_player import HeuristicPlayer
from gridwise.envs.shared.perfect_player import PerfectPlayer
from gridwise.errors import BadBoard, IllegalMove

Int64s: TypeAlias = npt.NDArray[np.int64]
UInt64s: TypeAlias = npt.NDArray[np.uint64]
Bools: TypeAlias = npt.NDArray[np.bool_]

DRAWN_CHUNK = 2048  # games that a thread draws actions for at a time, 15 to 30 µs
MIN_SHARED = 2048  # games; fewer are done before another thread has woken up


def nothing_happened(count: int) -> StepRows:
    """What a step did in games that were not stepped."""
    no = [np.zeros(count, np.bool_) for _ in range(3)]
    return pinned(StepRows(np.zeros(count), no[0], no[1], np.zeros(count, np.int64), no[2]))


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
        source: BoardSource,
        count: int,
        *,
        opponent: Opponent,
        side: Side,
        illegal: str,
        max_plies: int,
        threads: Threads,
    ) -> None:
        self.game, self.board, self.count, self._source = source.game, source.board, count, source
        self._threads = threads
        self.everyone = np.ones(count, np.bool_)
        self._side = check_side(side, opponent)
        self.opponent = asked_opponent(opponent, self.game, self.board, count, threads)
        self._random = int(is_random(opponent))
        # A bot that samples spends its time in compiled code, a fresh bot for each game.
        self._searches = is_perfect(opponent) and self.game.has_hidden_cells
        self.interrupted = False  # whether an opponent has failed to answer: nobody can go on
        self._illegal = check_illegal(illegal)
        self._stepping = Stepping(self._random, int(self._illegal == "lose"), max_plies)
        # Who was first, and the actions. Without a limit each uses up a cell for one player.
        longest = 1 + (max_plies if self.game.cyclic else 2 * self.board.size)
        width = len(state_type(self.game)._fields)  # type: ignore[attr-defined]
        self._cells = np.zeros((count, self.board.size), np.int64)
        self._states = np.zeros((count, width), np.int64)
        self._legal = np.zeros(count, np.int64)  # the actions that are legal, as sets
        self.plies = np.zeros(count, np.int64)
        self._history = np.zeros((count, longest), np.int8)
        self._streams = np.zeros(count, np.int64)
        self.sides = np.full(count, self._side if self._side in (1, 2) else 0)
        self._episodes = np.zeros(count, np.int64)
        self._seeds = np.zeros(count, np.uint64)
        # Whether each deal has a stream of its own, so that no opponent can compute the next one.
        self.secret = False
        # Sides and random actions have streams of their own, so that they do not change deals.
        self._side_streams = np.zeros(count, np.int64)
        self._action_streams = np.zeros(count, np.int64)
        self._shape = shape(self.game, self.board)
        self._bind()

    def _bind(self) -> None:
        """Get the compiled code, which belongs to the process, and the arrays it works on."""
        game = self.game
        self._state_type = state_type(game)
        self._compiled_board = compiled_board(self.board)
        self._rows = pinned(
            GameRows(
                self._cells, self._states, self._legal, self.plies, self._history, self._streams,
                self.sides,
            )
        )  # fmt: skip
        self._dealing = self._dealing_from(self._source)
        self._advance = kernel(game, advance_games)
        self._draw = kernel(game, draw_actions)
        pinned(self._stepping)
        nobody = np.zeros(self.count, np.bool_)
        self._idle = _Turn(
            self._rows, nobody, np.zeros(0, np.int64), self._stepping, nothing_happened(0), nobody,
            self._dealing, nobody, self._new_observations(0, np.empty)[0],
        )  # fmt: skip

    def _dealing_from(
        self, source: BoardSource, *, own: bool = False, first: int | None = None
    ) -> Dealing:
        rules, boards = self.game.rules, [board.cells for board in source.templates]
        if first is None:
            first = 0 if self.game.coin_toss else 1
        choices = rules.HIGH - rules.LOW + 1
        cells = np.array(boards, np.int64)
        fair = int(source.fair)
        return pinned(Dealing(cells, int(own), rules.LOW, choices, fair, first, self._random))

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
        return self._states[:, 0].copy()

    @property
    def seeds(self) -> UInt64s:
        """The seed of each game's series."""
        return self._seeds.copy()

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
        observed, seen = self._new_observations(self.count, make)
        self._run(self._idle._replace(seen=chosen, observed=observed))
        return seen

    def observations(self, numbers: Sequence[int]) -> Observation:
        """The same of some games, stacked, each from the side of the player to move."""
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
        return pinned(observed), {"observation": planes, "action_mask": masks}

    def random_actions(self) -> Int64s:
        """A legal action for each game, each equally likely; 0 where the game is over."""
        actions = np.empty(self.count, np.int64)

        def draw_part(rows: slice) -> None:
            self._draw(self._legal[rows], self._action_streams[rows], actions[rows])

        self._threads.run(draw_part, self.count, DRAWN_CHUNK)
        return actions

    def labels(self) -> dict[str, npt.NDArray[Any]]:
        """What each position and its actions are worth to the player to move, exactly."""
        solved = solve_states(self.game, self.board, self._cells, self._states, self._threads.count)
        return exact_labels(solved, self._legal)

    # What can be done

    def seed(self, seeds: UInt64s, chosen: Bools) -> None:
        """Start the streams of the chosen games, and count their episodes from the first."""
        self._seeds[chosen] = seeds[chosen]
        self._streams[chosen] = new_streams(seeds)[chosen]
        self._side_streams[chosen] = new_streams(seeds ^ np.uint64(SIDE_SEEDS))[chosen]
        self._action_streams[chosen] = new_streams(~seeds)[chosen]
        self._episodes[chosen] = 0

    def deal(
        self, chosen: Bools, source: BoardSource | None = None, first: int | None = None
    ) -> None:
        """Start new games in the chosen places, for once on other boards or with this player first.

        Of several boards in `source` each game has its own.
        """
        dealing = self._dealing
        if source is not None or first is not None:
            own = source is not None and len(source.templates) > 1
            dealing = self._dealing_from(source or self._source, own=own, first=first)
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
        seeds = draw_below(self._streams, chosen, PLAYER_SEEDS).tolist()
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
            self._check(actions, chosen)
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
            self._check(actions, playing)
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
        shared = SharedRows(len(turn.rows.states))

        def advance() -> None:
            buffer = np.empty(self._shape[0], np.int64)
            self._advance(self._compiled_board, *turn, buffer, shared.pointer)

        if self._threads.count > 1 and self.count >= MIN_SHARED:
            self._threads.share(advance, shared.finished)
        else:
            advance()
        return shared.failed

    def _play(self, actions: Int64s, chosen: Bools, step: StepRows) -> None:
        self._run(self._idle._replace(playing=chosen, actions=actions, step=step))

    def _reply(self, chosen: Bools, step: StepRows) -> None:
        """Let the opponent play in the chosen games until it is the agent's turn."""
        self.interrupted = True
        while self.opponent:
            over = step.ended | step.stopped
            waiting = chosen & ~over & (self._states[:, 0] != self.sides)
            if not waiting.any():
                break
            actions = self._answers(self.opponent, waiting)
            self._play(actions, waiting, step)
        self.interrupted = False

    def _answers(self, opponent: BatchPlayer, waiting: Bools) -> Int64s:
        """The opponent's actions, which must be legal."""
        if isinstance(opponent, PerfectPlayer):
            return opponent.choose_rows(self._cells, self._states, waiting, self.position)
        if isinstance(opponent, HeuristicPlayer):
            found = opponent.choose_rows(self._cells, self._states, waiting)
            if found is not None:
                return found
        numbers = np.flatnonzero(waiting).tolist()
        actions = np.zeros(self.count, np.int64)

        def ask(part: slice) -> None:
            actions[numbers[part]] = opponent.choose(self, numbers[part])

        if self._searches:
            self._threads.run(ask, len(numbers), 1)
        else:
            ask(slice(0, len(numbers)))
        self._check(actions, waiting, "The opponent's action")
        return actions

    def _check(self, actions: Int64s, chosen: Bools, whose: str = "Action") -> None:
        found = kernel(self.game, first_illegal)(self._legal, chosen, actions)
        if found >= 0:
            legal = bit_indices(int(self._legal[found]))
            raise IllegalMove(
                f"{whose} {actions[found]} is not legal now in game {found}. "
                f"Possible: {' '.join(map(str, legal))}."
            )
