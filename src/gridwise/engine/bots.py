"""Bots: `random`, `novice`, `casual`, `strong`, `perfect`.

A bot is given a Position, the board as far as anybody has seen it; it cannot see more. The lower
levels err like people: they go by how a move looks (the game's `heuristic`), they do not look far
ahead, and they overlook things. From casual up, none overlooks a win in one move or a loss to the
opponent's next move (`careful_moves`): their errors lie deeper. The same seed plays the same game
on every machine, so no bot looks at a clock.
"""

from __future__ import annotations

import random

from gridwise.core.bits import random_bit
from gridwise.core.game import Game
from gridwise.core.position import Player, Position
from gridwise.core.registry import game as game_named
from gridwise.core.rng import Rng
from gridwise.engine.compiled.kernels import interpreted
from gridwise.engine.evaluation import Limits, evaluate, with_answers
from gridwise.engine.lookahead import (
    HeuristicSettings,
    careful_moves,
    choose_move,
    with_least_cells,
)
from gridwise.errors import BadRequest, quoted


class RandomBot:
    """Plays any legal move, each equally likely."""

    name = "bot:random"

    def __init__(self, rng: random.Random) -> None:
        self._random = rng.random

    def choose(self, position: Position) -> int:
        """Any legal action."""
        return random_bit(position.legal_mask, self._random)


class HeuristicBot:
    """Plays the move with the best heuristic score, unless it sees a win or a loss."""

    def __init__(self, name: str, settings: HeuristicSettings, rng: Rng) -> None:
        self.name = name
        self._settings = settings
        self._rng = rng

    def choose(self, position: Position) -> int:
        """The best-looking of the moves it notices, wins first and losses last."""
        choose = interpreted(position.game, choose_move)
        least, state = with_least_cells(position), position.state
        action: int = choose(position.board, least, state, self._settings, self._rng)
        return action


class SearchBot:
    """Plays the best move that a search of a fixed size finds."""

    def __init__(self, name: str, nodes: int | None, rng: random.Random) -> None:
        self.name = name
        self._nodes = nodes
        self._rng = rng

    def choose(self, position: Position) -> int:
        """A best move; where nothing can be won, the best try: the hardest to answer."""
        limits = Limits(nodes=self._nodes, seed=int(self._rng.random() * 2**31))
        # Where there is chance, a certain win in two moves is worth as much as one at once.
        careful = careful_moves(position)
        evaluation = with_answers(position, evaluate(position, limits))
        moves = tuple(move for move in evaluation.moves if move.action in careful)
        candidates = evaluation._replace(moves=moves).choices
        return candidates[int(self._rng.random() * len(candidates))].action


# What each level is like, found by playing them against each other (docs/engine.md).
NOVICE = HeuristicSettings(depth=1, miss_rate=0.3, noise=2.0, careful=False)
CASUAL = HeuristicSettings(depth=2, miss_rate=0.12, noise=1.7)
STRONG = HeuristicSettings(depth=4, miss_rate=0.04, noise=1.0)
# Where cells are face down, looking ahead would mean knowing them: nobody does. The strong bot
# misses nothing that is to be seen, and the perfect one searches win probabilities, for a third of
# a second.
STRONG_IN_SIGHT = HeuristicSettings(depth=1, miss_rate=0.0, noise=0.2)
PERFECT_SIMULATIONS = 20_000


def settings_of(game: Game, level: str) -> HeuristicSettings | None:
    """How a bot of that level chooses; None if it does not go by a heuristic."""
    strong = STRONG_IN_SIGHT if game.has_hidden_cells else STRONG
    settings = {"novice": NOVICE, "casual": CASUAL, "strong": strong}.get(level)
    return settings._replace(depth=1) if settings and game.has_hidden_cells else settings


# What each level is like, in a few words, for people who choose one.
ABOUT = {
    "random": "picks any move",
    "novice": "has just learned the rules",
    "casual": "sees your next move coming, and no further",
    "strong": "thinks ahead and rarely makes mistakes",
    "perfect": "works out the best move every time",
}
LEVELS = tuple(ABOUT)


def check_level(level: str) -> None:
    """Raise BadRequest for a level that there is not."""
    if level not in LEVELS:
        raise BadRequest(f"There is no bot {quoted(level)}. The levels are {', '.join(LEVELS)}.")


def bot(game: Game | str, level: str, seed: int | str | None = None) -> Player:
    """A bot of that level. The same seed plays the same moves."""
    game = game_named(game) if isinstance(game, str) else game
    check_level(level)
    rng = random.Random(None if seed is None else f"gridwise bot {game.key} {level} {seed}")
    if level == "random":
        return RandomBot(rng)
    if settings := settings_of(game, level):
        return HeuristicBot(f"bot:{level}", settings, rng)
    nodes = PERFECT_SIMULATIONS if game.has_hidden_cells else None
    return SearchBot(f"bot:{level}", nodes, rng)


def choose_and_return(player: Player, position: Position) -> tuple[int, Player]:
    """A bot's move, and the bot, whose dice have been thrown: for a process that is not ours."""
    return player.choose(position), player
