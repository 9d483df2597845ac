"""PlayScreen: a match with a person in it, who plays by keyboard, mouse or typed moves."""

from __future__ import annotations

from typing import ClassVar

from textual import events, work
from textual.binding import Binding, BindingType
from textual.widgets import Input

from gridwise.core.contracts import Question
from gridwise.engine.hints import hint
from gridwise.errors import MoveError, OutOfTurn
from gridwise.play.look_back import BEST
from gridwise.play.match import Match
from gridwise.play.series import SINGLE_GAME, Series
from gridwise.play.session import PlaySession
from gridwise.players.new_match import ply_limit
from gridwise.players.seats import open_seat
from gridwise.tui.screens.match import MatchScreen
from gridwise.tui.widgets.board import BoardView, decided
from gridwise.tui.widgets.board_drawing import FLAG, LEFT, LEGAL, SHAPES
from gridwise.tui.widgets.dialogs import AskScreen

_MAX_MOVES_NAMED = 4  # moves that are named where one cannot be made
_LINE_OPENERS = ":/("  # characters that open the line for a typed move, besides letters and digits


class PlayScreen(MatchScreen, inherit_bindings=False):
    """A game with a person in it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("i", "hint", "Hint", tooltip="Suggest a move"),
        Binding("u", "undo", "Undo", tooltip="Take your last move back"),
        Binding("escape", "cancel_typing", "Cancel"),
        Binding("m", "type_move", "Type", show=False, tooltip="Type a move: a cell or a direction"),
        Binding("g", "resign", "Resign", show=False, tooltip="Give this game up"),
        Binding("p", "play_again", "Start again", show=False, tooltip="On the same board"),
        Binding(
            "x", "swap", "Swap sides", show=False, tooltip="The same board from the other side"
        ),
        *MatchScreen.BINDINGS,
        Binding("enter", "ask_again", show=False),
    ]

    @property
    def help_lines(self) -> list[str]:
        """How to choose a cell, how to write a move, and what the signs mean."""
        text = self.game.text
        one, two = (f"{SHAPES[player]} {text.DRAWING.letters[player - 1]}" for player in (1, 2))
        return [
            "Arrows, hjkl or wasd choose among the cells with a dot; Enter plays. Or click.",
            "Or type a move: digits and capitals begin a line, m opens one.",
            *text.HELP.splitlines(),
            "",
            f"{one}, {two}  the players' tokens and cells",
            f"{LEGAL} you can go there   {BEST} suggested   {LEFT} where a token was",
            f"{FLAG}1 {FLAG}2 where each player has to go; heavy lines: the last move",
            *filter(None, [text.DRAWING.legend]),
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
            self._read(position.cell_name(event.cell))

    def _read(self, text: str) -> bool:
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

    # Typed moves

    def on_key(self, event: events.Key) -> None:
        """Digits, capitals and letters that are no keys begin a typed move."""
        char = event.character or ""
        if self.has_class("-typing") and event.is_printable:
            # Typed so fast that it was on its way to the board when the line opened.
            event.stop()
            self.query_one("#move", Input).insert_text_at_cursor(char)
            return
        typed = char.isalnum() or (char and char in _LINE_OPENERS)
        if self.focused is not self.board or not typed or event.key in self.active_bindings:
            return
        event.stop()
        self._open_line("" if char in ":/" else char)

    def on_paste(self, event: events.Paste) -> None:
        """A move that is pasted is a typed one."""
        if self.focused is self.board and event.text.strip():
            event.stop()
            self._open_line(event.text.split("\n")[0].strip())

    def _open_line(self, text: str) -> None:
        if not self.session.asked:
            return
        self.add_class("-typing")
        line = self.query_one("#move", Input)
        line.value = text
        self.set_focus(line)  # at once: with `line.focus()` keys that come fast go to the board
        line.cursor_position = len(text)

    def _close_line(self) -> None:
        self.remove_class("-typing")
        self.board.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Play what was typed; what cannot be played stays, to be put right."""
        if not event.value.strip() or self._read(event.value):
            self._close_line()

    def action_type_move(self) -> None:
        """Open the line for a typed move."""
        self._open_line("")

    def action_cancel_typing(self) -> None:
        """Close the line for a typed move."""
        self._close_line()

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's
        """What can be done now."""
        session, typing = self.session, self.has_class("-typing")
        can = {
            "cancel_typing": typing,
            "leave": not typing,
            "hint": session.asked,
            "type_move": session.asked,
            "resign": not session.match.outcome,
            "ask_again": self._failed and not self._thinking,
        }
        return can.get(action, True)

    @work(exclusive=True, group="hint")
    async def action_hint(self) -> None:
        """Suggest a move, on the board and in words."""
        position = self.session.match.position
        self._say("Looking for a good move…")
        suggestion = await self.app.engine.run(hint, position)
        target = position.target(position.read(suggestion.move))
        self.board.marks = {**self.board.marks, target: BEST}
        self._say(suggestion.text)

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
        answers = ("Resign", "Keep playing")
        if await self.app.push_screen_wait(AskScreen("Resign this game?", answers)) == 0:
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
            dialog = AskScreen(question, answers, text="This game stays in your games.")
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
