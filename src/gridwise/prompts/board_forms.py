"""A displayed board as a grid, as sentences or as JSON.

In a grid every cell has its number (`?` while it is face down, `#` for an obstacle, `.` where there
is no number), then marks: `@P1` the token of Player 1, `^P1` its start, `~P1` visited by Player 1,
`=P1` claimed by Player 1. No cell can have such a name. The letters of the players are the skin's.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from gridwise.core.view import CellView, View
from gridwise.prompts.vocabulary import Words

HIDDEN, BLOCKED, NO_NUMBER = "?", "#", "."
BAR = "|"


class Mark(NamedTuple):
    """Something of a player's that can be on a cell, and how it is said in each form."""

    field: str  # of a CellView: a player, 0 for nobody, or several players
    symbol: str
    legend: str
    sentence: str
    key: str


MARKS = (
    Mark("token", "@", "the {token} of {who}", "The {token} of {who} is here.", "{token}"),
    Mark("start", "^", "the {start} of {who}", "This is the {start} of {who}.", "{start}"),
    Mark("owner", "=", "{claimed} by {who}", "It has been {claimed} by {who}.", "{claimed} by"),
    Mark("visited", "~", "{visited} by {who}", "It has been {visited} by {who}.", "{visited} by"),
)


def _marked(cell: CellView, mark: Mark) -> tuple[int, ...]:
    """The players whose mark is on a cell."""
    players: int | tuple[int, ...] = getattr(cell, mark.field)
    return players if isinstance(players, tuple) else (players,) * bool(players)


class Content(NamedTuple):
    """What a cell holds, whoever stands on it."""

    value: int
    blocked: bool = False
    hidden: bool = False


def content(cell: CellView) -> Content:
    """What a cell can be seen to hold."""
    return Content(cell.value, cell.blocked, cell.hidden)


def holds(name: str, held: Content, words: Words) -> str:
    """What a cell of this name holds, as a sentence."""
    nouns, where = words.nouns, f"{words.nouns.cell[:1].upper()}{words.nouns.cell[1:]} {name}"
    if held.hidden:
        return f"{where} is {nouns.hidden}."
    if held.blocked:
        return f"{where} is closed: {nouns.blocked}."
    if held.value:
        return f"{where} has the {nouns.number} {held.value}."
    return f"{where} is open."


def grid(view: View, words: Words) -> list[str]:
    """The legend and the drawn board."""
    cells = [_grid_cell(cell, words) for cell in view.cells]
    width = max(map(len, cells + list(view.col_labels)))
    margin = max(map(len, view.row_labels))
    rows = [("", view.col_labels), *zip(view.row_labels, _rows(view, cells), strict=True)]
    lines = [
        BAR.join(["", f" {label:{margin}} ", *(f" {text:{width}} " for text in row), ""])
        for label, row in rows
    ]
    return [*_legend(view, words), *lines]


def _rows(view: View, cells: list[str]) -> list[list[str]]:
    return [cells[at : at + view.cols] for at in range(0, len(cells), view.cols)]


def _grid_cell(cell: CellView, words: Words) -> str:
    shown = HIDDEN if cell.hidden else BLOCKED if cell.blocked else str(cell.value or NO_NUMBER)
    marks = [
        mark.symbol + words.letters[player - 1] for mark in MARKS for player in _marked(cell, mark)
    ]
    return " ".join([shown, *marks])


def _legend(view: View, words: Words) -> list[str]:
    """What the marks on this board mean; nothing that is not on it is explained."""
    nouns, held = words.nouns, {content(cell) for cell in view.cells}
    meanings = {
        f"a number: the {nouns.number} of the {nouns.cell}": any(one.value for one in held),
        f"{HIDDEN}: {nouns.hidden}": any(one.hidden for one in held),
        f"{BLOCKED}: {nouns.blocked}": any(one.blocked for one in held),
        f"{NO_NUMBER}: open": any(not any(one) for one in held),
    }
    for mark in MARKS:
        for player, (who, letter) in enumerate(zip(words.players, words.letters, strict=True), 1):
            meaning = mark.legend.format(who=who, **nouns._asdict())
            used = any(player in _marked(cell, mark) for cell in view.cells)
            meanings[f"{mark.symbol}{letter}: {meaning}"] = used
    return [f"In each {nouns.cell}:", *(f"  {line}" for line, used in meanings.items() if used)]


def sentences(view: View, words: Words) -> list[str]:
    """A line for each cell."""
    lines = []
    for cell in view.cells:
        said = [holds(cell.name, content(cell), words)]
        for mark in MARKS:
            if players := _marked(cell, mark):
                who = " and ".join(words.players[player - 1] for player in players)
                said.append(mark.sentence.format(who=who, **words.nouns._asdict()))
        lines.append(" ".join(said))
    return lines


def as_json(view: View, words: Words) -> list[str]:
    """The board as a JSON object, a row on each line."""
    cells = [json.dumps(_json_cell(cell, words)) for cell in view.cells]
    rows = [f"  [{', '.join(row)}]" for row in _rows(view, cells)]
    return ['{"rows": [', *(f"{row}," for row in rows[:-1]), rows[-1], "]}"]


def _json_cell(cell: CellView, words: Words) -> dict[str, Any]:
    nouns = words.nouns
    held = {nouns.number: cell.value, nouns.hidden: cell.hidden, nouns.blocked: cell.blocked}
    data: dict[str, Any] = {nouns.cell: cell.name, **{key: it for key, it in held.items() if it}}
    for mark in MARKS:
        if players := _marked(cell, mark):
            names = [words.players[player - 1] for player in players]
            data[mark.key.format(**nouns._asdict())] = (
                names if mark.field == "visited" else names[0]
            )
    return data


FORMS: dict[str, Callable[[View, Words], list[str]]] = {
    "grid": grid,
    "sentences": sentences,
    "json": as_json,
}
