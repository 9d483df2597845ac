"""PlaySession: a match that people and programs play, whatever they play it in.

The dialogue and the full-screen app show it each in its own way; what undo goes back to, what a
player is called and what is written down is the same in both. Every game that a person plays is
kept on disk from its first move on: `save` after every move, before the move is shown.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from gridwise.core.narration import NEUTRAL, YOU, Names, PlayerName
from gridwise.core.position import Player, log_lines
from gridwise.errors import GridwiseError, OutOfTurn, printable
from gridwise.play.library import Library
from gridwise.play.match import HUMAN, Match
from gridwise.play.records import Record, back_up, local_date

_MAX_NAME_LENGTH = 60  # characters

Seats = tuple[Player | None, Player | None]  # None where a person sits, who is asked


@dataclass
class PlaySession:
    """A match that can begin or be continued, and who plays it."""

    match: Match
    seats: Seats
    players: tuple[str, str]  # as records have them: "human", "bot:casual"
    tags: dict[str, str] = field(default_factory=dict)  # further tags of its record
    path: Path | None = None  # its file: the one that was asked for, or one in the library
    library: Library = field(default_factory=Library)
    notice: str = ""  # what its people should know before it goes on
    is_saved: bool = True  # whether the last attempt to write it went well
    note: str = ""  # what was done with an older file that had the name of its own

    @property
    def person(self) -> int:
        """The one player who is a person; 0 where two people or two programs play."""
        return self.seats.index(None) + 1 if self.seats.count(None) == 1 else 0

    @property
    def names(self) -> Names:
        """What the players are called in sentences that the people here read."""
        return player_names(self.players, self.person)

    @property
    def asked(self) -> bool:
        """Whether a person is to move."""
        turn = self.match.turn
        return bool(turn) and self.seats[turn - 1] is None

    def record(self) -> Record:
        """The game so far, dated today."""
        date = local_date().strftime("%Y.%m.%d")
        return replace(self.match.record(self.players, date), tags=self.tags)

    def store(self) -> Path:
        """Write the game to its file, which is one in the library if it has none yet."""
        record, path = self.record(), self.path
        if path and not self.library.has_read(path):
            self.note = back_up(path)
        self.path = self.library.write(path, record) if path else self.library.new(record)
        self.is_saved = True
        return self.path

    def save(self) -> str:
        """Store the game, if a person plays it or it has a file; a warning the first time it fails.

        A game whose file cannot be written to any more goes on in the library.
        """
        played = self.match.moves and None in self.seats
        if not (self.path or played):
            return ""
        try:
            self.store()
        except GridwiseError as error:
            return self._save_elsewhere(str(error))
        return ""

    def _save_elsewhere(self, problem: str) -> str:
        asked, self.path = self.path, None
        with suppress(GridwiseError):
            if asked:
                return f"{problem} From here on the game is in {self.store()}."
        self.path, was_saved, self.is_saved = asked, self.is_saved, False
        return f"{problem} You can play on, but the game is not being saved." if was_saved else ""

    def undo(self) -> None:
        """Take back a resignation, or every move since a person was last asked."""
        match = self.match
        if match.resigned:
            match.undo()
            return
        asked = [ply for ply, mover in enumerate(match.movers) if not self.seats[mover - 1]]
        if not asked:
            raise OutOfTurn("There is no move to take back yet.")
        while len(match.moves) > asked[-1]:
            match.undo()

    @property
    def undone(self) -> list[str]:
        """What people are told after `undo`, in sentences."""
        hidden = self.match.game.has_hidden_cells
        dealt = ["Cells that are face down again have new values."] if hidden else []
        return ["The last move was taken back.", *dealt]

    @property
    def log(self) -> list[str]:
        """Every move so far in a line: who did what."""
        return log_lines(self.match.positions, self.names)


def player_names(players: tuple[str, str], person: int = 0) -> Names:
    """What two players are called in sentences; `person` is the one who reads them."""
    one, two = (
        YOU if number == person else _name(number, player)
        for number, player in enumerate(players, 1)
    )
    return (_numbered(1, one), _numbered(2, two)) if one == two else (one, two)


def _numbered(number: int, name: PlayerName) -> PlayerName:
    """One of two bots of the same level."""
    return PlayerName(f"{name.subject} {number}", f"{name.object} {number}")


def _name(number: int, player: str) -> PlayerName:
    kind, _, rest = printable(player, _MAX_NAME_LENGTH).partition(":")  # it may come from a file
    if player == HUMAN:
        return NEUTRAL[number - 1]
    if kind == "bot":
        return PlayerName(f"{rest.capitalize()} bot", f"the {rest} bot")
    return PlayerName(rest or kind, rest or kind)
