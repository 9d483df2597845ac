"""The best actions of many games at once are those that the perfect bot chooses from."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from gridwise import game as game_named
from gridwise.core.bits import bit_indices
from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.core.rng import Stream
from gridwise.engine.compiled.threads import Threads
from gridwise.engine.evaluation import MoveValue, evaluate, with_answers
from gridwise.engine.exact.best_actions import BestActions
from gridwise.errors import BadRequest
from gridwise.play.match import Match
from tests.envs.conftest import COMPILED_PERFECT
from tests.sizes import sample

SIZES = {(0, 0): sample(12, long=40), (3, 4): sample(20, long=40)}  # and how many games on it


def positions(game: Game, size: tuple[int, int], games: int) -> Iterator[Position]:
    """All positions of random games."""
    stream = Stream(f"{game.key} {size}")
    for _ in range(games):
        match = Match(game, game.deal(stream, *size), max_plies=60)
        while not match.outcome:
            yield match.position
            match.move(stream.draw(match.position.legal_mask))


def best_in_a_batch(found: list[Position], threads: int) -> list[int]:
    """The sets of best actions of positions on boards of one size."""
    cells = np.array([each.board.cells for each in found], np.int64)
    states = np.array([each.state for each in found], np.int64)
    blank = found[0].board.without(found[0].board.full)
    best = BestActions(found[0].game, blank, Threads(threads))
    sets: list[int] = best.find(cells, states, np.ones(len(found), np.bool_)).tolist()
    return sets


def share_of_mistakes(position: Position) -> float:
    """The share of the moves in a position that give something away, by the engine's evaluation."""
    if position.outcome:
        return 0.0
    evaluation = evaluate(position)
    return 1.0 - len(evaluation.optimal) / len(evaluation.moves)


def best_tries(position: Position, moves: tuple[MoveValue, ...]) -> list[int]:
    """The moves of a lost position that are hardest to answer; then those that hold out longest."""
    later = [move for move in moves if (move.distance or 0) > 2] or list(moves)
    shares = {move: share_of_mistakes(position.play(move.action)) for move in later}
    most = max(shares.values()) - 1e-9
    tries = [move for move, share in shares.items() if share >= most]
    longest = max(move.distance or 0 for move in tries)
    return [move.action for move in tries if move.distance == longest]


def best_looking(position: Position, actions: int) -> int:
    """Those of a set of actions that look best to a beginner."""
    looks = {each: position.heuristic_score(each) for each in bit_indices(actions)}
    return sum(1 << each for each, score in looks.items() if score == max(looks.values()))


@pytest.mark.parametrize("size", SIZES, ids=["standard", "3x4"])
@pytest.mark.parametrize("key", COMPILED_PERFECT)
def test_they_are_the_best_moves_of_an_evaluation(key: str, size: tuple[int, int]) -> None:
    """On every position of many games; where nothing is won, those that are hardest to answer.

    Of equals, the best-looking ones.
    """
    found = list(positions(game_named(key), size, SIZES[size]))
    hardest = 0
    for position, actions in zip(found, best_in_a_batch(found, 2), strict=True):
        evaluation = evaluate(position)
        moves = evaluation.best_moves
        best = sum(1 << move.action for move in moves)
        if moves[0].value == "win" or len(evaluation.moves) == 1:
            assert actions == best
            continue
        if moves[0].value == "loss":
            wanted = sum(1 << action for action in best_tries(position, evaluation.moves))
        else:
            shares = {each.action: share_of_mistakes(position.play(each.action)) for each in moves}
            most = max(shares.values()) - 1e-9
            wanted = sum(1 << action for action, share in shares.items() if share >= most)
        counted = with_answers(position, evaluation)
        assert sum(1 << move.action for move in counted.best_moves) == wanted
        wanted = best_looking(position, wanted)
        assert sum(1 << move.action for move in counted.choices) == wanted
        # Where it would take too long to find out, all of the best moves will do.
        assert actions in (wanted, best_looking(position, best))
        hardest += actions == wanted
    assert hardest > 3


def test_they_do_not_depend_on_threads_or_on_the_other_games() -> None:
    """One thread or three, alone or among others: each position has the same best actions."""
    found = list(positions(game_named("number-connect"), (0, 0), 8))
    together = best_in_a_batch(found, 3)
    assert together == best_in_a_batch(found, 1)
    assert together[5:7] == best_in_a_batch(found[5:7], 1)


def test_a_game_that_is_over_has_none_and_one_that_is_left_out_neither() -> None:
    """Nothing is written about games that nobody asks about."""
    game = game_named("number-connect")
    board = game.parse_board("9111/1111/1111/1111", 9)
    over = Position(game, board, moves=["0,0"])
    first = Position(game, board)
    cells = np.array([board.cells] * 3, np.int64)
    states = np.array([over.state, first.state, first.state], np.int64)
    best = BestActions(game, board, Threads())
    found = best.find(cells, states, np.array([True, True, False]))
    assert found.tolist() == [0, 1, 0]


def test_hidden_cells_are_refused() -> None:
    """A move has no exact worth there."""
    game = game_named("grid-conquest")
    with pytest.raises(BadRequest, match="hidden cells"):
        BestActions(game, game.default_board(), Threads())


def test_there_is_at_least_one_thread() -> None:
    """Anything less is refused in words."""
    with pytest.raises(BadRequest, match="a whole number from 1 on, not 0"):
        Threads(0)


def test_what_a_thread_raises_is_raised_here() -> None:
    """And the others have ended by then."""
    done = []

    def task(rows: slice) -> None:
        if rows.start == 4:
            raise ValueError("no")
        done.append(rows)

    threads = Threads(2)
    with pytest.raises(ValueError, match="no"):
        threads.run(task, 10, 2)
    threads.run(done.append, 10, 5)
    assert slice(0, 5) in done
    assert slice(5, 10) in done
