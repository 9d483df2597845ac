"""Tournaments in tests: small schedules, played in this process or by workers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gridwise.arena.executors import Executor, ResultFolder
from gridwise.arena.tournament.play_block import play_block
from gridwise.arena.tournament.run import Tournament, new_tournament, run
from gridwise.arena.tournament.schedule import Schedule, tournament_game
from gridwise.arena.tournament.sprt import Sprt
from gridwise.arena.tournament.time_limits import TimeLimits
from gridwise.core.registry import game
from tests.arena.test_study import Here

FAST = TimeLimits(50, None, 150)  # where a program is late on purpose
PATIENT = TimeLimits(100, None, 20_000)  # where it must not be late, on however busy a machine


def schedule(
    *players: str,
    key: str = "grid-runner",
    pairs: int = 1,
    **options: Any,  # noqa: ANN401 - those of a Schedule
) -> Schedule:
    """A schedule at one game."""
    return Schedule(
        players, [tournament_game(game(key))], pairs, **{"limits": PATIENT, "seed": 0, **options}
    )


def played(*players: str, **options: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - as above
    """The games of a schedule, played here."""
    found = []
    for _, task in schedule(*players, **options).tasks():
        found += play_block(**json.loads(json.dumps(task.arguments)))
    return found


def result(
    schedule: Schedule,
    folder: Path | None = None,
    executor: Executor | None = None,
    sprt: Sprt | None = None,
) -> Tournament:
    """A tournament that has been run, in this process unless it is given others."""
    names = [f"player {number}" for number in range(len(schedule.players))]
    tournament = new_tournament(schedule, names, sprt)
    with ResultFolder(folder, schedule.about()) as results:
        return run(tournament, executor or Here(), results, lambda _: None)
