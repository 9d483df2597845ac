"""The games as Gymnasium environments: one agent against an opponent. Importing registers the ids.

    import gymnasium
    import gridwise.envs.gymnasium
    env = gymnasium.make("gridwise/NumberRun-v0", opponent="perfect", side="alternate")

A step is the agent's action and the opponent's answer. An observation is a dict of `observation`,
the planes from the agent's side, and `action_mask`. A win is rewarded with 1, a loss with -1,
everything else with 0. `info` has whose
turn it is (`to_play`), the `plies` played, the `winner` (0 nobody, 3 a draw), whether the last action
was `illegal`, and at the end the `reason`.

`reset(seed=7)` deals the board, and tosses the coin, of `gridwise.Match(key, seed=7)`. Where the
agent would never get a turn on that board, the next deal of the same stream is played. A known seed
is a known board, and so are the boards after it; without one, no opponent can compute what is face
down.
`reset(options={"board": …})` plays one game on that board, and where a coin would decide `"first"`
says who begins.

| option | values |
|---|---|
| `opponent` | a bot level, `"ugi:COMMAND"`, `"python:MODULE:NAME"`, `"model:NAME"`, a Player, a function of an observation and an action mask; None: the agent plays both sides, and is rewarded as the one who moved |
| `side` | 1, 2, `"alternate"` or `"random"`: which player the agent is |
| `board`, `boards`, `size`, `target`, `handicap`, `deal` | which boards: see `gridwise.play.boards`; by default uniform ones of the standard size |
| `max_plies` | after how many plies a game is truncated; by default 200 where it can go on for ever |
| `labels` | True for exact values in `info`: see `gridwise.engine.batch.exact_labels` |
| `illegal` | what an illegal action does: `"lose"` the game, `"raise"` an error, or be `"ignore"`d |
| `render_mode` | `"ansi"`, `"svg"` or `"rgb_array"` |

`gymnasium.make_vec` makes thousands of games at once with the same ids: `gridwise.envs.vector`.
"""  # noqa: E501 - a table has long rows

from __future__ import annotations

from typing import Any, ClassVar, TypeAlias, Unpack

from gridwise.extras import require

require("rl", "gymnasium")

import gymnasium
import numpy as np
import numpy.typing as npt

from gridwise.core.game import Game
from gridwise.core.outcome import DRAW, MAX_DEALS
from gridwise.core.registry import follow
from gridwise.core.rng import SecretStream, Stream
from gridwise.engine.deals import NO_TURN, OPPONENT_SEEDS, SIDE_SEEDS
from gridwise.engine.observation import Observation, action_mask, observation, to_play
from gridwise.envs.opponents import FAILED, Opponent, single_opponent
from gridwise.envs.options import (
    Side,
    SingleEnvironment,
    action_space,
    check_labels,
    check_side,
    id_of,
    illegal_action,
    observation_space,
    reset_boards,
)
from gridwise.envs.render import RENDER_MODES
from gridwise.errors import BadBoard, IllegalMove, OutOfTurn
from gridwise.play.boards import BoardOptions, play_on
from gridwise.players.batch_player import action_number

__all__ = ["GridwiseEnv", "id_of", "register"]

Info: TypeAlias = dict[str, Any]


class GridwiseEnv(SingleEnvironment, gymnasium.Env[Any, Any]):
    """One game after another against one opponent."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # type: ignore[misc]

    def __init__(
        self,
        game: Game | str,
        *,
        opponent: Opponent = "random",
        side: Side = 1,
        max_plies: int | None = None,
        labels: bool = False,
        illegal: str = "lose",
        render_mode: str | None = None,
        **boards: Unpack[BoardOptions],
    ) -> None:
        self._read_options(
            game, boards, illegal=illegal, max_plies=max_plies, render_mode=render_mode
        )
        template = self._source.board
        self._labels = check_labels(self.game, labels)
        self._opponent = single_opponent(opponent, self.game, template)
        self._side = check_side(side, opponent)
        self._stream = SecretStream()
        self._sides: Stream = SecretStream()
        self._episodes = 0
        self.observation_space = observation_space(self.game, template)
        self.action_space = action_space(self.game, template)

    # What Gymnasium asks for

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Start a game. `seed` starts a new series of them; without it the series continues."""
        super().reset(seed=seed, options=options)
        source, first = reset_boards(self._source, options)
        if seed is not None:
            self._stream, self._sides = Stream(seed), Stream(seed ^ SIDE_SEEDS)
            self._episodes = 0
        self.side = self._next_side()
        self._episodes += 1
        for _ in range(MAX_DEALS):
            self._true_board, self._position = source.deal(self._stream, first)
            if self._opponent and not self._position.outcome:
                self._opponent.begin(0, self._stream.below(OPPONENT_SEEDS))
            self._reply()
            if not self._position.outcome:
                return observation(self._position, self.side), self._info()
        raise BadBoard(NO_TURN.format(tries=MAX_DEALS))

    def step(self, action: int) -> tuple[Observation, float, bool, bool, Info]:
        """Play an action, and the opponent's answer."""
        position = self._position
        if position is None or position.outcome:
            raise OutOfTurn("There is no game to play in: call reset() first.")
        mover = position.turn
        if self.side and mover != self.side:
            raise OutOfTurn(FAILED)
        number = action_number(action)
        illegal = not position.is_legal(number)
        if illegal and self._illegal == "raise":
            raise IllegalMove(illegal_action(position, action))
        if not illegal or self._illegal == "lose":
            self._position = play_on(position, number, self._true_board, self._max_plies)
            self._reply()
        info = self._info(illegal=illegal)
        winner = info["winner"]
        reward = 0.0 if winner in (0, DRAW) else 1.0 if winner == mover else -1.0
        stopped = "reason" in info and not winner
        return observation(self.position, self.side), reward, bool(winner), stopped, info

    def close(self) -> None:
        """End the opponent's program, where it is one."""
        if self._opponent:
            self._opponent.close()

    # Beyond what Gymnasium asks for

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, as the maskable algorithms of sb3-contrib ask for it."""
        return action_mask(self.position).view(np.bool_)

    # How it is done. `gridwise.engine.batch_kernels` does the same, and draws in the same order.

    def _next_side(self) -> int:
        if self._side == "random":
            return 1 + self._sides.below(2)
        return 1 + self._episodes % 2 if self._side == "alternate" else int(self._side)

    def _reply(self) -> None:
        """Let the opponent play until it is the agent's turn or the game is over."""
        while self.side and self.position.turn == 3 - self.side:
            position = self.position
            if self._opponent:
                action = self._opponent.choose_one(position)
                if not position.is_legal(action):
                    raise IllegalMove(f"The opponent's action {action} is not legal now.")
            else:
                action = self._stream.draw(position.legal_mask)
            self._position = play_on(position, action, self._true_board, self._max_plies)

    def _info(self, *, illegal: bool = False) -> Info:
        position = self.position
        outcome = position.outcome
        info: Info = {
            "to_play": to_play(position),
            "plies": len(position.history),
            "winner": outcome.winner if outcome else 0,
            "illegal": illegal,
        }
        if self._labels:
            from gridwise.engine.batch import labels_of  # noqa: PLC0415 - imports numba

            info |= labels_of(position)
        return info | {"reason": outcome.reason} if outcome else info


def register(game: Game) -> None:
    """Register a game with Gymnasium, unless it is."""
    if id_of(game) not in gymnasium.registry:
        gymnasium.register(
            id_of(game),
            entry_point="gridwise.envs.gymnasium:GridwiseEnv",
            vector_entry_point="gridwise.envs.vector:GridwiseVectorEnv",
            kwargs={"game": game.key},
        )


follow(register)
