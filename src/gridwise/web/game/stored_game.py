"""What is stored of a game: its setup, its two seats, and its journal of events.

Everything else follows from those. `Change` is what is written to the database in one transaction.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from string import ascii_letters
from typing import Any, TypeAlias

from gridwise.core.narration import COLOURS, Names, PlayerName
from gridwise.core.outcome import Termination
from gridwise.play.clock import TimeControl
from gridwise.play.series import Series
from gridwise.web.game.events import Event

# Red, or Orange to whoever has chosen to see it so: templating.py and board.js write what is seen.
SECOND_COLOUR = r"\b(?:Red|Orange)\b"
RIGHT_TO_LEFT = ("R", "AL", "AN")
HUMAN, BOT, OPEN = "human", "bot", "open"
OWN = "own"  # the deal of a game whose board a player has typed
DRAWN = "drawn "  # how a seed begins that nobody has given: only bots draw from it
AGREED, STOPPED = "stopped by agreement", "stopped before the end"
DISMISSED = "removed from the list"  # by who alone decides: no list shows it any more


@dataclass(frozen=True, slots=True)
class GameSetup:
    """What was agreed on before the first move, and never changes."""

    id: str
    game: str  # the game's key
    board: str = field(repr=False)  # the true board, including hidden cells
    target: int
    handicap: int
    first: int
    deal: str  # fair, uniform, own
    seed: str = field(repr=False)  # that was given, or DRAWN: bots use it too, so it is a secret
    created: float
    cap: int | None = None  # the number of plies after which the game is stopped
    listed: bool = False  # shown to everybody on the start page, or reachable by its link only
    rematch_of: str | None = None
    seconds: float | None = None  # of each player's clock; None: without a clock
    increment: float = 0.0  # seconds that are added after each move
    best_of: int = 1  # games in the match
    round: int = 1  # the number of this one
    halves_one: int = 0  # half points that Player 1 of this game had before it
    halves_two: int = 0
    won_in_one: int = 0  # own moves in which each of them had won the other game of both sides
    won_in_two: int = 0
    terms: str = ""  # what makes it one on even terms for a person against a bot

    @property
    def series(self) -> Series:
        """The match that this game is part of, as it stood before it."""
        halves, won_in = (self.halves_one, self.halves_two), (self.won_in_one, self.won_in_two)
        return Series(self.best_of, self.round, halves, won_in)

    @property
    def given_seed(self) -> str | None:
        """The number that dealt the board, if somebody has given one."""
        return None if self.seed.startswith(DRAWN) else self.seed

    @property
    def clock(self) -> TimeControl | None:
        """How much time each player has."""
        return None if self.seconds is None else TimeControl(self.seconds, self.increment)


@dataclass(frozen=True, slots=True)
class Seat:
    """One side of a game and who holds it."""

    number: int
    kind: str  # human, bot, open
    name: str = ""
    level: str = ""  # of a bot
    token: str = field(default="", repr=False)  # the SHA-256 of the holder's token

    def called(self, sides: Names = COLOURS) -> PlayerName:
        """Who holds it, in a sentence: `Ann`, `the casual bot`, or `Red`; in data `Player 2`."""
        if self.name:
            return PlayerName(isolated(self.name), isolated(self.name))
        bot = f"{self.level} bot"
        return PlayerName(f"The {bot}", f"the {bot}") if self.level else sides[self.number - 1]

    def public(self) -> dict[str, Any]:
        """What everybody may see of it."""
        level = self.level or None
        return {"seat": self.number, "kind": self.kind, "name": self.name, "level": level}


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """An event with its place in a game. Its number is the version of the game after it."""

    number: int
    event: Event
    ref: str | None
    at: float


@dataclass(frozen=True, slots=True)
class GameEnding:
    """When and how a game ended, as the list of games shows it."""

    at: float
    result: str  # p1, p2, draw, or empty
    reason: str
    termination: str = Termination.AGREEMENT
    help: str = ""  # that players had, as `play.ladder` writes it
    ladder: str = ""  # as `result`, what counts for the ladder; empty if nothing does


@dataclass(frozen=True, slots=True)
class GameCreated:
    """A new game. Some boards are lost before the first move, so it may have ended already."""

    setup: GameSetup
    seats: tuple[Seat, Seat]
    ending: GameEnding | None = None
    turn: int = 0  # the player to move, 0 for nobody
    flag_falls: float | None = None  # when that player loses on time


@dataclass(frozen=True, slots=True)
class EntryAdded:
    """One more journal entry of a game, and the ending if the game is over with it."""

    game_id: str
    entry: JournalEntry
    ending: GameEnding | None = None
    turn: int | None = None  # the player to move, 0 for nobody; None: the same as before
    flag_falls: float | None = None  # when that player loses on time


Change: TypeAlias = GameCreated | EntryAdded


@dataclass(frozen=True, slots=True)
class StoredGame(GameCreated):
    """A game as it was read from the database; in a list of games, without its journal."""

    journal: tuple[JournalEntry, ...] = ()


def isolated(name: str) -> str:
    """A name for a sentence, which must not turn the rest of it, nor be taken for a colour."""
    turns = any(unicodedata.bidirectional(each) in RIGHT_TO_LEFT for each in name)
    if turns or re.search(SECOND_COLOUR, name):
        return f"\u2068{name}\u2069"  # as <bdi> does in HTML
    return name


def seated(seats: Iterable[Seat], sides: Names = COLOURS) -> list[str]:
    """Who plays, as far as they have sat down: `The casual bot` and `Ann`."""
    first, *others = [seat.called(sides) for seat in seats if seat.kind != OPEN]
    return [first.subject, *(name.object for name in others)]


def new_id() -> str:
    """Twelve characters that nobody can guess: the link is the invitation."""
    # Not a dash first: `gridwise server delete -K…` would take it for an option.
    return secrets.choice(ascii_letters) + secrets.token_urlsafe(9)[1:]


def is_id(text: str) -> bool:
    """Whether a text has the form of an id."""
    return re.fullmatch(r"[A-Za-z0-9_-]{12}", text) is not None


def new_token() -> str:
    """256 random bits for a cookie."""
    return secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    """The form in which a token is stored. It is long and random, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()
