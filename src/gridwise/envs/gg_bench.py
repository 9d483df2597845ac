"""The games in the shape of gg-bench's environments: a drop-in `CustomEnv` for each.

    from gridwise.envs.gg_bench.number_run import CustomEnv
    env = CustomEnv()

`gridwise.envs.gg_bench.CustomEnv` takes any game by its key. docs/gg-bench.md has what gg-bench's
own environments of these names do, and how ours differ.

gg-bench makes `CustomEnv()` without arguments and asks for five things: `reset(seed)`, `step` of an
action number, `valid_moves()`, a list of action numbers, `render()`, a text for a model, and copies
(`deepcopy`), in which its own player searches. One environment plays both sides; the reward is that
of the player who has just moved: 1 for a win, -1 for a loss, 0 for a draw and while it goes on, -10
for an action that is not legal, which ends the episode and changes nothing.

What its evaluation takes for granted decides the rest:

- The two players take turns, always. Where a player has nothing to play, the one valid move is to
  pass: the action after the last one (16 in Number Connect).
- Observations are one flat row of a Box: its wrapper takes nothing else.
- Its filter plays five moves without looking whether the game is over. So after the end
  `valid_moves()` keeps the last list, and a step there is answered with 0 and changes nothing.
  `position.legal` is empty then.
- A copy must not show a search what nobody has seen: it deals face-down cells afresh.

`reset(seed=7)` deals the board of `gridwise.Match(key, seed=7)`, unless that game is over before
its first move; then it is the next deal of the same stream. Games that can go on for ever are
truncated after 200 plies.

An observation begins with what gg-bench's own environment shows, in its order; what that leaves out and a
player needs (the scores, whose turn it is) follows.

| game | the first numbers | then |
|---|---|---|
| number-run | for each cell: its number, visited by Player 1, by Player 2, the player on it | scores, turn |
| number-maze | the numbers, the cell of Player 1, of Player 2, whose turn it is | |
| grid-runner | for each cell: -1 an obstacle, 0 nobody, 1 or 2 the player on it | turn |
| grid-conquest | for each cell -1 face down, 0 open, 1 or 2 its owner; the numbers (0: face down); scores | turn |
| number-connect | the numbers, and 10 more if Player 1 has claimed it, 20 more if Player 2 has | turn |

A game without a layout of its own has, for each cell, its number and whose it is; scores; turn.
"""  # noqa: E501 - a table has long rows

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias

from gridwise.extras import require

require("rl", "gymnasium")

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.core.registry import follow
from gridwise.core.registry import game as game_named
from gridwise.core.rng import SecretStream, Stream
from gridwise.engine.observation import confused_positions, to_play
from gridwise.envs.options import reset_boards
from gridwise.errors import BadRequest
from gridwise.play.boards import AnyBoard, board_source, play_on
from gridwise.players.batch_player import action_number
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.prompt_text import position_text

__all__ = ["CustomEnv"]

Numbers: TypeAlias = npt.NDArray[np.int32]
Step: TypeAlias = "tuple[Numbers, int, bool, bool, dict[str, Any]]"

ILLEGAL, LOSS, NOTHING, WIN = -10, -1, 0, 1


# Observations: numbers, each with the least and the greatest that it can be


class Bounded(NamedTuple):
    """One number of an observation, and between what it lies."""

    number: int
    low: int
    high: int


# Of a position, and the player whose turn it is, or was at the end.
Layout: TypeAlias = Callable[[Position, int], Iterator[Bounded]]


def _values(position: Position) -> Iterator[Bounded]:
    high = position.game.rules.HIGH
    return (Bounded(cell.value, 0, high) for cell in position.bare_cells)


def _scores(position: Position) -> Iterator[Bounded]:
    # Nobody scores more than all cells together, a head start included; a handicap is 999 at most.
    most = position.game.rules.HIGH * position.board.size + 999
    return (Bounded(score, 0, most) for score in position.scores or (0, 0))


def _number_run(position: Position, player: int) -> Iterator[Bounded]:
    for cell in position.bare_cells:
        yield Bounded(cell.value, 0, position.game.rules.HIGH)
        yield from (Bounded(int(visitor in cell.visited), 0, 1) for visitor in (1, 2))
        yield Bounded(cell.token, 0, 2)
    yield from _scores(position)
    yield Bounded(player, 1, 2)


def _number_maze(position: Position, player: int) -> Iterator[Bounded]:
    yield from _values(position)
    tokens = [cell.token for cell in position.bare_cells]
    yield from (Bounded(tokens.index(each), 0, len(tokens) - 1) for each in (1, 2))
    yield Bounded(player, 1, 2)


def _grid_runner(position: Position, player: int) -> Iterator[Bounded]:
    cells = position.bare_cells
    yield from (Bounded(-1 if cell.blocked else cell.token, -1, 2) for cell in cells)
    yield Bounded(player, 1, 2)


def _grid_conquest(position: Position, player: int) -> Iterator[Bounded]:
    cells = position.bare_cells
    yield from (Bounded(-1 if cell.hidden else cell.owner, -1, 2) for cell in cells)
    yield from _values(position)
    yield from _scores(position)
    yield Bounded(player, 1, 2)


def _number_connect(position: Position, player: int) -> Iterator[Bounded]:
    yield from (Bounded(cell.value + 10 * cell.owner, 1, 29) for cell in position.bare_cells)
    yield Bounded(player, 1, 2)


def _any_game(position: Position, player: int) -> Iterator[Bounded]:
    yield from _values(position)
    yield from (Bounded(cell.owner or cell.token, 0, 2) for cell in position.bare_cells)
    yield from _scores(position)
    yield Bounded(player, 1, 2)


LAYOUTS: dict[str, Layout] = {
    "number-run": _number_run,
    "number-maze": _number_maze,
    "grid-runner": _grid_runner,
    "grid-conquest": _grid_conquest,
    "number-connect": _number_connect,
}


def _default_layout(game: Game, template: Board) -> Layout:
    """The layout of other games; raises BadRequest if it does not tell their positions apart."""

    def seen(position: Position) -> Numbers:
        return np.array([each.number for each in _any_game(position, to_play(position))])

    if confused_positions(game, template, seen):
        raise BadRequest(
            f"{game.title} cannot be observed as gg-bench does: two of its positions look the same."
        )
    return _any_game


# The environment


class CustomEnv(gymnasium.Env[Any, Any]):
    """One game after another, both sides played by whoever calls `step`."""

    key = ""  # the game, in the modules of one

    def __init__(self, game: Game | str = "", *, board: AnyBoard | None = None) -> None:
        chosen = game or self.key
        self.game = game_named(chosen) if isinstance(chosen, str) else chosen
        self._source = board_source(self.game, board=board)
        self._layout = LAYOUTS.get(self.game.key) or _default_layout(self.game, self._source.board)
        self._pass = self.game.actions(self._source.board)
        self.action_space = spaces.Discrete(self._pass + self.game.passes)
        self._stream: Stream = SecretStream()
        self.reset()
        _, low, high = np.array([*self._layout(self.position, 1)], np.int32).T
        self.observation_space = spaces.Box(low.copy(), high.copy(), dtype=np.int32)

    # What gg-bench asks for

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Deal a game. Without a seed the deals go on where the last one stopped."""
        super().reset(seed=seed)
        source, first = reset_boards(self._source, options)
        if seed is not None:
            self._stream = Stream(seed)
        self._true_board, self.position = source.deal_playable(self._stream, first)
        self.current_player = self.position.turn
        self._valid, self._done = list(self.position.legal), False
        return self._observation(), {}

    def step(self, action: int) -> Step:
        """Play an action for the player whose turn it is."""
        if self._done:
            return self._observation(), NOTHING, True, False, {}
        number, mover = action_number(action), self.current_player
        if number not in self._valid:
            self._done = True
            return self._observation(), ILLEGAL, True, False, {"illegal": True}
        if number == self._pass:
            self._next_turn(self.position.turn)
            return self._observation(), NOTHING, False, False, {}
        self.position = play_on(self.position, number, self._true_board)
        outcome = self.position.outcome
        if not outcome:
            self._next_turn(3 - mover)
            return self._observation(), NOTHING, False, False, {}
        self._done = True
        reward = {mover: WIN, 3 - mover: LOSS}.get(outcome.winner, NOTHING)
        decided = bool(outcome.winner)  # otherwise it was stopped
        return self._observation(), reward, decided, not decided, {"reason": outcome.reason}

    def valid_moves(self) -> list[int]:
        """The actions of the player whose turn it is, ascending; at the end, the last list."""
        return sorted(self._valid)

    def render(self) -> str:
        """The position for a model: whose turn it is, the board with every number, the moves."""
        who = "is to move" if not self._done else "has moved last"
        text = position_text(self.position, Conditions(), self.current_player)
        return f"{text}\nPlayer {self.current_player} {who}.\n"

    # How it is done

    def _next_turn(self, player: int) -> None:
        """Give the turn to a player, who can only pass if the rules say so."""
        self.current_player = player
        passes = self.position.turn != player
        self._valid = [self._pass] if passes else list(self.position.legal)

    def _observation(self) -> Numbers:
        numbers = self._layout(self.position, self.current_player)
        return np.fromiter((each.number for each in numbers), dtype=np.int32)

    # Copies and pickles: they know what can be seen, and no more.

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_true_board"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._true_board = self.game.deal_unknown(self.position.board, SecretStream())


def _add_module(game: Game) -> None:
    """Make the module that gg-bench imports for a game: it calls `CustomEnv()` from there."""
    module = ModuleType(f"{__name__}.{game.key.replace('-', '_')}")
    about = {"__doc__": f"{game.title}, made without arguments.", "__module__": module.__name__}
    module.__doc__ = f"{game.title} in the shape of gg-bench's environments."
    vars(module)["CustomEnv"] = type("CustomEnv", (CustomEnv,), about | {"key": game.key})
    sys.modules[module.__name__] = module


follow(_add_module)
