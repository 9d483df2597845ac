"""Everything that can be asked for moves, behind one protocol: BatchPlayer.

| given | what it is asked with |
|---|---|
| `"casual"` or `"bot:casual"` | a bot of that level, a fresh one for each game |
| `"ugi:COMMAND"` | the program behind the command, in UGI |
| `"model:NAME"` | the position in words: a language model, about many games at the same time |
| `"python:MODULE:NAME"` | an object with `choose(position)`, or what makes one from (game, seed) |
| anything with `choose(position)` | a `gridwise.Position` |
| a function of one argument | an observation: a dict of `observation` and `action_mask` |
| a function of two arguments | the same two, one by one |
| either function, batched | the same of many games, stacked; it returns an array of actions |
| any of these with `async def` | the same, about many games at the same time |

An observation is what every environment hands out, from the side of the player to move. A player
may answer with anything; `NO_ACTION` stands for an answer that is not a whole number.
"""

from __future__ import annotations

import asyncio
import inspect
import operator
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import as_completed
from contextlib import closing
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from gridwise.core.game import Game
from gridwise.core.position import Player, Position
from gridwise.engine.bots import bot
from gridwise.engine.observation import Observation, observation
from gridwise.errors import BadRequest, IllegalAnswer, MoveError, printable, quoted
from gridwise.play.match import is_person
from gridwise.players.background_loop import BackgroundLoop
from gridwise.players.seats import open_player

Policy: TypeAlias = Callable[..., Any]
AnyPlayer: TypeAlias = "str | Player | Policy"

NO_ACTION = -1
BATCH_SIZE = 512  # games at once, for a player that takes observations stacked
CONCURRENCY = 16


class Games(Protocol):
    """Games waiting for a move, known by their numbers."""

    def position(self, number: int) -> Position:
        """One of the games."""

    def observations(self, numbers: Sequence[int]) -> Observation:
        """Some of them, stacked, each from the side of the player to move."""


class PositionGames(dict[int, Position]):
    """Positions as Games."""

    def position(self, number: int) -> Position:
        """One of the positions."""
        return self[number]

    def observations(self, numbers: Sequence[int]) -> Observation:
        """The observations of some positions, stacked."""
        observed = [observation(self[number]) for number in numbers]
        return {name: np.stack([one[name] for one in observed]) for name in observed[0]}


class BatchPlayer:
    """A player in any number of games at once."""

    name: str
    at_once = 2  # how many games it is best asked about at once

    def begin(self, number: int, seed: int | str) -> None:
        """A new game with this number starts; `seed` is for whatever the player draws in it."""

    def choose(self, games: Games, numbers: Sequence[int]) -> list[int]:
        """An action for each of the games with these numbers, not necessarily a legal one."""
        actions = dict(self.answers(games, numbers))
        return [actions[number] for number in numbers]

    def choose_one(self, position: Position) -> int:
        """An action for game 0, which is in this position."""
        return self.choose(PositionGames({0: position}), [0])[0]

    def answers(self, games: Games, numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Actions as they come, each with its game's number: if one fails, others are not lost."""
        for number in numbers:
            yield number, self._action(number, games.position(number))

    def catch_up(self, number: int, position: Position) -> None:
        """A game goes on from a file: in this position the player has moved before."""

    def _action(self, number: int, position: Position) -> int:
        """An action for one game, where games are asked about one by one."""
        raise NotImplementedError

    def close(self) -> None:
        """End whatever was started for this player."""


def batch_player(
    player: AnyPlayer,
    game: Game,
    seed: int = 0,
    *,
    batched: bool = False,
    concurrency: int = CONCURRENCY,
) -> BatchPlayer:
    """Any player as a BatchPlayer; raises BadRequest if it cannot be asked for moves.

    `batched` says that a function takes many observations at once; `seed` is for UGI engines and
    Python objects. An `async` one is asked about at most `concurrency` games at the same time.
    """
    if concurrency < 1:
        raise BadRequest(f"`concurrency` is a whole number from 1 up, not {concurrency}.")
    if isinstance(player, str):
        if player.partition(":")[0].strip().casefold() not in ("ugi", "python", "model"):
            return _Bots(game, bot_level(player))
        player = open_player(game, player, seed)
    if isinstance(player, type):
        raise BadRequest(
            f"{player.__name__} is a class: give one that is made, {player.__name__}()."
        )
    if not (hasattr(player, "choose") or callable(player)):
        raise BadRequest(
            f"Cannot ask {quoted(repr(player))} for moves. A player is a bot level, ugi:COMMAND, "
            "python:MODULE:NAME, model:NAME, something with choose(position), or a function of an "
            "observation."
        )
    if batched and not hasattr(player, "choose"):
        return _BatchedPolicy(player)
    return _AsyncPlayer(player, concurrency) if _is_async(player) else _OnePlayer(player)


def bot_level(player: str) -> str:
    """The level that `casual` and `bot:casual` name; raises BadRequest for a person."""
    level = player.strip().removeprefix("bot:")
    if is_person(level.casefold()):
        raise BadRequest("Only programs are asked for moves here. `gridwise play` is for people.")
    return level


def action_number(answer: object) -> int:
    """An answer as an action; NO_ACTION, which is never legal, if it is not a whole number.

    Raises BadRequest for one that would have to be awaited: that is no bad move but a bad player.
    """
    if inspect.iscoroutine(answer):
        answer.close()
        raise BadRequest("A player answered with a coroutine: write it with `async def`.")
    try:
        return operator.index(answer)  # type: ignore[arg-type] # that is the question
    except TypeError:
        return NO_ACTION


def action_array(answers: object, count: int, demand: str) -> npt.NDArray[np.int64]:
    """Answers for many games at once; raises BadRequest unless there is an action for each."""
    try:
        read = np.asarray(answers)
    except ValueError:  # of different lengths
        read = np.empty(0, object)
    if read.shape != (count,) or not np.issubdtype(read.dtype, np.integer):
        raise BadRequest(
            f"{demand} as many actions, whole numbers, not an array of {read.dtype} of the shape "
            f"{read.shape}."
        )
    return np.ascontiguousarray(read, np.int64)


class _Bots(BatchPlayer):
    """A fresh bot for each game, so that no game depends on another."""

    def __init__(self, game: Game, level: str) -> None:
        self._game, self._level = game, level
        self._bots: dict[int, Player] = {}
        self.name = bot(game, level, 0).name

    def begin(self, number: int, seed: int | str) -> None:
        self._bots[number] = bot(self._game, self._level, seed)

    def catch_up(self, number: int, position: Position) -> None:
        self._bots[number].choose(position)  # so that what it draws next is what it would have been

    def _action(self, number: int, position: Position) -> int:
        return self._bots[number].choose(position)


class _OnePlayer(BatchPlayer):
    """One player for all games: something with `choose`, or a function of one observation."""

    def __init__(self, player: Any) -> None:  # noqa: ANN401 - see the table above
        self._player = player
        self.name = name_of(player)
        policy = _of_observation(player)
        choose = getattr(player, "choose", lambda position: policy(observation(position)))
        self._ask = getattr(player, "choose_async", choose) if _is_async(player) else choose

    def _action(self, _number: int, position: Position) -> int:
        try:
            return self._read(position, self._ask(position))
        except IllegalAnswer:
            return NO_ACTION

    def _read(self, position: Position, answer: object) -> int:
        """The action that an answer means; only an action's number from a function."""
        if isinstance(answer, str) and hasattr(self._player, "choose"):
            try:
                return position.read(answer)
            except MoveError:
                return NO_ACTION
        return action_number(answer)

    def close(self) -> None:
        if hasattr(self._player, "choose") and hasattr(self._player, "close"):
            self._player.close()


class _BatchedPolicy(BatchPlayer):
    """A function of many observations, stacked."""

    at_once = BATCH_SIZE

    def __init__(self, policy: Policy) -> None:
        self._ask = _of_observation(policy)
        self.name = name_of(policy)

    def answers(self, games: Games, numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
        count, answers = len(numbers), self._ask(games.observations(numbers))
        if inspect.isawaitable(answers):
            with closing(BackgroundLoop()) as loop:
                answers = loop.run(_awaited(answers))
        demand = f"{self.name} was given {count} observations and must answer with"
        yield from zip(numbers, action_array(answers, count, demand).tolist(), strict=True)


class _AsyncPlayer(_OnePlayer):
    """An `async` function or player, or a model, asked about many games at the same time."""

    def __init__(self, player: Any, concurrency: int) -> None:  # noqa: ANN401 - see the table above
        super().__init__(player)
        self.at_once = 2 * concurrency  # in half of them it is the other's turn
        self._free = asyncio.Semaphore(concurrency)
        self._loop = BackgroundLoop()

    def answers(self, games: Games, numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
        positions = {number: games.position(number) for number in numbers}
        asked = {self._loop.submit(self._answer(own)): n for n, own in positions.items()}
        failure: BaseException | None = None
        try:
            # If one fails, the others are waited for: they are kept, and nothing is left running.
            for answered in as_completed(asked):
                answer = answered.result()
                if isinstance(answer, BaseException):
                    failure = failure or answer
                else:
                    yield asked[answered], answer
        finally:
            for question in asked:
                question.cancel()
        if failure:
            raise failure

    async def _answer(self, position: Position) -> int | BaseException:
        """The answer, or what was raised: SystemExit would end the loop if it got out."""
        async with self._free:
            try:
                return self._read(position, await self._ask(position))
            except IllegalAnswer:
                return NO_ACTION
            except BaseException as error:  # noqa: BLE001 - raised by `answers`
                return error

    def close(self) -> None:
        super().close()
        self._loop.close()


def name_of(player: object) -> str:
    """What a player is called: its own name, or that of its class or function."""
    fallback = getattr(player, "__name__", type(player).__name__)
    name = getattr(player, "name", fallback) if hasattr(player, "choose") else fallback
    return printable(str(name), 1000)


def _is_async(player: object) -> bool:
    """Whether its answers have to be awaited: one that we opened says so itself."""
    asked = getattr(player, "choose", player)
    call = getattr(asked, "__call__", None)  # noqa: B004 - an object's own `async def __call__`
    waits = inspect.iscoroutinefunction(asked) or inspect.iscoroutinefunction(call)
    return bool(getattr(player, "is_async", waits))


async def _awaited(answers: Awaitable[Any]) -> Any:  # noqa: ANN401 - whatever a policy answers
    return await answers


def _of_observation(policy: Policy) -> Policy:
    """The policy as a function of an observation, also one that takes its two parts."""
    try:
        parameters = inspect.signature(policy).parameters.values()
    except (TypeError, ValueError):  # some written in C have no signature
        return policy
    by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [one for one in parameters if one.kind in by_place and one.default is one.empty]
    if len(needed) != 2:
        return policy
    return lambda observed: policy(observed["observation"], observed["action_mask"])
