"""`gridwise play`: rounds of a game, until the people have had enough; nothing played is lost."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from gridwise.cli import arguments
from gridwise.cli.autosave import back_up
from gridwise.cli.console import Console
from gridwise.cli.dialogue import Dialogue, Left
from gridwise.cli.seats import programs_running
from gridwise.cli.setup import MatchSetup, Round, set_up
from gridwise.cli.signals import INTERRUPTED, READER_GONE, forget_output
from gridwise.engine.bots import LEVELS
from gridwise.errors import GridwiseError
from gridwise.play.records import write_record

WHO = f"human, bot:LEVEL ({', '.join(LEVELS)}) or ugi:COMMAND."
DEAL = "How to deal the board: fair (the default when a person plays) or uniform."
RECORD = "Save the game to this file after each move."
RESUME = "Continue the game in this file."


def play(
    game: arguments.OptionalGameArgument = "",
    p1: Annotated[str, typer.Option(metavar="WHO", help=f"Player 1: {WHO}")] = "",
    p2: Annotated[str, typer.Option(metavar="WHO", help=f"Player 2: {WHO}")] = "",
    board: arguments.BoardOption = "",
    deal: Annotated[str, typer.Option(metavar="KIND", help=DEAL)] = "",
    size: Annotated[str, typer.Option(metavar="SIZE", help="Rows x columns, like 6x6.")] = "",
    target: arguments.TargetOption = None,
    handicap: arguments.HandicapOption = False,
    seed: arguments.SeedOption = None,
    first: Annotated[int | None, arguments.FIRST] = None,
    record: Annotated[Path | None, typer.Option(metavar="FILE", help=RECORD)] = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help=RESUME)] = None,
    plain: arguments.PlainOption = False,
    linear: arguments.LinearOption = False,
) -> None:
    """Play what the options ask for."""
    setup = MatchSetup(
        game=game,
        p1=p1,
        p2=p2,
        board=board,
        deal=deal,
        size=size,
        target=target,
        handicap=handicap,
        seed=seed,
        first=first,
        record=record,
        resume=resume,
    )
    raise typer.Exit(play_rounds(setup, Console(simple=plain, linear=linear)))


def play_rounds(setup: MatchSetup, console: Console) -> int:
    """Play, and again if the people want to; the exit status."""
    if setup.resume and not setup.record:
        setup = replace(setup, record=setup.resume)
    again = True
    while again:
        this = set_up(setup)
        with programs_running(this.seats):
            status, again = _play_round(setup, console, this)
        setup = setup.next_round(this.match.game, this.players)
    return status


def _play_round(setup: MatchSetup, console: Console, this: Round) -> tuple[int, bool]:
    dialogue = Dialogue(this, console, setup.record)
    if setup.record:
        if setup.record != setup.resume and (note := back_up(setup.record)):
            console.say(note)
        # A place that cannot be written to is found out now, not after the first move.
        write_record(dialogue.record(), setup.record)
    _greet(dialogue, handicap=setup.handicap or bool(this.match.board.handicap))
    if setup.round > 1:
        console.say_wrapped("Sides are swapped: whoever was Player 1 is now Player 2.", "")
    return _play_to_the_end(dialogue)


def _play_to_the_end(dialogue: Dialogue) -> tuple[int, bool]:
    """The exit status, and whether the people want another game."""
    try:
        return _play_until_left(dialogue)
    except KeyboardInterrupt:
        dialogue.console.say("", *dialogue.save_on_leaving())
        return INTERRUPTED, False


def _play_until_left(dialogue: Dialogue) -> tuple[int, bool]:
    try:
        return 0, dialogue.play()
    except (Left, EOFError):
        # Here as everywhere it is saved before anything is printed, which may fail.
        blank = [""] if dialogue.console.interactive else []
        dialogue.console.say(*blank, *dialogue.save_on_leaving())
        return 0, False
    except GridwiseError:  # a program that was to play does not
        dialogue.console.say("", *dialogue.save_on_leaving())
        raise
    except OSError as error:
        # Our output goes nowhere: its reader has left, the terminal is closed, the disk is full.
        forget_output()
        for line in dialogue.save_on_leaving():
            print(line, file=sys.stderr)
        return (READER_GONE if isinstance(error, BrokenPipeError) else 2), False


def _greet(dialogue: Dialogue, *, handicap: bool) -> None:
    game, console = dialogue.match.game, dialogue.console
    console.say_wrapped(f"{game.title}: {game.text.SUMMARY}")
    if None in dialogue.seats:
        console.say_wrapped("Type help at any prompt to see what else you can do.")
    if dialogue.seats.count(None) == 1:
        you = dialogue.seats.index(None) + 1
        kind, _, level = (opponent := dialogue.players[2 - you]).partition(":")
        opponent = f"the {level} bot" if kind == "bot" else opponent
        console.say_wrapped(f"You are Player {you}. Player {3 - you} is {opponent}.")
    if handicap and game.handicap:
        console.say_wrapped(game.handicap.about(dialogue.match.board))
    if game.coin_toss and not dialogue.match.moves:
        console.say(f"Player {dialogue.match.first} goes first.")
    console.say("")
