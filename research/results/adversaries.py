"""Players who want a good figure without playing well, and where each lands: docs/figures.md.

    python -m research.results adversaries --write

Each is a class made from a game and a seed, so that arenas and the command line can name it:
`python:research.results.adversaries:Dawdler`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from typing import Any

from gridwise import Game, Position, evaluate, game, grade
from gridwise.lab.grading.report import GradeReport
from gridwise.lab.statistics import Estimate

GAMES, SEED = 200, 1
NO_MOVE = "I resign"


class Adversary:
    """A player with a stream of its own."""

    name: str  # what it is called in a table

    def __init__(self, _game: Game | None = None, seed: int | str | None = 0) -> None:
        self.rng = random.Random(str(seed))

    def choose(self, position: Position) -> str:
        """A move, or something else."""
        raise NotImplementedError

    def drawn(self, position: Position) -> str:
        """Any legal move."""
        return self.rng.choice(position.legal_moves)

    def perfect(self, position: Position) -> str:
        """One of the best moves, the fastest win or the slowest loss."""
        return self.rng.choice(evaluate(position).best_moves).move

    def slowest(self, position: Position) -> str:
        """The slowest of the moves that keep the value."""
        return max(evaluate(position).optimal, key=lambda move: move.distance or 0).move


class Perfect(Adversary):
    """The measure of the others."""

    name = "perfect"

    def choose(self, position: Position) -> str:
        """One of the best moves."""
        return self.perfect(position)


class Drawn(Adversary):
    """Plays at random."""

    name = "random"

    def choose(self, position: Position) -> str:
        """Any legal move."""
        return self.drawn(position)


class Dawdler(Adversary):
    """Keeps every value and takes the longest way: it never errs, and never finishes."""

    name = "dawdler"

    def choose(self, position: Position) -> str:
        """The slowest of the moves that keep the value."""
        return self.slowest(position)


class Repeater(Adversary):
    """Plays at random until a position is worth something, and then goes round in it.

    Its many safe moves would drown its bad ones, if each of them counted.
    """

    name = "repeater"

    def choose(self, position: Position) -> str:
        """The slowest of the moves that keep a win or a position without end, or any move."""
        if evaluate(position).value in ("win", "endless"):
            return self.slowest(position)
        return self.drawn(position)


class Resigner(Adversary):
    """Gives every game up."""

    name = "resigner"

    def choose(self, position: Position) -> str:  # noqa: ARG002 - it does not look
        """Nothing that could be played."""
        return NO_MOVE


class IllegalMover(Adversary):
    """Plays perfectly, but every fifth move is none."""

    name = "illegal mover"

    def choose(self, position: Position) -> str:
        """A best move, or nothing that could be played."""
        return NO_MOVE if self.rng.random() < 0.2 else self.perfect(position)


class Slow(Adversary):
    """Plays perfectly, and takes all day: for arenas, which keep the time."""

    name = "slow"
    seconds = 60.0

    def choose(self, position: Position) -> str:
        """A best move, after a minute."""
        time.sleep(self.seconds)
        return self.perfect(position)


class Mixture(Adversary):
    """Plays perfectly a share of its moves, and the others at random."""

    name, share = "perfect 50% of the time", 0.5

    def choose(self, position: Position) -> str:
        """A best move or any move."""
        return self.perfect(position) if self.rng.random() < self.share else self.drawn(position)


class Mixture20(Mixture):
    """Plays perfectly a fifth of its moves."""

    name, share = "perfect 20% of the time", 0.2


class Mixture80(Mixture):
    """Plays perfectly four fifths of its moves."""

    name, share = "perfect 80% of the time", 0.8


ADVERSARIES: tuple[type[Adversary], ...] = (
    *(Perfect, Mixture80, Mixture, Mixture20, Drawn),
    *(Dawdler, Repeater, IllegalMover, Resigner),
)


def mixture(share: float) -> Callable[[Position], Mapping[int, float]]:
    """The chances of a player who plays perfectly that share of its moves."""

    def chances(position: Position) -> dict[int, float]:
        best = {move.action for move in evaluate(position).best_moves}
        return {
            action: (1 - share) / len(position.legal) + share * (action in best) / len(best)
            for action in position.legal
        }

    return chances


def report(adversary: type[Adversary], key: str) -> GradeReport:
    """How an adversary is graded."""
    player: Any = adversary()  # that answers in words, as players may, and not in actions
    return grade(player, key, games=GAMES, seed=SEED)


def row(report: GradeReport) -> str:
    """A line of the table."""

    def shown(figure: Estimate | None, form: str) -> str:
        return form.format(figure.value) if figure else ""

    own = report.summary
    cells = [
        report.agent,
        shown(own.score, "{:.1%}"),
        shown(own.game_regret, "{:.3f}"),
        shown(own.regret, "{:.3f}"),
        shown(own.best, "{:.1%}"),
        shown(own.progress, "{:.1%}"),
        str(report.stalled),
        str(report.unfinished),
        str(report.illegal),
        f"{report.repeated:,}",
    ]
    return f"| {' | '.join(cells)} |"


def tables() -> str:
    """The tables of two games, one that can go on for ever and one that cannot."""
    return (
        "\n\n".join(
            f"{game(key).title}, {GAMES} games against the random bot, seed {SEED}:\n\n{table(key)}"
            for key in ("grid-runner", "number-connect")
        )
        + "\n"
    )


def table(key: str) -> str:
    """All adversaries in a game, against the random bot."""
    lines = [
        "| player | score | regret a game | regret a decision | best | progress | stood still "
        "| unfinished | illegal | moves repeated |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
        *(row(report(adversary, key)) for adversary in ADVERSARIES),
    ]
    return "\n".join(lines)
