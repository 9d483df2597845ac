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
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from gridwise.core.game import Game
from gridwise.core.position import Player, Position
from gridwise.engine.bots import bot
from gridwise.engine.observation import Observation, observation
from gridwise.errors import BadRequest, IllegalAnswer, MoveError, quoted
from gridwise.play.match import HUMAN
from gridwise.players.background_loop import BackgroundLoop
from gridwise.players.seats import open_player

Policy: TypeAlias = Callable[..., Any]
AnyPlayer: TypeAlias = "str | Player | Policy"

NO_ACTION = -1
BATCH = 512  # games at once, for a player that takes observations stacked
CONCURRENCY = 16


class Games(Protocol):
    """Games waiting for a move, known by their numbers."""

    def position(self, number: int) -> Position:
        """One of the games."""

    def observations(self, numbers: Sequence[int]) -> Observation:
        """Some of them, stacked, each from the side of the player to move."""


class BatchPlayer:
    """A player in any number of games at once."""

    name: str
    at_once = 2  # how many games it is best asked about at once

    def begin(self, number: int, seed: int | str) -> None:
        """A new game with this number starts; `seed` is for whatever the player draws in it."""

    def choose(self, games: Games, numbers: Sequence[int]) -> list[int]:
        """An action for each of the games with these numbers, not necessarily a legal one."""
        found = dict(self.answers(games, numbers))
        return [found[number] for number in numbers]

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
        return _named_player(player, game, seed, concurrency)
    if isinstance(player, type):
        raise BadRequest(
            f"{player.__name__} is a class: give one that is made, {player.__name__}()."
        )
    if not batched and _is_async(player):
        return _AsyncPlayer(player, concurrency)
    if hasattr(player, "choose"):
        return _OnePlayer(player)
    if callable(player):
        return _BatchedPolicy(player) if batched else _Policy(player)
    raise BadRequest(
        f"Cannot ask {quoted(repr(player))} for moves. A player is a bot level, ugi:COMMAND, "
        "python:MODULE:NAME, model:NAME, something with choose(position), or a function of an "
        "observation."
    )


def _named_player(player: str, game: Game, seed: int, concurrency: int) -> BatchPlayer:
    if player.partition(":")[0].strip().casefold() not in ("ugi", "python", "model"):
        return _Bots(game, bot_level(player))
    opened = open_player(game, player, seed)
    if getattr(opened, "is_async", False):
        return _AsyncPlayer(opened, concurrency)
    return _OnePlayer(opened)


def bot_level(player: str) -> str:
    """The level that `casual` and `bot:casual` name; raises BadRequest for a person."""
    level = player.strip().removeprefix("bot:")
    if level.casefold() == HUMAN:
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


class PositionGames:
    """Positions as Games."""

    def __init__(self, positions: Mapping[int, Position]) -> None:
        self._positions = positions

    def position(self, number: int) -> Position:
        """One of the positions."""
        return self._positions[number]

    def observations(self, numbers: Sequence[int]) -> Observation:
        """The observations of some positions, stacked."""
        each = [observation(self._positions[number]) for number in numbers]
        return {name: np.stack([one[name] for one in each]) for name in each[0]}


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
    """One player for all games."""

    def __init__(self, player: Any) -> None:  # noqa: ANN401 - anything with choose(position)
        self._player = player
        self.name = str(getattr(player, "name", type(player).__name__))

    def _action(self, _number: int, position: Position) -> int:
        try:
            return _read_answer(position, self._player.choose(position))
        except IllegalAnswer:
            return NO_ACTION

    def close(self) -> None:
        close = getattr(self._player, "close", None)
        if close:
            close()


class _Policy(BatchPlayer):
    """A function of one observation."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._takes_two = _takes_two(policy)
        self.name = str(getattr(policy, "__name__", type(policy).__name__))

    def _ask(self, observed: Observation) -> Any:  # noqa: ANN401 - whatever a policy answers
        if self._takes_two:
            return self._policy(observed["observation"], observed["action_mask"])
        return self._policy(observed)

    def _action(self, _number: int, position: Position) -> int:
        return action_number(self._ask(observation(position)))


class _BatchedPolicy(_Policy):
    """A function of many observations, stacked."""

    at_once = BATCH

    def answers(self, games: Games, numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
        count, answers = len(numbers), self._ask(games.observations(numbers))
        if inspect.isawaitable(answers):
            loop = BackgroundLoop()
            answers = loop.run(_awaited(answers))
            loop.close()
        demand = f"{self.name} was given {count} observations and must answer with"
        yield from zip(numbers, action_array(answers, count, demand).tolist(), strict=True)


class _AsyncPlayer(BatchPlayer):
    """An `async` function or player, or a model, asked about many games at the same time."""

    def __init__(self, player: Any, concurrency: int) -> None:  # noqa: ANN401 - see the table above
        self._inner = _OnePlayer(player) if hasattr(player, "choose") else _Policy(player)
        self._ask = getattr(player, "choose_async", getattr(player, "choose", None))
        self.name = self._inner.name
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
            for each in asked:
                each.cancel()
        if failure:
            raise failure

    async def _answer(self, position: Position) -> int | BaseException:
        """The answer, or what was raised: SystemExit would end the loop if it got out."""
        async with self._free:
            try:
                if self._ask is None:
                    return action_number(await self._inner._ask(observation(position)))  # type: ignore[union-attr] # noqa: SLF001 - a _Policy, of this module
                return _read_answer(position, await self._ask(position))
            except IllegalAnswer:
                return NO_ACTION
            except BaseException as error:  # noqa: BLE001 - raised by `answers`
                return error

    def close(self) -> None:
        self._inner.close()
        self._loop.close()


def _read_answer(position: Position, answer: object) -> int:
    """The action that a player's answer means, its text or its number; NO_ACTION if none."""
    if isinstance(answer, str):
        try:
            return position.read(answer)
        except MoveError:
            return NO_ACTION
    return action_number(answer)


def _is_async(player: object) -> bool:
    asked = getattr(player, "choose", player)
    call = getattr(asked, "__call__", None)  # noqa: B004 - an object's own `async def __call__`
    return inspect.iscoroutinefunction(asked) or inspect.iscoroutinefunction(call)


async def _awaited(answers: Awaitable[Any]) -> Any:  # noqa: ANN401 - whatever a policy answers
    return await answers


def _takes_two(policy: Policy) -> bool:
    """Whether a function has to be given two arguments."""
    try:
        parameters = inspect.signature(policy).parameters.values()
    except (TypeError, ValueError):  # some written in C have no signature
        return False
    by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [each for each in parameters if each.kind in by_place and each.default is each.empty]
    return len(needed) == 2
