"""Games as they are stored, made without a server."""

from __future__ import annotations

import time

from gridwise.web.game.new_game import NewGame, new_game
from gridwise.web.game.stored_game import GameSetup, Seat
from gridwise.web.workers.questions import dealt

from .servers import Json


def dealt_game(
    asked: Json | NewGame, holder: str = "somebody", plies: int = 1_000
) -> tuple[GameSetup, tuple[Seat, Seat]]:
    """What is stored of a game that the holder of a token asks for, and who sits where."""
    request = NewGame.model_validate(asked)
    return new_game(request, dealt(request.setup()), holder, plies, time.time())
