"""The engine's speed, side by side with peers in one run, as ratios.

    python -m bench.engine            the table of ratios
    python -m bench.engine --growth   how the cost of solving grows with the board

Random games: compiled, against OpenSpiel's C++ Connect Four driven through pyspiel.

Solving: uniform boards in bulk, against easyAI's solver (Negamax with a table, deeper and deeper)
and OpenSpiel's Python minimax (as deep as it looks if not told otherwise), on the same boards and
by our interpreted rules. Ours finds distances too; OpenSpiel's finds values only, and neither can
tell that a game is endless. A peer gets `PATIENCE` seconds a board; where it was given up, its
rate and so the ratio are bounds, marked with >. OpenSpiel's minimax searches a game written in
Python in the way OpenSpiel documents, and nine tenths of its time goes into OpenSpiel's own states;
handed bare Python objects instead, it was 240 to 250 times slower than ours on Number Connect.

Times are processor time, so that what else the machine is doing matters less.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import pyspiel

from bench.peers import Clock, OutOfPatienceError, by_easy_ai, by_open_spiel
from bench.playouts import play_outs
from gridwise import Board, Game, SolvedBoards, game, games, solve_boards
from gridwise.core.contracts import State
from gridwise.core.position import start
from gridwise.engine.exact.solver import solve

ROUNDS = 5
BOARDS = 30
PATIENCE = 2.0  # seconds for a board
PEER_SECONDS = 12.0  # in all; boards that are left after that are left out for both
SOLVED = ("number-connect", "number-maze", "number-run")


class Row(NamedTuple):
    """One comparison; speeds are per second."""

    what: str
    ours: float
    peer: float
    unit: str
    wanted: int
    bounded: bool = False  # whether the peer did not finish

    def __str__(self) -> str:
        ratio = self.ours / self.peer
        mark = ">" if self.bounded else " "
        verdict = "ok" if ratio >= self.wanted else "MISSED"
        return (
            f"{self.what:52}{self.ours:>14,.0f}{self.peer:>14,.2f} {self.unit:9}"
            f"{mark}{ratio:>9,.0f}x  (at least {self.wanted:,}x) {verdict}"
        )


# Random games


def connect_four_rate(seconds: float = 0.3) -> float:
    """Random moves a second of OpenSpiel's Connect Four, driven from Python."""
    peer = pyspiel.load_game("connect_four")
    rng = random.Random(1)
    plies, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        state = peer.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            plies += 1
    return plies / (time.process_time() - began)


def playout_rate(played: Game, count: int = 2_000) -> float:
    """Random moves a second, compiled, on 16 uniform boards."""
    boards = [played.deal(random.Random(seed)) for seed in range(16)]
    starts = [played.rules.start(board, 1) for board in boards]
    play_outs(played, boards[0], starts[0], 1, 1)  # compile
    plies, began = 0, time.process_time()
    for board, state in zip(boards, starts, strict=True):
        plies += play_outs(played, board, state, count, 1).plies
    return plies / (time.process_time() - began)


def playout_rows() -> Iterator[Row]:
    """Every game against the peer, measured in turns; the best of each counts."""
    ours = {played.key: 0.0 for played in games()}
    peer = 0.0
    for _ in range(ROUNDS):
        peer = max(peer, connect_four_rate())
        for played in games():
            ours[played.key] = max(ours[played.key], playout_rate(played))
    for key, rate in ours.items():
        yield Row(f"random games, {key}, / pyspiel", rate, peer, "moves/s", 20)


# Solving


def sample(played: Game) -> list[Board]:
    """Uniform boards that are not lost before the first move."""
    rng = random.Random(7)
    boards = [played.deal(rng) for _ in range(2 * BOARDS)]
    return [b for b in boards if played.rules.moves(b, played.rules.start(b, 1))][:BOARDS]


def solved_in_bulk(played: Game, boards: list[Board], *, actions: bool = False) -> SolvedBoards:
    """Boards of the standard size, solved on one thread."""
    cells = np.array([board.cells for board in boards]).reshape(-1, played.rows, played.cols)
    return solve_boards(played, cells, threads=1, actions=actions)


def our_rate(played: Game, boards: list[Board], *, actions: bool = False) -> float:
    """Boards a second on one thread, in bulk, the same boards over and over."""
    many = boards * (1 + 1000 // len(boards))
    best = 0.0
    for _ in range(ROUNDS):
        began = time.process_time()
        solved_in_bulk(played, many, actions=actions)
        best = max(best, len(many) / (time.process_time() - began))
    return best


class Tried(NamedTuple):
    """How a peer did."""

    boards: int
    given_up: int
    rate: float


Solver = Callable[[Game, Board, State, Clock], int]


def peer_rate(solver: Solver, played: Game, boards: list[Board]) -> Tried:
    """Solve as many boards as there is time for; a winner that is found must be the right one."""
    tried, given_up, began = 0, 0, time.process_time()
    for board, exact in zip(boards, solved_in_bulk(played, boards).value, strict=True):
        if time.process_time() - began > PEER_SECONDS:
            break
        tried += 1
        try:
            value = solver(played, board, played.rules.start(board, 1), Clock(PATIENCE))
        except OutOfPatienceError:
            given_up += 1
        else:
            if value != exact:
                raise SystemExit(f"{played.key} {played.board_text(board)}: {value}, not {exact}")
    return Tried(tried, given_up, tried / (time.process_time() - began))


def solving_rows() -> Iterator[Row]:
    """Three games against two peers, each pair on the same boards."""
    peers = [("easyAI", by_easy_ai, 200), ("OpenSpiel", by_open_spiel, 1000)]
    for key in SOLVED:
        played = game(key)
        boards = sample(played)
        for name, solver, wanted in peers:
            peer = peer_rate(solver, played, boards)
            what = f"solving, {key}, / {name} ({peer.boards - peer.given_up} of {peer.boards})"
            ours = our_rate(played, boards[: peer.boards])
            yield Row(what, ours, peer.rate, "boards/s", wanted, bounded=peer.given_up > 0)
        # Every first action too, against the bare values: at least a fifth of their speed.
        every = our_rate(played, boards, actions=True)
        what = f"every action, {key}, / the values alone"
        yield Row(what, 5 * every, our_rate(played, boards), "/5", 1)


# Growth


def growth() -> None:
    """Nodes and time to value every first move, from 3x3 to 7x7: the median of nine boards.

    Grid Runner has one board of each size, and what is solved once is remembered.
    """
    for key in (*SOLVED, "grid-runner"):
        played = game(key)
        for side in range(3, 8):
            nodes, seconds, exact = [], [], 0
            boards = 1 if played.fixed else 9
            for seed in range(boards):
                board = played.deal(random.Random(seed), side, side)
                began = time.process_time()
                found = solve(start(played, board))
                seconds.append(time.process_time() - began)
                nodes.append(found.nodes)
                exact += found.exact
            print(
                f"{key:16}{side}x{side}{statistics.median(nodes):>12,.0f} nodes"
                f"{statistics.median(seconds):>9.4f} s   {exact} of {boards} exact"
            )


def main() -> None:
    """Print the table."""
    if "--growth" in sys.argv[1:]:
        growth()
        return
    for key in SOLVED:
        # Compiled before the clock runs: processor time counts all threads, the compiler's too, and
        # would be charged to whoever is measured meanwhile.
        for actions in (False, True):
            solved_in_bulk(game(key), [game(key).deal(random.Random(1))], actions=actions)
    print(f"{'':52}{'ours':>14}{'peer':>14} {'':9}{'ratio':>11}")
    for make in (playout_rows, solving_rows):
        for row in make():
            print(row, flush=True)


if __name__ == "__main__":
    main()
