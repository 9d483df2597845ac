"""New games: a request becomes a `Setup`, and once its board is dealt, a game to be stored.

The same seed deals the same board, and tosses the same coin, as `gridwise play --seed`. To deal may
take a while: `Workers.deal`.
"""

from __future__ import annotations

import secrets
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field, StringConstraints

from gridwise.core.registry import game as game_named
from gridwise.core.registry import games
from gridwise.engine.bots import LEVELS
from gridwise.engine.deals import KINDS
from gridwise.errors import BadRequest, quoted
from gridwise.play.clock import TimeControl
from gridwise.play.series import LENGTHS, Series
from gridwise.play.setup import Setup
from gridwise.web.game.event_sourced_game import EventSourcedGame
from gridwise.web.game.stored_game import BOT, DRAWN, HUMAN, OPEN, OWN, GameSetup, Seat, new_id
from gridwise.web.workers.questions import Dealt

LONGEST_NAME = 30

# The schema lists the keys; reading them is as forgiving as everywhere.
GameKey = Annotated[
    str,
    StringConstraints(max_length=64),
    Field(json_schema_extra=lambda schema: schema.update(enum=[game.key for game in games()])),
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


OwnName = Annotated[
    str, AfterValidator(_clean_name), Field(json_schema_extra={"maxLength": LONGEST_NAME})
]
Name = Annotated[OwnName, Field(description="What the other players see; may be empty.")]


class ClockIn(BaseModel, extra="forbid"):
    """How much time each player has; who runs out of it loses."""

    minutes: Annotated[float, Field(ge=0.25, le=180, description="For the whole game.")]
    increment: Annotated[int, Field(ge=0, le=180, description="Seconds added after each move.")] = 0


def _one_of(values: Iterable[Any]) -> Any:  # noqa: ANN401 - a field of a pydantic model
    """The schema lists the values; whether one can be used, a Setup says."""
    return Field(json_schema_extra={"enum": list(values)})


class NewGame(BaseModel, extra="forbid"):
    """A game to start, and where you sit. What can be chosen is what `play.setup` has."""

    game: GameKey
    opponent: Literal["link", "same-screen", "bot"] = "link"
    level: Annotated[
        str,
        StringConstraints(max_length=32),
        Field(description="How strong a bot plays."),
        _one_of(LEVELS),
    ] = "casual"
    side: Literal[1, 2, "random"] = 1
    deal: Annotated[str, StringConstraints(max_length=32), _one_of([*KINDS, OWN])] | None = Field(
        None, description="How the board is dealt: fair, unless `board` has it."
    )
    board: Annotated[str, StringConstraints(max_length=300)] | None = None
    size: Annotated[str, StringConstraints(max_length=32)] = Field(
        "", description="Rows and columns of a board that is dealt, such as `6x6`."
    )
    target: Annotated[int, Field(ge=1, le=999)] | None = None
    handicap: bool = Field(False, description="Even start, in games that are one-sided.")
    seed: Annotated[int, Field(ge=0, le=2**53)] | None = Field(
        None, description="The same number deals the same board."
    )
    first: Literal[1, 2] | None = Field(
        None, description="Who goes first, in games where a coin is tossed for it."
    )
    name: Name = ""
    name1: OwnName = Field("", description="Player 1's, where two play at the same screen.")
    name2: OwnName = Field("", description="Player 2's.")
    listed: bool = Field(False, description="List it on the start page.")
    best_of: Annotated[int, _one_of(LENGTHS)] = Field(
        1, description="Games in the match, sides swapped; 2 is one board from both sides."
    )
    clock: ClockIn | None = Field(None, description="Without one, moves take as long as they take.")

    def setup(self) -> Setup:
        """What is to be played; raises GridwiseError for what cannot be."""
        game, clock = game_named(self.game), self.clock
        if self.opponent == "bot" and self.level not in LEVELS:
            levels = ", ".join(LEVELS)
            raise BadRequest(f"There is no bot {quoted(self.level)}. The levels are {levels}.")
        if (self.name1 or self.name2) and self.opponent != "same-screen":
            raise BadRequest('Only at the same screen both players have a name here: send "name".')
        if self.board is None and self.deal == OWN:
            raise BadRequest('To play on your own board, send it as "board".')
        if self.board is not None and self.deal not in (None, OWN):
            raise BadRequest(f'You sent a "board"; it cannot be dealt {quoted(self.deal)} as well.')
        if game.has_hidden_cells and self.opponent == "link" and self.seed is not None:
            raise BadRequest(
                f"With a seed you could work out what is face down in {game.title}. "
                "Against a friend, leave it out."
            )
        return Setup(
            game=game.key,
            board=self.board,
            deal=OWN if self.board is not None else self.deal or "fair",
            size=self.size,
            target=self.target,
            handicap=self.handicap,
            seed=self.seed,
            first=self.first,
            series=Series(self.best_of),
            clock=TimeControl(60 * clock.minutes, clock.increment) if clock else None,
        )


def new_game(
    request: NewGame, dealt: Dealt, token: str, plies: int, now: float
) -> tuple[GameSetup, tuple[Seat, Seat]]:
    """What is stored of a new game, once its board is dealt, and who sits where."""
    seats = _seats(request, token)
    return _stored(dealt, plies, now, request.listed, seats), seats


def rematch_setup(session: EventSourcedGame) -> Setup:
    """The next game, with sides swapped; a new board, unless it was chosen or is the only one.

    It is the next of the match, or the first of another one as long. Its players are the numbers of
    the seats that they have now.
    """
    old, game, series = session.setup, session.game, session.series
    # Where cells are face down, a board that a player knows is dealt anew.
    kind = "fair" if old.deal == OWN and game.has_hidden_cells else old.deal
    board, (one, two) = session.match.board, session.seats
    alone = one.token == two.token and one.kind == two.kind  # whoever plays both sides knows who
    before = replace(session.record(), players=("1", "1" if alone else "2"))
    setup = Setup(game=game.key, deal=kind, clock=old.clock)
    if series.best_of == 1 or series.over:
        setup = replace(setup.next_round(game, before.players), series=Series(series.best_of))
    else:
        setup = setup.going_on(series.swapped(), before)
    if setup.again:
        return setup
    if kind == OWN:
        return replace(setup.on_boards_like(board), board=old.board, size="")
    if game.fixed:
        return replace(setup, again=board)
    usual_size = (board.rows, board.cols) == (game.rows, game.cols)
    setup = setup.on_boards_like(board)
    return replace(setup, size="") if usual_size else setup


def new_rematch(
    session: EventSourcedGame, dealt: Dealt, now: float
) -> tuple[GameSetup, tuple[Seat, Seat]]:
    """What is stored of the game that follows, once its board is dealt, and who sits where."""
    old, seats = session.setup, (session.seats[0], session.seats[1])
    if dealt.setup.p1 != "1" or dealt.setup.p2 == "1":
        seats = seats[::-1]
    seats = (replace(seats[0], number=1), replace(seats[1], number=2))
    setup = replace(_stored(dealt, old.cap, now, old.listed, seats), rematch_of=old.id)
    return setup, seats


def _stored(
    dealt: Dealt, plies: int | None, now: float, listed: bool, seats: tuple[Seat, Seat]
) -> GameSetup:
    """What is stored of what was agreed on; a game that can go on for ever is stopped some time."""
    setup, board = dealt.setup, dealt.board
    against_bot = {seat.kind for seat in seats} == {HUMAN, BOT}
    person = next(seat.number for seat in seats if seat.kind == HUMAN) if against_bot else 0
    terms = setup.terms(board, dealt.first, person)
    game, series, clock = game_named(setup.game), setup.series, setup.clock
    return GameSetup(
        id=new_id(),
        game=game.key,
        board=game.board_text(board),
        target=board.target,
        handicap=board.handicap,
        first=dealt.first,
        deal=setup.deal,
        seed=DRAWN + secrets.token_hex(16) if setup.seed is None else str(setup.seed),
        created=now,
        cap=plies if game.cyclic else None,
        listed=listed,
        seconds=clock.seconds if clock else None,
        increment=clock.increment if clock else 0,
        best_of=series.best_of,
        round=series.round,
        halves_one=series.halves[0],
        halves_two=series.halves[1],
        won_in_one=series.won_in[0],
        won_in_two=series.won_in[1],
        terms=terms or "",
    )


def _seats(request: NewGame, token: str) -> tuple[Seat, Seat]:
    side = 1 + secrets.randbelow(2) if request.side == "random" else request.side
    names = (request.name1, request.name2)
    mine = Seat(side, HUMAN, names[side - 1] or request.name, "", token)
    other = {
        "link": Seat(3 - side, OPEN),
        "same-screen": Seat(3 - side, HUMAN, names[2 - side], "", token),
        "bot": Seat(3 - side, BOT, "", request.level),
    }[request.opponent]
    return (mine, other) if side == 1 else (other, mine)
