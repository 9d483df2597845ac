"""A game played in the dialogue, and again until the people have had enough.

The lines come from the game's `text`. This module decides only who is asked, when the board is
shown, what can be typed beside a move, and that nothing played is lost.
"""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from gridwise.cli.command_prompt import CommandPrompt, Left, LeftForMenu, answer_of
from gridwise.cli.commands.review import print_review
from gridwise.cli.console import Console
from gridwise.cli.signals import INTERRUPTED, forget_output, signals_ignored
from gridwise.core.narration import NEUTRAL, capitalized, numbered_names
from gridwise.core.outcome import Outcome, Termination
from gridwise.core.position import Position, log_lines
from gridwise.engine.hints import hint
from gridwise.errors import GridwiseError, MoveError, OutOfTurn, quoted
from gridwise.play.ladder import Help
from gridwise.play.library import resume_command, review_command
from gridwise.play.records import back_up, record_text, write_record
from gridwise.play.series import Series
from gridwise.play.session import PlaySession
from gridwise.play.setup import Setup
from gridwise.play.values import MARKED
from gridwise.players.new_match import set_up
from gridwise.players.seats import programs_running
from gridwise.show.progress import COMPILING, notify_if_slow

AFTER_GAME = "[p]lay again, [r]eview, [s]ave, [m]enu, [q]uit: "
DEALING = "(Looking for an even board.)"
PACE_SECONDS = 0.8  # that a program's move is shown at a terminal before the game goes on
THINKING_AFTER_SECONDS = 0.4  # the perfect bot in Grid Conquest takes two for its first move

# What can be typed while a game is on; the first word names the method that does it.
COMMANDS = {
    "help": "show this list",
    "rules": "read the rules",
    "board": "draw the board again",
    "read": "describe the board in sentences",
    "score": "say what each player has and needs",
    "log": "tell every move so far",
    "hint": "where to look; again: the move, and why",
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


class Changed(Exception):
    """The position is another one now: draw it and continue from there."""


class Dialogue(CommandPrompt):
    """One game at one console, from where the match stands to its end."""

    commands: ClassVar = COMMANDS
    aliases: ClassVar = CommandPrompt.aliases | {"scores": "score"}

    def __init__(self, session: PlaySession, console: Console, delay: float = 0.0) -> None:
        """`delay` is how many seconds a program's move is shown before the game goes on."""
        super().__init__(console)
        self.session, self.match, self.seats = session, session.match, session.seats
        # As in the fixed lines of the dialogue; two people may have names.
        two_people = session.seats == (None, None)
        self.names = session.names if two_people else numbered_names(session.person)
        self._own_files: set[Path] = set()  # it was saved to them, so they may be written over
        self._delay = delay

    def play(self) -> None:
        """Play to the end, until the people want another game. Raises Left or EOFError."""
        self._keep()
        while True:
            with suppress(Changed):
                if outcome := self.match.outcome:
                    self._finish(outcome)
                    self._ask_what_next()
                    return
                if self._is_watched:
                    self._board()
                self._turn()

    @property
    def _is_watched(self) -> bool:
        """Whether somebody looks at the board now: whoever is to move, or watches two programs."""
        return self.session.asked or None not in self.seats

    def save_on_leaving(self) -> list[str]:
        """Save an unfinished game; the lines that say where it is and how to continue."""
        # A closed terminal ends the input and sends a signal at about the same time.
        with signals_ignored():
            # A move may have been made and not written when we were interrupted.
            warning, session = self.session.save(), self.session
            if self.match.outcome or not (self.match.moves or session.path):
                return []
            if not (session.path or None in session.seats):  # it was nobody's, only watched
                return ["The game was not kept; with --record FILE it is."]
            with suppress(GridwiseError):
                again = resume_command(session.store(), *self.console.options)
                return [f"The game is saved. Continue with: {again}"]
            return [
                *([warning] if warning else []),
                "The game could not be saved. Here it is: put it into a file and continue with",
                "gridwise play --resume FILE",
                record_text(session.record()),
            ]

    # One turn

    def _turn(self) -> None:
        match, before = self.match, self.match.position
        player = self.seats[before.turn - 1]
        if player is None:
            self.console.say("", *before.turn_lines)
            action = self.ask_move(before, before.move_prompt)
        else:
            # What follows says "you" to the program, so it stands under its name.
            title = self._title(before.turn)
            self.console.say("", f"{title}:", *before.turn_lines)
            thinking = notify_if_slow(f"({title} is thinking.)", THINKING_AFTER_SECONDS)
            with thinking, notify_if_slow(COMPILING):
                action = player.choose(before)
            self._say_answers(action)
        match.move(action)
        self._keep()  # before it is announced
        self.console.say(*before.move_lines(match.position))
        question = before.question(action)
        if player and question and action != question.undecided:
            self.console.say(f"{match.position.last_line(self.names)}.")
        if not match.outcome and not self._is_watched and match.view.caption:
            self.console.say(match.view.caption)
        if player and self._delay:
            sys.stdout.flush()  # whoever watches through a pipe sees it, too
            time.sleep(self._delay)

    def _title(self, player: int) -> str:
        """`Player 2 (casual bot)`."""
        kind, _, name = (who := self.session.players[player - 1]).partition(":")
        return f"Player {player} ({f'{name} bot' if kind == 'bot' else name or who})"

    def _say_answers(self, action: int) -> None:
        """Print what a program would have typed."""
        position = self.match.position
        question = position.question(action)
        first = question.undecided if question else action
        self.console.say(f"{position.move_prompt}{position.name(first)}")
        if question:
            self.console.say(*question.lead, f"{question.prompt}{answer_of(question, action)}")

    # The end

    def _finish(self, outcome: Outcome) -> None:
        if outcome.termination is Termination.RESIGNATION:
            self.console.say("", f"{outcome.reason}. Player {outcome.winner} wins the game!")
        elif not outcome.winner:
            self.console.say("", f"The game is {outcome.reason}; nobody has won.")
        else:
            self.console.say(*self.match.position.ending_lines)
        self._board()
        if self.names != NEUTRAL:
            self.console.say("", self.match.position.result_line(self.names))
        if series := Series.from_tags(self.session.tags):
            self.console.say(
                series.after(outcome.winner, self.match.moves_of(outcome.winner)).line(self.names)
            )
        if note := self.session.result_note:
            self.console.say_wrapped(note)

    def _ask_what_next(self) -> None:
        """Ask what to do after the game, until it is to play again."""
        if None not in self.seats and not self.console.interactive:
            raise Left  # programs that play for a script
        self.console.say("")
        while True:
            text = self.ask(AFTER_GAME)
            word, _, rest = text.strip().partition(" ")
            choice = CHOICES.get(word.casefold())
            if choice == "play":
                return
            if choice is None:
                self.console.say(f"Please type p, r, s, m or q, not {quoted(text)}.")
            else:
                self.carry_out(choice, rest.strip())

    # The game, its file and its picture

    def _keep(self) -> None:
        """Write the game so far to its file."""
        if warning := self.session.save():
            self.console.say_wrapped(warning)

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.match.position

    # Commands

    def _help(self, _: str) -> None:
        commands, asked = COMMANDS, self.question
        if self.match.outcome:
            commands = AFTER_COMMANDS
            self.console.say("The game is over. You can type")
        elif asked:
            labels = zip(asked.answers, asked.labels, strict=True)
            meanings = [f"{answer}: {label}." for answer, label in labels]
            self.console.say_wrapped(*meanings, "You can also type")
        else:
            self.console.say_wrapped(self.match.game.text.HELP, "You can also type")
        self.say_commands(commands)

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
        answers = self.question.answers if self.question else {}
        with notify_if_slow():
            suggestion = hint(self.match.position, answers)
        said = self.session.next_step(suggestion)
        self._keep()
        more = self.session.hint_step < len(suggestion.steps) - 1
        self.console.say_wrapped(said + " Type hint again to hear more." * more)

    def _undo(self, _: str) -> None:
        """Go back to the last time a person was asked."""
        if not self.question:
            try:
                self.session.undo()
            except OutOfTurn as error:
                self.console.say(str(error))
                return
        self.console.say(*self.session.undone)
        self._keep()
        raise Changed

    def _review(self, _: str) -> None:
        if not self.match.moves:
            self.console.say("Nobody has moved: there is nothing to review.")
            return
        noted = Help.VALUES in self.session.tags.get("Help", "")
        if self.session.is_open and not noted:  # it tells how to answer the last move
            self.console.say_wrapped(MARKED, "")
            self.session.note_help(Help.VALUES)
            self._keep()
        print_review(self.console, self.session.record())

    def _save(self, name: str) -> None:
        """Save a copy, and say how to use it; without a name, say where the game is."""
        session = self.session
        if not name and session.path and session.is_saved:
            self.console.say("The game is saved as you play. For a copy, type: save game.gwr")
            self._say_what_for(session.path)
            return
        if not name:
            self.console.say("Which file? For example: save game.gwr")
            return
        try:
            path = Path(name).expanduser()
            if path not in (*self._own_files, session.path) and (note := back_up(path)):
                self.console.say_wrapped(note)
            write_record(session.record(), path)
            self._own_files.add(path)
        except (GridwiseError, RuntimeError) as error:  # RuntimeError: ~somebody has no home
            self.console.say_wrapped(str(error))
            return
        self.console.say("Saved.")
        self._say_what_for(path)

    def _say_what_for(self, path: Path) -> None:
        if self.match.outcome:
            self.console.say(f"Review it with: {review_command(path)}")
        else:
            self.console.say(f"Continue with: {resume_command(path, *self.console.options)}")

    def _resign(self, _: str) -> None:
        if self.console.interactive and not self.match.outcome:
            sure = self.ask_one_of("Do you want to give up this game? (yes/no): ", ["yes", "no"])
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
        raise LeftForMenu


# Rounds


def play_rounds(setup: Setup, console: Console, delay: float | None = None) -> int | None:
    """Play, and again if the people want to; the exit status, or None if they go to the menu."""
    if delay is None:
        delay = PACE_SECONDS if console.interactive and sys.stdout.isatty() else 0.0
    while True:
        with notify_if_slow(DEALING):
            session = set_up(setup)
        with programs_running(session.seats):
            if setup.record:
                # A place that cannot be written to is found out now, not after the first move.
                session.store()
                if session.note:
                    console.say(session.note)
            dialogue = Dialogue(session, console, delay)
            # Here as everywhere it is saved before anything is printed, which may fail.
            try:
                _greet(setup, dialogue)
                dialogue.play()
            except (Left, EOFError) as left:
                blank = [""] if console.interactive else []
                console.say(*blank, *dialogue.save_on_leaving())
                return None if isinstance(left, LeftForMenu) else 0
            except KeyboardInterrupt:
                console.say("", *dialogue.save_on_leaving())
                return INTERRUPTED
            except GridwiseError:  # a program that was to play does not
                console.say("", *dialogue.save_on_leaving())
                raise
            except OSError:
                # Our output goes nowhere: its reader, the terminal or room on the disk has gone.
                forget_output()
                for line in dialogue.save_on_leaving():
                    print(line, file=sys.stderr)
                raise
        setup = setup.next_game(session)


# What is said before the first move


def _greet(setup: Setup, dialogue: Dialogue) -> None:
    session, console = dialogue.session, dialogue.console
    match = session.match
    game, target = match.game, match.board.target
    console.say_wrapped(f"{game.title}: {game.text.SUMMARY}")
    if target != game.target:
        console.say_wrapped(f"This game is played to {target}, not to {game.target}.")
    if None in session.seats:
        console.say_wrapped("Type help at any prompt to see what else you can do.")
    if session.notice:
        console.say_wrapped(session.notice)
    if you := session.person:
        kind, _, level = (opponent := session.players[2 - you]).partition(":")
        opponent = f"the {level} bot" if kind == "bot" else opponent
        console.say_wrapped(f"You are Player {you}. Player {3 - you} is {opponent}.")
    elif dialogue.names != NEUTRAL:
        one, two = dialogue.names
        console.say_wrapped(f"Player 1 is {one.object}. Player 2 is {two.object}.")
    series = Series.from_tags(session.tags)
    if setup.round > 1 and not series:
        console.say_wrapped("Sides are swapped: whoever was Player 1 is now Player 2.")
    if None in session.seats or setup.handicap:
        console.say_wrapped(*setup.opening_lines(session, NEUTRAL))
    if series:
        explained = f" {capitalized(series.about)}" if series.round == 1 else ""
        console.say_wrapped(f"{series.line(dialogue.names)}{explained}")
    if game.coin_toss and not match.moves:
        console.say(f"Player {match.first} goes first.")
