"""Bots for everyone: `random`, `novice`, `casual`, `strong`, `perfect`.

A bot is given a Position, the board as far as anybody has seen it; it cannot see more. The lower
levels err like people: they go by how a move looks (the game's `sense`), they do not look far
ahead, and they overlook things. The same seed plays the same game on every machine, so no bot
looks at a clock.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

from gridwise.core.bits import choose, members
from gridwise.core.game import Game, Position
from gridwise.core.player import Player
from gridwise.core.registry import game as game_of
from gridwise.engine.horizon import outlook
from gridwise.engine.worth import Limits, Option, weigh
from gridwise.errors import BadRequest, quoted


class RandomBot:
    """Plays any legal move, each equally likely."""

    name = "bot:random"

    def __init__(self, rng: random.Random) -> None:
        self._random = rng.random

    def choose(self, position: Position) -> int:
        """Any legal action."""
        return choose(position.legal, self._random)


class Habits(NamedTuple):
    """How a bot of a middling level thinks."""

    depth: int  # plies it looks ahead
    overlooks: float  # how often it does not notice a move, its own or an answer to it
    wavers: float  # how far its judgement of a move's looks may be off


class CarelessBot:
    """Plays what looks best, as far as it sees."""

    def __init__(self, name: str, habits: Habits, rng: random.Random) -> None:
        self.name = name
        self._habits = habits
        self._rng = rng

    def choose(self, position: Position) -> int:
        """The best-looking of the moves it notices, wins first and losses last."""
        noticed = self._noticed(members(position.legal))
        return max(noticed, key=lambda action: self._judged(position, action))

    def _noticed(self, actions: tuple[int, ...]) -> list[int]:
        seen = [action for action in actions if self._rng.random() >= self._habits.overlooks]
        return seen or [actions[int(self._rng.random() * len(actions))]]

    def _judged(self, position: Position, action: int) -> tuple[int, float]:
        game, board, state = position.game, position.board, position.state
        # Three lots make a bell of width 1, and come out the same on every machine.
        bell = 2 * (self._rng.random() + self._rng.random() + self._rng.random()) - 3
        looks = bell * self._habits.wavers
        if game.sense:
            looks += game.sense.appeal(board, state, action)
        # Where cells are face down, looking ahead would mean knowing them.
        depth = 1 if game.hides else self._habits.depth
        if depth > 1 and self._rng.random() < self._habits.overlooks:
            depth = 1
        sight = outlook(game, board, state, action, depth)
        return sight, looks


class ThinkingBot:
    """Plays the best move that a search of a fixed size finds."""

    def __init__(self, name: str, nodes: int | None, rng: random.Random) -> None:
        self.name = name
        self._nodes = nodes
        self._rng = rng

    def choose(self, position: Position) -> int:
        """A move that keeps the best result: the quickest win, or the longest resistance."""
        limits = Limits(nodes=self._nodes, seed=int(self._rng.random() * 2**31))
        best = weigh(position, limits).best
        candidates = _quickest_or_longest(best)
        if len(candidates) > 1 and not position.game.hides and candidates[0].value != "win":
            candidates = _most_traps(position, candidates, limits)
        return candidates[int(self._rng.random() * len(candidates))].action


def _quickest_or_longest(best: tuple[Option, ...]) -> list[Option]:
    """Of equally good moves, those that win soonest or lose latest."""
    distances = [option.distance for option in best if option.distance is not None]
    if not distances or best[0].value not in ("win", "loss"):
        return list(best)
    wanted = min(distances) if best[0].value == "win" else max(distances)
    return [option for option in best if option.distance == wanted]


def _most_traps(position: Position, candidates: list[Option], limits: Limits) -> list[Option]:
    """Of equally good moves, those after which most answers would be a mistake."""
    shares = [_share_of_mistakes(position, option, limits) for option in candidates]
    return [
        option
        for option, share in zip(candidates, shares, strict=True)
        if share >= max(shares) - 1e-9
    ]


def _share_of_mistakes(position: Position, option: Option, limits: Limits) -> float:
    game, board = position.game, position.board
    after = Position(game, board, game.rules.play(board, position.state, option.action))
    if game.rules.winner(board, after.state):
        return 0.0
    worth = weigh(after, limits)
    return 1.0 - len(worth.best) / len(worth.options)


# What each level is like, found by playing them against each other (docs/engine.md).
NOVICE = Habits(depth=1, overlooks=0.3, wavers=2.0)
CASUAL = Habits(depth=2, overlooks=0.1, wavers=1.5)
STRONG = Habits(depth=4, overlooks=0.04, wavers=1.0)
# Where cells are face down nobody can look ahead: the strong bot misses nothing that is to be seen,
# and the perfect one searches with chance in it, for a third of a second.
KEEN = Habits(depth=1, overlooks=0.0, wavers=0.2)
PERFECT_SIMULATIONS = 20_000


def _strong(game: Game, rng: random.Random) -> Player:
    return CarelessBot("bot:strong", KEEN if game.hides else STRONG, rng)


def _perfect(game: Game, rng: random.Random) -> Player:
    return ThinkingBot("bot:perfect", PERFECT_SIMULATIONS if game.hides else None, rng)


LEVELS: dict[str, Callable[[Game, random.Random], Player]] = {
    "random": lambda _, rng: RandomBot(rng),
    "novice": lambda _, rng: CarelessBot("bot:novice", NOVICE, rng),
    "casual": lambda _, rng: CarelessBot("bot:casual", CASUAL, rng),
    "strong": _strong,
    "perfect": _perfect,
}

# The same in a few words, for whoever has to choose one.
ABOUT = {
    "random": "moves anywhere",
    "novice": "has just learned the rules",
    "casual": "sees your next move coming, mostly",
    "strong": "thinks ahead and rarely slips",
    "perfect": "knows what every move is worth",
}


def bot(game: Game | str, level: str, seed: int | str | None = None) -> Player:
    """A bot of that level. The same seed plays the same moves."""
    game = game_of(game) if isinstance(game, str) else game
    if level not in LEVELS:
        raise BadRequest(f"There is no bot {quoted(level)}. The levels are {', '.join(LEVELS)}.")
    rng = random.Random(None if seed is None else f"gridwise bot {game.key} {level} {seed}")
    return LEVELS[level](game, rng)
