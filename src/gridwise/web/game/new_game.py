"""New games: a request for a game becomes a setup and two seats.

For a worker thread: a fair deal takes time.

The same seed deals the same board, and tosses the same coin, as `gridwise play --seed`.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.registry import game as game_named
from gridwise.core.registry import games
from gridwise.core.rng import Stream
from gridwise.engine.bots import LEVELS
from gridwise.engine.deals import deal as deal_board
from gridwise.engine.deals import with_handicap
from gridwise.errors import BadRequest, quoted
from gridwise.play.match import first_player
from gridwise.web.game.model import BOT, HUMAN, OPEN, GameSetup, Seat, new_id

LONGEST_NAME = 30

# The schema lists the keys; reading them is as forgiving as everywhere.
GameKey = Annotated[
    str,
    StringConstraints(max_length=64),
    Field(json_schema_extra={"enum": [game.key for game in games()]}),
]


def _clean_name(name: object) -> object:
    """Strip blanks at the ends and doubled ones, and check the length."""
    if not isinstance(name, str):
        return name
    name = " ".join(name.split())
    if not name.isprintable():
        raise ValueError("a name can have printable characters only")
    if len(name) > LONGEST_NAME:
        raise ValueError(f"a name can have at most {LONGEST_NAME} characters")
    return name


Name = Annotated[
    str,
    BeforeValidator(_clean_name),
    StringConstraints(max_length=LONGEST_NAME),
    Field(description="What the other players see; may be empty."),
]


class NewGame(BaseModel):
    """A game to start, and where you sit."""

    model_config = ConfigDict(extra="forbid")

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
        None, description="The same number deals the same board."
    )
    first: Literal[1, 2] | None = Field(
        None, description="Who goes first, in games where a coin is tossed for it."
    )
    name: Name = ""
    listed: bool = Field(False, description="List it on the start page.")


def new_game(request: NewGame, token: str, plies: int) -> tuple[GameSetup, tuple[Seat, Seat]]:
    """A setup and who sits where; raises GridwiseError for what cannot be played."""
    game = game_named(request.game)
    kind = _kind_of_deal(request)
    if request.opponent == "bot" and request.level not in LEVELS:
        levels = ", ".join(LEVELS)
        raise BadRequest(f"There is no bot {quoted(request.level)}. The levels are {levels}.")
    if game.has_hidden_cells and request.opponent == "link" and request.seed is not None:
        raise BadRequest(
            f"With a seed you could work out what is face down in {game.title}. "
            "Against a friend, leave it out."
        )
    seed = str(secrets.randbits(64) if request.seed is None else request.seed)
    rng = Stream(seed)
    if request.board is None:
        board = deal_board(game, rng, kind, target=request.target)
    else:
        board = game.parse_board(request.board, request.target)
    if request.handicap:
        board = with_handicap(game, board)
    setup = _setup(game, board, kind, seed, rng, request.first)
    setup = replace(setup, listed=request.listed, cap=plies if game.cyclic else None)
    return setup, _seats(request, token)


def new_rematch(old: GameSetup, seats: list[Seat]) -> tuple[GameSetup, tuple[Seat, Seat]]:
    """The same game with sides swapped; a new board, unless it was chosen or is the only one."""
    game = game_named(old.game)
    seed = str(secrets.randbits(64))
    rng = Stream(seed)
    target = old.target if game.target else None
    kind = old.deal
    if (kind == "own" and not game.has_hidden_cells) or game.fixed:
        board = game.parse_board(old.board, target, old.handicap)
    else:
        kind = "fair" if kind == "own" else kind  # a board that a player knows is dealt anew
        board = deal_board(game, rng, kind, target=target)
        if old.handicap:
            board = with_handicap(game, board)
    setup = _setup(game, board, kind, seed, rng)
    one, two = seats
    swapped = (replace(two, number=1), replace(one, number=2))
    return replace(setup, listed=old.listed, cap=old.cap, rematch_of=old.id), swapped


def _kind_of_deal(request: NewGame) -> str:
    if request.board is None:
        if request.deal == "own":
            raise BadRequest('To play on your own board, send it as "board".')
        return request.deal or "fair"
    if request.deal not in (None, "own"):
        raise BadRequest(f'You sent a "board"; it cannot be dealt {request.deal} as well.')
    return "own"


def _setup(
    game: Game, board: Board, kind: str, seed: str, rng: Stream, first: int | None = None
) -> GameSetup:
    board = game.deal_unknown(board, rng)
    return GameSetup(
        id=new_id(),
        game=game.key,
        board=game.board_text(board),
        target=board.target,
        handicap=board.handicap,
        first=first_player(game, first, rng),
        deal=kind,
        seed=seed,
        created=time.time(),
    )


def _seats(request: NewGame, token: str) -> tuple[Seat, Seat]:
    side = 1 + secrets.randbelow(2) if request.side == "random" else request.side
    mine = Seat(side, HUMAN, request.name, "", token)
    other = {
        "link": Seat(3 - side, OPEN),
        "same-screen": Seat(3 - side, HUMAN, "", "", token),
        "bot": Seat(3 - side, BOT, "", request.level),
    }[request.opponent]
    return (mine, other) if side == 1 else (other, mine)
