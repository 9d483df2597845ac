"""A position on a page: its picture, and the moves that can be chosen on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gridwise.core.position import Position
from gridwise.show.svg import PAGE, svg
from gridwise.web.game import questions


def playable(position: Position) -> dict[str, Any]:
    """What a page's script needs to let somebody play on."""
    return {
        "svg": svg(position.view, PAGE, playable=True),
        "legal": position.legal_moves,
        "questions": questions(position),
    }


def choices(shown: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The legal moves of a position or a state, and what their buttons say without scripts."""
    labels = {
        move: f"{question['cell']}: {label}"
        for question in shown["questions"]
        for move, label in zip(question["answers"].values(), question["labels"], strict=True)
    }
    return [(move, labels.get(move, move)) for move in shown["legal"]]
