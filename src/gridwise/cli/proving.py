"""The command that proves things."""

from __future__ import annotations

from gridwise.core.registry import game as game_of
from gridwise.core.registry import games
from gridwise.errors import BadRequest


def print_proof(key: str) -> None:
    """A game's proof, line by line as its checks come out."""
    game = game_of(key)
    if not game.proof:
        proved = ", ".join(each.key for each in games() if each.proof)
        raise BadRequest(f"{game.title} has no proof. The games that have one: {proved}.")
    for line in game.prove():
        print(line, flush=True)
