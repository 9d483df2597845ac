"""How near the end of a Grid Conquest game its chances are computed, not sampled.

Positions of games between two strong bots, two seconds each: the figures are in docs/engine.md.
"""

from __future__ import annotations

from collections import Counter

from gridwise import Limits, Match, bot, evaluate, game

GAMES = 14
SECONDS = 2.0


def measure() -> None:
    """Print how many positions were exact, by cells face down and by points still needed."""
    seen: dict[str, Counter[int]] = {"face down": Counter(), "points needed": Counter()}
    exact: dict[str, Counter[int]] = {"face down": Counter(), "points needed": Counter()}
    conquest = game("grid-conquest")
    for seed in range(GAMES):
        match = Match(conquest, seed=seed)
        seats = [bot(conquest, "strong", f"{seed} {player}") for player in (1, 2)]
        while not match.outcome:
            evaluation = evaluate(match.position, Limits(seconds=SECONDS))
            leader = max(match.view.scores or (0, 0))
            for kind, number in (
                ("face down", match.board.unknown.bit_count()),
                ("points needed", conquest.target - leader),
            ):
                seen[kind][number] += 1
                exact[kind][number] += evaluation.exact
            match.move(seats[match.turn - 1].choose(match.position))
    for kind, counts in seen.items():
        print(kind)
        for number in sorted(counts):
            print(f"{number:4}: {exact[kind][number]} of {counts[number]} exact")
