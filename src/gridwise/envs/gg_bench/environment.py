"""CustomEnv: a game as gg-bench's evaluation calls it, with the rules right.

gg-bench makes `CustomEnv()` without arguments and asks for five things: `reset(seed)`, `step` of an
action number, `valid_moves()`, a list of action numbers, `render()`, a text for a model, and copies
(`deepcopy`), in which its own player searches. One environment plays both sides; the reward is that
of the player who has just moved: 1 for a win, -1 for a loss, 0 for a draw and while it goes on, -10
for an action that is not legal, which ends the episode and changes nothing.

What its evaluation takes for granted decides the rest:

- The two players take turns, always. Where a player has nothing to play, the one valid move is to
  pass: the action after the last one (16 in Number Connect).
- Observations are one flat row of a Box (`observations.py`).
- Its filter plays five moves without looking whether the game is over. So after the end
  `valid_moves()` keeps the last list, and a step there is answered with 0 and changes nothing.
  `position.legal` is empty then.
- A copy must not show a search what nobody has seen: it deals face-down cells afresh.

`reset(seed=7)` deals the board of `gridwise.Match(key, seed=7)`, unless that game is over before
its first move; then it is the next deal of the same stream. Games that can go on for ever are
truncated after 200 plies.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import gymnasium
from gymnasium import spaces

from gridwise.arena.boards import play_on
from gridwise.arena.players import action_number
from gridwise.core.game import Game
from gridwise.core.registry import game as game_named
from gridwise.core.rng import SecretStream, Stream
from gridwise.envs.gg_bench.observations import Numbers, layout_of
from gridwise.envs.shared.board_source import (
    RESET_OPTIONS,
    AnyBoard,
    board_source,
    check_reset_options,
)
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.prompt import position_text

Step: TypeAlias = "tuple[Numbers, int, bool, bool, dict[str, Any]]"

ILLEGAL, LOSS, NOTHING, WIN = -10, -1, 0, 1


class CustomEnv(gymnasium.Env[Any, Any]):
    """One game after another, both sides played by whoever calls `step`."""

    key = ""  # the game, in the modules that have one

    def __init__(self, game: Game | str = "", *, board: AnyBoard | None = None) -> None:
        chosen = game or self.key
        self.game = game_named(chosen) if isinstance(chosen, str) else chosen
        self._boards = board_source(self.game, board=board)
        layout, template = layout_of(self.game), self._boards.board
        self._pass = self.game.actions(template)
        low, high = layout.bounds(self.game, template.size)
        self.observation_space = spaces.Box(low, high, dtype=low.dtype.type)
        self.action_space = spaces.Discrete(self._pass + layout.passes)
        self._stream: Stream = SecretStream()
        self.reset()

    # What gg-bench asks for

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Deal a game. Without a seed the deals go on where the last one stopped."""
        super().reset(seed=seed)
        given = check_reset_options(options, RESET_OPTIONS)
        boards = self._boards
        if given.get("board") is not None:
            boards = boards.only([given["board"]])
        if seed is not None:
            self._stream = Stream(seed)
        self._true_board, self.position = boards.deal_playable(self._stream, given.get("first"))
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
        return layout_of(self.game).observe(self.position, self.current_player)

    # Copies and pickles: they know what can be seen, and no more.

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_true_board"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._true_board = self.game.deal_unknown(self.position.board, SecretStream())
