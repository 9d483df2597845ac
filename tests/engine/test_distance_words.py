"""How far away an end is, in words: the moves that are said are those of the best line."""

from __future__ import annotations

import random
import re

import pytest

from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.core.registry import game, games
from gridwise.core.rng import Stream
from gridwise.engine.evaluation import evaluate
from gridwise.engine.hints import hint, in_moves
from gridwise.engine.puzzles import Puzzle, start_line, step_text
from gridwise.engine.review import comment, in_words, review, worth_text
from research.puzzles import steps_from
from tests.engine.forcing import can_force, peer_of

# Number Connect: Player 2 shuts Player 1 in, and moves twice in a row before the end.
BOARD = "9419/5295/2182/1254"
SHUT_IN = ["3,0", "2,0", "3,1", "2,1", "3,2"]
SAID = "in 4 moves of both players"


def best_line(position: Position) -> list[int]:
    """Whose moves they are when both play the best one to the end."""
    movers = []
    while not position.outcome:
        movers.append(position.turn)
        position = position.play(evaluate(position).best.action)
    return movers


def positions(played: Game, boards: int) -> list[Position]:
    """Some on the way of random games."""
    rng, found = random.Random(4), []
    for number in range(boards):
        position = Position(played, played.deal(Stream(number)))
        while not position.outcome and len(position.history) < 30:
            found.append(position)
            position = position.play(rng.choice(position.legal))
    return found


@pytest.mark.parametrize("moves", [SHUT_IN[:-1], SHUT_IN])
def test_moves_of_both_are_counted_where_one_may_be_passed_over(moves: list[str]) -> None:
    """As many as the line has, and no fewer are enough; half of them would be a wrong number."""
    position = Position(game("number-connect"), BOARD, moves=moves)
    worth, line = evaluate(position), best_line(position)
    number, of_both = re.fullmatch(r"(\d+) moves (of both players)", in_moves(worth)).groups()  # type: ignore[union-attr]
    assert of_both
    assert len(line) == int(number) == worth.distance
    assert line.count(position.turn) != (len(line) + 1) // 2
    winner = position.turn if worth.value == "win" else 3 - position.turn
    assert can_force(peer_of(position), winner, int(number))
    assert not can_force(peer_of(position), winner, int(number) - 1)


def test_every_sentence_counts_alike() -> None:
    """A hint, and what positions and moves are worth."""
    position = Position(game("number-connect"), BOARD, moves=SHUT_IN)
    worth = evaluate(position)
    assert hint(position).text.endswith(f": you can force a win {SAID}.")
    assert worth_text(2, worth) == f"Player 2 can force a win {SAID}."
    assert in_words(worth) == in_words(worth.best) == f"win {SAID}"


def test_a_comment_on_a_mistake_counts_alike() -> None:
    """From the first move on: the win that was there, and the one that it gives the other."""
    first = Position(game("number-connect"), BOARD)
    worth = evaluate(first)
    wrong = next(move for move in worth.moves if move.value == "loss")
    said = comment(review([first, first.play(wrong.action)]).moves[0])
    assert worth.distance
    assert wrong.distance
    assert said.startswith(
        f"{worth.best.move} wins in {worth.distance} moves of both players. {wrong.move} lets "
        f"Player 2 win in {wrong.distance - 1} moves of both players, beginning with"
    )


def test_a_puzzle_counts_the_moves_to_find() -> None:
    """Its solution is a line: of four moves three are the solver's, as the opponent must pass."""
    moves = ["0,2", "1,3", "1,2", "2,3", "0,1", "3,3"]
    position = Position(game("number-connect"), "4131/5215/1531/5533", moves=moves)
    puzzle = Puzzle(position, 1000, tuple(map(step_text, steps_from(position))))
    line = start_line(puzzle)
    assert [each.before.turn for each in line.solution()] == [1, 2, 1, 1]
    assert f"Only {puzzle.solution.move} wins (in 3 moves)." in line.explained()
    assert line.solution()[0].why.startswith(f"Only {puzzle.solution.move} wins in 3 moves.")


@pytest.mark.parametrize("key", [each.key for each in games() if not each.has_hidden_cells])
def test_what_is_said_is_what_the_best_line_takes(key: str) -> None:
    """Own moves where players take turns; where one may be passed over, all of them."""
    played, counted = game(key), 0
    for position in positions(played, boards=9):
        worth = evaluate(position)
        if worth.value not in ("win", "loss"):
            continue
        line = best_line(position)
        number = int(in_moves(worth).split()[0])
        both = "of both" in in_moves(worth)
        assert number == (len(line) if both else line.count(position.turn))
        assert both == (played.passes and len(line) > 1)
        counted += 1
    assert counted > 20
