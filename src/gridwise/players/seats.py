"""Names of players, and the one place where a name becomes a player: `open_player`.

| name | player |
|---|---|
| `human`, `human:NAME` | a person, who is asked where the game is shown |
| `bot:LEVEL`, or just `LEVEL` | one of our bots |
| `ugi:COMMAND` | an engine, a process that speaks UGI |
| `python:MODULE:NAME` | an object with `choose(position)`, or what makes one from (game, seed) |
| `model:NAME` | a language model, at the endpoint that the environment names |

A player has a `name` and `choose(position)` (`core.position.Player`). One that is not ours also has
`start` and `close` (`ExternalPlayer`). `batch_player` asks any of them about many games at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Protocol, runtime_checkable

from gridwise.core.game import Game
from gridwise.core.position import Player
from gridwise.engine.bots import LEVELS, bot
from gridwise.errors import BadRequest, quoted
from gridwise.play.match import HUMAN, is_person


@runtime_checkable
class ExternalPlayer(Protocol):
    """A player that is another process, which has to be ended, or a model that is waited for."""

    def start(self) -> None:
        """Run it, if it does not run."""

    def close(self) -> None:
        """End it; the next question starts it anew."""


def open_player(game: Game, who: str, seed: int | str | None = None) -> Player:
    """The player that a name means; raises BadRequest if it is none, or a person.

    A model gets no seed: what it draws is its provider's business.
    """
    name = player_name(who)
    kind, _, rest = name.partition(":")
    if kind == "bot" and rest:
        return bot(game, rest, seed)
    # What each imports takes 10 to 30 ms, and is for this kind of player only.
    if kind == "ugi":
        from gridwise.engine.ugi.client import UgiPlayer  # noqa: PLC0415

        return UgiPlayer(rest, program_seed(game, seed))
    if kind == "python":
        from gridwise.players.python_player import PythonPlayer  # noqa: PLC0415

        return PythonPlayer(rest, game, program_seed(game, seed))
    if kind == "model":
        from gridwise.players.model_player import ModelPlayer  # noqa: PLC0415

        return ModelPlayer(rest)
    if is_person(name):
        raise BadRequest("Only programs are asked for moves here. `gridwise play` is for people.")
    raise BadRequest(
        f"A player is human, a bot ({', '.join(LEVELS)}), ugi:COMMAND, python:MODULE:NAME or "
        f"model:NAME, not {quoted(who)}."
    )


def open_seat(game: Game, who: str, seed: int | str | None = None) -> Player | None:
    """The player that a name means; None for a person, who is asked where the game is shown."""
    return None if is_person(player_name(who)) else open_player(game, who, seed)


def player_name(who: str) -> str:
    """A player's name in full, as a record has it: `bot:perfect` for `Perfect`."""
    kind, colon, rest = who.strip().partition(":")
    kind = kind.casefold()
    if not colon:
        return f"bot:{kind}" if kind in LEVELS else kind
    if kind == HUMAN:
        rest = " ".join(rest.split())
        return f"{HUMAN}:{rest}" if rest else HUMAN
    return f"{kind}:{rest.casefold() if kind == 'bot' else rest}"


def resumed_player(who: str) -> str:
    """Who takes the seat of a recorded player: the same bot or person, or else a person.

    Another program does not, nor a model: a file that came from elsewhere must not start one, or
    ask one that costs money.
    """
    return who if who.partition(":")[0] in ("bot", HUMAN) else HUMAN


def program_seed(game: Game, seed: int | str | None) -> int | str | None:
    """The seed for a player that is not ours, made from the one that was given.

    Where cells are face down it is the same whatever was given: a program that is told anything
    made from the seed of the deal could try all small seeds until one fits, and know the board.
    """
    return 0 if game.has_hidden_cells and seed is not None else seed


@contextmanager
def programs_running(players: Iterable[Player | None]) -> Iterator[None]:
    """Run the programs among the players while the block runs, and no longer."""
    with ExitStack() as stack:
        for player in players:
            if isinstance(player, ExternalPlayer):
                stack.callback(player.close)
                player.start()
        yield
