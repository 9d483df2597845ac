"""Reviewing a game: what every move was worth, and where it was won and lost.

*Accuracy* is the average share of points a player kept, over the moves where one could go wrong.
A move keeps `1 - (best - chosen)`, where best and chosen are what the best move and the chosen one
are worth: 1 for a win, 0 for a loss, a half for a draw or an endless game, or the probability of
winning where there is chance. Moves that could not go wrong, because every choice was worth the
same, do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.engine.evaluate import evaluate
from gridwise.engine.evaluation import Evaluation, Limits, MoveValue
from gridwise.engine.hints import count_of_moves, in_moves

# Points given away. With exact values a loss of points is at least a half.
BLUNDER, MISTAKE, SLIP = 0.15, 0.07, 0.03
MARKS = {"blunder": "??", "mistake": "?", "slip": "?!"}  # as chess players write them
SECONDS = 2.0  # to think about a move, unless somebody says otherwise
SIMULATIONS = 20_000  # the same where there is chance, so that one game gets one review


def limits_for(game: Game, seconds: float = SECONDS) -> Limits:
    """How long a review thinks about each move."""
    return Limits(nodes=SIMULATIONS) if game.has_hidden_cells else Limits(seconds=seconds)


class ReviewedMove(NamedTuple):
    """One move of a game, compared with the best one."""

    mover: int
    evaluation: Evaluation  # of the position before it, from the mover's side
    chosen: MoveValue

    @property
    def best(self) -> MoveValue:
        """The move that was best."""
        return self.evaluation.best

    @property
    def lost(self) -> float:
        """The points the move gave away."""
        return max(0.0, self.evaluation.points - self.chosen.points)

    @property
    def counts(self) -> bool:
        """Whether one could go wrong here, as far as it could be worked out."""
        if not self.judged:
            return False
        worst = min(each.points for each in self.evaluation.moves)
        return self.evaluation.points - worst > 1e-9

    @property
    def judged(self) -> bool:
        """Whether every choice could be evaluated."""
        return all(each.is_known for each in self.evaluation.moves)

    @property
    def noise(self) -> float:
        """How much of what was lost may be sampling error."""
        return 2 * (self.chosen.error or 0.0)

    @property
    def grade(self) -> str:
        """`forced`, `best`, `good`, `slip`, `mistake`, `blunder`; `unknown` if not judged."""
        if not self.judged:
            return "unknown"
        if not self.counts:
            return "forced"
        surely = self.lost - self.noise
        for bound, name in ((BLUNDER, "blunder"), (MISTAKE, "mistake"), (SLIP, "slip")):
            if surely >= bound:
                return name
        return "best" if self.lost < 1e-9 else "good"


class Review(NamedTuple):
    """A game with every move compared to the best one."""

    moves: tuple[ReviewedMove, ...]
    curve: tuple[float, ...]  # Player 1's expected result, at the start and after each move

    def accuracy(self, player: int) -> float | None:
        """The share of points kept, from 0 to 1; None if nothing could go wrong."""
        kept = [1.0 - each.lost for each in self.moves if each.mover == player and each.counts]
        return sum(kept) / len(kept) if kept else None

    @property
    def turning_points(self) -> list[int]:
        """The moves that were mistakes or blunders, by number from 0."""
        found = enumerate(self.moves)
        return [number for number, each in found if each.grade in ("mistake", "blunder")]


def review(
    positions: Sequence[Position],
    limits: Limits | None = None,
    progress: Callable[[int], None] | None = None,
) -> Review:
    """Judge every move of a game, given as its positions, by what could be seen at the time."""
    limits = limits or Limits()
    moves: list[ReviewedMove] = []
    curve: list[float] = []
    for number, (position, after) in enumerate(pairwise(positions), 1):
        evaluation = evaluate(position, limits)
        curve.append(_for_player_one(position.turn, evaluation.points))
        chosen = evaluation.of(after.history[-1])
        moves.append(ReviewedMove(position.turn, evaluation, chosen))
        if progress:
            progress(number)
    outcome = positions[-1].outcome
    if outcome and outcome.winner:
        curve.append({1: 1.0, 2: 0.0}.get(outcome.winner, 0.5))
    elif moves:
        curve.append(_for_player_one(moves[-1].mover, moves[-1].chosen.points))
    return Review(tuple(moves), tuple(curve))


def _for_player_one(player: int, points: float) -> float:
    return points if player == 1 else 1.0 - points


def comment(reviewed: ReviewedMove) -> str:
    """What a mistake or a blunder did, in a sentence; empty for other moves."""
    if reviewed.grade not in ("blunder", "mistake", "slip"):
        return ""
    other, best, chosen = 3 - reviewed.mover, reviewed.best, reviewed.chosen
    if chosen.win is not None:
        return (
            f"{best.move} would have won {best.points:.0%} of the time; "
            f"{chosen.move} wins {chosen.points:.0%}."
        )
    was = {
        "win": f"{best.move} wins in {in_moves(best.distance or 1)}",
        "draw": f"{best.move} holds the draw",
        "endless": f"{best.move} keeps Player {other} from winning",
    }[str(best.value)]
    now = {
        "draw": "only draws",
        "endless": "lets the win go: now neither side can force one",
        "loss": f"loses: {_how_soon(other, (chosen.distance or 1) - 1)}",
    }[str(chosen.value)]
    return f"{was}; {chosen.move} {now}."


def _how_soon(player: int, plies: int) -> str:
    if not plies:
        return f"Player {player} has won"
    return f"Player {player} can win in {in_moves(plies)}"


# The same words on the command line and on a page


def in_words(found: MoveValue | Evaluation) -> str:
    """What a move or a position is worth, in a few words: `win in 5 moves`, `63% to win`."""
    if found.win is not None:
        return f"{found.win:.0%} to win"
    if found.value in ("win", "loss"):
        return f"{found.value} in {in_moves(found.distance or 1)}"
    return found.value or "unknown"


def summary(found: Review) -> list[str]:
    """Where the game was won and lost, and how well each side played."""
    lines = [
        f"Move {number + 1}, Player {found.moves[number].mover}: {comment(found.moves[number])}"
        for number in found.turning_points
    ]
    unknown = sum(not each.judged for each in found.moves)
    if unknown:
        lines.append(f"The engine ran out of time on {count_of_moves(unknown)}.")
    elif not found.turning_points:
        lines.append("No mistakes by either player.")
    return [*lines, *(_accuracy(found, player) for player in (1, 2))]


def _accuracy(found: Review, player: int) -> str:
    share = found.accuracy(player)
    if share is None and not all(each.judged for each in found.moves):
        return f"Player {player}: no accuracy; the engine ran out of time."
    if share is None:
        return f"Player {player} had no real choices: every move led to the same result."
    choices = count_of_moves(sum(each.mover == player and each.counts for each in found.moves))
    return f"Player {player}: accuracy {share:.0%} ({choices} where a mistake was possible)."
