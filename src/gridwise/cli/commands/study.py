"""`gridwise study`: a report on a game or a variant of it: who wins, how long, how hard."""

from __future__ import annotations

import shlex
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Annotated, Any

import typer

from gridwise.cli import signals
from gridwise.cli.arguments import (
    CLUSTER,
    OUT,
    SEED,
    WORKERS,
    BoardOption,
    GameArgument,
    JsonOption,
    TargetOption,
    whole_option,
)
from gridwise.cli.console import print_json
from gridwise.core.registry import game as game_named
from gridwise.engine.compiled.threads import processors
from gridwise.errors import BadRequest
from gridwise.lab.run import open_executor
from gridwise.lab.store import JSON, ResultStore
from gridwise.lab.study.blocks import BOARDS, GAMES, PAIRS, Plan, levels_of
from gridwise.lab.study.variant import Variant, changed, checked, with_board
from gridwise.show.progress import Progress

BOARDS_OPTION = whole_option("How many boards are solved.", 1)
PAIRS_OPTION = whole_option("How many boards any two levels of bots play on.", 2)
GAMES_OPTION = whole_option("How many games positions are taken from.", 2)
SIZE = typer.Option(metavar="RxC", help="Boards of another size, like 5x5.")
VALUES = typer.Option(metavar="LOW-HIGH", help="Deal only these numbers, like 1-6.")
HANDICAP = whole_option("A head start for Player 2, in points if the game has them.", 0)
OBSTACLES = whole_option("How many obstacles are put on each board, at random.", 0)
LEVELS = typer.Option(metavar="A,B,…", help="The levels of bots that play.")
COMPARE = typer.Option(
    metavar="CHANGES", help="Study this variant too, like target=13 or size=5x5,values=1-6."
)
EVEN = "Search for a target, a head start or numbers that make the game even."


def study(
    game: GameArgument,
    boards: Annotated[int | None, BOARDS_OPTION] = None,
    pairs: Annotated[int, PAIRS_OPTION] = PAIRS,
    games: Annotated[int, GAMES_OPTION] = GAMES,
    levels: Annotated[str, LEVELS] = "",
    size: Annotated[str, SIZE] = "",
    target: TargetOption = None,
    values: Annotated[str, VALUES] = "",
    handicap: Annotated[int, HANDICAP] = 0,
    obstacles: Annotated[int | None, OBSTACLES] = None,
    board: BoardOption = None,
    compare: Annotated[list[str] | None, COMPARE] = None,
    even: Annotated[bool, typer.Option("--even", help=EVEN)] = False,
    openings: Annotated[bool, typer.Option("--openings", hidden=True)] = False,
    seed: Annotated[int, SEED] = 0,
    workers: Annotated[int | None, WORKERS] = None,
    cluster: Annotated[str, CLUSTER] = "",
    out: Annotated[Path | None, OUT] = None,
    json: JsonOption = False,
) -> None:
    """Print figures about a game, and write a report."""
    from gridwise.lab.study import even_variants, report  # noqa: PLC0415 - 0.2 s, after bad usage
    from gridwise.lab.study.totals import run_study  # noqa: PLC0415 - as above

    changes = {
        "size": size,
        "target": target,
        "values": values,
        "handicap": handicap or None,
        "obstacles": obstacles,
    }
    variant = _variant(game, changes, board)
    variants = [variant, *(changed(variant, each) for each in compare or ())]
    if openings:
        raise BadRequest(
            "The opening book is research, in a checkout: python -m research.openings "
            f"{variant.game}"
        )
    if even and compare:
        raise BadRequest("Give one of --compare and --even, not both.")
    if out:
        report.check_extras()
    plan = Plan(boards or BOARDS, pairs, games, levels_of(variant, levels), seed)
    options = {
        "boards": boards,
        "pairs": pairs if pairs != PAIRS else None,
        "games": games if games != GAMES else None,
        "levels": levels,
        **changes,
        "board": board,
        "seed": seed or None,
    }
    command = _command(variant, options, compare or [], even=even)
    title = variant.played.title
    about: dict[str, JSON] = {"run": "study", "game": variant.game, "seed": seed}
    with (
        signals.resume_hint(out),
        ResultStore.in_folder(out, about) as results,
        open_executor(workers or processors(), cluster) as executor,
    ):
        with ExitStack() as lines:

            def progress_of(total: int) -> Progress:
                what = f"Looking for an even {title}" if even else f"Studying {title}"
                return lines.enter_context(closing(Progress(what, total)))

            if even:
                nearest = even_variants.find_even(variant, plan, executor, results, progress_of)
                figures = {"candidates": [each.to_json() for each in nearest]}
                head, table = f"{title}: what would make it even", even_variants.even_table(nearest)
            else:
                studied = run_study(variants, plan, executor, results, progress_of)
                figures = {"variants": [each.to_json() for each in studied]}
                head, table = f"{title}, 95 % intervals", report.glance(studied)
        # Before the files: if one cannot be written after all, the figures are not lost.
        if json:
            print_json({"command": command, "seed": seed, **figures})
        else:
            print(head, table.text(), sep="\n\n", flush=True)
        if out and even:
            even_variants.write_even(out, variant, nearest, plan, command, results)
        elif out:
            report.write_report(out, studied, plan, command, results)
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


def _command(variant: Variant, options: dict[str, Any], compare: list[str], *, even: bool) -> str:
    """The command line that makes the same report, wherever it runs."""
    words = ["gridwise", "study", variant.game]
    for name, value in options.items():
        if value not in (None, ""):
            words += [f"--{name}", str(value)]
    for each in compare:
        words += ["--compare", each]
    return shlex.join([*words, *(["--even"] * even)])
