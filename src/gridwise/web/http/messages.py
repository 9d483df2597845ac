"""Everything that the API takes and sends, as pydantic models: they check, and they document.

The text of a state is made in `game/snapshot.py` without going through these, for speed; a test
keeps the two in step.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from gridwise.core.outcome import Termination
from gridwise.web.game import GameKey, Name

MoveText = Annotated[str, StringConstraints(max_length=40)]
Ref = Annotated[
    Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[!-~]+$")] | None,
    Field(description="An id of your own for this message; sent twice, it counts once."),
]
Version = Annotated[
    int, Field(ge=0, le=10**9, description="The version of the game that you have seen.")
]


class _In(BaseModel):
    """A request has known fields only, so that a typo is noticed."""

    model_config = ConfigDict(extra="forbid")


class TakeSeat(_In):
    """Take the free seat."""

    name: Name = ""


class PlayerRequest(_In):
    """Anything that a player can ask for, made on a version of the game."""

    version: Version
    ref: Ref = None


class MoveRequest(PlayerRequest):
    """A move, made on a version of the game."""

    move: MoveText = Field(examples=["0,1", "C3", "up"])


class PositionRequest(_In):
    """A position to evaluate; the same as `gridwise analyze` takes."""

    game: GameKey
    board: Annotated[str, StringConstraints(max_length=300)] | None = None
    first: Literal[1, 2] = 1
    moves: Annotated[list[MoveText], Field(max_length=2_000)] = []
    search: bool = True
    target: Annotated[int, Field(ge=1, le=999)] | None = None
    handicap: Annotated[int, Field(ge=0, le=999)] = 0


# Responses


class GameLink(BaseModel):
    """Where a game is: one that was started, or a rematch."""

    id: str
    url: str


class PlayerOut(BaseModel):
    """One seat."""

    seat: int
    kind: Literal["human", "bot", "open"]
    name: str
    level: str | None
    present: bool


class MoveOut(BaseModel):
    """A move that was played."""

    player: int
    move: str
    hinted: bool


class CellOut(BaseModel):
    """One cell as it can be seen; `value` is 0 if it has none or it is hidden."""

    name: str
    value: int
    text: str
    about: str
    owner: int
    token: int
    start: int
    visited: list[int]
    blocked: bool
    hidden: bool
    moves: list[str]


class QuestionOut(BaseModel):
    """A question about a move to a cell; each answer is a move of its own."""

    cell: str
    lead: list[str] = Field(description="What to say before it.")
    text: str
    answers: dict[str, str] = Field(description="The answer, and the move to send for it.")


class Offers(BaseModel):
    """Who has asked for what."""

    takeback: int
    stop: int


class GameState(BaseModel):
    """A game as you may see it. Hidden values are not in it."""

    model_config = ConfigDict(extra="forbid")

    id: str
    game: str
    title: str
    version: int
    status: Literal["waiting", "playing", "over"]
    you: list[int] = Field(description="The seats this browser holds.")
    turn: int = Field(description="The player to move, 0 for nobody.")
    players: list[PlayerOut]
    moves: list[MoveOut]
    legal: list[str]
    questions: list[QuestionOut]
    cells: list[CellOut]
    rows: int
    cols: int
    row_labels: list[str]
    col_labels: list[str]
    svg: str
    scores: tuple[int, int] | None
    caption: str
    news: list[str] = Field(description="What has just happened, in sentences.")
    status_text: str = Field(description="Whose turn it is, or how the game ended.")
    result: Literal["p1", "p2", "draw"] | None
    reason: str | None
    termination: str | None = Field(description=f"How it ended: {', '.join(Termination)}.")
    offers: Offers = Field(description="Who has asked for it, 0 for nobody.")
    rematch: str | None
    rematch_of: str | None
    spectators: int
    board: str = Field(description="Rows from the top, joined by /; ? for a hidden cell.")
    target: int
    handicap: int
    first: int
    deal: str
    seed: str | None = Field(description="Shown once the game is over.")
    listed: bool


class HintOut(BaseModel):
    """A move to consider."""

    move: str
    text: str


class ListedGame(BaseModel):
    """A game in a list."""

    id: str
    url: str
    game: str
    title: str
    players: list[PlayerOut]
    created: float
    finished: float | None
    result: str | None
    reason: str | None


class GameList(BaseModel):
    """Games that are open to everybody, the newest first."""

    games: list[ListedGame]
    next: str | None = Field(description="Send it as `cursor` for the next page; null on the last.")


class ErrorBody(BaseModel):
    """What went wrong: a kind for programs, a sentence for people."""

    kind: str
    message: str


class ErrorResponse(BaseModel):
    """An error; for a stale request, with the current state."""

    error: ErrorBody
    state: dict[str, Any] | None = None
