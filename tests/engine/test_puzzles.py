"""Puzzles have exactly one winning move, by another judge than the one that made them."""

from __future__ import annotations

import random

import pytest

from gridwise import Game, games
from gridwise.engine.puzzle_line import PuzzleLine, start_line
from gridwise.engine.puzzles import LENGTHS, main_line, make_puzzle
from gridwise.errors import BadRequest
from tests.engine.forcing import can_force, peer_of, winning_moves

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


@pytest.mark.parametrize("difficulty", [2, 3])
@pytest.mark.parametrize("each", OPEN, ids=lambda each: each.key)
def test_a_line_takes_every_move_that_wins_and_no_other(each: Game, difficulty: int) -> None:
    """By exhaustive search with the second implementation, at every step to the end."""
    for seed in range(3):
        line, rng = start_line(make_puzzle(each, difficulty, seed)), random.Random(seed)
        while not line.is_solved:
            if line.awaits_answer:
                line = answered(line)
                continue
            step = line.step.evaluation
            longest = max(move.distance or 0 for move in step.moves if move.value == "win")
            right = [move.move for move in step.moves if line.is_right(move.action)]
            forced = winning_moves(peer_of(line.position), longest)
            assert step.best.move in right
            if each.cyclic:  # a winning move may lead back to where one has been
                assert set(right) <= set(forced)
            else:
                assert set(right) == set(forced)
            line = line.after(line.position.read(rng.choice(right)))
        assert line.position.outcome
        assert line.position.outcome.winner == line.solver


def answered(line: PuzzleLine) -> PuzzleLine:
    """The line after an answer, which holds out as long as any other does."""
    peer, after = peer_of(line.position), line.after_answer()
    outcome = after.position.outcome
    left = 0 if outcome else after.step.evaluation.best.distance or 0
    assert can_force(peer, line.solver, left + 1)
    assert left == 0 or not can_force(peer, line.solver, left)
    return after


@pytest.mark.parametrize("each", games(), ids=lambda each: each.key)
def test_every_line_ends_however_one_wins(each: Game) -> None:
    """Whatever right moves are chosen, the game is won in the end, and never twice alike."""
    for seed in range(4):
        line, rng = start_line(make_puzzle(each, 5, seed)), random.Random(seed)
        for _ in range(400):
            if line.is_solved:
                break
            if line.awaits_answer:
                line = line.after_answer()
                continue
            slowest = sorted(line.step.evaluation.moves, key=lambda move: -(move.distance or 0))
            right = [move.action for move in slowest if line.is_right(move.action)]
            assert right
            line = line.after(right[0] if rng.random() < 0.8 else rng.choice(right))
        assert line.is_solved


def test_hints_never_name_the_answer() -> None:
    """First how long it takes, then wrong moves one by one, until two are left to choose from."""
    for each in games():
        line = start_line(make_puzzle(each, 2, 1))
        for _ in range(len(line.position.legal) + 3):
            line, said = line.hinted()
            assert said
            assert line.step.solution.action not in line.ruled_out
            assert all(not line.is_right(action) for action in line.ruled_out)
        assert len(line.ruled_out) == len(line.position.legal) - 2
        assert not line.clean


def test_the_cells_of_a_line_stay_hidden() -> None:
    """What nobody has seen is blank in every position of a line."""
    hiding = next(each for each in games() if each.has_hidden_cells)
    line = start_line(make_puzzle(hiding, 2, 0))
    assert line.position.hidden
    while not line.is_solved:
        board, hidden = line.position.board, line.position.hidden
        assert all(not board.cells[cell] for cell in range(25) if hidden >> cell & 1)
        line = line.after_answer() if line.awaits_answer else line.after(line.step.solution.action)
