"""The ladder of bots: which games count for it, and what is kept of help."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gridwise.core.registry import games
from gridwise.play.ladder import Help, Standing, ladder, what_counts, with_help
from gridwise.play.library import Library, SavedStatus
from gridwise.play.records import parse_record, record_text
from gridwise.play.series import BOTH_SIDES, Series
from gridwise.play.session import PlaySession
from gridwise.play.setup import Setup
from gridwise.players.new_match import set_up


@pytest.mark.parametrize(
    ("kinds", "text"),
    [
        ([Help.HINT], "1 hint"),
        ([Help.HINT, Help.HINT], "2 hints"),
        ([Help.TAKE_BACK, Help.HINT, Help.TAKE_BACK], "1 hint, 2 take-backs"),
        ([Help.VALUES, Help.VALUES, Help.HINT], "1 hint, values"),
        ([Help.HINT] * 12, "12 hints"),
    ],
)
def test_help_is_counted_by_kind(kinds: list[Help], text: str) -> None:
    """One after the other, each on top of what was written before."""
    helped = ""
    for kind in kinds:
        helped = with_help(helped, kind)
    assert helped == text


def test_what_counts_names_every_kind_of_help() -> None:
    """Whoever had one of them would otherwise wonder why the win did not count."""
    for each in games():
        assert all(kind in what_counts(each) for kind in Help), each.key


def test_a_game_with_help_says_so_in_its_record_for_ever() -> None:
    """A take-back and a hint, also when the record is read and continued."""
    session = set_up(Setup(game="number-maze", p2="bot:novice", board="1324/2132/4213/3421"))
    session.match.move("right")
    session.undo()
    session.note_help(Help.HINT)
    record = parse_record(record_text(session.record()))
    assert record.tags["Help"] == "1 hint, 1 take-back"


def test_there_is_something_to_win_until_both_sides_are_played() -> None:
    """Against a program; a game of a longer series is on a board of its own."""
    maze = Setup(game="number-maze", board="1324/2132/4213/3421")
    for series, goes_on in (
        (Series(1), False),
        (Series(BOTH_SIDES), True),
        (Series(BOTH_SIDES, 2, (2, 0)), False),
        (Series(3), False),
    ):
        session = set_up(replace(maze, p2="bot:novice", series=series))
        assert session.is_open
        session.match.resign(1)
        assert session.is_open == goes_on
    assert not set_up(maze).is_open


def test_taking_back_a_resignation_is_help_too() -> None:
    """Otherwise every lost game could be looked at and played on."""
    session = set_up(Setup(game="number-maze", p2="bot:novice", board="1324/2132/4213/3421"))
    session.match.resign(1)
    session.undo()
    assert session.tags["Help"] == "1 take-back"


# What counts


def played(setup: Setup, winner: int, *helps: Help) -> PlaySession:
    """A game that the other one resigned, with some help."""
    session = set_up(setup)
    for kind in helps:
        session.note_help(kind)
    session.match.resign(3 - winner)
    session.save()
    session.store()
    return session


def beaten() -> list[tuple[str, str]]:
    """Games and opponents that a person has beaten by the rules of the ladder."""
    tally = Library().tally().items()
    return [opponent for opponent, standing in tally if standing.beaten]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for the games of each test."""
    monkeypatch.setenv("GRIDWISE_HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("setup", "counts"),
    [
        (Setup(game="number-run", p2="bot:novice", handicap=True), True),
        (Setup(game="number-run", p2="bot:novice"), False),
        (Setup(game="number-run", p2="bot:novice", handicap=True, seed=5), False),
        (Setup(game="number-maze", p2="bot:novice"), True),
        (Setup(game="number-maze", p2="bot:novice", board="1324/2132/4213/3421"), False),
    ],
)
def test_a_win_counts_on_even_terms(setup: Setup, *, counts: bool) -> None:
    """From the file alone, as a list reads it."""
    played(setup, 1)
    assert beaten() == [(setup.game, "bot:novice")] * counts
    (saved,) = Library().games()
    assert saved.status == SavedStatus.WON


def test_neither_help_nor_a_loss_counts() -> None:
    """They are games all the same, and the help is in the list."""
    setup = Setup(game="number-maze", p2="bot:novice")
    played(setup, 1, Help.HINT)
    played(setup, 2)
    assert beaten() == []
    assert {saved.help for saved in Library().games()} == {"1 hint", ""}


@pytest.mark.parametrize(
    ("won_by", "help_in", "counts"),
    [((1, 2), None, True), ((1, 1), None, False), ((1, 2), 0, False), ((1, 2), 1, False)],
)
def test_both_sides_count_as_one_match(
    won_by: tuple[int, int], help_in: int | None, *, counts: bool
) -> None:
    """The person is Player 1 first, then Player 2; a game each, won as fast, is a draw."""
    setup = Setup(game="number-run", p2="bot:novice", series=Series(BOTH_SIDES))
    for number, winner in enumerate(won_by):
        session = played(setup, winner, *[Help.TAKE_BACK] * (number == help_in))
        assert not (number == 0 and beaten()), "the first game alone decides nothing"
        setup = setup.next_game(session)
    assert bool(beaten()) == counts


def test_a_game_that_is_continued_still_counts(home: Path) -> None:
    """Its tags say on which terms it was begun."""
    session = set_up(Setup(game="number-run", p2="bot:novice", handicap=True))
    session.match.move("0,1")
    session.save()
    assert session.path is not None
    assert session.path.is_relative_to(home)
    again = set_up(Setup(resume=session.path))
    again.match.resign(2)
    again.save()
    assert beaten() == [("number-run", "bot:novice")]


def test_a_game_that_is_continued_in_two_places_is_one_with_a_take_back() -> None:
    """What is lost in one window would be won in the other."""
    session = set_up(Setup(game="number-run", p2="bot:novice", handicap=True))
    session.match.move("0,1")
    session.save()
    lost, won = set_up(Setup(resume=session.path)), set_up(Setup(resume=session.path))
    for again, loser in ((lost, 1), (won, 2)):
        again.match.resign(loser)
        again.save()
    assert {saved.help for saved in Library().games()} == {"", "1 take-back"}
    assert beaten() == []


@pytest.mark.parametrize(("p1", "p2"), [("", "bot:perfect"), ("bot:perfect", "human")])
def test_a_game_against_one_bot_does_not_count_against_another(p1: str, p2: str) -> None:
    """Or on the other side: what was won by then, was won from somebody else."""
    session = set_up(Setup(game="number-run", p2="bot:novice", handicap=True))
    session.match.move("0,1")
    session.save()
    again = set_up(Setup(resume=session.path, p1=p1, p2=p2))
    again.match.resign(3 - again.person)
    again.store()
    assert again.record().tags.get("Ladder") is None
    assert beaten() == []


@pytest.mark.parametrize(
    ("p1", "counts"), [("", True), ("bot:novice", True), ("bot:strong", False)]
)
def test_both_sides_are_of_one_bot(p1: str, counts: bool) -> None:
    """Who has won the first game against one bot cannot play the second against another."""
    session = played(Setup(game="number-maze", p2="bot:novice", series=Series(BOTH_SIDES)), 1)
    second = set_up(Setup(resume=session.path, p1=p1))
    assert second.person == 2
    second.match.resign(1)
    second.store()
    assert (second.record().tags.get("Ladder") is not None) == counts
    assert bool(beaten()) == counts


def test_the_next_rung_is_above_the_best_bot_beaten() -> None:
    """Wins that do not count beat nobody."""
    standings = {
        ("number-run", "novice"): Standing(won=3, beaten=1),
        ("number-run", "strong"): Standing(won=2),
    }
    climbed = ladder(standings, "number-run")
    assert (climbed.next, climbed.line) == ("casual", "1 of 5 bots beaten")
    assert [rung.level for rung in climbed.rungs if rung.beaten] == ["novice"]
    assert ladder({}, "number-run").next == "novice"


@pytest.mark.parametrize(
    ("setup", "helps", "note"),
    [
        (Setup(game="number-run", p2="bot:novice", handicap=True), [], "Novice bot beaten."),
        (Setup(game="number-maze", p2="bot:casual"), [Help.HINT], "You had help (1 hint). Now"),
        (
            Setup(game="number-run", p2="bot:novice"),
            [],
            "Now beat the novice bot on a new board, from the even",
        ),
        (
            Setup(game="number-maze", p2="bot:novice", seed=1),
            [],
            "Now beat the novice bot on a new",
        ),
        (Setup(game="number-run", p2="human"), [], ""),
    ],
)
def test_the_winner_is_told_whether_it_counts(setup: Setup, helps: list[Help], note: str) -> None:
    """And if it does not, why; before the end nothing."""
    session = set_up(setup)
    assert session.result_note == ""
    for kind in helps:
        session.note_help(kind)
    session.match.resign(2)
    assert session.result_note.startswith(note)
    assert bool(session.result_note) == bool(note)
