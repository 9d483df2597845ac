"""Tournaments: the same boards for all, and results that no interruption changes."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from itertools import combinations
from math import inf, log10, sqrt
from pathlib import Path

import pytest

import gridwise
from gridwise import Match
from gridwise.core.outcome import DRAW, Termination
from gridwise.core.registry import game, games
from gridwise.errors import BadRequest, GridwiseError
from gridwise.lab.run import LocalProcesses
from gridwise.lab.store import FILE_NAME
from gridwise.lab.tournament.ratings import Pairs, ratings
from gridwise.lab.tournament.report import (
    as_text,
    information_lines,
    page,
    plot_tournament,
    tournament_json,
)
from gridwise.lab.tournament.run import (
    GameResult,
    Standings,
    Tally,
    Tournament,
    new_tournament,
    tasks,
)
from gridwise.lab.tournament.schedule import Schedule, dealt_pair
from gridwise.lab.tournament.sprt import Sprt, SprtVerdict
from gridwise.play.boards import board_source
from tests.lab.executor_tasks import lose_half
from tests.lab.tournament import played, result, schedule
from tests.sizes import sample

# Boards


@pytest.mark.parametrize("key", [each.key for each in games()])
def test_boards_depend_on_the_seed_and_the_number_alone(key: str) -> None:
    """Each is the same whoever asks, in any order, and none is that of a Match with the seed."""
    source = board_source(game(key))
    boards = [dealt_pair(source, 5, number).true_board for number in range(30)]
    again = {number: dealt_pair(source, 5, number) for number in (29, 3, 0, 11)}
    assert all(boards[number] == each.true_board for number, each in again.items())
    if not game(key).fixed:
        assert Match(key, seed=5).true_board not in boards
        assert len(set(boards)) == len(boards)
        assert boards != [dealt_pair(source, 6, n).true_board for n in range(30)]


def test_everybody_meets_everybody_or_the_first() -> None:
    """A round robin of four has six pairings, a gauntlet three."""
    four = ["bot:random"] * 4
    assert schedule(*four).pairings == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert schedule(*four, gauntlet=True).pairings == [(0, 1), (0, 2), (0, 3)]


def test_blocks_cover_every_pair_once() -> None:
    """Whatever the number of pairs, each is in one block; a longer run has the same beginning."""
    for pairs in (1, 49, 50, 51, 230):
        blocks = list(schedule("bot:casual", "bot:novice", "bot:random", pairs=pairs).blocks())
        covered = [(b.one, b.two, n) for b in blocks for n in range(b.begin, b.end)]
        assert len(covered) == len(set(covered)) == 3 * pairs
        assert len({block.key for block in blocks}) == len(blocks)
    short, long = (
        [b.key for b in schedule("bot:casual", "bot:novice", pairs=n).blocks()] for n in (100, 150)
    )
    assert long[: len(short)] == short


def test_pairs_are_one_board_with_sides_swapped() -> None:
    """Both games of a pair have the same board, and each player has been Player 1 once."""
    found = played("bot:strong", "bot:random", key="number-connect", pairs=6)
    for one, two in zip(found[::2], found[1::2], strict=True):
        assert one["board"] == two["board"]
        assert (one["pair"], one["swapped"], two["swapped"]) == (two["pair"], 0, 1)
    standings = Standings(["strong", "random"], ["number-connect"])
    for one, two in zip(found[::2], found[1::2], strict=True):
        standings.add(0, 1, "number-connect", (one, two))
    assert standings.match().pairs.score > 0.5
    assert standings.of_player(1).pairs == standings.match().pairs.swapped
    won = [
        sum(each["winner"] == side + each["swapped"] * (3 - 2 * side) for each in found)
        for side in (1, 2)
    ]
    assert [standings.of_player(player).wins for player in (0, 1)] == won
    assert [standings.of_player(player).losses for player in (0, 1)] == won[::-1]


def test_boards_can_be_others_than_the_standard_ones() -> None:
    """Size, target, handicap and a whole board are kept in every game."""
    made = board_source(game("number-run"), size="4x5", handicap=True)
    assert (made.board.rows, made.board.cols) == (4, 5)
    assert made.board.handicap > 0
    made = board_source(game("number-connect"), target=20)
    assert (made.board.target, made.board.unknown.bit_count()) == (20, 16)
    made = board_source(game("number-connect"), board="4152/6371/2845/9162")
    assert made.board.unknown == 0
    with pytest.raises(GridwiseError):
        board_source(game("number-maze"), target=20)
    with pytest.raises(GridwiseError):
        board_source(game("number-maze"), size="0x9")


# Adjudication


def test_adjudication_agrees_with_playing_on() -> None:
    """Between perfect bots a game that is stopped has the result that it would have had."""
    whole = played("bot:perfect", "bot:perfect", key="number-connect", pairs=8)
    short = played("bot:perfect", "bot:perfect", key="number-connect", pairs=8, adjudicate=4)
    assert [each["winner"] for each in whole] == [each["winner"] for each in short]
    assert any(each["ending"] == Termination.ADJUDICATION for each in short)
    stopped = sum(len(each["moves"]) for each in short)
    assert stopped < sum(len(each["moves"]) for each in whole)
    left = [len(a["moves"]) - len(b["moves"]) for a, b in zip(whole, short, strict=True)]
    assert max(left) == 4  # of the fastest win against the longest defence
    with pytest.raises(BadRequest, match="exact"):
        schedule("bot:random", "bot:random", key="grid-conquest", adjudicate=3)


# Running


def figures(tournament: Tournament) -> str:
    """Everything that is reported."""
    return json.dumps(tournament_json(tournament)) + as_text(tournament)


def test_workers_and_interruptions_do_not_change_the_result(
    tmp_path: Path, two_workers: LocalProcesses
) -> None:
    """One process, two that go on from a shorter run, one that goes on from half: all agree."""
    players, more = ("bot:casual", "bot:novice", "bot:random"), sample(70, long=120)
    short, plan = (schedule(*players, key="number-maze", pairs=n) for n in (50, more))
    once = figures(result(plan))
    result(short, tmp_path, two_workers)
    assert figures(result(plan, tmp_path, two_workers)) == once
    lose_half(tmp_path / FILE_NAME)
    assert figures(result(plan, tmp_path)) == once
    with pytest.raises(BadRequest, match="another run"):
        result(schedule("bot:casual", "bot:random", key="number-maze"), tmp_path)
    with pytest.raises(BadRequest, match="another run"):
        result(schedule(*players, key="number-maze", pairs=more, seed=1), tmp_path)


def test_a_test_ends_the_tournament_at_the_same_pair(
    tmp_path: Path, two_workers: LocalProcesses
) -> None:
    """In one process or two, and going on from a folder, the SPRT stops after the same pairs."""
    plan = schedule("bot:strong", "bot:random", key="number-connect", pairs=2000)
    test = Sprt(0, 50)
    one = result(plan, tmp_path / "out", sprt=test)
    again, two = (
        result(plan, folder, two_workers, sprt=test) for folder in (tmp_path / "out", None)
    )
    assert one.verdict is again.verdict is two.verdict is SprtVerdict.H1
    assert figures(one) == figures(again) == figures(two)
    assert one.standings.pairs < 200
    assert one.llr >= test.bounds[1]


def test_a_game_decided_by_who_begins_says_so() -> None:
    """Between perfect bots Player 1 wins every game of Grid Runner: the test ends, undecided."""
    plan = schedule("bot:perfect", "bot:perfect", pairs=1000)
    found = result(plan, sprt=Sprt(0, 5))
    assert found.verdict is SprtVerdict.NO_INFORMATION
    assert found.standings.pairs == 100
    assert "Player 1 won every game: moving first decided them all." in as_text(found)
    games = Counter(GameResult(side, 2, "goal") for side in (1, 2))
    second = Tally(0, 1, "grid-runner", Pairs(wl=1), games)
    assert information_lines(second)[0] == (
        "Player 2 won every game: moving second decided them all."
    )
    assert tournament_json(found)["informative"] is False


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        (SprtVerdict.H0, "H0 accepted: A is +0 Elo from B rather than +5."),
        (SprtVerdict.H1, "H1 accepted: A is +5 Elo from B rather than +0."),
    ],
)
def test_a_test_says_which_difference_it_has_accepted(verdict: SprtVerdict, said: str) -> None:
    """H0 is the first of the two differences, H1 the second."""
    found = new_tournament(schedule("bot:novice", "bot:random"), ["A", "B"], Sprt(0, 5))
    found.verdict = verdict
    assert said in as_text(found)


def test_a_draw_is_half_a_point_for_each() -> None:
    """One game won and one drawn are a point and a half, and half a point for the other."""
    found = new_tournament(schedule("bot:novice", "bot:random"), ["A", "B"], None)
    game: dict[str, object] = {"board": "", "moves": [], "ending": "", "swapped": 0}
    found.standings.add(0, 1, "grid-runner", ({**game, "winner": 1}, {**game, "winner": DRAW}))
    assert [each["points"] for each in tournament_json(found)["players"]] == [1.5, 0.5]


def test_a_task_holds_no_board_of_a_hidden_game() -> None:
    """A worker deals it itself."""
    for task in tasks(schedule("bot:random", "bot:random", key="grid-conquest")):
        assert task.arguments["boards"].board.cells == (0,) * 25


# Ratings


def test_ratings_find_known_strengths() -> None:
    """Results made of known strengths give those strengths back, inside their intervals.

    A pair in which both games are won with probability p is WW p², LL (1-p)², else shared.
    """
    truth = [150.0, 40.0, -190.0]
    matches, pairs = {}, 4000
    for one, two in combinations(range(3), 2):
        p = 1 / (1 + 10 ** ((truth[two] - truth[one]) / 400))
        won, lost = round(pairs * p * p), round(pairs * (1 - p) ** 2)
        matches[one, two] = Pairs(ww=won, ll=lost, wl=pairs - won - lost)
    for expected, found in zip(truth, ratings(3, matches), strict=True):
        assert found.value == pytest.approx(expected, abs=1.5)
        assert found.low < expected < found.high
        assert found.high - found.low < 30


def test_who_lost_everything_has_a_rating_too() -> None:
    """No rating is infinite, and the order is right: one drawn game is added to each pairing.

    So 100 games won count as 100.5 points of 101, which is 400 log10(201) Elo.
    """
    matches = {(0, 1): Pairs(ww=50), (1, 2): Pairs(ww=50)}
    best, middle, worst = ratings(3, matches)
    assert best.value > middle.value > worst.value > -3000
    apart = 400 * log10(201)
    steps = best.value - middle.value, middle.value - worst.value
    assert steps == pytest.approx((apart, apart), abs=0.01)
    assert (best.high, worst.low) == (inf, -inf)  # how far away they are, nobody knows
    assert worst.high < 0 < best.low


def test_who_has_not_played_has_any_rating() -> None:
    """Before the first pair nothing is limited, and later not for who sits out."""
    assert ratings(3, {}) == [(0, -inf, inf, 0)] * 3
    *_, idle = ratings(3, {(0, 1): Pairs(ww=6, ll=4)})
    assert (idle.low, idle.high) == (-inf, inf)


def test_the_interval_of_a_rating_is_that_of_its_pairs() -> None:
    """Between two players it is half of that of Elo: 1.96 standard errors of a share of pairs."""
    one, two = ratings(2, {(0, 1): Pairs(ww=600, ll=400)})
    error = 1.96 * sqrt(0.6 * 0.4 / 1000)
    low, high = (200 * log10(share / (1 - share)) for share in (0.6 - error, 0.6 + error))
    assert (one.low, one.high) == pytest.approx((low, high), abs=(high - low) / 25)
    assert (two.low, two.high) == pytest.approx((-one.high, -one.low))


# What it says it is


def test_a_tournament_names_its_variant_its_date_and_its_version() -> None:
    """In the text, on the page and in JSON: nobody takes it for one on the usual board."""
    boards = [
        board_source(game("number-connect"), size="3x3", target=20),
        board_source(game("grid-runner")),
    ]
    for sources, variants in (
        (boards[:1], {"number-connect": "3x3, target 20"}),
        (boards, {"number-connect": "3x3, target 20", "grid-runner": "standard"}),
    ):
        found = result(Schedule(["bot:novice", "bot:random"], sources, 2, 0))
        said, text = tournament_json(found), as_text(found)
        made = f"Made {said['date']} by Gridwise {gridwise.__version__}."
        assert said["variants"] == variants
        assert said["boards"]["number-connect"]["boards"] == ["???/???/???"]
        assert said["boards"]["number-connect"]["target"] == 20
        assert said["versions"]["gridwise"] == gridwise.__version__
        assert dt.date.fromisoformat(said["date"])
        for shown in (text, page(found)):
            assert "Number Connect (3x3, target 20)" in shown
            assert "Grid Runner (" not in shown
            assert made in shown


def test_the_plot_of_a_tournament_names_its_variant(tmp_path: Path) -> None:
    """In its title."""
    boards = board_source(game("number-connect"), size="3x3", target=20)
    found = result(Schedule(["bot:novice", "bot:random"], [boards], 2, 0))
    plot_tournament(found, tmp_path / "plot.svg")
    assert "Number Connect (3x3, target 20), 2 pairs" in (tmp_path / "plot.svg").read_text()
