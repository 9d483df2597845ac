"""What is said of the latest event, in sentences that are right for everybody who hears them.

The games' own dialogue speaks to the one at the console ("You have claimed …"); here two players
and any number of spectators listen.
"""

from __future__ import annotations

from collections.abc import Callable

from gridwise.play.match import Outcome
from gridwise.web.kept import Event
from gridwise.web.sitting import Sitting


def said(sitting: Sitting) -> list[str]:
    """A few sentences about what has just happened, and whose turn it is."""
    event = sitting.latest
    lines = [] if event is None else _SAID[event.kind](sitting, event)
    outcome = sitting.match.outcome
    if outcome:
        return [*lines, ended(outcome)]
    if sitting.waiting:
        return [*lines, "Waiting for somebody to take the other seat."]
    return [*lines, f"{who(sitting, sitting.match.turn)} is to move."]


def who(sitting: Sitting, player: int) -> str:
    """A player's side, and name where there is one."""
    seat = sitting.seat(player)
    name = seat.name or (f"bot, {seat.level}" if seat.level else "")
    return f"Player {player} ({name})" if name else f"Player {player}"


def ended(outcome: Outcome) -> str:
    """How a game ended."""
    if outcome.winner == 3:
        return f"The game is a draw: {outcome.reason}."
    if outcome.winner:
        return f"Player {outcome.winner} wins: {outcome.reason}."
    return f"Nobody has won: {outcome.reason}."


def _moved(sitting: Sitting, event: Event) -> list[str]:
    match = sitting.match
    words, action = sitting.game.words, match.actions[-1]
    told = words.told(match.board, sitting.before, action, match.state)
    # Of the dialogue's lines, those that name a player are right for everybody: a pass is one.
    named = [line for line in told if line.startswith("Player ")]
    lines = [f"{who(sitting, event.player)} plays {event.data['move']}.", *named]
    caption = words.caption(match.state)
    return [*lines, caption] if caption else lines


def _taken_back(sitting: Sitting, _event: Event) -> list[str]:
    lines = ["A move is taken back."]
    if sitting.game.hides:
        lines.append("Cells that are face down again are dealt anew.")
    return lines


_ASKS = {"takeback": "to take a move back", "stop": "to stop the game"}

_SAID: dict[str, Callable[[Sitting, Event], list[str]]] = {
    "seat": lambda sitting, event: [f"{who(sitting, event.player)} has sat down."],
    "move": _moved,
    "resign": lambda _sitting, _event: [],
    "ask-takeback": lambda sitting, event: [
        f"{who(sitting, event.player)} asks {_ASKS['takeback']}."
    ],
    "takeback": _taken_back,
    "decline": lambda sitting, event: [
        f"{who(sitting, event.player)} says no: the wish {_ASKS[event.data['what']]} is gone."
    ],
    "ask-stop": lambda sitting, event: [f"{who(sitting, event.player)} asks {_ASKS['stop']}."],
    "stop": lambda _sitting, _event: [],
    "hint": lambda sitting, event: [f"{who(sitting, event.player)} was given a hint."],
    "rematch": lambda _sitting, _event: ["There is a rematch, with sides swapped."],
}
