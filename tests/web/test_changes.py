"""What is sent after a move is what has changed; with the state before it, that is the state."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from typing import Any

import pytest

from gridwise.web.game import commands
from gridwise.web.game.event_sourced_game import EventSourcedGame
from gridwise.web.game.events import Event, HintGiven
from gridwise.web.game.snapshot import FOR_PROGRAMS, Presence, Snapshot
from gridwise.web.game.stored_game import JournalEntry
from tests.sizes import sample

from .servers import GAMES, Browser, changed, receive
from .stored import dealt_game

BOB = "bob"
VIEWERS = [(), (1,), (2,), (1, 2)]
HERE = Presence(one=True, two=True)


def state_of(snapshot: Snapshot, you: tuple[int, ...]) -> dict[str, Any]:
    """The state that a viewer gets who holds the seats `you`."""
    state: dict[str, Any] = json.loads(snapshot.text(you, snapshot.present(HERE)))
    return state


def next_event(session: EventSourcedGame, rng: random.Random) -> Event:
    """Mostly a move; sometimes something else that can happen."""
    seats = (session.match.turn,)
    other = (3 - session.match.turn,)
    if session.offers["takeback"]:
        return rng.choice([commands.decline, commands.takeback])(session, other)
    what = rng.random()
    if what < 0.1 and any(move.player == seats[0] for move in session.moves):
        return commands.takeback(session, seats)
    if what < 0.2:
        return HintGiven(session.match.turn)  # there were hints between people once
    if what < 0.22:
        return commands.resign(session, seats)
    return commands.move(session, seats, rng.choice(session.match.legal_moves))


def redraw(svg: str, looks: list[list[str]]) -> str:
    """The picture with some of its cells replaced, as a page does it: classes and parts."""
    for look, *names in looks:
        classes, inner = re.fullmatch(r"([^']*)'>(.*)", look).groups()  # type: ignore[union-attr]
        for name in names:
            cell = re.compile(
                rf'<g class="[^"]*"( data-cell="{re.escape(name)}"[^>]*>).*?</g>(?=\n)', re.DOTALL
            )
            parts = inner.replace("$", name)
            svg, count = cell.subn(rf'<g class="cell{classes}"\1{parts}</g>', svg)
            assert count == 1
    return svg


def plain(svg: str) -> str:
    """A picture without the mark of the last move, which a page sets by itself."""
    return svg.replace(" last", "")


def started(game: str, **options: object) -> EventSourcedGame:
    """A game as between two people, who have to agree."""
    asked = {"game": game, "opponent": "same-screen", **options}
    session = EventSourcedGame(*dealt_game(asked, "ann", 60))
    session.seats[0] = replace(session.seats[0], name="Ann")
    session.seats[1] = replace(session.seats[1], name="Bob", token=BOB)
    return session


def happen(session: EventSourcedGame, event: Event, before: Snapshot) -> Snapshot:
    """Let an event happen; the version after it."""
    session.apply(JournalEntry(session.version + 1, event, None, 0.0))
    return Snapshot(session, before)


def play(session: EventSourcedGame, move: str, before: Snapshot) -> Snapshot:
    """Let the player to move play; the version after it."""
    return happen(session, commands.move(session, (session.match.turn,), move), before)


def as_sent(panel: dict[str, Any]) -> Any:  # noqa: ANN401 - whatever JSON has
    """A panel as a page gets it."""
    return json.loads(json.dumps(panel))


@pytest.mark.parametrize("game", GAMES)
def test_the_state_before_and_the_change_are_the_state(game: str) -> None:
    """For everybody, as data and as a picture, whatever happens in the game."""
    rng = random.Random(game)
    for seed in range(sample(2, long=4)):
        session = started(game, seed=seed)
        before = Snapshot(session)
        states: dict[tuple[int, ...], Any] = {you: state_of(before, you) for you in VIEWERS}
        while not session.match.outcome:
            snapshot = happen(session, next_event(session, rng), before)
            for you in VIEWERS:
                change = json.loads(snapshot.change(you))
                drawn = json.loads(snapshot.change(you, picture=True))
                old, states[you] = states[you], state_of(snapshot, you)
                state = changed(old, change) | {"svg": states[you]["svg"]}
                assert state == states[you]
                assert plain(redraw(old["svg"], drawn.pop("svg_cells"))) == plain(state["svg"])
                del change["cells"]
                parts, panel = drawn.pop("panel", {}), before.panel(you)
                texts = panel["texts"] | parts.get("texts", {})
                assert drawn == {
                    name: value for name, value in change.items() if name not in FOR_PROGRAMS
                }
                assert as_sent(panel | parts | {"texts": texts}) == as_sent(snapshot.panel(you))
                assert snapshot.panel(you) == Snapshot(session).panel(you)
                assert state_of(Snapshot(session), you) == state  # as after a restart
            before.forget()
            before = snapshot


@pytest.mark.parametrize("game", GAMES)
def test_a_page_opens_cells_by_the_legal_moves(game: str) -> None:
    """Each has the cell that it goes to; the picture is the same for everybody, with none open."""
    snapshot = Snapshot(started(game, seed=1))
    state = state_of(snapshot, (1,))
    cells = {move: cell.name for cell in snapshot.position.view.cells for move in cell.moves}
    assert cells == dict(zip(state["legal"], state["targets"], strict=True))
    assert "data-moves" not in state["svg"]
    assert not re.search(r'class="cell[^"]* open', state["svg"])
    assert {state_of(snapshot, you)["svg"] for you in VIEWERS} == {state["svg"]}


@pytest.mark.parametrize("game", GAMES)
def test_marks_and_objectives_name_cells(game: str) -> None:
    """The last move of each player, and the cell that each wants to reach."""
    session = started(game, seed=1)
    snapshot = Snapshot(session)
    assert state_of(snapshot, ())["marks"] == {}
    for plies in (1, 2):
        mover = session.match.turn
        move = session.match.legal_moves[0]
        target = state_of(snapshot, ())["targets"][0]
        tokens = {cell.token: cell.name for cell in snapshot.position.view.cells}
        snapshot = play(session, move, snapshot)
        state = state_of(snapshot, ())
        assert state["marks"][str(mover)] == {"from": tokens.get(mover), "to": target}
        assert len(state["marks"]) == plies
    for player, objective in enumerate(state["objectives"], 1):
        wanted = session.match.position.objective(player)
        assert objective["goal"] == (
            snapshot.position.view.cells[wanted.goal].name if wanted.goal >= 0 else None
        )
        assert objective["need"] == wanted.need


def test_each_reads_the_words_of_their_side() -> None:
    """The players read you, and everybody else the names: moves, offers and the result."""
    session = started("number-run", board="111/515/111")
    snapshot = Snapshot(session)
    for move in ("0,1", "1,2", "1,1!"):
        snapshot = play(session, move, snapshot)
    went = "go to 1,1. Challenge! 2 loses to 5. You are sent home with 0."
    assert snapshot.words((1,)) == {
        "news": [f"You {went}"], "status_text": "Bob's turn.", "why": None, "since": None
    }  # fmt: skip
    other = "Ann goes to 1,1. Challenge! 2 loses to 5. Ann is sent home with 0."
    assert snapshot.words((2,))["news"] == [other]
    assert snapshot.words((2,))["status_text"] == "Your turn."
    assert snapshot.words(()) == snapshot.words((1, 2))
    snapshot = happen(session, commands.takeback(session, (1,)), snapshot)
    said = [snapshot.words(you)["news"] for you in ((1,), (2,))]
    assert said == [["You asked to take a move back."], ["Ann asks to take a move back."]]
    for you, verb in (
        (2, "declined the take-back"),
        (1, "withdrew the request to take a move back"),
    ):
        snapshot = happen(session, commands.decline(session, (you,)), snapshot)
        assert snapshot.words((you,))["news"] == [f"You {verb}."]
        if you == 2:
            snapshot = happen(session, commands.takeback(session, (1,)), snapshot)
    snapshot = happen(session, commands.resign(session, (2,)), snapshot)
    ended = [tuple(snapshot.words(you).values()) for you in ((1,), (2,), ())]
    assert ended == [
        ([], "You won: Bob resigned.", "Bob resigned.", None),
        ([], "You lost: you resigned.", "You resigned.", None),
        ([], "Ann won: Bob resigned.", "Bob resigned.", None),
    ]


def test_everybody_gets_the_state_when_somebody_sits_down(ann: Browser, bob: Browser) -> None:
    """Other fields change then, and not for everybody alike."""
    game_id = ann.create("grid-runner")
    with ann.socket(game_id) as socket:
        receive(socket, "state")
        bob.take_seat(game_id, "Bob")
        assert receive(socket, "state")["players"][1]["name"] == "Bob"
