"""`gridwise arena`: matches and tournaments between players of every kind, SPRT and ratings."""

from __future__ import annotations

import json as json_text
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from gridwise.arena.executors import ResultFolder, open_executor, recorded_seed
from gridwise.arena.grades.table_files import check_writable
from gridwise.arena.seats import player_name
from gridwise.arena.tournament.page import page
from gridwise.arena.tournament.run import (
    Tournament,
    check_players,
    new_tournament,
    run,
    tournament_json,
)
from gridwise.arena.tournament.schedule import Schedule, check_levels, tournament_game
from gridwise.arena.tournament.sprt import MODELS, Sprt
from gridwise.arena.tournament.table import live_table, table
from gridwise.arena.tournament.time_limits import time_limits
from gridwise.cli import signals
from gridwise.cli.arguments import (
    PROGRAMS,
    BoardOption,
    HandicapOption,
    JsonOption,
    TargetOption,
    complete_game,
    complete_player,
    number_option,
)
from gridwise.core.registry import game as game_named
from gridwise.core.rng import draw_seed
from gridwise.engine.ugi import reaper
from gridwise.errors import BadRequest, printable, quoted
from gridwise.play.records import write_file
from gridwise.show.progress import Progress, notify_if_slow

PLAYERS = typer.Argument(
    metavar="PLAYER...", help=f"Two or more players: {PROGRAMS}.", autocompletion=complete_player
)
GAMES = typer.Option(
    "--game", metavar="GAME", help="The game; several with --game more than once.",
    autocompletion=complete_game,
)  # fmt: skip
PAIRS = number_option(
    "--pairs",
    "Boards for each pairing and game, each played twice: 100, or 20,000 at most with --sprt.",
    "a whole number from 1 up",
    above=0,
)
NAMES = typer.Option(metavar="A,B,...", help="What to call the players in the tables.")
SPRT = typer.Option(
    metavar="ELO0 ELO1", help="Stop when the pairs decide between these two differences."
)
MODEL = typer.Option(metavar="MODEL", help=f"What Elo --sprt means: {' or '.join(MODELS)}.")
ALPHA = number_option("--alpha", "How often --sprt may accept ELO1 wrongly.", "a share", float)
BETA = number_option("--beta", "How often --sprt may accept ELO0 wrongly.", "a share", float)
GAUNTLET = typer.Option(
    help="The first player against all others, not everybody against everybody."
)
MOVETIME = number_option(
    "--movetime", "Milliseconds a move for programs.", "a whole number from 1 up", above=0
)
TIME = typer.Option(
    "--time", metavar="S+S", help="Seconds a game and a move for programs, like 10+0.1."
)
MARGIN = number_option("--margin", "Milliseconds that a program's move may be late.", above=-1)
ADJUDICATE = number_option(
    "--adjudicate", "Stop games whose exact result is at most this many plies away.", above=-1
)
SEED = number_option(
    "--seed",
    "The same number gives the same boards and bots; without it one is drawn and recorded.",
)
SIZE = typer.Option(metavar="RxC", help="Deal boards of another size.")
WORKERS = number_option(
    "--workers", "How many games at the same time.", "a whole number from 1 up", above=0
)
CLUSTER = typer.Option(metavar="ADDRESS", help="Play on the Dask scheduler at this address.")
OUT = typer.Option(metavar="DIR", help="Keep results and records here, and continue from them.")
HTML = typer.Option(metavar="FILE", help="Write the result as a page.")
PLOT = typer.Option(metavar="FILE", help="Draw the result, to .png, .svg or .pdf.")

USUAL_PAIRS, SPRT_PAIRS = 100, 20_000


def arena(
    players: Annotated[list[str], PLAYERS],
    game: Annotated[list[str] | None, GAMES] = None,
    pairs: Annotated[int | None, PAIRS] = None,
    seed: Annotated[int | None, SEED] = None,
    gauntlet: Annotated[bool, GAUNTLET] = False,
    sprt: Annotated[tuple[str, str] | None, SPRT] = None,
    sprt_model: Annotated[str, MODEL] = MODELS[0],
    alpha: Annotated[float, ALPHA] = 0.05,
    beta: Annotated[float, BETA] = 0.05,
    movetime: Annotated[int | None, MOVETIME] = None,
    time_control: Annotated[str, TIME] = "",
    margin: Annotated[int | None, MARGIN] = None,
    adjudicate: Annotated[int, ADJUDICATE] = 0,
    board: BoardOption = None,
    size: Annotated[str, SIZE] = "",
    target: TargetOption = None,
    handicap: HandicapOption = False,
    names: Annotated[str, NAMES] = "",
    workers: Annotated[int, WORKERS] = 1,
    cluster: Annotated[str, CLUSTER] = "",
    out: Annotated[Path | None, OUT] = None,
    json: JsonOption = False,
    html: Annotated[Path | None, HTML] = None,
    plot: Annotated[Path | None, PLOT] = None,
) -> None:
    """Play the matches and print what they show."""
    if not game:
        raise BadRequest("Which game? Name one, such as --game number-connect.")
    who = [player_name(each) for each in players]
    check_levels(who)
    boards = [
        tournament_game(game_named(key), board, size or None, target, handicap=handicap)
        for key in dict.fromkeys(game_named(each).key for each in game)
    ]
    test = Sprt(*_elo_bounds(*sprt), sprt_model, alpha, beta) if sprt else None
    if pairs is None:
        pairs = SPRT_PAIRS if test else USUAL_PAIRS
    limits = time_limits(movetime, time_control, margin)
    if seed is None:
        seed = recorded_seed(out)
    if seed is None:
        seed = draw_seed()
    schedule = Schedule(who, boards, pairs, seed, gauntlet, limits, adjudicate)
    tournament = new_tournament(schedule, labels(who, names), test)
    for file in (html, plot):
        if file:
            check_writable(file)
    if plot:
        from gridwise.arena.grades.plots import check_kind  # noqa: PLC0415 - an extra

        check_kind(plot)

    def stopped() -> str:
        return f"Stopped after {tournament.standings.pairs} of {tournament.total} pairs."

    with signals.resume_hint(out, stopped), ExitStack() as stack:
        stack.callback(reaper.stop)
        results = stack.enter_context(ResultFolder(out, schedule.about()))
        with notify_if_slow():
            check_players(schedule)
        executor = stack.enter_context(open_executor(workers, cluster))
        watch = stack.enter_context(_watched(tournament, live=not json))
        run(tournament, executor, results, watch)
    _report(tournament, json=json, html=html, plot=plot)


def _elo_bounds(*given: str) -> tuple[float, float]:
    try:
        elo0, elo1 = (float(each) for each in given)
    except ValueError:
        raise BadRequest(
            f"--sprt takes two numbers, like 0 5, not {quoted(' '.join(given))}."
        ) from None
    return elo0, elo1


def labels(players: list[str], names: str) -> list[str]:
    """What the players are called: each by another name, fit for a terminal."""
    given = [each.strip() for each in names.split(",")] if names else players
    if len(given) != len(players) or not all(given):
        raise BadRequest(
            f"--names takes {len(players)} names with commas between, not {quoted(names)}."
        )
    shown: list[str] = []
    for each in given:
        name = printable(" ".join(each.split()), 100)
        again = sum(other.partition(" #")[0] == name for other in shown)
        shown.append(f"{name} #{again + 1}" if again else name)
    return shown


def _report(tournament: Tournament, *, json: bool, html: Path | None, plot: Path | None) -> None:
    # Before the files: if one cannot be written after all, the figures are not lost.
    print(json_text.dumps(tournament_json(tournament)) if json else table(tournament), flush=True)
    if html:
        write_file(html, page(tournament).encode())
    if plot:
        from gridwise.arena.tournament.plots import plot_tournament  # noqa: PLC0415 - an extra

        plot_tournament(tournament, plot)


@contextmanager
def _watched(tournament: Tournament, *, live: bool) -> Iterator[Any]:
    """What to call when there are new figures: a live table in a terminal, or a line."""
    if live and sys.stdout.isatty():
        from rich.console import Console  # noqa: PLC0415 - only for a terminal
        from rich.live import Live  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415

        shown = -1.0

        def show(now: Tournament) -> None:
            nonlocal shown
            if time.monotonic() - shown > 0.2:
                shown = time.monotonic()
                view.update(Text(live_table(now), no_wrap=True, overflow="ellipsis"), refresh=True)

        with Live(console=Console(), auto_refresh=False, transient=True) as view:
            show(tournament)  # the first figures may take a while
            yield show
        return
    line = Progress("Pairs", tournament.total)
    try:
        yield lambda now: line(now.standings.pairs)
    finally:
        line.close()
