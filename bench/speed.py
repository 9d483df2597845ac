"""Speed of the interpreted rules and of the start, side by side with peers. `make bench` prints it.

Random play is compared with OpenSpiel's C++ Connect Four, driven from Python through pyspiel;
`gridwise --version` with importing typer.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial

from bench.comparison import Row, best_rates, best_seconds, print_rows
from gridwise import Game, games
from gridwise.core.bits import random_bit

ROUNDS = 7
SECONDS = 0.25


def random_play(game: Game) -> Callable[[], int]:
    """Random games on the interpreted rules; each call plays one and counts its moves."""
    rng = random.Random(1)
    boards = [game.deal(rng) for _ in range(64)]
    start, moves, play = game.rules.start, game.rules.moves, game.rules.play
    uniform = rng.random
    turn = 0

    def one_game() -> int:
        nonlocal turn
        turn += 1
        board = boards[turn % 64]
        state = start(board, 1)
        plies = 0
        while plies < 200 and (legal := moves(board, state)):
            state = play(board, state, random_bit(legal, uniform))
            plies += 1
        return plies

    return one_game


def connect_four() -> Callable[[], int]:
    """The peer: OpenSpiel's C++ Connect Four, driven from Python through pyspiel."""
    import pyspiel  # noqa: PLC0415 - only the bench needs it

    game = pyspiel.load_game("connect_four")
    rng = random.Random(1)

    def one_game() -> int:
        state = game.new_initial_state()
        plies = 0
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            plies += 1
        return plies

    return one_game


def random_play_rows() -> Iterator[Row]:
    """Interpreted random play of every game against Connect Four; the goal is 1."""
    works = {"peer": connect_four()} | {game.title: random_play(game) for game in games()}
    best = best_rates(works, ROUNDS, SECONDS, time.perf_counter)
    for game in games():
        what = f"random play, {game.title}, / pyspiel"
        yield Row(what, best[game.title], best["peer"], "moves/s", at_least=0.5)


def startup_rows() -> Iterator[Row]:
    """`gridwise --version` against importing typer."""
    run = partial(subprocess.run, check=True, capture_output=True)
    best = best_seconds(
        {
            "ours": lambda: run([sys.executable, "-m", "gridwise", "--version"]),
            "peer": lambda: run([sys.executable, "-c", "import typer"]),
        },
        ROUNDS,
    )
    what = "start-up, gridwise --version / import typer"
    yield Row(what, best["ours"], best["peer"], "s", at_most=2.5)


if __name__ == "__main__":
    print_rows([*random_play_rows(), *startup_rows()])
