"""The arguments and options that several commands share, and how numbers in them are read."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Annotated, Any

import typer

from gridwise.errors import BadRequest, quoted


def number_option(
    option: str,
    about: str,
    takes: str = "a whole number",
    kind: Callable[[str], float] = int,
    above: float = -inf,
    below: float = inf,
) -> Any:  # noqa: ANN401 - as typer.Option
    """An option that takes a number, and says so where it is given something else."""

    def parse(given: object) -> float:
        with suppress(ValueError):
            number = kind(str(given))
            if above < number < below:
                return number
        raise BadRequest(f"{option} takes {takes}, not {quoted(str(given))}.")

    return typer.Option(option, metavar="N", help=about, parser=parse)


def _complete_game(incomplete: str) -> list[str]:
    from gridwise import games  # noqa: PLC0415 - only when a shell asks

    return [game.key for game in games() if game.key.startswith(incomplete.casefold())]


def _game_argument(metavar: str) -> Any:  # noqa: ANN401 - as typer.Argument
    about = "The game, such as number-run."
    return typer.Argument(metavar=metavar, help=about, autocompletion=_complete_game)


EVEN = "Even out a one-sided game (Number Run, Grid Runner)."
LINEAR = "Describe boards in sentences, for screen readers."
SEED = number_option("--seed", "The same number gives the same boards and the same bots.")
FIRST = number_option("--first", "Who goes first, 1 or 2 (Grid Conquest).")

GameArgument = Annotated[str, _game_argument("GAME")]
OptionalGameArgument = Annotated[str, _game_argument("[GAME]")]
FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="A recorded game (.gwr).")]
BoardOption = Annotated[str, typer.Option(metavar="ROWS", help="The board: its rows, joined by /.")]
SeedOption = Annotated[int | None, SEED]
TargetOption = Annotated[int | None, number_option("--target", "Play to another number of points.")]
HandicapOption = Annotated[bool, typer.Option("--handicap", help=EVEN)]
PlainOption = Annotated[bool, typer.Option("--plain", help="Plain text without colours.")]
LinearOption = Annotated[bool, typer.Option("--linear", help=LINEAR)]
