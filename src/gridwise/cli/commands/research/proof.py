"""`gridwise proof`: why Player 1 can always win, checked while it is printed."""

from __future__ import annotations

import json as json_text

from gridwise.cli.arguments import GameArgument, JsonOption
from gridwise.core.registry import game as game_named
from gridwise.core.registry import games
from gridwise.errors import BadRequest


def proof(game: GameArgument, json: JsonOption = False) -> None:
    """Print a game's proof, each line after its check."""
    played = game_named(game)
    if not played.proof:
        proved = ", ".join(each.key for each in games() if each.proof)
        raise BadRequest(f"{played.title} has no proof. The games that have one: {proved}.")
    if json:
        print(json_text.dumps({"game": played.key, "lines": list(played.prove())}))
        return
    for line in played.prove():
        print(line, flush=True)
