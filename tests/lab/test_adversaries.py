"""Players who want a good figure without playing well, and where a grade puts each of them.

What is expected is arithmetic: from what they do, and never from a figure of ours.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cache, partial
from math import sqrt
from statistics import fmean
from typing import Any, cast

import pytest

from gridwise import Position, games, grade
from gridwise.core.bits import bit_indices
from gridwise.core.position import replay
from gridwise.core.registry import game as game_named
from gridwise.lab.grading.judge import GradedMove
from gridwise.lab.grading.policy import uniform
from gridwise.lab.grading.report import GradeReport
from research.results.adversaries import (
    ADVERSARIES,
    NO_MOVE,
    Adversary,
    Dawdler,
    IllegalMover,
    Mixture,
    Perfect,
    Repeater,
    Resigner,
    mixture,
)
from tests.lab.test_grading import value
from tests.sizes import sample

GAMES = sample(60, long=400)
ENDLESS, FINITE = "grid-runner", "number-connect"
EXACT = [game.key for game in games() if not game.has_hidden_cells]
PLIES = 200  # after which a game that can go on for ever is worth half a point each


_reports: dict[tuple[str, str, str | None], GradeReport] = {}


def graded(adversary: type[Adversary], key: str, board: str | None = None) -> GradeReport:
    """How an adversary is graded against the random bot; played once."""
    asked, player = (adversary.name, key, board), cast("Any", adversary())
    if asked not in _reports:
        _reports[asked] = grade(player, key, games=GAMES, seed=1, board=board)
    return _reports[asked]


def played(report: GradeReport) -> dict[str, list[GradedMove]]:
    """The choices of each game, in order."""
    by_game: dict[str, list[GradedMove]] = defaultdict(list)
    for row in report.rows:
        by_game[row.source].append(row)
    return by_game


def decided(rows: Iterable[GradedMove]) -> list[GradedMove]:
    """In games without end: the choices where a mistake was possible, each position once a game."""
    seen, kept = set(), []
    for row in rows:
        position = Position(ENDLESS, row.board, first=row.first, moves=row.moves)
        worths = [worth for _, worth in row.values]
        if (row.source, position.key) not in seen and max(worths) > min(worths):
            kept.append(row)
        seen.add((row.source, position.key))
    return kept


# No figure is bent


def test_a_few_endless_games_do_not_make_a_grade() -> None:
    """Six of 400 games of this call have half the decisions, if repetitions of them count.

    They would lift the rate of best moves by six points; now they move it by one.
    """
    report = grade("casual", "number-maze", games=400, seed=1, opponent="novice")
    every = [row for row in report.rows if row.decision]
    longest = {source for source, _ in Counter(row.source for row in every).most_common(6)}

    def best(rows: Iterable[GradedMove]) -> float:
        return fmean(row.optimal for row in rows)

    def others(rows: Iterable[GradedMove]) -> list[GradedMove]:
        return [row for row in rows if row.source not in longest]

    assert len(others(every)) < 0.52 * len(every)
    assert best(every) - best(others(every)) > 0.06
    counted = [row for row in every if not row.repeated]
    assert len(others(counted)) > 0.9 * len(counted)
    assert report.best_rate == pytest.approx(best(counted))
    assert abs(best(counted) - best(others(counted))) < 0.01


@pytest.mark.parametrize("key", [ENDLESS, FINITE])
def test_perfect_play_has_nothing_to_regret(key: str) -> None:
    """It keeps every value and loses no time, and nobody scores more by more than chance."""
    report = graded(Perfect, key)
    assert report.regret == report.game_regret == report.stalled == report.illegal == 0
    assert report.summary.progress
    assert report.best_rate == report.summary.progress.value == 1
    for adversary in ADVERSARIES:
        assert graded(adversary, key).low <= report.high


@pytest.mark.parametrize("key", EXACT)
def test_a_mixture_is_what_it_is_mixed_of(key: str) -> None:
    """Of 20, 50 and 80 % perfect moves: regret, best moves and progress by these shares, exactly.

    The rest is the random bot's, whose chances are known, so that nothing is drawn.
    """
    drawn = grade("random", key, suite="test").summary
    assert drawn.regret
    assert drawn.best
    assert drawn.progress
    perfect = cache(lambda *state: mixture(1.0)(Position.from_state(*state)))

    def policy(position: Position, share: float) -> Mapping[int, float]:
        best, legal = perfect(*position.key), uniform(position)
        return {action: share * best[action] + (1 - share) * legal[action] for action in legal}

    for share in (0.2, 0.5, 0.8):
        player: Any = partial(policy, share=share)
        mixed = grade(player, key, suite="test", chances=True).summary
        assert mixed.regret
        assert mixed.best
        assert mixed.progress
        assert mixed.regret.value == pytest.approx((1 - share) * drawn.regret.value)
        for one, other in ((mixed.best, drawn.best), (mixed.progress, drawn.progress)):
            assert one.value == pytest.approx(share + (1 - share) * other.value)


def test_a_mixture_that_draws_its_moves_is_where_its_chances_are() -> None:
    """Asked a thousand times, it is within four standard errors of what can be expected."""
    player: Any = Mixture(seed=5)
    asked = grade(player, FINITE, suite="test")
    expected = grade(mixture(0.5), FINITE, suite="test", chances=True)
    # A regret is between 0 and 1, so that its variance is at most a quarter.
    assert asked.regret == pytest.approx(expected.regret, abs=4 * 0.5 / sqrt(asked.decisions))


@pytest.mark.parametrize("key", [ENDLESS, FINITE])
def test_who_errs_more_scores_less(key: str) -> None:
    """By score and by regret a game, all but neighbours are apart."""
    scores = [graded(adversary, key) for adversary in ADVERSARIES[:5]]
    names = [report.agent for report in scores]
    assert names[0] == "perfect", names
    for better, worse in zip(scores, scores[2:], strict=False):
        assert better.score > worse.score
        assert (better.game_regret or 0) < (worse.game_regret or 0)


def test_a_dawdler_pays_for_every_win_it_leaves_standing() -> None:
    """It gives nothing away, so what it regrets is half a point for each such game, and no more."""
    report, perfect = graded(Dawdler, ENDLESS), graded(Perfect, ENDLESS)
    assert report.regret == 0
    assert report.best_rate == 1
    standing = sum(
        len(rows[-1].moves) >= PLIES - 2 and rows[-1].distance is not None
        for rows in played(report).values()
    )
    assert standing >= GAMES / 4
    assert report.game_regret == pytest.approx(0.5 * standing / report.counted)
    assert report.stalled >= standing
    assert report.summary.progress
    assert report.summary.progress.high < 0.6
    assert report.high < perfect.low


def test_going_round_dilutes_no_error() -> None:
    """Of the repeater's moves four of five are repetitions; rates are over the others."""
    report = graded(Repeater, ENDLESS)
    assert report.repeated > 0.6 * report.moves
    assert report.decisions == len(decided(report.rows))
    assert report.regret == pytest.approx(fmean(row.regret for row in decided(report.rows)))
    assert report.stalled > GAMES / 4


class Circler(Adversary):
    """Takes the slowest way, and where it has been before it gives the game up."""

    name = "circler"

    def choose(self, position: Position) -> str:
        """A slow move, or nothing that could be played, where no mistake would be seen twice."""
        *before, _ = replay(ENDLESS, position.board, position.first, position.moves)
        return NO_MOVE if position.key in {each.key for each in before} else self.slowest(position)


def test_an_illegal_move_counts_where_the_position_has_come_up_before() -> None:
    """All that it loses it loses there, and all of that is in regret."""
    report = graded(Circler, ENDLESS)
    lost = [row for row in report.rows if row.illegal and row.decision]
    assert lost
    assert all(row.repeated for row in lost)
    assert report.regret * report.decisions == pytest.approx(sum(row.value for row in lost))
    assert report.best_rate is not None
    assert report.best_rate < 1


def test_who_resigns_has_thrown_away_what_the_game_was_worth() -> None:
    """One turn a game, and no point; on a small board a count by hand says what that was worth."""
    board = "41/52/63"
    report = graded(Resigner, FINITE, board)
    assert (report.score, report.losses) == (0, report.games)
    assert report.illegal == report.moves == report.games == GAMES
    game = game_named(FINITE)
    grid = game.parse_board(board)
    start = game.rules.start(grid, 1)
    after = [
        game.rules.play(grid, start, each) for each in bit_indices(game.rules.moves(grid, start))
    ]
    first, second = (
        value(game, grid, start, {}),
        fmean(value(game, grid, each, {}) for each in after),
    )
    # Player 1's half is certain; Player 2's varies by what the random bot begins with.
    assert report.game_regret == pytest.approx((first + second) / 2, abs=2 / sqrt(GAMES))


def test_an_illegal_move_loses_the_game_and_counts_as_one() -> None:
    """A fifth of all moves: every one of them ends its game, and nothing else loses more."""
    report = graded(IllegalMover, ENDLESS)
    ends = [rows[-1] for rows in played(report).values()]
    assert report.illegal == sum(row.illegal for row in ends) == sum(r.illegal for r in report.rows)
    assert report.losses >= report.illegal
    assert report.summary.illegal
    assert report.summary.illegal.low <= 0.2 <= report.summary.illegal.high
    assert all(row.regret == row.value for row in ends if row.illegal)
