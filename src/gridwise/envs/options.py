"""Options of the environments, the same everywhere: boards, side, illegal actions; their spaces.

| option | values |
|---|---|
| `board` | always this board: its text, or a Board |
| `boards` | a list of boards of one size; one is drawn for each game |
| `size` | rows by columns of the boards that are dealt, like `"4x6"` |
| `target` | points to reach, where the game has a target |
| `handicap` | True to even out a game that favours Player 1, as `gridwise play --handicap` does |
| `deal` | `"uniform"`, as the rules say, or `"fair"`, as `gridwise play --deal fair` does |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

import numpy as np

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.outcome import MAX_PLIES
from gridwise.core.position import Position
from gridwise.core.registry import game as game_named
from gridwise.core.rng import Stream
from gridwise.engine.deals import with_handicap
from gridwise.engine.observation import bounds
from gridwise.envs.render import check_render_mode, render
from gridwise.errors import BadRequest, OutOfTurn, quoted
from gridwise.play.boards import BoardSource, Size, board_template

if TYPE_CHECKING:
    from gymnasium import spaces

AnyBoard: TypeAlias = "Board | str"
Side: TypeAlias = "int | str"
RESET_OPTIONS = ("board", "first")
ILLEGAL = ("lose", "raise", "ignore")
SIDES = (1, 2, "alternate", "random")
DEALS = ("uniform", "fair")  # not `even`: dealing such a board takes seconds


class BoardOptions(TypedDict, total=False):
    """Which boards an environment plays on; the table above says what each option is."""

    board: AnyBoard | None
    boards: Iterable[AnyBoard] | None
    size: Size
    target: int | None
    handicap: bool
    deal: str


class EnvironmentBoards(BoardSource):
    """The boards of an environment, of which a reset may choose one."""

    __slots__ = ()

    def only(self, boards: Sequence[AnyBoard]) -> EnvironmentBoards:
        """A source of these boards instead, which must be like the ones it has."""
        return EnvironmentBoards(self.game, tuple(map(self._alike, boards)))

    def for_reset(
        self, options: Mapping[str, Any] | None, known: Sequence[str] = RESET_OPTIONS
    ) -> tuple[EnvironmentBoards, int | None]:
        """The boards that the options of a reset ask for, and who begins if they say so."""
        given = check_reset_options(options, known)
        board = given.get("board")
        return self if board is None else self.only([board]), given.get("first")

    def _alike(self, given: AnyBoard) -> Board:
        here = self.board
        board = _read_board(self.game, given, here.target if isinstance(given, str) else None)
        if isinstance(given, str):
            board = replace(board, handicap=here.handicap)
        if (board.rows, board.cols) != (here.rows, here.cols):
            raise BadRequest(
                f"The environment has boards of {here.rows} rows and {here.cols} columns, not of "
                f"{board.rows} and {board.cols}. Make one with `size`."
            )
        if (board.target, board.handicap) != (here.target, here.handicap):
            raise BadRequest(
                f"The environment has the target {here.target} and the handicap {here.handicap}, "
                f"and this board {board.target} and {board.handicap}."
            )
        return board


def board_source(
    game: Game,
    *,
    board: AnyBoard | None = None,
    boards: Iterable[AnyBoard] | None = None,
    size: Size = None,
    target: int | None = None,
    handicap: bool = False,
    deal: str = "uniform",
) -> EnvironmentBoards:
    """The boards that the options ask for; raises GridwiseError if there are none."""
    if deal not in DEALS:
        raise BadRequest(f"Boards are dealt {' or '.join(DEALS)}, not {quoted(str(deal))}.")
    if board is not None and boards is not None:
        raise BadRequest("Give `board`, one board, or `boards`, a list of them, not both.")
    if isinstance(board, list | tuple):
        raise BadRequest("`board` is one board. For a list of them use `boards`.")
    if isinstance(boards, Board | str):
        raise BadRequest("`boards` is a list of boards. For one board use `board`.")
    if board is None and boards is None:
        template = board_template(game, None, size)
        template = template if target is None else replace(template, target=target)
        fair = deal == "fair" and not (game.has_hidden_cells or game.fixed)
        return EnvironmentBoards(game, (_evened(game, template, handicap),), fair)
    if size is not None:
        raise BadRequest("Give a board or a size, not both: a board has a size of its own.")
    if deal == "fair":
        raise BadRequest("Give a board or have fair ones dealt, not both.")
    given = [board] if board is not None else list(boards or ())
    if not given:
        raise BadRequest("`boards` is empty: there must be at least one board.")
    read = [_evened(game, _read_board(game, each, target), handicap) for each in given]
    return EnvironmentBoards(game, (read[0],)).only(read)


def _read_board(game: Game, given: AnyBoard, target: int | None) -> Board:
    if isinstance(given, str):
        return game.parse_board(given, target)
    return game.check_board(given if target is None else replace(given, target=target))


def _evened(game: Game, template: Board, handicap: bool) -> Board:
    """The template with the handicap, if asked for; checked with its unknown cells filled in."""
    filled = template.with_cells(value or game.rules.LOW for value in template.cells)
    game.check_board(filled)
    if not handicap:
        return template
    with_handicap(game, filled)
    assert game.handicap is not None  # checked by `with_handicap`
    return game.handicap.even(template)


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
