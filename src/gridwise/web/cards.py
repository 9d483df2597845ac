"""The games as they are pictured: on cards, and beside a form."""

from __future__ import annotations

from functools import cache
from typing import Any

from gridwise.core.game import Game
from gridwise.core.registry import games
from gridwise.play.match import Match
from gridwise.show.svg import PAGE, svg


@cache
def cards() -> list[dict[str, Any]]:
    """The games, each with its picture."""
    return [
        {
            "key": game.key,
            "title": game.title,
            "summary": game.words.SUMMARY,
            "lesson": bool(game.lesson),
            "svg": svg(example(game).view, PAGE, labelled=False),
        }
        for game in games()
    ]


def example(game: Game) -> Match:
    """The game as it is pictured."""
    match = Match(game, game.example_deal or game.example_board, first=1)
    for move in game.example_moves.split():
        match.move(move)
    return match
