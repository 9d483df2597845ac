"""EventSourcedGame: one game as it stands, built from its events.

The rule here: nothing but `apply` changes a Match, and a session that is made of the same events
after a restart is the same. Nothing is checked: `commands.py` has decided that an event may happen.
No clock, no database, no sockets.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace

from gridwise.core.board import Board
from gridwise.core.narration import NEUTRAL
from gridwise.core.outcome import RESULT_MARKS, RESULTS, Termination
from gridwise.core.registry import game as game_named
from gridwise.core.registry import games
from gridwise.play.clock import Clock, Reading
from gridwise.play.ladder import Help, counts_for_ladder, ladder_result, with_help
from gridwise.play.match import Match
from gridwise.play.records import Record
from gridwise.play.series import Series
from gridwise.web.game import events, stored_game
from gridwise.web.game.events import Event, Offer
from gridwise.web.game.stored_game import BOT, HUMAN, OPEN, GameSetup, Seat

# Endings that are told with the name of the loser.
GIVEN_UP = {Termination.RESIGNATION: "resigned", Termination.TIME_OUT: "ran out of time"}
HELP = {
    events.HintGiven: Help.HINT,
    events.TakenBack: Help.TAKE_BACK,
    events.ValuesShown: Help.VALUES,
}
NO_OFFERS: dict[Offer, int] = {"takeback": 0, "stop": 0, "rematch": 0}


class EventSourcedGame:
    """A game with its seats, its offers and its hints, as it stands after what is in its journal.

    The events are folded to the moves that count, which are then played once: 700 take-backs, each
    of which played the game again, took 7.5 s.
    """

    def __init__(
        self,
        setup: GameSetup,
        seats: tuple[Seat, Seat],
        journal: Sequence[stored_game.JournalEntry] = (),
    ) -> None:
        self.setup = setup
        self.seats = list(seats)
        self.game = game_named(setup.game)
        self.moves: list[events.MovePlayed] = []
        self.version = 0
        self.settled = 0  # the version since which nothing has changed that a request depends on
        self.refs: set[tuple[int, str]] = set()  # a player's own names for what was done
        # Who has asked; 0 for nobody. It is replaced, not changed: snapshots hold on to it.
        self.offers = NO_OFFERS
        self.clock: Clock | None = None
        if setup.clock:  # a bot that has to wait for its turn at a busy server is not to blame
            people = tuple(seat.number for seat in seats if seat.kind != BOT)
            # One of them has made it, and the other may not know of it.
            expected = people if setup.rematch_of and not self.has_one_decider else ()
            self.clock = Clock(setup.clock, people, expected)
            self.clock.started(setup.created)
        self.help = ""  # as in the record, and in lists
        self.hinted: set[int] = set()  # the plies that were played with a hint
        self.rematch: str | None = None
        self.latest: Event | None = None
        board = setup.board
        for entry in journal:
            self.note(entry)
            if isinstance(entry.event, events.TakenBack):
                board = entry.event.board
        self.match = Match(self.game, self._board(board), first=setup.first, max_plies=setup.cap)
        for move in self.moves:
            self.match.move(move.move)
        for entry in journal:
            self.end(entry.event)

    def _board(self, text: str) -> Board:
        target = self.setup.target if self.game.target else None
        return self.game.parse_board(text, target, self.setup.handicap)

    # What is the case

    @property
    def waiting(self) -> bool:
        """Whether a seat is still free."""
        one, two = self.seats
        return OPEN in (one.kind, two.kind)

    @property
    def status(self) -> str:
        """`waiting`, `playing` or `over`."""
        if self.match.outcome:
            return "over"
        return "waiting" if self.waiting else "playing"

    def seat(self, player: int) -> Seat:
        """The seat of a player."""
        return self.seats[player - 1]

    def held_by(self, token: str | None) -> tuple[int, ...]:
        """The seats whose holder has this token, by its hash."""
        return tuple(seat.number for seat in self.seats if token and seat.token == token)

    def is_done(self, seats: tuple[int, ...], ref: str | None) -> bool:
        """Whether the holder of these seats has used a ref before."""
        return ref is not None and any((player, ref) in self.refs for player in seats)

    @property
    def has_one_decider(self) -> bool:
        """Whether one person decides: against a bot, or for both sides of one screen."""
        one, two = self.seats
        return BOT in (one.kind, two.kind) or (one.token == two.token and not self.waiting)

    @property
    def bot_to_move(self) -> Seat | None:
        """The seat of the bot that is to move, if one is."""
        turn = self.turn
        return self.seat(turn) if turn and self.seat(turn).kind == BOT else None

    @property
    def called_off(self) -> bool:
        """Whether it was over before anybody took the free seat."""
        return self.waiting and self.match.outcome is not None

    @property
    def series(self) -> Series:
        """How the match stands, with this game counted once it is over.

        A game that was stopped counts for nobody, and is played again: see play/series.py.
        """
        outcome, before = self.match.outcome, self.setup.series
        if not outcome or self.called_off:
            return before
        if not outcome.winner:
            return before.stopped()
        return before.after(outcome.winner, self.match.moves_of(outcome.winner))

    @property
    def reading(self) -> Reading | None:
        """What the clock shows, if there is one."""
        return self.clock.reading(self.turn) if self.clock else None

    @property
    def turn(self) -> int:
        """The player to move; 0 for nobody."""
        return self.match.turn if self.status == "playing" else 0

    def expected(self, token: str | None) -> tuple[int, ...]:
        """The seats of somebody whose arrival the clock waits for."""
        clock = self.clock if self.turn else None
        return tuple(each for each in self.held_by(token) if clock and clock.expects(each))

    @property
    def flag_falls(self) -> float | None:
        """When the player to move loses on time; None if time is not running."""
        reading = self.reading
        return reading.flag_falls if reading else None

    def created(self) -> stored_game.GameCreated:
        """What is written of a game that has just been set up."""
        seats, ending = (self.seats[0], self.seats[1]), self.ending(self.setup.created)
        return stored_game.GameCreated(self.setup, seats, ending, self.turn, self.flag_falls)

    def ending(self, at: float) -> stored_game.GameEnding | None:
        """How the game ended, if it has."""
        outcome = self.match.outcome
        if not outcome:
            return None
        result, how = outcome.result, outcome.termination
        return stored_game.GameEnding(at, result, self.reason, how, self.help, self.ladder_result)

    @property
    def ladder_result(self) -> str:
        """What counts for the ladder, in the form of a result; empty if nothing does."""
        outcome = self.match.outcome
        if not outcome or not counts_for_ladder(self.setup.terms, self.help):
            return ""
        return RESULTS[ladder_result(outcome.winner, self.series) or 0] or ""

    @property
    def reason(self) -> str:
        """Why the game is over, with the name of who resigned or lost on time; empty before."""
        outcome = self.match.outcome
        if outcome and outcome.termination in GIVEN_UP:
            loser = self.seat(3 - outcome.winner).called(NEUTRAL)
            return f"{loser.subject} {GIVEN_UP[outcome.termination]}"
        return outcome.reason if outcome else ""

    def record(self) -> Record:
        """The game so far as a record; cells nobody has seen are `?` in it."""
        one, two = (f"bot:{seat.level}" if seat.level else HUMAN for seat in self.seats)
        date = time.strftime("%Y.%m.%d", time.localtime(self.setup.created))
        record = self.match.record((one, two), date)
        tags = {f"Name{seat.number}": seat.name for seat in self.seats if seat.name}
        hinted = sorted(ply + 1 for ply in self.hinted if ply < len(record.moves))
        if hinted:
            tags["Hints"] = " ".join(str(ply) for ply in hinted)
        counted = RESULT_MARKS[RESULTS.index(self.ladder_result)] if self.ladder_result else ""
        told = {"Terms": self.setup.terms, "Help": self.help, "Ladder": counted}
        tags |= {name: text for name, text in told.items() if text}
        if self.setup.clock:
            tags["TimeControl"] = str(self.setup.clock)
        return replace(record, tags=tags | self.setup.series.tags)

    # What happens

    def apply(self, entry: stored_game.JournalEntry) -> None:
        """Let an event happen."""
        self.note(entry)
        event = entry.event
        match event:
            case events.MovePlayed(move=move, action=action):
                self.match.move(move if action is None else action)
            case events.TakenBack(plies=plies, board=board):
                self.match.rewind(plies, self._board(board))
            case _:
                self.end(event)

    def note(self, entry: stored_game.JournalEntry) -> None:
        """Keep what an event means for everything but the match."""
        event = entry.event
        self.offers = self._offers_after(event)
        if helped := HELP.get(type(event)):
            self.help = with_help(self.help, helped)
        match event:
            case events.MovePlayed():
                self.moves.append(event)
            case events.TakenBack(plies=plies):
                # Somebody who was given a hint for the move that is due again still knows it.
                self.hinted.difference_update(range(plies + 1, len(self.moves) + 1))
                del self.moves[plies:]
            case events.SeatTaken(player, name, token) if token:
                # Otherwise it was read back, and the seat with it.
                self.seats[player - 1] = Seat(player, HUMAN, name, "", token)
            case events.HintGiven():
                self.hinted.add(len(self.moves))
            case events.RematchMade(id=game_id):
                self.rematch = game_id
        if self.clock:
            _note_time(self.clock, event, entry.at)
        self.version, self.latest = entry.number, event
        if not isinstance(event, events.Arrived):
            self.settled = entry.number
        if entry.ref:
            self.refs.add((event.player, entry.ref))

    def _offers_after(self, event: Event) -> dict[Offer, int]:
        """Who has asked for what; whatever changes whose turn it is answers all of it."""
        match event:
            case events.MovePlayed(player) if self.offers["stop"] == player:
                # An offer to stop outlives the move of the player who made it.
                return NO_OFFERS | {"stop": player}
            case events.Asked(player):
                # Not if the seat was read back without a token: its holder is erased.
                return self.offers | {event.what: player if self.seat(player).token else 0}
            case events.Declined(what=what):
                return self.offers | {what: 0}
            case events.RematchMade():
                return self.offers | {"rematch": 0}
            case events.SeatTaken() | events.Arrived() | events.HintGiven() | events.ValuesShown():
                return self.offers
        return NO_OFFERS

    def end(self, event: Event) -> None:
        """End the match, if that is what an event does."""
        match event:
            case events.Resigned(player):
                self.match.resign(player)
            case events.TimedOut(player):
                self.match.time_out(player)
            case events.Stopped(reason=reason):
                self.match.stop(reason)


def _note_time(clock: Clock, event: Event, at: float) -> None:
    """Let a clock know what has happened."""
    match event:
        case events.SeatTaken():
            clock.started(at)
        case events.Arrived(player):
            clock.arrived(player, at)
        case events.MovePlayed(player):
            clock.moved(player, at)
        case events.TakenBack(plies=plies):
            clock.taken_back(plies, at)
        case events.TimedOut(player):
            clock.timed_out(player)


def known_games(stored: Iterable[stored_game.StoredGame]) -> list[stored_game.StoredGame]:
    """Those of a kind that this version can show."""
    keys = {game.key for game in games()}
    return [each for each in stored if each.setup.game in keys]
