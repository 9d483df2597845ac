"""Everything that goes in and out, as pydantic models: they check, and they are the documentation.

The text of a state is made in `states.py` without going through these, for speed; a test holds the
two together.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from gridwise.core.registry import games
from gridwise.engine.bots import LEVELS

LONGEST_NAME = 30

Ref = Annotated[
    str,
    StringConstraints(min_length=1, max_length=64, pattern=r"^[!-~]+$"),
    Field(description="A word of your own for this message; sent twice, it counts once."),
]
Version = Annotated[
    int, Field(ge=0, le=10**9, description="The version of the game that you have seen.")
]

# In the schema the keys are listed; reading is as forgiving as everywhere.
GameKey = Annotated[
    str,
    StringConstraints(max_length=64),
    Field(json_schema_extra={"enum": [game.key for game in games()]}),
]


def _tidy(name: object) -> object:
    """Blanks at the ends and doubled ones are nobody's name."""
    if not isinstance(name, str):
        return name
    name = " ".join(name.split())
    if not name.isprintable():
        raise ValueError("a name has printable characters only")
    if len(name) > LONGEST_NAME:
        raise ValueError(f"a name has at most {LONGEST_NAME} characters")
    return name


Name = Annotated[
    str,
    BeforeValidator(_tidy),
    StringConstraints(max_length=LONGEST_NAME),
    Field(description="What the other players see; may be empty."),
]


class _In(BaseModel):
    """What comes in has known fields only, so that a slip is noticed."""

    model_config = ConfigDict(extra="forbid")


class NewGame(_In):
    """A game to be started, and where you sit."""

    game: GameKey
    opponent: Literal["link", "same-screen", "bot"] = "link"
    level: Annotated[
        str,
        StringConstraints(max_length=32),
        Field(description="How strong a bot plays.", json_schema_extra={"enum": list(LEVELS)}),
    ] = "casual"
    side: Literal[1, 2, "random"] = 1
    deal: Literal["fair", "uniform", "own"] | None = Field(
        None, description="How the board is dealt; `own`, or left out, if `board` has it."
    )
    board: Annotated[str, StringConstraints(max_length=300)] | None = None
    target: Annotated[int, Field(ge=1, le=999)] | None = None
    handicap: bool = Field(False, description="Make a one-sided game even, where there is a way.")
    seed: Annotated[int, Field(ge=0, le=2**53)] | None = Field(
        None, description="The same number, the same board."
    )
    first: Literal[1, 2] | None = Field(None, description="Who begins, where chance decides it.")
    name: Name = ""
    listed: bool = Field(False, description="Shown to everybody on the start page.")


class TakeSeat(_In):
    """Sit down on the free seat."""

    name: Name = ""


class Move(_In):
    """A move, made on a version of the game."""

    move: Annotated[str, StringConstraints(max_length=40)] = Field(examples=["0,1", "C3", "up"])
    version: Version
    ref: Ref | None = None


class Wish(_In):
    """Anything else that a player can want, made on a version of the game."""

    version: Version
    ref: Ref | None = None


class Question(_In):
    """A position to look at; the same as `gridwise analyze` takes."""

    game: GameKey
    board: Annotated[str, StringConstraints(max_length=300)] | None = None
    first: Literal[1, 2] = 1
    moves: Annotated[
        list[Annotated[str, StringConstraints(max_length=40)]], Field(max_length=2_000)
    ] = []
    search: bool = True
    target: Annotated[int, Field(ge=1, le=999)] | None = None
    handicap: Annotated[int, Field(ge=0, le=999)] = 0


# What goes out


class Made(BaseModel):
    """A game that was started."""

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
    """One cell as it can be seen; `value` is 0 where there is none or it is not known."""

    name: str
    value: int
    text: str
    about: str
    owner: int
    token: int
    home: int
    visited: list[int]
    blocked: bool
    hidden: bool
    moves: list[str]


class QuestionOut(BaseModel):
    """What has to be asked about a move to a cell; each answer makes another move of it."""

    cell: str
    lead: list[str]
    prompt: str
    answers: dict[str, str]


class Offers(BaseModel):
    """Who has asked, 0 for nobody."""

    takeback: int
    stop: int


class State(BaseModel):
    """A game as you may see it. Nothing that is hidden is in it."""

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
    question: list[QuestionOut]
    cells: list[CellOut]
    rows: int
    cols: int
    row_labels: list[str]
    col_labels: list[str]
    svg: str
    scores: tuple[int, int] | None
    caption: str
    said: list[str] = Field(description="What has just happened, in sentences.")
    result: Literal["p1", "p2", "draw"] | None
    reason: str | None
    offers: Offers
    rematch: str | None
    rematch_of: str | None
    spectators: int
    board: str = Field(description="Rows from the top, joined by /; ? where nobody has seen it.")
    target: int
    handicap: int
    first: int
    deal: str
    seed: str | None = Field(description="Once the game is over.")
    listed: bool


class HintOut(BaseModel):
    """A move to consider."""

    move: str
    text: str


class Rematch(BaseModel):
    """The game that follows."""

    id: str
    url: str


class ListedOut(BaseModel):
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


class ListOut(BaseModel):
    """Games that are open to everybody, the newest first."""

    games: list[ListedOut]


class ErrorBody(BaseModel):
    """What went wrong: a word for programs, a sentence for people."""

    kind: str
    message: str


class ErrorOut(BaseModel):
    """An error; a stale request gets the present state with it."""

    error: ErrorBody
    state: dict[str, Any] | None = None
