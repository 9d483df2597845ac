"""The arguments and options that several commands share."""

from __future__ import annotations

from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gridwise.core.registry import short_names
from gridwise.errors import BadRequest, quoted

if TYPE_CHECKING:
    from gridwise.play.boards import BoardOptions


def whole_option(about: str, least: int | None = None, most: int | None = None) -> Any:  # noqa: ANN401 - as typer.Option
    """An option that takes a whole number."""
    return typer.Option(metavar="N", help=about, min=least, max=most)


def finite_option(about: str, least: float, most: float | None = None) -> Any:  # noqa: ANN401 - as above
    """An option that takes a number; Typer alone would let "nan" pass."""
    return typer.Option(metavar="N", help=about, min=least, max=most, callback=_finite)


def _finite(number: float | None) -> float | None:
    if number is not None and not isfinite(number):
        raise typer.BadParameter(f"{number} is not a number that can be used.")
    return number


# What a shell offers when somebody presses Tab. Where nothing is offered it completes file names.


def complete_game(incomplete: str) -> list[str]:
    """The keys of the games that begin like this; if none does, the short names."""
    wanted = incomplete.casefold()
    keys, short = short_names(), short_names().values()
    matching = [key for key in keys if key.startswith(wanted)]
    return matching or [name for name in short if name.startswith(wanted)]


def complete_game_or_file(incomplete: str) -> list[str]:
    """The keys of the games that begin like this, and the recorded games in this folder."""
    files = sorted(path.name for path in Path().glob("*.gwr") if path.name.isprintable())
    return [*complete_game(incomplete), *(file for file in files if file.startswith(incomplete))]


def complete_level(incomplete: str) -> list[tuple[str, str]]:
    """The levels of the bots that begin like this, and what each is like."""
    from gridwise.engine.bots import ABOUT  # noqa: PLC0415 - 40 ms, only when a shell asks

    return [pair for pair in ABOUT.items() if pair[0].startswith(incomplete.casefold())]


def complete_player(incomplete: str) -> list[tuple[str, str]]:
    """A person, the levels, and how the names of programs begin."""
    others = [
        ("human", "a person at this terminal; human:Ann has a name"),
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
    about = f"Player {player}: human, human:NAME, {PROGRAMS}."
    return typer.Option(metavar="WHO", help=about, autocompletion=complete_player)


def game_file(argument: object) -> Path:
    """The file of a game: a path, or the id of one of the person's own games; a file wins."""
    name = str(argument)
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


def unfinished_game_file(argument: object) -> Path:
    """The file of a game to continue: the last one is the last that is unfinished."""
    from gridwise.play.library import LAST, Library  # noqa: PLC0415 - as above

    if str(argument).casefold() != LAST:
        return game_file(argument)
    saved = Library().last_unfinished()
    if saved is None:
        raise BadRequest("You have no unfinished game. `gridwise games` lists your games.")
    return saved.path


def board_options(
    board: str | None,
    boards_from: Path | None,
    size: str | None,
    target: int | None,
    deal: str,
    *,
    handicap: bool,
) -> BoardOptions:
    """The options for boards that were given, as programs take them."""
    from gridwise.lab.report.row_files import read_rows  # noqa: PLC0415 - only for the lab

    boards = None
    if boards_from:
        boards = []
        for number, row in read_rows(boards_from):
            text = row.get("board") if isinstance(row, dict) else row
            if not isinstance(text, str):
                raise BadRequest(
                    f"Line {number} of {quoted(str(boards_from), 200)} has no board, as text or "
                    f'like {{"board": "…"}}: {quoted(str(row))}.'
                )
            boards.append(text)
    given: BoardOptions = {
        "board": board,
        "boards": boards,
        "size": size or None,
        "target": target,
        "handicap": handicap,
        "deal": deal,
    }
    return given


def check_outputs(*files: Path | None, plot: Path | None = None) -> None:
    """Raise BadRequest if a file of results could not be written, before hours of work."""
    from gridwise.lab.report.row_files import check_writable  # noqa: PLC0415 - only for the lab

    for file in (*files, plot):
        if file:
            check_writable(file)
    if plot:
        from gridwise.lab.report.charts import check_kind  # noqa: PLC0415 - an extra

        check_kind(plot)


AT = "The position after this many moves: 0 is the start, -1 the last position, -2 the one before."
EVEN = "Even out a one-sided game (Number Run, Grid Runner)."
BOARDS_FROM = "Boards of one size, one a line; one of them is drawn for each pair of games."
LINEAR = "Describe boards in sentences, for screen readers."
SEED = whole_option("The same number gives the same boards, hidden cells included, and bots.")
FIRST = whole_option("Who goes first, 1 or 2 (Grid Conquest).", 1, 2)
WORKERS = whole_option("How many processes work at the same time.", 1)
CLUSTER = typer.Option(metavar="ADDRESS", help="Run on a Dask scheduler, like tcp://host:8786.")
OUT = typer.Option(metavar="DIR", help="Keep the results here; a run that was stopped goes on.")
PLOT = typer.Option(metavar="FILE", help="Draw the result, to .png, .svg or .pdf.")

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
SizeOption = Annotated[
    str | None, typer.Option(metavar="RxC", help="Deal boards of another size, like 5x5.")
]
BoardsFromOption = Annotated[Path | None, typer.Option(metavar="FILE", help=BOARDS_FROM)]
ProgramDealOption = Annotated[
    str, typer.Option(metavar="KIND", help="How boards are dealt: uniform or fair.")
]
AtOption = Annotated[int, whole_option(AT)]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
SeedOption = Annotated[int | None, SEED]
TargetOption = Annotated[int | None, whole_option("Play to another number of points.", 1)]
HandicapOption = Annotated[bool, typer.Option("--handicap", help=EVEN)]
PlainOption = Annotated[
    bool, typer.Option("--plain", help="Plain text: no full screen, no colours.")
]
LinearOption = Annotated[bool, typer.Option("--linear", help=LINEAR)]
