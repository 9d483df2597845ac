"""Rounds of a game in the dialogue, until the people have had enough; nothing played is lost."""

from __future__ import annotations

import sys
from typing import NamedTuple

from gridwise.arena.seats import programs_running
from gridwise.arena.setup import MatchSetup, set_up
from gridwise.cli.console import Console
from gridwise.cli.dialogue import Dialogue
from gridwise.cli.prompt_commands import Left
from gridwise.cli.signals import INTERRUPTED, READER_GONE, forget_output
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.errors import GridwiseError
from gridwise.play.series import DRAWS_COUNT, Series
from gridwise.show.progress import notify_if_slow

DEALING = "(Looking for an even board.)"
PACE = 0.8  # seconds that a program's move is shown at a terminal before the game goes on


class Leaving(NamedTuple):
    """How a game was left."""

    status: int  # the exit status, if this is the end
    for_menu: bool = False


def play_rounds(setup: MatchSetup, console: Console, delay: float | None = None) -> Leaving:
    """Play, and again if the people want to."""
    if delay is None:
        delay = PACE if console.interactive and sys.stdout.isatty() else 0.0
    left = None
    while left is None:
        with notify_if_slow(DEALING):
            session = set_up(setup)
        dialogue = Dialogue(session, console, delay)
        with programs_running(session.seats):
            left = _play_round(setup, dialogue)
        setup = setup.next_game(session)
    return left


def _play_round(setup: MatchSetup, dialogue: Dialogue) -> Leaving | None:
    """Play a game to its end; None if the people want another one."""
    if setup.record:
        # A place that cannot be written to is found out now, not after the first move.
        dialogue.session.store()
        if note := dialogue.session.note:
            dialogue.console.say(note)
    _greet(setup, dialogue)
    try:
        return _play_until_left(dialogue)
    except KeyboardInterrupt:
        dialogue.console.say("", *dialogue.save_on_leaving())
        return Leaving(INTERRUPTED)


def _play_until_left(dialogue: Dialogue) -> Leaving | None:
    try:
        dialogue.play()
    except (Left, EOFError) as left:
        # Here as everywhere it is saved before anything is printed, which may fail.
        blank = [""] if dialogue.console.interactive else []
        dialogue.console.say(*blank, *dialogue.save_on_leaving())
        return Leaving(0, for_menu=isinstance(left, Left) and left.for_menu)
    except GridwiseError:  # a program that was to play does not
        dialogue.console.say("", *dialogue.save_on_leaving())
        raise
    except OSError as error:
        # Our output goes nowhere: its reader has left, the terminal is closed, the disk is full.
        forget_output()
        for line in dialogue.save_on_leaving():
            print(line, file=sys.stderr)
        return Leaving(READER_GONE if isinstance(error, BrokenPipeError) else 2)
    return None


# What is said before the first move


def _greet(setup: MatchSetup, dialogue: Dialogue) -> None:
    session, console = dialogue.session, dialogue.console
    match = session.match
    game, board = match.game, match.board
    console.say_wrapped(f"{game.title}: {game.text.SUMMARY}", *_differences(setup, game, board))
    if None in session.seats:
        console.say_wrapped("Type help at any prompt to see what else you can do.")
    if session.notice:
        console.say_wrapped(session.notice)
    if you := session.person:
        kind, _, level = (opponent := session.players[2 - you]).partition(":")
        opponent = f"the {level} bot" if kind == "bot" else opponent
        console.say_wrapped(f"You are Player {you}. Player {3 - you} is {opponent}.")
    if setup.round > 1:
        console.say_wrapped("Sides are swapped: whoever was Player 1 is now Player 2.")
    if series := Series.from_tags(session.tags):
        explained = f" {DRAWS_COUNT}" if series.round == 1 else ""
        console.say_wrapped(f"{series.line(dialogue.names)}{explained}")
    if game.coin_toss and not match.moves:
        console.say(f"Player {match.first} goes first.")


def _differences(setup: MatchSetup, game: Game, board: Board) -> list[str]:
    """How this board differs from what the summary says."""
    lines = []
    if board.target != game.target:
        lines.append(f"This game is played to {board.target}, not to {game.target}.")
    if game.handicap and (setup.handicap or board.handicap):
        lines.append(game.handicap.about(board))
    return lines
