"""`python -m research.proofs GAME`: why Player 1 can always win, checked while it is printed."""

from __future__ import annotations

import json as json_text
from importlib.resources import files
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from gridwise.cli.arguments import GameArgument, JsonOption
from gridwise.core.registry import game as game_named
from gridwise.errors import BadRequest
from research.command import run_command
from research.proofs import PROOFS

WRITE = "Write what is proved into the game's folder, where `gridwise rules GAME --why` reads it."


def proof(
    game: GameArgument,
    json: JsonOption = False,
    write: Annotated[bool, typer.Option("--write", help=WRITE)] = False,
) -> None:
    """Print a game's proof, each line after its check."""
    played = game_named(game)
    if played.key not in PROOFS:
        raise BadRequest(
            f"{played.title} has no proof. The games that have one: {', '.join(PROOFS)}."
        )
    lines = PROOFS[played.key]()
    if write:
        folder = Path(str(files(played.package)))
        (folder / "why.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    elif json:
        print(json_text.dumps({"game": played.key, "lines": list(lines)}))
    else:
        for line in lines:
            print(line, flush=True)


def main() -> NoReturn:
    """Run the command."""
    run_command(proof)


if __name__ == "__main__":
    main()
