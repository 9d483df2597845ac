"""The games as OpenSpiel has games: `pyspiel.load_game("gridwise_number_run")` and the others.

    import pyspiel
    import gridwise.envs.openspiel
    game = pyspiel.load_game("gridwise_number_connect(seed=7)")

Importing this module registers every game there is; after a game has been added, `register()` adds
that one too. Player 0 is Player 1 of the rules, player 1 is Player 2. A win is 1, a loss -1, a draw
and a game that was stopped after 200 plies 0.

Where everything is in the open the board is a parameter: its text, or the seed of a uniform deal.
Such a game has no chance in it, so its values are those of one board.

Where cells are face down, chance deals a cell when it is turned up, one chance node a cell, and no
sooner. So a state does not know what is hidden, and neither does any search that is given one. Who
moves first is a chance node too, unless the parameter `first` says it.

| parameter | | where |
|---|---|---|
| `board` | its text; one row ends in `/` | all is in the open |
| `seed` | of a uniform deal; 0 unless given | boards are dealt, all is in the open |
| `rows`, `cols` | another size | everywhere |
| `target` | points to reach | the game has a target |
| `first` | 1 or 2; 0, the default, for a toss | a coin is tossed |
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import pyspiel

from gridwise.core.bits import members
from gridwise.core.board import Board
from gridwise.core.game import Game, State
from gridwise.core.playout import CAP
from gridwise.core.registry import game as game_of
from gridwise.core.registry import games
from gridwise.envs import deals
from gridwise.envs.boards import blank
from gridwise.envs.observers import PlanesObserver, RecallObserver
from gridwise.errors import BadBoard, BadRequest
from gridwise.play.match import who_is_first
from gridwise.show.text import draw, plain


class Table(NamedTuple):
    """What stays the same in all states of one game: which one it is, on which board."""

    game: Game
    board: Board  # as dealt; where cells are face down, none of them is known
    first: int  # who moves first; 0 where a coin decides

    @property
    def longest(self) -> int:
        """The most plies of a game: each uses up a cell for one of the players, or it is capped."""
        return CAP if self.game.cyclic else 2 * self.board.size

    @property
    def outcomes(self) -> int:
        """The most outcomes of one chance node."""
        if not self.game.hides:
            return 0 if self.first else 2
        return max(self.game.rules.HIGH - self.game.rules.LOW + 1, 2)

    @property
    def chance_nodes(self) -> int:
        """The most chance nodes on the way to the end: the toss, and each cell once."""
        return (0 if self.first else 1) + (self.board.size if self.game.hides else 0)

    def __deepcopy__(self, memo: object) -> Table:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _same_table, (self.game.key, self.board, self.first)


def _same_table(key: str, board: Board, first: int) -> Table:
    return Table(game_of(key), board, first)


class Place(NamedTuple):
    """Where a game is: all that changes, in one piece that need not be copied with its state."""

    board: Board  # as far as it has been turned up
    state: State | None  # None until the coin has been tossed
    plies: int = 0
    claim: int = -1  # the action that is waiting for chance to turn up cells
    face_down: int = 0  # the cells it is waiting for

    def __deepcopy__(self, memo: object) -> Place:
        return self


class SpielGame(pyspiel.Game):
    """One game on one board, or on one size of face-down boards."""

    played: Game  # set by the class that `register` makes for each game

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        game = self.played
        given = {name: value for name, value in (params or {}).items() if value not in ("", 0)}
        self.table = _table(game, given)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.actions(self.table.board),
            max_chance_outcomes=self.table.outcomes,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.table.longest,
        )
        if "board" in given and "/" not in given["board"]:
            given["board"] += "/"  # or it would be read back as a number
        super().__init__(_game_type(game), info, given)

    def new_initial_state(self) -> SpielState:
        """The first position; where a coin is tossed, the toss."""
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """The toss, and each cell once."""
        return self.table.chance_nodes

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: object = None
    ) -> PlanesObserver:
        """What can be seen: now, or with everything that was done before."""
        if params:
            raise BadRequest(f"Observers take no parameters, not even {params}.")
        if iig_obs_type is not None and iig_obs_type.perfect_recall:
            return RecallObserver(self.table)
        return PlanesObserver(self.table)


class SpielState(pyspiel.State):
    """A position, or a point where chance is about to decide something."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        table = game.table
        self.table = table
        start = table.game.rules.start(table.board, table.first) if table.first else None
        self.place = Place(table.board, start)

    # Whose turn it is, and what can be done

    def current_player(self) -> int:
        """0 or 1; chance; or nobody, once it is over."""
        place = self.place
        if place.state is None or place.claim >= 0:
            return int(pyspiel.PlayerId.CHANCE)
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(place.state.turn) - 1

    def is_terminal(self) -> bool:
        """Whether it is over, by the rules or by the cap."""
        board, state, plies, claim, _ = self.place
        if state is None or claim >= 0:
            return False
        return plies >= self.table.longest or not self.table.game.rules.moves(board, state)

    def returns(self) -> list[float]:
        """1 for a win, -1 for a loss, 0 for everything else."""
        if not self.is_terminal():
            return [0.0, 0.0]
        winner = self.table.game.rules.winner(self.place.board, self.place.state)
        points = {1: 1.0, 2: -1.0}.get(winner, 0.0)
        return [points, -points]

    def _legal_actions(self, _player: int) -> list[int]:
        board, state = self.place.board, self.place.state
        return list(members(self.table.game.rules.moves(board, state)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Heads or tails, or the numbers a cell can have, all equally likely."""
        rules = self.table.game.rules
        count = 2 if self.place.state is None else rules.HIGH - rules.LOW + 1
        return [(outcome, 1.0 / count) for outcome in range(count)]

    # What happens

    def _apply_action(self, action: int) -> None:
        place, game = self.place, self.table.game
        if place.state is None:
            first = game.rules.start(place.board, action + 1)
            self.place = place._replace(state=first)
        elif place.claim < 0:
            self.place = _played(game, place._replace(claim=action))
        else:
            cells = list(place.board.cells)
            cells[members(place.face_down)[0]] = game.rules.LOW + action
            board = replace(place.board, cells=tuple(cells))
            self.place = _played(game, place._replace(board=board))

    # How it is written

    def _action_to_string(self, player: int, action: int) -> str:
        words, place = self.table.game.words, self.place
        if player != pyspiel.PlayerId.CHANCE:
            state = place.state or self.table.game.rules.start(place.board, 1)
            return words.action_name(place.board, state, action)
        if place.state is None:
            return f"Player {action + 1} is first"
        cell = words.NOTATION.cell_name(place.board, members(place.face_down)[0])
        return f"{cell} is {self.table.game.rules.LOW + action}"

    def __str__(self) -> str:
        return described(self.table, self.place)


def _played(game: Game, place: Place) -> Place:
    """The place after the claim, or before the first cell that chance has to turn up for it."""
    board, rules = place.board, game.rules
    after = rules.play(board, place.state, place.claim)
    missing = board.unknown & ~rules.hidden(board, after) if game.hides else 0
    if missing:
        return place._replace(face_down=missing)
    return Place(board, after, place.plies + 1)


def described(table: Table, place: Place) -> str:
    """The place for people, and at the end its numbers: no two places are written alike."""
    game, (board, state, plies, claim, missing) = table.game, place
    if state is None:
        return f"{game.title}: a coin decides who is first."
    view = game.view(board, state)
    lines = [plain(draw(view)), view.caption, f"State: {' '.join(str(number) for number in state)}"]
    if game.cyclic:
        lines.append(f"Plies: {plies} of {table.longest}")
    if claim >= 0:
        name = game.words.NOTATION.cell_name
        cells = _turned_up(game, board, state, claim)
        shown = " ".join(f"{name(board, cell)}={game.glyphs[board.cells[cell]]}" for cell in cells)
        move = game.words.action_name(board, state, claim)
        lines.append(f"Claiming {move} turns up {shown}, next {name(board, members(missing)[0])}")
    return "\n".join(line for line in lines if line)


def _turned_up(game: Game, board: Board, state: State, claim: int) -> tuple[int, ...]:
    """The cells that a claim turns up."""
    rules = game.rules
    after = rules.play(board, state, claim)
    return members(rules.hidden(board, state) & ~rules.hidden(board, after))


# Making games from their parameters


def _game_type(game: Game) -> pyspiel.GameType:
    chance = game.hides or game.coin_toss
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
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(game),
    )


def _parameters(game: Game) -> dict[str, str | int]:
    """The parameters that make sense, and what they are unless given."""
    found: dict[str, str | int] = {"rows": 0, "cols": 0}
    if not game.hides:
        found["board"] = ""
        if not game.fixed:
            found["seed"] = 0
    if game.target:
        found["target"] = 0
    if game.coin_toss:
        found["first"] = 0
    return found


def _table(game: Game, given: Mapping[str, Any]) -> Table:
    rows, cols, target = given.get("rows", 0), given.get("cols", 0), given.get("target")
    first = 1
    if game.coin_toss:
        first = given.get("first", 0)
        if first:
            first = who_is_first(game, first, random.Random())
    if "board" in given:
        board = game.parse_board(given["board"], target)
        if (rows or board.rows, cols or board.cols) != (board.rows, board.cols):
            raise BadBoard(
                f"The board has {board.rows} rows and {board.cols} columns; `rows` and `cols` say "
                "otherwise. Leave them out."
            )
        return Table(game, board, first)
    board = blank(game, None, (rows or game.rows, cols or game.cols))
    if target is not None:
        board = replace(board, target=target)
    if not game.hides:
        board = deals.fill(game, board, random.Random(f"gridwise deal {given.get('seed', 0)}"))
    return Table(game, game.check_board(board), first)


def spiel_name(game: Game) -> str:
    """What OpenSpiel calls a game."""
    return f"gridwise_{game.key.replace('-', '_')}"


def register() -> list[str]:
    """Make every game known to OpenSpiel; the names of those that were not known before."""
    known = set(pyspiel.registered_names())
    added = []
    for game in games():
        if spiel_name(game) not in known:
            # A class, not a `partial`: OpenSpiel lets go of it after Python has ended, and only a
            # class is then still held by itself. The last hold on anything else aborts.
            made = type(game.title.replace(" ", ""), (SpielGame,), {"played": game})
            pyspiel.register_game(_game_type(game), made)
            added.append(spiel_name(game))
    return added


register()
