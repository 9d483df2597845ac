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

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pyspiel

from gridwise.core.bits import members
from gridwise.core.game import Game
from gridwise.core.registry import games
from gridwise.envs.observers import PlanesObserver, RecallObserver
from gridwise.envs.places import Place, described, parameters, played, table_of
from gridwise.errors import BadRequest


class SpielGame(pyspiel.Game):
    """One game on one board, or on one size of face-down boards."""

    of: Game  # set by the class that `register` makes for each game

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        game = self.of
        given = {name: value for name, value in (params or {}).items() if value not in ("", 0)}
        self.table = table_of(game, given)
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
            self.place = played(game, place._replace(claim=action))
        else:
            cells = list(place.board.cells)
            cells[members(place.face_down)[0]] = game.rules.LOW + action
            board = replace(place.board, cells=tuple(cells))
            self.place = played(game, place._replace(board=board))

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
        parameter_specification=parameters(game),
    )


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
            made = type(game.title.replace(" ", ""), (SpielGame,), {"of": game})
            pyspiel.register_game(_game_type(game), made)
            added.append(spiel_name(game))
    return added


register()
