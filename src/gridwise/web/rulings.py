"""Rulings: what may happen next in a game.

Each function checks a wish and gives the event's kind and data, or raises; nothing is changed here.
The order of the checks is the same for all: whose seat, which version, then the wish itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gridwise.errors import OutOfTurn
from gridwise.play.match import Match
from gridwise.web.refusals import Conflict, NotYours, Stale
from gridwise.web.sitting import Sitting

Ruling = tuple[str, int, dict[str, Any]]  # kind, player, data


def check_version(sitting: Sitting, version: int) -> None:
    """Raise Stale if the wish was made on another version than the present one."""
    if version != sitting.version:
        raise Stale(f"The game has moved on: it is at version {sitting.version}, not {version}.")


def check_seat(held: tuple[int, ...]) -> None:
    """Raise NotYours unless the one who wishes has a seat."""
    if not held:
        raise NotYours("You are watching: this takes a seat in the game.")


def move(sitting: Sitting, held: tuple[int, ...], text: str) -> Ruling:
    """A move by whoever is due."""
    _check_begun(sitting)
    turn = sitting.match.turn
    if turn and turn not in held:
        raise OutOfTurn(f"It is Player {turn}'s turn, not yours.")
    action = sitting.match.read(text)
    position = sitting.match.position
    return "move", turn, {"move": _name(position.game, position.board, position.state, action)}


def bot_move(sitting: Sitting, action: int) -> Ruling:
    """A move that a bot has chosen."""
    match = sitting.match
    name = _name(sitting.game, match.board, match.state, action)
    return "move", match.turn, {"move": name}


def _name(game: Any, board: Any, state: Any, action: int) -> str:  # noqa: ANN401 - states differ
    return str(game.words.action_name(board, state, action))


def resign(sitting: Sitting, held: tuple[int, ...]) -> Ruling:
    """Giving up; who plays both sides gives up for the one to move."""
    _check_going_on(sitting)
    if sitting.waiting:
        return "stop", _speaker(sitting, held), {"reason": "called off before it began"}
    return "resign", _speaker(sitting, held), {}


def takeback(sitting: Sitting, held: tuple[int, ...]) -> Ruling:
    """Asking for a move back, or agreeing that the other takes one back."""
    _check_going_on(sitting)
    asked = sitting.offers["takeback"]
    player = _speaker(sitting, held)
    if asked and asked not in held:
        return "takeback", player, _taken_back(sitting, asked)
    if sitting.alone:
        asker = _last_mover(sitting) if len(held) > 1 else player
        return "takeback", asker, _taken_back(sitting, asker)
    if asked:
        raise Conflict(f"You have asked already; Player {3 - player} has not answered yet.")
    _plies_back(sitting, player)  # there must be something to take back
    return "ask-takeback", player, {}


def stop(sitting: Sitting, held: tuple[int, ...]) -> Ruling:
    """Asking to stop a game that can go on for ever, or agreeing to."""
    _check_going_on(sitting)
    if not sitting.game.cyclic:
        raise Conflict(f"{sitting.game.title} always comes to an end. You can resign.")
    asked = sitting.offers["stop"]
    player = _speaker(sitting, held)
    if sitting.alone or (asked and asked not in held):
        return "stop", player, {"reason": "stopped by agreement"}
    if asked:
        raise Conflict(f"You have asked already; Player {3 - player} has not answered yet.")
    return "ask-stop", player, {}


def decline(sitting: Sitting, held: tuple[int, ...]) -> Ruling:
    """Saying no to what the other has asked, or taking back what one has asked oneself."""
    _check_going_on(sitting)
    player = _speaker(sitting, held)
    for what in sorted(sitting.offers, key=lambda name: sitting.offers[name] in held):
        if sitting.offers[what]:
            return "decline", player, {"what": what}
    raise Conflict("Nothing has been asked that could be declined.")


def hint(sitting: Sitting, held: tuple[int, ...]) -> Ruling:
    """A hint is for the one to move, and is marked."""
    _check_begun(sitting)
    turn = sitting.match.turn
    if turn not in held:
        raise OutOfTurn(f"It is Player {turn}'s turn, not yours: a hint is for your own move.")
    return "hint", turn, {}


def check_rematch(sitting: Sitting) -> None:
    """Raise unless the game is over."""
    if not sitting.match.outcome:
        raise Conflict("The game still goes on; a rematch comes after it.")


Wish = Callable[[Sitting, tuple[int, ...]], Ruling]
WISHES: dict[str, Wish] = {
    "resign": resign,
    "takeback": takeback,
    "stop": stop,
    "decline": decline,
}


def _check_begun(sitting: Sitting) -> None:
    _check_going_on(sitting)
    if sitting.waiting:
        raise Conflict("The other seat is still free: the game begins when somebody takes it.")


def _check_going_on(sitting: Sitting) -> None:
    outcome = sitting.match.outcome
    if outcome:
        raise OutOfTurn(f"The game is over: {outcome.reason}.")


def _speaker(sitting: Sitting, held: tuple[int, ...]) -> int:
    turn = sitting.match.turn
    return turn if turn in held else held[0]


def _last_mover(sitting: Sitting) -> int:
    movers = sitting.match.movers
    return movers[-1] if movers else 0


def _plies_back(sitting: Sitting, player: int) -> int:
    """How many plies are left when a player's last move is taken back."""
    plies = [ply for ply, mover in enumerate(sitting.match.movers) if mover == player]
    if not plies:
        raise Conflict("There is no move of yours to take back.")
    return plies[-1]


def _taken_back(sitting: Sitting, player: int) -> dict[str, Any]:
    plies = _plies_back(sitting, player)
    match = sitting.match
    trial = Match(match.game, match.dealt, first=match.first)
    for action in match.actions:
        trial.play(action)
    while len(trial.actions) > plies:
        trial.undo()
    return {"plies": plies, "board": match.game.board_text(trial.dealt)}
