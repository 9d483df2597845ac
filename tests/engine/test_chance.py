"""Winning chances are exact where they say so, honest where they do not, and never peek."""

from __future__ import annotations

import math
import random
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import gridwise
from gridwise.core.bits import members
from gridwise.core.board import Board
from gridwise.core.game import Game, Position, State
from gridwise.engine import chance
from gridwise.engine.chance import ChanceSolution, evaluate, sampled
from gridwise.engine.race import Race, race_of
from gridwise.engine.shadow import glance, shadow_of
from gridwise.engine.watch import STOPPED, Halted, Watch
from gridwise.errors import BadRequest
from tests.engine.brute import Free, after_claim

GAME = gridwise.game("grid-conquest")
EFFORT = 60_000  # lines of play: brute force takes less than a second


def some_position(
    rng: random.Random, rows: int, cols: int, target: int, hidden: int
) -> Position | None:
    """A position on the way of a random game, with so many cells face down; None if it has none."""
    board = GAME.deal(rng, rows, cols, target)
    state = GAME.rules.start(board, rng.choice([1, 2]))
    while not GAME.rules.winner(board, state):
        if GAME.rules.hidden(board, state).bit_count() == hidden:
            return Position(GAME, GAME.seen(board, state), state)
        state = GAME.rules.play(board, state, rng.choice(members(GAME.rules.moves(board, state))))
    return None


def positions(
    seed: int, count: int, rows: int, cols: int, target: int, hidden: int, effort: float = math.inf
) -> Iterator[Position]:
    """So many of them, none of which takes brute force more than some effort."""
    rng = random.Random(seed)
    found = 0
    while found < count:
        position = some_position(rng, rows, cols, target, hidden)
        if position is not None and lines_of_play(position) < effort:
            found += 1
            yield position


def lines_of_play(position: Position) -> float:
    """How many there are, roughly: claims of three points on average, and what they turn up."""
    race, free = race_of(position), position.legal.bit_count()
    plies = min(free, (race.mine + race.yours) // 3)
    return math.perm(free, plies) * 5.0 ** race.hidden.bit_count()


def by_brute_force(position: Position) -> dict[int, float]:
    """The chance of every legal move, the slow way."""
    race = race_of(position)
    cols = position.board.cols
    free: Free = {divmod(cell, cols): race.values[cell] or None for cell in members(position.legal)}
    numbers = tuple(range(GAME.rules.LOW, GAME.rules.HIGH + 1))
    return {
        cell: after_claim(free, divmod(cell, cols), race.mine, race.yours, numbers)
        for cell in members(position.legal)
    }


def wins(solution: ChanceSolution) -> dict[int, float]:
    """The chance of every move."""
    return {option.action: option.win for option in solution.options}


def truth_of(position: Position) -> dict[int, float]:
    """The chance of every move, exactly."""
    solution = evaluate(position, simulations=200_000)
    assert solution.exact
    return wins(solution)


def only_sampled(position: Position, simulations: int, seed: int) -> ChanceSolution:
    """What sampling says where an exact answer could be had."""
    search = chance._Search(GAME, race_of(position), seed)
    search.make_ready(Watch())
    search.sample(simulations, Watch())
    return search.solution(list(members(position.legal)))


# Exact


@pytest.mark.parametrize(
    ("rows", "cols", "target", "hidden", "count"),
    [
        (1, 1, 3, 1, 1),
        (1, 3, 4, 3, 3),
        (2, 2, 4, 4, 2),
        (2, 2, 9, 4, 2),
        (2, 3, 6, 2, 20),
        (2, 3, 9, 2, 20),
        (1, 6, 8, 4, 6),
        (3, 3, 7, 1, 10),
        (3, 3, 9, 2, 10),
        (2, 4, 5, 4, 4),
        (4, 4, 10, 2, 8),
        (5, 5, 15, 1, 8),
        (5, 5, 15, 2, 8),
        (5, 5, 15, 3, 4),
    ],
)
def test_exact_chances_agree_with_brute_force(
    rows: int, cols: int, target: int, hidden: int, count: int
) -> None:
    """Every move's chance is what going through all claims and all numbers gives."""
    seed = rows * 1000 + cols * 100 + target
    for position in positions(seed, count, rows, cols, target, hidden, EFFORT):
        solution = evaluate(position)
        assert solution.exact
        assert wins(solution) == pytest.approx(by_brute_force(position), abs=1e-9)
        assert solution.win == max(wins(solution).values())
        assert all(option.error == 0 for option in solution.options)


def test_everything_turned_up_is_plain_minimax() -> None:
    """Without a face-down cell a chance is 0, a half or 1, and exact."""
    for position in positions(4, 12, 3, 3, 11, 0):
        solution = evaluate(position)
        assert solution.exact
        assert set(wins(solution).values()) <= {0.0, 0.5, 1.0}
        assert wins(solution) == by_brute_force(position)


def test_other_numbers_than_one_to_five() -> None:
    """The range of the numbers is the game's: two and three, or nothing but fours."""
    for position in positions(9, 8, 2, 3, 6, 2):
        race = race_of(position)
        numbers = tuple(min(max(value, 2), 3) if value else 0 for value in race.values)
        race = race._replace(least=2, most=3, values=numbers)
        search = chance._Search(GAME, race, 0)
        search.make_ready(Watch())
        search.work_out(None, Watch(), None)
        free: Free = {divmod(cell, 3): numbers[cell] or None for cell in members(position.legal)}
        expected = {
            cell: after_claim(free, divmod(cell, 3), race.mine, race.yours, (2, 3))
            for cell in members(position.legal)
        }
        assert wins(search.solution(list(expected))) == pytest.approx(expected, abs=1e-9)


def test_late_positions_of_the_standard_game_are_exact() -> None:
    """When both need no more than one number, the answer is computed, in no time."""
    rng, seen = random.Random(8), 0
    while seen < 20:
        board = GAME.deal(rng)
        state = GAME.rules.start(board, 1)
        while not GAME.rules.winner(board, state):
            position = Position(GAME, GAME.seen(board, state), state)
            race = race_of(position)
            if max(race.mine, race.yours) <= race.most:
                assert evaluate(position, simulations=5_000).exact
                seen += 1
            state = GAME.rules.play(board, state, rng.choice(members(position.legal)))


# Positions on the edge


def test_a_game_that_is_over_has_no_options() -> None:
    """The winner's chance is told from the side of the player who would be next."""
    board = GAME.parse_board("5551/1111", target=5)
    state = GAME.rules.play(board, GAME.rules.start(board, 1), 0)
    assert evaluate(Position(GAME, board, state)) == ChanceSolution(0.0, exact=True, options=())
    drawn = GAME.parse_board("33")
    state = GAME.rules.play(drawn, GAME.rules.start(drawn, 1), 0)
    state = GAME.rules.play(drawn, state, 1)
    assert evaluate(Position(GAME, drawn, state)).win == 0.5
    told = gridwise.analyze(GAME.key, "33", moves=["A1", "A2"])
    assert (told["win"], told["exact"], told["options"]) == (None, True, [])


def test_a_board_of_all_ones() -> None:
    """Known to hold nothing but ones, a board of 25 is won by whoever claims the 13th."""
    board = GAME.parse_board("/".join(["11111"] * 5))
    state = GAME.rules.start(board, 1)._replace(revealed=board.full)
    solution = evaluate(Position(GAME, board, state))
    assert solution.exact
    assert set(wins(solution).values()) == {1.0}


def test_a_single_cell_wins() -> None:
    """Whoever claims the only cell has more points than nobody."""
    board = Board(1, 1, (0,), 15)
    solution = evaluate(Position(GAME, board, GAME.rules.start(board, 2)))
    assert solution == ChanceSolution(1.0, True, (chance.Option(0, 1.0, 0.0),))


@pytest.mark.parametrize(("rows", "cols", "target"), [(7, 9, 15), (7, 9, 120), (1, 63, 15)])
def test_boards_at_the_size_limit(rows: int, cols: int, target: int) -> None:
    """Sixty-three cells get an answer like any other board."""
    board = Board(rows, cols, (0,) * (rows * cols), target)
    solution = evaluate(Position(GAME, board, GAME.rules.start(board, 1)), simulations=500)
    assert len(solution.options) == 63
    assert not solution.exact
    assert all(0 <= option.win <= 1 and option.error > 0 for option in solution.options)


# Nothing is known before it is turned up


def test_face_down_cells_are_not_looked_at() -> None:
    """Boards that differ only where nobody has looked get the same answer, digit for digit."""
    rng = random.Random(6)
    for plies in (0, 1, 2, 3, 4):
        board = GAME.deal(rng)
        state = GAME.rules.start(board, 1)
        for _ in range(plies):
            state = GAME.rules.play(
                board, state, rng.choice(members(GAME.rules.moves(board, state)))
            )
        seen = GAME.seen(board, state)
        blank = evaluate(Position(GAME, seen, state), simulations=2_000)
        for _ in range(3):
            other = GAME.deal_unknown(seen, rng)
            assert evaluate(Position(GAME, other, state), simulations=2_000) == blank


def test_a_race_has_no_face_down_number_in_it() -> None:
    """What the search is given does not contain what it must not know."""
    board = GAME.deal(random.Random(2))
    state = GAME.rules.play(board, GAME.rules.start(board, 1), 0)
    race = race_of(Position(GAME, board, state))
    assert race.hidden == GAME.rules.hidden(board, state)
    assert all(not race.values[cell] for cell in members(race.hidden))


@pytest.mark.parametrize(("rows", "cols", "target"), [(0, 0, 15), (2, 3, 6), (4, 7, 30)])
def test_the_race_is_what_the_rules_say(rows: int, cols: int, target: int) -> None:
    """Along random games every position passes the check against the rules."""
    rng = random.Random(rows)
    for _ in range(20):
        board = GAME.deal(rng, rows, cols, target)
        state = GAME.rules.start(board, 1)
        while not GAME.rules.winner(board, state):
            race = race_of(Position(GAME, board, state))
            action = rng.choice(members(GAME.rules.moves(board, state)))
            after = GAME.rules.play(board, state, action)
            if not GAME.rules.winner(board, after):
                assert race_of(Position(GAME, board, after)) == claimed(race, board, action)
            state = after


def claimed(race: Race, board: Board, cell: int) -> Race:
    """The race after a claim."""
    hidden = race.hidden & ~(race.around[cell] | 1 << cell)
    shown = (race.shown | race.hidden & ~hidden) & ~(1 << cell)
    values = tuple(v if shown >> at & 1 else 0 for at, v in enumerate(board.cells))
    mine, yours = race.yours, race.mine - board.cells[cell]
    return race._replace(mine=mine, yours=yours, hidden=hidden, shown=shown, values=values)


def test_a_game_of_another_shape_is_refused() -> None:
    """Where a claim does something else, there is an error and no wrong answer."""

    def twice(board: Board, state: State, action: int) -> State:
        after = GAME.rules.play(board, state, action)
        return after._replace(your_score=after.your_score + 1)

    rules = SimpleNamespace(**vars(GAME.rules)) if hasattr(GAME.rules, "__dict__") else None
    assert rules is not None
    rules.play = twice
    odd: Game = replace(GAME, rules=rules)
    board = odd.deal(random.Random(1))
    with pytest.raises(BadRequest, match="no race"):
        evaluate(Position(odd, board, odd.rules.start(board, 1)))


# Sampled


def test_the_same_seed_gives_the_same_answer() -> None:
    """Limited by simulations, an answer depends on position and seed alone."""
    board = GAME.deal(random.Random(3))
    state = GAME.rules.play(board, GAME.rules.start(board, 1), 7)
    position = Position(GAME, GAME.seen(board, state), state)
    first = evaluate(position, simulations=3_000, seed=5)
    assert first.simulations == 3_000
    assert evaluate(position, simulations=3_000, seed=5) == first
    assert evaluate(position, simulations=3_000, seed=6) != first


def test_errors_are_honest() -> None:
    """Of the true chances, at least 9 in 10 lie within two standard errors of the sampled ones."""
    within = total = 0
    for position in positions(11, 25, 5, 5, 15, 8):
        truth = truth_of(position)
        for simulations in (100, 1_000):
            for option in only_sampled(position, simulations, seed=simulations).options:
                total += 1
                within += abs(option.win - truth[option.action]) <= 2 * option.error + 1e-9
    assert total > 500
    assert within / total > 0.9


def test_more_simulations_give_smaller_errors_and_better_answers() -> None:
    """From 100 simulations to 10,000 both the errors told and the true ones shrink."""
    few, many = 100, 10_000
    told: dict[int, list[float]] = {few: [], many: []}
    true: dict[int, list[float]] = {few: [], many: []}
    for position in positions(12, 12, 5, 5, 15, 8):
        truth = truth_of(position)
        for simulations in (few, many):
            for option in only_sampled(position, simulations, seed=1).options:
                told[simulations].append(option.error)
                true[simulations].append(abs(option.win - truth[option.action]))
    assert np.mean(told[many]) < np.mean(told[few]) / 3
    assert np.mean(true[many]) < np.mean(true[few])


def test_the_first_move_is_worth_two_thirds() -> None:
    """Between perfect players the first to move wins about two games in three, from a corner."""
    board = GAME.parse_board(GAME.example_board)
    solution = evaluate(Position(GAME, board, GAME.rules.start(board, 1)), simulations=20_000)
    assert solution.win == pytest.approx(0.66, abs=0.03)
    assert solution.best in {0, 4, 20, 24}
    corner, centre = wins(solution)[0], wins(solution)[12]
    assert corner > centre + 0.02


def test_a_first_look_is_near() -> None:
    """Without any search a chance is off by 0.06 on average, no more."""
    off = []
    for position in positions(13, 25, 5, 5, 15, 9):
        truth = truth_of(position)
        off += [worth - truth[cell] for cell, worth in glance(race_of(position)).items()]
    assert np.sqrt(np.mean(np.square(off))) < chance.FIRST_ERROR


def test_the_shadow_knows_its_averages() -> None:
    """What it says once cells are turned up is its average over the numbers they may have."""
    table, blind, ranks = shadow_of(race_of(next(positions(1, 1, 5, 5, 15, 8))))
    empty, fives = 0, [int(ranks[0][number]) for number in range(6)]
    assert table[3, 9, empty, 1] == pytest.approx(
        np.mean([table[3, 9, fives[n], 0] for n in range(1, 6)])
    )
    # A face-down cell of 3 or more wins; of 1 or 2 it leaves the opponent to move.
    left = [1 - table[9, 2, empty, 2], 1 - table[9, 1, empty, 2]]
    assert blind[3, 9, empty, 2] == pytest.approx((sum(left) + 3) / 5)


# Time


def early() -> Position:
    """A position that cannot be worked out exactly in a second."""
    board = GAME.deal(random.Random(3))
    return Position(GAME, GAME.seen(board, GAME.rules.start(board, 1)), GAME.rules.start(board, 1))


def test_a_time_limit_is_kept() -> None:
    """A tenth of a second gives an answer in a tenth of a second (the best of three tries)."""
    evaluate(early(), simulations=1)  # whatever has to be compiled is
    took = []
    for _ in range(3):
        start = time.monotonic()
        solution = evaluate(early(), seconds=0.1)
        took.append(time.monotonic() - start)
        assert solution.simulations > 0
    assert min(took) < 0.2


def test_stop_is_heard_within_a_tenth_of_a_second() -> None:
    """Stopped from another thread, the search comes back at once with what it has."""
    evaluate(early(), simulations=1)
    took = []
    for _ in range(3):
        stop = threading.Event()
        threading.Timer(0.15, stop.set).start()
        start = time.monotonic()
        solution = evaluate(early(), seconds=60, stop=stop.is_set)
        took.append(time.monotonic() - start - 0.15)
        assert len(solution.options) == 25
        assert all(option.error > 0 for option in solution.options)
    assert min(took) < 0.1


def test_there_is_an_answer_before_anything_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where time runs out first, every move has its first look, with an error that says so."""

    def too_late(_work: object, _watch: Watch) -> None:
        raise Halted(STOPPED)

    monkeypatch.setattr(chance, "is_compiled", lambda _game, _function: False)
    monkeypatch.setattr(chance, "wait_for", too_late)
    solution = evaluate(early(), seconds=0.01)
    assert {option.error for option in solution.options} == {chance.FIRST_ERROR}
    assert solution.win == pytest.approx(0.615, abs=0.01)


# What analyze tells


def test_answers_have_the_shape_of_the_interface() -> None:
    """A sampled answer carries an error on every option, an exact one on none."""
    told = gridwise.analyze("grid-conquest")
    assert told["exact"] is False
    assert [option["move"] for option in told["options"]] == told["legal"]
    assert set(told["options"][0]) == {"move", "value", "distance", "win", "error"}
    assert told["win"] == max(option["win"] for option in told["options"])
    moves = ["C3", "D4", "D3", "A1", "B2", "B4"]
    told = gridwise.analyze("grid-conquest", "53152/24251/43453/?1523/?2214", moves=moves)
    assert told["exact"] is True
    assert (told["value"], told["distance"], told["win"]) == (None, None, 1.0)
    options = {option["move"]: option for option in told["options"]}
    assert options["C5"] == {"move": "C5", "value": None, "distance": None, "win": 1.0}
    assert options["A3"]["win"] < 1.0


def test_a_tree_without_simulations_says_what_the_shadow_says() -> None:
    """Nothing tried, nothing learned: chances are those of the first look."""
    search = chance._Search(GAME, race_of(early()), 0)
    search.make_ready(Watch())
    with pytest.raises(Halted):
        search.sample(5, Watch(stop=lambda: True))
    assert search.tree is not None
    means, errors = sampled(search.tree, len(search.cells))
    assert means == pytest.approx(search.first, abs=0.15)
    assert max(errors) < 0.2
