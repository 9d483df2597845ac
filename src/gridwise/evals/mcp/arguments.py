"""What the tools take: each argument, with its description for clients."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from gridwise.engine.bots import LEVELS
from gridwise.errors import BadRequest, quoted
from gridwise.evals.mcp.games_store import CLIENT

NO_BOT = "none"  # the level of nobody: clients move for both players

GameId = Annotated[str, Field(description="The game's id, from new_game or list_games.")]
GameKey = Annotated[str, Field(description="The game, such as number-maze, or maze for short.")]
Level = Annotated[
    str, Field(description=f"The bot: {', '.join(LEVELS)}; or none: play both sides.")
]
Side = Annotated[int, Field(description="The player you are, 1 or 2.")]
Size = Annotated[str, Field(description="Another size of the board, such as 5x4.")]
Target = Annotated[int | None, Field(description="Another number of points to reach.")]
Handicap = Annotated[bool, Field(description="Even out a game that favours Player 1.")]
Deal = Annotated[str, Field(description="How boards are dealt: even (the default), fair, uniform.")]
Seed = Annotated[int | None, Field(description="The same seed deals the same board.")]
BoardText = Annotated[str | None, Field(description="A board: its rows from the top, joined by /.")]
First = Annotated[int | None, Field(description="Who begins, where a coin would be tossed.")]
Lesson = Annotated[bool, Field(description="Whether review may be called while the game goes on.")]
Picture = Annotated[bool, Field(description="Whether to send a picture of the board as well.")]
Move = Annotated[str, Field(description="The move as the game writes it, such as 0,1 or right.")]
Moves = Annotated[list[str], Field(description="Moves of both players in turn, from here on.")]
Version = Annotated[
    int | None,
    Field(description="The version you have seen: if others have moved since, nothing is played."),
]


def players_of(side: int, level: str) -> tuple[str, str]:
    """Who plays, as records have it. Only bots: a client must not start other programs."""
    name = level.strip().casefold().removeprefix("bot:")
    if name == NO_BOT:
        return CLIENT, CLIENT
    if name not in LEVELS:
        known = ", ".join([*LEVELS, NO_BOT])
        raise BadRequest(f"There is no bot {quoted(level)}. The levels are {known}.")
    return (CLIENT, f"bot:{name}") if side == 1 else (f"bot:{name}", CLIENT)
