"""Scorers: points, regret, best moves, progress, failures, answers; from what the log has kept.

They ask no model, so `inspect score LOG` scores a log again. What is measured is what
`gridwise.grade` measures (`lab.grading`): a position counts once a game, regret is what the best
move is worth minus what the chosen one is, only where a mistake was possible; a turn that ended
without a legal move has lost all that the position was worth. Regret a game adds up what the moves
of a game threw away, and what a win was worth that was left standing.

What a model did is in the sample's store, and once more with a score: where a run is killed,
Inspect saves the scores of finished samples and not their stores. A sample of which neither is left
is not scored.

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

from inspect_ai.event import ScoreEvent
from inspect_ai.log import transcript
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
from gridwise.evals.trial import (
    ANSWER,
    ANSWER_KEY,
    CLASSES,
    MOVE_FIGURES,
    PREFIX,
    QUESTION_KEY,
    STOPPED,
    STORE_KEY,
    TRIAL,
    Trial,
    choices,
    scored_trial,
    suite_rows,
)
from gridwise.lab.grading.grade import EFFORT
from gridwise.lab.grading.judge import GradedMove, Judge, is_stalled
from gridwise.lab.grading.judge import game_regret as thrown_away
from gridwise.lab.grading.report import MEASURES

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
            return nan  # one board says nothing of others
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
    judge, cluster = _judge(trial.game), str(metadata.get(CLUSTER, source))
    asked = ((each.position, each.action) for each in choices(trial))
    if suite_row := metadata.get("suite_row"):
        row = suite_rows(trial.game, metadata["suite_version"]).get(suite_row)
        if row is None:
            raise BadRequest(f"The suite has no position {suite_row}.")
        return [judge.judge(*each, source, cluster, row.phase, row.evaluation) for each in asked]
    return judge.judge_game(asked, trial.length, source, cluster)


def kept_trial(state: TaskState) -> Trial | None:
    """What the model did: from the sample's store, or from the scores it has had before."""
    kept = state.store.get(STORE_KEY)
    trial = Trial.from_dict(kept) if kept else scored_trial(_earlier_scores(state))
    return trial and trial.counted(int(state.metadata["side"]), whole_game="pair" in state.metadata)


def _earlier_scores(state: TaskState) -> list[Score]:
    """The scores that a sample has had before."""
    events = [each.score for each in transcript().events if isinstance(each, ScoreEvent)]
    return [*events, *(state.scores or {}).values()]


def _lost(metadata: dict[str, Any] | None = None) -> Score:
    return Score.unscored(
        reason="lost",
        explanation="What the model did is not in the log: the run was killed.",
        metadata=metadata or {},
    )


def _move_data(row: GradedMove) -> dict[str, Any]:
    """What the report needs to know of a move."""
    measured = {name: measure(row) for name, measure in MEASURES.items()}
    return {
        "ply": row.ply,
        "side": row.side,
        "phase": row.phase,
        "difficulty": row.difficulty,
        "move": row.chosen,
        "best": list(row.best),
        "value": row.value,
        "error": row.error,
        "judged": row.judged,
        **{name: measured[name] for name in MOVE_FIGURES},
    }


async def _graded(state: TaskState) -> tuple[Trial, list[GradedMove]] | None:
    """What the model did, and its moves, judged; None if that is lost."""
    trial = kept_trial(state)
    if trial is None:
        return None
    return trial, await think(graded_moves, trial, dict(state.metadata), str(state.sample_id))


async def _move_score(state: TaskState, name: str) -> Score:
    """The mean of a figure over the moves on which it is measured; without any it is not scored."""
    graded = await _graded(state)
    if graded is None:
        return _lost({"of": 0})
    _, rows = graded
    values = [value for row in rows if (value := MEASURES[name](row)) is not None]
    metadata: dict[str, Any] = {"of": len(values)}
    if name == "regret":
        metadata["moves"] = [_move_data(row) for row in rows]
    if not values:
        why = "No turn, or none in which it is measured."
        return Score.unscored(reason="no-decision", explanation=why, metadata=metadata)
    answer = " ".join(row.chosen or "-" for row in rows)
    return Score(value=sum(values) / len(values), answer=answer, metadata=metadata)


@package_scorer(metrics=RATES)
async def regret(state: TaskState) -> Score:
    """What the moves gave away, on average over those where a mistake was possible."""
    return await _move_score(state, "regret")


@package_scorer(metrics=RATES)
async def best_moves(state: TaskState) -> Score:
    """The share of those moves that were as good as the best."""
    return await _move_score(state, "best")


@package_scorer(metrics=RATES)
async def progress(state: TaskState) -> Score:
    """In won positions: the share of moves that keep the win and lose no time."""
    return await _move_score(state, "progress")


@package_scorer(metrics=[mean(), stderr(cluster=CLUSTER), grouped(mean(), "game", all=False)])
async def game_regret(state: TaskState) -> Score:
    """The points that were thrown away in a game: by its moves, and by not winning what was won."""
    graded = await _graded(state)
    if graded is None:
        return _lost()
    trial, rows = graded
    if trial.winner is None:
        return _stopped()
    metadata = {"stalled": is_stalled(rows)}
    return Score(value=thrown_away(rows, trial.outcome, trial.length), metadata=metadata)


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
    trial, side = kept_trial(state), int(state.metadata["side"])
    if trial is None:
        return _lost()
    metadata = {"termination": trial.termination, "forfeit": trial.forfeit}
    worth = trial.points(side)
    if worth is None:
        return _stopped(metadata)
    return Score(value=worth, answer=trial.termination, metadata=metadata)


def _stopped(metadata: dict[str, Any] | None = None) -> Score:
    return Score.unscored(
        reason="stopped", explanation="The game was not played out.", metadata=metadata or {}
    )


@package_scorer(metrics={"*": [rate(), rate_stderr(CLUSTER)]})
async def failures(state: TaskState) -> Score:
    """By class, the share of turns that ended without a legal move; and bad answers a turn."""
    trial = kept_trial(state)
    if trial is None:
        return _lost()
    metadata: dict[str, Any] = {TRIAL: trial.to_dict()}
    turns = trial.turns
    if not turns:
        why = "The model was never asked."
        return Score.unscored(reason="no-turn", explanation=why, metadata=metadata)
    ended = Counter(turn.failure for turn in turns)
    answers = Counter(name for turn in turns for name in turn.failures)
    value: dict[str, float] = {name: ended[name] / len(turns) for name in CLASSES}
    value["bad_answers"] = answers.total() / len(turns)
    metadata |= {"of": len(turns), "ended": dict(ended), "answers": dict(answers)}
    return Score(value=dict(value), metadata=metadata)


@package_scorer(metrics={"*": [mean(), stderr(cluster=CLUSTER)]})
async def answers(state: TaskState) -> Score:
    """Whether an answer is exactly right, by kind of question; and the share of fields right.

    And whether it was written again, because the first one could not be read.
    """
    scored = ((each.metadata or {}).get(ANSWER) for each in _earlier_scores(state))
    record = state.store.get(ANSWER_KEY) or next(filter(None, scored), None)
    if record is None and QUESTION_KEY not in state.store:
        return _lost()
    # Without one a limit ended the sample while the model was asked.
    record = record or {"stop": STOPPED, "retried": []}
    stopped = record["stop"] == STOPPED
    question = sample_question(state.metadata)
    kind = question.kind
    said = "" if stopped else state.output.completion
    graded = await think(grade_answer, question, said, record["stop"])
    failure = STOPPED if stopped else str(graded.failure or "")
    bad = Counter([*record["retried"], *filter(None, [failure])])
    parts = list(graded.right.values())
    share = sum(parts) / len(parts) if graded.answered else 0.0
    value = {str(each): float(graded.exact) if each is kind else nan for each in Kind}
    value["fields"] = share if kind is Kind.NEXT_POSITION else nan
    value["retried"] = float(bool(record["retried"]))
    metadata = {
        "right": graded.right,
        "answered": graded.answered,
        "answers": dict(bad),
        ANSWER: record,
    }
    return Score(
        value=dict(value), answer=said[-500:], explanation=graded.detail, metadata=metadata
    )
