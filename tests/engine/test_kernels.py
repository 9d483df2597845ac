"""Compiled kernels play by the very same rules, whatever the cache has seen before."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import bench
import gridwise
from bench.playouts import play_outs, random_games
from gridwise.core.game import Game
from gridwise.engine.compiled import kernels
from gridwise.engine.compiled.kernels import pack
from gridwise.engine.compiled.specialize import hidden, moves, play, start, unpack, winner

KEYS = [game.key for game in gridwise.games()]


def everything(board, row, action, out):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """Tell all that the rules say of a state and of the one after an action."""
    state = unpack(row, 0)
    out[0] = moves(board, state)
    out[1] = winner(board, state)
    out[2] = hidden(board, state)
    if action >= 0:
        state = play(board, state, action)
    pack(state, out, 3)
    pack(start(board, 1), row, 0)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("rows", [0, 7])
def test_compiled_rules_agree_with_the_rules(key: str, rows: int) -> None:
    """Along random games, on boards of all sizes, compiled and interpreted rules say the same."""
    import numpy as np  # noqa: PLC0415

    game, rng = gridwise.game(key), random.Random(key)
    compiled = kernels.kernel(game, everything)
    for _ in range(20):
        board = game.deal(rng, rows and rng.randint(2, 7), rows and rng.randint(2, 9))
        flat = kernels.compiled_board(board)
        state = game.rules.start(board, 1)
        for _ply in range(80):
            legal = game.rules.moves(board, state)
            listed = [action for action in range(game.actions(board)) if legal >> action & 1]
            action = rng.choice(listed) if listed else -1
            row, out = kernels.packed(state), np.zeros(3 + len(state), dtype=np.int64)
            compiled(flat, row, action, out)
            after = game.rules.play(board, state, action) if listed else state
            expected = (legal, game.rules.winner(board, state), game.rules.hidden(board, state))
            assert tuple(out) == expected + tuple(after)
            assert tuple(row) == tuple(game.rules.start(board, 1))
            state = after


def test_kernels_run_interpreted_as_well() -> None:
    """A kernel gives the same answers on plain lists and the rules as they are."""
    game = gridwise.game("number-run")
    board = game.deal(random.Random(1))
    state = game.rules.start(board, 1)
    out = [0] * (3 + len(state))
    kernels.interpreted(game, everything)(board, list(state), 1, out)
    assert tuple(out[3:]) == tuple(game.rules.play(board, state, 1))


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

# Plays the game of the file argv[1] under the key argv[2] and prints how long random games are.
PROGRAM = """
import runpy, sys
from types import SimpleNamespace
from gridwise.core.board import Board
from gridwise.core.game import Game
from bench.playouts import play_outs
for path in sys.argv[2:]:
    rules = SimpleNamespace(**runpy.run_path(path))
    game = Game(sys.argv[1], "Toy", rules, None, 1, 2)
    board = Board(1, 2, (1, 1))
    print(play_outs(game, board, rules.start(board, 1), 1000, 1).plies)
"""


def plies(cache: Path, *files: Path) -> list[int]:
    """Run the games of some rule files, all under one key, in one process and with one cache."""
    return [int(line) for line in _run(PROGRAM, cache, "toy", *map(str, files)).split()]


def _environment(cache: Path) -> dict[str, str]:
    folders = [Path(module.__file__ or "").parents[1] for module in (gridwise, bench)]
    path = os.pathsep.join(map(str, folders))
    return os.environ | {"GRIDWISE_CACHE": str(cache), "PYTHONPATH": path}


def _run(program: str, cache: Path, *arguments: str) -> str:
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(
        command, env=_environment(cache), capture_output=True, text=True, check=True
    )
    return done.stdout


def test_a_changed_rule_is_not_run_stale(tmp_path: Path) -> None:
    """After a change in a function behind an unchanged kernel, the new rule is what runs."""
    file, cache = tmp_path / "rules.py", tmp_path / "cache"
    file.write_text(RULES.format(bonus=1))
    first = plies(cache, file)
    file.write_text(RULES.format(bonus=4))
    assert plies(cache, file)[0] < first[0] / 1.5
    file.write_text(RULES.format(bonus=1))
    assert plies(cache, file) == first


def test_equally_typed_games_do_not_mix(tmp_path: Path) -> None:
    """Two games with the same types and the same key, in one cache and one process, stay apart."""
    quick, slow, cache = tmp_path / "quick.py", tmp_path / "slow.py", tmp_path / "cache"
    quick.write_text(RULES.format(bonus=4))
    slow.write_text(RULES.format(bonus=1))
    apart = [plies(tmp_path / "other", slow)[0], plies(tmp_path / "third", quick)[0]]
    assert plies(cache, slow, quick) == apart
    assert plies(cache, slow, quick) == apart  # both now from the disk
    assert plies(cache, quick, slow) == apart[::-1]


def test_the_cache_is_used(tmp_path: Path) -> None:
    """A second process finds what the first has compiled, and compiles nothing."""
    file, cache = tmp_path / "rules.py", tmp_path / "cache"
    file.write_text(RULES.format(bonus=1))
    plies(cache, file)
    kept = {path: path.stat().st_mtime_ns for path in cache.rglob("*.nb?")}
    assert len(kept) == 2
    report = _run(
        "import os; os.environ['NUMBA_DEBUG_CACHE'] = '1'\n" + PROGRAM, cache, "toy", str(file)
    )
    assert "data loaded" in report
    assert "saved" not in report
    assert kept == {path: path.stat().st_mtime_ns for path in cache.rglob("*.nb?")}


def test_it_is_known_what_the_disk_has() -> None:
    """A kernel is in the cache once it has been called, and not before."""
    game = another_maze()
    board = game.deal(random.Random(1))
    assert not kernels.is_cached(game, random_games)
    play_outs(game, board, game.rules.start(board, 1), 1, 1)
    assert kernels.is_cached(game, random_games)
    assert kernels.is_compiled(game, random_games)


def another_maze() -> Game:
    """Number Maze under another key, so that nothing has been compiled for it."""
    return replace(gridwise.game("number-maze"), key="another-maze")


def test_processes_may_compile_at_once(tmp_path: Path) -> None:
    """Several processes that start on an empty cache together all come out right."""
    file, cache = tmp_path / "rules.py", tmp_path / "cache"
    file.write_text(RULES.format(bonus=1))
    env = _environment(cache)
    command = [sys.executable, "-c", PROGRAM, "toy", str(file)]
    running = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE) for _ in range(3)]
    told = [process.communicate()[0] for process in running]
    assert [process.returncode for process in running] == [0, 0, 0]
    assert len(set(told)) == 1
    assert plies(cache, file) == [int(told[0])]


@pytest.mark.parametrize("spoiled", ["unwritable", "damaged"])
def test_a_bad_cache_does_not_matter(tmp_path: Path, spoiled: str) -> None:
    """Where nothing can be written, or the cache is damaged, kernels are compiled all the same."""
    file, cache = tmp_path / "rules.py", tmp_path / "cache"
    file.write_text(RULES.format(bonus=1))
    if spoiled == "unwritable":
        cache.write_text("a file where the folder should be")
        assert plies(cache, file)
        return
    right = plies(cache, file)
    for path in cache.rglob("*.nb?"):
        path.write_bytes(b"not what it was")
    assert plies(cache, file) == right


def test_importing_gridwise_is_light(tmp_path: Path) -> None:
    """Neither numba nor numpy is imported before something is compiled."""
    program = (
        "import sys, gridwise, gridwise.engine.evaluate, gridwise.engine.compiled.kernels\n"
        "print([name for name in ('numba', 'numpy') if name in sys.modules])"
    )
    assert _run(program, tmp_path).strip() == "[]"


def test_closures_are_refused() -> None:
    """Rules that close over a variable cannot be compiled faithfully, and the error says so."""
    bonus = 1
    rules = gridwise.game("number-run").rules
    functions = {name: getattr(rules, name) for name in ("start", "moves", "play", "hidden")}
    odd = SimpleNamespace(**functions, winner=lambda *_: bonus)
    game = Game("odd", "Odd", odd, None, 2, 2)  # type: ignore[arg-type]
    board = gridwise.Board(2, 2, (1, 1, 1, 1))
    odd.LOW = odd.HIGH = 1
    with pytest.raises(TypeError, match="plain function"):
        play_outs(game, board, rules.start(board, 1), 1, 1)
