"""`gridwise puzzle`: find the winning move, one after the other, each harder than the last."""

from __future__ import annotations

import random

from gridwise.cli.console import Console
from gridwise.cli.progress import patience
from gridwise.core.registry import game as game_of
from gridwise.core.registry import games
from gridwise.engine.puzzles import HARDEST, Puzzle, explained, make_puzzle, refuted
from gridwise.errors import MoveError

WAYS_ON = "Type a move, or: next, answer, quit."
_SKIP, _SHOW, _QUIT = ("next", "skip"), ("answer", "solution", "show"), ("quit", "exit", "q")


def run_puzzles(
    key: str, seed: int | None, difficulty: int | None, *, simple: bool, linear: bool
) -> None:
    """Ask puzzles until the person has had enough."""
    console = Console(simple=simple, linear=linear)
    seed = random.SystemRandom().randrange(2**31) if seed is None else seed
    chosen = [game_of(key)] if key else games()
    console.say(f"Find the winning move. {WAYS_ON}")
    number, solved, last = 0, 0, None
    try:
        while True:
            game = chosen[number % len(chosen)]
            level = difficulty or min(HARDEST, 1 + number // len(chosen))
            with patience("(Looking for a puzzle.)"):
                puzzle = make_puzzle(game, level, f"{seed} {number}", last)
            number += 1
            solved += _ask(console, puzzle, number)
            last = puzzle
    except EOFError:
        console.say("")
    except _Enough:
        pass
    console.say(f"Solved at the first try: {solved} of {number}.")


class _Enough(Exception):
    """The person has had enough."""


def _ask(console: Console, puzzle: Puzzle, number: int) -> bool:
    """One puzzle; whether it was solved at the first try."""
    game, board, state = puzzle.position.game, puzzle.position.board, puzzle.position.state
    console.say("", f"Puzzle {number}: {game.title}, difficulty {puzzle.difficulty} of {HARDEST}.")
    console.show(game.view(board, state))
    console.say(f"Player {state.turn} to move and win.")
    first = True
    while True:
        try:
            text = console.ask("Your move: ").strip()
        except EOFError:
            console.say("", explained(puzzle))
            raise
        word = text.casefold()
        if word in _QUIT:
            console.say(explained(puzzle))
            raise _Enough
        if word in _SKIP or word in _SHOW:
            console.say(explained(puzzle))
            return False
        try:
            action = game.read_move(board, state, text)
        except MoveError as error:
            console.tell(str(error), WAYS_ON)
            continue
        if action == puzzle.solution.action:
            console.say("Right!", explained(puzzle))
            return first
        console.tell(f"{refuted(puzzle, action)} Try again.")
        first = False
