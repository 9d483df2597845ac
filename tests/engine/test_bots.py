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


def test_perfect_sets_the_hardest_problem_when_lost() -> None:
    """In a lost position it takes a move after which the smallest share of the answers win.

    A loss to the very next answer is no problem to anybody, and comes last.
    """
    differing = 0
    for seed in range(40):
        match, rng = Match("number-run", seed=seed), random.Random(seed)
        while not match.outcome:
            evaluation = evaluate(match)
            if evaluation.value == "loss" and len(evaluation.moves) > 1:
                tries = {
                    move.action: (move.distance == 2, share_of_wins(match.position, move.action))
                    for move in evaluation.moves
                }
                hardest = {action for action, each in tries.items() if each == min(tries.values())}
                assert bot("number-run", "perfect", seed).choose(match.position) in hardest
                differing += len(hardest) < len(tries)
            match.move(rng.choice(match.legal_moves))
    assert differing > 20


def share_of_wins(position: Position, action: int) -> float:
    """The share of the answers to a move that win."""
    answers = evaluate(position.play(action)).moves
    return sum(answer.value == "win" for answer in answers) / max(1, len(answers))


def test_a_casual_bot_walks_to_the_goal_without_going_to_and_fro() -> None:
    """Of Grid Runner's 8 steps; it errs now and then, but not at every third step."""
    runner = game("grid-runner")
    start = Match(runner).position
    corner = start.state.my_cell + 4  # where the other one is in nobody's way
    moves = []
    for seed in range(60):
        walker, state, steps = bot(runner, "casual", seed), start.state, 0
        while runner.rules.winner(start.board, state) == 0:
            here = Position.from_state(runner, start.board, state._replace(turn=1))
            after = runner.rules.play(start.board, here.state, walker.choose(here))
            steps += 1
            if runner.rules.winner(start.board, after):
                break
            state = state._replace(my_cell=after.your_cell, your_cell=corner)
        moves.append(steps)
    assert sum(moves) / len(moves) < 12, moves  # they were 17
    assert min(moves) == 8


def test_unknown_levels_are_refused() -> None:
    """The message lists the levels there are."""
    with pytest.raises(BadRequest, match="random, novice, casual, strong, perfect"):
        bot("number-run", "godlike")


def test_perfect_wins_back_more_than_strong() -> None:
    """From the lost side of Grid Runner, against novices: where all tries are alike, it runs."""
    won = {level: sum(wins_as_red(level, seed) for seed in range(60)) for level in LEVELS[3:]}
    assert won["perfect"] > max(won["strong"], 30)


def wins_as_red(level: str, seed: int) -> bool:
    """Whether a bot wins the standard board of Grid Runner as Player 2, against a novice."""
    match = Match("grid-runner", max_plies=200)
    players = bot("grid-runner", "novice", seed), bot("grid-runner", level, -seed)
    while not match.outcome:
        match.move(players[match.position.turn - 1].choose(match.position))
    return match.outcome.winner == 2
