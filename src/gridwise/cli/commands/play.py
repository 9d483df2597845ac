"""`gridwise play`: a game, full screen where the terminal can, otherwise in the dialogue."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from gridwise.cli import arguments
from gridwise.cli.console import Console, full_screen_possible, run_app, too_small
from gridwise.cli.game_dialogue import PACE_SECONDS, play_rounds
from gridwise.cli.menu import menu
from gridwise.errors import BadRequest
from gridwise.play.series import BOTH_SIDES, Series
from gridwise.play.setup import Setup
from gridwise.players.new_match import set_up

DEAL = (
    "How to deal the board: even, no quick win for either side (the default when a person plays); "
    "fair, nobody is lost at once; uniform, any board."
)
RECORD = "Save the game to this file after each move."
BEST_OF = arguments.whole_option("Play a series: best of 3, 5 or 7 games.")
BOTH_SIDES_HELP = (
    "Play one board twice, once from each side. If both win once, the faster win counts."
)
START = typer.Option(
    "--handicap/--no-handicap",
    help="Even start or standard start, in Number Run and Grid Runner. Full screen against a bot "
    "the even one is usual, unless an option says which board.",
    show_default=False,
)
SECONDS = "How many seconds a bot's move is shown before the game goes on."
DELAY = arguments.finite_option(f"{SECONDS} At a terminal {PACE_SECONDS}.", 0, 60)
OPPONENT = "bot:casual"  # in the app, where somebody alone sits down to play


def play(
    game: arguments.OptionalGameArgument = "",
    p1: Annotated[str, arguments.player_option(1)] = "",
    p2: Annotated[str, arguments.player_option(2)] = "",
    board: arguments.BoardOption = None,
    deal: Annotated[
        str, typer.Option(metavar="KIND", help=DEAL, autocompletion=arguments.complete_deal)
    ] = "",
    size: Annotated[str, typer.Option(metavar="SIZE", help="Rows x columns, like 6x6.")] = "",
    target: arguments.TargetOption = None,
    handicap: Annotated[bool | None, START] = None,
    seed: arguments.SeedOption = None,
    first: Annotated[int | None, arguments.FIRST] = None,
    best_of: Annotated[int, BEST_OF] = 1,
    both_sides: Annotated[bool, typer.Option("--both-sides", help=BOTH_SIDES_HELP)] = False,
    record: Annotated[Path | None, typer.Option(metavar="FILE", help=RECORD)] = None,
    resume: Annotated[Path | None, arguments.RESUME] = None,
    delay: Annotated[float | None, DELAY] = None,
    plain: arguments.PlainOption = False,
    linear: arguments.LinearOption = False,
) -> None:
    """Play what the options ask for."""
    if both_sides and best_of != 1:
        raise BadRequest("Give --both-sides or --best-of, not both: a series is one or the other.")
    if best_of == BOTH_SIDES:
        raise BadRequest("--best-of takes 3, 5 or 7 games, not 2; --both-sides plays two.")
    if board is not None and deal:
        raise BadRequest("Give --board or --deal, not both: a board of your own is not dealt.")
    setup = Setup(
        game=game,
        p1=p1,
        p2=p2,
        board=board,
        deal=deal,
        size=size,
        target=target,
        handicap=bool(handicap),
        seed=seed,
        first=first,
        record=record,
        resume=resume,
        series=Series(BOTH_SIDES if both_sides else best_of),
    )
    nothing_asked = setup == Setup() and handicap is None
    if not (plain or linear) and full_screen_possible():
        if not (p1 or p2 or resume):
            setup = replace(setup, p2=OPPONENT)
        if nothing_asked:
            raise typer.Exit(run_app(delay=delay))
        if handicap is None and game:
            setup = replace(setup, handicap=setup.usually_has_handicap)
        # What cannot be played is told before the screen is taken over. An even board takes a while
        # to find; it is not this one that will be played on.
        set_up(setup if setup.deal or resume else replace(setup, deal="uniform"))
        raise typer.Exit(run_app(setup, delay))
    console = Console(simple=plain, linear=linear)
    if not (plain or linear) and (why := too_small()):
        console.say_wrapped(why)
    if nothing_asked and console.interactive and sys.stdout.isatty():
        raise typer.Exit(menu(console, delay))
    status = play_rounds(setup, console, delay)
    raise typer.Exit(menu(console, delay) if status is None else status)
