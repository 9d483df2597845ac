"""Speed and strength of the search with chance, on Grid Conquest.

The peer is OpenSpiel's C++ tree search (`MCTSBot` with random rollouts) on Connect Four. A
simulation of either is one walk down the tree that ends in a new leaf and is counted back up.
"""

from __future__ import annotations

import time

import pyspiel

from gridwise import Match, game
from gridwise.core.game import Position
from gridwise.engine.chance import evaluate

ROUNDS = 5
PEER_SIMULATIONS = 20_000
SECONDS = 1.0


def peer_rate() -> float:
    """Simulations a second of the C++ bot, from the first position of Connect Four."""
    played = pyspiel.load_game("connect_four")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(played, evaluator, 2.0, PEER_SIMULATIONS, 1000, False, 1, False)
    began = time.perf_counter()
    bot.step(played.new_initial_state())
    return PEER_SIMULATIONS / (time.perf_counter() - began)


def our_rate(position: Position) -> float:
    """Simulations a second of ours, from one position."""
    began = time.perf_counter()
    found = evaluate(position, seconds=SECONDS)
    return found.simulations / (time.perf_counter() - began)


def main() -> None:
    """Print the table."""
    match = Match(game("grid-conquest"), seed=3, first=1)
    evaluate(
        match.position, simulations=50
    )  # compiled, or read from the disk, before the clock runs
    positions = {"first move": match.position}
    match.move("A1")
    positions["second move"] = match.position
    peer = max(peer_rate() for _ in range(ROUNDS))
    for name, position in positions.items():
        ours = max(our_rate(position) for _ in range(ROUNDS))
        verdict = "ok" if ours >= 5 * peer else "MISSED"
        print(
            f"tree search, grid-conquest, {name:12} / OpenSpiel MCTS {ours:14,.0f} {peer:12,.0f} "
            f"simulations/s {ours / peer:7.1f}x  (at least 5x) {verdict}"
        )


if __name__ == "__main__":
    main()
