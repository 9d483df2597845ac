"""A game played in the dialogue: two seats and a console.

The lines come from the game's `text`. This module decides only who is asked, what the commands at
the prompt do, and that nothing played is lost.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from gridwise.cli.autosave import autosave, back_up, resume_command, today
from gridwise.cli.console import Console
from gridwise.cli.setup import Round
from gridwise.cli.signals import signals_ignored
from gridwise.core.contracts import Question
from gridwise.core.outcome import Outcome, Termination
from gridwise.core.view import View
from gridwise.engine.hints import hint
from gridwise.errors import GridwiseError, MoveError, quoted
from gridwise.play.records import Record, write_record
from gridwise.show.progress import notify_if_slow
from gridwise.show.text import describe

# What can be typed at every prompt; the first word names the method that does it.
COMMANDS = {
    "help": "show this list",
    "board": "draw the board again",
    "read": "describe the board in sentences",
    "hint": "suggest a move",
    "undo": "take back the last move",
    "save FILE": "save the game so far to a file",
    "resign": "give up the game",
    "quit": "leave; the game is saved",
}
_HELP = "At every prompt you can also type" + "".join(
    f"\n  {usage:9}  {what}" for usage, what in COMMANDS.items()
)
_WORDS = [usage.split()[0] for usage in COMMANDS]
_METHODS = {word: f"_{word}" for word in _WORDS} | {"?": "_help", "exit": "_quit"}
_YES_NO = {"y": "yes", "n": "no"}


class Left(Exception):
    """The person has left the game."""


class _Changed(Exception):
    """The position is another one now: draw it and continue from there."""


class Dialogue:
    """One game at one console, from where the match stands to its end."""

    def __init__(self, played: Round, console: Console, record: Path | None = None) -> None:
        self.match, self.seats, self.players, self.tags = played
        self.console = console
        self.record_path = record
        self._recording = record is not None
        self._ours = {record}  # files that hold this game, and may be written over
        self._question: Question | None = None  # the one about a move that has been named

    def play(self) -> bool:
        """Play to the end; whether the people want another game. Raises Left or EOFError."""
        self._write()
        self.console.show(self.match.view)
        while True:
            with suppress(_Changed):
                if outcome := self.match.outcome:
                    self._finish(outcome)
                    return self._again()
                self._turn()
            if not self.match.outcome:
                self._show()

    def record(self) -> Record:
        """The game so far."""
        return replace(self.match.record(self.players, today()), tags=self.tags)

    def save_on_leaving(self) -> list[str]:
        """Save an unfinished game; the lines that say where it is and how to continue."""
        # A closed terminal ends the input and sends a signal at about the same time.
        with signals_ignored():
            self._write()  # a move may have been made and not written when we were interrupted
            if self.match.outcome:
                return []
            if self._recording and self.record_path and self.record_path.is_file():
                return [f"The game is saved. Continue with: {resume_command(self.record_path)}"]
            return autosave(self.record()) if self.match.moves else []

    # One turn

    def _turn(self) -> None:
        match, before = self.match, self.match.position
        player = self.seats[before.turn - 1]
        self.console.say("", *before.turn_lines)
        if player is None:
            action = self._ask_move()
        else:
            with notify_if_slow():
                action = player.choose(before)
            self._say_answers(action)
        match.move(action)
        self._write()  # before it is announced
        self.console.say(*before.move_lines(match.position))

    def _ask_move(self) -> int:
        """Ask until there is a legal move, and ask what belongs to it."""
        position = self.match.position
        while True:
            text = self._ask(position.move_prompt)
            try:
                action = position.read(text)
            except MoveError as error:
                refusal = position.game.text.REFUSAL
                self.console.say_wrapped(*[line for line in (refusal, str(error)) if line])
                continue
            question = position.question(action)
            if question is None:
                return action
            self.console.say(*question.lead)
            if action != question.undecided:  # the move has answered it already
                self.console.say(f"{question.prompt}{_answer_of(question, action)}")
                return action
            self._question = question
            try:
                answer = self._ask_one_of(question.prompt, list(question.answers))
            finally:
                self._question = None
            return question.answers[answer]

    def _say_answers(self, action: int) -> None:
        """Print what a program would have typed."""
        position = self.match.position
        question = position.question(action)
        first = question.undecided if question else action
        self.console.say(f"{position.move_prompt}{position.name(first)}")
        if question:
            self.console.say(*question.lead, f"{question.prompt}{_answer_of(question, action)}")

    def _finish(self, outcome: Outcome) -> None:
        if outcome.termination is Termination.RESIGNATION:
            self.console.say("", f"{outcome.reason}. Player {outcome.winner} wins the game!")
        elif not outcome.winner:
            self.console.say("", f"The game is {outcome.reason}; nobody has won.")
        else:
            self.console.say(*self.match.position.ending_lines)
        self._show()

    def _again(self) -> bool:
        if None not in self.seats:
            return False
        if not self._recording:
            self.console.say_wrapped("", "Type save FILE to keep this game for gridwise review.")
        self.console.say("")
        return self._ask_one_of("Play again? (yes/no): ", ["yes", "no"]) == "yes"

    def _show(self) -> None:
        self.console.say("")
        self.console.show(self._view())

    def _view(self) -> View:
        """What can be seen, with the step that has been named while its question is open."""
        position = self.match.position
        if self._question:
            position = position.play(self._question.undecided)
        return position.view

    # Asking

    def _ask_one_of(self, prompt: str, answers: list[str]) -> str:
        while True:
            text = self._ask(prompt).strip().casefold()
            answer = _YES_NO.get(text, text)
            if answer in answers:
                return answer
            self.console.say(f"Please answer {' or '.join(answers)}, not {quoted(text)}.")

    def _ask(self, prompt: str) -> str:
        """An answer that is not a command; commands are carried out on the way."""
        while True:
            text = self.console.ask(prompt)
            word, *rest = text.split(maxsplit=1) or [""]
            method = _METHODS.get(word.casefold())
            if method is None:
                return text
            getattr(self, method)("".join(rest).strip())

    # Commands

    def _help(self, _: str) -> None:
        asked = self._question
        first = f"Answer {' or '.join(asked.answers)}." if asked else self.match.game.text.HELP
        self.console.say_wrapped(first, _HELP)

    def _board(self, _: str) -> None:
        self._show()

    def _read(self, _: str) -> None:
        self.console.say_wrapped(*describe(self._view()))

    def _hint(self, _: str) -> None:
        if self.match.outcome:
            self.console.say("The game is over: there is no move to suggest.")
            return
        answers = self._question.answers if self._question else {}
        with notify_if_slow():
            suggestion = hint(self.match.position, answers)
        self.console.say_wrapped(suggestion.text)

    def _undo(self, _: str) -> None:
        """Go back to the last time a person was asked."""
        match = self.match
        if not self._question and match.resigned:
            match.undo()
        elif not self._question:
            people = [ply for ply, mover in enumerate(match.movers) if not self.seats[mover - 1]]
            if not people:
                self.console.say("There is no move to take back yet.")
                return
            while len(match.moves) > people[-1]:
                match.undo()
        self.console.say("The last move was taken back.")
        if match.game.has_hidden_cells:
            self.console.say("Cells that are face down again have new values.")
        self._write()
        raise _Changed

    def _save(self, name: str) -> None:
        if not name:
            self.console.say("Which file? For example: save game.gwr")
            return
        try:
            path = Path(name).expanduser()
            if path not in self._ours and (note := back_up(path)):
                self.console.say_wrapped(note)
            write_record(self.record(), path)
            self._ours.add(path)
        except (GridwiseError, RuntimeError) as error:  # RuntimeError: ~somebody has no home
            self.console.say_wrapped(str(error))
            return
        self.console.say(f"Saved. Continue with: {resume_command(path)}")

    def _resign(self, _: str) -> None:
        try:
            self.match.resign()
        except MoveError as error:
            self.console.say(str(error))
            return
        self._write()
        raise _Changed

    def _quit(self, _: str) -> None:
        raise Left

    def _write(self) -> None:
        """Write the game so far to its file, if it is being recorded."""
        if self.record_path is None:
            return
        try:
            write_record(self.record(), self.record_path)
            self._recording = True
        except GridwiseError as error:
            if self._recording:
                self.console.say(f"{error} You can play on, but the game is not being recorded.")
            self._recording = False


def _answer_of(question: Question, action: int) -> str:
    return next(answer for answer, meant in question.answers.items() if meant == action)
