"""A game played in the dialogue: two seats, a console, and the words of the game.

The lines come from the game's `words`, in the order of the game's text. This module decides only
who is asked, what the commands do, and that nothing played is lost.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from gridwise.cli.console import Console
from gridwise.cli.progress import THINKING, patience
from gridwise.cli.saving import keep, set_aside, today, way_back
from gridwise.core.game import Question
from gridwise.core.player import Player
from gridwise.core.view import View
from gridwise.engine.hints import hint
from gridwise.errors import GridwiseError, MoveError, quoted
from gridwise.play.match import Match
from gridwise.play.records import Record, record_of, write_record
from gridwise.show.text import describe

COMMANDS = """\
At every prompt you can also type
  help       this list
  board      the board again
  read       the board in sentences
  hint       a move to consider
  undo       take the last move back
  save FILE  keep the game so far in a file
  resign     give the game up
  quit       leave; the game is kept"""

_YES_NO = {"y": "yes", "n": "no"}


class Left(Exception):
    """The person has left the game."""


class _Changed(Exception):
    """The position is another one now: draw it and go on from there."""


class Dialogue:
    """One game at one console, from where the match stands to its end."""

    def __init__(
        self,
        match: Match,
        seats: tuple[Player | None, Player | None],
        console: Console,
        *,
        record: Path | None = None,
        players: tuple[str, str] = ("human", "human"),
        tags: dict[str, str] | None = None,
    ) -> None:
        """`seats` has None where a person sits, who is asked at the console."""
        self.match = match
        self.seats = seats
        self.console = console
        self.record_path = record
        self.players = players
        self.tags = tags or {}  # whatever else stands in the record of a resumed game
        self._recording = record is not None
        self._ours = {record}  # files that hold this game, and may be written over
        self._question: Question | None = None  # the one about a move that has been named

    @property
    def with_people(self) -> bool:
        """Whether anyone is there to be asked."""
        return None in self.seats

    def play(self) -> bool:
        """Play to the end; whether the people want another game. Raises Left or EOFError."""
        self._write()
        self.console.show(self.match.view)
        while True:
            try:
                if self.match.outcome is None:
                    self._turn()
                    if self.match.outcome is None:
                        self._show()
                else:
                    self._finish()
                    return self._again()
            except _Changed:
                if self.match.outcome is None:
                    self._show()

    def record(self) -> Record:
        """The game so far."""
        return replace(record_of(self.match, self.players, today()), tags=self.tags)

    def farewell(self) -> list[str]:
        """What to say to a person who leaves: where the game is, and how to come back."""
        self._write()  # a move may have been made and not written when we were interrupted
        unfinished = self.match.outcome is None
        if self._recording and self.record_path and self.record_path.is_file():
            if unfinished:
                return [f"The game is saved. Go on with: {way_back(self.record_path)}"]
            return []
        if unfinished and self.match.moves:
            return keep(self.record())
        return []

    # One turn

    def _turn(self) -> None:
        match, words, console = self.match, self.match.game.words, self.console
        player = self.seats[match.turn - 1]
        board, before = match.board, match.state
        console.say("", *words.turn_lines(board, before))
        if player is None:
            action = self._ask_move()
        else:
            with patience(THINKING):
                action = player.choose(match.position)
            self._tell_answers(action)
        match.play(action)
        self._write()  # before anyone is told of it
        console.say(*words.told(match.board, before, action, match.state))

    def _ask_move(self) -> int:
        """Ask until there is a legal move, and ask what belongs to it."""
        match, words = self.match, self.match.game.words
        while True:
            text = self._ask(words.prompt(match.board, match.state))
            try:
                action = match.read(text)
            except MoveError as error:
                self.console.tell(*[line for line in (words.REFUSAL, str(error)) if line])
                continue
            question = words.question(match.board, match.state, action)
            if question is None:
                return action
            self.console.say(*question.lead)
            if action != question.undecided:  # the move has answered it already
                self.console.say(f"{question.prompt}{_answer_of(question.answers, action)}")
                return action
            self._question = question
            try:
                answer = self._ask_one_of(question.prompt, list(question.answers))
            finally:
                self._question = None
            return question.answers[answer]

    def _tell_answers(self, action: int) -> None:
        """What a program would have typed."""
        match, words = self.match, self.match.game.words
        board, state = match.board, match.state
        question = words.question(board, state, action)
        first = question.undecided if question else action
        name = words.action_name(board, state, first)
        self.console.say(f"{words.prompt(board, state)}{name}")
        if question:
            answer = _answer_of(question.answers, action)
            self.console.say(*question.lead, f"{question.prompt}{answer}")

    def _finish(self) -> None:
        match = self.match
        outcome = match.outcome
        if outcome is None:
            return
        if match.resigned:
            self.console.say("", f"{outcome.reason}. Player {outcome.winner} wins the game!")
        elif not outcome.winner:
            self.console.say("", f"The game is {outcome.reason}; nobody has won.")
        else:
            self.console.say(*match.game.words.ending(match.board, match.state))
        self._show()

    def _again(self) -> bool:
        if not self.with_people:
            return False
        if not self._recording:
            self.console.tell("", "save FILE keeps this game, for gridwise review FILE.")
        self.console.say("")
        return self._ask_one_of("Play again? (yes/no): ", ["yes", "no"]) == "yes"

    def _show(self) -> None:
        self.console.say("")
        self.console.show(self._view())

    def _view(self) -> View:
        """What can be seen, with the step that has been named while its question is open."""
        if self._question is None:
            return self.match.view
        game, board, state = self.match.position[:3]
        return game.view(board, game.rules.play(board, state, self._question.undecided))

    # Asking

    def _ask_one_of(self, prompt: str, answers: list[str]) -> str:
        while True:
            text = self._ask(prompt).strip().casefold()
            answer = _YES_NO.get(text, text)
            if answer in answers:
                return answer
            self.console.say(f"Please answer {' or '.join(answers)}, not {quoted(text)}.")

    def _ask(self, prompt: str) -> str:
        """An answer that is no command; commands are carried out on the way."""
        while True:
            text = self.console.ask(prompt)
            words = text.split(maxsplit=1)
            command = _COMMANDS.get(words[0].casefold()) if words else None
            if command is None:
                return text
            getattr(self, command)(words[1].strip() if len(words) > 1 else "")

    # Commands

    def _help(self, _: str) -> None:
        if self._question:
            self.console.tell(f"Answer {' or '.join(self._question.answers)}.", COMMANDS)
        else:
            self.console.tell(self.match.game.words.HELP, COMMANDS)

    def _board(self, _: str) -> None:
        self._show()

    def _read(self, _: str) -> None:
        self.console.tell(*describe(self._view()))

    def _hint(self, _: str) -> None:
        if self.match.outcome:
            self.console.say("The game is over; there is nothing left to move.")
            return
        answers = self._question.answers if self._question else {}
        with patience(THINKING):
            text = hint(self.match.position, answers)
        self.console.tell(text)

    def _undo(self, _: str) -> None:
        """Back to the last time a person was asked."""
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
        self.console.say("The last move is taken back.")
        if match.game.hides:
            self.console.say("Cells that are face down again are dealt anew.")
        self._write()
        raise _Changed

    def _save(self, name: str) -> None:
        if not name:
            self.console.say("Say where to: save FILE, for example save game.gwr")
            return
        try:
            path = Path(name).expanduser()
            if path not in self._ours and (note := set_aside(path)):
                self.console.tell(note)
            write_record(self.record(), path)
            self._ours.add(path)
        except (GridwiseError, RuntimeError) as error:
            self.console.tell(str(error))
            return
        self.console.say(f"Saved. Go on with it by: {way_back(path)}")

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
        """Put the game so far on disk, if it is being recorded."""
        if self.record_path is None:
            return
        try:
            write_record(self.record(), self.record_path)
        except GridwiseError as error:
            if self._recording:
                self.console.say(f"{error} The game goes on, but it is not being recorded.")
            self._recording = False
        else:
            self._recording = True


# What can be typed at every prompt, and the method that does it.
_COMMANDS = {
    "help": "_help",
    "?": "_help",
    "board": "_board",
    "read": "_read",
    "hint": "_hint",
    "undo": "_undo",
    "save": "_save",
    "resign": "_resign",
    "quit": "_quit",
    "exit": "_quit",
}


def _answer_of(answers: dict[str, int], action: int) -> str:
    return next(answer for answer, meant in answers.items() if meant == action)
