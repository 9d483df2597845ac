"""`python -m research.census`: every board of a size, counted exactly."""

from __future__ import annotations

import json as json_text
import time
from contextlib import closing
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from gridwise.cli import signals
from gridwise.cli.arguments import GameArgument, JsonOption, whole_option
from gridwise.core.game import Game
from gridwise.core.registry import game as game_named
from gridwise.errors import BadRequest, quoted
from gridwise.lab.run import open_executor
from gridwise.lab.store import JSON, ResultStore
from gridwise.play.boards import read_size
from gridwise.play.records import write_file
from gridwise.show.progress import COMPILING, Progress, notify_if_slow
from research.census import Census, census_tasks, take_census
from research.command import run_command

SIZE = typer.Option(
    metavar="RxC", help="Rows and columns, like 3x3; the standard size if left out."
)
WORKERS = whole_option("How many processes to count with.", 1)
CLUSTER = typer.Option(
    metavar="ADDRESS", help="Count on this Dask cluster, such as tcp://127.0.0.1:8786."
)
OUT = typer.Option(
    metavar="DIR", help="Keep the results here; the same command goes on where it was stopped."
)
PLOT = typer.Option(metavar="FILE", help="Draw the counts: .svg, .png, .pdf.")
SIDES = {"p1": "Player 1 wins", "p2": "Player 2 wins", "endless": "Endless"}


def census(
    game: GameArgument,
    size: Annotated[str, SIZE] = "",
    workers: Annotated[int, WORKERS] = 1,
    cluster: Annotated[str, CLUSTER] = "",
    out: Annotated[Path | None, OUT] = None,
    plot: Annotated[Path | None, PLOT] = None,
    json: JsonOption = False,
) -> None:
    """Count all boards of a size by their result and how long it takes."""
    played = game_named(game)
    rows, cols = read_size(size) if size else (played.rows, played.cols)
    tasks = census_tasks(played, rows, cols)  # refuses what cannot be counted
    if plot:
        from gridwise.lab.report.charts import check_kind  # noqa: PLC0415 - 0.3 s: matplotlib

        check_kind(plot)  # before the work, not after
        if not plot.absolute().parent.is_dir():
            raise BadRequest(f"There is no folder for the plot {quoted(str(plot), 200)}.")
    began = time.monotonic()
    about: dict[str, JSON] = {
        "run": "census",
        "game": played.key,
        "size": f"{rows}x{cols}",
        "parts": len(tasks),
        "split": tasks[0].arguments["split"],
    }
    with closing(ResultStore.in_folder(out, about)) as results:
        counted = _count(played, rows, cols, workers, cluster, results, len(tasks))
        if out:
            write_file(
                out / "census.json", f"{json_text.dumps(counted.as_json(), indent=1)}\n".encode()
            )
    seconds = time.monotonic() - began
    # Before the picture: if it cannot be written after all, the figures are not lost.
    if json:
        print(json_text.dumps(counted.as_json()), flush=True)
    else:
        _print(played, counted)
        print(
            f"\nLooked at {counted.nodes:,} partial boards in {seconds:,.1f} seconds.", flush=True
        )
    if plot:
        from research.census.plot import plot_census  # noqa: PLC0415 - as above

        plot_census(counted, plot)


def _count(
    game: Game,
    rows: int,
    cols: int,
    workers: int,
    cluster: str,
    results: ResultStore,
    parts: int,
) -> Census:
    total = (game.rules.HIGH - game.rules.LOW + 1) ** (rows * cols)
    size = f"{game.title} {rows}x{cols}"
    # A count of one part takes a second: less than starting a process for it.
    if parts == 1 and not cluster and results.folder is None:
        with notify_if_slow(COMPILING):
            return take_census(game, rows, cols)
    with (
        signals.resume_hint(results.folder),
        closing(Progress(f"Counting {size}", total, "boards")) as progress,
        open_executor(workers, cluster) as executor,
    ):
        return take_census(game, rows, cols, executor, results, progress)


def _print(game: Game, census: Census) -> None:
    """The table for people."""
    totals = {"p1": census.p1.total(), "p2": census.p2.total(), "endless": census.endless}
    width = len(f"{census.boards:,}")
    print(f"{game.title}, all {census.boards:,} boards of {census.rows}x{census.cols}\n")
    for side, boards in totals.items():
        print(f"{SIDES[side]:15}{boards:>{width},} {boards / census.boards:8.3%}")
    print(f"\nplies  {SIDES['p1']:>{max(width, 13)}}  {SIDES['p2']:>{max(width, 13)}}")
    for plies in sorted(census.p1 | census.p2):
        columns = (
            f"{counts[plies]:,}" if counts[plies] else "" for counts in (census.p1, census.p2)
        )
        print(f"{plies:5}  {'  '.join(f'{each:>{max(width, 13)}}' for each in columns)}".rstrip())


def main() -> NoReturn:
    """Run the command."""
    run_command(census)


if __name__ == "__main__":
    main()
