"""Moves of many games that were explained, and an independent judge of what was said of them.

The games are those of bots, and of nobody who thinks; every legal move of their positions is
explained, good or bad. The judge is plain search with the second implementation of the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, cached_property
from typing import NamedTuple

from gridwise.core.position import Position, start
from gridwise.core.registry import game as game_named
from gridwise.core.rng import Stream
from gridwise.engine.bots import bot
from gridwise.engine.evaluation import Evaluation, Limits, evaluate
from gridwise.engine.explain import Explanation, Fact, explain
from tests.engine.forcing import peer_of
from tests.engine.oracle import Oracle, name
from tests.reference import ReferenceGame
from tests.sizes import sample

LEVELS = ("random", "novice", "casual")
PLIES = 40  # of a game that may never end
LINES = 600  # of best play, more than which a judge does not look at
DEPTH = 6  # so far a judge looks who cannot look at everything
ENOUGH = Limits(nodes=5_000_000)
SAMPLED = Limits(nodes=1_000)


class Games(NamedTuple):
    """Some games whose moves are explained."""

    number: int
    rows: int = 0  # as many as the game has
    cols: int = 0
    target: int | None = None
    handicap: int = 0
    skip: int = 0  # moves at the beginning that are not explained
    judged: bool = True  # whether all that can come after them can be listed
    limits: Limits = ENOUGH


def few(number: int) -> int:
    """So many games, or twenty times as many in the long run."""
    return sample(number, long=20 * number)


SAMPLES = {
    "number-maze": (
        Games(few(50)),
        Games(few(20), 3, 3),
        Games(few(20), 3, 5),
        Games(few(6), 5, 4),
    ),
    "number-run": (
        Games(few(15), 3, 3),
        Games(few(4), 3, 4),
        Games(few(15), 2, 4),
        Games(few(15), 1, 4),
        Games(few(4), 3, 4, handicap=3),
        Games(few(8), skip=8, judged=False),
        Games(few(3), handicap=7, skip=8, judged=False),
    ),
    "grid-runner": (
        Games(few(12)),
        Games(few(5), 4, 5),
        Games(few(15), 4, 4),
        Games(few(12), 4, 6),
        Games(few(10), 2, 5),
        Games(few(4), 1, 5),
    ),
    "number-connect": (
        Games(few(30), skip=1),
        Games(few(15), 3, 3),
        Games(few(15), 3, 3, target=20),
        Games(few(15), 2, 4, target=9),
        Games(few(30), 2, 3, target=30),
        Games(few(12), 3, 4, target=24, skip=2),
    ),
    "grid-conquest": (
        Games(few(12), limits=SAMPLED),
        Games(few(15), 2, 2, target=6),
        Games(few(15), 1, 4, target=9),
        Games(few(12), 2, 3, target=5, skip=1),
        Games(few(6), 4, 5, target=11, limits=SAMPLED),
    ),
}


class Unknown(Exception):
    """The judge cannot tell."""


class Judge:
    """What positions of one game are worth, found the slow way."""

    def __init__(self, position: Position, *, judged: bool) -> None:
        self._all = Oracle(peer_of(position), cyclic=position.game.cyclic) if judged else None
        self._forced: dict[tuple[str, int, int], bool] = {}

    def worth(self, game: ReferenceGame) -> tuple[int, int]:
        """Who wins with best play, and in how many plies; 0 if nobody can force it."""
        if self._all:
            return self._all.worth(game)
        for plies in range(DEPTH + 1):
            for player in (1, 2):
                if self._can_force(game, player, plies):
                    return player, plies
        raise Unknown

    def _can_force(self, game: ReferenceGame, player: int, plies: int) -> bool:
        if game.result() is not None or plies == 0:
            return game.result() == f"p{player}"
        key = name(game), player, plies
        if key not in self._forced:
            quantifier = any if game.to_move() == player else all
            self._forced[key] = quantifier(
                self._can_force(after(game, move), player, plies - 1) for move in game.legal()
            )
        return self._forced[key]


class Told:
    """A move that was explained, seen through the second implementation of the rules."""

    def __init__(
        self, position: Position, evaluation: Evaluation, explanation: Explanation, judge: Judge
    ) -> None:
        self.position, self.evaluation, self.explanation = position, evaluation, explanation
        self.move, self.mover, self.other = explanation.move, position.turn, 3 - position.turn
        self.own_line: tuple[str, ...] = (self.move,)  # that the fact in question is about
        self._judge = judge

    @cached_property
    def before(self) -> ReferenceGame:
        """The game before the move."""
        return peer_of(self.position)

    @cached_property
    def after(self) -> ReferenceGame:
        """The game after it."""
        return after(self.before, self.move)

    @cached_property
    def options(self) -> dict[str, tuple[int, int]]:
        """Every legal move: who wins after it, and the plies to the end, the move included."""
        worth = {move: self.worth(after(self.before, move)) for move in self.before.legal()}
        return {move: (winner, plies + 1) for move, (winner, plies) in worth.items()}

    @property
    def winning(self) -> dict[str, int]:
        """The moves that win, each with its plies."""
        return {move: plies for move, (who, plies) in self.options.items() if who == self.mover}

    @property
    def holding(self) -> list[str]:
        """The moves after which the other one cannot force a win."""
        return [move for move, (winner, _) in self.options.items() if winner != self.other]

    @property
    def losing(self) -> dict[str, int]:
        """The moves that lose, each with its plies."""
        return {move: plies for move, (who, plies) in self.options.items() if who == self.other}

    def worth(self, game: ReferenceGame) -> tuple[int, int]:
        """Who wins with best play, and in how many plies."""
        return self._judge.worth(game)

    def line(self, moves: tuple[str, ...]) -> list[ReferenceGame]:
        """The games along a line; a move that is not legal is an error."""
        games = [self.before]
        for move in moves:
            games.append(after(games[-1], move))
        return games

    def best_lines(self, move: str) -> Iterator[tuple[str, ...]]:
        """Every line of best play that begins with a move: the winner hurries, the loser delays."""
        todo: list[tuple[tuple[str, ...], ReferenceGame]] = [((move,), after(self.before, move))]
        found = 0
        while todo:
            line, game = todo.pop()
            if game.result() is not None:
                found += 1
                if found > LINES:
                    raise Unknown
                yield line
                continue
            winner, plies = self.worth(game)
            assert winner
            for reply in game.legal():
                then = after(game, reply)
                if self.worth(then) == (winner, plies - 1):
                    todo.append(((*line, reply), then))

    @property
    def end(self) -> list[ReferenceGame]:
        """The games along the line that the sentence in question is about."""
        return self.line(self.own_line)

    def moves_of(self, player: int) -> int:
        """How many moves after the first one a player makes in that line."""
        return sum(game.to_move() == player for game in self.end[1:-1])


class Said(NamedTuple):
    """A sentence, and the fact behind it."""

    told: Told
    fact: Fact
    sentence: str

    def about(self) -> Told:
        """The move, with the line that the sentence is about: the move alone turns up cells."""
        other = re.match(r"After (\S+), ", self.sentence)
        self.told.own_line = self.fact.line or (other[1] if other else self.told.move,)
        assert not other or self.told.own_line[0] == other[1] != self.told.move
        return self.told


def after(game: ReferenceGame, move: str) -> ReferenceGame:
    """The game after a move."""
    following = game.copy()
    following.play(move)
    return following


@cache
def told(key: str) -> list[Told]:
    """Every explained move of a game's sample."""
    return [
        each
        for games in SAMPLES[key]
        for seed in range(games.number)
        for each in _told_in(key, games, seed)
    ]


def _told_in(key: str, games: Games, seed: int) -> list[Told]:
    """The moves of one game."""
    game = game_named(key)
    board = game.deal(Stream(seed), games.rows, games.cols, games.target)
    if games.handicap:
        board = game.parse_board(game.board_text(board), handicap=games.handicap)
    position, found, seen = (
        start(game, board, 1 + seed % 2 if key == "grid-conquest" else 1),
        [],
        set(),
    )
    players = [bot(game, LEVELS[(seed + side) % len(LEVELS)], seed) for side in range(2)]
    judge = None
    while not position.outcome and len(position.history) < PLIES:
        if len(position.history) >= games.skip and position.key not in seen:
            seen.add(position.key)
            if judge is None:
                judge = Judge(position, judged=games.judged and not game.has_hidden_cells)
            evaluation = evaluate(position, games.limits)
            found += [
                Told(position, evaluation, explain(position, move.action, evaluation), judge)
                for move in evaluation.moves
            ]
        position = position.play(players[position.turn - 1].choose(position), board)
    return found


@cache
def said(key: str) -> dict[str, list[Said]]:
    """Everything that was said of them, by the kind of the fact."""
    found: dict[str, list[Said]] = {}
    for each in told(key):
        facts = each.explanation.facts
        for fact, sentence in zip(facts, each.explanation.sentences(), strict=True):
            found.setdefault(str(fact.kind), []).append(Said(each, fact, sentence))
    return found
