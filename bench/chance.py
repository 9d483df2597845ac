"""Speed of the search with chance, on Grid Conquest.

The peer is OpenSpiel's C++ tree search (`MCTSBot` with random rollouts) on Connect Four. A
simulation of either is one walk down the tree that ends in a new leaf and is count_numbers back up.
"""

from __future__ import annotations

import time

import pyspiel

from gridwise import Match, game
from gridwise.core.position import Position
from gridwise.engine.budget import Budget
from gridwise.engine.chance.race import race_of
from gridwise.engine.chance.win_probability import WinProbabilitySearch

ROUNDS = 5
PEER_SIMULATIONS = 20_000
SIMULATIONS = 200_000


def peer_rate() -> float:
    """Simulations a second of the C++ bot, from the first position of Connect Four."""
    played = pyspiel.load_game("connect_four")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(played, evaluator, 2.0, PEER_SIMULATIONS, 1000, False, 1, False)
    began = time.perf_counter()
    bot.step(played.new_initial_state())
    return PEER_SIMULATIONS / (time.perf_counter() - began)


def our_rate(position: Position) -> float:
    """Simulations a second of ours, from one position; working moves out exactly is left out."""
    search = WinProbabilitySearch(position.game, race_of(position), seed=0)
    budget = Budget()
    search.compile_kernel(budget)
    began = time.perf_counter()
    search.sample(SIMULATIONS, budget)
    return SIMULATIONS / (time.perf_counter() - began)


def main() -> None:
    """Print the table: the claims of one game, one after the other.

    The best of some rounds, in which each rate is measured once: so a machine that is busy for a
    while is busy for all.
    """
    match = Match(game("grid-conquest"), seed=3, first=1)
    positions = []
    for move in ("A1", "E5", "C3", "B2"):
        positions.append(match.position)
        match.move(move)
    peers, ours = [], []
    for _ in range(ROUNDS):
        peers.append(peer_rate())
        ours.append([our_rate(position) for position in positions])
    peer = max(peers)
    for number, rates in enumerate(zip(*ours, strict=True), 1):
        rate = max(rates)
        verdict = "ok" if rate >= 5 * peer else "MISSED"
        print(
            f"tree search, grid-conquest, move {number}, / OpenSpiel MCTS {rate:14,.0f} "
            f"{peer:12,.0f} simulations/s {rate / peer:7.1f}x  (at least 5x) {verdict}"
        )


if __name__ == "__main__":
    main()
