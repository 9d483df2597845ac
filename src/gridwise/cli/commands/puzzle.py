"""`gridwise puzzle`: find the winning move, in one puzzle after the other, each harder."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Annotated

from gridwise.cli import arguments
from gridwise.cli.console import Console
from gridwise.core.registry import game as game_named
from gridwise.core.registry import games
from gridwise.engine.puzzles import HARDEST, Puzzle, explained, make_puzzle, refuted
from gridwise.errors import MoveError
from gridwise.show.progress import notify_if_slow

RANGE = f"1 to {HARDEST}"
DIFFICULTY = arguments.number_option(
    *("--difficulty", f"{RANGE}; without it the puzzles get harder.", f"a number from {RANGE}"),
    above=0,
    below=HARDEST + 1,
)
HELP = "Type a move, or: next, answer, quit."
_SKIP, _QUIT = ("next", "skip", "answer", "solution", "show"), ("quit", "exit", "q")


class _Quit(Exception):
    """The person has had enough."""


def puzzle(
    game: arguments.OptionalGameArgument = "",
    seed: arguments.SeedOption = None,
    difficulty: Annotated[int | None, DIFFICULTY] = None,
    plain: arguments.PlainOption = False,
    linear: arguments.LinearOption = False,
) -> None:
    """Ask puzzles until the person has had enough."""
    console = Console(simple=plain, linear=linear)
    seed = random.SystemRandom().randrange(2**31) if seed is None else seed
    chosen = [game_named(game)] if game else games()
    console.say(f"Find the winning move. {HELP}")
    number, solved, last = 0, 0, None
    with suppress(_Quit):
        while True:
            played = chosen[number % len(chosen)]
            level = difficulty or min(HARDEST, 1 + number // len(chosen))
            with notify_if_slow("(Looking for a puzzle.)"):
                last = make_puzzle(played, level, f"{seed} {number}", last)
            number += 1
            solved += _ask(console, last, number)
    console.say(f"You solved {solved} of {number} on the first try.")


def _ask(console: Console, asked: Puzzle, number: int) -> bool:
    """Ask one puzzle; whether it was solved on the first try."""
    position, level = asked.position, asked.difficulty
    console.say("", f"Puzzle {number}: {position.game.title}, difficulty {level} of {HARDEST}.")
    console.show(position.view)
    console.say(f"Player {position.turn} to move and win.")
    first = True
    while True:
        try:
            text = console.ask("Your move: ").strip()
        except EOFError:
            console.say("")
            text = "quit"
        word = text.casefold()
        if word in _SKIP + _QUIT:
            console.say(explained(asked))
            if word in _QUIT:
                raise _Quit
            return False
        try:
            action = position.read(text)
        except MoveError as error:
            console.say_wrapped(str(error), HELP)
            continue
        if action == asked.solution.action:
            console.say("Right!", explained(asked))
            return first
        console.say_wrapped(f"{refuted(asked, action)} Try again.")
        first = False
