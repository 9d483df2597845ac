"""A series of games: whose points are whose when sides swap, and when it is over."""

from __future__ import annotations

import pytest

from gridwise.core.narration import YOU, PlayerName
from gridwise.core.outcome import DRAW
from gridwise.errors import BadRequest
from gridwise.play.series import LENGTHS, Series

BOT = PlayerName("Casual bot", "the casual bot")


def test_points_stay_with_the_one_who_won_them_when_sides_swap() -> None:
    """The winner of the first game, Player 1 there, is Player 2 of the second."""
    second = Series(3).after(1).swapped()
    assert second.round == 2
    assert second.line((BOT, YOU)) == "Best of 3: you lead 1 to 0."
    assert second.tags["Score"] == "0-1"


def test_two_wins_of_three_decide() -> None:
    """Nobody plays a third game that can change nothing."""
    second = Series(3).after(1).swapped()
    assert not second.over
    won = second.after(2)
    assert won.over
    assert won.line((BOT, YOU)) == "Best of 3: you win 2 to 0."
    lost = second.after(1).swapped().after(2)
    assert lost.over
    assert lost.line((YOU, BOT)) == "Best of 3: the casual bot wins 2 to 1."


def test_a_draw_is_half_a_point_for_each() -> None:
    """So best of three can end even, after the third game."""
    series = Series(3).after(DRAW).swapped()
    assert series.score() == "0.5 to 0.5"
    assert series.line() == "Best of 3: it is 0.5 to 0.5."
    ahead = series.after(2)
    assert not ahead.over
    even = ahead.swapped().after(2)
    assert even.over
    assert even.leader == 0
    assert even.line() == "Best of 3: a draw, 1.5 to 1.5."


def test_a_game_stopped_without_a_winner_counts_as_a_draw() -> None:
    """Two bots that go round in circles get half a point each."""
    assert Series(5).after(0) == Series(5).after(DRAW)


@pytest.mark.parametrize("best_of", LENGTHS[1:])
def test_a_continued_game_goes_on_in_its_series(best_of: int) -> None:
    """The tags of every game of every series say all of it."""
    going_on = [Series(best_of)]
    while going_on:
        series = going_on.pop()
        assert Series.from_tags(series.tags) == series
        going_on += [
            after.swapped() for each in (1, 2, DRAW) if not (after := series.after(each)).over
        ]


@pytest.mark.parametrize("best_of", LENGTHS)
def test_a_series_ends_when_the_leader_cannot_be_caught(best_of: int) -> None:
    """One who wins every game needs more than half of them."""
    series = Series(best_of)
    played = 0
    while not series.over:
        series, played = series.after(1), played + 1
    assert played == best_of // 2 + 1


def test_a_single_game_says_nothing_about_a_series() -> None:
    """Its record looks as it always did."""
    assert Series(1).tags == {}
    assert Series.from_tags({}) is None


@pytest.mark.parametrize(
    "tags",
    [
        {"BestOf": "4", "Round": "1", "Score": "0-0"},
        {"BestOf": "1", "Round": "1", "Score": "0-0"},
        {"BestOf": "3", "Round": "2", "Score": "0-0"},
        {"BestOf": "3", "Round": "3", "Score": "2-0"},
        {"BestOf": "3", "Round": "0", "Score": "0-0"},
        {"BestOf": "3", "Round": "9", "Score": "4-4"},
        {"BestOf": "three", "Round": "1", "Score": "0-0"},
        {"BestOf": "3", "Round": "1"},
        {"BestOf": "٣", "Round": "1", "Score": "0-0"},
    ],
)
def test_tags_that_make_no_sense_are_no_series(tags: dict[str, str]) -> None:
    """A file that was edited by hand is still a game."""
    assert Series.from_tags(tags) is None


def test_only_odd_lengths_up_to_seven() -> None:
    """The error says which."""
    with pytest.raises(BadRequest, match="best of 1, 3, 5, 7, not 2"):
        Series(2)
