"""PlayScreen: a match with a person in it, who plays by keyboard, mouse or typed moves."""

from __future__ import annotations

from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from gridwise.core.contracts import Question
from gridwise.core.narration import COLOURS
from gridwise.core.position import Position
from gridwise.engine.evaluation import Evaluation, evaluate
from gridwise.engine.hints import hint
from gridwise.engine.review import what_if_limits
from gridwise.errors import EngineFailed, MoveError, OutOfTurn
from gridwise.play.ladder import Help
from gridwise.play.look_back import BEST
from gridwise.play.match import Match
from gridwise.play.series import SINGLE_GAME, Series
from gridwise.play.session import PlaySession
from gridwise.play.setup import Setup
from gridwise.play.values import PRACTICE, legend
from gridwise.players.new_match import ply_limit
from gridwise.players.seats import open_seat
from gridwise.tui.screens.board_screen import TypingScreen
from gridwise.tui.screens.match import MatchScreen
from gridwise.tui.widgets.board import BoardView, decided
from gridwise.tui.widgets.board_drawing import FLAG, LEFT, LEGAL, SHAPES
from gridwise.tui.widgets.dialogs import AskScreen

_MAX_MOVES_NAMED = 4  # moves that are named where one cannot be made


class PlayScreen(MatchScreen, TypingScreen, inherit_bindings=False):
    """A game with a person in it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("i", "hint", "Hint", tooltip="Where to look; again: the move, and why"),
        Binding("z,backspace", "undo", "Undo", tooltip="Take your last move back"),
        Binding("v", "values", "Values", tooltip="Practise: what each move is worth, on its cell"),
        *TypingScreen.BINDINGS,
        Binding("g", "resign", "Resign", show=False, tooltip="Give this game up"),
        Binding(
            "p",
            "play_again",
            "Again",
            show=False,
            tooltip="On the same board; after the end, the next game",
        ),
        Binding(
            "x", "swap", "Swap sides", show=False, tooltip="The same board from the other side"
        ),
        *MatchScreen.BINDINGS,
        Binding("enter", "ask_again", show=False),
    ]

    def __init__(self, session: PlaySession, setup: Setup) -> None:
        super().__init__(session, setup)
        self._practising = False  # whether values are shown
        self._known: tuple[Position, Evaluation] | None = None

    @property
    def help_lines(self) -> list[str]:
        """How to choose a cell, how to write a move, and what the signs mean."""
        text, letters = self.game.text, " ".join(sorted(self.shown.move_initials))
        one, two = (f"{SHAPES[player]} {text.DRAWING.letters[player - 1]}" for player in (1, 2))
        has_tokens = any(cell.token for cell in self.shown.view.cells)
        has_goals = any(self.shown.objective(player).goal >= 0 for player in (1, 2))
        left = f"   {LEFT} where a token was" * has_tokens
        goals = f"{FLAG}1 {FLAG}2 where each player has to go; " * has_goals
        return [
            "Arrows choose among the cells with a dot; Enter plays. Or click. Or type a move: "
            f"digits and the letters {letters} begin one. Other letters are keys.",
            ": has all commands, by name.",
            *text.HELP.splitlines(),
            "",
            f"{one}, {two}  the players' tokens and cells",
            f"{LEGAL} you can go there   {BEST} suggested{left}",
            f"{goals}heavy lines: the last move",
            *filter(None, [text.DRAWING.legend_with(COLOURS)]),
        ]

    # Moves

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        """A cell was chosen: play there, or say why not."""
        position = self.session.match.position
        if not self.board.selectable:
            return
        if actions := position.view.cells[event.cell].actions:
            self._play_move(actions[0])
        else:
            self.read_typed(position.cell_name(event.cell))

    @property
    def asked(self) -> bool:
        """Whether a person is to move."""
        return self.session.asked

    @property
    def shown(self) -> Position:
        """The position on the board."""
        return self.session.match.position

    def read_typed(self, text: str) -> bool:
        """Play a move that is written down; otherwise say what is wrong with it."""
        try:
            action = self.session.match.read(text)
        except MoveError as error:
            # All that can be played are marked on the board.
            few = len(self.session.match.legal_moves) <= _MAX_MOVES_NAMED
            self._say(str(error) if few else error.why or str(error))
            return False
        self._play_move(action)
        return True

    @work(exclusive=True, group="play")
    async def _play_move(self, chosen: int) -> None:
        """Make a person's move, and let programs answer."""
        if not self.session.asked:
            return
        position = self.session.match.position
        question = position.question(chosen)
        if question and chosen == question.undecided:
            self._show((position, position.play(chosen)))
        action = await decided(self.board, position, chosen, self._advice)
        if action is None:
            self._show()
            self.board.cursor = position.target(chosen)
        else:
            await self._make(action)
            await self._let_programs_move()

    async def _advice(self, question: Question) -> str:
        """What speaks for one of the answers to a second question."""
        position = self.session.match.position
        return (await self.app.engine.run(hint, position, question.answers)).text

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What can be done now."""
        going_on = not self.session.match.outcome
        can = {
            "hint": self.asked,
            "values": going_on,
            "type_move": going_on,
            "resign": going_on,
            "ask_again": self._failed and not self._thinking,
        }
        return can.get(action, True) and super().check_action(action, parameters)

    @work(exclusive=True, group="hint")
    async def action_hint(self) -> None:
        """Suggest a move, on the board and in words."""
        position = self.session.match.position
        self._say("Looking for a good move…")
        suggestion = await self.app.engine.run(hint, position)
        said = self.session.next_step(suggestion)
        self._keep()
        if suggestion.names_move(self.session.hint_step):
            target = position.target(position.read(suggestion.move))
            self.board.marks = {**self.board.marks, target: BEST}
        self._say(said)

    # Practice

    @work(group="ask", exclusive=True)
    async def action_values(self) -> None:
        """Show what each move is worth, which is noted in the game; or no more."""
        if not (self._practising or await self._practises()):
            return
        self._practising = not self._practising
        self._show()

    def action_review(self) -> None:
        """Look at the game so far: help as the values are, while there is something to win."""
        if not self.session.is_open:
            super().action_review()
        else:
            self._review_for_practice()

    @work(group="ask", exclusive=True)
    async def _review_for_practice(self) -> None:
        if await self._practises():
            super().action_review()

    async def _practises(self) -> bool:
        """Whether somebody wants to see what moves are worth: that is asked once, and noted."""
        if Help.VALUES not in self.session.tags.get("Help", ""):
            answers = ("Practise", "Keep playing without")
            question, text = PRACTICE
            if await self.app.push_screen_wait(AskScreen.sure(question, answers, text=text)) != 0:
                return False
            self.session.note_help(Help.VALUES)
            self._keep()
        return True

    @property
    def shows_values(self) -> bool:
        """Only in practice, and to who is to move."""
        return self._practising and self.asked

    def _show(self, step: tuple[Position, Position] | None = None) -> None:
        super()._show(step)
        if self.is_attached:
            if self.shown.outcome and self.is_typing:
                self._close_line()
            self.board.values = {}
            if self.shows_values and step is None:
                self._value()

    @work(exclusive=True, group="values")
    async def _value(self) -> None:
        position = self.shown
        if not (self._known and self._known[0] == position):
            limits = what_if_limits(position.game)
            try:
                self._known = position, await self.app.engine.run(evaluate, position, limits)
            except EngineFailed as error:
                self._say(str(error))
                return
        if position == self.shown and self.is_attached:
            self.board.values = self.values_of(position, self._known[1])
            meaning = legend(self.board.values)
            self.write("legend", meaning)
            if self.has_class("-stacked") and not self._note:  # then there is no line for it
                self._say(meaning)

    def action_undo(self) -> None:
        """Go back to the last time a person was asked."""
        self._stop()
        try:
            self.session.undo()
        except OutOfTurn as error:
            self._note = str(error)
        else:
            self._keep()
            self._note = " ".join(self.session.undone)
        self._show()
        self._play()

    def action_ask_again(self) -> None:
        """Ask a program that has failed to move once more."""
        self._note = ""
        self._play()

    @work(group="ask", exclusive=True)
    async def action_resign(self) -> None:
        """Give the game up, if it is meant."""
        answers, question, then = ("Resign", "Keep playing"), "Resign this game?", ""
        if not self.session.person:
            names, turn = self.session.names, self.session.match.turn
            question = f"Does {names[turn - 1].object} resign?"
            then = f"{names[2 - turn].does('win')} then."
        if await self.app.push_screen_wait(AskScreen.sure(question, answers, text=then)) == 0:
            self._stop()
            self.session.match.resign(self.session.person)
            self._keep()
            self._note = ""
            self._show()

    def action_play_again(self) -> None:
        """Start again on the same board; after the end, the next game."""
        if self.session.match.outcome:
            super().action_play_again()
        else:
            self._start_again("Start again?", swapped=False)

    def action_swap(self) -> None:
        """Start again on the other side."""
        self._start_again("Start again on the other side?", swapped=True)

    @work(group="ask", exclusive=True)
    async def _start_again(self, question: str, *, swapped: bool) -> None:
        match = self.session.match
        if match.moves and not match.outcome:
            answers = ("Start again", "Keep playing")
            dialog = AskScreen.sure(question, answers, text="This game stays in your games.")
            if await self.app.push_screen_wait(dialog) != 0:
                return
        self._stop()
        self.app.switch_screen(PlayScreen(restarted(self.session, swapped=swapped), self.setup))


def restarted(session: PlaySession, *, swapped: bool = False) -> PlaySession:
    """A new game on the same board; cells that were face down are dealt afresh."""
    match, game = session.match, session.match.game
    one, two = reversed(session.players) if swapped else session.players
    seats = (open_seat(game, one), open_seat(game, two))
    board, limit = match.positions[0].board, ply_limit(game, seats)
    match = Match(game, board, first=match.first, max_plies=limit)
    series = Series.from_tags(session.tags) or SINGLE_GAME  # a game that is given up does not count
    tags = series.swapped().tags if swapped else series.tags
    return PlaySession(match, seats, (one, two), tags)
