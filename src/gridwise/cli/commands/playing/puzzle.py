"""`gridwise puzzle`: find the winning moves, in one puzzle after the other, each harder."""

from __future__ import annotations

import datetime as dt
import random
from typing import Annotated

import typer

from gridwise.cli import arguments
from gridwise.cli.console import Console
from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.core.registry import game as game_named
from gridwise.core.registry import games
from gridwise.engine.puzzles import (
    HARDEST,
    Puzzle,
    PuzzleLine,
    levels,
    nearest_level,
    puzzle_at,
    puzzle_day,
    puzzle_of_the_day,
    shuffled_puzzle,
    start_line,
)
from gridwise.errors import BadRequest, GridwiseError, MoveError, quoted
from gridwise.play.match import HUMAN
from gridwise.play.progress import add_solved, load_progress, solved_text, streak_text
from gridwise.play.session import player_names
from gridwise.show.text import describe, rules_page

RANGE = f"1 to {HARDEST}"
DIFFICULTY = arguments.number_option(
    *("--difficulty", f"{RANGE}; without it the puzzles get harder.", f"a number from {RANGE}"),
    above=0,
    below=HARDEST + 1,
)
DAILY = "Today's puzzle (UTC): the same for everybody."
INTRODUCTION = "Find the winning move, and go on until you have won. Type help for help."
# What can be typed instead of a move.
COMMANDS = {
    "hint": "a hint; ask again for another",
    "answer": "show the solution and go to the next puzzle",
    "next": "go to the next puzzle",
    "board": "draw the board again",
    "read": "describe the board in sentences",
    "rules": "show the rules of the game",
    "quit": "leave",
}
_HELP = "You can also type" + "".join(f"\n  {word:6}  {what}" for word, what in COMMANDS.items())
_ALIASES = {"skip": "next", "solution": "answer", "show": "answer", "q": "quit", "exit": "quit"}
_ALIASES |= {"?": "help"}
_YES_NO = {"y": "yes", "n": "no"}


class _Left(Exception):
    """The person has had enough of this puzzle, or of all of them."""

    def __init__(self, *, for_good: bool) -> None:
        super().__init__()
        self.for_good = for_good


def puzzle(
    game: arguments.OptionalGameArgument = "",
    seed: arguments.SeedOption = None,
    difficulty: Annotated[int | None, DIFFICULTY] = None,
    daily: Annotated[bool, typer.Option("--daily", help=DAILY)] = False,
    plain: arguments.PlainOption = False,
    linear: arguments.LinearOption = False,
) -> None:
    """Ask puzzles until the person has had enough."""
    console = Console(simple=plain, linear=linear)
    if daily:
        if game or seed is not None or difficulty:
            raise BadRequest("Today's puzzle is the same for everybody: give --daily alone.")
        _ask_daily(console)
        return
    seed = random.SystemRandom().randrange(2**31) if seed is None else seed
    chosen = _with_puzzles(game, difficulty)
    console.say_wrapped(INTRODUCTION)
    asked, solved, clean = 0, 0, 0
    while True:
        turn, which = divmod(asked, len(chosen))
        level = difficulty or nearest_level(chosen[which], 1 + turn)
        next_puzzle = puzzle_at(shuffled_puzzle(chosen[which], level, seed, turn))
        console.say("", f"Puzzle {asked + 1}: {_about(next_puzzle)}")
        try:
            line = PuzzleDialogue(console, next_puzzle).play()
            _keep(console, next_puzzle)
            solved, clean = solved + 1, clean + line.clean
        except _Left as left:
            if left.for_good:
                break
        asked += 1
    if asked:
        console.say(f"You solved {solved} of {asked}, {clean} on the first try.")
    _tell_progress(console)


def _with_puzzles(key: str, difficulty: int | None) -> list[Game]:
    """The game that is asked for, or all that have puzzles of the difficulty; raises BadRequest."""
    known = [each for each in games() if difficulty is None or difficulty in levels(each)]
    if not key:
        return [each for each in known if levels(each)]
    chosen = game_named(key)
    if not levels(chosen):
        raise BadRequest(f"There are no puzzles for {chosen.title}.")
    if chosen not in known:
        offered = " ".join(map(str, levels(chosen)))
        raise BadRequest(
            f"{chosen.title} has no puzzles of difficulty {difficulty}. It has: {offered}."
        )
    return [chosen]


def _ask_daily(console: Console) -> None:
    today = puzzle_day()
    asked = puzzle_at(puzzle_of_the_day(today))
    console.say_wrapped(INTRODUCTION)
    console.say("", f"Today's puzzle, {today:%d %B %Y}: {_about(asked)}")
    if today in load_progress().days:
        console.say("You have solved it already. Here it is again.")
    try:
        PuzzleDialogue(console, asked).play()
    except _Left:
        pass
    else:
        _keep(console, asked, today)
    _tell_progress(console)


def _about(asked: Puzzle) -> str:
    title, level = asked.position.game.title, asked.difficulty
    return f"{title}, difficulty {level} of {HARDEST}, number {asked.number}."


def _keep(console: Console, solved: Puzzle, day: dt.date | None = None) -> None:
    try:
        add_solved(solved.position.game.key, solved.difficulty, day)
    except GridwiseError as error:
        console.say_wrapped(str(error))


def _tell_progress(console: Console) -> None:
    progress = load_progress()
    if progress.count():
        console.say(f"So far: {solved_text(progress)}. {streak_text(progress, puzzle_day())}.")


class PuzzleDialogue:
    """One puzzle at one console, from its first move to the win."""

    def __init__(self, console: Console, puzzle: Puzzle) -> None:
        self._console = console
        self._line = start_line(puzzle)
        self._names = player_names((HUMAN, HUMAN), self._line.solver)

    def play(self) -> PuzzleLine:
        """Ask until the game is won; the line that was played. Raises _Left."""
        self._show()
        self._console.say(f"Player {self._line.solver} to move and win.")
        while not self._line.is_solved:
            self._find_move()
        self._console.say(f"Right! {self._line.position.result_line(self._names)}")
        self._console.say("Solved on the first try." if self._line.clean else "Solved.")
        return self._line

    def _find_move(self) -> None:
        """Ask for the next move until it is right, and answer it."""
        while not self._line.is_right(action := self._ask_move()):
            self._line, why = self._line.why_not(action)
            self._console.say_wrapped(f"{why} Try again.")
        self._line = self._line.after(action)
        while self._line.awaits_answer:
            before = self._line.position
            self._line = self._line.after_answer()
            after = self._line.position
            self._console.say(f"Right! {before.log_line(after, self._names)}.")
        if not self._line.is_solved:
            self._show()

    def _ask_move(self) -> int:
        position = self._line.position
        while True:
            text = self._ask("Your move: ")
            try:
                action = position.read(text)
            except MoveError as error:
                self._console.say_wrapped(str(error))
                continue
            return self._decided(position, action)

    def _decided(self, position: Position, action: int) -> int:
        """The move with what belongs to it, such as whether to challenge."""
        question = position.question(action)
        if question is None or action != question.undecided:
            return action
        self._console.say(*question.lead)
        while True:
            text = self._ask(question.prompt).casefold()
            answer = _YES_NO.get(text, text)
            if answer in question.answers:
                return question.answers[answer]
            possible = " or ".join(question.answers)
            self._console.say(f"Please answer {possible}, not {quoted(text)}.")

    def _ask(self, prompt: str) -> str:
        """An answer that is not a command; commands are carried out on the way."""
        while True:
            try:
                text = self._console.ask(prompt).strip()
            except EOFError:
                self._console.say("")
                raise _Left(for_good=True) from None
            word = text.casefold()
            word = _ALIASES.get(word, word)
            if word == "help" or word in COMMANDS:
                self._do(word)
            else:
                return text

    def _do(self, word: str) -> None:
        console, position = self._console, self._line.position
        if word in ("quit", "next"):
            raise _Left(for_good=word == "quit")
        if word == "answer":
            console.say_wrapped(self._line.explained())
            raise _Left(for_good=False)
        if word == "hint":
            self._line, text = self._line.hinted()
            console.say_wrapped(text)
        elif word == "board":
            self._show()
        else:
            about = {
                "help": [position.game.text.HELP, _HELP],
                "read": describe(position.view),
                "rules": [rules_page(position.game)],
            }
            console.say_wrapped(*about[word])

    def _show(self) -> None:
        self._console.show(self._line.position.view)
