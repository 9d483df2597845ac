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
from gridwise.core.outcome import RESULT_MARKS
from gridwise.core.position import Player, log_lines
from gridwise.engine.hints import Hint
from gridwise.errors import GridwiseError, OutOfTurn, printable
from gridwise.play.ladder import (
    Help,
    counts_for_ladder,
    ladder_result,
    result_note,
    with_help,
)
from gridwise.play.library import Library
from gridwise.play.match import Match, is_person
from gridwise.play.records import Record, back_up, local_date
from gridwise.play.series import Series

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
    nameless: Names = NEUTRAL  # what the sides are called whose players have no name
    hint_step: int = 0  # of the hint for the move that is due, how much has been said
    _hinted_ply: int = -1  # which move that is

    @property
    def person(self) -> int:
        """The one player who is a person; 0 where two people or two programs play."""
        return self.seats.index(None) + 1 if self.seats.count(None) == 1 else 0

    @property
    def names(self) -> Names:
        """What the players are called in sentences that the people here read."""
        return player_names(self.players, self.person, self.nameless)

    @property
    def asked(self) -> bool:
        """Whether a person is to move."""
        turn = self.match.turn
        return bool(turn) and self.seats[turn - 1] is None

    def record(self) -> Record:
        """The game so far, dated today."""
        date = local_date().strftime("%Y.%m.%d")
        record, tags = self.match.record(self.players, date), self.tags
        outcome, series = self.match.outcome, Series.from_tags(tags)
        if outcome and counts_for_ladder(tags.get("Terms", ""), tags.get("Help", "")):
            winner = outcome.winner
            after = series.after(winner, self.match.moves_of(winner)) if series else None
            counted = ladder_result(winner, after)
            tags = tags | ({"Ladder": RESULT_MARKS[counted]} if counted else {})
        return replace(record, tags=tags)

    @property
    def is_open(self) -> bool:
        """Whether a person has something to win against a program yet, on this board."""
        series = Series.from_tags(self.tags)
        other_side = series is not None and series.has_other_side
        return bool(self.person) and (self.match.outcome is None or other_side)

    @property
    def result_note(self) -> str:
        """Whether a win against a bot counts for the ladder, once the game is over."""
        outcome, person = self.match.outcome, self.person
        if not (outcome and person):
            return ""
        bot, _, level = self.players[2 - person].partition(":")
        if bot != "bot":
            return ""
        tags = self.record().tags
        return result_note(
            self.match.game,
            level,
            tags.get("Help", ""),
            Series.from_tags(tags),
            won=outcome.winner == person,
            counts=tags.get("Ladder") == RESULT_MARKS[person],
        )

    def store(self) -> Path:
        """Write the game to its file, which is one in the library if it has none yet."""
        path = self.path
        if path and Help.VALUES in self.library.noted_elsewhere(path):  # by a review of the game
            self.note_help(Help.VALUES)
        record = self.record()
        if path and not self.library.has_read(path):
            self.note = back_up(path)
        self.path = self.library.write(path, record) if path else self.library.new(record)
        if path and self.path != path:  # continued in two places: other moves were tried there
            self.note_help(Help.TAKE_BACK)
            self.library.write(self.path, self.record())
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

    def note_help(self, kind: Help) -> None:
        """Keep in the record that a person was helped; from then on it counts for no ladder."""
        self.tags = self.tags | {"Help": with_help(self.tags.get("Help", ""), kind)}

    def next_step(self, suggestion: Hint) -> str:
        """What is said of a hint now: each time that somebody asks before a move, a step more.

        `hint_step` is its number, from 0.
        """
        ply, last = len(self.match.moves), len(suggestion.steps) - 1
        if ply == self._hinted_ply:
            self.hint_step = min(self.hint_step + 1, last)
        else:
            self._hinted_ply, self.hint_step = ply, 0
            self.note_help(Help.HINT)
        return suggestion.steps[self.hint_step]

    def undo(self) -> None:
        """Take back a resignation, or every move since a person was last asked."""
        match = self.match
        if match.resigned:
            match.undo()
            self.note_help(Help.TAKE_BACK)
            return
        asked = [ply for ply, mover in enumerate(match.movers) if not self.seats[mover - 1]]
        if not asked:
            raise OutOfTurn("There is no move to take back yet.")
        while len(match.moves) > asked[-1]:
            match.undo()
        self.note_help(Help.TAKE_BACK)

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


def player_names(players: tuple[str, str], person: int = 0, nameless: Names = NEUTRAL) -> Names:
    """What two players are called in sentences; `person` is the one who reads them.

    `nameless` is what people are called who have no name.
    """
    one, two = (
        YOU if number == person else _name(player, nameless[number - 1])
        for number, player in enumerate(players, 1)
    )
    return (_numbered(1, one), _numbered(2, two)) if one == two else (one, two)


def _numbered(number: int, name: PlayerName) -> PlayerName:
    """One of two bots of the same level."""
    return PlayerName(f"{name.subject} {number}", f"{name.object} {number}")


def _name(player: str, nameless: PlayerName) -> PlayerName:
    kind, _, rest = printable(player, _MAX_NAME_LENGTH).partition(":")  # it may come from a file
    if is_person(player) and not rest:
        return nameless
    if kind == "bot":
        return PlayerName(f"{rest.capitalize()} bot", f"the {rest} bot")
    return PlayerName(rest or kind, rest or kind)
