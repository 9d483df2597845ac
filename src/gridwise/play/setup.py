"""Setup: what a new game is to be, and what can be chosen for one.

The options of `gridwise play`, the app's form, the menu of the plain terminal, the pages and the
API all make a `Setup`. `setup_fields` has what a person can choose for a game: the fields of a
form, their choices and the words on them. Who sits down behind the name of a player is not known
here: `gridwise.players.new_match` makes the players and begins.

Every function raises GridwiseError with one clear line for what cannot be used.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.narration import COLOURS, NEUTRAL, Names
from gridwise.core.position import start
from gridwise.core.registry import game as game_named
from gridwise.core.rng import Rng, Stream, derive_seed, random_stream
from gridwise.core.view import View
from gridwise.engine.bots import ABOUT, LEVELS
from gridwise.engine.deals import KINDS, deal, with_handicap
from gridwise.errors import BadRequest, quoted
from gridwise.play.balance import EvenTerms, balance, balances, even_terms, is_even, outlook
from gridwise.play.boards import read_size
from gridwise.play.clock import TimeControl
from gridwise.play.ladder import counts_for_ladder
from gridwise.play.match import HUMAN, Match, first_player, is_person, one_person
from gridwise.play.series import BOTH_SIDES, LENGTHS, SINGLE_GAME, Series

if TYPE_CHECKING:
    from gridwise.play.records import Record
    from gridwise.play.session import PlaySession


@dataclass(frozen=True)
class Setup:
    """A game to play: which one, on what board, between whom."""

    game: str = ""
    p1: str = ""  # a person, or the player of the game that is resumed
    p2: str = ""
    board: str | None = None  # its text; a deal, where it is None
    deal: str = ""  # one of KINDS; even where a person plays, uniform where only programs do
    size: str = ""
    target: int | None = None
    handicap: bool = False
    seed: int | None = None
    first: int | None = None
    series: Series = SINGLE_GAME  # as it stands before this game
    again: Board | None = None  # of a series: the board of the game before, for both sides,
    begins: int | None = None  # who begins now, where players take turns at that,
    same_terms: str = ""  # and for both sides, what made the game before count
    clock: TimeControl | None = None
    round: int = 1  # playing again is the next round
    # Files: where the game is written to, and the one that is continued.
    record: Path | None = None
    resume: Path | None = None

    # What it begins with

    @property
    def _are_people(self) -> tuple[bool, bool]:
        """Of each player, whether it is a person, as whoever has no name is."""
        one, two = self.p1.strip().casefold(), self.p2.strip().casefold()
        return not one or is_person(one), not two or is_person(two)

    @property
    def kind(self) -> str:
        """How its board is dealt: programs get what the rules describe, people what is fun."""
        return self.deal or ("even" if any(self._are_people) else "uniform")

    @property
    def usually_has_handicap(self) -> bool:
        """Whether it begins from the even start unless something else is asked for.

        A person and a bot do; not on a board that an option asks for.
        """
        if any(
            each not in (None, "")
            for each in (self.board, self.deal, self.size, self.seed, self.resume)
        ):
            return False
        one, two = self._are_people
        return one != two and game_named(self.game).handicap is not None

    @property
    def deal_seed(self) -> int | str | None:
        """The seed of the deal: in the first round it is the one of `Match(seed=…)`."""
        return self.seed if self.round == 1 else self.seed_for("deal")

    def seed_for(self, purpose: str) -> str | None:
        """A seed for something else than the deal, so that it says nothing about the cells."""
        return None if self.seed is None else derive_seed(self.seed, f"{purpose} {self.round}")

    def new_board(self, rng: Rng) -> Board:
        """The board that it asks for: dealt, or read from its text; even boards take a while."""
        game = game_named(self.game)
        if self.again:
            return self.again
        if self.board is not None and self.size:
            raise BadRequest("Give a board or a size, not both: a board has a size of its own.")
        if self.board is not None:
            board = game.deal_unknown(game.parse_board(self.board, self.target), rng)
        else:
            rows, cols = read_size(self.size) if self.size else (0, 0)
            board = deal(game, rng, self.kind, rows=rows, cols=cols, target=self.target)
        return with_handicap(game, board) if self.handicap else board

    def new_match(self, max_plies: int | None = None) -> Match:
        """The match that it asks for, at its beginning."""
        game = game_named(self.game)
        if self.series.best_of == BOTH_SIDES and game.has_hidden_cells:
            raise BadRequest(
                f"{game.title} cannot be played from both sides: whoever has played on a board "
                "knows what is face down. Play best of 3 instead."
            )
        # One stream, first the cells, then the coin toss: as `Match(game, seed=…)` does it.
        rng = random_stream(self.deal_seed)
        board = self.new_board(rng)
        first = first_player(game, self.begins or self.first, rng)
        return Match(game, board, first=first, seed=self.seed_for("undo"), max_plies=max_plies)

    def preview(self) -> View:
        """A board such as it will be: the person's own, or one of the size asked for."""
        return start(game_named(self.game), self._example()).view

    def _example(self) -> Board:
        game = game_named(self.game)
        if self.board:
            board = game.parse_board(self.board, self.target)
        elif self.size:
            board = game.check_board(game.deal(Stream(1), *read_size(self.size), self.target))
        else:
            board = game.parse_board(game.example_board, self.target)
        return with_handicap(game, board) if self.handicap else board

    # Who is better off in it

    def outlook(self, names: Names = NEUTRAL, board: Board | None = None) -> str:
        """Who wins from the start, as far as that is known, on its board or on one such as that."""
        deal = "" if self.board or self.resume else self.kind
        tossed = (self.begins or self.first) is None
        known = outlook(game_named(self.game), board or self._example(), deal, names, tossed=tossed)
        return " ".join(known)

    def opening_lines(self, session: PlaySession, sides: Names) -> list[str]:
        """What people are told before the first move of a game of it, with words for the sides.

        Which side they have now, where it goes on a series, and who is better off.
        """
        match, series = session.match, Series.from_tags(session.tags)
        lines = [series.announcement(session.names, sides, match.first) if series else ""]
        begun = replace(self, game=match.game.key, begins=match.first)  # the coin has been tossed
        lines.append(begun.outlook(sides, match.board))
        return list(filter(None, lines))

    def terms(self, board: Board, first: int, side: int) -> EvenTerms | None:
        """What makes a game of it on a board one on even terms for a person; None if nothing does.

        A board that could be looked at before is on nobody's terms, nor is one of a size or a
        target of which nothing is known: a search may not reach its end, or there is nothing to it.
        """
        game = game_named(self.game)
        both_sides = EvenTerms.BOTH_SIDES if self.series.best_of == BOTH_SIDES else None
        if both_sides and self.series.round > 1:
            return both_sides if self.same_terms else None
        if not side or self.board is not None or self.seed is not None:
            return None
        if both_sides:
            return both_sides if balance(game, board, self.kind) else None
        tossed = (self.begins or self.first) is None
        return even_terms(game, board, self.kind, side, first, tossed=tossed)

    # What comes after it

    def next_game(self, session: PlaySession) -> Setup:
        """The next game of the series, or the same again if it is over; sides are swapped."""
        match, outcome = session.match, session.match.outcome
        series = Series.from_tags(session.tags) or SINGLE_GAME
        if outcome and (going_on := series.next(outcome.winner, match.moves_of(outcome.winner))):
            return self.going_on(going_on, session.record())
        # One that is given up counts for nobody.
        series = Series(series.best_of) if outcome else series.stopped().swapped()
        following = replace(self.next_round(match.game, session.players), series=series)
        return following.on_boards_like(match.board) if self.resume else following

    def going_on(self, series: Series, before: Record) -> Setup:
        """The next game of a series, as it stands with sides swapped, after another one."""
        players, begins = before.players, before.first if before.game.coin_toss else None
        if series.sides_by_chance and players[0] != players[1]:
            begins = None
            if random_stream(self.seed_for("sides")).random() < 1 / 2:  # otherwise they swap
                series, players = series.swapped(), players[::-1]
        following = replace(self.next_round(before.game, players), series=series, begins=begins)
        if self.resume:
            following = following.on_boards_like(before.board)
        if series.best_of != BOTH_SIDES or series.round == 1:
            return following
        terms, helped = (before.tags.get(name, "") for name in ("Terms", "Help"))
        counts = counts_for_ladder(terms, helped)
        return replace(following, again=before.board, same_terms=terms if counts else "")

    def on_boards_like(self, board: Board) -> Setup:
        """The setup on other boards of the size, target and handicap of a board."""
        size, target = f"{board.rows}x{board.cols}", board.target or None
        return replace(self, size=size, target=target, handicap=bool(board.handicap))

    def next_round(self, game: Game, players: tuple[str, str]) -> Setup:
        """The setup of another game: sides swapped, a new deal, another file."""
        number, record, (one, two) = self.round + 1, self.record, players
        if record is not None:
            stem = record.stem.removesuffix(f"-{self.round}")
            record = record.with_name(f"{stem}-{number}{record.suffix}")
        return replace(
            self,
            game=game.key,
            p1=two,
            p2=one,
            round=number,
            resume=None,
            record=record,
            again=None,
            begins=None,
            same_terms="",
        )


# What can be chosen


class Choice(NamedTuple):
    """One of the values of a setting."""

    value: str
    label: str
    about: str = ""  # a few words on what it means


class Field(NamedTuple):
    """Something to choose for a new game, or to type where there are no choices."""

    label: str
    choices: tuple[Choice, ...] = ()  # the usual one first
    example: str = ""  # of what can be typed


Values = Mapping[str, str]  # field -> what is chosen or typed there

OTHER = "other"  # what is typed in the field below
MODEL = "model"  # the one whose name is typed in the field below
BOTS = tuple(Choice(f"bot:{level}", f"{level.capitalize()} bot", ABOUT[level]) for level in LEVELS)
PERSON = Choice(HUMAN, "Another person", "you take turns at this keyboard")
LANGUAGE_MODEL = Choice(MODEL, "A language model", "through the endpoint in OPENAI_BASE_URL")
PROGRAM = Choice(OTHER, "A program", "an engine that speaks UGI, by its command")
_SIZES = ("3x3", "4x4", "5x5", "6x6", "7x7")
_TARGETS = ("10", "15", "21", "30")
_FORGOTTEN = ("seed", "board")  # a person wants them once


def setup_fields(game: Game) -> dict[str, Field]:
    """What can be chosen for a new game, in the order of a form."""
    usual_size, points = f"{game.rows}x{game.cols}", str(game.target)
    return {
        "opponent": Field("Opponent", (*BOTS, PERSON, PROGRAM, LANGUAGE_MODEL)),
        "name1": Field(f"{BLUE}'s name", example="a name, such as Ann"),
        "name2": Field(f"{RED}'s name", example="a name, such as Ben"),
        "program": Field("Command", example=f"such as: gridwise ugi {game.key}"),
        "model": Field("Model", example="its name, such as gpt-5"),
        "p1": Field(BLUE, (*BOTS, PROGRAM, LANGUAGE_MODEL)),
        "p2": Field(RED, BOTS),
        "side": Field("You are", _sides(game)),
        "start": Field("Start", starts(game)),
        "people_start": Field("Start", starts(game)[::-1]),
        "first": Field("Begins", FIRST),
        "deal": Field("Board", (*deals(game), Choice(OTHER, "Your own", "type it, row by row"))),
        "board": Field("Rows", example=game.example_board),
        "size": Field(
            "Size",
            (
                Choice("", usual_size, "the usual size"),
                *(Choice(size, size) for size in _SIZES if size != usual_size),
                Choice(OTHER, "Other"),
            ),
        ),
        "other_size": Field("Size", example="such as 4x6"),
        "target": Field(
            "Target",
            (
                Choice("", points, "the usual number of points"),
                *(Choice(target, target) for target in _TARGETS if target != points),
                Choice(OTHER, "Other"),
            ),
        ),
        "other_target": Field("Target", example="such as 25"),
        "best_of": Field("Games", lengths(game)),
        "seed": Field("Seed", example="empty: another board each time"),
    }


ONE_GAME = Choice("1", "One game")


def lengths(game: Game) -> tuple[Choice, ...]:
    """How many games can be played in a series."""
    series = tuple(
        Choice(
            str(length),
            Series(length).title,
            Series(length).about,
        )
        for length in LENGTHS[1:]
        if length != BOTH_SIDES or not game.has_hidden_cells
    )
    return (ONE_GAME, *series)


BLUE, RED = (side.subject for side in COLOURS)
FIRST = (Choice("", "Coin toss", "chance decides"), Choice("1", BLUE), Choice("2", RED))
# Minutes for the whole game, and seconds that each move adds; for people who are not in one place.
CLOCKS = (
    Choice("", "No clock"),
    Choice("1+1", "1 minute + 1 s"),
    Choice("3+2", "3 minutes + 2 s"),
    Choice("5+5", "5 minutes + 5 s"),
    Choice("10+0", "10 minutes"),
)


def _sides(game: Game) -> tuple[Choice, ...]:
    if game.coin_toss:
        abouts = ("a coin toss decides who begins",) * 2
    else:
        abouts = ("you begin", "your opponent begins")
    return (
        Choice("1", BLUE, abouts[0]),
        Choice("2", RED, abouts[1]),
        Choice("random", "Either", "chance decides"),
        Choice("swap", "In turn", "the side you did not have last time"),
    )


def deals(game: Game) -> tuple[Choice, ...]:
    """The ways to deal a board of a game, in words that the solver would agree to."""
    if game.fixed:
        return (Choice("", "Standard", "always the same one"),)
    if game.has_hidden_cells:
        return (Choice("uniform", "Face down", "every number by chance"),)
    known = {deal: each for each in reversed(balances(game)) for deal in each.deals}
    words = {
        "even": ("Even", "No quick win for anybody."),
        "fair": ("Fair", "Nobody is lost at once."),
        "uniform": ("Random", "Numbers by chance: anything can happen."),
    }
    choices = []
    for kind in KINDS:
        (label, about), shares = words[kind], known.get(kind)
        if kind == "even" and shares and not is_even(shares.perfect):
            # The solver knows better than to call it even.
            label = "Balanced" if is_even(shares.casual) else "Standard"
        choices.append(Choice(kind, label, about))
    return tuple(choices)


def differences(game: Game, board: Board, deal: str, names: Names = COLOURS) -> str:
    """What is to be known of a game beside its rules: its target, its start, who wins from there.

    As far as that is certain: on a board that is played already, shares of all boards say little.
    """
    lines = []
    if board.target != game.target:
        lines.append(f"This game is played to {board.target}, not to {game.target}.")
    known = balance(game, board, deal)
    if board.handicap or (known and known.is_certain):
        lines += outlook(game, board, deal, names, tossed=False)[:1]
    return " ".join(lines)


EVEN_START, STANDARD_START = "even", "standard"


def starts(game: Game) -> tuple[Choice, ...]:
    """The starts of a game that is one-sided: for people against bots, the even one first."""
    if not game.handicap:
        return (Choice(STANDARD_START, "Standard"),)
    setup = Setup(game=game.key, deal=KINDS[0])
    even = replace(setup, handicap=True).outlook(COLOURS)
    return (
        Choice(EVEN_START, "Even start", even),
        Choice(STANDARD_START, "Standard start", setup.outlook(COLOURS)),
    )


def shown_fields(game: Game, values: Values, *, watch: bool) -> list[str]:
    """The fields that matter, given what is chosen in the others."""
    own = values["deal"] == OTHER
    matters = {
        "opponent": not watch,
        "name1": not watch and values["opponent"] == HUMAN,
        "name2": not watch and values["opponent"] == HUMAN,
        "program": values["p1" if watch else "opponent"] == OTHER,
        "model": values["p1" if watch else "opponent"] == MODEL,
        "p1": watch,
        "p2": watch,
        "side": not watch and values["opponent"] != HUMAN,
        "start": _start_row(game, values, watch=watch) == "start",
        "people_start": _start_row(game, values, watch=watch) == "people_start",
        "first": game.coin_toss,
        "size": not own,
        "other_size": not own and values["size"] == OTHER,
        "board": own,
        "target": bool(game.target),
        "other_target": bool(game.target) and values["target"] == OTHER,
        "best_of": not watch,
    }
    return [name for name in setup_fields(game) if matters.get(name, True)]


def _start_row(game: Game, values: Values, *, watch: bool) -> str:
    """The row with the start; none where only the standard one is known, or a board is typed."""
    if not game.handicap or values["deal"] == OTHER or values["size"]:
        return ""
    return "people_start" if watch or values["opponent"] == HUMAN else "start"


def setup_from(game: Game, values: Values, *, watch: bool) -> Setup:
    """The game that a filled-in form asks for."""
    if watch:
        p1, p2 = values["p1"], values["p2"]
    elif values["opponent"] == HUMAN:
        p1, p2 = _named(values.get("name1", "")), _named(values.get("name2", ""))
    elif _person_side(values) == 1:
        p1, p2 = HUMAN, values["opponent"]
    else:
        p1, p2 = values["opponent"], HUMAN
    typed = {OTHER: _program, MODEL: _model}
    p1, p2 = (typed[player](values) if player in typed else player for player in (p1, p2))
    start = _start_row(game, values, watch=watch)
    own = values["deal"] == OTHER
    if own and not values["board"].strip():
        raise BadRequest(f"Type the rows of your board, such as {game.example_board}.")
    size = "" if own else values["other_size" if values["size"] == OTHER else "size"].strip()
    if size:
        read_size(size)
    return Setup(
        game=game.key,
        p1=p1,
        p2=p2,
        board=values["board"].strip() if own else None,
        deal="" if own else values["deal"],
        size=size,
        target=_target(game, values),
        handicap=bool(start) and values[start] == EVEN_START,
        seed=_number(values["seed"], "A seed"),
        first=_number(values.get("first", ""), "Who begins") if game.coin_toss else None,
        series=Series(1 if watch else int(values["best_of"])),
    )


def remembered(values: Values, setup: Setup) -> dict[str, str]:
    """What the form of the next game of this kind begins with."""
    kept = {name: value for name, value in values.items() if name not in _FORGOTTEN}
    if kept["deal"] == OTHER:
        del kept["deal"]
    return kept | {"last_side": "2" if one_person((setup.p1, setup.p2)) == 2 else "1"}


def _person_side(values: Values) -> int:
    """The side that the person takes."""
    side = values["side"]
    if values["opponent"] == HUMAN:
        return 1
    if side == "random":
        return random.randint(1, 2)
    if side == "swap":
        return 1 if values.get("last_side") == "2" else 2
    return int(side)


def _named(name: str) -> str:
    """A person, with a name if one was typed."""
    return f"{HUMAN}:{' '.join(name.split())}" if name.strip() else HUMAN


def _program(values: Values) -> str:
    if not values["program"].strip():
        raise BadRequest("Type the command that starts the program, such as ./my-engine.")
    return f"ugi:{values['program'].strip()}"


def _model(values: Values) -> str:
    if not values["model"].strip():
        raise BadRequest("Type the name of the model, such as gpt-5.")
    return f"model:{values['model'].strip()}"


def _target(game: Game, values: Values) -> int | None:
    if not game.target:
        return None
    return _number(values["other_target" if values["target"] == OTHER else "target"], "A target")


def _number(text: str, what: str) -> int | None:
    if not text.strip():
        return None
    if not re.fullmatch(r"\s*[0-9]{1,18}\s*", text):
        raise BadRequest(f"{what} is a whole number, not {quoted(text)}.")
    return int(text)
