"""Winning chances are exact where they say so, honest where they do not, and never peek."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import gridwise
from gridwise.core.bits import bit_indices
from gridwise.core.board import Board
from gridwise.core.contracts import State
from gridwise.core.game import Game
from gridwise.core.position import Position, start
from gridwise.engine.budget import STOPPED, Budget, SearchStopped
from gridwise.engine.chance import win_probability
from gridwise.engine.chance.race import Race, first_estimates, race_of, relaxation_of
from gridwise.engine.chance.win_probability import WinProbabilitySearch, win_probabilities
from gridwise.engine.evaluation import Evaluation, Limits, evaluate
from gridwise.errors import BadRequest
from tests.engine.brute import Free, after_claim
from tests.engine.fake_clock import FakeClock, StopButton
from tests.sizes import sample

GAME = gridwise.game("grid-conquest")
EFFORT = 60_000  # lines of play: brute force takes less than a second


def some_position(
    rng: random.Random, rows: int, cols: int, target: int, hidden: int
) -> Position | None:
    """A position on the way of a random game, with so many cells face down; None if it has none."""
    board = GAME.deal(rng, rows, cols, target)
    position = start(GAME, board, rng.choice([1, 2]))
    while not position.outcome:
        if position.hidden.bit_count() == hidden:
            return position
        position = position.play(rng.choice(bit_indices(position.legal_mask)), board)
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
    race, free = race_of(position), position.legal_mask.bit_count()
    plies = min(free, (race.mine + race.yours) // 3)
    return math.perm(free, plies) * 5.0 ** race.hidden.bit_count()


def by_brute_force(position: Position) -> dict[int, float]:
    """The chance of every legal move, the slow way."""
    race = race_of(position)
    cols = position.board.cols
    free: Free = {
        divmod(cell, cols): race.values[cell] or None for cell in bit_indices(position.legal_mask)
    }
    numbers = tuple(range(GAME.rules.LOW, GAME.rules.HIGH + 1))
    return {
        cell: after_claim(free, divmod(cell, cols), race.mine, race.yours, numbers)
        for cell in bit_indices(position.legal_mask)
    }


def wins(evaluation: Evaluation) -> dict[int, float]:
    """The chance of every move."""
    return {move.action: move.points for move in evaluation.moves}


def truth_of(position: Position) -> dict[int, float]:
    """The chance of every move, exactly."""
    evaluation = win_probabilities(position, Limits(nodes=200_000))
    assert evaluation.exact
    return wins(evaluation)


def only_sampled(position: Position, simulations: int, seed: int) -> Evaluation:
    """What sampling says where an exact answer could be had."""
    search = WinProbabilitySearch(GAME, race_of(position), seed)
    search.compile_kernel(Budget())
    search.sample(simulations, Budget())
    return search.evaluation(position)


# Exact


@pytest.mark.parametrize(
    ("rows", "cols", "target", "hidden", "count"),
    [
        (1, 1, 3, 1, 1),
        (1, 1, 15, 1, 1),
        (1, 3, 4, 3, 3),
        (1, 3, 15, 3, 1),
        (1, 4, 7, 4, 1),
        (2, 2, 4, 4, 2),
        (2, 2, 9, 4, 2),
        (2, 3, 6, 2, 20),
        (2, 3, 9, 2, 20),
        (1, 6, 8, 4, 6),
        (3, 3, 11, 0, 96),
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
    few = sample(-(-count // 8), long=count)
    for position in positions(seed, few, rows, cols, target, hidden, EFFORT):
        evaluation = evaluate(position)
        assert evaluation.exact
        assert wins(evaluation) == pytest.approx(by_brute_force(position), abs=1e-9)
        assert evaluation.win == max(wins(evaluation).values())
        assert all(move.error is None for move in evaluation.moves)


def test_other_numbers_than_one_to_five() -> None:
    """The range of the numbers is the game's: two and three, or nothing but fours."""
    for position in positions(9, 8, 2, 3, 6, 2):
        race = race_of(position)
        numbers = tuple(min(max(value, 2), 3) if value else 0 for value in race.values)
        race = race._replace(least=2, most=3, values=numbers)
        search = WinProbabilitySearch(GAME, race, 0)
        search.compile_kernel(Budget())
        search.solve_exactly(None, Budget())
        free: Free = {
            divmod(cell, 3): numbers[cell] or None for cell in bit_indices(position.legal_mask)
        }
        expected = {
            cell: after_claim(free, divmod(cell, 3), race.mine, race.yours, (2, 3))
            for cell in bit_indices(position.legal_mask)
        }
        assert wins(search.evaluation(position)) == pytest.approx(expected, abs=1e-9)


def test_late_positions_of_the_standard_game_are_exact() -> None:
    """When both need no more than one number, the answer is computed, in no time."""
    rng, seen = random.Random(8), 0
    while seen < 20:
        board = GAME.deal(rng)
        position = start(GAME, board)
        while not position.outcome:
            race = race_of(position)
            if max(race.mine, race.yours) <= race.most:
                assert win_probabilities(position, Limits(nodes=5_000)).exact
                seen += 1
            position = position.play(rng.choice(bit_indices(position.legal_mask)), board)


# Positions on the edge


def test_a_game_that_is_over_has_no_options() -> None:
    """There is a result and nothing to evaluate."""
    won = Position(GAME, GAME.parse_board("5551/1111", target=5), moves=["A1"])
    assert won.outcome
    assert won.outcome.winner == 1
    assert win_probabilities(won) == Evaluation((), exact=True)
    drawn = Position(GAME, "33", moves=["A1", "A2"])
    assert drawn.outcome
    assert drawn.outcome.winner == 3
    assert win_probabilities(drawn) == Evaluation((), exact=True)
    told = gridwise.analyze(GAME.key, "33", moves=["A1", "A2"])
    assert (told["win"], told["exact"], told["options"]) == (None, True, [])


def test_a_board_of_all_ones() -> None:
    """Known to hold nothing but ones, a board of 25 is won by whoever claims the 13th."""
    board = GAME.parse_board("/".join(["11111"] * 5))
    state = GAME.rules.start(board, 1)._replace(revealed=board.full)
    evaluation = win_probabilities(Position.from_state(GAME, board, state))
    assert evaluation.exact
    assert set(wins(evaluation).values()) == {1.0}


@pytest.mark.parametrize(("rows", "cols", "target"), [(7, 9, 15), (7, 9, 120), (1, 63, 15)])
def test_boards_at_the_size_limit(rows: int, cols: int, target: int) -> None:
    """Sixty-three cells get an answer like any other board."""
    board = Board(rows, cols, (0,) * (rows * cols), target)
    evaluation = win_probabilities(start(GAME, board), Limits(nodes=500))
    assert len(evaluation.moves) == 63
    assert not evaluation.exact
    assert all(0 <= move.points <= 1 and move.error for move in evaluation.moves)


# Nothing is known before it is turned up


def test_face_down_cells_are_not_looked_at() -> None:
    """Boards that differ only where nobody has looked get the same answer, digit for digit."""
    rng = random.Random(6)
    for plies in (0, 1, 2, 3, 4):
        board = GAME.deal(rng)
        position = start(GAME, board)
        for _ in range(plies):
            position = position.play(rng.choice(bit_indices(position.legal_mask)), board)
        blank = win_probabilities(position, Limits(nodes=2_000))
        for _ in range(3):
            other = GAME.deal_unknown(position.board, rng)
            same = Position.from_state(GAME, other, position.state)
            assert win_probabilities(same, Limits(nodes=2_000)) == blank


@pytest.mark.parametrize(("rows", "cols", "target"), [(0, 0, 15), (2, 3, 6), (4, 7, 30)])
def test_the_race_is_what_the_rules_say(rows: int, cols: int, target: int) -> None:
    """Along random games, and it knows no number of a cell that is face down."""
    rng = random.Random(rows)
    for _ in range(20):
        board = GAME.deal(rng, rows, cols, target)
        position = start(GAME, board)
        while not position.outcome:
            race = race_of(position)
            action = rng.choice(bit_indices(position.legal_mask))
            position = position.play(action, board)
            if not position.outcome:
                assert race_of(position) == claimed(race, board, action)


def claimed(race: Race, board: Board, cell: int) -> Race:
    """The race after a claim."""
    hidden = race.hidden & ~(race.reveals[cell] | 1 << cell)
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
    with pytest.raises(BadRequest, match="not a race"):
        win_probabilities(start(odd, board))


# Sampled


def test_the_same_seed_gives_the_same_answer() -> None:
    """Limited by simulations, an answer depends on position and seed alone."""
    board = GAME.deal(random.Random(3))
    position = start(GAME, board).play(7, board)
    first = win_probabilities(position, Limits(nodes=3_000, seed=5))
    assert first.nodes == 3_000
    assert win_probabilities(position, Limits(nodes=3_000, seed=5)) == first
    assert win_probabilities(position, Limits(nodes=3_000, seed=6)) != first


def test_errors_are_honest() -> None:
    """Of the true chances, at least 9 in 10 lie within two standard errors of the sampled ones."""
    within = total = 0
    for position in positions(11, 25, 5, 5, 15, 8):
        truth = truth_of(position)
        for simulations in (100, 1_000):
            for move in only_sampled(position, simulations, seed=simulations).moves:
                total += 1
                within += abs(move.points - truth[move.action]) <= 2 * (move.error or 0.0) + 1e-9
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
            for move in only_sampled(position, simulations, seed=1).moves:
                told[simulations].append(move.error or 0.0)
                true[simulations].append(abs(move.points - truth[move.action]))
    assert np.mean(told[many]) < np.mean(told[few]) / 3
    assert np.mean(true[many]) < np.mean(true[few])


def test_the_first_move_is_worth_two_thirds() -> None:
    """Between perfect players the first to move wins about two games in three, from a corner."""
    board = GAME.parse_board(GAME.example_board)
    evaluation = win_probabilities(start(GAME, board), Limits(nodes=20_000))
    assert evaluation.win == pytest.approx(0.66, abs=0.03)
    assert evaluation.best.action in {0, 4, 20, 24}
    corner, centre = wins(evaluation)[0], wins(evaluation)[12]
    assert corner > centre + 0.02


def test_a_first_look_is_near() -> None:
    """Without any search a chance is off by 0.06 on average, no more."""
    off = []
    for position in positions(13, sample(12, long=25), 5, 5, 15, 9):
        truth = truth_of(position)
        off += [value - truth[cell] for cell, value in first_estimates(race_of(position)).items()]
    assert np.sqrt(np.mean(np.square(off))) < win_probability.FIRST_ERROR


def test_the_relaxation_knows_its_averages() -> None:
    """What it says once cells are turned up is its average over the numbers they may have."""
    table, blind, ranks = relaxation_of(race_of(next(positions(1, 1, 5, 5, 15, 8))))
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
    return start(GAME, board)


def test_a_time_limit_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the time is up nothing more is searched; the clock is looked at twice for each slice."""
    win_probabilities(early(), Limits(nodes=1))  # whatever has to be compiled is
    clock = FakeClock(monkeypatch, per_look=0.005)
    evaluation = win_probabilities(early(), Limits(seconds=0.1))
    assert 50 < clock.now <= 50 + 0.1 + 3 * 0.005
    assert evaluation.nodes > 0


def test_stop_is_heard_at_once() -> None:
    """What was found before is told, with a few samples where there were none."""
    win_probabilities(early(), Limits(nodes=1))
    stop = StopButton(after=6)
    evaluation = win_probabilities(early(), Limits(seconds=1e6, stop=stop))
    assert stop.asked == 6 + 2  # by the exact search and by the sampling one, which ends as well
    assert len(evaluation.moves) == 25
    assert all(move.error for move in evaluation.moves)


def test_there_is_an_answer_before_anything_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where time runs out first, every move has its first look, with an error that says so."""

    def too_late(_work: object, _budget: Budget) -> None:
        raise SearchStopped(STOPPED)

    monkeypatch.setattr(win_probability, "is_compiled", lambda _game, _function: False)
    monkeypatch.setattr(win_probability, "run_interruptibly", too_late)
    evaluation = win_probabilities(early(), Limits(seconds=0.01))
    assert {move.error for move in evaluation.moves} == {win_probability.FIRST_ERROR}
    assert evaluation.win == pytest.approx(0.615, abs=0.01)


# What analyze tells


def test_answers_have_the_shape_of_the_interface(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sampled answer carries an error on every move, an exact one on none."""
    monkeypatch.setattr(win_probability, "SIMULATIONS", 2_000)
    told = gridwise.analyze("grid-conquest")
    assert told["exact"] is False
    assert [move["move"] for move in told["options"]] == told["legal"]
    assert set(told["options"][0]) == {"move", "value", "distance", "win", "error"}
    assert told["win"] == max(move["win"] for move in told["options"])
    moves = ["C3", "D4", "D3", "A1", "B2", "B4"]
    told = gridwise.analyze("grid-conquest", "53152/24251/43453/?1523/?2214", moves=moves)
    assert told["exact"] is True
    assert (told["value"], told["distance"], told["win"]) == (None, None, 1.0)
    options = {move["move"]: move for move in told["options"]}
    assert options["C5"] == {"move": "C5", "value": None, "distance": None, "win": 1.0}
    assert options["A3"]["win"] < 1.0
