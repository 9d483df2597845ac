"""Snapshot: one version of a game, ready to be sent.

It takes from the session what it needs, after which the game may change; whatever takes time is
made when it is first asked for, once a version. It holds nothing that is hidden, because it is made
from a Position and its View. What differs between viewers (which seats they hold, whether the board
is theirs to click) is added at the end, once for each kind of viewer.

There are two texts: the whole state, for somebody who has just connected, and the change from the
version before, for everybody else.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from gridwise.core.position import Position
from gridwise.core.view import CellView, View
from gridwise.show.svg import PAGE, svg, svg_cell
from gridwise.web.game.announce import news, status_text
from gridwise.web.game.model import pairing
from gridwise.web.game.session import GameSession

_encode = json.JSONEncoder(ensure_ascii=False).encode


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

    def __init__(self, session: GameSession, before: Snapshot | None = None) -> None:
        position, status = session.match.position, session.status
        self.version = session.version
        self.turn = position.turn if status == "playing" else 0
        self.over = position.outcome is not None
        self._setup, self._position = session.setup, position
        self.seats = tuple(session.seats)
        self._moves, self._hinted = tuple(session.moves), frozenset(session.hinted)
        outcome = position.outcome
        caption = position.game.text.caption(position.state)
        self._told = {
            "status": status,
            "turn": self.turn,
            "caption": caption,
            "news": news(session, caption),
            "status_text": status_text(session, position),
            "result": (outcome.result or None) if outcome else None,
            "reason": session.reason or None,
            "termination": outcome.termination if outcome else None,
            "offers": session.offers,
            "rematch": session.rematch,
        }
        # Who sits down gets the state: other fields change too, and not for everybody alike.
        follows = before and before.version == self.version - 1 and before.seats == self.seats
        self._before = before if follows else None
        self._grid: _Grid | None = None
        self._other_looks: set[int] = set()  # the cells that do not look as before
        self._fields: dict[str, Any] = {}
        self._head = self._change_head = ""
        self._presence = Presence()
        self._texts: dict[tuple[int, ...], str] = {}  # by the seats held, for one presence
        self._changes: dict[tuple[bool, bool], str] = {}  # by whether one could and can click

    @property
    def view(self) -> View:
        """What can be seen."""
        return self._position.view

    @property
    def pairing(self) -> str:
        """Who plays."""
        return pairing(self.seats)

    def held_by(self, token: str | None) -> tuple[int, ...]:
        """The seats whose holder has this token, by its hash."""
        return tuple([seat.number for seat in self.seats if token and seat.token == token])

    # The whole state

    def state(self, you: tuple[int, ...], presence: Presence) -> dict[str, Any]:
        """The state for a viewer who holds the seats `you`."""
        found: dict[str, Any] = json.loads(self.text(you, presence))
        return found

    def text(self, you: tuple[int, ...], presence: Presence) -> str:
        """The same as JSON, made once for each kind of viewer."""
        if presence != self._presence:
            self._texts.clear()
            self._presence = presence
        if you not in self._texts:
            own = {
                "you": you,
                "players": self.players(presence),
                "spectators": presence.spectators,
                "svg": _picture(self.view, clickable=self.turn in you),
            }
            self._head = self._head or self._make_head()
            self._texts[you] = f"{self._head}, {_encode(own)[1:]}"
        return self._texts[you]

    def players(self, presence: Presence) -> list[dict[str, Any]]:
        """The two seats, and whether somebody is there."""
        return [
            seat.public() | {"present": seat.kind == "bot" or present}
            for seat, present in zip(self.seats, presence[:2], strict=True)
        ]

    def _make_head(self) -> str:
        setup, position, view = self._setup, self._position, self.view
        head = {
            "id": setup.id,
            "game": setup.game,
            "title": view.title,
            "version": self.version,
            **self._all_fields(),
            "moves": self._played(0),
            "rows": view.rows,
            "cols": view.cols,
            "row_labels": view.row_labels,
            "col_labels": view.col_labels,
            "target": position.board.target,
            "handicap": position.board.handicap,
            "first": position.first,
            "deal": setup.deal,
            "rematch_of": setup.rematch_of,
            "listed": setup.listed,
        }
        cells = ", ".join(self.grid.cell_text(cell) for cell in range(len(view.cells)))
        return f'{_encode(head)[:-1]}, "cells": [{cells}]'

    def _played(self, start: int) -> list[dict[str, Any]]:
        """The moves from one on."""
        return [
            {"player": played.player, "move": played.move, "hinted": ply in self._hinted}
            for ply, played in enumerate(self._moves[start:], start)
        ]

    def _all_fields(self) -> dict[str, Any]:
        """The fields that a move can change, but for the moves and the cells."""
        if not self._fields:
            position = self._position
            self._fields = self._told | {
                "legal": list(self.grid.named.values()),
                "questions": questions(position),
                "scores": position.scores,
                "board": position.game.board_text(position.board),
                # With the seed anybody can deal the same board at home and look.
                "seed": self._setup.seed if self.over else None,
            }
        return self._fields

    # The change from the version before

    def prepare(self) -> None:
        """Make what everybody will ask for."""
        if self._before and not self._change_head:
            self._change_head = self._make_change(self._before)

    def change(self, you: tuple[int, ...]) -> str:
        """What is new since the version before, as JSON; empty if only the whole state says it."""
        before = self._before
        if before is None:
            return ""
        clicks = before.turn in you, self.turn in you
        if clicks not in self._changes:
            self.prepare()
            drawn = ", ".join(self._redrawn(before, *clicks))
            self._changes[clicks] = f'{self._change_head}, "svg_cells": {{{drawn}}}}}'
        return self._changes[clicks]

    def forget(self) -> None:
        """There is a newer version: whoever has not got this one gets that one's whole state."""
        self._before = None

    @property
    def grid(self) -> _Grid:
        """What a change is told from."""
        if self._grid is None:
            self._grid = _grid(self._position)
        return self._grid

    def _make_change(self, before: Snapshot) -> str:
        old = before._all_fields()
        change = {"type": "change", "from": before.version, "version": self.version}
        change |= {name: now for name, now in self._all_fields().items() if now != old[name]}
        keep = min(len(before._moves), len(self._moves))
        if len(before._moves) != len(self._moves):
            change["moves"] = {"keep": keep, "add": self._played(keep)}
        grid = self.grid
        self._other_looks = grid.other_looks(before.grid)
        changed = self._other_looks | grid.other_moves(before.grid)
        cells = ", ".join([grid.named_text(cell) for cell in changed])
        return f'{_encode(change)[:-1]}, "cells": {{{cells}}}'

    def _redrawn(self, before: Snapshot, could_click: bool, can_click: bool) -> list[str]:
        """The cells that have to be drawn again, each with its name."""
        old, new = before.grid, self.grid
        cells = set(self._other_looks)
        if old.last != new.last:
            cells |= {old.last, new.last} - {-1}
        if could_click and can_click:
            cells |= new.other_moves(old)
        elif could_click or can_click:  # all of them are closed, or opened
            cells |= (old if could_click else new).moves.keys()
        return [new.picture(cell, can_click=can_click) for cell in cells]


class _Grid(NamedTuple):
    """The cells of a position. A View has the same, and takes three times as long to make."""

    cells: list[CellView]  # without names and moves
    named: dict[int, str]  # the legal actions
    moves: dict[int, tuple[str, ...]]  # to the cells that can be moved to
    names: list[str]
    cols: int
    last: int  # the cell of the last move

    def other_looks(self, before: _Grid) -> set[int]:
        """The cells that do not look as they did, but for being open."""
        pairs = enumerate(zip(before.cells, self.cells, strict=True))
        return {cell for cell, (old, new) in pairs if old is not new and old != new}

    def other_moves(self, before: _Grid) -> set[int]:
        """The cells that other moves go to than before."""
        old, new = before.moves, self.moves
        return {cell for cell in old.keys() | new.keys() if old.get(cell) != new.get(cell)}

    def picture(self, cell: int, *, can_click: bool) -> str:
        """The name of a cell and how it is drawn: open only for somebody who is to move."""
        moves = self.moves.get(cell, ()) if can_click else ()
        is_last, name = cell == self.last, self.names[cell]
        return _cell_picture(self.cells[cell], moves, is_last, name, cell, self.cols)

    def cell_text(self, cell: int) -> str:
        """A cell as JSON."""
        return _cell_text(self.cells[cell], self.moves.get(cell, ()), self.names[cell])

    def named_text(self, cell: int) -> str:
        """The name of a cell and the cell, as JSON."""
        return _named_text(self.cells[cell], self.moves.get(cell, ()), self.names[cell])


def _grid(position: Position) -> _Grid:
    board, named = position.board, position.named_moves
    moves = {cell: tuple(here.values()) for cell, here in position.moves_by_cell(named).items()}
    names = position.game.text.NOTATION.cell_names(board)
    return _Grid(position.bare_cells, named, moves, names, board.cols, position.last_cell)


def _picture(view: View, *, clickable: bool) -> str:
    if not clickable:  # no cell is open to somebody who is not to move
        view = replace(view, cells=tuple(cell._replace(moves=()) for cell in view.cells))
    return svg(view, PAGE, playable=True)


# A move changes a few cells, and cells look alike in many games.
@lru_cache(maxsize=1 << 13)
def _cell_picture(
    shown: CellView, moves: tuple[str, ...], is_last: bool, name: str, cell: int, cols: int
) -> str:
    placed = shown._replace(name=name, moves=moves)
    return f"{_encode(name)}: {_encode(svg_cell(placed, cell, cols, is_last=is_last))}"


@lru_cache(maxsize=1 << 13)
def _cell_text(shown: CellView, moves: tuple[str, ...], name: str) -> str:
    told = shown._asdict() | {"name": name, "moves": moves}
    del told["actions"]
    return _encode(told)


@lru_cache(maxsize=1 << 13)
def _named_text(shown: CellView, moves: tuple[str, ...], name: str) -> str:
    return f"{_encode(name)}: {_cell_text(shown, moves, name)}"


def questions(position: Position) -> list[dict[str, Any]]:
    """What a page has to ask before a move can be made; nothing once the game is over.

    Where a cell stands for two moves, such as a step and the same step with a challenge, the game's
    text says what to ask. A page asks it in place.
    """
    found = {}
    for action in position.legal if position.game.text.asks_questions else ():
        question = position.question(action)
        if question:
            cell = position.cell_name(position.target(action))
            found[cell] = {
                "cell": cell,
                "lead": question.lead,
                "text": question.text,
                "answers": {
                    answer: position.name(meant) for answer, meant in question.answers.items()
                },
            }
    return list(found.values())
