"""Snapshot: one version of a game, ready to be sent.

It takes from the session what it needs, after which the game may change; whatever takes time is
made when it is first asked for, once a version. It holds nothing that is hidden, because it is made
from a Position. Everybody gets the same but for the words, of which there are three kinds: those
for each of the players, and those for somebody who watches or plays both sides.

There are two texts: the whole state, for somebody who has just connected, and the change from the
version before, for everybody else. A page gets the cells as a picture, and the panel beside them; a
program gets them as data.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from pydantic_core import to_json

from gridwise.core.contracts import Objective
from gridwise.core.narration import NEUTRAL
from gridwise.core.position import Position
from gridwise.core.view import CellView, Drawing
from gridwise.play import setup as new_game
from gridwise.play.series import BOTH_SIDES
from gridwise.show.palette import PAGE
from gridwise.show.svg import svg, svg_cell
from gridwise.web.game import viewer
from gridwise.web.game.event_sourced_game import EventSourcedGame
from gridwise.web.game.events import Declined, MovePlayed
from gridwise.web.game.move_effects import Marks, differences, last_marks, mark_of, move_event
from gridwise.web.game.stored_game import BOT, OPEN
from gridwise.web.game.viewer import Called, names_for

ANY_CELL = "$"  # stands for the name of a cell in a look that several have
LOOK_TAGS = "<g class='cell", "</g>"  # around every look; a page adds them
# What a page has in its panel, or does not show: its changes come without.
FOR_PROGRAMS = frozenset({"board", "reason", "scores", "seed", "status_text", "termination"})


def encode(value: dict[str, Any] | list[Any]) -> str:
    """A message, or a part of one, as JSON: a third of the time that `json` takes."""
    return to_json(value).decode()


class Presence(NamedTuple):
    """Who is connected: the holders of the two seats, and how many spectators."""

    one: bool = False
    two: bool = False
    spectators: int = 0

    def with_others(self, others: Presence) -> Presence:
        """Together with those who are connected to other processes."""
        return Presence(
            self.one or others.one, self.two or others.two, self.spectators + others.spectators
        )


class Snapshot:
    """One version of a game, as everybody may see it."""

    def __init__(
        self,
        session: EventSourcedGame,
        before: Snapshot | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.now: Callable[[], float] = before.now if before else now
        self.setup, self.version, self.status = session.setup, session.version, session.status
        self.seats, self.turn = tuple(session.seats), session.turn
        self.moves, self._hinted = tuple(session.moves), frozenset(session.hinted)
        self.offers, self.rematch, self.series = session.offers, session.rematch, _series(session)
        self.has_one_decider, self._reading = session.has_one_decider, session.reading
        self.help, self.ladder_result = session.help, session.ladder_result
        self.event = session.latest  # that led to it
        declined = self.event if before and isinstance(self.event, Declined) else None
        # Whether what was declined was one's own offer.
        self.is_withdrawn = bool(
            declined and before and before.offers[declined.what] == declined.player
        )
        position = self.position = session.match.position
        outcome = position.outcome
        self.over = outcome is not None
        self.result = (outcome.result or None) if outcome else None
        self._stored = {
            "status": self.status,
            "turn": self.turn,
            "result": self.result,
            "reason": session.reason or None,
            "termination": outcome.termination if outcome else None,
            "offers": self.offers,
            "rematch": self.rematch,
            "series": self.series,
        }
        # The same as long as the same people play; panels by what they depend on, until it is over.
        same = before if before and before.seats == self.seats else None
        self._called: dict[tuple[int, ...], Called] = same._called if same else {}  # noqa: SLF001
        self.known_panels: dict[tuple[Any, ...], dict[str, Any]] = same.known_panels if same else {}
        self.cells = position.bare_cells
        self._names = position.game.text.NOTATION.cell_names(position.board)
        # Who sits down gets the state: other fields change too, and not for everybody alike.
        self._before = same if same and same.version == self.version - 1 else None
        self._changed = differences(self._before.cells, self.cells) if self._before else []
        self._event: dict[str, Any] | None = None
        self.marks: Marks
        if self._before and isinstance(session.latest, MovePlayed):
            old = self._before
            self._event = move_event(old.position, position, self._changed)
            self.marks = old.marks | {str(self._event["player"]): mark_of(self._event)}
        else:
            self.marks = last_marks(session.match)
        self._words: dict[tuple[tuple[int, ...], bool], dict[str, Any]] = {}
        self._panels: dict[tuple[int, ...], dict[str, Any]] = {}
        self._heads: dict[bool | None, str] = {}
        self._change_heads: dict[bool, str] = {}
        self._cells_texts: dict[bool, str] = {}  # of a change, as a picture and as data
        self._changes: dict[tuple[tuple[int, ...], bool], str] = {}

    @cached_property
    def small_picture(self) -> str:
        """The board without labels and open cells, for a list of games."""
        return svg(self.position.view.without_moves(), PAGE, labelled=False)

    def held_by(self, token: str | None) -> tuple[int, ...]:
        """The seats whose holder has this token, by its hash."""
        return tuple([seat.number for seat in self.seats if token and seat.token == token])

    @cached_property
    def is_joined(self) -> bool:
        """Whether both seats are taken."""
        return all(seat.kind != OPEN for seat in self.seats)

    @cached_property
    def has_other_side(self) -> bool:
        """Whether it was won or drawn, and the other side of its board is to be played after it."""
        series = self.series if self.result else None
        return series is not None and series["best_of"] == BOTH_SIDES and not series["over"]

    @cached_property
    def objectives(self) -> tuple[Objective, Objective]:
        """What each player has and needs to win."""
        return self.position.objective(1), self.position.objective(2)

    def called(self, you: tuple[int, ...]) -> Called:
        """What the players are called to a viewer."""
        if you not in self._called:
            self._called[you] = viewer.called(self.seats, you)
        return self._called[you]

    # The whole state

    def text(
        self, you: tuple[int, ...], present: dict[str, Any], *, picture: bool | None = None
    ) -> str:
        """The state as JSON for a viewer who holds the seats `you`, with who is present.

        The cells come as a picture, as data, or as both.
        """
        if picture not in self._heads:
            self._heads[picture] = self._make_head(picture)
        said = self.words(you, picture=bool(picture))
        own = {"you": you, **said, "clock": self._clock(), **present}
        if picture:
            own["panel"] = self.panel(you)
        return f"{self._heads[picture]},{encode(own)[1:]}"

    def present(self, presence: Presence, *, watching: bool = False) -> dict[str, Any]:
        """The two seats, and whether somebody is there; and how many watch, but for the viewer."""
        players = [
            seat.public() | {"present": seat.kind == BOT or present}
            for seat, present in zip(self.seats, presence[:2], strict=True)
        ]
        return {"players": players, "spectators": max(0, presence.spectators - watching)}

    def words(self, you: tuple[int, ...], *, picture: bool = True) -> dict[str, Any]:
        """The sentences for a viewer: a page speaks of Blue and Red, a program hears of numbers."""
        kind = you if len(you) == 1 else ()
        if (kind, picture) not in self._words:
            called = self.called(kind).names if picture else names_for(self.seats, kind, NEUTRAL)
            self._words[kind, picture] = viewer.words(self, called)
        return self._words[kind, picture]

    def panel(self, you: tuple[int, ...]) -> dict[str, Any]:
        """What a page shows a viewer beside the board."""
        if you not in self._panels:
            self._panels[you] = viewer.panel(self, you)
        return self._panels[you]

    def _clock(self) -> dict[str, Any] | None:
        """What the clock shows at this moment."""
        reading, now = self._reading, self.now()
        if reading is None:
            return None
        due = {"player": reading.first, "left": round(reading.first_move_left_at(now), 1)}
        return {
            "left": [round(each, 1) for each in reading.left_at(now)],
            "running": reading.running,
            "increment": self.setup.increment,
            "first_move": due if reading.first else None,
        }

    def _make_head(self, picture: bool | None) -> str:
        """The part of the state that is the same for everybody."""
        setup, position, view = self.setup, self.position, self.position.view
        head = {
            "id": setup.id,
            "game": setup.game,
            "title": view.title,
            "version": self.version,
            **self._fields,
            "moves": self._played(0),
            "rows": view.rows,
            "cols": view.cols,
            "row_labels": view.row_labels,
            "col_labels": view.col_labels,
            "target": position.board.target,
            "handicap": position.board.handicap,
            "first": position.first,
            "deal": setup.deal,
            "outlook": new_game.differences(position.game, position.board, setup.deal),
            "terms": setup.terms or None,
            "rematch_of": setup.rematch_of,
            "listed": setup.listed,
        }
        if picture is not False:
            # Without open cells: those depend on who looks at it, and a page opens them.
            head["svg"] = svg(view.without_moves(), PAGE, playable=True)
        text = encode(head)[:-1]
        if not picture:
            pairs = zip(self.cells, self._names, strict=True)
            cells = ",".join([f'{{"name":"{name}",{_cell_text(cell)}' for cell, name in pairs])
            text = f'{text},"cells":[{cells}]'
        return text

    def _played(self, start: int) -> list[dict[str, Any]]:
        """The moves from one on."""
        return [
            {"player": played.player, "move": played.move, "hinted": ply in self._hinted}
            for ply, played in enumerate(self.moves[start:], start)
        ]

    @cached_property
    def _fields(self) -> dict[str, Any]:
        """The fields that a move can change, but for the words, the moves and the cells."""
        position, names = self.position, self._names
        named = position.named_moves
        return self._stored | {
            "legal": list(named.values()),
            "targets": [names[position.target(action)] for action in named],
            "questions": questions(position),
            "objectives": [_objective(each, names) for each in self.objectives],
            "marks": self.marks,
            "scores": position.scores,
            "board": position.game.board_text(position.board),
            # With the seed anybody can deal the same board at home and look.
            "seed": self.setup.given_seed if self.over else None,
        }

    # The change from the version before

    def change(self, you: tuple[int, ...], *, picture: bool = False) -> str:
        """What is new since the version before, as JSON; empty if only the whole state says it."""
        before = self._before
        if before is None:
            return ""
        kind = you if picture or len(you) == 1 else ()
        if (kind, picture) not in self._changes:
            if picture not in self._change_heads:
                self._change_heads[picture] = self._make_change(before, picture)
            new = _new(before.words(kind, picture=picture), self.words(kind, picture=picture))
            if picture:
                new.pop("status_text", None)
            if picture and (parts := _new(before.panel(kind), self.panel(kind))):
                if "texts" in parts:
                    parts["texts"] = _new(before.panel(kind)["texts"], parts["texts"])
                new["panel"] = parts
            said = f",{encode(new)[1:-1]}" if new else ""
            if picture not in self._cells_texts:
                self._cells_texts[picture] = self._redrawn() if picture else self._changed_cells()
            text = f"{self._change_heads[picture]}{said},{self._cells_texts[picture]}}}"
            self._changes[kind, picture] = text
        return self._changes[kind, picture]

    def forget(self) -> None:
        """There is a newer version: whoever has not got this one gets that one's whole state."""
        self._before = None

    def _make_change(self, before: Snapshot, picture: bool) -> str:
        old, new = before._fields, self._fields
        change = {"type": "change", "from": before.version, "version": self.version}
        change |= _new(old, new)
        if picture:
            change = {name: value for name, value in change.items() if name not in FOR_PROGRAMS}
        # Where each move is written as its cell, the moves are enough: 300 bytes on 63 cells.
        if new["targets"] == new["legal"]:
            change.pop("targets", None)
        elif change.keys() & {"legal", "targets"}:
            change |= {name: new[name] for name in ("legal", "targets")}
        change["event"] = self._event
        if self._reading and self._reading != before._reading:
            change["clock"] = self._clock()
        old_count, count = len(before.moves), len(self.moves)
        keep = min(old_count, count)
        if old_count != count:
            change["moves"] = {"keep": keep, "add": self._played(keep)}
        return encode(change)[:-1]

    def _changed_cells(self) -> str:
        """The cells that have changed, by name."""
        named = [(self._names[cell], _cell_text(shown)) for cell, _, shown in self._changed]
        cells = ",".join([f'"{name}":{{"name":"{name}",{text}' for name, text in named])
        return f'"cells":{{{cells}}}'

    def _redrawn(self) -> str:
        """The cells that have changed, as drawn: each look with the names of those that have it.

        At the end of a game many cells are turned up, of which many look alike.
        """
        looks: dict[str, list[str]] = {}
        names, drawing = self._names, self.position.game.text.DRAWING
        for cell, _, shown in self._changed:
            looks.setdefault(_look(shown, drawing), []).append(names[cell])
        drawn = encode([[look, *cells] for look, cells in looks.items()])
        return f'"svg_cells":{drawn}'


def _series(session: EventSourcedGame) -> dict[str, Any] | None:
    """How the match stands, this game counted once it is over; None for a single game."""
    series, number = session.series, session.setup.round
    if series.best_of == 1:
        return None
    wins = [half // 2 if half % 2 == 0 else half / 2 for half in series.halves]
    state = {"best_of": series.best_of, "wins": wins, "game": number, "over": series.over}
    state["leader"] = series.leader
    return state | ({"won_in": series.won_in} if series.best_of == BOTH_SIDES else {})


def _new(old: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """The values that have changed."""
    return {name: value for name, value in now.items() if value != old[name]}


def _objective(objective: Objective, names: list[str]) -> dict[str, Any]:
    """What a player has and needs to win; the cell to reach by its name."""
    goal = objective.goal
    return objective._asdict() | {"goal": names[goal] if goal >= 0 else None}


# A move changes a few cells, and cells look alike in many games.
@lru_cache(maxsize=1 << 13)
def _look(shown: CellView, drawing: Drawing) -> str:
    look = svg_cell(shown._replace(name=ANY_CELL), drawing)
    return look.removeprefix(LOOK_TAGS[0]).removesuffix(LOOK_TAGS[1])


@lru_cache(maxsize=1 << 13)
def _cell_text(shown: CellView) -> str:
    """A cell as JSON, after its name."""
    fields = shown._asdict()
    del fields["name"], fields["actions"], fields["moves"], fields["trail"]
    return encode(fields)[1:]


def questions(position: Position) -> list[dict[str, Any]]:
    """What a page has to ask before a move can be made; nothing once the game is over.

    Where a cell stands for two moves, such as a step and the same step with a challenge, the game's
    text says what to ask, and what is at stake with each answer. A page asks it in place.
    """
    by_cell = {}
    for action in position.legal if position.game.text.asks_questions else ():
        question = position.question(action)
        if question:
            cell, answers = position.cell_name(position.target(action)), question.answers
            by_cell[cell] = {
                "cell": cell,
                "text": question.text,
                "answers": {answer: position.name(meant) for answer, meant in answers.items()},
                "labels": question.labels,
                "default": next(
                    word for word, meant in answers.items() if meant == question.default
                ),
                "stakes": question.stakes,
            }
    return list(by_cell.values())
