"""Bots: the perfect one is perfect, the others are ordered, and all are fair."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from gridwise import Game, Match, bot, game, games
from gridwise.core.bits import bit_indices
from gridwise.core.contracts import State
from gridwise.core.position import Player, Position, start
from gridwise.engine.bots import LEVELS
from gridwise.engine.evaluation import evaluate
from gridwise.errors import BadRequest
from gridwise.lab.paired_games import score_against
from tests.sizes import sample

OPEN = [each for each in games() if not each.has_hidden_cells]  # nothing hidden: values are exact
BOARDS = {
    "number-run": sample(5, long=12),
    "number-maze": sample(30, long=60),
    "grid-runner": 1,
    "number-connect": 12,
}


def wins_every_line(position: Position, player: int, champion: Player) -> int:
    """Follow the champion against every line of play; the number of positions it chose in."""
    seen: set[State] = set()
    waiting = [position]
    while waiting:
        position = waiting.pop()
        assert not position.outcome or position.outcome.winner == player, "a win was let slip"
        assert len(position.history) < 60, "a win must not be put off for ever"
        if position.outcome or position.state in seen:
            continue
        if position.turn == player:
            seen.add(position.state)
            choices = [champion.choose(position)]
        else:
            choices = list(bit_indices(position.legal_mask))
        waiting += [position.play(action) for action in choices]
    return len(seen)


@pytest.mark.parametrize("each", OPEN, ids=lambda each: each.key)
def test_perfect_wins_won_starts_against_every_line_of_play(each: Game) -> None:
    """From a won start, whichever side it is, no defence helps."""
    rng = random.Random(f"adversary {each.key}")
    won = positions = 0
    while won < BOARDS[each.key]:
        position = start(each, each.deal(rng))
        if position.outcome:
            continue
        value = evaluate(position).value
        if value not in ("win", "loss"):
            continue
        player = 1 if value == "win" else 2
        champion = bot(each, "perfect", seed=won)
        positions += wins_every_line(position, player, champion)
        won += 1
    assert positions > BOARDS[each.key]


# Pairs of games; fewer where a game takes long and a level makes much of a difference.
FULL = {"novice": 300, "casual": 300, "strong": 300, "perfect": 100}
USUAL = {
    **{("number-run", level): 100 for level in ("novice", "casual", "strong")},
    **{("grid-runner", level): 60 for level in LEVELS},
    ("number-connect", "casual"): 100,
    ("number-connect", "strong"): 40,
    ("number-connect", "perfect"): 20,
}


@pytest.mark.parametrize("each", OPEN, ids=lambda each: each.key)
def test_each_level_beats_the_one_below(each: Game) -> None:
    """Over paired games the 95 % interval leaves out an even score.

    Seeds are fixed, so there are no false alarms while the bots stay as they are. A level that was
    no better than the one below would be found with a probability of 97.5 %, a worse one surely.
    """
    for below, level in pairwise(LEVELS):
        pairs = sample(USUAL.get((each.key, level), FULL[level]), long=FULL[level])
        score = score_against(each, level, below, pairs, seed=5)
        assert score.low > 0.5, score


@pytest.mark.parametrize("level", [level for level in LEVELS if level != "perfect"])
def test_equal_seeds_play_equal_moves(level: str) -> None:
    """A bot with the same seed plays the same game again."""

    def moves(seed: int) -> list[str]:
        match = Match("number-connect", seed=3)
        seats = [bot("number-connect", level, f"{seed} {side}") for side in (1, 2)]
        while not match.outcome:
            match.move(seats[match.turn - 1].choose(match.position))
        return match.moves

    assert moves(1) == moves(1)
    assert len({tuple(moves(seed)) for seed in range(6)}) > 1


def test_perfect_resists_longest_when_lost() -> None:
    """In a lost position it takes a move with the greatest distance."""
    runner = game("grid-runner")
    match = Match(runner)
    match.move("down")
    evaluation = evaluate(match.position)
    assert evaluation.value == "loss"
    longest = max(move.distance or 0 for move in evaluation.moves)
    keeping = {move.action for move in evaluation.moves if move.distance == longest}
    assert {bot(runner, "perfect", seed).choose(match.position) for seed in range(8)} <= keeping


def test_unknown_levels_are_refused() -> None:
    """The message lists the levels there are."""
    with pytest.raises(BadRequest, match="random, novice, casual, strong, perfect"):
        bot("number-run", "godlike")
