"""Puzzles have exactly one winning move, by another judge than the one that made them."""

from __future__ import annotations

import datetime as dt
import random
import re
from collections import Counter
from collections.abc import Iterator
from statistics import fmean

import pytest

from gridwise import Game, explain, games
from gridwise.engine import puzzles
from gridwise.engine.bots import bot
from gridwise.engine.evaluation import evaluate
from gridwise.engine.puzzles import (
    HARDEST,
    SOLVED_BY_CASUAL,
    ExplainedMove,
    Puzzle,
    PuzzleAddress,
    PuzzleLine,
    archive,
    check_day,
    level_line,
    levels,
    nearest_level,
    next_puzzle,
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
from tests.sizes import sample

OPEN = [each for each in games() if not each.has_hidden_cells]
each_game = pytest.mark.parametrize("each", games(), ids=lambda each: each.key)
each_open_game = pytest.mark.parametrize("each", OPEN, ids=lambda each: each.key)


def some(game: Game, most: int = HARDEST, numbers: tuple[int, ...] = (1, 30)) -> Iterator[Puzzle]:
    """Puzzles of each difficulty that a game has, up to one."""
    for difficulty in levels(game):
        if difficulty <= most:
            for number in numbers:
                yield puzzle_at(PuzzleAddress(game.key, difficulty, number))


def book(game: Game) -> list[Puzzle]:
    """All puzzles of a game, by level."""
    return [
        puzzle_at(PuzzleAddress(game.key, level, number))
        for level in levels(game)
        for number in range(1, puzzle_count(game, level) + 1)
    ]


def main_line(puzzle: Puzzle) -> list[PuzzleLine]:
    """The line before each move of the fastest solution."""
    line, lines = start_line(puzzle), []
    while not line.is_solved:
        lines.append(line)
        line = line.after(line.step.solution.action).after_answers()
    return lines


def wrong_tries(line: PuzzleLine, level: str, tries: int, seed: str) -> Counter[int]:
    """The wrong moves that a bot chooses, and how often: with other seeds than the maker's."""
    player = bot(line.position.game, level, f"test {seed} {line.position.moves}")
    chosen = Counter(player.choose(line.position) for _ in range(tries))
    return Counter({each: chosen[each] for each in chosen if not line.is_right(each)})


@each_game
def test_a_level_that_is_offered_has_enough_puzzles(each: Game) -> None:
    """At least twelve, each with three cells to choose from, none twice or mirrored."""
    assert len(levels(each)) >= 2
    for difficulty in levels(each):
        count = puzzle_count(each, difficulty)
        assert count >= 12
        puzzles = [puzzle_at(PuzzleAddress(each.key, difficulty, n + 1)) for n in range(count)]
        assert len({canonical(puzzle.position) for puzzle in puzzles}) == count
        for number, puzzle in enumerate(puzzles, 1):
            assert puzzle.number == number
            cells = {puzzle.position.target(action) for action in puzzle.position.legal}
            assert len(cells) >= 3


@each_game
def test_at_least_three_moves_are_to_be_found(each: Game) -> None:
    """In every puzzle, even on the fastest way; and whatever is played, it takes as many."""
    for puzzle in book(each):
        lines = main_line(puzzle)
        assert 3 <= len(lines) <= 9
        assert len(lines) == fewest_moves(puzzle)


def fewest_moves(puzzle: Puzzle) -> int:
    """How many right moves it takes at the least: what the book's words say, layer by layer."""
    words = [re.findall(r"\S+", step) for step in puzzle.steps]
    reached, moves = {0}, 1
    while True:
        winning = [w for k in reached for w in words[k] if re.match(r"W|100", w)]
        if any("@" not in word for word in winning):
            return moves
        reached, moves = {int(word.partition("@")[2]) for word in winning}, moves + 1


@each_game
def test_the_casual_bot_goes_wrong_at_the_first_two_moves(each: Game) -> None:
    """At the first in more than one way. Where cells are face down, at the first at least.

    And after the last move at which it does there are no more than two: nobody has to walk home.
    """
    numbers = sample(range(0, 200, 25), long=range(200))
    for puzzle in (book(each)[k] for k in numbers if k < len(book(each))):
        lines = main_line(puzzle)
        wrong = [wrong_tries(line, "casual", 80, "a") for line in lines]
        shares = [tries.total() / 80 for tries in wrong]
        assert shares[0] >= 0.1
        assert len(wrong[0]) >= 2
        assert shares[1] >= 0.1 or each.has_hidden_cells
        assert max(k for k, share in enumerate(shares) if share >= 0.1) >= len(lines) - 3


def solved_by(puzzle: Puzzle, level: str, runs: int) -> float:
    """The share of a bot's runs without a mistake, by the chances at each move it comes to."""
    player, solved = bot(puzzle.position.game, level, f"test {puzzle.address}"), 0
    for _ in range(runs):
        line = start_line(puzzle)
        while not line.is_solved and line.is_right(action := player.choose(line.position)):
            line = line.after(action).after_answers()
        solved += line.is_solved
    return solved / runs


def test_a_level_means_how_often_bots_fail() -> None:
    """What its line says is so, within some hundredths; each is harder than the one before.

    For the strong bot, too, but where cells are face down: there it counts better than people do.
    """
    found: dict[str, list[float]] = {"casual": [], "strong": []}
    for level in range(1, HARDEST + 1):
        for kind, shares in found.items():
            some_of = [
                puzzle_at(PuzzleAddress(each.key, level, number))
                for each in (games() if kind == "casual" else OPEN)
                if level in levels(each)
                for number in sample(range(2, 41, 12), long=range(1, 41))
            ]
            shares.append(fmean(solved_by(puzzle, kind, 20) for puzzle in some_of))
    for shares in found.values():
        assert shares == sorted(shares, reverse=True)
    for level, casual in SOLVED_BY_CASUAL.items():
        assert found["casual"][level - 1] == pytest.approx(casual / 100, abs=0.12)
        assert f"{casual} %" in level_line(level)


@each_game
def test_who_takes_what_looks_best_does_not_solve_it(each: Game) -> None:
    """Some of the strong bot's runs fail in every puzzle.

    Where cells are face down it counts better than people do: there most of the casual bot's fail.
    """
    level, share = ("casual", 0.5) if each.has_hidden_cells else ("strong", 1)
    for puzzle in book(each)[:: sample(29, long=3)]:
        assert solved_by(puzzle, level, 80) < share


@each_game
def test_levels_and_numbers_go_by_rating(each: Game) -> None:
    """From the easiest to the hardest, and no level overlaps another."""
    ratings = [puzzle.rating for puzzle in book(each)]
    assert ratings == sorted(ratings)


def test_the_next_puzzle_is_near_the_rating_and_new() -> None:
    """One of the five nearest that have not been had; the nearest ones of all when all were."""
    for each in games():
        known = book(each)
        for rating in (700, 1150, 1400, 3000):
            done: set[str] = set()
            for turn in range(4):
                puzzle = next_puzzle([each], turn, 5, rating=rating, done=done)
                nearer = [
                    other
                    for other in known
                    if abs(other.rating - rating) < abs(puzzle.rating - rating)
                ]
                assert len([other for other in nearer if str(other.address) not in done]) < 5
                assert str(puzzle.address) not in done
                done.add(str(puzzle.address))
        everything = {str(puzzle.address) for puzzle in known}
        assert next_puzzle([each], 1, 5, done=everything) in known


@each_game
def test_the_book_says_what_a_new_search_finds(each: Game) -> None:
    """The whole of some puzzles, worked out again."""
    for puzzle in sample([book(each)[7]], long=book(each)[::9]):
        again = puzzle_from(puzzle.position)
        assert again
        assert again.steps == puzzle.steps
        assert again.rating == puzzle.rating


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
    assert nearest_level(hiding, 1) == min(levels(hiding)) > 1


def test_shuffled_puzzles_never_come_twice_in_a_row() -> None:
    """A seed is an order, in which each comes once before one comes again."""
    each = games()[0]
    level = levels(each)[0]
    count = puzzle_count(each, level)
    numbers = [shuffled_puzzle(each, level, 7, turn).number for turn in range(2 * count)]
    assert sorted(numbers[:count]) == list(range(1, count + 1))
    assert numbers[count:] == numbers[:count]
    assert numbers[:count] != [shuffled_puzzle(each, level, 8, n).number for n in range(count)]


def test_a_daily_puzzle_for_every_game_from_its_harder_half() -> None:
    """Over five weeks each game has each day of the week once; none comes again for ten weeks.

    Towards the end of the week they are harder.
    """
    monday = dt.date(2026, 11, 16)
    days = [monday + dt.timedelta(days=number) for number in range(280)]
    found = [puzzle_of_the_day(day) for day in days]
    first = list(zip(found, days, strict=True))[:35]
    assert len({(each.game, day.weekday()) for each, day in first}) == 35
    assert {each.game for each in found} == {each.key for each in games()}
    for start in range(0, 280, 70):
        assert len(set(found[start : start + 70])) == 70
    for each in games():
        ratings = [puzzle.rating for puzzle in book(each)]
        middle = sorted(ratings)[len(ratings) // 2]
        daily = [
            (day.weekday(), puzzle_at(address).rating)
            for address, day in zip(found, days, strict=True)
            if address.game == each.key
        ]
        assert min(rating for _, rating in daily) >= middle
        by_day = [fmean(r for weekday, r in daily if weekday == day) for day in range(7)]
        assert by_day == sorted(by_day)


@pytest.mark.parametrize("size", [1, 5, 13])
def test_a_small_book_has_a_puzzle_for_every_day(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """Such as that of a game of somebody else: all of its harder half come."""
    by_rating = puzzles._by_rating
    monkeypatch.setattr(puzzles, "_by_rating", lambda game: by_rating(game)[:size])
    days = [dt.date(2026, 11, 16) + dt.timedelta(days=number) for number in range(70)]
    found = {puzzle_of_the_day(day) for day in days}
    assert found == {
        address for game in games() for _, address in by_rating(game)[:size][size // 2 :]
    }


def test_the_archive_is_of_days_that_were() -> None:
    """Four weeks, the latest first; what is to come is not out."""
    today = dt.date(2026, 11, 19)
    assert archive(today)[0] == dt.date(2026, 11, 18)
    assert archive(today)[-1] == dt.date(2026, 10, 22)
    check_day(today, today)
    with pytest.raises(BadRequest, match="not out yet"):
        check_day(dt.date(2026, 11, 20), today)


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
                assert ("is forced." if forced else "is lost, and ") in answer.why
                assert_as_many_win(answer)


def assert_as_many_win(answer: ExplainedMove) -> None:
    """As many moves win after an answer as the sentence says, if it says so."""
    known = re.search(r": (only|all but) (\d+) of (\d+) answers wins?\.", answer.why)
    if not known:
        return
    moves = evaluate(answer.after).moves
    wins = sum(move.value == "win" for move in moves)
    assert int(known[2]) == (wins if known[1] == "only" else len(moves) - wins)
    assert int(known[3]) == len(moves)


@each_open_game
def test_the_solution_is_explained_by_what_explain_says(each: Game) -> None:
    """The game's own reason for the solution's first move is one that `explain` gives too."""
    told = 0
    for puzzle in book(each)[:: sample(40, long=5)]:
        why = start_line(puzzle).solution()[0].why
        names = start_line(puzzle).names
        facts = explain(puzzle.position, puzzle.solution.action)
        own = [
            text
            for fact, text in zip(facts.facts, facts.sentences(names), strict=True)
            if not fact.is_general
        ]
        told += any(f"{text[:1].upper()}{text[1:]}" in why for text in own)
    assert told >= 1


@each_open_game
def test_a_move_that_loses_is_refuted_to_the_end(each: Game) -> None:
    """The line in the book ends the game, and the other has won; on the board only its start is."""
    for puzzle in book(each)[::23]:
        line, peer = start_line(puzzle), peer_of(puzzle.position)
        for move in line.step.evaluation.moves:
            if move.value != "loss":
                continue
            game = peer.copy()
            game.play(move.move)
            position = line.position.play(move.action)
            for answer in line.step.answers[move.action]:
                game.play(position.name(answer))
                position = position.play(answer)
            assert game.result() == f"p{3 - line.solver}"
            assert len(position.history) - len(line.position.history) == move.distance
            assert len(line.refutation(move.action)) <= max(2, len(position.history))


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
                    assert f" loses: your opponent answers with {answer.moves[-1]}." in why


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
