"""What the options of the commands mean: text from the command line made into things to play with.

Every function raises GridwiseError with one clear line for what cannot be used.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from gridwise.cli.seats import HUMAN, Seats, resumed_player, seat
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.playout import CAP
from gridwise.core.registry import game as game_of
from gridwise.core.registry import games
from gridwise.engine.deals import deal
from gridwise.errors import BadRequest, quoted
from gridwise.play.match import Match
from gridwise.play.records import Record, read_record, resume


@dataclass(frozen=True)
class Setup:
    """Everything asked for on the command line of `play`."""

    game: str = ""
    p1: str = ""  # a person, or whoever played in the game that is resumed
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

    def next_round(self, game: Game, players: tuple[str, str]) -> Setup:
        """The same again with sides swapped and a new deal, into another file."""
        number = self.round + 1
        record = self.record
        if record is not None:
            stem = record.stem.removesuffix(f"-{self.round}")
            record = record.with_name(f"{stem}-{number}{record.suffix}")
        return replace(
            self,
            game=game.key,
            p1=players[1],
            p2=players[0],
            round=number,
            resume=None,
            record=record,
        )

    def seeded(self, what: str) -> str | None:
        """A seed for one use, so that uses do not disturb each other."""
        return None if self.seed is None else f"{self.seed} {what} {self.round}"


class Ready(NamedTuple):
    """A match that can begin, or go on."""

    match: Match
    seats: Seats
    players: tuple[str, str]  # how those who play are called
    tags: dict[str, str]  # what else stands in the record of a resumed game


def set_up(setup: Setup) -> Ready:
    """Everything that is needed to play what was asked for."""
    saved = read_record(setup.resume) if setup.resume else None
    game = _game(setup, saved)
    before = saved.players if saved else (HUMAN, HUMAN)
    players = (setup.p1 or resumed_player(before[0]), setup.p2 or resumed_player(before[1]))
    seats = (
        seat(game, players[0], setup.seeded("player 1")),
        seat(game, players[1], setup.seeded("player 2")),
    )
    cap = CAP if game.cyclic and None not in seats else None
    if saved:
        return Ready(_resumed(setup, saved, cap), seats, players, saved.tags)
    rows, cols = parse_size(setup.size)
    if setup.board:
        if setup.size:
            raise BadRequest("--board has a size already; leave out --size.")
        board = game.parse_board(setup.board, setup.target)
    else:
        rng = random.Random(setup.seeded("board"))
        # Programs get what the texts describe; people get what is worth sitting down to.
        kind = setup.deal or ("fair" if None in seats else "uniform")
        board = deal(game, rng, kind, rows=rows, cols=cols, target=setup.target)
    if setup.handicap:
        board = evened(game, board)
    match = Match(game, board, first=setup.first, seed=setup.seeded("match"), cap=cap)
    return Ready(match, seats, players, {})


def evened(game: Game, board: Board) -> Board:
    """The board with the game's handicap; raises BadRequest if it has none."""
    if game.handicap is None:
        known = ", ".join(each.key for each in games() if each.handicap)
        raise BadRequest(f"{game.title} has no handicap. Those that have one are {known}.")
    return game.check_board(game.handicap.even(board))


def _game(setup: Setup, saved: Record | None) -> Game:
    if saved is None:
        if not setup.game:
            raise BadRequest("Say which game: gridwise play GAME. `gridwise` alone has a menu.")
        return game_of(setup.game)
    if setup.game and game_of(setup.game) is not saved.game:
        raise BadRequest(f"{setup.resume} is a game of {saved.game.title}, not of {setup.game}.")
    return saved.game


def _resumed(setup: Setup, saved: Record, cap: int | None) -> Match:
    if setup.board or setup.size or setup.first or setup.target or setup.handicap or setup.deal:
        raise BadRequest(
            "A resumed game has its board already: "
            "no --board, --deal, --size, --target, --handicap or --first."
        )
    if saved.finished:
        raise BadRequest(
            f"The game in {setup.resume} is over ({saved.result}). "
            f"`gridwise replay` steps through it."
        )
    return resume(saved, seed=setup.seeded("match"), cap=cap)


def parse_size(text: str) -> tuple[int, int]:
    """Rows and columns from `5x4`; zeros, for the standard size, from nothing."""
    if not text:
        return 0, 0
    match = re.fullmatch(r"\s*(\d{1,3})\s*[xX*]\s*(\d{1,3})\s*", text)
    if match is None or not int(match[1]) or not int(match[2]):
        raise BadRequest(f"A size is rows x columns, like 5x4, not {quoted(text)}.")
    return int(match[1]), int(match[2])
