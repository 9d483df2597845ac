"""HeuristicPlayer: a bot of a middling level in any number of games; in a batch, compiled.

Each game has a bot that draws from a stream of its own. In a batch the same moves come from
compiled code, if the game's heuristic is plain enough to be compiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gridwise.arena.players import BatchPlayer
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.core.rng import Stream, mix
from gridwise.engine.bots import HeuristicBot, settings_of
from gridwise.engine.compiled.threads import Threads

CHUNK = 256  # games that a thread takes at a time


class HeuristicPlayer(BatchPlayer):
    """Plays in `count` games, on boards like `board`."""

    def __init__(self, game: Game, board: Board, level: str, count: int, threads: Threads) -> None:
        self.name = f"bot:{level}"
        settings = settings_of(game, level)
        assert settings is not None  # the caller has asked
        self._game, self._board, self._settings, self._threads = game, board, settings, threads
        self._seeds = [0] * count
        self._streams = np.zeros(count, np.int64)
        self._bots: dict[int, HeuristicBot] = {}
        self._compiles = True

    def begin(self, number: int, seed: int | str) -> None:
        """Start the game's stream."""
        self._bots.pop(number, None)
        self._seeds[number] = int(seed)
        self._streams[number : number + 1].view(np.uint64)[0] = mix(int(seed))

    def _action(self, number: int, position: Position) -> int:
        if number not in self._bots:
            stream = Stream(self._seeds[number])
            self._bots[number] = HeuristicBot(self.name, self._settings, stream)
        return self._bots[number].choose(position)

    def choose_rows(
        self,
        cells: npt.NDArray[np.int64],
        states: npt.NDArray[np.int64],
        chosen: npt.NDArray[np.bool_],
    ) -> npt.NDArray[np.int64] | None:
        """An action for each of the chosen games, rows of arrays; None if it does not compile."""
        if not self._compiles:
            return None
        from numba.core.errors import NumbaError  # noqa: PLC0415 - 0.4 s

        actions = np.zeros(len(states), np.int64)

        def choose_part(rows: slice) -> None:
            self._run(cells[rows], states[rows], chosen[rows], self._streams[rows], actions[rows])

        try:
            self._threads.run(choose_part, len(states), CHUNK)
        except (NumbaError, TypeError):
            self._compiles = False  # from the first move on, so the bots begin where it does
            return None
        return actions

    def _run(self, *arrays: Any) -> None:  # noqa: ANN401 - see the kernel
        from gridwise.engine.compiled.heuristic_batch import (  # noqa: PLC0415
            CompiledSettings,
            choose_by_heuristic,
        )
        from gridwise.engine.compiled.kernels import (  # noqa: PLC0415 - the next imports numba
            compiled_board,
            kernel,
            pinned,
        )

        depth, miss_rate, noise, careful = self._settings
        if self._game.has_hidden_cells:
            depth = 1
        settings = CompiledSettings(depth, int(careful), self._game.rules.LOW, miss_rate, noise)
        room = np.zeros((2, self._board.size), np.int64)
        kernel(self._game, choose_by_heuristic)(
            compiled_board(self._board), *arrays, pinned(settings), room[0], room[1]
        )
