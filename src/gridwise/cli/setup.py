"""What the options of `play` ask for, made into a match that can begin.

Every function raises GridwiseError with one clear line for what cannot be used.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from gridwise.cli.seats import Seats, make_player, resumed_player
from gridwise.core.game import Game
from gridwise.core.outcome import MAX_PLIES
from gridwise.core.registry import game as game_named
from gridwise.core.rng import Stream
from gridwise.engine.deals import deal, with_handicap
from gridwise.errors import BadRequest, quoted
from gridwise.play.match import HUMAN, Match, first_player
from gridwise.play.records import Record, read_record


@dataclass(frozen=True)
class MatchSetup:
    """Everything that the command line of `play` asks for."""

    game: str = ""
    p1: str = ""  # a person, or the player of the game that is resumed
    p2: str = ""
    board: str = ""
    deal: str = ""  # fair where a person plays, uniform where only programs do
    size: str = ""
    target: int | None = None
    handicap: bool = False
    seed: int | None = None
    first: int | None = None
    record: Path | None = None
    resume: Path | None = None
    round: int = 1  # playing again is the next round

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
        return None if self.seed is None else f"{self.seed} {purpose} {self.round}"


class Round(NamedTuple):
    """A match that can begin or be continued, and who plays it."""

    match: Match
    seats: Seats
    players: tuple[str, str]  # their names
    tags: dict[str, str]  # further tags of the record that is resumed


def set_up(setup: MatchSetup) -> Round:
    """The round that was asked for."""
    saved = read_record(setup.resume) if setup.resume else None
    game = _game(setup, saved)
    before = saved.players if saved else (HUMAN, HUMAN)
    players = (setup.p1 or resumed_player(before[0]), setup.p2 or resumed_player(before[1]))
    seats = (
        make_player(game, players[0], setup.seed_for("player 1")),
        make_player(game, players[1], setup.seed_for("player 2")),
    )
    max_plies = MAX_PLIES if game.cyclic and None not in seats else None
    if saved:
        return Round(_resumed(setup, saved, max_plies), seats, players, saved.tags)
    # Programs get what the rules describe; people get a board that is fun to play.
    kind = setup.deal or ("fair" if None in seats else "uniform")
    return Round(_dealt(setup, game, kind, max_plies), seats, players, {})


def _dealt(setup: MatchSetup, game: Game, kind: str, max_plies: int | None) -> Match:
    rows, cols = parse_size(setup.size)
    if setup.board and setup.size:
        raise BadRequest("--board has a size already; leave out --size.")
    # One stream, first the cells, then the coin toss: as `Match(game, seed=…)` does it.
    rng = Stream(setup.deal_seed)
    if setup.board:
        board = game.deal_unknown(game.parse_board(setup.board, setup.target), rng)
    else:
        board = deal(game, rng, kind, rows=rows, cols=cols, target=setup.target)
    first = first_player(game, setup.first, rng)
    board = with_handicap(game, board) if setup.handicap else board
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
    if setup.board or setup.size or setup.first or setup.target or setup.handicap or setup.deal:
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
