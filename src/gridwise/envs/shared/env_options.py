"""Options of the environments: the opponent, the agent's side, what an illegal action does."""

from __future__ import annotations

from typing import TypeAlias

from gridwise.arena.players import AnyPlayer, BatchPlayer, batch_player, bot_level
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.engine.bots import settings_of
from gridwise.engine.compiled.threads import Threads
from gridwise.envs.shared.heuristic_player import HeuristicPlayer
from gridwise.errors import BadRequest, quoted

Opponent: TypeAlias = "AnyPlayer | None"  # None: no opponent, the agent plays both sides
Side: TypeAlias = "int | str"

ILLEGAL = ("lose", "raise", "ignore")
SIDES = (1, 2, "alternate", "random")
PLAYER_SEEDS = 1 << 31  # seeds of opponents are below this
# `seed ^ SIDE_SEEDS` is for the stream of random sides: they must not change what the seed deals.
SIDE_SEEDS = 1 << 63

NO_TURN = (
    "On this board the game is over before the agent has had a turn, {tries} deals in a row. "
    "Try another board, size or side."
)
OPPONENT_FAILED = "The opponent failed to answer the last step: call reset() first."


def id_of(game: Game) -> str:
    """The id of a game in Gymnasium and PettingZoo: its title without spaces."""
    name = "".join(char for char in game.title.title() if char.isalnum())
    return f"gridwise/{name}-v0"


def is_random(opponent: Opponent) -> bool:
    """Whether the opponent is the random bot, which draws from the game's own stream."""
    return isinstance(opponent, str) and bot_level(opponent) == "random"


def is_perfect(opponent: Opponent) -> bool:
    """Whether the opponent is the perfect bot, by its level."""
    return isinstance(opponent, str) and bot_level(opponent) == "perfect"


def asked_opponent(
    opponent: Opponent, game: Game, board: Board, count: int = 0, threads: Threads | None = None
) -> BatchPlayer | None:
    """The opponent as it is asked for actions; None where there is none, or a random one.

    `count` is the number of games that are played at once; 0 where there is one at a time.
    """
    if opponent is None or is_random(opponent):
        return None
    if is_perfect(opponent) and not game.has_hidden_cells:
        from gridwise.envs.shared.perfect_player import PerfectPlayer  # noqa: PLC0415 - imports numba

        return PerfectPlayer(game, board, count or 1, threads or Threads())
    if isinstance(opponent, str) and settings_of(game, bot_level(opponent)):
        level = bot_level(opponent)
        return HeuristicPlayer(game, board, level, count or 1, threads or Threads())
    return batch_player(opponent, game, batched=count > 0)


def check_side(side: Side, opponent: Opponent) -> Side:
    """The agent's side, if it is one; 0 where there is no opponent, and the agent plays both."""
    if side not in SIDES or isinstance(side, bool):
        raise BadRequest(f"The side is 1, 2, alternate or random, not {quoted(str(side))}.")
    return side if opponent is not None else 0


def check_illegal(illegal: str) -> str:
    """What happens to an illegal action, if that is one of the ways."""
    if illegal not in ILLEGAL:
        raise BadRequest(f"Illegal actions lose, raise or are ignored, not {quoted(str(illegal))}.")
    return illegal


def illegal_action(position: Position, action: object) -> str:
    """The sentence about an illegal action: the legal ones are in it, each with its name."""
    possible = ", ".join(f"{each} ({position.name(each)})" for each in position.legal)
    return f"Action {quoted(str(action))} is not legal now. Possible: {possible}."


def check_labels(game: Game, labels: object) -> bool:
    """Whether `info` has exact labels, if the game can have them."""
    if labels and game.has_hidden_cells:
        raise BadRequest(
            f"There are no exact labels in {game.title}: it has hidden cells, so a move has a "
            "probability of winning. `gridwise.evaluate` estimates it."
        )
    return bool(labels)
