"""From casual up no bot overlooks a win in one move, or a loss to the opponent's next move.

What is at stake is found here by playing moves out, without the bots' own look-ahead; in Grid
Conquest by adding up what can be seen, a face-down cell counting as the 1 that it is at least.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import pytest

from gridwise import Game, Match, bot, games
from gridwise.core.position import Position
from gridwise.engine.lookahead import WON, look_ahead
from tests.sizes import sample

LEVELS = ("casual", "strong", "perfect")
GAMES_PLAYED = sample(40, long=60)  # by each of the pairs
PAIRS = (("random", "random"), ("novice", "casual"), ("strong", "casual"), ("strong", "strong"))
SLOW = sample(5, long=40)  # positions for a bot that takes a third of a second


class Stakes(NamedTuple):
    """What a careful player must choose from."""

    wins: frozenset[int]  # the moves that win at once
    safe: frozenset[int]  # the moves after which the opponent cannot win at once

    @property
    def right(self) -> frozenset[int]:
        """The moves that may be played."""
        return self.wins or self.safe


def open_stakes(position: Position) -> Stakes:
    """Found by playing every move and every answer."""
    me, wins, safe = position.turn, set(), set()
    for action in position.legal:
        after = position.play(action)
        winner = after.outcome.winner if after.outcome else 0
        if winner == me:
            wins.add(action)
        loses = winner == 3 - me or (
            after.turn == 3 - me
            and any(
                end.outcome and end.outcome.winner == 3 - me
                for end in (after.play(answer) for answer in after.legal)
            )
        )
        if not loses:
            safe.add(action)
    return Stakes(frozenset(wins), frozenset(safe))


def hidden_stakes(position: Position) -> Stakes:
    """Found by adding up: what each free cell is worth at the least, and what each player needs."""
    assert position.scores
    me = position.turn
    mine, theirs = position.scores[me - 1], position.scores[2 - me]
    least = {action: position.board.cells[action] or 1 for action in position.legal}
    target = position.board.target
    wins = {action for action, value in least.items() if mine + value >= target}
    threats = {action for action, value in least.items() if theirs + value >= target}
    safe = {action for action in least if not threats - {action}}
    return Stakes(frozenset(wins), frozenset(safe | wins))


@cache
def critical_positions(game: Game) -> list[tuple[Position, Stakes]]:
    """Positions of many games in which a win or a loss in one move can be missed."""
    found: dict[object, tuple[Position, Stakes]] = {}
    for pair in PAIRS:
        for seed in range(GAMES_PLAYED):
            match = Match(game, seed=seed, max_plies=60)
            seats = [bot(game, level, f"{seed} {side}") for side, level in enumerate(pair)]
            while not match.outcome:
                position = match.position
                stakes = (hidden_stakes if game.has_hidden_cells else open_stakes)(position)
                if stakes.right and len(stakes.right) < len(position.legal):
                    found[position.key] = position, stakes
                match.move(seats[position.turn - 1].choose(position))
    return list(found.values())


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
def test_no_win_or_loss_in_one_is_overlooked(game: Game) -> None:
    """Of all positions where one could be, in games of every kind: not one."""
    positions = critical_positions(game)
    assert sum(bool(stakes.wins) for _, stakes in positions) >= 10
    # In Grid Runner there is a single way to stop a runner: to stand in it.
    assert sum(not stakes.wins for _, stakes in positions) >= 2
    for level in LEVELS:
        slow = level == "perfect" and game.has_hidden_cells
        asked = positions[:: len(positions) // SLOW] if slow else positions
        missed = [
            position.moves
            for number, (position, stakes) in enumerate(asked)
            if bot(game, level, number).choose(position) not in stakes.right
        ]
        assert missed == [], f"{level} missed {len(missed)} of {len(asked)}"


def test_a_pass_of_the_opponent_is_seen_coming() -> None:
    """Player 2 is walled in, so Player 1 claims 5 and then 8, and has 15; 9 would be too much."""
    moves = ["0,1", "0,0", "1,1", "1,0"]
    position = Position("number-connect", "1159/1181", moves=moves)
    for claim in ("0,2", "1,2"):
        action = position.read(claim)
        assert position.play(action).turn == position.turn == 1
        assert look_ahead(position, action, 2) == WON
    for level in LEVELS:
        assert position.name(bot("number-connect", level, 1).choose(position)) in ("0,2", "1,2")


def test_a_novice_still_overlooks_things() -> None:
    """It has just learned the rules; and the test above can tell."""
    missed = 0
    for game in games():
        for number, (position, stakes) in enumerate(critical_positions(game)):
            missed += bot(game, "novice", number).choose(position) not in stakes.right
    assert missed > 20
