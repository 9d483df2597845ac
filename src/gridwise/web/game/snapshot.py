"""Snapshot: one version of a game, ready to be sent.

It is made once a version, after which the game may change; it holds nothing that is hidden, because
it is made from the View. What differs between viewers (which seats they hold, whether the board is
theirs to click) is added at the end, once for each kind of viewer.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, NamedTuple

from gridwise.core.position import Position
from gridwise.core.view import CellView, View, place_cells
from gridwise.show.svg import PAGE, svg
from gridwise.web.game.announce import news, status_text
from gridwise.web.game.model import pairing
from gridwise.web.game.session import GameSession


class Presence(NamedTuple):
    """Who is connected: the holders of the two seats, and how many spectators."""

    one: bool = False
    two: bool = False
    spectators: int = 0


class Snapshot:
    """One version of a game, as everybody may see it."""

    def __init__(self, session: GameSession) -> None:
        self.version = session.version
        position = session.match.position
        status = session.status
        self.turn = position.turn if status == "playing" else 0
        self.over = position.outcome is not None
        self.view = position.view
        self.pairing = pairing(session.seats)
        self._common = _common(session, position, self.view, status) | {"turn": self.turn}
        self._players = [seat.public() for seat in session.seats]
        self._head = json.dumps(self._common, ensure_ascii=False)[:-1]
        self._holders = tuple((seat.token, seat.number) for seat in session.seats if seat.token)
        self._pictures: dict[bool, str] = {}
        self._presence = Presence()
        self._texts: dict[tuple[int, ...], str] = {}  # by the seats held, for one presence

    def held_by(self, token: str | None) -> tuple[int, ...]:
        """The seats whose holder has this token, by its hash."""
        return tuple(number for holder, number in self._holders if holder == token)

    def state(self, you: tuple[int, ...], presence: Presence) -> dict[str, Any]:
        """The state for a viewer who holds the seats `you`."""
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
        return [
            player | {"present": player["kind"] == "bot" or present}
            for player, present in zip(self._players, presence[:2], strict=True)
        ]

    def _own(self, you: tuple[int, ...], presence: Presence) -> dict[str, Any]:
        return {
            "you": list(you),
            "players": self.players(presence),
            "spectators": presence.spectators,
            "svg": self._picture(clickable=self.turn in you),
        }

    def _picture(self, *, clickable: bool) -> str:
        if clickable not in self._pictures:
            view = self.view
            if not clickable:  # no cell is open to somebody who is not to move
                cells = place_cells(view.cells, [cell.name for cell in view.cells], {})
                view = replace(view, cells=cells)
            self._pictures[clickable] = svg(view, PAGE, playable=True)
        return self._pictures[clickable]


def _common(session: GameSession, position: Position, view: View, status: str) -> dict[str, Any]:
    setup, game = session.setup, session.game
    outcome, board = position.outcome, position.board
    return {
        "id": setup.id,
        "game": game.key,
        "title": game.title,
        "version": session.version,
        "status": status,
        "moves": [
            {"player": played.player, "move": played.move, "hinted": ply in session.hinted}
            for ply, played in enumerate(session.moves)
        ],
        "legal": position.legal_moves,
        "questions": questions(position),
        "cells": [_cell(cell) for cell in view.cells],
        "rows": view.rows,
        "cols": view.cols,
        "row_labels": view.row_labels,
        "col_labels": view.col_labels,
        "scores": view.scores,
        "caption": view.caption,
        "news": news(session, view.caption),
        "status_text": status_text(session, position),
        "result": (outcome.result or None) if outcome else None,
        "reason": session.reason or None,
        "termination": outcome.termination if outcome else None,
        "offers": dict(session.offers),
        "rematch": session.rematch,
        "rematch_of": setup.rematch_of,
        "board": game.board_text(board),
        "target": board.target,
        "handicap": board.handicap,
        "first": position.first,
        "deal": setup.deal,
        # With the seed anybody can deal the same board at home and look.
        "seed": setup.seed if outcome else None,
        "listed": setup.listed,
    }


def _cell(cell: CellView) -> dict[str, Any]:
    # Written out: by a list of names it takes three times as long, 5 % of a move.
    return {
        "name": cell.name,
        "value": cell.value,
        "text": cell.text,
        "about": cell.about,
        "owner": cell.owner,
        "token": cell.token,
        "start": cell.start,
        "visited": cell.visited,
        "blocked": cell.blocked,
        "hidden": cell.hidden,
        "moves": cell.moves,
    }


def questions(position: Position) -> list[dict[str, Any]]:
    """What a page has to ask before a move can be made; nothing once the game is over.

    Where a cell stands for two moves, such as a step and the same step with a challenge, the game's
    text says what to ask. A page asks it in place.
    """
    found = {}
    for action in position.legal:
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
