"""Announcements: sentences about a game that are right for everybody who reads them.

The games' own dialogue speaks to the person at the console ("You have claimed …"); here two players
and any number of spectators read along.
"""

from __future__ import annotations

from collections.abc import Sequence

from gridwise.core.position import Position
from gridwise.web.game import events
from gridwise.web.game.session import GameSession

OFFERS = {"takeback": "the take-back", "stop": "to stop the game"}


def news(session: GameSession, caption: str) -> list[str]:
    """A few sentences about the latest event, with the scores in words; none before the first."""
    event = session.latest
    if event is None:
        return []
    name, lines = session.seat(event.player).heading, []
    match event:  # where nothing is said, the status says it all
        case events.SeatTaken():
            lines = [f"{name} has joined."]
        case events.MovePlayed(move=move):
            position = session.match.position
            lines = [f"{name} plays {move}.", *position.announcements, caption]
        case events.TakebackAsked():
            lines = [f"{name} asks to take a move back."]
        case events.TakenBack():
            hidden = session.game.has_hidden_cells
            redealt = "Cells that are face down again have new numbers." if hidden else ""
            lines = ["A move was taken back.", redealt]
        case events.Declined(what=what):
            lines = [f"{name} declined {OFFERS[what]}."]
        case events.StopAsked():
            lines = [f"{name} asks to stop the game."]
        case events.HintGiven():
            lines = [f"{name} got a hint."]
        case events.RematchMade():
            same = session.setup.deal == "own" and not session.game.has_hidden_cells
            on_it = ", on the same board" if same else ""
            lines = [f"A rematch is ready, with sides swapped{on_it}."]
    return [line for line in lines if line]


def status_text(session: GameSession, position: Position) -> str:
    """Whose turn it is, or how the game ended, in one sentence."""
    if position.outcome:
        names = [seat.heading for seat in session.seats]
        return ending_text(position.outcome.winner, session.reason, names)
    if session.waiting:
        return "Waiting for an opponent."
    return f"{session.seat(position.turn).heading}'s turn."


def ending_text(winner: int, reason: str, names: Sequence[str] = ("Player 1", "Player 2")) -> str:
    """How a game ended, in one sentence."""
    who = ("Nobody wins", *(f"{name} wins" for name in names), "The game is a draw")
    return f"{who[winner]}: {reason}."
