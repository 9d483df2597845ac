"""`gridwise study`: a report on a game or a variant of it: who wins, how long, how hard."""

from __future__ import annotations

import json as json_text
import shlex
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from gridwise.arena.executors import JSON, Executor, ResultFolder, open_executor, processors
from gridwise.arena.study.document import Table, as_text
from gridwise.arena.study.plan import BOARDS, GAMES, PAIRS, Plan, levels_of
from gridwise.arena.study.variant import Variant, changed, checked, with_board
from gridwise.cli import signals
from gridwise.cli.arguments import SEED, BoardOption, GameArgument, JsonOption, number_option
from gridwise.core.registry import game as game_named
from gridwise.errors import BadRequest
from gridwise.show.progress import Progress

FROM_ONE = "a whole number from 1 up"
BOARDS_OPTION = number_option("--boards", "How many boards are solved.", FROM_ONE, above=0)
PAIRS_OPTION = number_option(
    "--pairs",
    "How many boards any two levels of bots play on.",
    "a whole number from 2 up",
    above=1,
)
GAMES_OPTION = number_option(
    "--games", "How many games positions are taken from.", "a whole number from 2 up", above=1
)
WORKERS = number_option(
    "--workers", "How many processes; all processors unless given.", FROM_ONE, above=0
)
SIZE = typer.Option(metavar="RxC", help="Boards of another size, like 5x5.")
VALUES = typer.Option(metavar="LOW-HIGH", help="Deal only these numbers, like 1-6.")
TARGET = number_option("--target", "Play to another number of points.", FROM_ONE, above=0)
HANDICAP = number_option(
    "--handicap", "A head start for Player 2, in points if the game has them.", above=-1
)
OBSTACLES = number_option(
    "--obstacles", "How many obstacles are put on each board, at random.", above=-1
)
LEVELS = typer.Option(metavar="A,B,…", help="The levels of bots that play.")
CLUSTER = typer.Option(metavar="ADDRESS", help="Run on a Dask scheduler, like tcp://host:8786.")
OUT = typer.Option(
    metavar="DIR", help="Write the report here; a run that was stopped goes on from here."
)
COMPARE = typer.Option(
    metavar="CHANGES", help="Study this variant too, like target=13 or size=5x5,values=1-6."
)
EVEN = "Search for a target, a head start or numbers that make the game even."
OPENINGS = "The value of each kind of first claim (Grid Conquest)."


class _Run(NamedTuple):
    """What a run has to work with."""

    plan: Plan
    executor: Executor
    results: ResultFolder
    out: Path | None
    json: bool
    command: str


def study(
    game: GameArgument,
    boards: Annotated[int | None, BOARDS_OPTION] = None,
    pairs: Annotated[int, PAIRS_OPTION] = PAIRS,
    games: Annotated[int, GAMES_OPTION] = GAMES,
    levels: Annotated[str, LEVELS] = "",
    size: Annotated[str, SIZE] = "",
    target: Annotated[int | None, TARGET] = None,
    values: Annotated[str, VALUES] = "",
    handicap: Annotated[int, HANDICAP] = 0,
    obstacles: Annotated[int | None, OBSTACLES] = None,
    board: BoardOption = None,
    compare: Annotated[list[str] | None, COMPARE] = None,
    even: Annotated[bool, typer.Option("--even", help=EVEN)] = False,
    openings: Annotated[bool, typer.Option("--openings", help=OPENINGS)] = False,
    seed: Annotated[int, SEED] = 0,
    workers: Annotated[int | None, WORKERS] = None,
    cluster: Annotated[str, CLUSTER] = "",
    out: Annotated[Path | None, OUT] = None,
    json: JsonOption = False,
) -> None:
    """Print figures about a game, and write a report."""
    changes = {
        "size": size,
        "target": target,
        "values": values,
        "handicap": handicap or None,
        "obstacles": obstacles,
    }
    variant = _variant(game, changes, board)
    variants = [variant, *(changed(variant, each) for each in compare or ())]
    if even + openings + bool(compare) > 1:
        raise BadRequest("Give one of --compare, --even and --openings, not several.")
    if openings:
        from gridwise.arena.study.openings import (  # noqa: PLC0415 - numpy
            DEALS,
            opening_kinds,
        )

        opening_kinds(variant)
        default = DEALS
    else:
        default = BOARDS
    if out:
        from gridwise.arena.study.study import check_extras  # noqa: PLC0415 - as above

        check_extras()
    plan = Plan(boards or default, pairs, games, levels_of(variant, levels), seed)
    options = {
        "boards": boards,
        "pairs": pairs if pairs != PAIRS else None,
        "games": games if games != GAMES else None,
        "levels": levels,
        **changes,
        "board": board,
        "seed": seed or None,
    }
    command = _command(variant, options, compare or [], even=even, openings=openings)
    about: dict[str, JSON] = {"run": "study", "game": variant.game, "seed": seed}
    with (
        signals.resume_hint(out),
        ResultFolder(out, about) as results,
        open_executor(workers or processors(), cluster) as executor,
    ):
        run = _Run(plan, executor, results, out, json, command)
        if openings:
            _openings(variant, run)
        elif even:
            _even(variant, run)
        else:
            _study(variants, run)
    if out and not json:
        print(f"\nThe report: {out / 'report.html'}")


def _variant(game: str, changes: dict[str, Any], board: str | None) -> Variant:
    variant = Variant.standard(game_named(game))
    if board is not None and changes["size"]:
        raise BadRequest("Give a board or a size, not both: a board has a size of its own.")
    for name, value in changes.items():
        if value not in (None, ""):
            variant = changed(variant, f"{name}={value}")
    return with_board(variant, board) if board is not None else checked(variant)


def _command(
    variant: Variant, options: dict[str, Any], compare: list[str], *, even: bool, openings: bool
) -> str:
    """The command line that makes the same report, wherever it runs."""
    words = ["gridwise", "study", variant.game]
    for name, value in options.items():
        if value not in (None, ""):
            words += [f"--{name}", str(value)]
    for each in compare:
        words += ["--compare", each]
    words += ["--even"] * even + ["--openings"] * openings
    return shlex.join(words)


def _study(variants: list[Variant], run: _Run) -> None:
    from gridwise.arena.study.page import glance  # noqa: PLC0415 - not before it is needed
    from gridwise.arena.study.study import (  # noqa: PLC0415 - as above
        count_tasks,
        run_study,
        write_report,
    )

    title = variants[0].played.title
    with closing(Progress(f"Studying {title}", count_tasks(variants, run.plan))) as progress:
        studied, found = run_study(variants, run.plan, run.executor, run.results, progress)
    figures = {"variants": [each.to_json() for each in studied]}
    _print(run, f"{title}, 95 % intervals", [glance(studied)], figures)
    if run.out:
        write_report(run.out, studied, run.plan, run.command, found)


def _even(variant: Variant, run: _Run) -> None:
    from gridwise.arena.study.even import even_table, find_even  # noqa: PLC0415 - as above
    from gridwise.arena.study.study import write_even  # noqa: PLC0415 - as above

    title = variant.played.title
    with ExitStack() as lines:

        def progress_of(total: int) -> Progress:
            return lines.enter_context(closing(Progress(f"Looking for an even {title}", total)))

        found = find_even(variant, run.plan, run.executor, run.results, progress_of)
    figures = {"candidates": [each.to_json() for each in found]}
    _print(run, f"{title}: what would make it even", [even_table(found)], figures)
    if run.out:
        write_even(run.out, variant, found, run.plan, run.command, run.results)


def _openings(variant: Variant, run: _Run) -> None:
    from gridwise.arena.study.opening_page import opening_tables  # noqa: PLC0415 - as above
    from gridwise.arena.study.openings import opening_book, opening_tasks  # noqa: PLC0415 - the same
    from gridwise.arena.study.study import write_openings  # noqa: PLC0415 - as above

    seed, deals = run.plan.seed, run.plan.boards
    title = variant.played.title
    total = len(opening_tasks(variant, seed, deals))
    with closing(Progress(f"Searching openings of {title}", total)) as progress:
        book = opening_book(variant, seed, deals, run.executor, run.results, progress)
    _print(run, f"{title}: first claims", list(opening_tables(book)), book.to_json())
    if run.out:
        write_openings(run.out, variant, book, run.plan, run.command, run.results)


def _print(run: _Run, title: str, tables: list[Table], figures: dict[str, Any]) -> None:
    """Before the files: if one cannot be written after all, the figures are not lost."""
    if run.json:
        print(json_text.dumps({"command": run.command, "seed": run.plan.seed, **figures}))
    else:
        print(title, *map(as_text, tables), sep="\n\n")
    sys.stdout.flush()
