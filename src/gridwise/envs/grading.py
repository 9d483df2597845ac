"""Grading: how good an agent is, told by games and by exact play.

    from gridwise.envs import grade
    print(grade("casual", "number-connect", games=200, seed=1))

Each board is played twice, with sides swapped, and a pair is one measurement. Then every move the
agent made is compared with the best one. *Loss* is as in `gridwise review`: what the best move is
worth less what the chosen one is, where a win is 1, a loss 0, a draw and an endless game a half.
Only moves count where a mistake was possible; where every choice was worth the same there was
nothing to lose. An illegal move loses the game, and with it all that the position was worth.

Where nothing is hidden the worth of a move is exact. Where cells are face down it is the
probability of winning, searched for with `effort` simulations a position: exact towards the end,
sampled before. Then a move counts as best if it cannot be told from the best, that is within two
standard errors, and the average of those errors is reported.

The same agent, seed and numbers give the same report, on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from typing import NamedTuple

from gridwise.core.board import Board
from gridwise.core.game import Game, Position, State
from gridwise.core.playout import CAP
from gridwise.core.registry import game as game_of
from gridwise.engine.review import Judged
from gridwise.engine.worth import Limits, Option, Worth, weigh
from gridwise.envs import deals
from gridwise.envs.agents import Agent, Chooser, chooser
from gridwise.envs.boards import Size, blank
from gridwise.envs.report import Report, Tally
from gridwise.errors import BadRequest
from gridwise.show.progress import Progress

EFFORT = 2_000  # simulations a position: some 10 ms
OPPONENT = "random"
MOST_KNOWN = 10_000  # positions remembered: some 20 MB


def grade(
    agent: Agent,
    game: Game | str,
    games: int = 200,
    seed: int = 0,
    *,
    opponent: Agent = OPPONENT,
    board: Board | str | None = None,
    size: Size = None,
    batch: bool = False,
    effort: int = EFFORT,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Play so many games, in pairs, and report how the agent did.

    What an agent can be is told in `gridwise.envs.agents`; `batch` says that it is a function of
    many observations at once. Boards are dealt uniformly, of the standard size unless `board` or
    `size` says otherwise. `progress` is called with the number of games that are done; without it a
    line counts them at a terminal, once two seconds have passed.
    """
    game = game_of(game) if isinstance(game, str) else game
    if games < 2 or games % 2:
        raise BadRequest(f"Games are played in pairs: their number is even, not {games}.")
    if effort < 1:
        raise BadRequest(f"`effort` is a number of simulations, at least 1, not {effort}.")
    empty = blank(game, board, size)
    with (
        closing(Progress(f"Grading at {game.title}", games)) as line,
        closing(chooser(agent, game, seed, batch=batch)) as graded,
        closing(chooser(opponent, game, seed + 1)) as other,
    ):
        tell = progress or line
        tally, judge = Tally(), _Judge(game, effort)
        at_once = games if graded.together else 2
        for begin in range(0, games, at_once):
            numbers = range(begin, min(begin + at_once, games))
            table = [_Sitting(number, _deal(game, empty, seed, number)) for number in numbers]
            _play(game, table, graded, other)
            for sitting in table:
                tally.points.append(sitting.points)
                tally.endings[sitting.ending] += 1
                judge.look_back(sitting, tally)
                tell(sitting.number + 1)
        return Report.of(tally, game, graded.name, other.name, games, seed, effort)


def _deal(game: Game, empty: Board, seed: int, number: int) -> Board:
    """The board of a game; the two games of a pair have the same."""
    return deals.fill(game, empty, random.Random(f"grade {game.key} {seed} {number // 2}"))


class Choice(NamedTuple):
    """A move the agent made, and what it saw."""

    position: Position
    action: int


@dataclass
class _Sitting:
    """One game that is being played."""

    number: int
    board: Board
    choices: list[Choice] = field(default_factory=list)
    points: float = 0.5  # the agent's
    ending: str = "unfinished"

    @property
    def side(self) -> int:
        """Which player the agent is: each board is played from both sides."""
        return 1 + self.number % 2


class _Running(NamedTuple):
    """Where a game is."""

    sitting: _Sitting
    state: State
    actions: tuple[int, ...] = ()


def _play(game: Game, table: list[_Sitting], graded: Chooser, other: Chooser) -> None:
    """Play all games of a table to the end, ply by ply."""
    start = game.rules.start
    running = [_Running(sitting, start(sitting.board, 1)) for sitting in table]
    while running:
        sides: tuple[list[_Running], list[_Running]] = ([], [])
        for one in running:
            sides[one.state.turn == one.sitting.side].append(one)
        running = [
            after
            for asked, moving in ((other, sides[0]), (graded, sides[1]))
            if moving
            for after in _asked(game, asked, moving, asked is graded)
        ]


def _asked(game: Game, player: Chooser, moving: list[_Running], is_graded: bool) -> list[_Running]:
    """Every game one ply on; those that have ended are left out."""
    positions = [
        Position(game, game.seen(one.sitting.board, one.state), one.state, 1, one.actions)
        for one in moving
    ]
    actions = player.choose(positions, [one.sitting.number for one in moving])
    going_on = []
    for one, position, action in zip(moving, positions, actions, strict=True):
        sitting = one.sitting
        legal = action >= 0 and bool(position.legal >> action & 1)
        if is_graded:
            sitting.choices.append(Choice(position, action if legal else -1))
        if not legal:
            sitting.points = 0.0 if is_graded else 1.0
            sitting.ending = "losses" if is_graded else "wins"
            continue
        after = _Running(
            sitting,
            game.rules.play(sitting.board, one.state, action),
            (*one.actions, action),
        )
        winner = game.rules.winner(sitting.board, after.state)
        if winner:
            sitting.points = 0.5 if winner == 3 else float(winner == sitting.side)
            sitting.ending = {0.0: "losses", 0.5: "draws", 1.0: "wins"}[sitting.points]
        elif len(after.actions) < CAP or not game.cyclic:
            going_on.append(after)
    return going_on


class _Judge:
    """Compares every move of the agent with the best. What it has worked out it remembers."""

    def __init__(self, game: Game, effort: int) -> None:
        self._limits = Limits(nodes=effort) if game.hides else Limits()
        self._known: dict[tuple[Board, State], Worth] = {}

    def look_back(self, sitting: _Sitting, tally: Tally) -> None:
        """Count the moves of one game."""
        for position, action in sitting.choices:
            tally.moves += 1
            worth = self._worth(position)
            if action < 0:
                tally.illegal += 1
                chosen = _lost(by_chance=position.game.hides)
                worth = worth._replace(options=(*worth.options, chosen))
            else:
                chosen = next(option for option in worth.options if option.action == action)
            judged = Judged(sitting.side, "", worth, chosen, "")
            if not judged.judged:
                tally.unjudged += 1
            elif judged.counts:
                tally.decisions += 1
                tally.losses.append(judged.lost)
                tally.kept += judged.lost <= max(1e-9, judged.noise)
                tally.errors.append(chosen.error or 0.0)

    def _worth(self, position: Position) -> Worth:
        place = position.board, position.state
        if place not in self._known:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[place] = weigh(position, self._limits)
        return self._known[place]


def _lost(*, by_chance: bool) -> Option:
    """What an illegal move is worth."""
    return Option(-1, win=0.0) if by_chance else Option(-1, value="loss")
