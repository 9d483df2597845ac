"""Tournaments in tests: small schedules, played in this process or by workers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gridwise.core.registry import game
from gridwise.lab.run import Executor
from gridwise.lab.store import ResultStore
from gridwise.lab.tournament.play import play_block
from gridwise.lab.tournament.run import Tournament, new_tournament, run, tasks
from gridwise.lab.tournament.schedule import Schedule, TimeLimits
from gridwise.lab.tournament.sprt import Sprt
from gridwise.play.boards import board_source

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
        players, [board_source(game(key))], pairs, **{"limits": PATIENT, "seed": 0, **options}
    )


def played(*players: str, **options: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - as above
    """The games of a schedule, played here."""
    found = []
    for task in tasks(schedule(*players, **options)):
        found += play_block(**task.arguments)
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
    with ResultStore.in_folder(folder, schedule.about()) as results:
        return run(tournament, executor or Executor(), results, lambda _: None)
