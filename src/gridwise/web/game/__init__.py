"""One live game: its events, its state, its listeners. No HTTP and no SQL in here.

Outside, use the names below and the data classes of `model` and `events`.
"""

from gridwise.web.game.commands import COMMANDS
from gridwise.web.game.event_sourced_game import EventSourcedGame, known_games
from gridwise.web.game.listener import Listener
from gridwise.web.game.live_game import LiveGame
from gridwise.web.game.new_game import GameKey, Name, NewGame, new_game
from gridwise.web.game.snapshot import Presence, Snapshot, encode, questions

__all__ = [
    "COMMANDS",
    "EventSourcedGame",
    "GameKey",
    "Listener",
    "LiveGame",
    "Name",
    "NewGame",
    "Presence",
    "Snapshot",
    "encode",
    "known_games",
    "new_game",
    "questions",
]  # fmt: skip
