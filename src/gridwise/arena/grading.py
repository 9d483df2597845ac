"""Grading: how good a player is, measured by games or on a suite, and by exact play.

    import gridwise
    print(gridwise.grade("casual", "number-connect", games=200, seed=1))

Each board is played twice, with sides swapped, and a pair is one measurement. Then every move the
player made is compared with the best one. *Loss* is as in `gridwise review`: what the best move is
worth minus what the chosen one is, where a win is 1, a loss 0, a draw and an endless game a half.
Only moves where a mistake was possible count. An illegal move loses the game, and with it all that
the position was worth. With `suite` the player is given the positions of a suite instead, one move
each, and the score is what the chosen moves are worth.

Where nothing is hidden the value of a move is exact. Where cells are face down it is the chance of
winning, searched for with `effort` simulations a position: exact towards the end, sampled before.
Then a move counts as best if it is within two standard errors of the best, and the average of those
errors is reported. In suites all values are exact.

The same player, seed and numbers give the same report, on every machine.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, NamedTuple

from gridwise.arena.boards import Size, board_template
from gridwise.arena.grades.checkpoint import Checkpoint
from gridwise.arena.grades.difficulty import HARDEST, PHASES, phase
from gridwise.arena.grades.graded_moves import GradedMove, Judge
from gridwise.arena.grades.report import Report, Summary, summarize
from gridwise.arena.grades.table_files import FilePath
from gridwise.arena.paired_games import PairedGame, play_paired_games
from gridwise.arena.players import (
    CONCURRENCY,
    NO_ACTION,
    AnyPlayer,
    BatchPlayer,
    PositionGames,
    batch_player,
)
from gridwise.arena.statistics import Cluster, Estimate, cluster_interval, interval, pair_shares
from gridwise.arena.suites import Suite, SuiteRow
from gridwise.arena.suites import suite as suite_of
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.registry import game as game_named
from gridwise.engine.evaluation import Limits
from gridwise.errors import BadRequest
from gridwise.show.progress import Progress

__all__ = ["EFFORT", "OPPONENT", "Report", "grade"]

EFFORT = 2_000  # simulations a position: some 10 ms
OPPONENT = "random"

# The entries of a checkpoint.
_MOVE = {"game": int, "action": int}
_ANSWER = {"row": str, "action": int}


def grade(
    agent: AnyPlayer,
    game: Game | str,
    games: int = 200,
    seed: int = 0,
    *,
    opponent: AnyPlayer = OPPONENT,
    suite: Suite | str | None = None,
    board: Board | str | None = None,
    size: Size = None,
    batch: bool = False,
    concurrency: int = CONCURRENCY,
    effort: int = EFFORT,
    checkpoint: FilePath | None = None,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Play a number of games, in pairs, or answer a suite, and report how the agent did.

    `gridwise.arena.players` says what an agent can be; `batch` says that it is a function of many
    observations at once, and an `async` one is asked about `concurrency` games at the same time.
    Boards are dealt uniformly, of the standard size unless `board` or `size` says otherwise; the
    first one is that of `Match(game, seed=seed)`. `suite` is `"train"`, `"test"`, or a Suite.

    `checkpoint` is a file in which every move is kept as it is made: after an error or a kill, the
    same call goes on from there. `progress` is called with the number of games or positions that
    are done; without it a line counts them at a terminal, once two seconds have passed.
    """
    game = game_named(game) if isinstance(game, str) else game
    if suite is None and (games < 2 or games % 2):
        raise BadRequest(f"Games are played in pairs: their number is even, not {games}.")
    if effort < 1:
        raise BadRequest(f"`effort` is a number of simulations, at least 1, not {effort}.")
    judge = Judge(Limits(nodes=effort) if game.has_hidden_cells else Limits())
    with closing(batch_player(agent, game, seed, batched=batch, concurrency=concurrency)) as graded:
        if suite is not None:
            answered = _answers(graded, game, suite, seed, checkpoint, progress)
            return _suite_report(judge, graded.name, game, answered, seed)
        template = board_template(game, board, size)
        with closing(batch_player(opponent, game, seed + 1, concurrency=concurrency)) as other:
            about = {
                "checkpoint": 1,
                "game": game.key,
                "agent": graded.name,
                "opponent": other.name,
                "seed": seed,
                "board": game.board_text(template),
                "target": template.target,
            }
            if template.handicap:
                about["handicap"] = template.handicap
            with closing(Checkpoint(checkpoint, about, _MOVE)) as kept:
                both = graded, other
                played = list(_played(judge, game, template, both, games, seed, kept, progress))
            names = graded.name, other.name
    return _games_report(names, game, played, seed, effort)


# Games


class _JudgedGame(NamedTuple):
    """A game, and what each of the agent's moves in it was worth."""

    played: PairedGame
    rows: list[GradedMove]

    @property
    def course(self) -> tuple[object, ...]:
        """What is the same for identical games."""
        game = self.played
        return game.true_board, game.positions[-1].history, game.outcome


def _played(
    judge: Judge,
    game: Game,
    template: Board,
    contestants: tuple[BatchPlayer, BatchPlayer],
    games: int,
    seed: int,
    kept: Checkpoint,
    progress: Callable[[int], None] | None,
) -> Iterator[_JudgedGame]:
    """The games, those of a checkpoint among them."""
    before: dict[int, list[int]] = defaultdict(list)
    for entry in kept.entries:
        before[entry["game"]].append(entry["action"])
    with closing(Progress(f"Grading at {game.title}", games)) as line:
        for each in play_paired_games(
            *(game, template, contestants, games, seed),
            played=before,
            on_move=lambda number, action: kept.add({"game": number, "action": action}),
        ):
            yield _JudgedGame(each, list(_game_rows(judge, each)))
            (progress or line)(each.number + 1)


def _games_report(
    names: tuple[str, str],
    game: Game,
    judged: Sequence[_JudgedGame],
    seed: int,
    effort: int,
) -> Report:
    tally, evidence, counted = _Tally(), _Tally(), _counted_once(judged)
    for played, own in judged:
        ending = {0.0: "losses", 0.5: "draws", 1.0: "wins"}[played.points]
        tally.counts[ending if played.outcome and played.outcome.winner else "unfinished"] += 1
        for row in own:
            tally.count(row)
    for row in (row for each in counted for row in each.rows):
        evidence.count(row)
    rows = [row for each in counted for row in each.rows]
    points = [each.played.points for each in counted]
    shares = pair_shares(points)
    low, high = interval(shares)
    score = fmean(points)
    clusters = tuple(each.played.pair for each in counted[::2])
    by_side = {
        str(side): Estimate(fmean(own), *interval(own), len(own))
        for side, own in ((1, points[::2]), (2, points[1::2]))
    }
    return Report(
        game=game.key,
        agent=names[0],
        opponent=names[1],
        seed=seed,
        games=len(judged),
        score=score,
        low=low,
        high=high,
        effort=effort if game.has_hidden_cells else 0,
        distinct=len({each.course for each in judged}),
        counted=len(counted),
        summary=summarize(rows, clusters, Estimate(score, low, high, len(shares)), ends_game=True),
        splits=_splits(rows, clusters, by_side, ends_game=True),
        rows=tuple(rows),
        clusters=clusters,
        points=tuple(shares),
        **(evidence.figures | tally.counts),
    )


def _counted_once(judged: Sequence[_JudgedGame]) -> Sequence[_JudgedGame]:
    """The games that are evidence: one pair a board, if games on the same board are identical.

    If some differ, somebody has drawn what to play. Then a game that comes again says how likely it
    is, and to leave it out would be to count rare games for as much as frequent ones.
    """
    kept: dict[Board, tuple[_JudgedGame, _JudgedGame]] = {}
    for one, two in zip(judged[::2], judged[1::2], strict=True):
        before = kept.setdefault(one.played.true_board, (one, two))
        if (before[0].course, before[1].course) != (one.course, two.course):
            return judged
    return [each for pair in kept.values() for each in pair]


def _game_rows(judge: Judge, played: PairedGame) -> Iterator[GradedMove]:
    length = len(played.positions) - 1
    for position, action in played.choices:
        third = phase(len(position.history), length)
        yield judge.judge(position, action, str(played.number), played.pair, third)


# Suites


@dataclass(frozen=True)
class _Answers:
    """A suite and the action that a player chose in each of its positions."""

    rows: Suite
    actions: list[int]


def _answers(
    graded: BatchPlayer,
    game: Game,
    suite: Suite | str,
    seed: int,
    checkpoint: FilePath | None,
    progress: Callable[[int], None] | None,
) -> _Answers:
    """Ask for a move in each position; those of a checkpoint are not asked for again."""
    rows = suite_of(game).part(suite) if isinstance(suite, str) else suite
    if rows.game is not game:
        raise BadRequest(f"The suite is of {rows.game.title}, not of {game.title}.")
    about = {
        "checkpoint": 1,
        "game": game.key,
        "agent": graded.name,
        "seed": seed,
        "suite": rows.label,
    }
    with (
        closing(Checkpoint(checkpoint, about, _ANSWER)) as kept,
        closing(Progress(f"Grading at {game.title}", len(rows))) as line,
    ):
        chosen: dict[str, int] = {entry["row"]: entry["action"] for entry in kept.entries}
        waiting = [row for row in rows if row.id not in chosen]
        for begin in range(0, len(waiting), graded.at_once):
            group = dict(enumerate(waiting[begin : begin + graded.at_once], begin))
            for action, row in zip(_ask(graded, group, seed), group.values(), strict=True):
                chosen[row.id] = action
                kept.add({"row": row.id, "action": action})
            (progress or line)(len(chosen))
    return _Answers(rows, [chosen[row.id] for row in rows])


def _ask(graded: BatchPlayer, group: dict[int, SuiteRow], seed: int) -> list[int]:
    positions = {number: row.position for number, row in group.items()}
    for number, row in group.items():
        graded.begin(number, f"{seed} {row.id}")
    return graded.choose(PositionGames(positions), list(positions))


def score_answers(rows: Suite, actions: Sequence[int], agent: str) -> Report:
    """The report on a suite's positions and the actions chosen there, NO_ACTION for none."""
    return _suite_report(Judge(Limits()), agent, rows.game, _Answers(rows, list(actions)), 0)


def _suite_report(judge: Judge, agent: str, game: Game, answers: _Answers, seed: int) -> Report:
    rows, tally = answers.rows, _Tally()
    cluster_of = rows.clusters()
    graded = []
    for row, action in zip(rows, answers.actions, strict=True):
        legal = action if row.position.is_legal(action) else NO_ACTION
        cluster = cluster_of[row.id]
        judged = judge.judge(row.position, legal, row.id, cluster, row.phase, row.evaluation)
        tally.count(judged)
        graded.append(judged)
    clusters = tuple(dict.fromkeys(cluster_of.values()))
    score = suite_score(graded, clusters)
    by_side = {
        str(side): suite_score([row for row in graded if row.side == side], clusters)
        for side in (1, 2)
    }
    value = score or Estimate(0.0, 0.0, 1.0)
    points: dict[str, list[float]] = {name: [] for name in clusters}
    for each in graded:
        points[each.cluster].append(each.chosen_value)
    return Report(
        game=game.key,
        agent=agent,
        opponent="",
        seed=seed,
        games=0,
        score=value.value,
        low=value.low,
        high=value.high,
        effort=0,
        suite=rows.label,
        summary=summarize(graded, clusters, score, ends_game=False),
        splits=_splits(graded, clusters, by_side, ends_game=False),
        rows=tuple(graded),
        clusters=clusters,
        points=tuple(fmean(own) for own in points.values()),
        **tally.figures,
    )


def suite_score(rows: Sequence[GradedMove], clusters: Sequence[str]) -> Estimate | None:
    """What the chosen moves are worth, on average."""
    worth: dict[str, list[float]] = {name: [] for name in clusters}
    for row in rows:
        worth[row.cluster].append(row.chosen_value)
    return cluster_interval([Cluster.of(own) for own in worth.values()])


# Both


@dataclass
class _Tally:
    """What is counted over all moves, by the names that a Report has for it."""

    counts: Counter[str] = field(default_factory=Counter)
    lost: list[float] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)

    def count(self, row: GradedMove) -> None:
        """Count a row."""
        self.counts["moves"] += 1
        self.counts["illegal"] += not row.legal
        self.counts["unjudged"] += not row.judged
        if row.decision:
            self.counts["decisions"] += 1
            self.counts["kept"] += row.kept
            self.lost.append(row.regret)
            self.errors.append(row.error)

    @property
    def figures(self) -> dict[str, Any]:
        """The fields of a Report."""
        return {
            "loss": fmean(self.lost or [0.0]),
            "exact": not any(self.errors),
            "error": fmean(self.errors or [0.0]),
            **self.counts,
        }


def _splits(
    rows: Sequence[GradedMove],
    clusters: Sequence[str],
    by_side: Mapping[str, Estimate | None],
    *,
    ends_game: bool,
) -> dict[str, dict[str, Summary]]:
    """The summaries by side, by phase and by difficulty, of what there is."""
    kinds: dict[str, dict[str, Callable[[GradedMove], bool]]] = {
        "side": {str(k): lambda row, k=k: row.side == k for k in (1, 2)},  # type: ignore[misc]
        "phase": {name: lambda row, name=name: row.phase == name for name in PHASES},  # type: ignore[misc]
        "difficulty": {
            str(k): lambda row, k=k: row.difficulty == k  # type: ignore[misc]
            for k in range(1, HARDEST + 1)
        },
    }
    found: dict[str, dict[str, Summary]] = {}
    for kind, parts in kinds.items():
        found[kind] = {}
        for name, belongs in parts.items():
            part = [row for row in rows if belongs(row)]
            if part:
                score = by_side[name] if kind == "side" else None
                found[kind][name] = summarize(part, clusters, score, ends_game=ends_game)
    return found
