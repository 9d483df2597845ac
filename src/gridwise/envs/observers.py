"""What OpenSpiel is given to see of a game: planes, and with perfect recall all that was done.

An observer has a flat `tensor` and a `dict` of views into it, and says the same as text. Nothing is
private: both players see the same cells, each from its own side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gridwise.envs.observation import observe, shape
from gridwise.envs.places import Table

if TYPE_CHECKING:
    from gridwise.envs.openspiel import SpielState


class PlanesObserver:
    """The position as it is: the planes that all environments share."""

    def __init__(self, table: Table) -> None:
        self._table = table
        pieces = self._pieces()
        self.tensor = np.zeros(sum(int(np.prod(size)) for size in pieces.values()), np.float32)
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        begin = 0
        for name, size in pieces.items():
            end = begin + int(np.prod(size))
            self.dict[name] = self.tensor[begin:end].reshape(size)
            begin = end

    def _pieces(self) -> dict[str, tuple[int, ...]]:
        return {"observation": shape(self._table.game, self._table.board)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the tensor with what a player sees; all zeros before the toss."""
        place = state.place
        planes = self.dict["observation"]
        if place.state is None:
            planes.fill(0)
        else:
            planes[:] = observe(self._table.game, place.board, place.state, player + 1)

    def string_from(self, state: SpielState, player: int) -> str:
        """The same for people."""
        return f"You are Player {player + 1}.\n{state}"


class RecallObserver(PlanesObserver):
    """The position and everything that led to it, players' actions and chance's, in order."""

    def _pieces(self) -> dict[str, tuple[int, ...]]:
        table = self._table
        choices = max(table.game.actions(table.board), table.outcomes)
        longest = table.longest + table.chance_nodes
        return super()._pieces() | {"history": (longest, choices)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the tensor; row k of the history has a 1 for what was done as the k-th thing."""
        super().set_from(state, player)
        history = self.dict["history"]
        history.fill(0)
        done: list[Any] = state.history()
        history[range(len(done)), done] = 1

    def string_from(self, state: SpielState, player: int) -> str:
        """What was done, as numbers: it tells everything."""
        return f"You are Player {player + 1}. Done so far: {state.history_str() or 'nothing'}"
