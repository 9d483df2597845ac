"""Events: one class for each thing that can happen in a game.

The same objects are used in memory, in the journal on disk and in tests. On disk an event is its
kind, the player, and its other fields as JSON; a field that is not compared is left out, because
it follows from what is stored beside it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Literal

from gridwise.errors import UnknownGame, quoted

Offer = Literal["takeback", "stop", "rematch"]  # what one player can ask the other to agree to


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, and the player who did it."""

    kind: ClassVar[str]
    player: int

    def data(self) -> dict[str, Any]:
        """The fields that are stored as JSON."""
        names = [each.name for each in fields(self) if each.compare]
        return {name: getattr(self, name) for name in names if name != "player"}


@dataclass(frozen=True, slots=True)
class SeatTaken(Event):
    """Somebody sat down on the free seat. Name and token are stored with the seat."""

    kind = "seat"
    name: str = field(default="", compare=False, repr=False)
    token: str = field(default="", compare=False, repr=False)


class Arrived(Event):
    """A player has opened a game that the other has made for both: the next of a match."""

    kind = "arrive"


@dataclass(frozen=True, slots=True)
class MovePlayed(Event):
    """A move. Read back from disk it has no action number yet: the text says which move it was."""

    kind = "move"
    move: str
    action: int | None = field(default=None, compare=False, repr=False)


class Resigned(Event):
    """A player gave the game up."""

    kind = "resign"


class TimedOut(Event):
    """A player's clock ran out."""

    kind = "time-out"


class Asked(Event):
    """A player asked the other to agree to something."""

    what: ClassVar[Offer]


class TakebackAsked(Asked):
    """A player asked to take the last move back."""

    kind, what = "ask-takeback", "takeback"


class StopAsked(Asked):
    """A player asked to stop the game without a result."""

    kind, what = "ask-stop", "stop"


class RematchAsked(Asked):
    """A player asked for another game."""

    kind, what = "ask-rematch", "rematch"


@dataclass(frozen=True, slots=True)
class TakenBack(Event):
    """Moves were taken back. Cells that are hidden again were dealt anew: `board` has them."""

    kind = "takeback"
    plies: int  # how many are left
    board: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Declined(Event):
    """A player declined what the other asked for, or withdrew an offer."""

    kind = "decline"
    what: Offer


@dataclass(frozen=True, slots=True)
class Stopped(Event):
    """The game was stopped without a result."""

    kind = "stop"
    reason: str


class HintGiven(Event):
    """The player to move asked for a hint."""

    kind = "hint"


class ValuesShown(Event):
    """A player had the values of the moves shown on the board."""

    kind = "values"


@dataclass(frozen=True, slots=True)
class RematchMade(Event):
    """The game that follows this one was made."""

    kind = "rematch"
    id: str


_KINDS: tuple[type[Event], ...] = (
    SeatTaken, Arrived, MovePlayed, Resigned, TimedOut, TakebackAsked, TakenBack, Declined,
    StopAsked, Stopped, HintGiven, ValuesShown, RematchAsked, RematchMade,
)  # fmt: skip
_BY_KIND = {each.kind: each for each in _KINDS}


def stored_event(kind: str, player: int, data: dict[str, Any]) -> Event:
    """The event that was stored with these values; raises UnknownGame if a newer version did it."""
    try:
        return _BY_KIND[kind](player, **data)
    except (KeyError, TypeError):
        raise UnknownGame(f"There is no event {quoted(kind)} in this version.") from None
