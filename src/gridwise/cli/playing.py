"""`gridwise play`: rounds of a game, until the people have had enough; nothing played is lost."""

from __future__ import annotations

import os
import sys
from dataclasses import replace

from gridwise.cli.console import Console
from gridwise.cli.dialogue import Dialogue, Left
from gridwise.cli.options import Setup, set_up
from gridwise.cli.saving import set_aside
from gridwise.cli.seats import seated
from gridwise.core.player import Player
from gridwise.errors import GridwiseError
from gridwise.play.match import Match
from gridwise.play.records import record_of, write_record


def run_play(setup: Setup, *, plain: bool = False, linear: bool = False) -> int:
    """Play, and again if wanted; the exit status."""
    console = Console(simple=plain, linear=linear)
    if setup.resume and not setup.record:
        setup = replace(setup, record=setup.resume)
    again = True
    while again:
        status, again = _play_round(setup, console)
        setup = setup.next_round()
    return status


def _play_round(setup: Setup, console: Console) -> tuple[int, bool]:
    match, seats = set_up(setup)
    with seated(seats):
        return _play_match(setup, console, match, seats)


def _play_match(
    setup: Setup, console: Console, match: Match, seats: tuple[Player | None, Player | None]
) -> tuple[int, bool]:
    if setup.record:
        if setup.record != setup.resume and (note := set_aside(setup.record)):
            console.say(note)
        # Found out now, not after the first move: a place that cannot be written to.
        write_record(record_of(match, setup.players), setup.record)
    dialogue = Dialogue(match, seats, console, record=setup.record, players=setup.players)
    _greet(dialogue, handicap=setup.handicap)
    if setup.round > 1:
        console.tell("Sides are swapped: whoever was Player 1 is now Player 2.", "")
    try:
        return 0, dialogue.play()
    except (Left, EOFError):
        if console.interactive:
            console.say("")
        console.say(*dialogue.farewell())
        return 0, False
    except KeyboardInterrupt:
        console.say("", *dialogue.farewell())
        return 130, False
    except GridwiseError:  # a program that was to play does not
        console.say("", *dialogue.farewell())
        raise
    except BrokenPipeError:
        # Nobody reads our output any more: what there is to say goes to the other stream.
        for line in dialogue.farewell():
            print(line, file=sys.stderr)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        return 141, False


def _greet(dialogue: Dialogue, *, handicap: bool) -> None:
    game = dialogue.match.game
    dialogue.console.tell(f"{game.title}: {game.words.SUMMARY}")
    if dialogue.with_people:
        dialogue.console.tell("Type help at any prompt for what else you can do.")
    if handicap and game.handicap:
        dialogue.console.tell(game.handicap.ABOUT)
    if game.coin_toss and not dialogue.match.moves:
        dialogue.console.say(f"Player {dialogue.match.first} begins.")
    dialogue.console.say("")
