"""Looking back at a game: what every move was worth, and where it was won and lost.

*Accuracy* is the average share of points a player kept, over the moves where one could go wrong.
A move keeps `1 - (best - chosen)`, where best and chosen are what the best move and the chosen one
are worth: 1 for a win, 0 for a loss, a half for a draw or an endless game, or the probability of
winning where there is chance. Moves that could not go wrong, because every choice was worth the
same, do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from gridwise.core.board import Board
from gridwise.core.game import Game, Position
from gridwise.engine.worth import Limits, Option, Worth, weigh

# Points given away. With exact values a loss of points is at least a half.
BLUNDER, MISTAKE, SLIP = 0.15, 0.07, 0.03
MARKS = {"blunder": "??", "mistake": "?", "slip": "?!"}  # as chess players write them
SECONDS = 2.0  # to think about a move, unless somebody says otherwise
SIMULATIONS = 20_000  # the same where there is chance, so that one game gets one review


def limits_for(game: Game, seconds: float = SECONDS) -> Limits:
    """How long a review thinks about each move."""
    return Limits(nodes=SIMULATIONS) if game.hides else Limits(seconds=seconds)


class Judged(NamedTuple):
    """One move of a game, looked back at."""

    mover: int
    move: str
    worth: Worth  # the position before it, from the mover's side
    chosen: Option
    best: str  # a best move, as text

    @property
    def lost(self) -> float:
        """The points the move gave away."""
        return max(0.0, self.worth.points - self.chosen.points)

    @property
    def counts(self) -> bool:
        """Whether one could go wrong here, as far as it could be worked out."""
        if not self.judged:
            return False
        worst = min(option.points for option in self.worth.options)
        return self.worth.points - worst > 1e-9

    @property
    def judged(self) -> bool:
        """Whether every choice was given a worth."""
        return all(option.value or option.win is not None for option in self.worth.options)

    @property
    def noise(self) -> float:
        """How much of what was lost may be chance of the sampling."""
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
    """A game, looked back at."""

    moves: tuple[Judged, ...]
    curve: tuple[float, ...]  # Player 1's points to be expected, at the start and after each move

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
    game: Game,
    board: Board,
    first: int,
    actions: Sequence[int],
    limits: Limits | None = None,
    progress: Callable[[int], None] | None = None,
) -> Review:
    """Judge every move by what could be seen when it was made."""
    limits = limits or Limits()
    state = game.rules.start(board, first)
    moves: list[Judged] = []
    curve: list[float] = []
    for number, action in enumerate(actions):
        seen = game.seen(board, state)
        worth = weigh(Position(game, seen, state, first, tuple(actions[:number])), limits)
        curve.append(_for_player_one(state.turn, worth.points))
        chosen = next(option for option in worth.options if option.action == action)
        move, best = (
            game.words.action_name(seen, state, each) for each in (action, worth.best[0].action)
        )
        moves.append(Judged(state.turn, move, worth, chosen, best))
        state = game.rules.play(board, state, action)
        if progress:
            progress(number + 1)
    winner = game.rules.winner(board, state)
    if winner:
        curve.append({1: 1.0, 2: 0.0}.get(winner, 0.5))
    elif actions:
        last = moves[-1]
        curve.append(_for_player_one(last.mover, last.chosen.points))
    return Review(tuple(moves), tuple(curve))


def _for_player_one(player: int, points: float) -> float:
    return points if player == 1 else 1.0 - points


def comment(judged: Judged) -> str:
    """What a mistake or a blunder did, in a sentence; empty for other moves."""
    if judged.grade not in ("blunder", "mistake", "slip"):
        return ""
    other = 3 - judged.mover
    best = next(option for option in judged.worth.options if option.points == judged.worth.points)
    if judged.chosen.win is not None:
        before, after = judged.worth.points, judged.chosen.points
        return (
            f"{judged.best} would have won {before:.0%} of the time; "
            f"{judged.move} wins {after:.0%}."
        )
    was = {
        "win": f"{judged.best} wins in {best.distance}",
        "draw": f"{judged.best} holds the draw",
        "endless": f"{judged.best} keeps Player {other} from winning",
    }[str(best.value)]
    now = {
        "draw": "only draws",
        "endless": "lets the win go: now neither side can force one",
        "loss": f"loses: {_how_soon(other, (judged.chosen.distance or 1) - 1)}",
    }[str(judged.chosen.value)]
    return f"{was}; {judged.move} {now}."


def _how_soon(player: int, plies: int) -> str:
    return f"Player {player} wins in {plies}" if plies else f"Player {player} has won"


# The same words on the command line and on a page


def in_words(option: Option) -> str:
    """What a move is worth, in a few words."""
    if option.win is not None:
        return f"{option.win:.0%} to win"
    if option.value in ("win", "loss"):
        return f"{option.value} in {option.distance}"
    return option.value or "unknown"


def summary(found: Review) -> list[str]:
    """Where the game was won and lost, and how well each side played."""
    lines = [
        f"Move {number + 1}, Player {found.moves[number].mover}: {comment(found.moves[number])}"
        for number in found.turning_points
    ]
    unknown = sum(not each.judged for each in found.moves)
    if unknown:
        lines.append(f"{unknown} of the moves could not be judged in the time there was.")
    elif not found.turning_points:
        lines.append("Nobody gave anything away.")
    return [*lines, *(_accuracy(found, player) for player in (1, 2))]


def _accuracy(found: Review, player: int) -> str:
    share = found.accuracy(player)
    if share is None and not all(each.judged for each in found.moves):
        return f"Player {player}: no move that mattered could be judged."
    if share is None:
        return f"Player {player} could do nothing wrong: every choice was worth the same."
    choices = sum(each.mover == player and each.counts for each in found.moves)
    plural = "move" if choices == 1 else "moves"
    return f"Player {player}: accuracy {share:.0%} over {choices} {plural} that mattered."
