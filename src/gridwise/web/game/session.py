"""GameSession: one game as it stands, built from its events.

The rule here: `apply` is the only thing that changes a Match, and it is the same for an event that
has just happened and for one that is read back after a restart. Nothing is checked: `commands.py`
has decided that the event may happen. No clock, no database, no sockets.
"""

from __future__ import annotations

from gridwise.core.outcome import Termination
from gridwise.core.registry import game as game_named
from gridwise.play.match import Match
from gridwise.web.game import events, model
from gridwise.web.game.events import Event, Offer
from gridwise.web.game.model import BOT, HUMAN, OPEN, GameSetup, Seat


class GameSession:
    """A game with its seats, its offers and its hints."""

    def __init__(self, setup: GameSetup, seats: tuple[Seat, Seat]) -> None:
        self.setup = setup
        self.seats = list(seats)
        self.game = game_named(setup.game)
        self.match = self._new_match(setup.board)
        self.moves: list[events.MovePlayed] = []
        self.version = 0
        self.refs: set[str] = set()
        self.offers: dict[Offer, int] = {"takeback": 0, "stop": 0}  # who has asked; 0 for nobody
        self.hinted: set[int] = set()  # the plies that were played with a hint
        self.rematch: str | None = None
        self.latest: Event | None = None

    def _new_match(self, text: str) -> Match:
        board = self.game.parse_board(
            text, self.setup.target if self.game.target else None, self.setup.handicap
        )
        return Match(self.game, board, first=self.setup.first, max_plies=self.setup.cap)

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
        return tuple(seat.number for seat in self.seats if token and seat.token == token)

    @property
    def has_one_decider(self) -> bool:
        """Whether one person decides: against a bot, or for both sides of one screen."""
        one, two = self.seats
        return BOT in (one.kind, two.kind) or (one.token == two.token and not self.waiting)

    @property
    def bot_to_move(self) -> Seat | None:
        """The seat of the bot that is to move, if one is."""
        if self.status != "playing":
            return None
        seat = self.seat(self.match.turn)
        return seat if seat.kind == BOT else None

    def created(self) -> model.GameCreated:
        """What is written of a game that has just been set up."""
        return model.GameCreated(
            self.setup, (self.seats[0], self.seats[1]), self.ending(self.setup.created)
        )

    def ending(self, at: float) -> model.GameEnding | None:
        """How the game ended, if it has."""
        outcome = self.match.outcome
        return model.GameEnding(at, outcome.result, self.reason) if outcome else None

    @property
    def reason(self) -> str:
        """Why the game is over, with the name of a player who resigned; empty while it is not."""
        outcome = self.match.outcome
        if outcome and outcome.termination is Termination.RESIGNATION:
            return f"{self.seat(3 - outcome.winner).label} resigned"
        return outcome.reason if outcome else ""

    # What happens

    def apply(self, entry: model.JournalEntry) -> None:
        """Let an event happen."""
        event = entry.event
        match event:
            case events.SeatTaken(player, name, token):
                if token:  # otherwise it was read back, and the seat with it
                    self.seats[player - 1] = Seat(player, HUMAN, name, "", token)
            case events.TakebackAsked(player):
                self.offers["takeback"] = player
            case events.StopAsked(player):
                self.offers["stop"] = player
            case events.Declined(what=what):
                self.offers[what] = 0
            case events.HintGiven():
                self.hinted.add(len(self.match.actions))
            case events.RematchMade(id=game_id):
                self.rematch = game_id
            case _:
                self._apply_to_match(event)
        self.version, self.latest = entry.number, event
        if entry.ref:
            self.refs.add(entry.ref)

    def _apply_to_match(self, event: Event) -> None:
        stop_asked_by = 0
        match event:
            case events.MovePlayed(player, move, action):
                self.match.move(move if action is None else action)
                self.moves.append(event)
                # An offer to stop outlives the move of the player who made it.
                stop_asked_by = player if self.offers["stop"] == player else 0
            case events.TakenBack(plies=plies, board=board):
                actions, self.moves = self.match.actions[:plies], self.moves[:plies]
                self.match = self._new_match(board)
                for action in actions:
                    self.match.move(action)
                # Somebody who was given a hint for the move that is due again still knows it.
                self.hinted = {ply for ply in self.hinted if ply <= plies}
            case events.Resigned(player):
                self.match.resign(player)
            case events.Stopped(reason=reason):
                self.match.stop(reason)
        self.offers = {"takeback": 0, "stop": stop_asked_by}


def restore_session(stored: model.StoredGame) -> GameSession:
    """A game as it stood when the last event was written."""
    session = GameSession(stored.setup, stored.seats)
    for entry in stored.journal:
        session.apply(entry)
    return session
