"""What grading found out, as numbers and as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt

from gridwise.core.game import Game


@dataclass
class Tally:
    """What is counted while games are graded."""

    points: list[float] = field(default_factory=list)  # game by game
    endings: Counter[str] = field(default_factory=Counter)  # wins, draws, losses, unfinished
    moves: int = 0
    illegal: int = 0
    unjudged: int = 0  # moves on boards too large to work them out
    decisions: int = 0  # moves where a mistake was possible
    kept: int = 0  # of those, the ones that were as good as the best
    losses: list[float] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Report:
    """How an agent did. `print(report)` tells it in a few lines."""

    game: str
    agent: str
    opponent: str
    seed: int
    games: int
    score: float  # the share of points: 1 for a win, a half for a draw or a game without an end
    low: float  # the 95 % interval of the score
    high: float
    wins: int
    draws: int
    losses: int
    unfinished: int
    moves: int
    illegal: int
    unjudged: int
    decisions: int
    kept: int
    loss: float  # points given away, on average over the decisions
    exact: bool  # whether the worth of every move is exact
    error: float  # the average standard error of what a chosen move is worth
    effort: int  # simulations a position, where there is chance

    @classmethod
    def of(
        cls, tally: Tally, game: Game, agent: str, opponent: str, games: int, seed: int, effort: int
    ) -> Report:
        """The sum of what was counted."""
        score, low, high = interval(
            [
                (one + two) / 2
                for one, two in zip(tally.points[::2], tally.points[1::2], strict=True)
            ]
        )
        return cls(
            game=game.key,
            agent=agent,
            opponent=opponent,
            seed=seed,
            games=games,
            score=score,
            low=low,
            high=high,
            **{name: tally.endings[name] for name in ("wins", "draws", "losses", "unfinished")},
            moves=tally.moves,
            illegal=tally.illegal,
            unjudged=tally.unjudged,
            decisions=tally.decisions,
            kept=tally.kept,
            loss=_mean(tally.losses),
            exact=not any(tally.errors),
            error=_mean(tally.errors),
            effort=effort if game.hides else 0,
        )

    @property
    def best_rate(self) -> float | None:
        """How often the best result was kept where a mistake was possible; None if it never was."""
        return self.kept / self.decisions if self.decisions else None

    @property
    def accuracy(self) -> float | None:
        """The share of points kept there, as `gridwise review` has it; None if there was none."""
        return 1.0 - self.loss if self.decisions else None

    @property
    def illegal_rate(self) -> float:
        """The share of moves that were illegal."""
        return self.illegal / self.moves if self.moves else 0.0

    def __str__(self) -> str:
        ends = f"{self.wins} won, {self.draws} drawn, {self.losses} lost"
        if self.unfinished:
            ends += f", {self.unfinished} unfinished"
        lines = [
            f"{self.agent} at {self.game}: {self.games} games against {self.opponent}, "
            f"each board from both sides, seed {self.seed}",
            f"  score    {self.score:.1%}, 95 % interval {self.low:.1%} to {self.high:.1%}: {ends}",
            f"  best     {self._best()}",
            f"  loss     {self._loss()}",
            f"  illegal  {self.illegal:,} of {self.moves:,} moves ({self.illegal_rate:.1%})",
        ]
        if self.unjudged:
            lines.append(f"  unknown  {self.unjudged:,} moves, on a board too large to solve")
        return "\n".join(lines)

    def _best(self) -> str:
        if self.best_rate is None:
            return "no move on which anything depended"
        alike = "" if self.exact else " as far as can be told"
        return (
            f"kept{alike} in {self.kept:,} of {self.decisions:,} moves where a mistake was "
            f"possible ({self.best_rate:.1%})"
        )

    def _loss(self) -> str:
        told = f"{self.loss:.4f} points a move (a win is 1, a loss 0)"
        if self.exact:
            return f"{told}, exact"
        return (
            f"{told}, sampled: {self.effort:,} simulations, standard error {self.error:.3f} a move"
        )


def interval(shares: Sequence[float]) -> tuple[float, float, float]:
    """The mean of the pairs and a 95 % interval for it.

    The interval is drawn as if one pair more had been won and one lost (Agresti and Caffo), so that
    a hundred wins in a row are no proof of a hundred per cent.
    """
    more = [*shares, 0.0, 1.0]
    middle = _mean(more)
    variance = sum((share - middle) ** 2 for share in more) / (len(more) - 1)
    margin = 1.96 * sqrt(variance / len(more))
    return _mean(shares), max(0.0, middle - margin), min(1.0, middle + margin)


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0
