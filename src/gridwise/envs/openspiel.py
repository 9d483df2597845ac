"""The games in OpenSpiel: `pyspiel.load_game("gridwise_number_run")` and the others.

    import pyspiel
    import gridwise.envs.openspiel
    game = pyspiel.load_game("gridwise_number_connect(seed=7)")

Importing this module registers every game; after a game has been added, `register()` adds that one
too. Player 0 is Player 1 of the rules, player 1 is Player 2. A win is 1, a loss -1; a draw, and a
game that was stopped after 200 plies, is 0.

Where nothing is hidden the board is a parameter: its text, or the seed of a uniform deal, the same
as `gridwise.Match(key, seed=…)`. Such a game has no chance in it, so its values are those of one
board.

Where cells are face down, chance deals a cell when it is turned up, one chance node a cell, and no
sooner. So a state does not know what is hidden, and neither does any search that is given one. Who
moves first is a chance node too, unless the parameter `first` says it.

| parameter | | where |
|---|---|---|
| `board` | its text; one row ends in `/` | nothing is hidden |
| `boards` | several, with `;` between them: chance deals one | nothing is hidden |
| `seed` | of a uniform deal | boards are dealt, nothing is hidden |
| `deals` | a number of boards of that seed: chance deals one | the same |
| `deal` | `uniform` or `fair` | the same |
| `size`, or `rows`, `cols` | another size, like `4x6` | everywhere |
| `target` | points to reach | the game has a target |
| `handicap` | 1 to even out the game | it has a handicap |
| `first` | 1 or 2; 0, the default, for a toss | a coin is tossed |
| `max_plies` | after how many plies a game is stopped | everywhere |
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple

from gridwise.core.view import draw, plain
from gridwise.extras import require

require("rl", "pyspiel")

import numpy as np
import pyspiel

from gridwise.core.bits import bit_indices
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.outcome import MAX_PLIES
from gridwise.core.position import Position, start
from gridwise.core.registry import follow
from gridwise.core.rng import Stream
from gridwise.engine.observation import check_default_planes, observe, shape
from gridwise.envs.options import ply_limit
from gridwise.errors import BadBoard, BadRequest
from gridwise.play.boards import BoardSource, Size, board_source, play_on

BETWEEN_BOARDS = ";"  # commas are OpenSpiel's
DEFAULT_SEED = -1  # for the first board from seed 0 on on which both players get to move
SEEDS = 1000  # that are tried to find one


# States: a position, or a point where chance is about to decide something


class SpielSetup(NamedTuple):
    """What all states of one game share: which game it is, on which boards."""

    game: Game
    boards: tuple[Board, ...]  # as dealt; where cells are face down, none of them is known
    first: int  # who moves first; 0 where a coin decides
    limit: int  # the plies after which a game is stopped; 0 for never
    max_plies: int  # no game is longer, on whichever board

    @property
    def board(self) -> Board:
        """One of the boards: they are alike in all but their cells."""
        return self.boards[0]

    @property
    def max_chance_outcomes(self) -> int:
        """The most outcomes of one chance node."""
        rules, hidden = self.game.rules, self.game.has_hidden_cells
        deals = len(self.boards) if len(self.boards) > 1 else 0
        return max(deals, 0 if self.first else 2, rules.HIGH - rules.LOW + 1 if hidden else 0)

    @property
    def max_chance_nodes(self) -> int:
        """The most chance nodes in one game: the deal, the toss, and each face-down cell once."""
        hidden = self.board.size if self.game.has_hidden_cells else 0
        return int(len(self.boards) > 1) + int(not self.first) + hidden

    def __deepcopy__(self, memo: object) -> SpielSetup:
        return self


class Node(NamedTuple):
    """All that changes, in one immutable piece that need not be copied with its state."""

    position: Position | None  # None until the board is dealt and the coin has been tossed
    board: Board | None  # what chance has dealt, the cells for the pending action included
    pending: int = -1  # the action that is waiting for chance to turn up cells
    face_down: int = 0  # the cells it is waiting for

    @property
    def is_chance(self) -> bool:
        """Whether chance is to decide something."""
        return self.position is None or self.pending >= 0

    def __deepcopy__(self, memo: object) -> Node:
        return self


class StateStruct(SimpleNamespace):
    """A state as an object with attributes; OpenSpiel's own structs can be made only in C++."""

    def to_json(self) -> str:
        """The attributes as JSON."""
        return json.dumps(vars(self))


class SpielState(pyspiel.State):
    """A state as OpenSpiel asks for it."""

    def __init__(self, game: pyspiel.Game, setup: SpielSetup) -> None:
        super().__init__(game)
        self.setup = setup
        self.node = Node(None, None) if len(setup.boards) > 1 else self._dealt(setup.board)

    def _dealt(self, board: Board) -> Node:
        """The first position on a board, or the toss that comes before it."""
        first = self.setup.first
        return Node(start(self.setup.game, board, first) if first else None, board)

    # Whose turn it is, and what can be done

    def current_player(self) -> int:
        """0 or 1; chance; or nobody, once it is over."""
        if self.node.is_chance:
            return int(pyspiel.PlayerId.CHANCE)
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return self._position.turn - 1

    @property
    def _position(self) -> Position:
        assert self.node.position is not None  # the coin has been tossed
        return self.node.position

    def is_terminal(self) -> bool:
        """Whether it is over, by the rules or by the limit of plies."""
        return not self.node.is_chance and self._position.outcome is not None

    def returns(self) -> list[float]:
        """1 for a win, -1 for a loss, 0 for everything else."""
        outcome = self._position.outcome if self.is_terminal() else None
        points = {1: 1.0, 2: -1.0}.get(outcome.winner if outcome else 0, 0.0)
        return [points, 0.0 - points]  # never -0.0

    def _legal_actions(self, _player: int) -> list[int]:
        return list(bit_indices(self._position.legal_mask))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The boards, heads or tails, or the numbers a cell can have, all equally likely."""
        rules, node = self.setup.game.rules, self.node
        count = rules.HIGH - rules.LOW + 1
        if node.position is None:
            count = 2 if node.board else len(self.setup.boards)
        return [(outcome, 1.0 / count) for outcome in range(count)]

    # What happens

    def _apply_action(self, action: int) -> None:
        node, game = self.node, self.setup.game
        if node.board is None:
            self.node = self._dealt(self.setup.boards[action])
        elif node.position is None:
            self.node = Node(start(game, node.board, action + 1), node.board)
        elif node.pending < 0:
            self._play_or_wait(action, node.board)
        else:
            cells = list(node.board.cells)
            cells[bit_indices(node.face_down)[0]] = game.rules.LOW + action
            self._play_or_wait(node.pending, node.board.with_cells(cells))

    def _play_or_wait(self, action: int, board: Board) -> None:
        """Play an action, or wait for the first cell that chance has to turn up for it."""
        position = self._position
        hidden = board.unknown & position.reveals(action) if position.game.has_hidden_cells else 0
        if hidden:
            self.node = Node(position, board, action, hidden)
        else:
            self.node = Node(play_on(position, action, board, self.setup.limit), board)

    # How it is written

    def _action_to_string(self, player: int, action: int) -> str:
        node, setup = self.node, self.setup
        if node.board is None and player == pyspiel.PlayerId.CHANCE:
            return f"Board {action + 1}: {setup.game.board_text(setup.boards[action])}"
        if player != pyspiel.PlayerId.CHANCE:
            return (node.position or start(setup.game, setup.board)).name(action)
        if node.position is None:
            return f"Player {action + 1} is first"
        cell = node.position.cell_name(bit_indices(node.face_down)[0])
        return f"{cell} is {setup.game.rules.LOW + action}"

    def __str__(self) -> str:
        """The position for people and then its numbers: no two states are written alike."""
        position, board, pending, face_down = self.node
        game = self.setup.game
        if board is None:
            return f"{game.title}: one of {len(self.setup.boards)} boards is dealt."
        if position is None:
            where = f" on {game.board_text(board)}" if len(self.setup.boards) > 1 else ""
            return f"{game.title}: a coin decides who is first{where}."
        view = position.view
        numbers = " ".join(str(number) for number in position.state)
        lines = [plain(draw(view)), view.caption, f"State: {numbers}"]
        if self.setup.limit:
            lines.append(f"Plies: {len(position.history)} of {self.setup.limit}")
        if pending >= 0:
            name = position.cell_name
            revealed = " ".join(
                f"{name(cell)}={game.glyphs[board.cells[cell]]}"
                for cell in bit_indices(position.reveals(pending))
            )
            waiting = name(bit_indices(face_down)[0])
            lines.append(f"Claiming {position.name(pending)} turns up {revealed}, next {waiting}")
        return "\n".join(line for line in lines if line)

    def to_dict(self) -> dict[str, Any]:
        """The state as data: the board as far as it has been seen, and what has been played."""
        position, board, pending, _ = self.node
        game = self.setup.game
        about: dict[str, Any] = {"game": game.key, "current_player": int(self.current_player())}
        if position is None:
            return about | {"board": game.board_text(board) if board else None}
        return about | {
            "board": game.board_text(board.without(position.hidden) if board else position.board),
            "target": position.board.target,
            "first": position.first - 1,
            "moves": position.moves,
            "pending": None if pending < 0 else position.name(pending),
            "scores": position.scores,
            "returns": self.returns(),
        }

    def to_json(self) -> str:
        """The state as JSON."""
        return json.dumps(self.to_dict())

    def to_struct(self) -> StateStruct:
        """The state as an object with attributes, as OpenSpiel's own games have it."""
        return StateStruct(**self.to_dict())

    def to_observation_struct(self, _player: int = 0) -> StateStruct:
        """What a player sees: both see everything that has been turned up."""
        return self.to_struct()


# Games


class SpielObserver:
    """What a player sees: the planes that all environments share; with `recall` also what was done.

    An observer has a flat `tensor` and a `dict` of views into it, and says the same as text.
    Nothing is private: both players see the same cells, each from its own side.
    """

    def __init__(self, setup: SpielSetup, *, recall: bool) -> None:
        self._recall = recall
        check_default_planes(setup.game, setup.board)
        pieces: dict[str, tuple[int, ...]] = {"observation": shape(setup.game, setup.board)}
        if recall:
            choices = max(setup.game.actions(setup.board), setup.max_chance_outcomes)
            pieces["history"] = (setup.max_plies + setup.max_chance_nodes, choices)
        ends = np.cumsum([np.prod(size) for size in pieces.values()])
        self.tensor = np.zeros(ends[-1], np.float32)
        views = zip(pieces.items(), np.split(self.tensor, ends[:-1]), strict=True)
        self.dict = {name: view.reshape(size) for (name, size), view in views}

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the tensor; row k of the history has a 1 for what was done as the k-th thing."""
        position = state.node.position  # None before the toss
        self.dict["observation"][:] = observe(position, player + 1) if position else 0
        if self._recall:
            history, done = self.dict["history"], state.history()
            history.fill(0)
            history[range(len(done)), done] = 1

    def string_from(self, state: SpielState, player: int) -> str:
        """What a player sees, in words; what was done, by players and chance, says everything."""
        if self._recall:
            return f"You are Player {player + 1}. Done so far: {state.history_str() or 'nothing'}"
        return f"You are Player {player + 1}.\n{state}"


class SpielGame(pyspiel.Game):
    """One game on one board, or on one size of face-down boards."""

    of: Game  # set by the class that `register` makes for each game

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        game = self.of
        defaults = parameters(game)
        chosen = {
            name: value for name, value in (params or {}).items() if value != defaults.get(name)
        }
        self.setup = setup_from(game, chosen)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.actions(self.setup.board),
            max_chance_outcomes=self.setup.max_chance_outcomes,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.setup.max_plies,
        )
        for name in {"board", "boards"} & chosen.keys():
            if "/" not in chosen[name]:
                chosen[name] += "/"  # or it would be read back as a number
        several = len(self.setup.boards) > 1
        super().__init__(_game_type(game, deals=several), info, chosen)

    def new_initial_state(self) -> SpielState:
        """The first position; where a coin is tossed, the toss."""
        return SpielState(self, self.setup)

    def max_chance_nodes_in_history(self) -> int:
        """The toss, and each cell once."""
        return self.setup.max_chance_nodes

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: object = None
    ) -> SpielObserver:
        """What can be seen: now, or with everything that was done before."""
        if params:
            raise BadRequest(f"Observers take no parameters, not even {params}.")
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return SpielObserver(self.setup, recall=recall)


# Parameters


def parameters(game: Game) -> dict[str, str | int]:
    """The parameters that make sense for a game, and their defaults."""
    dealt = not game.has_hidden_cells and not game.fixed
    sensible: dict[str, tuple[bool, str | int]] = {
        "rows": (True, 0),
        "cols": (True, 0),
        "size": (True, ""),
        "board": (not game.has_hidden_cells, ""),
        "boards": (not game.has_hidden_cells, ""),
        "seed": (dealt, DEFAULT_SEED),
        "deals": (dealt, 0),
        "deal": (dealt, ""),
        "target": (bool(game.target), 0),
        "handicap": (game.handicap is not None, 0),
        "first": (game.coin_toss, 0),
        "max_plies": (True, 0),
    }
    return {name: default for name, (makes_sense, default) in sensible.items() if makes_sense}


def setup_from(game: Game, params: Mapping[str, Any]) -> SpielSetup:
    """The game and the boards that the parameters name; raises GridwiseError if there are none."""
    first = params.get("first", 0) if game.coin_toss else 1
    if first:
        game.check_first(first)
    source = board_source(
        game,
        board=params.get("board"),
        boards=params["boards"].split(BETWEEN_BOARDS) if "boards" in params else None,
        size=_size(game, params),
        target=params.get("target"),
        handicap=bool(params.get("handicap")),
        deal=params.get("deal", "uniform"),
    )
    here = source.board
    if (params.get("rows", here.rows), params.get("cols", here.cols)) != (here.rows, here.cols):
        raise BadBoard(
            f"The board has {here.rows} rows and {here.cols} columns, but `rows` and `cols` "
            "say otherwise. Leave them out."
        )
    if not here.unknown and {"seed", "deals"} & params.keys():
        raise BadRequest(
            "`seed` and `deals` are for dealt boards, and a board is given: leave them out."
        )
    boards = source.templates
    if here.unknown and not game.has_hidden_cells:
        boards = _dealt_boards(source, params)
    limit = ply_limit(game, params.get("max_plies"))
    return SpielSetup(game, boards, first, limit, _max_plies(game, boards, limit))


def _max_plies(game: Game, boards: tuple[Board, ...], limit: int) -> int:
    """A bound of the plies of a game on any of the boards; the limit, where it may have no end."""
    if game.cyclic:
        return limit
    if game.max_plies:
        plies = max(map(game.max_plies, boards))
    else:  # where action k claims cell k; elsewhere all that is known is that games end
        plies = MAX_PLIES if game.rules.ACTIONS else boards[0].size
    return min(plies, limit or plies)


def _size(game: Game, params: Mapping[str, Any]) -> Size:
    """The size that is asked for, one way or the other; None where a board says it."""
    if "size" in params or {"board", "boards"} & params.keys():
        return params.get("size")
    return params.get("rows") or game.rows, params.get("cols") or game.cols


def _dealt_boards(source: BoardSource, params: Mapping[str, Any]) -> tuple[Board, ...]:
    seed, deals = params.get("seed", DEFAULT_SEED), params.get("deals", 1)
    if deals < 1:
        raise BadRequest(f"`deals` is a number of boards from 1 on, not {deals}.")
    if seed != DEFAULT_SEED or deals > 1:
        stream = Stream(max(seed, 0))
        return tuple(source.deal_playable(stream, 1).true_board for _ in range(deals))
    boards = (source.deal_playable(Stream(each), 1).true_board for each in range(SEEDS))
    both = (board for board in boards if _both_get_to_move(source.game, board))
    return (next(both, None) or source.deal_playable(Stream(0), 1).true_board,)


def _both_get_to_move(game: Game, board: Board) -> bool:
    """Whether the game goes on after every first move."""
    position = start(game, board)
    return all(not position.play(action).outcome for action in position.legal)


# Registering


def _game_type(game: Game, *, deals: bool = False) -> pyspiel.GameType:
    chance = deals or game.has_hidden_cells or game.coin_toss
    modes = pyspiel.GameType.ChanceMode
    return pyspiel.GameType(
        short_name=spiel_name(game),
        long_name=f"Gridwise {game.title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if chance else modes.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        # As OpenSpiel's own games of perfect information: so its learners take the observation.
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters(game),
    )


def spiel_name(game: Game) -> str:
    """A game's name in OpenSpiel."""
    return f"gridwise_{game.key.replace('-', '_')}"


def register(game: Game) -> None:
    """Register a game with OpenSpiel, unless it is."""
    if spiel_name(game) not in pyspiel.registered_names():
        # A class, not a `partial`: OpenSpiel lets go of it after Python has ended, and only a class
        # is then still held by itself. The last hold on anything else aborts.
        made = type(game.title.replace(" ", ""), (SpielGame,), {"of": game})
        pyspiel.register_game(_game_type(game), made)


follow(register)
