"""A series of games: whose points are whose when sides swap, and when it is over."""

from __future__ import annotations

import pytest

from gridwise.core.narration import COLOURS, NEUTRAL, YOU, Names, PlayerName
from gridwise.core.outcome import DRAW
from gridwise.errors import BadRequest
from gridwise.play.series import BOTH_SIDES, LENGTHS, Series

BOT = PlayerName("Casual bot", "the casual bot")


def test_points_stay_with_the_one_who_won_them_when_sides_swap() -> None:
    """The winner of the first game, Player 1 there, is Player 2 of the second."""
    second = Series(3).after(1).swapped()
    assert second.round == 2
    assert second.line((BOT, YOU)) == "Best of 3: you lead 1 : 0."
    assert second.tags["Score"] == "0-1"


def test_two_wins_of_three_decide() -> None:
    """Nobody plays a third game that can change nothing."""
    second = Series(3).after(1).swapped()
    assert not second.over
    won = second.after(2)
    assert won.over
    assert won.line((BOT, YOU)) == "You win the match 2 : 0."
    lost = second.after(1).swapped().after(2)
    assert lost.over
    assert lost.line((YOU, BOT)) == "Casual bot wins the match 2 : 1."


def test_a_draw_is_half_a_point_for_each() -> None:
    """So best of three can end even, after the third game."""
    series = Series(3).after(DRAW).swapped()
    assert series.score() == "0.5 : 0.5"
    assert series.line() == "Best of 3: it is 0.5 : 0.5."
    ahead = series.after(2)
    assert not ahead.over
    even = ahead.swapped().after(2)
    assert even.over
    assert even.leader == 0
    assert even.line() == "The match is drawn 1.5 : 1.5."


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
    """And both sides; the error says which."""
    with pytest.raises(BadRequest, match="best of 1, 3, 5, 7, not 4"):
        Series(4)


ANN, BOB = PlayerName("Ann", "Ann"), PlayerName("Bob", "Bob")


def both_sides(*games: tuple[int, int]) -> Series:
    """Both sides after some games, each with its winner by seat and how many moves he made."""
    series = Series(BOTH_SIDES)
    for winner, moves in games:
        series = series.after(winner, moves).swapped()
    return series


@pytest.mark.parametrize(
    ("games", "says"),
    [
        ([(1, 8), (2, 9)], "Ann wins the match 2 : 0."),
        ([(1, 8), (1, 9)], "Ann wins the match 1 : 1, in 8 moves against 9."),
        ([(1, 8), (1, 7)], "Bob wins the match 1 : 1, in 7 moves against 8."),
        ([(1, 8), (1, 8)], "The match is drawn 1 : 1."),
        ([(DRAW, 0), (1, 8)], "Bob wins the match 1.5 : 0.5."),
        ([(0, 0), (0, 0)], "The match is drawn 1 : 1."),
    ],
)
def test_both_sides_goes_to_points_and_then_to_the_faster_win(
    games: list[tuple[int, int]], says: str
) -> None:
    """Ann is Player 1 of the first game, Bob of the second."""
    series = both_sides(*games)
    assert series.over
    assert series.line((ANN, BOB)) == says


def test_both_games_of_both_sides_are_played() -> None:
    """Whoever has won the first could still lose the second."""
    second = both_sides((1, 8))
    assert not second.over
    assert second.tags == {"BestOf": "2", "Round": "2", "Score": "0-1", "WonIn": "0-8"}
    assert Series.from_tags(second.tags) == second
    assert second.line((BOB, ANN)) == "Both sides: Ann leads 1 : 0."


@pytest.mark.parametrize(
    ("series", "names", "first", "says"),
    [
        (Series(3), (YOU, BOT), 1, ""),
        (Series(1), (YOU, BOT), 1, ""),
        (Series(3, 2, (0, 2)), (BOT, YOU), 1, "sides swap, you are Red now and begin second."),
        (Series(3, 2, (0, 2)), (BOT, YOU), 2, "sides swap, you are Red now and begin."),
        (Series(3, 2, (0, 2)), (YOU, BOT), 1, "sides swap, you are Blue now and begin."),
        (Series(3, 2, (0, 2)), (BOB, ANN), 1, "sides swap, Bob is Blue now and begins."),
        (Series(3, 2, (0, 2)), NEUTRAL, 1, "sides swap, whoever was Blue is Red now."),
        (
            Series(3, 3, (2, 2)),
            (BOT, YOU),
            1,
            "chance has decided the sides, you are Red now and begin second.",
        ),
        (
            Series(BOTH_SIDES, 2, (0, 2)),
            (BOT, YOU),
            1,
            "the same board, sides swap, you are Red now and begin second.",
        ),
    ],
)
def test_the_swap_is_announced(series: Series, names: Names, first: int, says: str) -> None:
    """Which game it is, and which side whoever reads it has now."""
    lead = f"Game {series.round} of {series.best_of}: " if says else ""
    assert series.announcement(names, COLOURS, first) == lead + says
