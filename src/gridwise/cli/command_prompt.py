"""A prompt: a question at a console, beside which commands such as `help` can be typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from gridwise.cli.commands.rules import rules
from gridwise.cli.console import Console
from gridwise.core.contracts import Question
from gridwise.core.position import Position
from gridwise.core.view import View, describe
from gridwise.errors import MoveError, quoted

_YES_NO = {"y": "yes", "n": "no"}


class Left(Exception):
    """The person has left."""


class LeftForMenu(Left):
    """The person has left for the menu, not for good."""


class CommandPrompt:
    """Asks until there is an answer; a command is carried out, and the question comes again.

    `commands` says for each what it does; the method `_hint` carries out `hint`, given what was
    typed after it.
    """

    commands: ClassVar[Mapping[str, str]]
    aliases: ClassVar[dict[str, str]] = {"?": "help", "q": "quit", "exit": "quit"}

    def __init__(self, console: Console) -> None:
        self.console = console
        self.question: Question | None = None  # the one about a move that has been named
        self._words = {usage.split()[0] for usage in self.commands}

    def ask(self, prompt: str) -> str:
        """An answer that is not a command; commands are carried out on the way."""
        while True:
            text = self.console.ask(prompt)
            word, *rest = text.split(maxsplit=1) or [""]
            command = self.aliases.get(word.casefold(), word.casefold())
            if command not in self._words:
                return text
            self.carry_out(command, "".join(rest).strip())

    def carry_out(self, command: str, rest: str = "") -> None:
        """Do what a command says."""
        getattr(self, f"_{command}")(rest)

    # Commands of every prompt

    @property
    def position(self) -> Position:
        """The position that is asked about."""
        raise NotImplementedError

    @property
    def view(self) -> View:
        """What can be seen, with the step that has been named while its question is open."""
        position, question = self.position, self.question
        return (position.play(question.undecided) if question else position).view

    def _board(self, _: str = "") -> None:
        self.console.say("")
        self.console.show(self.view)

    def _read(self, _: str) -> None:
        self.console.say_wrapped(*describe(self.view))

    def _rules(self, _: str) -> None:
        rules(self.position.game.key, plain=not self.console.colour, linear=self.console.linear)

    def _quit(self, _: str) -> None:
        raise Left

    def ask_one_of(self, prompt: str, answers: list[str]) -> str:
        """One of the answers; `y` and `n` will do for yes and no."""
        while True:
            text = self.ask(prompt).strip().casefold()
            answer = _YES_NO.get(text, text)
            if answer in answers:
                return answer
            self.console.say(f"Please answer {' or '.join(answers)}, not {quoted(text)}.")

    def ask_move(self, position: Position, prompt: str) -> int:
        """Ask until there is a legal move, and ask what belongs to it."""
        while True:
            text = self.ask(prompt)
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
                self.console.say(f"{question.prompt}{answer_of(question, action)}")
                return action
            self.question = question
            try:
                answer = self.ask_one_of(question.prompt, list(question.answers))
            finally:
                self.question = None
            return question.answers[answer]

    def say_commands(self, commands: Mapping[str, str]) -> None:
        """List commands, each with what it does."""
        width = max(map(len, commands))
        self.console.say(*(f"  {usage:{width}}  {what}" for usage, what in commands.items()))


def answer_of(question: Question, action: int) -> str:
    """The answer that makes an action of the move in question."""
    return next(answer for answer, meant in question.answers.items() if meant == action)
