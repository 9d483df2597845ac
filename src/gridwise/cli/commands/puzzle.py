"""`gridwise puzzle`: find the winning moves, in one puzzle after the other, near your rating."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Annotated, ClassVar

import typer

from gridwise.cli import arguments
from gridwise.cli.command_prompt import CommandPrompt, Left
from gridwise.cli.console import Console, full_screen_possible, run_app
from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.core.registry import game as game_named
from gridwise.engine.puzzles import (
    HARDEST,
    Puzzle,
    PuzzleLine,
    check_day,
    games_with_puzzles,
    level_line,
    levels,
    next_puzzle,
    puzzle_at,
    puzzle_day,
    puzzle_of_the_day,
    start_line,
)
from gridwise.errors import BadRequest, GridwiseError, quoted
from gridwise.play.match import HUMAN
from gridwise.play.puzzle_progress import (
    PuzzleProgress,
    add_result,
    add_solved,
    load_progress,
    rating_text,
    solved_text,
    streak_text,
)
from gridwise.play.session import player_names

DIFFICULTY = arguments.whole_option("Without it they are near your rating.", 1, HARDEST)
DAILY = "Today's puzzle (UTC): the same for everybody."
DAY = "The puzzle of an earlier day, like 2026-11-12."


def _day(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise BadRequest(f"{quoted(text)} is not a day. Write it like 2026-11-12.") from None


INTRODUCTION = "Find the winning move, and go on until you have won. Type help for help."
# What can be typed instead of a move.
COMMANDS = {
    "help": "show this list",
    "hint": "a hint; ask again for another",
    "answer": "show the solution and go to the next puzzle",
    "next": "go to the next puzzle",
    "board": "draw the board again",
    "read": "describe the board in sentences",
    "rules": "show the rules of the game",
    "quit": "leave",
}


class _Skipped(Exception):
    """The person has had enough of this puzzle."""


def puzzle(
    game: arguments.OptionalGameArgument = "",
    seed: arguments.SeedOption = None,
    difficulty: Annotated[int | None, DIFFICULTY] = None,
    daily: Annotated[bool, typer.Option("--daily", help=DAILY)] = False,
    day: Annotated[dt.date | None, typer.Option(metavar="DAY", help=DAY, parser=_day)] = None,
    plain: arguments.PlainOption = False,
    linear: arguments.LinearOption = False,
) -> None:
    """Ask puzzles until the person has had enough."""
    if (daily or day) and (game or seed is not None or difficulty or (daily and day)):
        alone = "--daily" if daily else "--day"
        raise BadRequest(f"The puzzle of a day is the same for everybody: give {alone} alone.")
    if daily or day:
        day = day or puzzle_day()
        check_day(day, puzzle_day())
    chosen = _with_puzzles(game, difficulty)
    if not (plain or linear) and full_screen_possible():
        of_game = chosen[0] if game else None
        raise typer.Exit(run_app(screen=("puzzle", of_game, daily, seed, difficulty, day)))
    console = Console(simple=plain, linear=linear)
    if day:
        _ask_of_day(console, day)
        return
    seed = random.SystemRandom().randrange(2**31) if seed is None else seed
    console.say_wrapped(INTRODUCTION)
    asked, solved, clean = 0, 0, 0
    while True:
        now = load_progress()
        next_one = next_puzzle(chosen, asked, seed, difficulty, rating=now.rating, done=now.rated)
        console.say("", f"Puzzle {asked + 1}: {_about(next_one)}")
        try:
            line = PuzzleDialogue(console, next_one).play()
            _keep(console, partial(_add_solved, next_one))
            solved, clean = solved + 1, clean + line.clean
        except _Skipped:
            pass
        except (Left, EOFError) as left:
            _end_line(console, left)
            break
        asked += 1
    if asked:
        console.say(f"You solved {solved} of {asked}, {clean} on the first try.")
    _tell_progress(console)


def _with_puzzles(key: str, difficulty: int | None) -> list[Game]:
    """The game that is asked for, or all that have puzzles of the difficulty; raises BadRequest."""
    known = games_with_puzzles(difficulty)
    if not key:
        return known
    chosen = game_named(key)
    if not levels(chosen):
        raise BadRequest(f"There are no puzzles for {chosen.title}.")
    if chosen not in known:
        offered = " ".join(map(str, levels(chosen)))
        raise BadRequest(
            f"{chosen.title} has no puzzles of difficulty {difficulty}. It has: {offered}."
        )
    return [chosen]


def _ask_of_day(console: Console, day: dt.date) -> None:
    asked, today = puzzle_at(puzzle_of_the_day(day)), puzzle_day()
    which = "Today's puzzle, " if day == today else "The puzzle of "
    console.say_wrapped(INTRODUCTION)
    console.say("", f"{which}{day:%d %B %Y}: {_about(asked)}")
    if day in load_progress().days:
        console.say("You have solved it already. Here it is again.")
    try:
        PuzzleDialogue(console, asked).play()
    except (_Skipped, Left, EOFError) as left:
        _end_line(console, left)
    else:
        # A streak counts what was solved on its own day.
        _keep(console, partial(_add_solved, asked, day if day == today else None))
    _tell_progress(console)


def _end_line(console: Console, left: Exception) -> None:
    """What follows begins on a line of its own, also where somebody pressed Ctrl-D."""
    if isinstance(left, EOFError):
        console.say("")


def _about(asked: Puzzle) -> str:
    title, level = asked.position.game.title, asked.difficulty
    return (
        f"{title}, difficulty {level} of {HARDEST}, number {asked.number}, rated {asked.rating}. "
        f"{level_line(level)}"
    )


def _add_solved(puzzle: Puzzle, day: dt.date | None = None) -> PuzzleProgress:
    return add_solved(puzzle.position.game.key, puzzle.difficulty, day)


def _keep(console: Console, add: Callable[[], PuzzleProgress]) -> PuzzleProgress | None:
    try:
        return add()
    except GridwiseError as error:
        console.say_wrapped(str(error))
        return None


def _tell_progress(console: Console) -> None:
    progress = load_progress()
    if progress.count() or progress.results:
        words = solved_text(progress), streak_text(progress, puzzle_day()), rating_text(progress)
        console.say(f"So far: {'. '.join(words)}.")


class PuzzleDialogue(CommandPrompt):
    """One puzzle at one console, from its first move to the win."""

    commands: ClassVar = COMMANDS
    aliases: ClassVar = CommandPrompt.aliases | {
        "skip": "next",
        "solution": "answer",
        "show": "answer",
    }

    def __init__(self, console: Console, puzzle: Puzzle) -> None:
        super().__init__(console)
        self._line = start_line(puzzle)
        self._names = player_names((HUMAN, HUMAN), self._line.solver)

    @property
    def position(self) -> Position:
        """Where its line stands."""
        return self._line.position

    def play(self) -> PuzzleLine:
        """Ask until the game is won; the line that was played. Raises _Skipped, Left, EOFError."""
        self._board()
        self.console.say(f"Player {self._line.solver} to move and win.")
        while not self._line.is_solved:
            self._find_move()
        self.console.say(f"Right! {self.position.result_line(self._names)}")
        self.console.say("Solved on the first try." if self._line.clean else "Solved.")
        if self._line.clean:
            self._rate(solved=True)
        return self._line

    def _rate(self, *, solved: bool) -> None:
        """Let the result move the rating, and say so."""
        before = load_progress()
        now = _keep(self.console, lambda: add_result(self._line.puzzle, solved=solved))
        if now and now.results > before.results:
            self.console.say(f"{rating_text(now, before)}.")

    def _after(self, line: PuzzleLine) -> None:
        """Go on with a line; the first mistake or help makes it a puzzle that is not solved."""
        before, self._line = self._line, line
        if before.clean and not line.clean:
            self._rate(solved=False)

    def _find_move(self) -> None:
        """Ask for the next move until it is right, and answer it."""
        while not self._line.is_right(action := self.ask_move(self.position, "Your move: ")):
            line, why = self._line.why_not(action)
            self.console.say_wrapped(f"{why} Try again.")
            self._after(line)
        self._line = self._line.after(action)
        while self._line.awaits_answer:
            self._line = self._line.after_answer()
            self.console.say(f"Right! {self.position.last_line(self._names)}.")
        if not self._line.is_solved:
            self._board()

    # Commands

    def _help(self, _: str) -> None:
        self.console.say_wrapped(self.position.game.text.HELP, "You can also type")
        self.say_commands(COMMANDS)

    def _hint(self, _: str) -> None:
        line, text = self._line.hinted()
        self.console.say_wrapped(text)
        self._after(line)

    def _answer(self, _: str) -> None:
        self.console.say_wrapped(self._line.explained())
        for move in self._line.solution():
            self.console.say_wrapped(f"- {move.why}")
        self._after(replace(self._line, clean=False))
        raise _Skipped

    def _next(self, _: str) -> None:
        raise _Skipped
