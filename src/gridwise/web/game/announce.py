"""Announcements: sentences about a game, for each kind of reader.

A player reads "you" and the name of the other; somebody who watches, or plays both sides on one
screen, reads both names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gridwise.core.narration import YOU, Names, PlayerName, reason_line
from gridwise.core.position import Position
from gridwise.web.game import events
from gridwise.web.game.model import BOT, Seat
from gridwise.web.game.session import GameSession

# What a player asks for, declines and withdraws.
OFFERS: dict[events.Offer, tuple[str, str, str]] = {
    "takeback": ("ask to take a move back", "the take-back", "the request to take a move back"),
    "stop": ("ask to stop the game", "to stop the game", "the offer to stop the game"),
    "rematch": ("offer a rematch", "the rematch", "the offer of a rematch"),
}
AFTER_THE_END = (events.Declined, events.RematchAsked, events.RematchMade)
OPPONENT = PlayerName("Your opponent", "your opponent")  # without a name, to the other player


class Moment(NamedTuple):
    """What there is to talk about: a position, and the event that led to it."""

    position: Position
    event: events.Event | None
    is_waiting: bool  # for somebody to take the free seat
    next_game: str  # what a rematch would be
    number: int = 0  # of the next game of the match; 0 if there is none
    is_withdrawn: bool = False  # whether what was declined was one's own offer
    is_agreed: bool = False  # whether it takes both to take a move back

    @classmethod
    def of(cls, session: GameSession, offers: Mapping[events.Offer, int]) -> Moment:
        """How a game stands, and what had been asked for before."""
        setup, event = session.setup, session.latest
        next_game, number = "A rematch is ready, with sides swapped.", 0
        if setup.best_of > 1 and not session.series.over:
            number = setup.round + 1
            next_game = "The next game of the match is ready, with sides swapped."
        elif setup.deal == "own" and not session.game.has_hidden_cells:
            next_game = "A rematch is ready, with sides swapped, on the same board."
        withdrawn = isinstance(event, events.Declined) and offers.get(event.what) == event.player
        position, agreed = session.match.position, not session.has_one_decider
        return cls(position, event, session.waiting, next_game, number, withdrawn, agreed)


def names_for(seats: Sequence[Seat], you: Sequence[int]) -> Names:
    """What the players are called to somebody who holds the seats `you`."""
    one, two = (_name_for(seat, you) for seat in seats)
    return one, two


def _name_for(seat: Seat, you: Sequence[int]) -> PlayerName:
    if tuple(you) == (seat.number,):
        return YOU
    if len(you) == 1 and not seat.name and seat.kind != BOT:
        return OPPONENT
    return PlayerName(seat.heading, seat.label)


def words(moment: Moment, names: Names) -> dict[str, Any]:
    """The sentences of a state: what has just happened, how it stands, why it ended."""
    position = moment.position
    outcome = position.outcome
    news = _news(moment, names)
    why = reason_line(outcome, position.scores, names) if outcome else None
    if outcome and moment.is_waiting and moment.event:
        why = f"{names[moment.event.player - 1].subject} cancelled the invitation."
    return {
        "news": news,
        "status_text": _status(moment, names),
        "why": why,
        "since": " ".join(news) if isinstance(moment.event, AFTER_THE_END) and outcome else None,
    }


def _news(moment: Moment, names: Names) -> list[str]:
    """A few sentences about the latest event; where there are none, the status says it all."""
    event, lines = moment.event, []
    if event is None:
        return []
    name = names[event.player - 1]
    match event:
        case events.MovePlayed():
            lines = [f"{moment.position.last_line(names)}."]
        case events.SeatTaken() | events.Arrived():
            lines = [f"{name.does('have')} joined."]
        case events.Asked():
            verb, _, what = OFFERS[event.what][0].partition(" ")
            lines = [f"{name.subject} {verb}{'ed' if name.is_you else 's'} {what}."]
        case events.TakenBack():
            took = f"let {names[2 - event.player].object} take" if moment.is_agreed else "took"
            lines = [f"{name.subject} {took} a move back."]
            if moment.position.game.has_hidden_cells:
                lines.append("Cells that are face down again have new numbers.")
        case events.Declined(what=what):
            _, declined, withdrew = OFFERS[what]
            did = f"withdrew {withdrew}" if moment.is_withdrawn else f"declined {declined}"
            lines = [f"{name.subject} {did}."]
        case events.HintGiven():
            lines = [f"{name.subject} got a hint."]
        case events.RematchMade():
            waits = moment.number and names[2 - event.player].is_you
            where = f"{name.subject} is waiting for you in game {moment.number}."
            lines = [where if waits else moment.next_game]
    return lines


def _status(moment: Moment, names: Names) -> str:
    """Whose turn it is, or how the game ended, in one sentence."""
    position = moment.position
    if position.outcome:
        return position.result_line(names)
    if moment.is_waiting:
        return "Waiting for an opponent."
    whose = names[position.turn - 1]
    return "Your turn." if whose.is_you else f"{whose.subject}'s turn."
