"""Plays one move of games of one's own; a process that has loaded this has numba and no kernel."""

from __future__ import annotations

import os
import runpy
import signal
import sys
from types import SimpleNamespace

import numba
import numpy as np
from numba.core.caching import IndexDataCacheFile

from gridwise.core.defaults import complete_text
from gridwise.core.game import Game
from gridwise.engine.compiled import pointers  # noqa: F401 - what the first kernel would load
from gridwise.engine.compiled.kernels import kernel
from gridwise.engine.compiled.specialize import play, unpack
from gridwise.games.number_maze import text


def one_move(board, row):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """The second field of the state after an action."""
    return play(board, unpack(row, 0), 1)[1]


def main() -> None:
    """Say what is left after a move in each of the rule files; all have one key.

    After the word `killed`, it is killed when it would save a kernel.
    """
    numba.config.reload_config()  # type: ignore[no-untyped-call] # for NUMBA_DEBUG_CACHE
    killed, *files = sys.argv[1:]
    if killed:
        IndexDataCacheFile.save = lambda *_: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[method-assign]
    for path in files:
        rules = SimpleNamespace(**runpy.run_path(path))
        game = Game("toy", "Toy", rules, complete_text(text), 1, 2)
        left = kernel(game, one_move)(0, np.array(rules.start(0, 1), np.int64))
        print("left:", left, flush=True)
