"""A tournament on a real Dask scheduler with two workers, one of which is killed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from gridwise.arena.executors import ResultFolder, open_executor
from gridwise.arena.tournament.run import Tournament, new_tournament, run, tournament_json
from gridwise.arena.tournament.sprt import Sprt
from tests.arena.test_dask import Cluster
from tests.arena.tournament import result, schedule


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler."""
    with closing(Cluster(tmp_path)) as started:
        yield started


def test_a_cluster_gives_the_same_table_though_a_worker_dies(
    cluster: Cluster, tmp_path: Path
) -> None:
    """To the digit that of one process here; with a test that stops early too."""
    plan = schedule("bot:casual", "bot:novice", key="number-maze", pairs=400)
    victims = [cluster.add_worker(), cluster.add_worker()]

    def kill_one(_: Tournament) -> None:
        if len(victims) == 2:
            victims.pop().kill()

    with open_executor(1, cluster.address) as executor:
        for sprt in (None, Sprt(0, 50)):
            tournament = new_tournament(plan, ["player 0", "player 1"], sprt)
            folder = tmp_path / f"kept {sprt is None}"
            with ResultFolder(folder, plan.about()) as results:
                run(tournament, executor, results, kill_one)
            here = tournament_json(result(plan, sprt=sprt))
            assert json.dumps(tournament_json(tournament)) == json.dumps(here)
    assert len(victims) == 1
