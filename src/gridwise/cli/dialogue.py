"""A game played in the dialogue: two seats and a console.

The lines come from the game's `text`. This module decides only who is asked, when the board is
shown, and that nothing played is lost; what can be typed beside a move is in `prompt_commands`.
"""

from __future__ import annotations

import time
from contextlib import suppress

from gridwise.cli.console import Console
from gridwise.cli.prompt_commands import CHOICES, Changed, Left, PromptCommands, answer_of
from gridwise.cli.signals import signals_ignored
from gridwise.core.outcome import Outcome, Termination
from gridwise.errors import GridwiseError, MoveError, quoted
from gridwise.play.library import resume_command
from gridwise.play.records import record_text
from gridwise.play.series import Series
from gridwise.play.session import PlaySession
from gridwise.show.progress import COMPILING, notify_if_slow

AFTER_GAME = "[p]lay again, [r]eview, [s]ave, [m]enu, [q]uit: "
THINKING_AFTER = 0.4  # seconds; the perfect bot in Grid Conquest takes two for its first move


class Dialogue(PromptCommands):
    """One game at one console, from where the match stands to its end."""

    def __init__(self, session: PlaySession, console: Console, delay: float = 0.0) -> None:
        """`delay` is how many seconds a program's move is shown before the game goes on."""
        super().__init__(session, console)
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
                    self._show()
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
            warning, session = self.session.keep(), self.session
            if self.match.outcome or not (self.match.moves or session.path):
                return []
            with suppress(GridwiseError):  # also a game that was only watched
                return [f"The game is saved. Continue with: {resume_command(session.store())}"]
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
            action = self._ask_move()
        else:
            # What follows says "you" to the program, so it stands under its name.
            title = self._title(before.turn)
            self.console.say("", f"{title}:", *before.turn_lines)
            thinking = notify_if_slow(f"({title} is thinking.)", THINKING_AFTER)
            with thinking, notify_if_slow(COMPILING):
                action = player.choose(before)
            self._say_answers(action)
        match.move(action)
        self._keep()  # before it is announced
        self.console.say(*before.move_lines(match.position))
        question = before.question(action)
        if player and question and action != question.undecided:
            self.console.say(f"{before.log_line(match.position, self.names)}.")
        if not match.outcome and not self._is_watched and match.view.caption:
            self.console.say(match.view.caption)
        if player:
            time.sleep(self._delay)

    def _title(self, player: int) -> str:
        """`Player 2 (casual bot)`."""
        kind, _, name = (who := self.session.players[player - 1]).partition(":")
        return f"Player {player} ({f'{name} bot' if kind == 'bot' else name or who})"

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
                self.console.say(f"{question.prompt}{answer_of(question, action)}")
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
            self.console.say(*question.lead, f"{question.prompt}{answer_of(question, action)}")

    # The end

    def _finish(self, outcome: Outcome) -> None:
        if outcome.termination is Termination.RESIGNATION:
            self.console.say("", f"{outcome.reason}. Player {outcome.winner} wins the game!")
        elif not outcome.winner:
            self.console.say("", f"The game is {outcome.reason}; nobody has won.")
        else:
            self.console.say(*self.match.position.ending_lines)
        self._show()
        if self.session.person:
            self.console.say("", self.match.position.result_line(self.names))
        if series := Series.from_tags(self.session.tags):
            self.console.say(series.after(outcome.winner).line(self.names))

    def _ask_what_next(self) -> None:
        """Ask what to do after the game, until it is to play again."""
        if None not in self.seats and not self.console.interactive:
            raise Left  # programs that play for a script
        self.console.say("")
        while True:
            text = self._ask(AFTER_GAME)
            word, _, rest = text.strip().partition(" ")
            choice = CHOICES.get(word.casefold())
            if choice == "play":
                return
            if choice is None:
                self.console.say(f"Please type p, r, s, m or q, not {quoted(text)}.")
            else:
                self._carry_out(choice, rest.strip())
