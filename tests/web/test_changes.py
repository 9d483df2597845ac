"""What is sent after a move is what has changed; with the state before it, that is the state."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from typing import Any

import pytest

from gridwise.web.game import GameSession, NewGame, Snapshot, commands, new_game
from gridwise.web.game.events import Event
from gridwise.web.game.model import JournalEntry
from gridwise.web.game.snapshot import Presence

from .servers import GAMES, Browser, changed, receive, send

BOB = "bob"
VIEWERS = [(), (1,), (2,), (1, 2)]
HERE = Presence(one=True, two=True)


def next_event(session: GameSession, rng: random.Random) -> Event:
    """Mostly a move; sometimes something else that can happen."""
    seats = (session.match.turn,)
    other = (3 - session.match.turn,)
    if session.offers["takeback"]:
        return rng.choice([commands.decline, commands.takeback])(session, other)
    what = rng.random()
    if what < 0.1 and any(move.player == seats[0] for move in session.moves):
        return commands.takeback(session, seats)
    if what < 0.2:
        return commands.hint(session, seats)
    if what < 0.22:
        return commands.resign(session, seats)
    return commands.move(session, seats, rng.choice(session.match.legal_moves))


def redraw(svg: str, cells: dict[str, str]) -> str:
    """The picture with some of its cells replaced."""
    for name, cell in cells.items():
        old = re.compile(
            rf'<g class="cell[^"]*" data-cell="{re.escape(name)}".*?\n</g>', flags=re.DOTALL
        )
        (found,) = old.findall(svg)
        svg = svg.replace(found, cell)
    return svg


@pytest.mark.parametrize("game", GAMES)
def test_the_state_before_and_the_change_are_the_state(game: str) -> None:
    """For everybody, with the picture, whatever happens in the game."""
    rng = random.Random(game)
    for seed in range(4):
        setup = NewGame.model_validate({"game": game, "opponent": "same-screen", "seed": seed})
        session = GameSession(*new_game(setup, "ann", 60))
        # As between two people, who have to agree.
        session.seats[1] = replace(session.seats[1], token=BOB)
        before = Snapshot(session)
        states: dict[tuple[int, ...], Any] = {you: before.state(you, HERE) for you in VIEWERS}
        while not session.match.outcome:
            number = session.version + 1
            session.apply(JournalEntry(number, next_event(session, rng), None, 0.0))
            snapshot = Snapshot(session, before)
            for you in VIEWERS:
                text = snapshot.change(you)
                change = json.loads(text)
                state = changed(states[you], change)
                state["svg"] = redraw(state["svg"], change["svg_cells"])
                states[you] = snapshot.state(you, HERE)
                assert state == states[you]
                assert len(text) < len(snapshot.text(you, HERE)) or snapshot.over
            before.forget()
            before = snapshot


def test_who_misses_a_version_gets_the_whole_state() -> None:
    """A change follows from the version before it, and from no other."""
    setup = NewGame.model_validate({"game": "number-run", "opponent": "same-screen", "seed": 1})
    session = GameSession(*new_game(setup, "ann", 60))
    first = Snapshot(session)
    for number in (1, 2):
        move = commands.move(session, (1, 2), session.match.legal_moves[0])
        session.apply(JournalEntry(number, move, None, 0.0))
    assert Snapshot(session, first).change((1,)) == ""


def test_only_what_has_changed_is_sent(ann: Browser, bob: Browser) -> None:
    """The whole state on connecting; after a move a few cells, and none of what stays."""
    game_id = ann.create("number-connect", seed=3)
    bob.take_seat(game_id)
    with ann.socket(game_id) as one, bob.socket(game_id) as two:
        state = receive(one, "state")
        receive(two, "state")
        send(one, "move", move=state["legal"][0], version=state["version"])
        change = receive(two, "change")
        assert change["from"] == state["version"]
        assert list(change["cells"]) == [state["legal"][0]]
        assert change["moves"]["keep"] == 0
        assert not {"title", "rows", "board", "offers", "players", "svg"} & change.keys()
        receive(one, "done")


def test_everybody_gets_the_state_when_somebody_sits_down(ann: Browser, bob: Browser) -> None:
    """Other fields change then, and not for everybody alike."""
    game_id = ann.create("grid-runner")
    with ann.socket(game_id) as socket:
        receive(socket, "state")
        bob.take_seat(game_id, "Bob")
        assert receive(socket, "state")["players"][1]["name"] == "Bob"
