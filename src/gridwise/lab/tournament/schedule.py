"""Who plays whom, on which boards, in how much time: pairings, boards by number, blocks of pairs.

A board depends on the seed, the game and the number of the pair, and on nothing else: not on who
plays, how many pairs there are, or in which order and where they are played. So two runs of
different engines can be compared board by board. No board leads to another, nor to the seed, nor
from what was turned up to what is face down.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple

from gridwise.core.game import Game
from gridwise.core.rng import SecretStream, derive_seed, draw_seed
from gridwise.engine.ugi.client import MoveTime
from gridwise.errors import BadRequest, quoted
from gridwise.play.boards import BoardSource, DealtGame
from gridwise.play.clock import TimeControl

# Pairs of a task between bots. A pair takes 2 to 7 ms, with the perfect bot 5 to 16, and where
# cells are face down 500. A few hundred milliseconds are enough to make handing them out cheap.
_BOT_PAIRS, _PERFECT_PAIRS, _CHANCE_PAIRS = 50, 20, 2
MAX_BLOCKS = 100_000  # of a run: 200 MB of tasks
_PROGRAM_MILLISECONDS = 1000  # for a move of a program in all pairs of a task
MOVETIME = 1000  # milliseconds a move, unless something else is asked for
# Milliseconds that an answer may be late: for the way there and back on a busy machine. Where
# nobody has asked for a limit it is there to stop programs that hang, and generous.
MARGIN, USUAL_MARGIN = 500, 3000
MAX_MILLISECONDS = 24 * 3600 * 1000
_CONTROL = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)(?:\+(\d{1,6}(?:\.\d{1,3})?))?")


class Block(NamedTuple):
    """Some pairs of one pairing at one game: the work of a task."""

    game: str
    one: int  # the players by number
    two: int
    begin: int  # the pairs, `end` not included
    end: int

    @property
    def key(self) -> str:
        """The name of its result."""
        return f"{self.game}-{self.one}-{self.two}-{self.begin}-{self.end}"


def dealt_pair(boards: BoardSource, seed: int, number: int) -> DealtGame:
    """The board of a pair. Player 1 begins both of its games."""
    stream = SecretStream(derive_seed(seed, f"arena {boards.game.key} {number}"))
    return boards.deal_playable(stream, first=1)


def player_seed(seed: int, game: str, number: int, swapped: int, player: int) -> str:
    """What a player may draw from in a game; it says nothing about the board."""
    return derive_seed(seed, f"arena {game} {number} {swapped} player {player}")


class TimeLimits(NamedTuple):
    """The time for all moves of a game; `control` wins over `movetime`.

    Only programs are timed: engines and Python objects. Bots take what they need, as they do
    everywhere else; how strong they are is defined by what they look at, not by time. Models are
    not timed either.
    """

    movetime: int = MOVETIME  # milliseconds
    control: TimeControl | None = None
    margin: int = USUAL_MARGIN  # milliseconds

    def for_move(self, left: dict[int, float], side: int) -> MoveTime:
        """The time for a move of a side, with so many seconds left on the clocks."""
        margin = self.margin / 1000
        if self.control is None:
            return MoveTime(f"movetime {self.movetime}", self.movetime / 1000, margin)
        one, two = (max(1, round(1000 * left[player])) for player in (1, 2))
        more = round(1000 * self.control.increment)
        go = f"p1time {one} p2time {two} p1inc {more} p2inc {more}"
        return MoveTime(go, max(0.0, left[side]), margin)


USUAL_LIMITS = TimeLimits()


def time_limits(movetime: int | None, control: str, margin: int | None) -> TimeLimits:
    """The limits that options ask for; raises BadRequest."""
    for name, least, time in (("--movetime", 1, movetime), ("--margin", 0, margin)):
        if time is not None and not least <= time <= MAX_MILLISECONDS:
            most = MAX_MILLISECONDS
            raise BadRequest(f"{name} takes milliseconds from {least} to {most:,}, not {time}.")
    clock = _CONTROL.fullmatch(control.strip())
    if control and not (clock and float(clock[1])):
        raise BadRequest(
            "--time takes seconds for a game and for each move, like 10+0.1, not "
            f"{quoted(control)}."
        )
    asked = movetime is not None or bool(control)
    return TimeLimits(
        MOVETIME if movetime is None else movetime,
        TimeControl(float(clock[1]), float(clock[2] or 0)) if clock else None,
        margin if margin is not None else MARGIN if asked else USUAL_MARGIN,
    )


@dataclass(frozen=True)
class Schedule:
    """All that is to be played."""

    players: Sequence[str]
    games: Sequence[BoardSource]
    pairs: int  # of each pairing at each game
    seed: int = field(default_factory=draw_seed)
    gauntlet: bool = False
    limits: TimeLimits = USUAL_LIMITS
    adjudicate: int = 0  # plies

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        if len(self.players) < 2:
            raise BadRequest("An arena needs two players or more.")
        if self.pairs < 1:
            raise BadRequest(f"--pairs takes a whole number from 1 up, not {self.pairs}.")
        if self.adjudicate < 0:
            raise BadRequest(f"--adjudicate takes a number of plies, not {self.adjudicate}.")
        sizes = self._block_sizes().values()
        if sum(-(-self.pairs // size) for size in sizes) > MAX_BLOCKS:
            most = MAX_BLOCKS * min(sizes) // len(sizes)
            raise BadRequest(
                f"{self.pairs} pairs of these players are too many for one run; {most} are not."
            )
        for game in (source.game for source in self.games):
            if self.adjudicate and game.has_hidden_cells:
                raise BadRequest(
                    f"{game.title} has no exact values to adjudicate by: its cells are hidden."
                )

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """Who plays whom: everybody against everybody, or the first against everybody else."""
        every = combinations(range(len(self.players)), 2)
        return [(one, two) for one, two in every if not self.gauntlet or one == 0]

    def blocks(self) -> Iterator[Block]:
        """All blocks, pairings and games in turn, so that early figures speak of all of them."""
        sizes = self._block_sizes()
        begun = dict.fromkeys(sizes, 0)
        while begun:
            for key, begin in list(begun.items()):
                end = min(begin + sizes[key], self.pairs)
                yield Block(*key, begin, end)
                if end == self.pairs:
                    del begun[key]
                else:
                    begun[key] = end

    def about(self) -> dict[str, Any]:
        """What makes it another run. Not the number of pairs: the same run can be made longer."""
        return {
            "run": "arena",
            "players": list(self.players),
            "boards": {source.game.key: source.about() for source in self.games},
            "seed": self.seed,
            "adjudicate": self.adjudicate,
            "movetime": self.limits.movetime,
            "time": str(self.limits.control or ""),
            "margin": self.limits.margin,
        }

    def _block_sizes(self) -> dict[tuple[str, int, int], int]:
        """How many pairs a block has, by game and players."""
        return {
            (boards.game.key, one, two): self._block_pairs(
                boards.game, self.players[one], self.players[two]
            )
            for boards in self.games
            for one, two in self.pairings
        }

    def _block_pairs(self, game: Game, *players: str) -> int:
        if not all(name.startswith("bot:") for name in players):
            if self.limits.control:
                return 1
            return max(1, min(_BOT_PAIRS, _PROGRAM_MILLISECONDS // self.limits.movetime))
        if "bot:perfect" not in players:
            return _BOT_PAIRS
        return _CHANCE_PAIRS if game.has_hidden_cells else _PERFECT_PAIRS
