"""`gridwise/rules`: whether a model knows the rules, and keeps track of what a move changes.

    inspect eval gridwise/rules --model openai/gpt-4o -T game=number-maze -T limit=50

Two questions about each position of the suite: list the legal moves, and give the position after a
move. Both are graded as data, exactly; no move is better than another here.
"""

from __future__ import annotations

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.solver import Generate, Solver, TaskState, solver

from gridwise.evals.asking import chat_messages, evaluated_model, stop_reason
from gridwise.evals.rules_questions import Kind, move_to_make, question_prompt
from gridwise.evals.scorers import answers
from gridwise.evals.tasks.arguments import clear_errors, counted, named_games
from gridwise.evals.trial import QUESTION_KEY, STOP_KEY
from gridwise.lab.suites import VERSIONS, Suite
from gridwise.lab.suites import suite as suite_of
from gridwise.prompts.conditions import Conditions

VERSION = 1  # of the task: another one is another measurement


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
        state.store.set(QUESTION_KEY, dict(state.metadata))
        state.output = await evaluated_model().generate(state.messages)
        state.store.set(STOP_KEY, stop_reason(state.output))
        state.messages.append(state.output.message)
        return state

    return solve
