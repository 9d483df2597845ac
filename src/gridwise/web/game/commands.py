"""Commands: what a player may do next in a game.

Each function checks a request against the session and gives the one event that follows from it, or
raises; nothing is changed here. `seats` are the seats that the player holds. The order of the
checks is the same for all: whose seat, which version, then the request itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

from gridwise.core.narration import NEUTRAL
from gridwise.errors import OutOfTurn, quoted
from gridwise.web.errors import Conflict, NotYours, Refused, TooMany
from gridwise.web.game import events
from gridwise.web.game.event_sourced_game import EventSourcedGame
from gridwise.web.game.events import Event
from gridwise.web.game.stored_game import AGREED, DISMISSED, HUMAN, OPEN, STOPPED

# What a player can say; the pages have the words.
EMOTE_PAUSE = 3.0  # seconds between two of a player
EMOTES = ("wave", "good-luck", "well-played", "thanks", "oops", "hurry")

Seats: TypeAlias = tuple[int, ...]
Command: TypeAlias = Callable[[EventSourcedGame, Seats], Event]


def check_seat(seats: Seats) -> None:
    """Raise NotYours unless the request comes from a player."""
    if not seats:
        raise NotYours("You are watching. Only the players can do this.")


def take_seat(session: EventSourcedGame, token: str, name: str) -> events.SeatTaken:
    """Sitting down on the free seat."""
    if session.held_by(token):
        raise Conflict("You already have a seat in this game. The link is for your opponent.")
    if session.match.outcome:
        raise Conflict(f"The game is over: {session.reason}.")
    free = next((seat for seat in session.seats if seat.kind == OPEN), None)
    if free is None:
        raise Conflict("Both seats are taken. You can watch the game.")
    return events.SeatTaken(free.number, name, token)


def move(session: EventSourcedGame, seats: Seats, text: str) -> events.MovePlayed:
    """A move by the player to move. Here its text is read, once."""
    _check_started(session)
    turn = session.match.turn
    if turn not in seats:
        raise OutOfTurn(f"It is {session.seat(turn).called(NEUTRAL).object}'s turn.")
    return played(session, session.match.read(text))


def played(session: EventSourcedGame, action: int) -> events.MovePlayed:
    """A legal action of the player to move: read from a request, or chosen by a bot."""
    position = session.match.position
    return events.MovePlayed(position.turn, position.name(action), action)


def resign(session: EventSourcedGame, seats: Seats) -> Event:
    """Giving up; somebody who plays both sides gives up for the one to move."""
    _check_not_over(session)
    if session.waiting:
        return events.Stopped(_requester(session, seats), "cancelled before it began")
    return events.Resigned(_requester(session, seats))


def takeback(session: EventSourcedGame, seats: Seats) -> Event:
    """Asking for a move back, or agreeing that the other takes one back.

    Cells that are hidden again are dealt anew.
    """
    _check_not_over(session)
    question = _question(session, seats, events.TakebackAsked)
    player = _requester(session, seats)
    if len(seats) > 1 and session.moves:
        player = session.moves[-1].player
    asker = session.offers["takeback"] or player
    own = [ply for ply, played in enumerate(session.moves) if played.player == asker]
    if not own:
        raise Conflict("You have no move to take back.")
    match, plies = session.match, own[-1]
    return question or events.TakenBack(player, plies, match.game.board_text(match.redealt(plies)))


def stop(session: EventSourcedGame, seats: Seats) -> Event:
    """Asking to stop a game that can go on for ever, or agreeing to."""
    _check_not_over(session)
    if not session.game.cyclic:
        raise Conflict(f"{session.game.title} always comes to an end. You can resign.")
    # Without the name, which would stay in the event for ever.
    reason = STOPPED if session.has_one_decider else AGREED
    stopped = events.Stopped(_requester(session, seats), reason)
    return _question(session, seats, events.StopAsked) or stopped


def dismiss(session: EventSourcedGame, seats: Seats) -> Event:
    """Ending a game without a result, to be rid of it: an invitation, or one against no person."""
    _check_not_over(session)
    if session.waiting:
        return resign(session, seats)
    if not session.has_one_decider:
        raise Conflict("Somebody plays this game with you. You can resign.")
    return events.Stopped(_requester(session, seats), DISMISSED)


def decline(session: EventSourcedGame, seats: Seats) -> Event:
    """Declining what the other has asked for, or withdrawing what one has asked for oneself."""
    asked = {what: asker for what, asker in session.offers.items() if asker}
    if session.match.outcome:
        asked = {what: asker for what, asker in asked.items() if what == "rematch"}
    if not asked:
        _check_not_over(session)
        raise Conflict("There is nothing to decline.")
    # What the other asked for comes first.
    what = min(asked, key=lambda each: asked[each] in seats)
    return events.Declined(_requester(session, seats), what)


def check_emote(emote: str, since_last: float) -> None:
    """Raise if a player cannot say something, or not yet."""
    if emote not in EMOTES:
        raise Refused(f"An emote is one of {', '.join(EMOTES)}, not {quoted(emote)}.")
    if since_last < EMOTE_PAUSE:
        seconds = math.ceil(EMOTE_PAUSE - since_last)
        raise TooMany(f"Too many emotes. Try again in {seconds} s.", after=seconds)


def hint(session: EventSourcedGame, seats: Seats) -> events.HintGiven:
    """A hint, for the player to move; not against a person at another screen."""
    _check_started(session)
    if not session.has_one_decider:
        raise Conflict("There are no hints in a game between two people. Look back at it later.")
    turn = session.match.turn
    if turn not in seats:
        raise OutOfTurn("You can get a hint on your own turn.")
    return events.HintGiven(turn)


def show_values(session: EventSourcedGame, seats: Seats) -> events.ValuesShown:
    """Seeing what the moves are worth; not against a person at another screen."""
    _check_started(session)
    check_seat(seats)
    if not session.has_one_decider:
        raise Conflict("There are no values in a game between two people. Look back at it later.")
    return events.ValuesShown(_requester(session, seats))


# What can be repeated without end: each is stored, and read again whenever the game is loaded.
REPEATABLE = (events.Asked, events.TakenBack, events.HintGiven, events.ValuesShown)


def check_events(session: EventSourcedGame, event: Event, most: int) -> None:
    """Raise if a game has so many events that it can only be played to its end."""
    if session.version >= most and isinstance(event, REPEATABLE):
        raise Conflict(
            f"A game can have at most {most:,} events, and this one has them. You can still move "
            "and resign; you cannot take moves back, get hints or make offers."
        )


def rematch(session: EventSourcedGame, seats: Seats) -> Event | None:
    """Asking for another game; None if nobody needs to be asked, or the other has asked.

    The next game of a match was agreed on with the match.
    """
    goes_on = session.series.best_of > 1 and not session.series.over
    return None if goes_on else _question(session, seats, events.RematchAsked)


def check_rematch(session: EventSourcedGame, seats: Seats) -> None:
    """Raise unless a player asks, the game is over, and there is somebody to play with."""
    check_seat(seats)
    if not session.match.outcome:
        raise Conflict("The game is not over yet. You can have a rematch when it is.")
    if session.called_off:
        raise Conflict("Nobody joined this game. Start a new one instead.")
    if any(seat.kind == HUMAN and not seat.token for seat in session.seats):
        raise Conflict("Your opponent has left. Start a new game instead.")


# By the names that they have in messages and addresses.
COMMANDS: dict[str, Command] = {each.__name__: each for each in (resign, takeback, stop, decline)}


def _check_started(session: EventSourcedGame) -> None:
    _check_not_over(session)
    if session.waiting:
        raise Conflict("The game starts when somebody joins.")


def _check_not_over(session: EventSourcedGame) -> None:
    if session.match.outcome:
        raise OutOfTurn(f"The game is over: {session.reason}.")


def _question(session: EventSourcedGame, seats: Seats, ask: type[events.Asked]) -> Event | None:
    """What the other is asked; None if one person decides, or the other has asked for the same."""
    asked = session.offers[ask.what]
    if session.has_one_decider or (asked and asked not in seats):
        return None
    if asked:
        raise Conflict("You have already asked. Your opponent has not answered yet.")
    return ask(_requester(session, seats))


def _requester(session: EventSourcedGame, seats: Seats) -> int:
    turn = session.match.turn
    return turn if turn in seats else seats[0]
