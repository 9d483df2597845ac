"""`gridwise grade`: how good a player is, measured against exact play."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from gridwise.arena.executors import Executor, open_executor
from gridwise.arena.grades.comparison import compare as compare_players
from gridwise.arena.grades.exploitability import exploitability
from gridwise.arena.grades.table_files import check_format, check_writable
from gridwise.arena.grading import OPPONENT
from gridwise.arena.grading import grade as graded
from gridwise.arena.suites import PARTS
from gridwise.cli import signals
from gridwise.cli.arguments import (
    PROGRAMS,
    SEED,
    GameArgument,
    JsonOption,
    complete_player,
    number_option,
)
from gridwise.cli.console import wrapped
from gridwise.core.registry import game as game_named
from gridwise.errors import BadRequest, quoted
from gridwise.show.progress import notify_if_slow

PLAYER = typer.Argument(
    metavar="PLAYER", help=f"Who is graded: {PROGRAMS}.", autocompletion=complete_player
)
GAMES = number_option("--games", "How many games; each board is played twice.")
SUITE = typer.Option(metavar="PART", help="Answer a suite instead: train or test.")
AGAINST = typer.Option(
    metavar="WHO", help=f"The opponent: {PROGRAMS}.", autocompletion=complete_player
)
COMPARE = typer.Option(metavar="WHO", help="Grade this player too, on the same boards.")
ROWS = typer.Option(metavar="FILE", help="Write a row a move, to .jsonl or .parquet.")
PLOT = typer.Option(metavar="FILE", help="Draw loss and best moves, to .png, .svg or .pdf.")
HANGING = " " * 11
CHECKPOINT = (
    "Keep every move in this file, and continue from it; with --workers or --cluster, a folder."
)
WORKERS = number_option(
    "--workers", "How many processes play.", "a whole number from 1 up", above=0
)
CLUSTER = typer.Option(metavar="ADDRESS", help="Play on a Dask scheduler, like tcp://host:8786.")
EXPLOIT = "Compute what the best opponent can gain from it, on the board of the seed."


def grade(
    player: Annotated[str, PLAYER],
    game: GameArgument,
    games: Annotated[int, GAMES] = 200,
    suite: Annotated[str, SUITE] = "",
    against: Annotated[str, AGAINST] = OPPONENT,
    seed: Annotated[int, SEED] = 0,
    json: JsonOption = False,
    rows: Annotated[Path | None, ROWS] = None,
    plot: Annotated[Path | None, PLOT] = None,
    checkpoint: Annotated[Path | None, typer.Option(metavar="FILE", help=CHECKPOINT)] = None,
    compare: Annotated[str, COMPARE] = "",
    exploit: Annotated[bool, typer.Option("--exploitability", help=EXPLOIT)] = False,
    workers: Annotated[int | None, WORKERS] = None,
    cluster: Annotated[str, CLUSTER] = "",
) -> None:
    """Print how a player did, or how much better than another."""
    played = game_named(game)
    if suite and suite not in PARTS:
        raise BadRequest(f"--suite takes {' or '.join(PARTS)}, not {quoted(suite)}.")
    if exploit:
        with notify_if_slow():
            found = exploitability(player, played, seed=seed)
        print(found.to_json() if json else found)
        return
    for file in (rows, plot):
        if file:
            check_writable(file)
    if rows:
        check_format(rows)
    if plot:
        from gridwise.arena.grades.plots import check_kind  # noqa: PLC0415 - an extra

        check_kind(plot)
    options: dict[str, Any] = {
        "games": games,
        "seed": seed,
        "opponent": against,
        "suite": suite or None,
        "checkpoint": checkpoint,
    }
    with _told_how_to_continue(checkpoint), _executor(workers, cluster) as executor:
        options["executor"] = executor
        compared = compare_players(player, compare, played, **options) if compare else None
        report = compared.one if compared else graded(player, played, **options)
    # Before the files: if one cannot be written after all, the figures are not lost.
    if compared:
        print(compared.to_json() if json else wrapped(str(compared), HANGING), flush=True)
    else:
        print(report.to_json() if json else wrapped(report.table(), HANGING), flush=True)
    if rows:
        report.write_rows(rows)
    if plot:
        report.plot(plot)


@contextmanager
def _executor(workers: int | None, cluster: str) -> Iterator[Executor | None]:
    """What runs blocks of games; None for this process alone."""
    if workers is None and not cluster:
        yield None
        return
    with open_executor(workers or 1, cluster) as executor:
        yield executor


@contextmanager
def _told_how_to_continue(checkpoint: Path | None) -> Iterator[None]:
    """Say what becomes of the moves if a signal ends the block."""
    try:
        yield
    except BaseException:
        if signals.was_interrupted():
            kept = "Stopped. With --checkpoint FILE the next grading can be continued."
            if checkpoint:
                kept = f"Stopped. The same command goes on from {checkpoint}."
            print(kept, file=sys.stderr)
        raise
