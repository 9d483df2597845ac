"""Scorers: regret, best moves, points and failures, from what the log has kept of a sample.

They ask no model, so `inspect score LOG` scores a log again. A move's worth is that of
`gridwise.grade`: what the best move is worth minus what the chosen one is, only where a mistake was
possible; a turn that ended without a legal move has lost all that the position was worth.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, grouped, mean, stderr
from inspect_ai.solver import TaskState

from gridwise.arena.grades.difficulty import phase
from gridwise.arena.grades.graded_moves import GradedMove, Judge
from gridwise.arena.grading import EFFORT
from gridwise.arena.suites import SuiteRow
from gridwise.arena.suites import suite as suite_of
from gridwise.core.registry import game as game_named
from gridwise.engine.evaluation import Limits
from gridwise.errors import BadRequest
from gridwise.evals.background import think
from gridwise.evals.metrics import rate, rate_by, rate_stderr
from gridwise.evals.package_scorer import package_scorer
from gridwise.evals.trial import STORE_KEY, Trial, choices
from gridwise.prompts.reply import Failure

CLUSTER = "cluster"
RATES = [rate(), rate_stderr(CLUSTER), rate_by("game")]
# A provider's failure is an error of the sample, never a score.
CLASSES = [each.value for each in Failure if each is not Failure.FAILED]


@cache
def _judge(key: str) -> Judge:
    hidden = game_named(key).has_hidden_cells
    return Judge(Limits(nodes=EFFORT) if hidden else Limits())


@cache
def suite_rows(key: str, version: str) -> dict[str, SuiteRow]:
    """The rows of a suite by their ids."""
    return {row.id: row for row in suite_of(key, version)}


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
