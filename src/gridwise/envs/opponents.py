"""Opponents of the environments: any player, in one game or in many; bots compiled in a batch.

A bot draws from a stream of its own for each game, so that it plays the same alone and in a batch.
Positions that are too large for the perfect bot to solve in a batch are left to `SearchBot`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.core.rng import Stream, mix
from gridwise.engine.bots import HeuristicBot, bot, settings_of
from gridwise.engine.compiled.threads import Threads
from gridwise.players.batch_player import AnyPlayer, BatchPlayer, batch_player, bot_level

if TYPE_CHECKING:
    from gridwise.engine.batch import BatchBot, Bools, GameBatch, Int64s

Opponent: TypeAlias = "AnyPlayer | None"  # None: no opponent, the agent plays both sides

FAILED = "The opponent failed to answer the last step: call reset() first."


def is_random(opponent: Opponent) -> bool:
    """Whether the opponent is the random bot, which draws from the game's own stream."""
    return isinstance(opponent, str) and bot_level(opponent) == "random"


def single_opponent(opponent: Opponent, game: Game, board: Board) -> BatchPlayer | None:
    """The opponent in one game at a time; None where there is none, or a random one."""
    if opponent is None or is_random(opponent):
        return None
    return _bot_opponent(opponent, game, board, 1, Threads()) or batch_player(opponent, game)


def batch_opponent(
    opponent: Opponent, game: Game, board: Board, count: int, threads: Threads
) -> BotOpponent | AskedOpponent | None:
    """The opponent in so many games at once; None where there is none, or a random one."""
    if opponent is None or is_random(opponent):
        return None
    if compiled := _bot_opponent(opponent, game, board, count, threads):
        return compiled
    # A bot that samples spends its time in compiled code, a fresh bot for each game.
    searches = isinstance(opponent, str) and bot_level(opponent) == "perfect"
    asked = batch_player(opponent, game, batched=True)
    return AskedOpponent(asked, threads if searches else None)


def _bot_opponent(
    opponent: AnyPlayer, game: Game, board: Board, count: int, threads: Threads
) -> BotOpponent | None:
    if not isinstance(opponent, str):
        return None
    level = bot_level(opponent)
    solved = level == "perfect" and not game.has_hidden_cells
    if not solved and not settings_of(game, level):
        return None
    return BotOpponent(game, board, level, count, threads)


class BotOpponent(BatchPlayer):
    """A bot in `count` games, on boards like `board`: novice to strong, or perfect where solved."""

    def __init__(self, game: Game, board: Board, level: str, count: int, threads: Threads) -> None:
        self.name = f"bot:{level}"
        self._game, self._board, self._level, self._threads = game, board, level, threads
        self._settings = settings_of(game, level)
        self._seeds = [0] * count
        self._streams = np.zeros(count, np.int64)
        self._bots: dict[int, HeuristicBot] = {}
        self._batch: BatchBot | None = None
        self._compiles = True

    def begin(self, number: int, seed: int | str) -> None:
        """Start the game's stream."""
        self._bots.pop(number, None)
        self._seeds[number] = int(seed)
        self._streams[number : number + 1].view(np.uint64)[0] = mix(int(seed))

    def answer(self, games: GameBatch, waiting: Bools) -> Int64s:
        """An action for each of the games that are waiting, compiled if the heuristic can be."""
        from numba.core.errors import NumbaError  # noqa: PLC0415 - 0.4 s

        if self._compiles:
            try:
                actions = self._choose(games.cells, games.states, games.legal, waiting)
            except (NumbaError, TypeError):
                self._compiles = False  # from the first move on, so the bots begin where it does
        if not self._compiles:
            actions = np.full(games.count, -1)
        for number in np.flatnonzero(waiting & (actions < 0)).tolist():
            actions[number] = self._one_action(number, games.position(number))
        return actions

    def _action(self, number: int, position: Position) -> int:
        """One game of a single environment: number 0."""
        if self._settings is None:
            cells, states = np.array([position.board.cells]), np.array([position.state])
            legal = np.array([position.legal_mask])
            action = int(self._choose(cells, states, legal, np.ones(1, np.bool_))[0])
            if action >= 0:
                return action
        return self._one_action(number, position)

    def _choose(self, *rows: Any) -> Int64s:  # noqa: ANN401 - see BatchBot.choose
        if self._batch is None:
            from gridwise.engine.batch import BatchBot  # noqa: PLC0415 - imports numba

            self._batch = BatchBot(
                self._game, self._board, self._level, self._streams, self._threads
            )
        return self._batch.choose(*rows)

    def _one_action(self, number: int, position: Position) -> int:
        if self._settings is None:
            seed = f"{self._seeds[number]} {len(position.history)}"
            return bot(self._game, self._level, seed).choose(position)
        if number not in self._bots:
            stream = Stream(self._seeds[number])
            self._bots[number] = HeuristicBot(self.name, self._settings, stream)
        return self._bots[number].choose(position)

    # Copying and pickling: compiled code does not travel.

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_batch": None}


class AskedOpponent:
    """Any other player in a batch; with `threads`, each of them asks about a game of its own."""

    def __init__(self, player: BatchPlayer, threads: Threads | None) -> None:
        self._player, self._threads = player, threads
        self.begin, self.close = player.begin, player.close

    def answer(self, games: GameBatch, waiting: Bools) -> Int64s:
        """The player's actions, which must be legal."""
        numbers = np.flatnonzero(waiting).tolist()
        actions = np.zeros(games.count, np.int64)

        def ask(part: slice) -> None:
            actions[numbers[part]] = self._player.choose(games, numbers[part])

        if self._threads:
            self._threads.run(ask, len(numbers), 1)
        else:
            ask(slice(0, len(numbers)))
        games.check(actions, waiting, "The opponent's action")
        return actions
