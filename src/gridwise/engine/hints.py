"""A hint: a move to consider, and what it is worth."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from gridwise.core.game import Position
from gridwise.engine.worth import Limits, Option, Worth, weigh

# Counted in nodes, so that the same position gets the same hint; the clock is for large boards, and
# for the first time ever, when the search has to be compiled.
THOROUGH = Limits(nodes=5_000_000, seconds=1.4)
SAMPLED = Limits(nodes=10_000, seconds=1.4)


class Suggestion(NamedTuple):
    """A best move, and the sentence that says what it is worth."""

    move: str
    text: str


def hint(position: Position, answers: Mapping[str, int] | None = None) -> str:
    """A sentence that names a best move and says what it is worth.

    With `answers`, each of which makes an action, it is one of those that is named.
    """
    return suggest(position, answers).text


def suggest(position: Position, answers: Mapping[str, int] | None = None) -> Suggestion:
    """The same, with the move apart from the sentence."""
    worth = _weighed(position)
    if answers:
        among = [option for option in worth.options if option.action in answers.values()]
        top = max(option.points for option in among)
        best = _most_telling(tuple(option for option in among if option.points == top))
        name = next(answer for answer, action in answers.items() if action == best.action)
    else:
        best = _most_telling(worth.best)
        name = position.game.words.action_name(position.board, position.state, best.action)
    return Suggestion(name, f"Consider {name}: {promise(best)}.")


@lru_cache(maxsize=16)
def _weighed(position: Position) -> Worth:
    # Kept, so that who asks twice is told the same, though the clock may have cut the first short.
    return weigh(position, SAMPLED if position.game.hides else THOROUGH)


def _most_telling(best: tuple[Option, ...]) -> Option:
    """The quickest win or the longest resistance; otherwise the first."""
    if best[0].distance is None:
        return best[0]
    pick = max if best[0].value == "loss" else min
    return pick(best, key=lambda option: option.distance or 0)


def promise(option: Option) -> str:
    """What a move is worth, as the end of a sentence."""
    if option.win is not None:
        error = f", give or take {option.error:.0%}" if option.error else ""
        return f"it wins {option.win:.0%} of the time{error}"
    plies = "1 ply" if option.distance == 1 else f"{option.distance} plies"
    return {
        "win": f"it wins by force, in {plies}",
        "draw": "it holds the draw",
        "endless": "it keeps your opponent from winning",
        "loss": f"your opponent can win whatever you do; this takes longest, {plies}",
        None: "nothing better was found in the time there is",
    }[option.value]
