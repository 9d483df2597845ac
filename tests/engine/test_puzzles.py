"""Puzzles have exactly one winning move, by another judge than the one that made them."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator

import pytest

from gridwise import Game, games
from gridwise.engine.puzzles import (
    HARDEST,
    Puzzle,
    PuzzleAddress,
    PuzzleLine,
    levels,
    nearest_level,
    parse_puzzle,
    parse_step,
    puzzle_at,
    puzzle_count,
    puzzle_line_text,
    puzzle_of_the_day,
    shuffled_puzzle,
    start_line,
    step_text,
)
from gridwise.errors import BadRequest
from research.puzzles import puzzle_from
from research.symmetry import canonical
from tests.engine.forcing import can_force, peer_of, winning_moves

OPEN = [each for each in games() if not each.has_hidden_cells]
each_game = pytest.mark.parametrize("each", games(), ids=lambda each: each.key)
each_open_game = pytest.mark.parametrize("each", OPEN, ids=lambda each: each.key)


def some(game: Game, most: int = HARDEST, numbers: tuple[int, ...] = (1, 30)) -> Iterator[Puzzle]:
    """Puzzles of each difficulty that a game has, up to one."""
    for difficulty in levels(game):
        if difficulty <= most:
            for number in numbers:
                yield puzzle_at(PuzzleAddress(game.key, difficulty, number))


@each_game
def test_a_level_that_is_offered_has_enough_puzzles(each: Game) -> None:
    """At least fifty, each with three cells to choose from, none twice or mirrored."""
    assert len(levels(each)) >= 2
    for difficulty in levels(each):
        count = puzzle_count(each, difficulty)
        assert count >= 50
        puzzles = [puzzle_at(PuzzleAddress(each.key, difficulty, n + 1)) for n in range(count)]
        assert len({canonical(puzzle.position) for puzzle in puzzles}) == count
        for number, puzzle in enumerate(puzzles, 1):
            assert puzzle.number == number
            cells = {puzzle.position.target(action) for action in puzzle.position.legal}
            assert len(cells) >= 3


@each_game
def test_difficulty_is_how_many_moves_there_are_to_find(each: Game) -> None:
    """Each of one, two, three or four moves; five is five or more. One can go wrong in half."""
    for puzzle in some(each, numbers=tuple(range(1, 51))):
        line, found, hard = start_line(puzzle), 0, 0
        while not line.is_solved:
            found += 1
            moves = line.step.evaluation.moves
            hard += not all(line.is_right(move.action) for move in moves)
            line = line.after(line.step.solution.action).after_answers()
        assert min(HARDEST, found) == puzzle.difficulty
        assert hard >= found / 2


@each_game
def test_the_book_says_what_a_new_search_finds(each: Game) -> None:
    """The whole of some puzzles, worked out again."""
    for puzzle in some(each, numbers=(2,) if each.has_hidden_cells else (2, 41)):
        again = puzzle_from(puzzle.position)
        assert again
        assert again.steps == puzzle.steps
        assert again.difficulty == puzzle.difficulty


@each_game
def test_puzzles_and_steps_are_read_as_they_are_written(each: Game) -> None:
    """Line by line, step by step."""
    for puzzle in some(each):
        line = puzzle_line_text(puzzle)
        assert parse_puzzle(each, line, puzzle.number) == puzzle
        assert step_text(parse_step(puzzle.steps[0], puzzle.position)) == puzzle.steps[0]


def test_every_number_is_a_puzzle() -> None:
    """After the last comes the first again; a level that is not offered is refused by name."""
    for each in games():
        level = levels(each)[0]
        first, count = PuzzleAddress(each.key, level, 1), puzzle_count(each, level)
        assert puzzle_at(first._replace(number=count + 1)) == puzzle_at(first)
        assert puzzle_at(first._replace(number=0)).number == count
    with pytest.raises(BadRequest, match=f"no puzzles of difficulty 9. It has: {level}"):
        puzzle_at(first._replace(difficulty=9))
    hiding = next(each for each in games() if each.has_hidden_cells)
    assert nearest_level(hiding, HARDEST) == max(levels(hiding)) < HARDEST


def test_shuffled_puzzles_never_come_twice_in_a_row() -> None:
    """A seed is an order, in which each comes once before one comes again."""
    each = games()[0]
    level = levels(each)[0]
    count = puzzle_count(each, level)
    numbers = [shuffled_puzzle(each, level, 7, turn).number for turn in range(2 * count)]
    assert sorted(numbers[:count]) == list(range(1, count + 1))
    assert numbers[count:] == numbers[:count]
    assert numbers[:count] != [shuffled_puzzle(each, level, 8, n).number for n in range(count)]


def test_a_daily_puzzle_for_every_game_and_every_difficulty() -> None:
    """Over five weeks each game has each day of the week once; no puzzle comes twice in a year."""
    monday = dt.date(2026, 11, 16)
    days = [monday + dt.timedelta(days=number) for number in range(280)]
    found = [puzzle_of_the_day(day) for day in days]
    first = list(zip(found, days, strict=True))[:35]
    assert len({(each.game, day.weekday()) for each, day in first}) == 35
    assert {each.game for each in found} == {each.key for each in games()}
    assert {each.difficulty for each in found} == {2, 3, 4, 5}
    assert len(set(found)) == 280
    by_key = {each.key: each for each in games()}
    for address, day in zip(found, days, strict=True):
        wanted = (2, 2, 3, 3, 3, 4, 5)[day.weekday()]
        assert address.difficulty in levels(by_key[address.game])
        assert address.difficulty == wanted or wanted not in levels(by_key[address.game])


def test_the_answer_is_explained_by_a_line_that_wins() -> None:
    """Played out, the line given as best play ends in a win for the player to move."""
    for each in OPEN:
        for puzzle in some(each):
            peer, line = peer_of(puzzle.position), start_line(puzzle)
            player, text = peer.to_move(), line.explained()
            assert text.startswith(f"Only {puzzle.solution.move} wins")
            for move in text.partition("Best play: ")[2].split():
                peer.play(move)
            assert peer.result() == f"p{player}"
            moves = line.solution()
            assert all(each.why for each in moves)
            assert moves[-1].after.outcome
            for answer in (each for each in moves if each.before.turn != player):
                forced = len(answer.before.legal) == 1
                assert answer.why.endswith("is forced." if forced else "holds out longest.")


def test_a_wrong_move_is_refuted_by_its_best_answer() -> None:
    """After it the one who tried loses, if the move is said to lose."""
    for each in OPEN:
        for puzzle in some(each, most=2, numbers=(5,)):
            line = start_line(puzzle)
            for move in line.step.evaluation.moves:
                if move.value != "loss" or (move.distance or 9) > 4:
                    continue
                peer = peer_of(line.refutation(move.action)[-1])
                assert can_force(peer, 3 - line.solver, (move.distance or 0) - 1)
                why = line.why_not(move.action)[1]
                assert why.startswith(f"{move.move[0].upper()}{move.move[1:]} loses")
                _, *answers = line.refutation(move.action)
                for answer in answers:
                    assert why.endswith(f": your opponent answers with {answer.moves[-1]}.")


@each_open_game
def test_a_line_takes_every_move_that_wins_and_no_other(each: Game) -> None:
    """By exhaustive search with the second implementation, at every step; at first, only one."""
    for puzzle in some(each, most=3, numbers=(3, 17, 33)):
        line, rng = start_line(puzzle), random.Random(puzzle.number)
        while not line.is_solved:
            if line.awaits_answer:
                line = answered(line)
                continue
            step = line.step.evaluation
            longest = max(move.distance or 0 for move in step.moves if move.value == "win")
            if longest > 6:  # the second implementation would take minutes
                line = line.after(step.best.action)
                continue
            right = [move.move for move in step.moves if line.is_right(move.action)]
            forced = winning_moves(peer_of(line.position), longest)
            assert step.best.move in right
            if line.position == puzzle.position:
                assert forced == [puzzle.solution.move]
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
    left = 0 if outcome else after.step.solution.distance or 0
    assert can_force(peer, line.solver, left + 1)
    assert left == 0 or not can_force(peer, line.solver, left)
    return after


@each_game
def test_every_line_ends_however_one_wins(each: Game) -> None:
    """Whatever right moves are chosen, the game is won in the end, and never twice alike."""
    for puzzle in some(each, numbers=(4, 24, 44)):
        line, rng = start_line(puzzle), random.Random(puzzle.number)
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
    """Wrong moves one by one, until two are left to choose from."""
    for each in games():
        line = start_line(puzzle_at(PuzzleAddress(each.key, 2, 1)))
        for _ in range(len(line.position.legal) + 3):
            line, said = line.hinted()
            assert said
            assert line.step.solution.action not in line.ruled_out
            assert all(not line.is_right(action) for action in line.ruled_out)
        assert len(line.ruled_out) == len(line.position.legal) - 2
        assert said.startswith("Only these are left: ")
        assert " or " in said
        assert not line.clean


def test_the_first_hint_names_the_best_of_the_wrong_moves() -> None:
    """A draw or an endless game before a loss, and the better chance before the worse."""
    for each in games():
        for puzzle in some(each):
            line = start_line(puzzle)
            wrong = [move for move in line.step.evaluation.moves if not line.is_right(move.action)]
            (named,) = line.hinted()[0].ruled_out
            points = {move.action: move.points for move in wrong}
            assert points[named] == max(points.values())


def test_what_was_ruled_out_is_only_so_until_the_next_move() -> None:
    """A move that is wrong now may be the right one later."""
    line = start_line(puzzle_at(PuzzleAddress("number-connect", 2, 1)))
    wrong = next(action for action in line.position.legal if not line.is_right(action))
    tried, _ = line.why_not(wrong)
    assert tried.ruled_out == {wrong}
    assert tried.after(line.step.solution.action).after_answers().ruled_out == frozenset()


def test_a_refutation_turns_up_nothing() -> None:
    """The move is taken back: cells that it or its answer would show are not to be seen."""
    hiding = next(each for each in games() if each.has_hidden_cells)
    for puzzle in some(hiding):
        line = start_line(puzzle)
        for action in line.position.legal:
            for position in line.refutation(action):
                assert position.board == puzzle.position.board


def test_the_cells_of_a_line_stay_hidden() -> None:
    """What nobody has seen is blank in every position of a line."""
    hiding = next(each for each in games() if each.has_hidden_cells)
    line = start_line(puzzle_at(PuzzleAddress(hiding.key, 2, 1)))
    assert line.position.hidden
    while not line.is_solved:
        board, hidden = line.position.board, line.position.hidden
        assert all(not board.cells[cell] for cell in range(25) if hidden >> cell & 1)
        line = line.after_answer() if line.awaits_answer else line.after(line.step.solution.action)
