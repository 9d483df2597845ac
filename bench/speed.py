"""Speed, side by side with peers in one run, as ratios. `make bench` prints the table.

Absolute figures depend on the machine and on what else it is doing; the ratios are the claims.
Each row is measured in turns with its peer, several times over, and the best of each counts.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from gridwise import Game, games
from gridwise.core.bits import random_bit

ROUNDS = 7
SECONDS = 0.25


class Row(NamedTuple):
    """One comparison."""

    what: str
    ours: float
    peer: float
    unit: str
    bound: str  # what the ratio must keep

    @property
    def ratio(self) -> float:
        """Ours in terms of the peer's."""
        return self.ours / self.peer


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


def rate(one_game: Callable[[], int]) -> float:
    """Moves a second over a short while."""
    moves, began = 0, time.perf_counter()
    while time.perf_counter() - began < SECONDS:
        moves += one_game()
    return moves / (time.perf_counter() - began)


def seconds(command: list[str]) -> float:
    """How long a command takes."""
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - our own commands
    return time.perf_counter() - began


def random_play_rows() -> list[Row]:
    """Interpreted random play of every game against Connect Four."""
    peer = connect_four()
    contests = {game.title: random_play(game) for game in games()}
    best_peer = 0.0
    best = dict.fromkeys(contests, 0.0)
    for _ in range(ROUNDS):
        for title, ours in contests.items():
            best_peer = max(best_peer, rate(peer))
            best[title] = max(best[title], rate(ours))
    return [
        Row(f"random play, {title}", value, best_peer, "moves/s", ">= 0.5, goal 1")
        for title, value in best.items()
    ]


def startup_row() -> Row:
    """`gridwise --version` against importing typer."""
    ours = [sys.executable, "-m", "gridwise", "--version"]
    peer = [sys.executable, "-c", "import typer"]
    pairs = [(seconds(ours), seconds(peer)) for _ in range(ROUNDS)]
    best_ours, best_peer = (min(times) for times in zip(*pairs, strict=True))
    return Row("start-up, gridwise --version", best_ours, best_peer, "s", "<= 2.5")


def main() -> None:
    """Print the table."""
    print("Peers: OpenSpiel connect_four through pyspiel; `python -c 'import typer'`.\n")
    print(f"{'what':32} {'ours':>12} {'peer':>12} {'unit':8} {'ratio':>6}  must be")
    for row in [*random_play_rows(), startup_row()]:
        figures = f"{row.ours:12,.3f} {row.peer:12,.3f}"
        if row.unit != "s":
            figures = f"{row.ours:12,.0f} {row.peer:12,.0f}"
        print(f"{row.what:32} {figures} {row.unit:8} {row.ratio:6.2f}  {row.bound}")


if __name__ == "__main__":
    main()
