"""A displayed board as a grid, as sentences or as JSON.

In a grid every cell has its number (`?` while it is face down, `#` for an obstacle, `.` where there
is no number), then marks: `@P1` the token of Player 1, `^P1` its start, `~P1` visited by Player 1,
`=P1` claimed by Player 1. No cell can have such a name. The letters of the players are the skin's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from gridwise.core.view import CellView, View
from gridwise.prompts.vocabulary import Words

HIDDEN, BLOCKED, NO_NUMBER = "?", "#", "."
TOKEN, START, OWNER, VISITED = "@", "^", "=", "~"
BAR = "|"


class Content(NamedTuple):
    """What a cell holds, whoever stands on it."""

    value: int
    blocked: bool = False
    hidden: bool = False


def content(cell: CellView) -> Content:
    """What a cell can be seen to hold."""
    return Content(cell.value, cell.blocked, cell.hidden)


# Grid


def grid(view: View, words: Words) -> list[str]:
    """The legend and the drawn board."""
    cells = [_grid_cell(cell, words) for cell in view.cells]
    width = max(map(len, cells + list(view.col_labels)))
    margin = max(map(len, view.row_labels))
    lines = [_grid_line("".ljust(margin), [label.ljust(width) for label in view.col_labels])]
    for row, label in enumerate(view.row_labels):
        here = cells[row * view.cols : (row + 1) * view.cols]
        lines.append(_grid_line(label.ljust(margin), [text.ljust(width) for text in here]))
    return [*_legend(view, words), *lines]


def _grid_line(label: str, cells: Sequence[str]) -> str:
    return f"{BAR.join(['', f' {label} ', *(f' {cell} ' for cell in cells), ''])}"


def _grid_cell(cell: CellView, words: Words) -> str:
    shown = HIDDEN if cell.hidden else BLOCKED if cell.blocked else str(cell.value or NO_NUMBER)
    return " ".join([shown, *(kind + words.letters[player - 1] for kind, player in _marks(cell))])


def _marks(cell: CellView) -> list[tuple[str, int]]:
    """The marks on a cell: their kind and whose they are."""
    kinds = ((TOKEN, cell.token), (START, cell.start), (OWNER, cell.owner))
    return [
        *((kind, player) for kind, player in kinds if player),
        *((VISITED, player) for player in cell.visited),
    ]


def _legend(view: View, words: Words) -> list[str]:
    """What the marks on this board mean; nothing that is not on it is explained."""
    nouns = words.nouns
    held = {content(cell) for cell in view.cells}
    lines = []
    if any(each.value for each in held):
        lines.append(f"a number: the {nouns.number} of the {nouns.cell}")
    if any(each.hidden for each in held):
        lines.append(f"{HIDDEN}: {nouns.hidden}")
    if any(each.blocked for each in held):
        lines.append(f"{BLOCKED}: {nouns.blocked}")
    if any(not (each.value or each.hidden or each.blocked) for each in held):
        lines.append(f"{NO_NUMBER}: open")
    says = {
        TOKEN: f"the {nouns.token} of {{}}",
        START: f"the {nouns.start} of {{}}",
        OWNER: f"{nouns.claimed} by {{}}",
        VISITED: f"{nouns.visited} by {{}}",
    }
    used = {mark for cell in view.cells for mark in _marks(cell)}
    for kind, sentence in says.items():
        for player in (1, 2):
            if (kind, player) in used:
                who = sentence.format(words.players[player - 1])
                lines.append(f"{kind}{words.letters[player - 1]}: {who}")
    return [f"In each {nouns.cell}:", *(f"  {line}" for line in lines)]


# Sentences


def sentences(view: View, words: Words) -> list[str]:
    """A line for each cell."""
    return [_sentence(cell, words) for cell in view.cells]


def _sentence(cell: CellView, words: Words) -> str:
    nouns, who = words.nouns, words.players
    parts = [holds(cell.name, content(cell), words)]
    if cell.token:
        parts.append(f"The {nouns.token} of {who[cell.token - 1]} is here.")
    if cell.start:
        parts.append(f"This is the {nouns.start} of {who[cell.start - 1]}.")
    if cell.owner:
        parts.append(f"It has been {nouns.claimed} by {who[cell.owner - 1]}.")
    if cell.visited:
        visitors = " and ".join(who[player - 1] for player in cell.visited)
        parts.append(f"It has been {nouns.visited} by {visitors}.")
    return " ".join(parts)


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


# JSON


def as_json(view: View, words: Words) -> list[str]:
    """The board as a JSON object, a row on each line."""
    cells = [json.dumps(_json_cell(cell, words)) for cell in view.cells]
    rows = [
        "  [" + ", ".join(cells[row * view.cols : (row + 1) * view.cols]) + "]"
        for row in range(view.rows)
    ]
    return ['{"rows": [', *(f"{row}," for row in rows[:-1]), rows[-1], "]}"]


def _json_cell(cell: CellView, words: Words) -> dict[str, Any]:
    nouns, who = words.nouns, words.players
    made: dict[str, Any] = {nouns.cell: cell.name}
    if cell.value:
        made[nouns.number] = cell.value
    if cell.hidden:
        made[nouns.hidden] = True
    if cell.blocked:
        made[nouns.blocked] = True
    if cell.token:
        made[nouns.token] = who[cell.token - 1]
    if cell.start:
        made[nouns.start] = who[cell.start - 1]
    if cell.owner:
        made[f"{nouns.claimed} by"] = who[cell.owner - 1]
    if cell.visited:
        made[f"{nouns.visited} by"] = [who[player - 1] for player in cell.visited]
    return made


FORMS: dict[str, Callable[[View, Words], list[str]]] = {
    "grid": grid,
    "sentences": sentences,
    "json": as_json,
}
