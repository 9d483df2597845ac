"""What can be typed beside a move: help, hint, undo, save and the others, at every prompt."""

from __future__ import annotations

from pathlib import Path

from gridwise.cli.commands.playing.review import print_review
from gridwise.cli.commands.playing.rules import rules
from gridwise.cli.console import Console
from gridwise.core.contracts import Question
from gridwise.core.narration import numbered_names
from gridwise.core.position import log_lines
from gridwise.core.view import View
from gridwise.engine.hints import hint
from gridwise.errors import GridwiseError, MoveError, OutOfTurn, quoted
from gridwise.play.library import resume_command, review_command
from gridwise.play.records import back_up, write_record
from gridwise.play.session import PlaySession
from gridwise.show.progress import notify_if_slow
from gridwise.show.text import describe

# What can be typed while a game is on; the first word names the method that does it.
COMMANDS = {
    "help": "show this list",
    "rules": "read the rules",
    "board": "draw the board again",
    "read": "describe the board in sentences",
    "score": "say what each player has and needs",
    "log": "tell every move so far",
    "hint": "suggest a move",
    "undo": "take back the last move",
    "review": "show what every move so far was worth",
    "save FILE": "save a copy of the game to a file",
    "resign": "give up the game",
    "menu": "go to the menu; the game is saved",
    "quit": "leave; the game is saved",
}
# The same once it is over. CHOICES are the words that mean something only then.
AFTER_COMMANDS = {
    "play again": "another game with sides swapped (p)",
    "review": "show what every move was worth (r)",
    "save FILE": "save a copy of the game to a file (s)",
    "menu": "go to the menu (m)",
    "quit": "leave (q)",
    "undo": "take back the last move and play on",
    **{word: COMMANDS[word] for word in ("board", "read", "score", "log", "rules", "help")},
}
CHOICES = {
    **dict.fromkeys(("p", "play", "again", "y", "yes"), "play"),
    "r": "review",
    "s": "save",
    "m": "menu",
    **dict.fromkeys(("n", "no"), "quit"),
}
_WORDS = [usage.split()[0] for usage in COMMANDS]
_ALIASES = {"?": "help", "scores": "score", "q": "quit", "exit": "quit"}
_YES_NO = {"y": "yes", "n": "no"}


class Left(Exception):
    """The person has left the game, for the menu or for good."""

    def __init__(self, *, for_menu: bool = False) -> None:
        super().__init__()
        self.for_menu = for_menu


class Changed(Exception):
    """The position is another one now: draw it and continue from there."""


class PromptCommands:
    """The prompts of a game at a console, and the commands that can be typed there."""

    def __init__(self, session: PlaySession, console: Console) -> None:
        self.session, self.match, self.seats = session, session.match, session.seats
        self.console = console
        self._ours: set[Path] = set()  # files it was saved to, which may be written over
        self._question: Question | None = None  # the one about a move that has been named
        self.names = numbered_names(session.person)  # as in the fixed lines of the dialogue

    def _ask(self, prompt: str) -> str:
        """An answer that is not a command; commands are carried out on the way."""
        while True:
            text = self.console.ask(prompt)
            word, *rest = text.split(maxsplit=1) or [""]
            command = _ALIASES.get(word.casefold(), word.casefold())
            if command not in _WORDS:
                return text
            self._carry_out(command, "".join(rest).strip())

    def _carry_out(self, command: str, rest: str = "") -> None:
        getattr(self, f"_{command}")(rest)

    def _ask_one_of(self, prompt: str, answers: list[str]) -> str:
        while True:
            text = self._ask(prompt).strip().casefold()
            answer = _YES_NO.get(text, text)
            if answer in answers:
                return answer
            self.console.say(f"Please answer {' or '.join(answers)}, not {quoted(text)}.")

    def _keep(self) -> None:
        """Write the game so far to its file."""
        if warning := self.session.keep():
            self.console.say_wrapped(warning)

    def _show(self) -> None:
        self.console.say("")
        self.console.show(self._view())

    def _view(self) -> View:
        """What can be seen, with the step that has been named while its question is open."""
        position = self.match.position
        if self._question:
            position = position.play(self._question.undecided)
        return position.view

    # Commands

    def _help(self, _: str) -> None:
        commands, asked = COMMANDS, self._question
        if self.match.outcome:
            commands = AFTER_COMMANDS
            self.console.say("The game is over. You can type")
        elif asked:
            labels = zip(asked.answers, asked.labels, strict=True)
            meanings = [f"{answer}: {label}." for answer, label in labels]
            self.console.say_wrapped(*meanings, "You can also type")
        else:
            self.console.say_wrapped(self.match.game.text.HELP, "You can also type")
        width = max(map(len, commands))
        self.console.say(*(f"  {usage:{width}}  {what}" for usage, what in commands.items()))

    def _rules(self, _: str) -> None:
        rules(self.match.game.key, plain=not self.console.colour)

    def _board(self, _: str) -> None:
        self._show()

    def _read(self, _: str) -> None:
        self.console.say_wrapped(*describe(self._view()))

    def _score(self, _: str) -> None:
        """Both players: points, and what is left to do."""
        position = self.match.position
        if position.view.caption:
            self.console.say(position.view.caption)
        if not position.outcome:
            for player, name in enumerate(self.names, 1):
                self.console.say(f"{name.subject}: {position.objective(player).text}.")
            mover = self.names[position.turn - 1]
            self.console.say(f"It is {mover.possessive} turn.")

    def _log(self, _: str) -> None:
        moves = log_lines(self.match.positions, self.names)
        lines = [f"{number}. {line}." for number, line in enumerate(moves, 1)]
        self.console.say_wrapped(*(lines or ["Nobody has moved yet."]))

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
        if not self._question:
            try:
                self.session.undo()
            except OutOfTurn as error:
                self.console.say(str(error))
                return
        self.console.say(*self.session.undone)
        self._keep()
        raise Changed

    def _review(self, _: str) -> None:
        if self.match.moves:
            print_review(self.console, self.session.record())
        else:
            self.console.say("Nobody has moved: there is nothing to review.")

    def _save(self, name: str) -> None:
        """Save a copy, and say how to use it; without a name, say where the game is."""
        session = self.session
        if not name and session.path and session.is_kept:
            self.console.say("The game is saved as you play. For a copy, type: save game.gwr")
            self._say_what_for(session.path)
            return
        if not name:
            self.console.say("Which file? For example: save game.gwr")
            return
        try:
            path = Path(name).expanduser()
            if path not in (*self._ours, session.path) and (note := back_up(path)):
                self.console.say_wrapped(note)
            write_record(session.record(), path)
            self._ours.add(path)
        except (GridwiseError, RuntimeError) as error:  # RuntimeError: ~somebody has no home
            self.console.say_wrapped(str(error))
            return
        self.console.say("Saved.")
        self._say_what_for(path)

    def _say_what_for(self, path: Path) -> None:
        if self.match.outcome:
            self.console.say(f"Review it with: {review_command(path)}")
        else:
            self.console.say(f"Continue with: {resume_command(path)}")

    def _resign(self, _: str) -> None:
        if self.console.interactive and not self.match.outcome:
            sure = self._ask_one_of("Do you want to give up this game? (yes/no): ", ["yes", "no"])
            if sure == "no":
                return
        try:
            self.match.resign()
        except MoveError as error:
            self.console.say(str(error))
            return
        self._keep()
        raise Changed

    def _menu(self, _: str) -> None:
        raise Left(for_menu=True)

    def _quit(self, _: str) -> None:
        raise Left


def answer_of(question: Question, action: int) -> str:
    """The answer that makes an action of the move in question."""
    return next(answer for answer, meant in question.answers.items() if meant == action)
