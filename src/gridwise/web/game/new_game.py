"""New games: a request for a game becomes a setup and two seats.

For a worker thread: a fair deal takes time.

The same seed deals the same board, and tosses the same coin, as `gridwise play --seed`.
"""

from __future__ import annotations

import secrets
import time
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, Field, StringConstraints

from gridwise.core.registry import game as game_named
from gridwise.core.registry import games
from gridwise.core.rng import random_stream
from gridwise.engine.bots import LEVELS
from gridwise.engine.deals import new_board
from gridwise.errors import BadRequest, quoted
from gridwise.play.match import first_player
from gridwise.play.series import Series
from gridwise.web.game.model import BOT, DRAWN, HUMAN, OPEN, GameSetup, Seat, new_id
from gridwise.web.game.session import GameSession

LONGEST_NAME = 30

# The schema lists the keys; reading them is as forgiving as everywhere.
GameKey = Annotated[
    str,
    StringConstraints(max_length=64),
    Field(json_schema_extra={"enum": [game.key for game in games()]}),
]


# Zero-width joiners: Persian and other scripts are spelt with them, and families of emoji.
JOINERS = "\u200c\u200d"
# Letters and signs without a shape: fillers of Hangul, an empty Braille cell, an empty note.
BLANKS = "\u115f\u1160\u2800\u3164\uffa0\U0001d159"
MOST_MARKS = 2  # on one letter, as Vietnamese and Thai need; more of them run into other lines
SUBJOINED = range(0x0F90, 0x0FBD)  # letters of Tibetan below others; they have marks, too


def _clean_name(name: str) -> str:
    """Strip blanks at the ends and doubled ones, and check the characters and the length.

    Characters without a shape are refused, but for joiners between others: with them a name could
    look empty, or turn the direction of the sentence around it. So are heaps of accents.
    """
    name = " ".join(name.split()).strip(JOINERS + " ")
    joined = name.translate(dict.fromkeys(map(ord, JOINERS)))
    if not joined.isprintable():
        raise ValueError("a name can have printable characters only")
    # Marks are seen on a letter, number, punctuation mark or symbol only.
    shapes = [each for each in joined if unicodedata.category(each)[0] in "LNPS"]
    if name and not set(shapes).difference(BLANKS):
        raise ValueError("a name needs a character that can be seen")
    if _most_marks(joined) > MOST_MARKS:
        raise ValueError(f"a letter of a name can have at most {MOST_MARKS} accents")
    if len(name) > LONGEST_NAME:
        raise ValueError(f"a name can have at most {LONGEST_NAME} characters")
    return name


def _most_marks(text: str) -> int:
    """How many marks a letter has that take no room of their own; of both kinds, the more."""
    marks = [each if unicodedata.category(each) in ("Mn", "Me") else " " for each in text]
    rows = [Counter(ord(each) in SUBJOINED for each in row) for row in "".join(marks).split()]
    return max((max(row.values()) for row in rows), default=0)


Name = Annotated[
    str,
    AfterValidator(_clean_name),
    Field(
        description="What the other players see; may be empty.",
        json_schema_extra={"maxLength": LONGEST_NAME},
    ),
]


class ClockIn(BaseModel, extra="forbid"):
    """How much time each player has; who runs out of it loses."""

    minutes: Annotated[float, Field(ge=0.25, le=180, description="For the whole game.")]
    increment: Annotated[int, Field(ge=0, le=180, description="Seconds added after each move.")] = 0


class NewGame(BaseModel, extra="forbid"):
    """A game to start, and where you sit."""

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
    best_of: Literal[1, 3, 5] = Field(1, description="Games in the match, sides swapped.")
    clock: ClockIn | None = Field(None, description="Without one, moves take as long as they take.")


def new_game(
    request: NewGame, token: str, plies: int, now: Callable[[], float] = time.time
) -> tuple[GameSetup, tuple[Seat, Seat]]:
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
    rng = random_stream(request.seed)
    clock, target, handicap = request.clock, request.target, request.handicap
    board = new_board(game, rng, kind, request.board, target=target, handicap=handicap)
    setup = GameSetup(
        id=new_id(),
        game=game.key,
        board=game.board_text(board),
        target=board.target,
        handicap=board.handicap,
        first=first_player(game, request.first, rng),
        deal=kind,
        seed=_drawn_seed() if request.seed is None else str(request.seed),
        created=now(),
        cap=plies if game.cyclic else None,
        listed=request.listed,
        seconds=60 * clock.minutes if clock else None,
        increment=clock.increment if clock else 0,
        best_of=request.best_of,
    )
    return setup, _seats(request, token)


def new_rematch(
    session: GameSession, now: Callable[[], float] = time.time
) -> tuple[GameSetup, tuple[Seat, Seat]]:
    """The same game with sides swapped; a new board, unless it was chosen or is the only one.

    It is the next of the match, or the first of another one as long.
    """
    old, series = session.setup, session.series.swapped()
    if series.over:
        series = Series(series.best_of)
    game, rng = session.game, random_stream()
    target, handicap = old.target if game.target else None, bool(old.handicap)
    # Where cells are face down, a board that a player knows is dealt anew.
    kind = "fair" if old.deal == "own" and game.has_hidden_cells else old.deal
    text = old.board if kind == "own" or game.fixed else None
    board = new_board(game, rng, kind, text, target=target, handicap=handicap)
    setup = replace(
        old,
        id=new_id(),
        board=game.board_text(board),
        target=board.target,
        handicap=board.handicap,
        first=first_player(game, None, rng),
        deal=kind,
        seed=_drawn_seed(),
        created=now(),
        rematch_of=old.id,
        round=series.round,
        halves_one=series.halves[0],
        halves_two=series.halves[1],
    )
    one, two = session.seats
    return setup, (replace(two, number=1), replace(one, number=2))


def _drawn_seed() -> str:
    return DRAWN + secrets.token_hex(16)


def _kind_of_deal(request: NewGame) -> str:
    if request.board is None:
        if request.deal == "own":
            raise BadRequest('To play on your own board, send it as "board".')
        return request.deal or "fair"
    if request.deal not in (None, "own"):
        raise BadRequest(f'You sent a "board"; it cannot be dealt {request.deal} as well.')
    return "own"


def _seats(request: NewGame, token: str) -> tuple[Seat, Seat]:
    side = 1 + secrets.randbelow(2) if request.side == "random" else request.side
    mine = Seat(side, HUMAN, request.name, "", token)
    other = {
        "link": Seat(3 - side, OPEN),
        "same-screen": Seat(3 - side, HUMAN, "", "", token),
        "bot": Seat(3 - side, BOT, "", request.level),
    }[request.opponent]
    return (mine, other) if side == 1 else (other, mine)
