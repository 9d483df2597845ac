"""`gridwise/positions`: one move in each position of a suite, of which every move's worth is known.

inspect eval gridwise/positions --model openai/gpt-4o -T game=number-connect -T limit=100
"""

from __future__ import annotations

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.solver import Generate, Solver, TaskState, solver

from gridwise.evals.asking import ask, chat_messages, evaluated_model
from gridwise.evals.scorers import best_moves, failures, regret
from gridwise.evals.tasks.arguments import clear_errors, counted, named_games
from gridwise.evals.trial import SAMPLE_KEY, SKIN_KEY, STORE_KEY, Trial, suite_rows
from gridwise.lab.suites import VERSIONS, Suite
from gridwise.lab.suites import suite as suite_of
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.turn import Turn

VERSION = 1  # of the task: another one is another measurement


@task
def positions(
    game: str | list[str] = "all",
    limit: int | None = None,
    part: str = "test",
    suite: str = VERSIONS[-1],
    legal_moves: str = "shown",
    history: str = "shown",
    board: str = "grid",
    rules: str = "full",
    retries: int = 2,
    skin: str = "plain",
) -> Task:
    """One move in each position of the suites.

    `game` is a game, several with commas, or all; `limit` a number of positions of each game;
    `part` the part of the suite, test or train. The rest are conditions: docs/evals.md has them.
    """
    with clear_errors():
        conditions = Conditions.read(
            legal_moves=legal_moves,
            history=history,
            board=board,
            rules=rules,
            retries=retries,
            skin=skin,
        )
        most = None if limit is None else counted("limit", limit)
        chosen = [suite_of(each, suite).part(part) for each in named_games(game)]
        samples = [sample for rows in chosen for sample in _samples(rows, most, conditions)]
    return Task(
        dataset=MemoryDataset(samples, name="positions"),
        solver=answer_position(**conditions.to_dict()),
        scorer=[regret(), best_moves(), failures()],
        continue_on_fail=True,
        version=VERSION,
        metadata={"gridwise": {"task": "positions", "conditions": conditions.to_dict()}},
    )


def _samples(rows: Suite, limit: int | None, conditions: Conditions) -> list[Sample]:
    clusters = rows.clusters()
    return [
        Sample(
            id=row.id,
            input=chat_messages(Turn(row.position, conditions).messages),
            target=row.best_moves,
            metadata={
                "game": row.game.key,
                "cluster": f"{row.game.key} {clusters[row.id]}",
                "suite_version": rows.version,
                "suite_row": row.id,
                "phase": row.phase,
                "difficulty": row.difficulty,
                "side": row.position.turn,
            },
        )
        for row in rows[:limit]
    ]


@solver
def answer_position(**conditions: str | int) -> Solver:
    """Ask for a move in the sample's position."""
    read = Conditions.read(**conditions)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate  # a turn asks by itself
        about = state.metadata
        row = suite_rows(about["game"], about["suite_version"])[about["suite_row"]]
        state.store.set(SAMPLE_KEY, f"{state.sample_id} {state.epoch}")
        state.store.set(SKIN_KEY, read.skin)
        trial = Trial.of(row.position)
        state.store.set(STORE_KEY, trial.to_dict())  # a limit may end the sample while it is asked
        asked = await ask(evaluated_model(), row.position, read)
        trial.turns.append(asked.record)
        state.store.set(STORE_KEY, trial.to_dict())
        state.messages, state.output = asked.messages, asked.output
        return state

    return solve
