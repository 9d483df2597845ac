"""Grading: how good a player is, measured by games and by exact play.

    import gridwise
    print(gridwise.grade("casual", "number-connect", games=200, seed=1))

Each board is played twice, with sides swapped, and a pair is one measurement. Then every move the
player made is compared with the best one. *Loss* is as in `gridwise review`: what the best move is
worth minus what the chosen one is, where a win is 1, a loss 0, a draw and an endless game a half.
Only moves where a mistake was possible count. An illegal move loses the game, and with it all that
the position was worth.

Where nothing is hidden the value of a move is exact. Where cells are face down it is the chance of
winning, searched for with `effort` simulations a position: exact towards the end, sampled before.
Then a move counts as best if it is within two standard errors of the best, and the average of those
errors is reported.

The same player, seed and numbers give the same report, on every machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean

from gridwise.arena.boards import Size, board_template
from gridwise.arena.paired_games import PairedGame, play_paired_games
from gridwise.arena.players import NO_ACTION, AnyPlayer, batch_player
from gridwise.arena.statistics import interval, pair_shares
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.core.registry import game as game_named
from gridwise.engine.evaluate import evaluate
from gridwise.engine.evaluation import Limits, MoveValue
from gridwise.engine.review import ReviewedMove
from gridwise.errors import BadRequest
from gridwise.show.progress import Progress

EFFORT = 2_000  # simulations a position: some 10 ms
OPPONENT = "random"
MAX_REMEMBERED = 10_000  # evaluated positions: some 20 MB
ILLEGAL = MoveValue(NO_ACTION, value="loss", win=0.0)


@dataclass(frozen=True)
class Report:
    """How an agent did. `print(report)` shows it in a few lines."""

    game: str
    agent: str
    opponent: str
    seed: int
    games: int
    score: float  # the share of points: 1 for a win, a half for a draw or a game without an end
    low: float  # the 95 % interval of the score
    high: float
    loss: float  # points given away, on average over the decisions
    exact: bool  # whether the value of every move is exact
    error: float  # the average standard error of a chosen move's value
    effort: int  # simulations a position, where there is chance
    wins: int = 0
    draws: int = 0
    losses: int = 0
    unfinished: int = 0
    moves: int = 0
    illegal: int = 0
    unjudged: int = 0  # moves on boards too large to solve
    decisions: int = 0  # moves where a mistake was possible
    kept: int = 0  # of those, the ones that were as good as the best

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
        best = "no move mattered: every choice was worth the same"
        if self.best_rate is not None:
            alike = "" if self.exact else " within the sampling error"
            best = (
                f"kept{alike} in {self.kept:,} of {self.decisions:,} moves where a mistake was "
                f"possible ({self.best_rate:.1%})"
            )
        how = "exact"
        if not self.exact:
            how = f"sampled: {self.effort:,} simulations, standard error {self.error:.3f} a move"
        lines = [
            f"{self.agent} at {self.game}: {self.games} games against {self.opponent}, "
            f"each board from both sides, seed {self.seed}",
            f"  score    {self.score:.1%}, 95 % interval {self.low:.1%} to {self.high:.1%}: {ends}",
            f"  best     {best}",
            f"  loss     {self.loss:.4f} points a move (a win is 1, a loss 0), {how}",
            f"  illegal  {self.illegal:,} of {self.moves:,} moves ({self.illegal_rate:.1%})",
        ]
        if self.unjudged:
            lines.append(f"  unknown  {self.unjudged:,} moves, on a board too large to solve")
        return "\n".join(lines)


def grade(
    agent: AnyPlayer,
    game: Game | str,
    games: int = 200,
    seed: int = 0,
    *,
    opponent: AnyPlayer = OPPONENT,
    board: Board | str | None = None,
    size: Size = None,
    batch: bool = False,
    effort: int = EFFORT,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Play a number of games, in pairs, and report how the agent did.

    `gridwise.arena.players` says what an agent can be; `batch` says that it is a function of many
    observations at once. Boards are dealt uniformly, of the standard size unless `board` or `size`
    says otherwise; the first one is that of `Match(game, seed=seed)`. `progress` is called with the
    number of games that are done; without it a line counts them at a terminal, once two seconds
    have passed.
    """
    game = game_named(game) if isinstance(game, str) else game
    if games < 2 or games % 2:
        raise BadRequest(f"Games are played in pairs: their number is even, not {games}.")
    if effort < 1:
        raise BadRequest(f"`effort` is a number of simulations, at least 1, not {effort}.")
    template = board_template(game, board, size)
    with (
        closing(Progress(f"Grading at {game.title}", games)) as line,
        closing(batch_player(agent, game, seed, batched=batch)) as graded,
        closing(batch_player(opponent, game, seed + 1)) as other,
    ):
        report_progress = progress or line
        tally = _Tally(Limits(nodes=effort) if game.has_hidden_cells else Limits())
        for played in play_paired_games(game, template, (graded, other), games, seed):
            tally.count(played)
            report_progress(played.number + 1)
    low, high = interval(pair_shares(tally.points))
    return Report(
        game=game.key,
        agent=graded.name,
        opponent=other.name,
        seed=seed,
        games=games,
        score=fmean(tally.points),
        low=low,
        high=high,
        loss=fmean(tally.lost or [0.0]),
        exact=not any(tally.errors),
        error=fmean(tally.errors or [0.0]),
        effort=effort if game.has_hidden_cells else 0,
        **tally.counts,
    )


class _Tally:
    """What is counted: how games ended, and how every move compares with the best."""

    def __init__(self, limits: Limits) -> None:
        self.counts = Counter[str]()  # by their names in a Report
        self.points: list[float] = []  # game by game
        self.lost: list[float] = []  # by each move where a mistake was possible
        self.errors: list[float] = []
        self._evaluated = lru_cache(MAX_REMEMBERED)(
            lambda *key: evaluate(Position.from_state(*key), limits)
        )

    def count(self, played: PairedGame) -> None:
        """Count how a game ended, and judge its moves."""
        self.points.append(played.points)
        ending = {0.0: "losses", 0.5: "draws", 1.0: "wins"}[played.points]
        self.counts[ending if played.outcome and played.outcome.winner else "unfinished"] += 1
        for position, action in played.choices:
            self.counts["moves"] += 1
            evaluation = self._evaluated(*position.key)
            if action == NO_ACTION:
                self.counts["illegal"] += 1
                evaluation = evaluation._replace(moves=(*evaluation.moves, ILLEGAL))
            chosen = evaluation.of(action)
            reviewed = ReviewedMove(played.side, evaluation, chosen)
            if not reviewed.judged:
                self.counts["unjudged"] += 1
            elif reviewed.counts:
                self.counts["decisions"] += 1
                self.counts["kept"] += reviewed.lost <= max(1e-9, reviewed.noise)
                self.lost.append(reviewed.lost)
                self.errors.append(chosen.error or 0.0)
