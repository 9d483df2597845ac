"""`gridwise play`: rounds of a game, until the people have had enough; nothing played is lost."""

from __future__ import annotations

import sys
from dataclasses import replace

from gridwise.cli.console import Console
from gridwise.cli.dialogue import Dialogue, Left
from gridwise.cli.leaving import INTERRUPTED, READER_GONE, forget_output, undisturbed
from gridwise.cli.options import Ready, Setup, set_up
from gridwise.cli.saving import set_aside
from gridwise.cli.seats import seated
from gridwise.errors import GridwiseError
from gridwise.play.records import write_record


def run_play(setup: Setup, *, plain: bool = False, linear: bool = False) -> int:
    """Play, and again if wanted; the exit status."""
    console = Console(simple=plain, linear=linear)
    if setup.resume and not setup.record:
        setup = replace(setup, record=setup.resume)
    again = True
    while again:
        status, again, setup = _play_round(setup, console)
    return status


def _play_round(setup: Setup, console: Console) -> tuple[int, bool, Setup]:
    ready = set_up(setup)
    with seated(ready.seats):
        status, again = _play_match(setup, console, ready)
    return status, again, setup.next_round(ready.match.game, ready.players)


def _play_match(setup: Setup, console: Console, ready: Ready) -> tuple[int, bool]:
    dialogue = Dialogue(
        ready.match,
        ready.seats,
        console,
        record=setup.record,
        players=ready.players,
        tags=ready.tags,
    )
    if setup.record:
        if setup.record != setup.resume and (note := set_aside(setup.record)):
            console.say(note)
        # Found out now, not after the first move: a place that cannot be written to.
        write_record(dialogue.record(), setup.record)
    _greet(dialogue, handicap=setup.handicap or bool(ready.match.board.handicap))
    if setup.round > 1:
        console.tell("Sides are swapped: whoever was Player 1 is now Player 2.", "")
    return _play_to_the_end(dialogue)


def _play_to_the_end(dialogue: Dialogue) -> tuple[int, bool]:
    """The exit status, and whether the people want another game."""
    try:
        return _play_until_left(dialogue)
    except KeyboardInterrupt:
        _say_goodbye(dialogue, "")
        return INTERRUPTED, False


def _play_until_left(dialogue: Dialogue) -> tuple[int, bool]:
    try:
        return 0, dialogue.play()
    except (Left, EOFError):
        _say_goodbye(dialogue, "" if dialogue.console.interactive else None)
        return 0, False
    except GridwiseError:  # a program that was to play does not
        _say_goodbye(dialogue, "")
        raise
    except OSError as error:
        # Our output goes nowhere: its reader has left, the terminal is closed, the disk is full.
        forget_output()
        for line in _saved(dialogue):
            print(line, file=sys.stderr)
        return (READER_GONE if isinstance(error, BrokenPipeError) else 2), False


def _say_goodbye(dialogue: Dialogue, first: str | None) -> None:
    lines = _saved(dialogue)  # before anything is printed, which may fail
    dialogue.console.say(*([] if first is None else [first]), *lines)


def _saved(dialogue: Dialogue) -> list[str]:
    """Keep the game. A closed terminal ends the input and sends a signal at about the same time."""
    with undisturbed():
        return dialogue.farewell()


def _greet(dialogue: Dialogue, *, handicap: bool) -> None:
    game = dialogue.match.game
    dialogue.console.tell(f"{game.title}: {game.words.SUMMARY}")
    if dialogue.with_people:
        dialogue.console.tell("Type help at any prompt for what else you can do.")
    if dialogue.seats.count(None) == 1:
        you = dialogue.seats.index(None) + 1
        rival = dialogue.players[2 - you]
        dialogue.console.tell(f"You are Player {you}; Player {3 - you} is {rival}.")
    if handicap and game.handicap:
        dialogue.console.tell(game.handicap.about(dialogue.match.board))
    if game.coin_toss and not dialogue.match.moves:
        dialogue.console.say(f"Player {dialogue.match.first} begins.")
    dialogue.console.say("")
