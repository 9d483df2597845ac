"""What the options of `play` ask for, made into a match that can begin.

Every function raises GridwiseError with one clear line for what cannot be used.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from gridwise.arena.seats import Program, make_player, player_name, resumed_player
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.outcome import MAX_PLIES, RESULT_MARKS
from gridwise.core.registry import game as game_named
from gridwise.core.rng import derive_seed, random_stream
from gridwise.engine.deals import new_board
from gridwise.errors import BadRequest, quoted
from gridwise.play.library import Library
from gridwise.play.match import HUMAN, Match, first_player
from gridwise.play.records import Record
from gridwise.play.series import SINGLE_GAME, Series
from gridwise.play.session import PlaySession, Seats


@dataclass(frozen=True)
class MatchSetup:
    """Everything that the command line of `play` asks for."""

    game: str = ""
    p1: str = ""  # a person, or the player of the game that is resumed
    p2: str = ""
    board: str | None = None  # a deal, where it is None
    deal: str = ""  # even where a person plays, uniform where only programs do
    size: str = ""
    target: int | None = None
    handicap: bool = False
    seed: int | None = None
    first: int | None = None
    record: Path | None = None
    resume: Path | None = None
    round: int = 1  # playing again is the next round
    series: Series = SINGLE_GAME  # as it stands before this game

    def next_game(self, session: PlaySession) -> MatchSetup:
        """The next game of the series, or the same again if it is over; sides are swapped."""
        match, board = session.match, session.match.board
        series = Series.from_tags(session.tags) or SINGLE_GAME
        counted = series.after(match.outcome.winner) if match.outcome else series
        series = Series(series.best_of) if counted.over else counted.swapped()
        following = replace(self.next_round(match.game, session.players), series=series)
        return following.on_boards_like(board) if self.resume else following

    def on_boards_like(self, board: Board) -> MatchSetup:
        """The same on other boards of the size, target and handicap of this one."""
        size, target = f"{board.rows}x{board.cols}", board.target or None
        return replace(self, size=size, target=target, handicap=bool(board.handicap))

    def next_round(self, game: Game, players: tuple[str, str]) -> MatchSetup:
        """The same again with sides swapped and a new deal, into another file."""
        number, record, (one, two) = self.round + 1, self.record, players
        if record is not None:
            stem = record.stem.removesuffix(f"-{self.round}")
            record = record.with_name(f"{stem}-{number}{record.suffix}")
        return replace(
            self, game=game.key, p1=two, p2=one, round=number, resume=None, record=record
        )

    @property
    def deal_seed(self) -> int | str | None:
        """The seed of the deal: in the first round it is the one of `Match(seed=…)`."""
        return self.seed if self.round == 1 else self.seed_for("deal")

    def seed_for(self, purpose: str) -> str | None:
        """A seed for something else than the deal, so that it says nothing about the cells."""
        return None if self.seed is None else derive_seed(self.seed, f"{purpose} {self.round}")


def set_up(setup: MatchSetup) -> PlaySession:
    """The match that was asked for, and who plays it."""
    library = Library()
    saved = library.read(setup.resume) if setup.resume else None
    if saved and (following := _next_of_series(setup, saved)):
        return set_up(following)
    game = _game(setup, saved)
    before = saved.players if saved else (HUMAN, HUMAN)
    players = (
        player_name(setup.p1) if setup.p1 else resumed_player(before[0]),
        player_name(setup.p2) if setup.p2 else resumed_player(before[1]),
    )
    seats = (
        make_player(game, players[0], setup.seed_for("player 1")),
        make_player(game, players[1], setup.seed_for("player 2")),
    )
    max_plies = ply_limit(game, seats, len(saved.moves) if saved else 0)
    if saved:
        match, tags = _resumed(setup, saved, max_plies), saved.tags
        path = setup.record or setup.resume
        return PlaySession(match, seats, players, tags, path, library, _replaced(saved, players))
    # Programs get what the rules describe; people get a board that is fun to play.
    kind = setup.deal or ("even" if None in seats else "uniform")
    match = _dealt(setup, game, kind, max_plies)
    return PlaySession(match, seats, players, setup.series.tags, setup.record, library)


def ply_limit(game: Game, seats: Seats, played: int = 0) -> int | None:
    """The plies after which a game that can go on for ever is stopped; None if never.

    A person and a bot may go on. In UGI the game is over after MAX_PLIES, and models are told so;
    a person and an engine or a model may not, unless they continue one that has been played for
    longer already.
    """
    programs = None not in seats
    engine = any(isinstance(each, Program) for each in seats) and played <= MAX_PLIES
    return MAX_PLIES if game.cyclic and (programs or engine) else None


def _next_of_series(setup: MatchSetup, saved: Record) -> MatchSetup | None:
    """The next game of the series that a finished record is from, if there is one to come."""
    series = Series.from_tags(saved.tags)
    if not (saved.finished and series):
        return None
    counted = series.after(RESULT_MARKS.index(saved.result))
    if counted.over:
        return None
    one, two = (resumed_player(each) for each in saved.players)
    p1, p2 = setup.p1 or two, setup.p2 or one  # sides are swapped
    following = MatchSetup(game=saved.game.key, p1=p1, p2=p2, series=counted.swapped())
    return following.on_boards_like(saved.board)


def _replaced(saved: Record, players: tuple[str, str]) -> str:
    """Who sits where another program sat in a record; empty where nobody does."""
    lines = [
        f"Player {number} was {quoted(before, 60)}. A file starts no programs, so you move for "
        f"Player {number}; --p{number} seats another player."
        for number, (before, now) in enumerate(zip(saved.players, players, strict=True), 1)
        if now == HUMAN and before.partition(":")[0] in ("ugi", "python", "model")
    ]
    return " ".join(lines)


def _dealt(setup: MatchSetup, game: Game, kind: str, max_plies: int | None) -> Match:
    size, text = parse_size(setup.size), setup.board
    if text is not None and setup.size:
        raise BadRequest("--board has a size already; leave out --size.")
    # One stream, first the cells, then the coin toss: as `Match(game, seed=…)` does it.
    rng = random_stream(setup.deal_seed)
    target, handicap = setup.target, setup.handicap
    board = new_board(game, rng, kind, text, size=size, target=target, handicap=handicap)
    first = first_player(game, setup.first, rng)
    return Match(game, board, first=first, seed=setup.seed_for("undo"), max_plies=max_plies)


def _game(setup: MatchSetup, saved: Record | None) -> Game:
    if saved is None:
        if not setup.game:
            raise BadRequest("Which game? Try gridwise play number-run, or gridwise for a menu.")
        return game_named(setup.game)
    if setup.game and game_named(setup.game) is not saved.game:
        raise BadRequest(f"{setup.resume} is a game of {saved.game.title}, not of {setup.game}.")
    return saved.game


def _resumed(setup: MatchSetup, saved: Record, max_plies: int | None) -> Match:
    options = (setup.size, setup.first, setup.target, setup.handicap, setup.deal)
    if setup.board is not None or any(options):
        raise BadRequest(
            "A resumed game has its board already: "
            "leave out --board, --deal, --size, --target, --handicap and --first."
        )
    if saved.finished:
        over = f"The game in {setup.resume} is over ({saved.result})."
        raise BadRequest(f"{over} `gridwise replay` steps through it.")
    return Match.resume(saved, seed=setup.seed_for("resume"), max_plies=max_plies)


def parse_size(text: str) -> tuple[int, int]:
    """Rows and columns from `5x4`; zeros, for the standard size, from nothing."""
    if not text:
        return 0, 0
    match = re.fullmatch(r"\s*(\d{1,3})\s*[xX*]\s*(\d{1,3})\s*", text)
    if match is None or not int(match[1]) or not int(match[2]):
        raise BadRequest(f"A size is rows x columns, like 5x4, not {quoted(text)}.")
    return int(match[1]), int(match[2])
