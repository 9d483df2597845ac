"""AnalysisScreen: a free board, on which both sides are played, and which can be edited.

Nothing is saved; its link holds all of it, for the browser and to be pasted again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Static

from gridwise.core.game import Game
from gridwise.core.narration import COLOURS
from gridwise.core.position import Position
from gridwise.engine.lines import best_line
from gridwise.engine.review import worth_text
from gridwise.errors import EngineFailed, GridwiseError, MoveError, printable
from gridwise.play.analysis_board import AnalysisBoard
from gridwise.play.look_back import HERE, NO_LINE
from gridwise.play.values import legend
from gridwise.tui.screens.board_screen import CANCEL, MORE, MoveLine, TypingScreen
from gridwise.tui.screens.review import work_out
from gridwise.tui.widgets.board import BoardView, decided, left_cells
from gridwise.tui.widgets.panel import PlayerPanel

BUTTONS = {
    "◂◂": "go(False)",
    "◂": "step(-1)",
    "▸": "step(1)",
    "▸▸": "go(True)",
    "Values": "values",
    "Line": "follow",
    "Edit": "edit",
    "Back": "leave",
}
_EDITING = (
    "Editing: type one of {glyphs} for each cell. Arrows go elsewhere; Enter or a click counts up."
)
_PLACEHOLDER = "A move, a board, a size (4x6), a link"


class AnalysisScreen(TypingScreen):
    """Any position of a game."""

    line_id = "#text"
    enter_does = "Go"

    AUTO_FOCUS = "#board"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("comma", "step(-1)", "Back", tooltip="One move back"),
        Binding("full_stop", "step(1)", "On", tooltip="One move on"),
        Binding("home", "go(False)", "Start", show=False, tooltip="Before the first move"),
        Binding("end", "go(True)", "End", show=False, tooltip="After the last move"),
        Binding("z,backspace", "take_back", "Undo", tooltip="Take the last move back"),
        Binding("v", "values", "Values", tooltip="What each move is worth, on its cell"),
        Binding("f", "follow", "Line", tooltip="The best line from here, to step through"),
        Binding("s,f2", "edit", "Edit", tooltip="Set the board up: put numbers into its cells"),
        Binding("m,slash", "write_text", "Type", tooltip="A move, a board, a size or a link"),
        Binding("y", "copy_link", "Link", show=False, tooltip="Copy the link to this position"),
        MORE,
        Binding("h", "rules", "Rules", show=False, tooltip="The rules of this game"),
        CANCEL,
        Binding("escape,q", "leave", "Leave", tooltip="Leave the editor, then the board"),
    ]

    help_lines = (
        "Choose a cell to move there, for either side; or type a move. Comma and full stop step "
        "through the moves; nothing is lost until another move is made. Paste a board, a record "
        "or a link to go there.",
    )

    def __init__(self, analysis: AnalysisBoard) -> None:
        super().__init__()
        self.analysis = analysis
        self._shows_values = True
        self._editing = False
        self._note = ""  # why something cannot be done

    @property
    def game(self) -> Game:
        """The game that is looked at."""
        return self.analysis.game

    @property
    def shows_values(self) -> bool:
        """Values are what this board is for: they are on at first."""
        return self._shows_values

    # What is shown

    def compose_panel(self) -> ComposeResult:
        """Both players, what it is worth, and the moves."""
        yield PlayerPanel(1)
        yield PlayerPanel(2)
        with VerticalScroll(id="words", can_focus=False):
            yield Static(id="said", markup=False)
        with VerticalScroll(id="way", can_focus=False):
            yield Static(id="moves", markup=False)
        yield MoveLine(id="text", placeholder=_PLACEHOLDER, select_on_focus=False)
        with Horizontal(id="buttons"):
            for label, action in BUTTONS.items():
                classes = f"-{action.partition('(')[0]}"
                yield Button(label, name=action, compact=True, classes=classes)

    def on_mount(self) -> None:
        """Show the board, and work out what it is worth."""
        self.write("title", f"Analysis: {self.game.title}")
        self._show()
        self._work_out()

    def _show(self) -> None:
        analysis = self.analysis
        position = analysis.position
        self.set_class(self._editing, "-editing")
        self.show_players(position, COLOURS, position.turn)
        evaluation = analysis.evaluation(None)
        if self._editing:
            view = analysis.edited_view
            cells = tuple(each._replace(actions=(0,)) for each in view.cells)
            self.board.values, self.board.marks = {}, {}
            self.board.view = replace(view, cells=cells)
            self.board.selectable = True
        else:
            marks = left_cells(analysis.before, position) if analysis.before else {}
            self.board.values = self.values_of(position, evaluation)
            self.board.show(position, marks, selectable=not position.outcome)
        self._show_words(position)
        moves, here = analysis.moves, analysis.place
        self.write("moves", " ".join([*moves[:here], HERE, *moves[here:]]) if moves else "")
        self.refresh_bindings()

    def _show_words(self, position: Position) -> None:
        evaluation = self.analysis.evaluation(None)
        lines = [position.result_line(COLOURS)]
        if not position.outcome:
            lines = [f"{COLOURS[position.turn - 1].subject} to move."]
        why = self.analysis.reasons.get(position)
        if self._editing:
            lines = [_EDITING.format(glyphs=self.analysis.glyphs)]
        elif evaluation and self._shows_values:
            lines = [worth_text(position.turn, evaluation, COLOURS), legend(self.board.values)]
            if why:
                lines.append(f"{why.move}: {why.text(COLOURS)}")
        if self._note:
            lines = [printable(self._note)]
        first, *rest = lines
        self.write("said", Content("\n").join([Content.styled(first, "bold"), *map(Content, rest)]))

    def _say(self, note: str) -> None:
        self._note = note
        self._show_words(self.analysis.position)

    def _changed(self, analysis: AnalysisBoard | None = None) -> None:
        """Show another place, or another board."""
        if analysis:
            if analysis.game is not self.game:
                self.write("title", f"Analysis: {analysis.game.title}")
            self.analysis = analysis
        self._note = ""
        self._show()
        self._work_out()

    @work(exclusive=True, group="worth")
    async def _work_out(self) -> None:
        if self._editing:
            return
        try:
            found = await work_out(self.app.engine, self.analysis)
        except EngineFailed as error:
            self._say(str(error))
            return
        if found:
            self._show()

    # Moves

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        """A cell was chosen: move there, or put the next thing into it."""
        position = self.analysis.position
        if self._editing:
            self._put(event.cell, self._next_glyph(event.cell))
        elif actions := position.view.cells[event.cell].actions:
            self._make(actions[0])
        elif not position.outcome:
            self.read_typed(position.cell_name(event.cell))

    @work(exclusive=True, group="move")
    async def _make(self, chosen: int, *, typed: bool = False) -> None:
        action = await decided(self.board, self.analysis.position, chosen)
        if action is None:
            return
        try:
            self.analysis.try_move(action)
        except GridwiseError as error:
            self._say(str(error))
            if typed:
                self._open_line("")
        else:
            self._changed()

    def read_typed(self, text: str) -> bool:
        """Make a move that was typed, or go to the board that was; otherwise say what is wrong."""
        position = self.analysis.position
        try:
            self._make(position.read(text), typed=True)
        except MoveError as error:
            try:
                self._changed(self.analysis.read(text.strip()))
            except GridwiseError as other:
                is_board = any(char in text for char in "/[")
                self._say(str(other if is_board else error))
                return False
        return True

    def action_step(self, by: int) -> None:
        """One move on or back."""
        self.analysis.step(by)
        self._changed()

    def action_go(self, end: bool) -> None:
        """To the start or the end of the moves."""
        self.analysis.go_to_move(len(self.analysis.moves) if end else 0)
        self._changed()

    def action_take_back(self) -> None:
        """Take the last move back."""
        self.analysis.take_back()
        self._changed()

    def action_values(self) -> None:
        """Show what each move is worth, or no more."""
        self._shows_values = not self._shows_values
        self._changed()

    @work(exclusive=True, group="line")
    async def action_follow(self) -> None:
        """Lay the best line from here ahead."""
        analysis, position = self.analysis, self.analysis.position
        try:
            line = await self.app.engine.run(best_line, position)
        except EngineFailed as error:
            self._say(str(error))
            return
        if analysis is self.analysis and position == analysis.position:
            analysis.follow("", line)
            self._changed()
            if not line:
                self._say(NO_LINE)

    # Editing

    def action_edit(self) -> None:
        """Edit the board, or play on it again."""
        self._editing = not self._editing
        self._changed()
        self._close_line()

    def _next_glyph(self, cell: int) -> str:
        glyphs = self.analysis.glyphs
        now = self.game.glyphs[self.analysis.board.cells[cell]]
        return glyphs[(glyphs.index(now) + 1) % len(glyphs)]

    def _put(self, cell: int, glyph: str) -> None:
        try:
            self._changed(self.analysis.with_cell(cell, glyph))
        except GridwiseError as error:
            self._say(str(error))
        self.board.cursor = cell

    # The line for a move, a board or a link

    @property
    def asked(self) -> bool:
        """Whatever is typed can be looked at."""
        return True

    @property
    def shown(self) -> Position:
        """The position on the board."""
        return self.analysis.position

    @property
    def can_type(self) -> bool:
        """After the end, too: another board can be typed."""
        return True

    @property
    def takes_letters(self) -> bool:
        """Whether a letter can begin a move where the keys go now."""
        return super().takes_letters and not self._editing

    def on_key(self, event: events.Key) -> None:
        """A character that can be in a cell."""
        char, here = (event.character or "").upper(), self.app.screen is self
        if not (here and self._editing and self.focused is self.board) or not char:
            return
        if char in self.analysis.glyphs:
            event.stop().prevent_default()
            cell = self.board.cursor
            self._put(cell, char)
            self.board.cursor = (cell + 1) % self.analysis.board.size  # rows can be typed

    def on_paste(self, event: events.Paste) -> None:
        """A move, a board, a record or a link."""
        event.prevent_default()
        if self.focused is self.board and event.text.strip():
            event.stop()
            self.read_typed(event.text.strip())

    def action_write_text(self) -> None:
        """Open the line."""
        self._open_line("")

    def action_copy_link(self) -> None:
        """Copy the link to this position, which the browser and this screen can read."""
        self.app.copy_to_clipboard(self.analysis.link)
        self.notify(self.analysis.link, title="Copied", timeout=8)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What can be done now."""
        can = {
            "type_move": False,  # its key is the one for all that can be typed
            "take_back": bool(self.analysis.place),
            "follow": not (self._editing or self.analysis.position.outcome),
            "values": not self._editing,
        }
        return can.get(action, True) and super().check_action(action, parameters)

    def action_leave(self) -> None:
        """Leave the editor, or the screen."""
        if self._editing:
            self.action_edit()
        else:
            super().action_leave()
