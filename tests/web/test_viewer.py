"""What each viewer of a game may see and do beside the board: page and script show this."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gridwise.web.game import commands
from gridwise.web.game.event_sourced_game import EventSourcedGame
from gridwise.web.game.events import Event, MovePlayed, Resigned
from gridwise.web.game.snapshot import Snapshot
from gridwise.web.game.stored_game import JournalEntry
from gridwise.web.game.viewer import words

from .stored import dealt_game

ANN, BOB, WATCHING, BOTH = (1,), (2,), (), (1, 2)


def started(opponent: str, game: str = "grid-runner", **options: object) -> EventSourcedGame:
    """A game of Ann, who holds seat 1; a friend is called Bob."""
    asked = {"game": game, "opponent": opponent, "name": "Ann", **options}
    session = EventSourcedGame(*dealt_game(asked, "ann", 60))
    if opponent == "link":
        session.seats[1] = replace(session.seats[1], kind="human", name="Bob", token="bob")  # noqa: S106
    return session


def happen(session: EventSourcedGame, *events: Event) -> None:
    """Let events happen."""
    for event in events:
        session.apply(JournalEntry(session.version + 1, event, None, 0.0))


def shown(session: EventSourcedGame, you: tuple[int, ...]) -> set[str]:
    """The parts of the page that a viewer sees."""
    return set(Snapshot(session).panel(you)["shown"])


def texts(session: EventSourcedGame, you: tuple[int, ...]) -> dict[str, str]:
    """The words that a viewer reads."""
    return dict(Snapshot(session).panel(you)["texts"])


def test_only_players_can_do_something() -> None:
    """Somebody who watches has no button of a player, whatever happens in the game."""
    players = {"hint", "takeback", "stop", "resign", "confirm", "typing", "offer", "say", "rematch"}
    session = started("link")
    happen(session, commands.move(session, ANN, session.match.legal_moves[0]))
    for event in (commands.stop, commands.decline, commands.takeback, commands.resign):
        assert not players & shown(session, WATCHING)
        assert not Snapshot(session).panel(WATCHING)["confirm"]
        happen(session, event(session, ANN))
    assert not players & shown(session, WATCHING)
    assert "rematch" in shown(session, ANN)


def test_an_offer_is_answered_by_the_other_and_withdrawn_by_its_maker() -> None:
    """And nobody can make it twice."""
    session = started("link")
    happen(session, commands.stop(session, ANN))
    assert {"offer", "my-offer", "stop"} & shown(session, ANN) == {"my-offer"}
    assert {"offer", "my-offer", "stop"} & shown(session, BOB) == {"offer"}
    assert Snapshot(session).panel(BOB)["agree"] == "stop"
    assert texts(session, BOB)["offer-text"] == "Ann asks to end the game without a winner."
    assert texts(session, ANN)["my-offer-text"] == "Waiting for Bob to answer."


@pytest.mark.parametrize(("opponent", "you"), [("bot", ANN), ("same-screen", BOTH)])
def test_who_decides_alone_gets_hints_and_is_asked_before_stopping(
    opponent: str, you: tuple[int, ...]
) -> None:
    """Between two people there are no hints, and an offer to stop can be withdrawn."""
    alone, together = Snapshot(started(opponent)).panel(you), Snapshot(started("link")).panel(ANN)
    assert ("hint" in alone["shown"], "hint" in together["shown"]) == (True, False)
    assert (alone["texts"]["stop"], together["texts"]["stop"]) == (
        "End without a winner",
        "Offer to end it",
    )
    assert set(alone["confirm"]) == {"resign", "stop", "values"}
    assert set(together["confirm"]) == {"resign"}


def test_players_are_called_what_they_are_to_the_viewer() -> None:
    """You, your opponent or a name, the bot; on a card the name alone."""
    bot = started("bot", level="casual", side=2, name="")
    assert texts(bot, BOB)["headline"] == "The casual bot is thinking."
    assert (texts(bot, BOB)["name-1"], texts(bot, BOB)["name-2"]) == ("Casual bot", "You")
    session = started("link")
    assert [texts(session, you)["headline"] for you in (ANN, BOB, WATCHING)] == [
        "Your turn.", "Ann's turn.", "Ann's turn.",
    ]  # fmt: skip
    happen(session, commands.resign(session, BOB))
    assert [texts(session, you)["headline"] for you in (ANN, BOB, WATCHING)] == [
        "You won!", "Ann won.", "Ann won.",
    ]  # fmt: skip
    moods = [Snapshot(session).panel(you)["mood"] for you in (ANN, BOB, WATCHING)]
    assert moods == ["won", "lost", "p1"]


def test_how_the_coin_fell_is_said() -> None:
    """In the game in which chance decides it, and nowhere else."""
    session = started("bot", game="grid-conquest", level="casual", side=1)
    begins = {1: "You begin.", 2: "The casual bot begins."}[session.match.first]
    shown = Snapshot(session)
    assert words(shown, shown.called(ANN).names)["news"] == [begins]
    other = Snapshot(started("bot", level="casual", side=1))
    assert words(other, other.called(ANN).names)["news"] == []


def test_the_next_bot_is_offered_to_who_has_won_what_was_agreed_on() -> None:
    """The game, or the match: not in the middle of it, and also where its last game is lost."""
    single = started("bot", level="casual", side=1)
    happen(single, Resigned(2))
    assert "next-bot" in shown(single, ANN)
    first = started("bot", level="casual", side=1, best_of=2)
    happen(first, Resigned(2))
    assert "next-bot" not in shown(first, ANN)
    for won_in, offered in ((1, True), (3, False)):  # own moves in which Ann has won the first game
        second = started("bot", level="casual", side=1, best_of=2)
        second.setup = replace(second.setup, round=2, halves_one=2, won_in_one=won_in)
        for mover in (ANN, BOB, ANN, BOB):  # the bot wins this one in two
            legal = second.match.legal_moves[0]
            happen(second, MovePlayed(mover[0], legal))
        happen(second, Resigned(1))
        assert ("next-bot" in shown(second, ANN)) == offered


def test_an_invitation_can_be_cancelled_and_nobody_joins_or_plays_again() -> None:
    """It takes a second word, and both are told who did it."""
    session = EventSourcedGame(*dealt_game({"game": "grid-runner", "name": "Ann"}, "ann", 60))
    panel = Snapshot(session).panel(ANN)
    assert panel["texts"]["resign"] == "Cancel invitation"
    assert panel["confirm"]["resign"]["sure"] == "Cancel invitation"
    assert "join" in shown(session, WATCHING)
    happen(session, commands.resign(session, ANN))
    for you, who in ((ANN, "You"), (WATCHING, "Ann")):
        assert Snapshot(session).words(you)["why"] == f"{who} cancelled the invitation."
        assert texts(session, you)["headline"] == "The invitation was cancelled."
        assert texts(session, you)["new-game"] == "Start your own game"
        assert not {"join", "rematch"} & shown(session, you)
