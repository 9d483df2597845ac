"""Compiled kernels are those of the rules as they are now, whatever the cache has seen before."""

from __future__ import annotations

import os
import random
import re
import signal
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest

import gridwise
from gridwise.engine.compiled import kernels
from gridwise.engine.compiled.specialize import play, unpack
from tests.engine.new_python import run_python
from tests.loaded_program import Child, Loaded

PATIENCE = 60.0  # seconds; a run takes a tenth of one


def one_move(board, row):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """The first field of the state after an action."""
    return play(board, unpack(row, 0), 1)[0]


def test_kernels_run_interpreted_as_well() -> None:
    """A kernel gives the same answers on plain lists and the rules as they are."""
    game = gridwise.game("number-run")
    board = game.deal(random.Random(1))
    state = game.rules.start(board, 1)
    found = kernels.interpreted(game, one_move)(board, list(state))
    assert found == game.rules.play(board, state, 1)[0]


RULES = """
from typing import NamedTuple

ACTIONS, LOW, HIGH, CYCLIC = 2, 1, 1, False

class State(NamedTuple):
    turn: int
    left: int

def taken(action):
    return action + {bonus}

def start(board, first):
    return State(first, 10)

def moves(board, state):
    return 3 if state.left > 0 else 0

def play(board, state, action):
    return State(3 - state.turn, state.left - taken(action))

def winner(board, state):
    return 0 if state.left > 0 else 3 - state.turn

def hidden(board, state):
    return 0
"""


class Run(NamedTuple):
    """What came of one process."""

    status: int
    out: str

    @property
    def left(self) -> list[int]:
        """What each of the games has left of ten after a move."""
        return [int(number) for number in re.findall(r"^left: (\d+)$", self.out, re.MULTILINE)]

    @property
    def compiled(self) -> int:
        """How many kernels it has compiled and saved."""
        return self.out.count("data saved to")

    @property
    def loaded(self) -> int:
        """How many kernels it has loaded from the disk."""
        return self.out.count("data loaded from")


LOADED = Loaded("numba", "tests.engine.one_move")


def at_once(cache: Path, *files: Sequence[Path], killed: str = "") -> list[Run]:
    """Run processes that know nothing of each other but the cache, one for each list of rules."""
    environment = os.environ | {"GRIDWISE_CACHE": str(cache), "NUMBA_DEBUG_CACHE": "1"}
    started = [
        Child(LOADED, [killed, *map(str, each)], environment, runs="tests.engine.one_move:main")
        for each in files
    ]
    said = [each.communicate(PATIENCE)[0] for each in started]
    return [Run(each.wait(), out) for each, out in zip(started, said, strict=True)]


def process(cache: Path, *files: Path) -> Run:
    """Run one process."""
    (run,) = at_once(cache, files)
    assert run.status == 0
    return run


class Toy(NamedTuple):
    """An empty cache, and two games with the same types, of which one move leaves 8 and 5."""

    cache: Path
    slow: Path
    quick: Path


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    """An empty cache and the two games, for a test."""
    made = Toy(tmp_path / "cache", tmp_path / "slow.py", tmp_path / "quick.py")
    made.slow.write_text(RULES.format(bonus=1))
    made.quick.write_text(RULES.format(bonus=4))
    return made


def test_a_changed_rule_is_not_run_stale(toy: Toy) -> None:
    """After a change in a function behind an unchanged kernel, the new rule is what runs."""
    assert process(toy.cache, toy.slow).left == [8]
    toy.slow.write_text(toy.quick.read_text())
    assert process(toy.cache, toy.slow).left == [5]
    toy.slow.write_text(RULES.format(bonus=1))
    assert process(toy.cache, toy.slow).left == [8]


def test_equally_typed_games_do_not_mix(toy: Toy) -> None:
    """Two games with the same types and the same key, in one cache and one process, stay apart."""
    assert process(toy.cache, toy.slow, toy.quick).left == [8, 5]
    again = process(toy.cache, toy.quick, toy.slow)
    assert (again.left, again.loaded, again.compiled) == ([5, 8], 2, 0)


def test_the_cache_is_used(toy: Toy) -> None:
    """A second process finds what the first has compiled, and compiles nothing."""
    first = process(toy.cache, toy.slow)
    assert (first.left, first.compiled, first.loaded) == ([8], 1, 0)
    kept = {path: path.stat().st_mtime_ns for path in toy.cache.rglob("*.nb?")}
    assert len(kept) == 2
    second = process(toy.cache, toy.slow)
    assert (second.left, second.compiled, second.loaded) == ([8], 0, 1)
    assert kept == {path: path.stat().st_mtime_ns for path in toy.cache.rglob("*.nb?")}


def test_it_is_known_what_the_disk_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel is in the cache once it has been called, and not before."""
    monkeypatch.setenv("GRIDWISE_CACHE", str(tmp_path))
    game = replace(gridwise.game("number-maze"))  # another one: nothing is compiled for it
    board = game.deal(random.Random(1))
    assert not kernels.is_cached(game, one_move)
    assert not kernels.is_compiled(game, one_move)
    row = kernels.packed(game.rules.start(board, 1))
    kernels.kernel(game, one_move)(kernels.compiled_board(board), row)
    assert kernels.is_cached(game, one_move)
    assert kernels.is_compiled(game, one_move)


def test_processes_may_compile_at_once(toy: Toy) -> None:
    """Of several that start on an empty cache together one compiles, the others load that."""
    runs = at_once(toy.cache, *[[toy.slow]] * 4)
    assert [(run.status, run.left) for run in runs] == [(0, [8])] * 4
    assert sorted((run.compiled, run.loaded) for run in runs) == [(0, 1)] * 3 + [(1, 0)]


def test_who_is_killed_while_it_compiles_blocks_nobody(toy: Toy) -> None:
    """The lock goes with its owner, and the next process compiles."""
    (run,) = at_once(toy.cache, [toy.slow], killed="killed")
    assert (run.status, run.left) == (-signal.SIGKILL, [])
    (lock,) = toy.cache.rglob("lock")  # it had it
    runs = at_once(toy.cache, *[[toy.slow]] * 2)
    assert [(run.status, run.left) for run in runs] == [(0, [8])] * 2
    assert sum(run.compiled for run in runs) == 1
    assert lock.exists()


def test_who_lets_go_of_the_lock_does_so_for_its_children_too(tmp_path: Path) -> None:
    """A process that was forked in the meantime has the file open; that does not hold it."""
    program = (
        "import fcntl, os, pathlib, signal, sys\n"
        "from gridwise.engine.compiled.cache import one_process_at_a_time\n"
        "folder = pathlib.Path(sys.argv[1])\n"
        "with one_process_at_a_time(folder):\n"
        "    forked = os.fork() or signal.pause()\n"
        "try: fcntl.flock(open(folder / 'lock'), fcntl.LOCK_EX | fcntl.LOCK_NB)\n"
        "finally: os.kill(forked, signal.SIGKILL)\n"
        "print('nobody has it')"
    )
    assert run_python(program, str(tmp_path)).stdout == "nobody has it\n"


def test_a_bad_cache_does_not_matter(toy: Toy) -> None:
    """Where nothing can be written, or the cache is damaged, kernels are compiled all the same."""
    assert process(toy.slow, toy.slow).left == [8]  # a file where the folder should be
    assert process(toy.cache, toy.slow).compiled == 1
    for path in toy.cache.rglob("*.nb?"):
        path.write_bytes(b"not what it was")
    again = process(toy.cache, toy.slow)
    assert (again.left, again.loaded) == ([8], 0)


def test_closures_are_refused() -> None:
    """Rules that close over a variable cannot be compiled faithfully, and the error says so."""
    bonus = 1
    rules = gridwise.game("number-run").rules
    odd = SimpleNamespace(**vars(rules) | {"play": lambda *_: bonus})
    game = replace(gridwise.game("number-run"), rules=odd)
    board = gridwise.Board(2, 2, (1, 1, 1, 1))
    with pytest.raises(TypeError, match="plain function"):
        kernels.kernel(game, one_move)(kernels.compiled_board(board), [])
