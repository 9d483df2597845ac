"""`gridwise/rules`: whether a model knows the rules, and keeps track of what a move changes.

    inspect eval gridwise/rules --model openai/gpt-4o -T game=number-maze -T limit=50

Two questions about each position of the suite: list the legal moves, and give the position after a
move. Both are graded as data, exactly; no move is better than another here.
"""

from __future__ import annotations

from math import nan

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, Scorer, Target, mean, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from gridwise.arena.suites import VERSIONS, Suite, SuiteRow
from gridwise.arena.suites import suite as suite_of
from gridwise.core.rng import Stream
from gridwise.evals.asking import chat_messages, evaluated_model, stop_reason
from gridwise.evals.background import think
from gridwise.evals.package_scorer import package_scorer
from gridwise.evals.questions import Kind, RulesQuestion, grade_answer, question_prompt
from gridwise.evals.scoring import CLUSTER, suite_rows
from gridwise.evals.tasks.arguments import clear_errors, counted, named_games
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.skins import skin as skin_of

VERSION = 1  # of the task: another one is another measurement
STOP_KEY = "gridwise_stop"


@task
def rules(
    game: str | list[str] = "all",
    limit: int | None = 50,
    part: str = "test",
    suite: str = VERSIONS[-1],
    history: str = "shown",
    board: str = "grid",
    rules: str = "full",
    skin: str = "plain",
) -> Task:
    """List the legal moves; give the position after a move.

    `game` is a game, several with commas, or all; `limit` a number of positions of each game, with
    two questions each; `part` the part of the suite. The rest are conditions: docs/evals.md.
    """
    with clear_errors():
        # The legal moves are never shown: they are the question. Nothing is asked twice.
        conditions = Conditions.read(
            legal_moves="hidden", history=history, board=board, rules=rules, retries=0, skin=skin
        )
        most = None if limit is None else counted("limit", limit)
        chosen = [suite_of(each, suite).part(part) for each in named_games(game)]
        samples = [sample for rows in chosen for sample in _samples(rows, most, conditions)]
    return Task(
        dataset=MemoryDataset(samples, name="rules"),
        solver=answer_question(),
        scorer=answers(),
        continue_on_fail=True,
        version=VERSION,
        metadata={"gridwise": {"task": "rules", "conditions": conditions.to_dict()}},
    )


def move_to_make(row: SuiteRow) -> int:
    """A move whose outcome can be foreseen, drawn by the row's id; -1 where none can.

    A move that turns up face-down cells cannot: nobody knows what is there.
    """
    position = row.position
    known = [action for action in position.legal if not position.reveals(action)]
    return known[Stream(row.id).below(len(known))] if known else -1


def _samples(rows: Suite, limit: int | None, conditions: Conditions) -> list[Sample]:
    found, clusters = [], rows.clusters()
    for row in rows[:limit]:
        action = move_to_make(row)
        for kind in Kind:
            if kind is Kind.NEXT_POSITION and action < 0:
                continue
            prompt = question_prompt(kind, row.position, conditions, action)
            found.append(
                Sample(
                    id=f"{row.id} {kind}".replace(" ", "-"),
                    input=chat_messages(prompt.messages),
                    metadata={
                        "game": row.game.key,
                        "cluster": f"{row.game.key} {clusters[row.id]}",
                        "suite_version": rows.version,
                        "suite_row": row.id,
                        "kind": str(kind),
                        "skin": conditions.skin,
                    },
                )
            )
    return found


@solver
def answer_question() -> Solver:
    """Ask the sample's question, once."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate  # a turn asks by itself
        state.output = await evaluated_model().generate(state.messages)
        state.store.set(STOP_KEY, stop_reason(state.output))
        state.messages.append(state.output.message)
        return state

    return solve


@package_scorer(metrics={"*": [mean(), stderr(cluster=CLUSTER)]})
def answers() -> Scorer:
    """Whether an answer is exactly right, by kind of question; and the share of fields right."""

    async def score(state: TaskState, target: Target) -> Score:
        del target  # what is right is known from the position
        about = state.metadata
        if STOP_KEY not in state.store:
            return Score.unscored(reason="stopped", explanation="There was no answer.")
        row = suite_rows(about["game"], about["suite_version"])[about["suite_row"]]
        kind = Kind(about["kind"])
        clothes = skin_of(row.game, about["skin"])
        question = RulesQuestion(kind, row.position, clothes, move_to_make(row))
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
