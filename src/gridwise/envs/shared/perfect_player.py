"""PerfectPlayer: the perfect bot in any number of games, where nothing is hidden; compiled.

It plays one of the moves that `engine.bots.SearchBot` would choose from, drawn with a stream of its
own for each game. Positions that are too large to be solved in a batch are left to that bot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from gridwise.arena.players import BatchPlayer, Games
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.core.rng import mix
from gridwise.engine.bots import bot
from gridwise.engine.compiled.kernels import kernel
from gridwise.engine.compiled.threads import Threads
from gridwise.engine.exact.best_actions import BestActions, Bools, Int64s
from gridwise.envs.batch_kernels import draw_actions


class PerfectPlayer(BatchPlayer):
    """Plays perfectly in `count` games, on boards like `board`."""

    name = "bot:perfect"
    batched = True

    def __init__(self, game: Game, board: Board, count: int, threads: Threads) -> None:
        self._game, self._board, self._threads = game, board, threads
        self._seeds = np.zeros(count, np.int64)
        self._streams = np.zeros(count, np.int64)
        self._best: BestActions | None = None

    def begin(self, number: int, seed: int | str) -> None:
        """Start the game's stream."""
        self._seeds[number] = seed
        self._streams[number : number + 1].view(np.uint64)[0] = mix(int(seed))

    def answers(self, games: Games, numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
        """An action for each of the games with these numbers, all found at once."""
        positions = {number: games.position(number) for number in numbers}
        cells = np.zeros((len(self._streams), self._board.size), np.int64)
        states = np.zeros((len(self._streams), len(positions[numbers[0]].state)), np.int64)
        chosen = np.zeros(len(self._streams), np.bool_)
        for number, position in positions.items():
            cells[number], states[number] = position.board.cells, position.state
            chosen[number] = True
        found = self.choose_rows(cells, states, chosen, positions.__getitem__)
        yield from ((number, int(found[number])) for number in numbers)

    def choose_rows(
        self, cells: Int64s, states: Int64s, chosen: Bools, position: Callable[[int], Position]
    ) -> Int64s:
        """An action for each of the chosen games, which are rows of arrays."""
        if self._best is None:
            self._best = BestActions(self._game, self._board, self._threads)
        best = self._best.find(cells, states, chosen)
        actions = np.zeros(len(best), np.int64)
        kernel(self._game, draw_actions)(best, self._streams, actions)
        for number in np.flatnonzero(chosen & (best == 0)).tolist():
            large = position(number)
            seed = f"{self._seeds[number]} {len(large.history)}"
            actions[number] = bot(self._game, "perfect", seed).choose(large)
        return actions

    # Copying and pickling: compiled code does not travel.

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_best": None}
