"""A game clock: what is left to whom, and when a flag falls."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gridwise.play.clock import Clock, TimeControl

FIVE_PLUS_TWO = TimeControl(300, 2)


def test_the_first_move_of_each_costs_no_time() -> None:
    """However long somebody takes to arrive."""
    clock = Clock(FIVE_PLUS_TWO)
    clock.moved(1, 1_000)
    assert (clock.reading(2).running, clock.reading(2).left_at(9_999)) == (0, (300, 300))
    clock.moved(2, 5_000)
    assert (clock.reading(1).running, clock.reading(1).flag_falls) == (1, 5_300)
    assert clock.reading(1).first == 0


def test_a_first_move_has_a_limit_of_its_own() -> None:
    """The time of the clock from when it is due, and half a minute at the least."""
    for seconds, limit in ((300, 300), (15, 30)):
        clock = Clock(TimeControl(seconds))
        assert clock.reading(0).flag_falls is None  # a seat is free
        clock.started(1_000)
        due = clock.reading(1)
        assert (due.first, due.flag_falls) == (1, 1_000 + limit)
        assert due.first_move_left_at(1_010) == limit - 10
        clock.moved(1, 1_020)
        assert (clock.reading(2).first, clock.reading(2).flag_falls) == (2, 1_020 + limit)
    bot = Clock(FIVE_PLUS_TWO, timed=(1,))
    assert bot.reading(2).flag_falls is None


def test_who_is_expected_has_a_day_to_arrive_and_then_the_usual_time() -> None:
    """Each from when it is due, or from arriving, whichever is later; a move is an arrival, too."""
    clock = Clock(FIVE_PLUS_TWO, expected=(1, 2))
    clock.started(1_000)
    assert clock.reading(1).flag_falls == 1_000 + 86_400
    clock.arrived(2, 1_500)
    assert clock.reading(1).flag_falls == 1_000 + 86_400, "the other's coming is not hers"
    clock.arrived(1, 2_000)
    assert (clock.reading(1).first, clock.reading(1).flag_falls) == (1, 2_300)
    clock.moved(1, 2_100)
    assert clock.reading(2).flag_falls == 2_400, "he was there before it was due"
    unseen = Clock(FIVE_PLUS_TWO, expected=(1, 2))
    unseen.moved(1, 0)
    assert (unseen.expects(1), unseen.expects(2)) == (False, True)


def test_thinking_takes_time_and_a_move_gives_the_increment() -> None:
    """Ten seconds of thinking cost eight."""
    clock = Clock(FIVE_PLUS_TWO)
    clock.moved(1, 0)
    clock.moved(2, 0)
    assert clock.reading(1).left_at(4) == (296, 300)
    clock.moved(1, 10)
    assert clock.reading(2).left_at(10) == (292, 300)
    assert clock.reading(2).left_at(40) == (292, 270)
    assert clock.reading(2).flag_falls == 310
    assert clock.reading(0).left_at(999) == (292, 300)  # the game is over


def test_a_move_taken_back_gives_back_its_time() -> None:
    """Of both players, as it was after the moves that are left."""
    clock = Clock(FIVE_PLUS_TWO)
    for number, at in enumerate((0, 0, 10, 30)):
        clock.moved(1 + number % 2, at)
    clock.taken_back(2, 35)
    assert clock.reading(1).left_at(36) == (299, 300)
    clock.taken_back(0, 40)
    assert clock.reading(1).running == 0  # the first move is free again


def test_who_is_not_timed_never_runs_out() -> None:
    """A bot that has to wait for a busy server is not to blame."""
    clock = Clock(FIVE_PLUS_TWO, timed=(1,))
    for number in range(6):
        clock.moved(1 + number % 2, 100 * number)
    assert clock.reading(2).running == 0
    assert clock.reading(1).left[1] == 300


def test_a_flag_that_has_fallen_shows_nothing_left() -> None:
    """The other's time stays as it was."""
    clock = Clock(TimeControl(10))
    clock.moved(1, 0)
    clock.moved(2, 0)
    clock.timed_out(1)
    assert clock.reading(0).left == (0, 10)
    assert str(clock.control) == "10+0"


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.sampled_from([1, 2]), st.floats(0, 400)), max_size=30))
def test_nobody_has_less_than_nothing_or_more_than_was_given(
    moves: list[tuple[int, float]],
) -> None:
    """Whoever moves, however long it takes, and if clocks of the system go backwards."""
    clock, now = Clock(FIVE_PLUS_TWO), 0.0
    for player, seconds in moves:
        now += seconds if seconds < 350 else -seconds
        clock.moved(player, now)
    for left in clock.reading(1).left_at(now + 10):
        assert 0 <= left <= 300 + 2 * len(moves)
