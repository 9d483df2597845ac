"""Scorers: regret, best moves, points, failures, answers; from what the log has kept of a sample.

They ask no model, so `inspect score LOG` scores a log again. A move's worth is that of
`gridwise.grade`: what the best move is worth minus what the chosen one is, only where a mistake was
possible; a turn that ended without a legal move has lost all that the position was worth.

A sample of `gridwise/play` is a game with many moves, and a rate per move is a ratio of totals, not
a mean of means: a score is the game's own rate, and its metadata says over how many moves (`of`).
Samples of one cluster (a board, both games of a pair) are not independent; the standard error is
that of a ratio of totals over the clusters.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import nan, sqrt
from typing import Any, ParamSpec

from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    grouped,
    mean,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState

from gridwise.core.registry import game as game_named
from gridwise.engine.evaluation import Limits
from gridwise.errors import BadRequest
from gridwise.evals.asking import think
from gridwise.evals.inspect_internals import SCORER_METRICS, scorer_register
from gridwise.evals.rules_questions import Kind, grade_answer, sample_question
from gridwise.evals.trial import STOP_KEY, STORE_KEY, Trial, choices, suite_rows
from gridwise.lab.grading.grade import EFFORT
from gridwise.lab.grading.judge import GradedMove, Judge, phase
from gridwise.prompts.reply import Failure

P = ParamSpec("P")
CLUSTER = "cluster"
PREFIX = "gridwise/"
# A provider's failure is an error of the sample, never a score.
CLASSES = [each.value for each in Failure if each is not Failure.FAILED]


# Metrics


def _parts(scores: Sequence[SampleScore]) -> list[tuple[float, float]]:
    """The total and the number of measurements of each sample."""
    found = []
    for each in scores:
        count = float((each.score.metadata or {}).get("of", 1))
        found.append((each.score.as_float() * count, count))
    return found


def _rate(scores: Sequence[SampleScore]) -> float:
    parts = _parts(scores)
    count = sum(each for _, each in parts)
    return sum(total for total, _ in parts) / count if count else nan


def _groups(scores: Sequence[SampleScore], key: str) -> dict[str, list[SampleScore]]:
    found: dict[str, list[SampleScore]] = defaultdict(list)
    for each in scores:
        found[str((each.sample_metadata or {}).get(key, each.sample_id))].append(each)
    return found


@metric(scores="unreduced")
def rate() -> Metric:
    """The rate over all moves of all samples."""

    def compute(scores: list[SampleScore]) -> Value:
        return _rate(scores)

    return compute


@metric(scores="unreduced")
def rate_by(key: str) -> Metric:
    """The rate for each value that the samples' metadata have under a key, such as the game."""

    def compute(scores: list[SampleScore]) -> Value:
        return {name: _rate(own) for name, own in sorted(_groups(scores, key).items())}

    return compute


@metric(scores="unreduced")
def rate_stderr(cluster: str = "cluster") -> Metric:
    """The standard error of the rate, by how clusters differ (Taylor linearisation)."""

    def compute(scores: list[SampleScore]) -> Value:
        groups = [_parts(own) for own in _groups(scores, cluster).values()]
        sums = [(sum(t for t, _ in own), sum(n for _, n in own)) for own in groups]
        count = sum(size for _, size in sums)
        if len(sums) < 2 or not count:
            return 0.0
        mean = sum(total for total, _ in sums) / count
        spread = sum((total - mean * size) ** 2 for total, size in sums)
        return sqrt(spread * len(sums) / (len(sums) - 1)) / count

    return compute


RATES = [rate(), rate_stderr(CLUSTER), rate_by("game")]


# Scorers


def package_scorer(
    metrics: Sequence[Metric] | Mapping[str, Sequence[Metric]],
) -> Callable[[Callable[P, Scorer]], Callable[P, Scorer]]:
    """As Inspect's `scorer`: a decorator for scorers that `inspect score LOG` finds again.

    A log keeps the name of a scorer without its package, and looks it up as it stands, so scorers
    that are found by an entry point would not be found in a log. Ours have it in their own.
    """

    def register(factory: Callable[P, Scorer]) -> Callable[P, Scorer]:
        name = PREFIX + factory.__name__
        # Inspect puts the package before the name once more; a log leaves out the first of the two.
        made = scorer(metrics=metrics, name=name)(factory)
        return scorer_register(made, name, {SCORER_METRICS: metrics})

    return register


@cache
def _judge(key: str) -> Judge:
    hidden = game_named(key).has_hidden_cells
    return Judge(Limits(nodes=EFFORT) if hidden else Limits())


def graded_moves(trial: Trial, metadata: dict[str, Any], source: str) -> list[GradedMove]:
    """The model's moves, each compared with the best."""
    row = None
    if suite_row := metadata.get("suite_row"):
        row = suite_rows(trial.game, metadata["suite_version"]).get(suite_row)
        if row is None:
            raise BadRequest(f"The suite has no position {suite_row}.")
    found = []
    for position, action, turn in choices(trial):
        third = row.phase if row else phase(turn.ply, trial.length)
        evaluation = row.evaluation if row else None
        cluster = str(metadata.get(CLUSTER, source))
        found.append(_judge(trial.game).judge(position, action, source, cluster, third, evaluation))
    return found


def _trial(state: TaskState) -> Trial:
    return Trial.from_dict(state.store.get(STORE_KEY) or {})


def _move_data(row: GradedMove) -> dict[str, Any]:
    """What the report needs to know of a move."""
    return {
        "ply": row.ply,
        "side": row.side,
        "phase": row.phase,
        "difficulty": row.difficulty,
        "move": row.chosen,
        "best": list(row.best),
        "value": row.value,
        "regret": row.regret,
        "error": row.error,
        "judged": row.judged,
        "decision": row.decision,
        "kept": row.kept,
    }


async def _graded(state: TaskState) -> list[GradedMove]:
    source = str(state.sample_id)
    return await think(graded_moves, _trial(state), dict(state.metadata), source)


def _decision_score(rows: list[GradedMove], values: list[float], answer: str) -> Score:
    """The score of a sample's decisions; a sample without any is not scored."""
    metadata: dict[str, Any] = {"of": len(values), "moves": [_move_data(row) for row in rows]}
    if not values:
        why = "No turn, or none in which a mistake was possible."
        return Score.unscored(reason="no-decision", explanation=why, metadata=metadata)
    return Score(value=sum(values) / len(values), answer=answer, metadata=metadata)


@package_scorer(metrics=RATES)
def regret() -> Scorer:
    """What the moves gave away, on average over those where a mistake was possible."""

    async def score(state: TaskState, target: Target) -> Score:
        del target  # what is right is known from the position
        rows = await _graded(state)
        lost = [row.regret for row in rows if row.decision]
        return _decision_score(rows, lost, " ".join(row.chosen or "-" for row in rows))

    return score


@package_scorer(metrics=RATES)
def best_moves() -> Scorer:
    """The share of those moves that were as good as the best."""

    async def score(state: TaskState, target: Target) -> Score:
        del target  # what is right is known from the position
        rows = await _graded(state)
        kept = [float(row.kept) for row in rows if row.decision]
        found = _decision_score(rows, kept, " ".join(row.chosen or "-" for row in rows))
        found.metadata = {"of": len(kept)}
        return found

    return score


@package_scorer(
    metrics=[
        mean(),
        stderr(cluster=CLUSTER),
        grouped(mean(), "game", all=False),
        grouped(mean(), "opponent", all=False, name_template="against {group_name}"),
    ]
)
def points() -> Scorer:
    """The points of a game: 1 for a win, 0 for a loss, otherwise a half."""

    async def score(state: TaskState, target: Target) -> Score:
        del target  # what is right is known from the position
        trial, side = _trial(state), int(state.metadata["side"])
        metadata = {"termination": trial.termination, "forfeit": trial.forfeit}
        if trial.winner is None:
            return Score.unscored(
                reason="stopped", explanation="The game was not played out.", metadata=metadata
            )
        worth = {side: 1.0, 3 - side: 0.0}.get(trial.winner, 0.5)
        return Score(value=worth, answer=trial.termination, metadata=metadata)

    return score


@package_scorer(metrics={"*": [rate(), rate_stderr(CLUSTER)]})
def failures() -> Scorer:
    """By class, the share of turns that ended without a legal move; and bad answers a turn."""

    async def score(state: TaskState, target: Target) -> Score:
        del target  # what is right is known from the position
        turns = _trial(state).turns
        if not turns:
            return Score.unscored(reason="no-turn", explanation="The model was never asked.")
        ended = Counter(turn.failure for turn in turns)
        answers = Counter(name for turn in turns for name in turn.failures)
        value: dict[str, float] = {name: ended[name] / len(turns) for name in CLASSES}
        value["bad_answers"] = answers.total() / len(turns)
        metadata = {"of": len(turns), "ended": dict(ended), "answers": dict(answers)}
        return Score(value=dict(value), metadata=metadata)

    return score


@package_scorer(metrics={"*": [mean(), stderr(cluster=CLUSTER)]})
def answers() -> Scorer:
    """Whether an answer is exactly right, by kind of question; and the share of fields right."""

    async def score(state: TaskState, target: Target) -> Score:
        del target  # what is right is known from the position
        if STOP_KEY not in state.store:
            return Score.unscored(reason="stopped", explanation="There was no answer.")
        question = sample_question(state.metadata)
        kind = question.kind
        said, stop = state.output.completion, state.store.get(STOP_KEY)
        graded = await think(grade_answer, question, said, stop)
        parts = list(graded.right.values())
        share = sum(parts) / len(parts) if graded.answered else 0.0
        value = {str(each): float(graded.exact) if each is kind else nan for each in Kind}
        value["fields"] = share if kind is Kind.NEXT_POSITION else nan
        metadata = {
            "right": graded.right,
            "answered": graded.answered,
            "answers": {str(graded.failure): 1} if graded.failure else {},
            "stop": stop,
        }
        return Score(
            value=dict(value), answer=said[-500:], explanation=graded.detail, metadata=metadata
        )

    return score
