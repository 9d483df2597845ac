"""`python -m research.openings`: what each kind of first claim is worth."""

from __future__ import annotations

import shlex
from contextlib import closing
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from gridwise.cli import signals
from gridwise.cli.arguments import SEED, GameArgument, JsonOption, TargetOption, whole_option
from gridwise.cli.console import print_json
from gridwise.core.registry import game as game_named
from gridwise.engine.compiled.threads import processors
from gridwise.lab.run import open_executor
from gridwise.lab.store import JSON, ResultStore
from gridwise.lab.study.report import check_extras
from gridwise.lab.study.variant import Variant, changed
from gridwise.show.progress import Progress
from research.command import run_command
from research.openings.book import DEALS, opening_book, opening_tasks
from research.openings.report import opening_tables, write_book

BOARDS = whole_option("How many boards are dealt.", 1)
SIZE = typer.Option(metavar="RxC", help="Boards of another size, like 4x4.")
WORKERS = whole_option("How many processes; all processors unless given.", 1)
CLUSTER = typer.Option(metavar="ADDRESS", help="Search on a Dask scheduler, like tcp://host:8786.")
OUT = typer.Option(
    metavar="DIR", help="Write the report here; a run that was stopped goes on from here."
)


def openings(
    game: GameArgument,
    boards: Annotated[int, BOARDS] = DEALS,
    size: Annotated[str, SIZE] = "",
    target: TargetOption = None,
    seed: Annotated[int, SEED] = 0,
    workers: Annotated[int | None, WORKERS] = None,
    cluster: Annotated[str, CLUSTER] = "",
    out: Annotated[Path | None, OUT] = None,
    json: JsonOption = False,
) -> None:
    """Search the first claims of a game with face-down cells (Grid Conquest)."""
    variant = Variant.standard(game_named(game))
    words = ["python", "-m", "research.openings", variant.game, "--boards", str(boards)]
    for name, value in (("size", size), ("target", target)):
        if value:
            variant = changed(variant, f"{name}={value}")
            words += [f"--{name}", str(value)]
    command = shlex.join([*words, *(["--seed", str(seed)] if seed else [])])
    tasks = opening_tasks(variant, seed, boards)  # refuses what has no book
    if out:
        check_extras()
    about: dict[str, JSON] = {"run": "openings", "game": variant.game, "seed": seed}
    title = variant.played.title
    with (
        signals.resume_hint(out),
        ResultStore.in_folder(out, about) as results,
        open_executor(workers or processors(), cluster) as executor,
        closing(Progress(f"Searching openings of {title}", len(tasks))) as progress,
    ):
        book = opening_book(variant, seed, boards, executor, results, progress)
        # Before the files: if one cannot be written after all, the figures are not lost.
        if json:
            print_json({"command": command, "seed": seed, **book.to_json()})
        else:
            tables = [table.text() for table in opening_tables(book)]
            print(f"{title}: first claims", *tables, sep="\n\n", flush=True)
        if out:
            write_book(out, variant, book, seed, command, results)
    if out and not json:
        print(f"\nThe report: {out / 'report.html'}")


def main() -> NoReturn:
    """Run the command."""
    run_command(openings)


if __name__ == "__main__":
    main()
