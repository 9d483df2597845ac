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

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel

from gridwise.arena.observation import observe, shape
from gridwise.core.game import Game
from gridwise.core.registry import games
from gridwise.envs.spiel_state import SpielSetup, SpielState, parameters, setup_from
from gridwise.errors import BadRequest


class SpielObserver:
    """What a player sees: the planes that all environments share; with `recall` also what was done.

    An observer has a flat `tensor` and a `dict` of views into it, and says the same as text.
    Nothing is private: both players see the same cells, each from its own side.
    """

    def __init__(self, setup: SpielSetup, *, recall: bool) -> None:
        self._recall = recall
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
        """The same for people; what was done, players' actions and chance's, says everything."""
        if self._recall:
            return f"You are Player {player + 1}. Done so far: {state.history_str() or 'nothing'}"
        return f"You are Player {player + 1}.\n{state}"


class SpielGame(pyspiel.Game):
    """One game on one board, or on one size of face-down boards."""

    of: Game  # set by the class that `register` makes for each game

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        game = self.of
        defaults = parameters(game)
        given = {
            name: value for name, value in (params or {}).items() if value != defaults.get(name)
        }
        self.setup = setup_from(game, given)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.actions(self.setup.board),
            max_chance_outcomes=self.setup.max_chance_outcomes,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.setup.max_plies,
        )
        for name in {"board", "boards"} & given.keys():
            if "/" not in given[name]:
                given[name] += "/"  # or it would be read back as a number
        several = len(self.setup.boards) > 1
        super().__init__(_game_type(game, deals=several), info, given)

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


def register() -> list[str]:
    """Register every game with OpenSpiel; returns the names of those that are new."""
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
