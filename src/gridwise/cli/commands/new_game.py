"""`gridwise new-game`: a folder with a game of one's own, to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gridwise.cli.arguments import JsonOption
from gridwise.cli.console import print_json
from gridwise.testing.new_game import check_name, next_steps, write_game

NAME = "What to call it, such as star-claim."
FOLDER = "Where to put it, a folder that is empty or not there; without it, one of that name here."


def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help=NAME)],
    folder: Annotated[Path | None, typer.Option(metavar="DIR", help=FOLDER)] = None,
    json: JsonOption = False,
) -> None:
    """Write a small game that keeps the whole contract, and say how to play it and check it."""
    place = folder or Path(check_name(name))
    files = write_game(name, place)
    steps = next_steps(name, place)
    if json:
        print_json({"files": [str(file) for file in files], "next": steps})
        return
    print("Written:", *(f"  {file}" for file in files), sep="\n")
    print("Next:", *(f"  {step}" for step in steps), sep="\n")
