"""`gridwise replay`: a recorded game, position by position."""

from __future__ import annotations

from gridwise.cli.arguments import FileArgument, LinearOption, PlainOption
from gridwise.cli.commands.show import heading, recorded_positions, standing
from gridwise.cli.console import Console
from gridwise.errors import quoted
from gridwise.play.records import read_record


def replay(file: FileArgument, plain: PlainOption = False, linear: LinearOption = False) -> None:
    """Show every position; at a terminal, one at a time and back again."""
    record = read_record(file)
    positions = recorded_positions(record)
    last = len(positions) - 1
    console = Console(simple=plain, linear=linear)
    console.say(*heading(record))
    at = 0
    while at <= last:
        mover = positions[at - 1].turn
        move = f"Move {at}, Player {mover}: {record.moves[at - 1]}" if at else "Start of the game."
        console.say("", move)
        console.show(positions[at].view)
        if at == last:
            console.say("", standing(record, positions[at]))
        at = _next(console, at, last) if console.interactive else at + 1


def _next(console: Console, at: int, last: int) -> int:
    """Ask where to go: forward, back, to a number, or out."""
    forward = "" if at == last else "Enter: next, "
    try:
        text = console.ask(f"({forward}b: back, a number: that move, q: quit) ").strip().casefold()
    except EOFError:
        console.say("")
        text = "q"
    places = {"": min(last, at + 1), "b": max(0, at - 1), "q": last + 1}
    if text in places:
        return places[text]
    if text.isdecimal() and int(text) <= last:
        return int(text)
    console.say(f"There is no position {quoted(text)}. They are numbered from 0 to {last}.")
    return at
