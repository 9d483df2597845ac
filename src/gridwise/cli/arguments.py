"""The arguments and options that several commands share, and how numbers in them are read."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Annotated, Any

import typer

from gridwise.core.registry import short_names
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


# What a shell offers when somebody presses Tab. Where nothing is offered it completes file names.


def complete_game(incomplete: str) -> list[str]:
    """The keys of the games that begin like this; if none does, the short names."""
    wanted = incomplete.casefold()
    keys, short = short_names(), short_names().values()
    found = [key for key in keys if key.startswith(wanted)]
    return found or [name for name in short if name.startswith(wanted)]


def complete_game_or_file(incomplete: str) -> list[str]:
    """The same, and the recorded games in this folder."""
    files = sorted(path.name for path in Path().glob("*.gwr") if path.name.isprintable())
    return [*complete_game(incomplete), *(file for file in files if file.startswith(incomplete))]


def complete_level(incomplete: str) -> list[tuple[str, str]]:
    """The levels of the bots that begin like this, and what each is like."""
    from gridwise.engine.bots import ABOUT  # noqa: PLC0415 - 40 ms, only when a shell asks

    return [pair for pair in ABOUT.items() if pair[0].startswith(incomplete.casefold())]


def complete_player(incomplete: str) -> list[tuple[str, str]]:
    """A person, the levels, and how the names of programs begin."""
    others = [
        ("human", "a person at this terminal"),
        ("ugi:", "another program, by its command"),
        ("python:", "a Python object, by module and name"),
        ("model:", "a language model, by its name"),
    ]
    matching = [pair for pair in others if pair[0].startswith(incomplete.casefold())]
    return [*complete_level(incomplete), *matching]


PROGRAMS = "a level such as casual, ugi:COMMAND, python:MODULE:NAME or model:NAME"


def complete_deal(incomplete: str) -> list[str]:
    """The kinds of deals that begin like this."""
    from gridwise.engine.deals import KINDS  # noqa: PLC0415 - as above

    return [kind for kind in KINDS if kind.startswith(incomplete.casefold())]


def _game_argument(metavar: str) -> Any:  # noqa: ANN401 - as typer.Argument
    about = "The game, such as number-run, or just run."
    return typer.Argument(metavar=metavar, help=about, autocompletion=complete_game)


def player_option(player: int) -> Any:  # noqa: ANN401 - as typer.Option
    """The option that says who plays on one side."""
    about = f"Player {player}: human, {PROGRAMS}."
    return typer.Option(metavar="WHO", help=about, autocompletion=complete_player)


def game_file(given: object) -> Path:
    """The file of a game: a path, or the id of one of the person's own games; a file wins."""
    name = str(given)
    path = Path(name)
    with suppress(OSError):  # a name that is too long for a file
        if path.exists():
            return path
    if path.suffix or len(path.parts) > 1:  # no id: what is wrong with it is said on reading it
        return path
    from gridwise.play.library import Library  # noqa: PLC0415 - 50 ms, only for this

    try:
        return Library().find(name).path
    except BadRequest as error:
        raise BadRequest(f"There is no file {quoted(name)}. {error}") from None


def unfinished_game_file(given: object) -> Path:
    """The same for a game to continue: the last one is the last that is unfinished."""
    from gridwise.play.library import LAST, Library  # noqa: PLC0415 - as above

    if str(given).casefold() != LAST:
        return game_file(given)
    kept = Library().last_unfinished()
    if kept is None:
        raise BadRequest("You have no unfinished game. `gridwise games` lists your games.")
    return kept.path


AT = "The position after this many moves: 0 is the start, -1 the last position, -2 the one before."
EVEN = "Even out a one-sided game (Number Run, Grid Runner)."
LINEAR = "Describe boards in sentences, for screen readers."
SEED = number_option(
    "--seed", "The same number gives the same boards, hidden cells included, and the same bots."
)
FIRST = number_option("--first", "Who goes first, 1 or 2 (Grid Conquest).")

GameArgument = Annotated[str, _game_argument("GAME")]
OptionalGameArgument = Annotated[str, _game_argument("[GAME]")]
FILE = "A recorded game (.gwr), or one of your own by its id; last is the one you played last."
FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help=FILE, parser=game_file)]
RESUME = typer.Option(
    metavar="FILE",
    help="Continue the game in this file, or one of your own by its id; last is the last one.",
    parser=unfinished_game_file,
)
BoardOption = Annotated[
    str | None, typer.Option(metavar="ROWS", help="The board: its rows, joined by /.")
]
AtOption = Annotated[int, number_option("--at", AT)]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
SeedOption = Annotated[int | None, SEED]
TargetOption = Annotated[int | None, number_option("--target", "Play to another number of points.")]
HandicapOption = Annotated[bool, typer.Option("--handicap", help=EVEN)]
PlainOption = Annotated[
    bool, typer.Option("--plain", help="Plain text: no full screen, no colours.")
]
LinearOption = Annotated[bool, typer.Option("--linear", help=LINEAR)]
