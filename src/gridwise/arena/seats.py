"""The two seats of a game, and who takes them.

A player is named `human`, `bot:LEVEL` (or just `LEVEL`), `ugi:COMMAND`, `python:MODULE:NAME` or
`model:NAME`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from gridwise.arena.python_player import PythonPlayer
from gridwise.core.game import Game
from gridwise.core.position import Player
from gridwise.engine.bots import LEVELS, bot
from gridwise.errors import BadRequest, quoted
from gridwise.play.match import HUMAN

if TYPE_CHECKING:
    from gridwise.arena.model_player import ModelPlayer
    from gridwise.engine.ugi.client import UgiPlayer


def resumed_player(who: str) -> str:
    """Who takes the seat of a recorded player: the same bot, or a person.

    Another program does not, nor a model: a file that came from elsewhere must not start one, or
    ask one that costs money.
    """
    return who if who.partition(":")[0] == "bot" else HUMAN


def player_name(who: str) -> str:
    """A player's name in full, as a record has it: `bot:perfect` for `Perfect`."""
    kind, colon, rest = who.strip().partition(":")
    kind = kind.casefold()
    if not colon:
        return f"bot:{kind}" if kind in LEVELS else kind
    return f"{kind}:{rest.casefold() if kind == 'bot' else rest}"


def make_player(game: Game, who: str, seed: str | None = None) -> Player | None:
    """The player that `who` names; None for a person, who is asked at the console."""
    name = player_name(who)
    kind, _, rest = name.partition(":")
    if name == HUMAN:
        return None
    if kind == "bot" and rest:
        return bot(game, rest, seed)
    if kind == "ugi":
        return ugi_player(game, rest, seed)
    if kind == "python":
        return python_player(game, rest, seed)
    if kind == "model":
        return model_player(rest)
    raise BadRequest(
        f"A player is human, a bot ({', '.join(LEVELS)}), ugi:COMMAND, python:MODULE:NAME or "
        f"model:NAME, not {quoted(who)}."
    )


def ugi_player(game: Game, command: str, seed: int | str | None = None) -> UgiPlayer:
    """The engine behind a command."""
    from gridwise.engine.ugi.client import UgiPlayer  # noqa: PLC0415 - 15 ms, only for this

    return UgiPlayer(command, program_seed(game, seed))


def python_player(game: Game, name: str, seed: int | str | None = None) -> PythonPlayer:
    """The player behind `MODULE:NAME`."""
    return PythonPlayer(name, game, program_seed(game, seed))


def model_player(name: str) -> ModelPlayer:
    """The language model of that name, at the endpoint that the environment names.

    It gets no seed: what a model draws is its provider's business.
    """
    from gridwise.arena.model_player import ModelPlayer  # noqa: PLC0415 - 30 ms, only for this

    return ModelPlayer(name)


def program_seed(game: Game, seed: int | str | None) -> int | str | None:
    """The seed for a player that is not ours, made from the one that was given.

    Where cells are face down it is the same whatever was given: a program that is told anything
    made from the seed of the deal could try all small seeds until one fits, and know the board.
    """
    return 0 if game.has_hidden_cells and seed is not None else seed


@runtime_checkable
class Program(Protocol):
    """A player that is another process, which has to be ended, or a model that is waited for."""

    def start(self) -> None:
        """Run it, if it does not run."""

    def close(self) -> None:
        """End it; the next question starts it anew."""


@contextmanager
def programs_running(players: Iterable[Player | None]) -> Iterator[None]:
    """Run the programs among the players while the block runs, and no longer."""
    with ExitStack() as stack:
        for player in players:
            if isinstance(player, Program):
                stack.callback(player.close)
                player.start()
        yield
