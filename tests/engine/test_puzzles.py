"""Puzzles have exactly one winning move, by another judge than the one that made them."""

from __future__ import annotations

import pytest

from gridwise import Game, games
from gridwise.engine.puzzles import LENGTHS, main_line, make_puzzle
from gridwise.errors import BadRequest
from tests.engine.forcing import peer_of, winning_moves

OPEN = [each for each in games() if not each.has_hidden_cells]


@pytest.mark.parametrize("difficulty", [1, 2, 3])
@pytest.mark.parametrize("each", OPEN, ids=lambda each: each.key)
def test_one_move_wins_and_no_other(each: Game, difficulty: int) -> None:
    """Exhaustive search with the second implementation finds that move alone."""
    for seed in range(4):
        puzzle = make_puzzle(each, difficulty, seed)
        peer = peer_of(puzzle.position)
        assert winning_moves(peer, puzzle.solution.distance or 1) == [puzzle.solution.move]
        assert len(peer.legal()) >= 2


@pytest.mark.parametrize("each", OPEN, ids=lambda each: each.key)
def test_difficulty_is_how_long_the_win_takes(each: Game) -> None:
    """A puzzle of a difficulty takes as many plies as that difficulty allows, or fewer."""
    for difficulty, (_, most) in LENGTHS.items():
        puzzle = make_puzzle(each, difficulty, "length")
        assert puzzle.difficulty <= difficulty
        assert (puzzle.solution.distance or 1) <= most


def test_equal_seeds_give_equal_puzzles_and_never_the_same_twice_in_a_row() -> None:
    """A seed is a puzzle; the next one is another, even from the same seed."""
    for each in OPEN:
        first = make_puzzle(each, 1, 7)
        assert make_puzzle(each, 1, 7) == first
        other = make_puzzle(each, 1, 7, after=first).position
        assert (other.board, other.state) != (first.position.board, first.position.state)


def test_the_answer_is_explained_by_a_line_that_wins() -> None:
    """Played out, the line given as best play ends in a win for the player to move."""
    for each in OPEN:
        puzzle = make_puzzle(each, 2, 3)
        peer = peer_of(puzzle.position)
        player = peer.to_move()
        for move in main_line(puzzle.position, puzzle.solution.action):
            peer.play(move)
        assert peer.result() == f"p{player}"


def test_other_difficulties_do_not_exist() -> None:
    """The message says which there are."""
    with pytest.raises(BadRequest, match="1 to 5"):
        make_puzzle(OPEN[0], 6, 1)
