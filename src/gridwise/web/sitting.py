"""Sitting: one game as it stands, built from its events.

The law here: `apply` is the only thing that changes a Match, and it is the same for an event that
has just happened and for one that is read back after a restart. Nothing is checked: `rulings.py`
has decided that the event may happen. No clock, no database, no sockets.
"""

from __future__ import annotations

from gridwise.core.board import Board
from gridwise.core.game import Game, State
from gridwise.core.registry import game as game_of
from gridwise.play.match import Match
from gridwise.web.kept import BOT, OPEN, Deal, Event, Kept, Seat
from gridwise.web.store import Write, ended_write, game_writes


class Sitting:
    """A game with its seats, and everything that has been asked and said."""

    def __init__(self, deal: Deal, seats: tuple[Seat, Seat]) -> None:
        self.deal = deal
        self.seats = list(seats)
        self.game: Game = game_of(deal.game)
        self.match = self._match(
            self.game.parse_board(
                deal.board, deal.target if self.game.target else None, deal.handicap
            )
        )
        self.version = 0
        self.refs: set[str] = set()
        self.offers = {"takeback": 0, "stop": 0}  # who has asked; 0 for nobody
        self.hinted: set[int] = set()  # the plies that were played with a hint
        self.rematch: str | None = None
        self.latest: Event | None = None
        self.before: State = self.match.state  # before the latest move

    def _match(self, board: Board) -> Match:
        return Match(self.game, board, first=self.deal.first, cap=self.deal.cap)

    # What is the case

    @property
    def waiting(self) -> bool:
        """Whether a seat is still free."""
        return any(seat.kind == OPEN for seat in self.seats)

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
        if not token:
            return ()
        return tuple(seat.number for seat in self.seats if seat.token == token)

    @property
    def alone(self) -> bool:
        """Whether one person decides: against a bot, or for both sides of one screen."""
        one, two = self.seats
        return BOT in (one.kind, two.kind) or (one.token == two.token and not self.waiting)

    @property
    def bot_due(self) -> Seat | None:
        """The seat of the bot that is to move, if one is."""
        if self.status != "playing":
            return None
        seat = self.seat(self.match.turn)
        return seat if seat.kind == BOT else None

    def new_writes(self) -> list[Write]:
        """What is written of a game that has just been dealt."""
        deal, outcome = self.deal, self.match.outcome
        writes = game_writes(deal, (self.seats[0], self.seats[1]))
        if outcome:  # some boards are lost before the first move
            writes.append(ended_write(deal.id, deal.created, outcome.result, outcome.reason))
        return writes

    # What happens

    def apply(self, event: Event) -> None:
        """Let an event happen."""
        getattr(self, "_" + event.kind.replace("-", "_"))(event)
        self.version = event.number
        self.latest = event
        if event.ref:
            self.refs.add(event.ref)

    def _seat(self, event: Event) -> None:
        """The seat itself is kept beside the events, with its token."""

    def _move(self, event: Event) -> None:
        self.before = self.match.state
        self.match.move(event.data["move"])
        self.offers["takeback"] = 0
        if self.offers["stop"] != event.player:
            self.offers["stop"] = 0

    def _resign(self, event: Event) -> None:
        self.match.resign(event.player)
        self._settle()

    def _ask_takeback(self, event: Event) -> None:
        self.offers["takeback"] = event.player

    def _takeback(self, event: Event) -> None:
        """Cells that are face down again were dealt afresh; the event has the new board."""
        moves = self.match.moves[: event.data["plies"]]
        board = self.game.parse_board(
            event.data["board"],
            self.deal.target if self.game.target else None,
            self.deal.handicap,
        )
        self.match = self._match(board)
        for move in moves:
            self.match.move(move)
        # Whoever was given a hint for the move that is due again still knows it.
        self.hinted = {ply for ply in self.hinted if ply <= len(moves)}
        self._settle()

    def _decline(self, event: Event) -> None:
        self.offers[event.data["what"]] = 0

    def _ask_stop(self, event: Event) -> None:
        self.offers["stop"] = event.player

    def _stop(self, event: Event) -> None:
        self.match.stop(event.data["reason"])
        self._settle()

    def _hint(self, _event: Event) -> None:
        self.hinted.add(len(self.match.actions))

    def _rematch(self, event: Event) -> None:
        self.rematch = event.data["id"]

    def _settle(self) -> None:
        self.offers = {"takeback": 0, "stop": 0}


def sitting_of(kept: Kept) -> Sitting:
    """A game as it stood when the last event was written."""
    sitting = Sitting(kept.deal, kept.seats)
    for event in kept.events:
        sitting.apply(event)
    return sitting
