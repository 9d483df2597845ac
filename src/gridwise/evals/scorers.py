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
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache
from math import nan, sqrt
from typing import Any

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
from gridwise.evals.trial import CLASSES, PREFIX, STOP_KEY, STORE_KEY, Trial, choices, suite_rows
from gridwise.lab.grading.grade import EFFORT
from gridwise.lab.grading.judge import GradedMove, Judge, phase

CLUSTER = "cluster"


# Metrics


def _totals(scores: Sequence[SampleScore]) -> tuple[float, float]:
    """The sum and the number of the measurements of some samples."""
    counts = [float((each.score.metadata or {}).get("of", 1)) for each in scores]
    sums = [each.score.as_float() * n for each, n in zip(scores, counts, strict=True)]
    return sum(sums), sum(counts)


# Inspect reads from the annotation of a metric's `scores` what to call it with.


def _rate(scores: list[SampleScore]) -> float:
    total, count = _totals(scores)
    return total / count if count else nan


def _groups(scores: Sequence[SampleScore], key: str) -> dict[str, list[SampleScore]]:
    groups: dict[str, list[SampleScore]] = defaultdict(list)
    for each in scores:
        groups[str((each.sample_metadata or {}).get(key, each.sample_id))].append(each)
    return groups


@metric(scores="unreduced")
def rate() -> Metric:
    """The rate over all moves of all samples."""
    return _rate


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
        sums = [_totals(own) for own in _groups(scores, cluster).values()]
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
) -> Callable[[Callable[[TaskState], Awaitable[Score]]], Callable[[], Scorer]]:
    """As Inspect's `scorer`: what scores a sample becomes a scorer that `inspect score LOG` finds.

    A log keeps the name of a scorer without its package, and looks it up as it stands, so scorers
    that are found by an entry point would not be found in a log. Ours have it in their own.
    """

    def register(graded: Callable[[TaskState], Awaitable[Score]]) -> Callable[[], Scorer]:
        name = PREFIX + graded.__name__

        def factory() -> Scorer:
            async def score(state: TaskState, target: Target) -> Score:
                del target  # what is right is known from the position
                return await graded(state)

            return score

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
    graded = []
    for position, action, turn in choices(trial):
        third = row.phase if row else phase(turn.ply, trial.length)
        evaluation = row.evaluation if row else None
        cluster = str(metadata.get(CLUSTER, source))
        judge = _judge(trial.game).judge
        graded.append(judge(position, action, source, cluster, third, evaluation))
    return graded


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
        "kept": row.optimal,
    }


async def _decision_score(state: TaskState, figure: Callable[[GradedMove], float]) -> Score:
    """The mean of a figure over a sample's decisions; a sample without any is not scored."""
    source = str(state.sample_id)
    rows = await think(graded_moves, _trial(state), dict(state.metadata), source)
    values = [figure(row) for row in rows if row.decision]
    metadata: dict[str, Any] = {"of": len(values), "moves": [_move_data(row) for row in rows]}
    if not values:
        why = "No turn, or none in which a mistake was possible."
        return Score.unscored(reason="no-decision", explanation=why, metadata=metadata)
    answer = " ".join(row.chosen or "-" for row in rows)
    return Score(value=sum(values) / len(values), answer=answer, metadata=metadata)


@package_scorer(metrics=RATES)
async def regret(state: TaskState) -> Score:
    """What the moves gave away, on average over those where a mistake was possible."""
    return await _decision_score(state, lambda row: row.regret)


@package_scorer(metrics=RATES)
async def best_moves(state: TaskState) -> Score:
    """The share of those moves that were as good as the best."""
    score = await _decision_score(state, lambda row: row.optimal)
    return score.model_copy(update={"metadata": {"of": (score.metadata or {})["of"]}})


@package_scorer(
    metrics=[
        mean(),
        stderr(cluster=CLUSTER),
        grouped(mean(), "game", all=False),
        grouped(mean(), "opponent", all=False, name_template="against {group_name}"),
    ]
)
async def points(state: TaskState) -> Score:
    """The points of a game: 1 for a win, 0 for a loss, otherwise a half."""
    trial, side = _trial(state), int(state.metadata["side"])
    metadata = {"termination": trial.termination, "forfeit": trial.forfeit}
    if trial.winner is None:
        return Score.unscored(
            reason="stopped", explanation="The game was not played out.", metadata=metadata
        )
    worth = {side: 1.0, 3 - side: 0.0}.get(trial.winner, 0.5)
    return Score(value=worth, answer=trial.termination, metadata=metadata)


@package_scorer(metrics={"*": [rate(), rate_stderr(CLUSTER)]})
async def failures(state: TaskState) -> Score:
    """By class, the share of turns that ended without a legal move; and bad answers a turn."""
    turns = _trial(state).turns
    if not turns:
        return Score.unscored(reason="no-turn", explanation="The model was never asked.")
    ended = Counter(turn.failure for turn in turns)
    answers = Counter(name for turn in turns for name in turn.failures)
    value: dict[str, float] = {name: ended[name] / len(turns) for name in CLASSES}
    value["bad_answers"] = answers.total() / len(turns)
    metadata = {"of": len(turns), "ended": dict(ended), "answers": dict(answers)}
    return Score(value=dict(value), metadata=metadata)


@package_scorer(metrics={"*": [mean(), stderr(cluster=CLUSTER)]})
async def answers(state: TaskState) -> Score:
    """Whether an answer is exactly right, by kind of question; and the share of fields right."""
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
