"""States: a version of a game as everybody is told of it.

A Told is made once a version, after which the game may move on; it holds nothing that is hidden,
because it is made from the View. What differs between viewers (which seats they hold, whether the
board is theirs to click) is put in at the end, once for each kind of viewer.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, NamedTuple

from gridwise.core.view import CellView, View
from gridwise.show.svg import PAGE, svg
from gridwise.web.asking import questions
from gridwise.web.sitting import Sitting
from gridwise.web.telling import said


class Presence(NamedTuple):
    """Who is there: the holders of the two seats, and how many others."""

    one: bool = False
    two: bool = False
    spectators: int = 0


class Told:
    """One version of a game, ready to be told."""

    def __init__(self, sitting: Sitting) -> None:
        self.version = sitting.version
        self.turn = sitting.match.turn if sitting.status == "playing" else 0
        self.over = sitting.match.outcome is not None
        self.view = sitting.match.view
        self._common = _common(sitting, self.view, self.turn)
        self._players = [
            {"seat": seat.number, "kind": seat.kind, "name": seat.name, "level": seat.level or None}
            for seat in sitting.seats
        ]
        self._head = json.dumps(self._common, ensure_ascii=False)[:-1]
        self._holders = tuple((seat.token, seat.number) for seat in sitting.seats if seat.token)
        self._pictures: dict[bool, str] = {}
        self._presence = Presence()
        self._texts: dict[tuple[int, ...], str] = {}  # by the seats held, for one presence

    def held_by(self, token: str | None) -> tuple[int, ...]:
        """The seats whose holder has this token, by its hash."""
        return tuple(number for holder, number in self._holders if holder == token)

    def state(self, you: tuple[int, ...], presence: Presence) -> dict[str, Any]:
        """What a viewer who holds the seats `you` is told."""
        return self._common | self._own(you, presence)

    def text(self, you: tuple[int, ...], presence: Presence) -> str:
        """The same as JSON, made once for each kind of viewer."""
        if presence != self._presence:
            self._texts.clear()
            self._presence = presence
        if you not in self._texts:
            own = json.dumps(self._own(you, presence), ensure_ascii=False)
            self._texts[you] = f"{self._head}, {own[1:]}"
        return self._texts[you]

    def players(self, presence: Presence) -> list[dict[str, Any]]:
        """The two seats, and whether somebody is there."""
        here = (presence.one, presence.two)
        return [
            player | {"present": player["kind"] == "bot" or here[number]}
            for number, player in enumerate(self._players)
        ]

    def _own(self, you: tuple[int, ...], presence: Presence) -> dict[str, Any]:
        return {
            "you": list(you),
            "players": self.players(presence),
            "spectators": presence.spectators,
            "svg": self._picture(to_click=self.turn in you),
        }

    def _picture(self, *, to_click: bool) -> str:
        if to_click not in self._pictures:
            view = self.view if to_click else _to_look_at(self.view)
            self._pictures[to_click] = svg(view, PAGE, playable=True)
        return self._pictures[to_click]


def _common(sitting: Sitting, view: View, turn: int) -> dict[str, Any]:
    deal, match = sitting.deal, sitting.match
    outcome = match.outcome
    board = match.board
    game = sitting.game
    return {
        "id": deal.id,
        "game": game.key,
        "title": game.title,
        "version": sitting.version,
        "status": sitting.status,
        "turn": turn,
        "moves": [
            {"player": mover, "move": move, "hinted": ply in sitting.hinted}
            for ply, (mover, move) in enumerate(zip(match.movers, match.moves, strict=True))
        ],
        "legal": match.legal_moves,
        "question": [] if outcome else questions(match.position),
        "cells": [_cell(cell) for cell in view.cells],
        "rows": view.rows,
        "cols": view.cols,
        "row_labels": view.row_labels,
        "col_labels": view.col_labels,
        "scores": view.scores,
        "caption": view.caption,
        "said": said(sitting),
        "result": (outcome.result or None) if outcome else None,
        "reason": outcome.reason if outcome else None,
        "offers": dict(sitting.offers),
        "rematch": sitting.rematch,
        "rematch_of": deal.rematch_of,
        "board": game.board_text(board),
        "target": board.target,
        "handicap": board.handicap,
        "first": match.first,
        "deal": deal.deal,
        # Whoever knows the seed can deal the same board at home and look.
        "seed": deal.seed if outcome else None,
        "listed": deal.listed,
    }


def _cell(cell: CellView) -> dict[str, Any]:
    return {
        "name": cell.name,
        "value": cell.value,
        "text": cell.text,
        "about": cell.about,
        "owner": cell.owner,
        "token": cell.token,
        "home": cell.home,
        "visited": cell.visited,
        "blocked": cell.blocked,
        "hidden": cell.hidden,
        "moves": cell.moves,
    }


def _to_look_at(view: View) -> View:
    """The board for somebody who is not to move: no cell is open."""
    cells = tuple(cell.placed(cell.name, (), ()) if cell.moves else cell for cell in view.cells)
    return replace(view, cells=cells)
