"""Everything that the API takes and sends, as pydantic models: they check, and they document.

The text of a state is made in `game/snapshot.py` without going through these, for speed; a test
keeps the two in step.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, StringConstraints

from gridwise.core.outcome import Termination
from gridwise.play.balance import EvenTerms
from gridwise.web.game.events import Offer
from gridwise.web.game.move_effects import Mark
from gridwise.web.game.new_game import GameKey, Name

MoveText = Annotated[str, StringConstraints(max_length=40)]
Ref = Annotated[
    Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[!-~]+$")] | None,
    Field(description="An id of your own for this message; sent twice, it counts once."),
]
Version = Annotated[
    int, Field(ge=0, le=10**9, description="The version of the game that you have seen.")
]


class _In(BaseModel, extra="forbid"):
    """A request has known fields only, so that a typo is noticed."""


class TakeSeat(_In):
    """Join a game."""

    name: Name = ""


class PlayerRequest(_In):
    """Anything that a player can ask for, made on a version of the game."""

    version: Version
    ref: Ref = None


class MoveRequest(PlayerRequest):
    """A move, made on a version of the game."""

    move: MoveText = Field(examples=["0,1", "C3", "up"])


class EmoteRequest(_In):
    """Something to say to the other player."""

    emote: Annotated[str, StringConstraints(max_length=20)]
    ref: Ref = None


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
    """Where a game is that was started."""

    id: str
    url: str


class RematchLink(BaseModel):
    """Where the next game is; null while the other player has not agreed."""

    id: str | None
    url: str | None


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


class QuestionOut(BaseModel):
    """A question about a move to a cell; each answer is a move of its own."""

    cell: str
    text: str
    answers: dict[str, str] = Field(description="The answer, and the move to send for it.")
    labels: list[str] = Field(description="What is at stake with each answer, in their order.")
    default: str = Field(description="The answer to offer first: it costs nothing at once.")
    stakes: str = Field(description="What would come of it, in a sentence.")


class ObjectiveOut(BaseModel):
    """What a player is after."""

    text: str = Field(examples=["exactly 7 more to win"])
    have: int = Field(description="Of the points to reach, where there are any.")
    need: int = Field(description="The points to reach; 0 where there are none.")
    goal: str | None = Field(description="The cell to reach, where there is one.")
    number: int = Field(description="How far the token goes, where a number says so; else 0.")
    exact: bool = Field(description="Whether more points than needed lose the game.")


class SeriesOut(BaseModel):
    """How a match stands, from the sides of this game; a draw is half a point for each."""

    best_of: int
    wins: tuple[float, float]
    game: int = Field(description="The number of this game.")
    over: bool
    leader: Literal[0, 1, 2] = Field(description="Who is ahead, or has won; 0 for nobody.")
    won_in: tuple[int, int] | None = Field(
        None,
        description="Of both sides: the own moves in which each has won a game, 0 for none. Where "
        "both have won one, fewer moves win.",
    )


class FirstMove(BaseModel):
    """A first move that is due: it costs no time, but has a limit of its own."""

    player: int
    left: float = Field(description="Seconds.")


class ClockOut(BaseModel):
    """What the clock shows at this moment."""

    left: tuple[float, float] = Field(description="Seconds of Player 1 and of Player 2.")
    running: int = Field(description="Whose time is running, 0 for nobody's.")
    increment: float
    first_move: FirstMove | None = Field(description="Until each player has moved once.")


class GameState(BaseModel, extra="forbid"):
    """A game as you may see it. Hidden values are not in it."""

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
    targets: list[str] = Field(description="The cell that each of the legal moves goes to.")
    questions: list[QuestionOut]
    cells: list[CellOut] | None = Field(None, description="Not on a socket with `picture=yes`.")
    rows: int
    cols: int
    row_labels: list[str]
    col_labels: list[str]
    svg: str | None = Field(None, description="The board drawn; not on a socket without it.")
    scores: tuple[int, int] | None
    objectives: list[ObjectiveOut] = Field(description="Of Player 1 and of Player 2.")
    marks: dict[Literal["1", "2"], Mark] = Field(description="The last move of each player.")
    news: list[str] = Field(description="What has just happened, in sentences for you.")
    status_text: str = Field(description="Whose turn it is, or how the game ended, for you.")
    why: str | None = Field(description="Why the game ended, in a sentence for you.")
    since: str | None = Field(description="What the players said about a rematch, for you.")
    result: Literal["p1", "p2", "draw"] | None
    reason: str | None
    termination: str | None = Field(description=f"How it ended: {', '.join(Termination)}.")
    offers: dict[Offer, int] = Field(description="Who has asked for it, 0 for nobody.")
    rematch: str | None
    rematch_of: str | None
    series: SeriesOut | None = Field(description="The match, if it is more than one game.")
    clock: ClockOut | None
    spectators: int = Field(description="How many watch, without you.")
    board: str = Field(description="Rows from the top, joined by /; ? for a hidden cell.")
    target: int
    handicap: int
    first: int
    deal: str
    outlook: str = Field(description="What is different, and who is better off from the start.")
    terms: str | None = Field(
        description=f"Why a win against the bot counts for the ladder: {', '.join(EvenTerms)}."
    )
    seed: str | None = Field(description="The one that was given, once the game is over.")
    listed: bool


class HintOut(BaseModel):
    """A move to consider."""

    move: str
    text: str
    # What is said each time somebody asks for more: where to look, the move, the reason.
    steps: list[str]


class ListedGame(GameLink):
    """A game in a list."""

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


class LobbyGame(GameLink):
    """A game in the lobby."""

    game: str
    title: str
    name: str = Field(description="Who waits, or the first of those who play.")
    names: list[str] = Field(description="Who has sat down.")
    clock: dict[Literal["minutes", "increment"], float] | None
    series: dict[Literal["best_of"], int] | None


class LobbyOut(BaseModel):
    """Games to join and to watch at this moment."""

    open: list[LobbyGame]
    playing: list[LobbyGame]
    people: int = Field(description="How many are connected to games, or look at the lobby.")


class ErrorResponse(BaseModel):
    """A kind for programs, a sentence for people; of a stale request, with the current state."""

    error: dict[Literal["kind", "message"], str]
    state: dict[str, Any] | None = None
