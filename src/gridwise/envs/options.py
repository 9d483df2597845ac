"""Options of the environments, the same everywhere: boards, side, illegal actions; their spaces.

Which boards they play on is asked for as everywhere (`play.boards`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.outcome import MAX_PLIES
from gridwise.core.position import Position
from gridwise.core.registry import game as game_named
from gridwise.core.rng import Stream
from gridwise.engine.observation import bounds
from gridwise.envs.render import check_render_mode, render
from gridwise.errors import BadRequest, OutOfTurn, quoted
from gridwise.play.boards import BoardOptions, BoardSource, board_source

if TYPE_CHECKING:
    from gymnasium import spaces

Side: TypeAlias = "int | str"
RESET_OPTIONS = ("board", "first")
ILLEGAL = ("lose", "raise", "ignore")
SIDES = (1, 2, "alternate", "random")


def reset_boards(
    source: BoardSource, options: Mapping[str, Any] | None, known: Sequence[str] = RESET_OPTIONS
) -> tuple[BoardSource, int | None]:
    """The boards that the options of a reset ask for, and who begins if they say so."""
    given = check_reset_options(options, known)
    board = given.get("board")
    return source if board is None else source.only([board]), given.get("first")


def ply_limit(game: Game, max_plies: int | None) -> int:
    """After how many plies a game is stopped; 0 for never. Games without end always are."""
    if max_plies is None:
        return MAX_PLIES if game.cyclic else 0
    if max_plies < 1:
        raise BadRequest(f"`max_plies` is a whole number from 1 on, not {max_plies}.")
    return max_plies


def check_reset_options(options: Mapping[str, Any] | None, known: Sequence[str]) -> dict[str, Any]:
    """The options of a reset, if all of them are known."""
    given = dict(options or {})
    for name in given:
        if name not in known:
            raise BadRequest(
                f"reset() has no option {quoted(str(name))}. There are {', '.join(known)}."
            )
    return given


def check_side(side: Side, opponent: object) -> Side:
    """The agent's side, if it is one; 0 where there is no opponent, and the agent plays both."""
    if side not in SIDES:
        raise BadRequest(f"The side is 1, 2, alternate or random, not {quoted(str(side))}.")
    return side if opponent is not None else 0


def illegal_action(position: Position, action: object) -> str:
    """The sentence about an illegal action: the legal ones are in it, each with its name."""
    possible = ", ".join(f"{each} ({position.name(each)})" for each in position.legal)
    return f"Action {quoted(str(action))} is not legal now. Possible: {possible}."


def check_labels(game: Game, labels: object) -> bool:
    """Whether `info` has exact labels, if the game can have them."""
    if labels and game.has_hidden_cells:
        raise BadRequest(
            f"There are no exact labels in {game.title}: it has hidden cells, so a move has a "
            "probability of winning. `gridwise.evaluate` estimates it."
        )
    return bool(labels)


class Environment:
    """What the environments of all frameworks are made with: a game, its boards, a few choices."""

    game: Game
    render_mode: str | None

    def _read_options(
        self,
        game: Game | str,
        boards: BoardOptions,
        *,
        illegal: str,
        max_plies: int | None,
        render_mode: str | None,
    ) -> None:
        """Check what the environment is made with, and keep it."""
        check_render_mode(render_mode)
        if illegal not in ILLEGAL:
            raise BadRequest(
                f"Illegal actions lose, raise or are ignored, not {quoted(str(illegal))}."
            )
        self.game = game_named(game) if isinstance(game, str) else game
        self.render_mode = render_mode
        self._illegal = illegal
        self._source = board_source(self.game, **boards)
        self._max_plies = ply_limit(self.game, max_plies)


class SingleEnvironment(Environment):
    """One game at a time."""

    _true_board: Board
    _position: Position | None = None  # before the first reset
    _stream: Stream  # of the deals

    @property
    def position(self) -> Position:
        """The game as a player is given it; the board as far as it has been seen."""
        if self._position is None:
            raise OutOfTurn("There is nothing to see before reset().")
        return self._position

    def render(self) -> Any:  # noqa: ANN401 - text or pixels, by the mode
        """The position in the mode that was chosen."""
        return render(self.position.view, self.render_mode)


# What a framework knows an environment by


def id_of(game: Game) -> str:
    """The id of a game in Gymnasium and PettingZoo: its title without spaces."""
    name = "".join(char for char in game.title.title() if char.isalnum())
    return f"gridwise/{name}-v0"


def observation_space(game: Game, board: Board) -> spaces.Dict:
    """A dict of `observation`, the planes, and `action_mask`, which actions are legal."""
    from gymnasium import spaces  # noqa: PLC0415 - OpenSpiel does without it

    low, high = bounds(game, board)
    return spaces.Dict(
        {
            "observation": spaces.Box(low, high, dtype=np.int8),
            "action_mask": spaces.Box(0, 1, (game.actions(board),), np.int8),
        }
    )


def action_space(game: Game, board: Board) -> spaces.Discrete:
    """One number for each action."""
    from gymnasium import spaces  # noqa: PLC0415 - OpenSpiel does without it

    return spaces.Discrete(game.actions(board))
