"""The games as Gymnasium has environments: one agent against an opponent. Importing registers ids.

    import gymnasium
    import gridwise.envs.gymnasium
    env = gymnasium.make("gridwise/NumberRun-v0", opponent="perfect", side="alternate")

A step is the agent's action and the opponent's answer. An observation is a dict of `observation`,
the planes from the agent's side, and `action_mask`. A win is rewarded with 1, a loss with -1, all
else with 0. A game that can go on for ever is truncated after 200 plies. A board on which the agent
would never get a turn is dealt again. `info` tells whose turn it is (`to_play`), the `plies` played,
the `winner` (0 nobody, 3 a draw), whether the last action was `illegal`, and at the end the `reason`.

| option | values |
|---|---|
| `opponent` | the level of a bot, a Player, a function of an observation and an action mask; None: the agent plays for whoever is to move, and is rewarded as the one who moved |
| `side` | 1, 2, `"alternate"` or `"random"`: which player the agent is |
| `board`, `size` | one board, or rows by columns; by default uniform boards of the standard size |
| `illegal` | what an illegal action does: `"lose"` the game, `"raise"` an error, or be `"ignore"`d |
| `render_mode` | `"ansi"`, `"svg"` or `"rgb_array"` |

`gymnasium.make_vec` makes thousands of games at once of the same ids: `gridwise.envs.vector`.
"""  # noqa: E501 - a table has long rows

from __future__ import annotations

import operator
from typing import Any, ClassVar, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt

from gridwise.core.board import Board
from gridwise.core.game import Game, Position
from gridwise.core.player import Player
from gridwise.core.playout import CAP
from gridwise.core.registry import game as game_of
from gridwise.core.registry import games
from gridwise.core.view import View
from gridwise.engine.bots import bot
from gridwise.envs.boards import Size, blank, deal
from gridwise.envs.observation import Int8s, Observer, spread
from gridwise.envs.opponents import SEEDS
from gridwise.envs.options import (
    NO_TURN,
    TRIES,
    Opponent,
    Side,
    check_illegal,
    check_opponent,
    check_side,
    is_player,
)
from gridwise.envs.pictures import RENDER_MODES, check_render_mode, render
from gridwise.envs.spaces import action_space, observation_space
from gridwise.envs.streams import Stream
from gridwise.errors import BadBoard, IllegalMove, OutOfTurn

Seen: TypeAlias = dict[str, Int8s]
Info: TypeAlias = dict[str, Any]


class GridwiseEnv(gymnasium.Env[Any, Any]):
    """One game after another against one opponent."""

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc] # Gymnasium's is none
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
    }

    def __init__(
        self,
        game: Game | str,
        *,
        opponent: Opponent = "random",
        side: Side = 1,
        board: Board | str | None = None,
        size: Size = None,
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self.game = game_of(game) if isinstance(game, str) else game
        self._blank = blank(self.game, board, size)
        self._opponent = check_opponent(opponent)
        self._side = check_side(side)
        self._illegal = check_illegal(illegal)
        self._cap = CAP if self.game.cyclic else 0
        self._actions = self.game.actions(self._blank)
        self._observe = Observer(self.game, self._blank.rows, self._blank.cols)
        self._stream: Stream | None = None
        self._episodes = 0
        self._legal = 0  # nothing before `reset`
        self.observation_space = observation_space(self.game, self._blank)
        self.action_space = action_space(self.game, self._blank)

    # What Gymnasium asks for

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, Info]:
        """Begin a game. `seed` begins a new series of them; without it the series goes on."""
        super().reset(seed=seed, options=options)
        if seed is not None or self._stream is None:
            self._stream = Stream(int(self.np_random.integers(1 << 62)) if seed is None else seed)
            self._episodes = 0
        self.side = self._next_side(self._stream)
        self._episodes += 1
        for _ in range(TRIES):
            self._deal(self._stream)
            if self._legal:
                self._player = self._seat(self._stream)
                self._reply()
            if self._legal and not self._is_stopped():
                return self._seen(), self._info()
        raise BadBoard(NO_TURN.format(tries=TRIES))

    def step(self, action: int) -> tuple[Seen, float, bool, bool, Info]:
        """Play an action, and the opponent's answer."""
        if self._stream is None or not self._legal or self._is_stopped():
            raise OutOfTurn("There is no game to play in: call reset() first.")
        mover = int(self._state.turn)
        if self.side and mover != self.side:
            raise OutOfTurn("The opponent failed to answer the last step: call reset() first.")
        chosen = _number(action)
        if chosen < 0 or not self._legal >> chosen & 1:
            return self._refuse(action)
        agent = self.side or mover
        self._play(chosen)
        self._reply()
        winner = 0 if self._legal else int(self.game.rules.winner(self._board, self._state))
        reward = 0.0 if winner in (0, 3) else 1.0 if winner == agent else -1.0
        stopped = not winner and self._is_stopped()
        info = self._info(winner)
        if winner:
            info["reason"] = self.game.words.reason(self._board, self._state)
        elif stopped:
            info["reason"] = f"unfinished after {self._cap} plies"
        return self._seen(), reward, bool(winner), stopped, info

    def render(self) -> Any:  # noqa: ANN401 - text or pixels, by the mode
        """The position in the mode that was chosen."""
        return render(self.view, self.render_mode)

    # Beyond what Gymnasium asks for

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, as the maskable algorithms of sb3-contrib ask for it."""
        legal = 0 if self._is_stopped() else self._legal
        return np.frombuffer(bytearray(spread(legal, self._actions)), np.bool_)

    @property
    def position(self) -> Position:
        """The game as a bot is given it; the board as far as it was seen."""
        board = self.game.seen(self._board, self._state)
        return Position(self.game, board, self._state, self._first, tuple(self._played))

    @property
    def view(self) -> View:
        """The position as it may be shown."""
        over = not self._legal or self._is_stopped()
        winner = self._forfeit or self.game.rules.winner(self._board, self._state)
        last = self.game.words.target(self._board, *self._last) if self._played else -1
        return self.game.view(self._board, self._state, last, winner if over else None)

    # How it is done. `gridwise.envs.batch` does the same, and draws the same lots in this order.

    def _next_side(self, stream: Stream) -> int:
        if self._opponent is None:
            return 0
        if self._side == "random":
            return 1 + stream.below(2)
        return 1 + self._episodes % 2 if self._side == "alternate" else int(self._side)

    def _deal(self, stream: Stream) -> None:
        rules = self.game.rules
        self._board = deal(self.game, self._blank, stream)
        self._first = 1 + stream.below(2) if self.game.coin_toss else 1
        self._state = rules.start(self._board, self._first)
        self._legal = rules.moves(self._board, self._state)
        self._played: list[int] = []
        self._forfeit = 0  # who has won by the other's illegal move

    def _seat(self, stream: Stream) -> Player | None:
        """Whoever answers, if it can be asked like a player."""
        if isinstance(self._opponent, str):
            if self._opponent == "random":
                return None
            return bot(self.game, self._opponent, stream.below(SEEDS))
        return self._opponent if is_player(self._opponent) else None

    def _play(self, action: int) -> None:
        rules, board = self.game.rules, self._board
        self._last = self._state, action
        self._state = rules.play(board, self._state, action)
        self._legal = rules.moves(board, self._state)
        self._played.append(action)

    def _reply(self) -> None:
        """Let the opponent play until it is the agent's turn."""
        while self.side and self._legal and self._state.turn != self.side:
            if self._is_stopped():
                return
            action = self._answer()
            if action < 0 or not self._legal >> action & 1:
                raise IllegalMove(f"The opponent's action {action} is not legal now.")
            self._play(action)

    def _answer(self) -> int:
        if self._player is not None:
            return _number(self._player.choose(self.position))
        if callable(self._opponent):
            mask = spread(self._legal, self._actions)
            seen = self._observe(self._board, self._state, self._state.turn)
            return _number(self._opponent(seen, np.frombuffer(bytearray(mask), np.int8)))
        assert self._stream is not None
        return self._stream.draw(self._legal)

    def _is_stopped(self) -> bool:
        return bool(self._cap) and len(self._played) >= self._cap

    def _refuse(self, action: object) -> tuple[Seen, float, bool, bool, Info]:
        """Deal with an action that is not legal, as was chosen."""
        mover = int(self._state.turn)
        if self._illegal == "raise":
            board = self.game.seen(self._board, self._state)
            possible = ", ".join(
                f"{number} ({self.game.words.action_name(board, self._state, number)})"
                for number in self.game.legal_actions(board, self._state)
            )
            raise IllegalMove(f"Action {action} is not legal now. Possible: {possible}.")
        if self._illegal == "ignore":
            return self._seen(), 0.0, False, False, self._info(illegal=True)
        self._legal = 0
        self._forfeit = 3 - mover
        info = self._info(3 - mover, illegal=True)
        info["reason"] = f"Player {mover} made an illegal move"
        return self._seen(), -1.0, True, False, info

    def _seen(self) -> Seen:
        player = self.side or self._state.turn
        return {
            "observation": self._observe(self._board, self._state, player),
            "action_mask": self.action_masks().view(np.int8),
        }

    def _info(self, winner: int = 0, *, illegal: bool = False) -> Info:
        return {
            "to_play": int(self._state.turn),
            "plies": len(self._played),
            "winner": winner,
            "illegal": illegal,
        }


def _number(action: Any) -> int:  # noqa: ANN401 - whatever an agent says
    """The action as an int; -1, which is never legal, if it is no whole number."""
    try:
        return operator.index(action)
    except TypeError:
        return -1


def id_of(game: Game) -> str:
    """The id of a game in Gymnasium: its title without spaces."""
    name = "".join(char for char in game.title.title() if char.isalnum())
    return f"gridwise/{name}-v0"


def register_games() -> None:
    """Register every game there is; once more after adding one."""
    for game in games():
        if id_of(game) not in gymnasium.registry:
            gymnasium.register(
                id_of(game),
                entry_point="gridwise.envs.gymnasium:GridwiseEnv",
                vector_entry_point="gridwise.envs.vector:GridwiseVectorEnv",
                kwargs={"game": game.key},
            )


register_games()
