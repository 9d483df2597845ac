"""A live game without a server: what its events make of it."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from gridwise.play.match import Match
from gridwise.web.errors import Conflict
from gridwise.web.game import commands, events
from gridwise.web.game.event_sourced_game import EventSourcedGame
from gridwise.web.game.events import Event, stored_event
from gridwise.web.game.live_game import LiveGame
from gridwise.web.game.snapshot import Presence, Snapshot
from gridwise.web.game.stored_game import Change, JournalEntry
from gridwise.web.game.subscriber import Subscriber
from gridwise.web.hub import GameHub
from gridwise.web.settings import ServerLimits
from gridwise.web.workers.engine import Workers

from .stored import dealt_game


def session_for(**request: object) -> EventSourcedGame:
    """A new game of somebody whose token is `ann`."""
    return EventSourcedGame(*dealt_game(request, "ann", 1_000))


def live(session: EventSourcedGame, most_events: int = 1_000) -> LiveGame:
    """A live game with a journal that writes nowhere."""

    def commit(_: list[Change]) -> asyncio.Future[None]:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        done.set_result(None)
        return done

    async def check(_: str) -> None:
        """There is room for everybody."""

    async def restore(_: str) -> tuple[EventSourcedGame, Snapshot]:
        return session, Snapshot(session)

    async def events_after(*_: object) -> list[JournalEntry]:
        return []

    def nothing(*_: object) -> None:
        """There is nobody else."""

    hub = SimpleNamespace(
        workers=Workers(ServerLimits()),
        settings=SimpleNamespace(limits=ServerLimits(events=most_events)),
        journal=SimpleNamespace(commit=commit),
        store=SimpleNamespace(clock=SimpleNamespace(now=time.time)),
        peers=SimpleNamespace(show_presence=nothing, say_emote=nothing),
        check_new_game=check,
        add_rematch=nothing,
        unload=nothing,
        restored=restore,
        events_after=events_after,
        bot_wait=0.0,
    )
    return LiveGame(session, cast("GameHub", hub))


def test_each_player_has_refs_of_their_own() -> None:
    """A ref of Player 1 does not make a move of Player 2 seem to have been made before."""

    async def happens() -> None:
        session = session_for(game="grid-runner", first=1)
        session.apply(JournalEntry(1, commands.take_seat(session, "bob", "Bob"), None, 0.0))
        game = live(session)
        assert await game.request("move", "ann", 1, "same", "down")
        assert not await game.request("move", "ann", 1, "same", "down")
        assert await game.request("move", "bob", 2, "same", "up")
        assert [move.player for move in session.moves] == [1, 2]
        # Somebody who plays both sides is one browser, which does not know for which it sent one.
        session = session_for(game="grid-runner", opponent="same-screen", first=1)
        game = live(session)
        assert await game.request("move", "ann", 0, "same", "down")
        assert not await game.request("move", "ann", 0, "same", "down")
        assert len(session.moves) == 1

    asyncio.run(happens())


def as_read(journal: list[JournalEntry]) -> list[JournalEntry]:
    """A journal as it would be read from the database: an event has what is stored of it."""
    return [
        replace(entry, event=stored_event(event.kind, event.player, event.data()))
        for entry in journal
        for event in [entry.event]
    ]


def test_a_game_with_many_take_backs_is_read_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """It plays the moves that count, once each, however often others were taken back."""
    session = session_for(game="number-maze", opponent="same-screen", seed=3)
    journal: list[JournalEntry] = []

    def happen(event: Event, ref: str | None = None) -> None:
        journal.append(JournalEntry(len(journal) + 1, event, ref, 0.0))
        session.apply(journal[-1])

    for turn in range(700):
        happen(commands.move(session, (1, 2), session.match.legal_moves[0]), f"ref {turn}")
        if turn % 3 == 0:
            happen(commands.hint(session, (1, 2)))
        if turn % 20:
            happen(commands.takeback(session, (1, 2)))
    happen(commands.resign(session, (1, 2)))
    played: list[str | int] = []
    play = Match.move

    def counted(match: Match, move: str | int) -> int:
        played.append(move)
        return play(match, move)

    monkeypatch.setattr(Match, "move", counted)
    again = EventSourcedGame(session.setup, (session.seats[0], session.seats[1]), as_read(journal))
    assert len(played) == len(session.moves) == 35
    assert again.moves == session.moves
    assert again.match.true_board == session.match.true_board
    assert again.match.position == session.match.position
    assert again.match.outcome == session.match.outcome
    for name in ("version", "refs", "offers", "hinted", "help", "rematch", "seats", "reason"):
        assert getattr(again, name) == getattr(session, name), name


def test_a_take_back_plays_no_move_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was played before it stands; only what is face down again is dealt anew."""
    session = session_for(game="grid-conquest", opponent="same-screen", seed=3)
    for number in range(1, 8):
        move = commands.move(session, (1, 2), session.match.legal_moves[0])
        session.apply(JournalEntry(number, move, None, 0.0))
    before = session.match.positions
    monkeypatch.delattr(Match, "move")
    for plies in (6, 5):
        taken_back = commands.takeback(session, (1, 2))
        session.apply(JournalEntry(session.version + 1, taken_back, None, 0.0))
        assert session.match.position == before[plies]
    seen = session.match.board
    assert 0 in seen.cells
    dealt = session.match.true_board.cells
    assert all(value in (0, true) for value, true in zip(seen.cells, dealt, strict=True))
    assert 0 not in dealt


def test_a_hint_is_not_forgotten_with_the_move_it_was_for() -> None:
    """Whoever takes that move back still knows the hint; one for a later move is of no use."""
    session = session_for(game="number-maze", opponent="same-screen", seed=3)

    def happen(event: Event) -> None:
        session.apply(JournalEntry(session.version + 1, event, None, 0.0))

    for _ in range(2):
        happen(commands.hint(session, (1, 2)))
        happen(commands.move(session, (1, 2), session.match.legal_moves[0]))
    for known in ({0, 1}, {0}):
        happen(commands.takeback(session, (1, 2)))
        assert session.hinted == known


def test_a_game_has_at_most_so_many_events_but_can_be_played_to_its_end() -> None:
    """Take-backs, hints and offers are refused with the reason; moves and resigning are not."""

    async def happens() -> None:
        session = session_for(game="number-maze", opponent="same-screen", seed=3)
        game = live(session, most_events=4)
        for _ in range(2):
            move = session.match.legal_moves[0]
            await game.request("move", "ann", session.version, None, move)
            await game.request("takeback", "ann", session.version, None)
        await game.request("move", "ann", session.version, None, session.match.legal_moves[0])
        for asked in (
            game.request("takeback", "ann", session.version, None),
            game.hint("ann", session.version, None),
        ):
            with pytest.raises(Conflict, match="at most 4 events"):
                await asked
        await game.request("move", "ann", session.version, None, session.match.legal_moves[0])
        await game.request("resign", "ann", session.version, None)
        assert session.match.outcome

    asyncio.run(happens())


def test_whoever_has_missed_a_version_gets_the_whole_state() -> None:
    """A change says what is new since the version before, and is of use to those who have it."""

    async def happens() -> None:
        session = session_for(game="grid-runner", opponent="same-screen")
        game, subscriber = live(session), Subscriber(None)
        told = []
        for moves in ([], ["down"], ["up", "up"], ["down"]):
            for move in moves:
                await game.request("move", "ann", session.version, None, move)
            told.append(json.loads(subscriber.next_state(game.snapshot, Presence())))
        assert [each["type"] for each in told] == ["state", "change", "state", "change"]
        assert [each["version"] for each in told] == [0, 1, 3, 4]

    asyncio.run(happens())


def test_help_is_in_the_record() -> None:
    """A hint, a take-back and values that were shown, which are noted once however often."""
    board = "31425/25134/42513/14252/53142"
    session = session_for(game="number-run", opponent="bot", board=board)
    asked = [
        commands.hint(session, (1,)),
        commands.move(session, (1,), "0,1"),
        events.TakenBack(1, 0, board),
        *[commands.show_values(session, (1,))] * 2,
    ]
    for number, event in enumerate(asked, 1):
        session.apply(JournalEntry(number, event, None, 0.0))
    assert session.record().tags["Help"] == "1 hint, 1 take-back, values"
