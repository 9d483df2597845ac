"""LessonScreen: a guided first game, from the first move to the win; the same as in the browser."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Static

from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.errors import EngineFailed, MoveError
from gridwise.play.lesson import (
    LEARNER,
    LessonPlace,
    lesson_answer,
    lesson_place,
    lesson_reason,
    trap_place,
)
from gridwise.play.look_back import BEST
from gridwise.tui.screens.board_screen import CANCEL, MORE, TypingScreen
from gridwise.tui.widgets.board import BoardView, decided, left_cells
from gridwise.tui.widgets.panel import PlayerPanel

# What the buttons say and do.
BUTTONS = {
    "What if…": "trap",
    "Go on": "go_on",
    "Play a real game": "play",
    "Back": "leave",
}


class LessonScreen(TypingScreen):
    """One move after the other: what to do, why, and what comes of it."""

    AUTO_FOCUS = "#board"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "trap", "What if…", tooltip="See the line that goes wrong here"),
        Binding("n,enter,right", "go_on", "Go on", key_display="n", tooltip="Back to the lesson"),
        Binding("p", "play", "Play", tooltip="Play a real game"),
        Binding("z,backspace", "step_back", "Undo", show=False, tooltip="The step before"),
        MORE,
        Binding("h", "rules", "Rules", tooltip="The rules of this game"),
        CANCEL,
        Binding("escape,q", "leave", "Leave", tooltip="Back to where you came from"),
    ]

    help_lines = (
        f"Make the move that the words ask for: {BEST} is on its cell. Arrows and Enter, a click, "
        "or type it. Any other move is answered, and you can try again.",
    )

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._game = game
        self._place: LessonPlace = lesson_place(game, 1)
        self._trapped = False  # whether the line that goes wrong is shown
        self._at: Position = self._place.position  # what is on the board
        self._busy = False  # while moves are shown
        self._wrong = ""  # what is said about the last move

    # What is shown

    def compose_panel(self) -> ComposeResult:
        """What is said, both players, and what can be done."""
        with VerticalScroll(id="words", can_focus=False):
            yield Static(id="said", markup=False)
        yield from self.compose_line()
        yield PlayerPanel(1)
        yield PlayerPanel(2)
        with Horizontal(id="buttons"):
            for label, action in BUTTONS.items():
                yield Button(label, name=action, id=f"{action}-button", compact=True)

    def on_mount(self) -> None:
        """Begin."""
        self._show()

    def on_resize(self) -> None:
        """Fit the players into the room there is."""
        self.call_after_refresh(self._show)

    @property
    def game(self) -> Game:
        """The game that is learnt."""
        return self._game

    @property
    def shown(self) -> Position:
        """The position on the board."""
        return self._at

    @property
    def asked(self) -> bool:
        """Whether a move can be made now."""
        return not (self._busy or self._trapped or self._place.over)

    @property
    def can_type(self) -> bool:
        """Whether a move will be asked for here."""
        return not (self._trapped or self._place.over)

    def _say(self, note: str) -> None:
        """Say something, until the next move is shown."""
        self.write("said", Content.styled(note, "bold"))

    def _show(self, before: Position | None = None) -> None:
        """Show where the lesson stands; `before` is where the last move came from."""
        place, position = self._place, self._at
        marks = left_cells(before, position) if before else {}
        if self.asked:
            marks |= dict.fromkeys(place.look, BEST)
        self.board.show(position, marks, selectable=self.asked)
        self.show_players(position, LEARNER, position.turn)
        self.query(PlayerPanel).set_class(self.has_class("-narrow"), "-short")
        dots = "".join(
            "●" if number < place.number else "○" for number in range(1, place.steps + 1)
        )
        self.write("title", f"Learn {self._game.title} {dots}")
        self.write("said", self._words())
        for action in ("trap", "go_on", "play"):
            self.query_one(f"#{action}-button").display = bool(self.check_action(action, ()))
        self.refresh_bindings()

    def _words(self) -> Content:
        """What happened, and what to do."""
        place = self._place
        if self._busy:
            return Content(f"{self._at.last_line(LEARNER)}.")
        parts = [Content(text) for text in place.says]
        if self._trapped:
            parts.insert(0, Content.styled(place.trap, "bold"))
        if self._wrong:
            parts = [Content.styled(self._wrong, "$error")]
        if place.task:
            parts.append(Content.styled(place.task, "bold"))
        return Content("\n\n").join(parts)

    # Moves

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        """A cell was chosen: that is the move."""
        if self.asked:
            actions = self._at.view.cells[event.cell].actions
            if actions:
                self._answer(actions[0])
            else:
                self.read_typed(self._at.cell_name(event.cell))

    def read_typed(self, text: str) -> bool:
        """Make a move that was typed, or say what is wrong with it."""
        try:
            self._answer(self._at.read(text), typed=True)
        except MoveError as error:
            self._wrong = str(error)
            self._show()
            return False
        return True

    @work(exclusive=True, group="lesson")
    async def _answer(self, chosen: int, *, typed: bool = False) -> None:
        """Go on after the right move; otherwise say why it is not, and show it if that teaches.

        After one that was typed the next one can be typed at once.
        """
        action = await decided(self.board, self._at, chosen)
        if action is None:
            return
        number = self._place.number
        self._wrong, is_trap = lesson_answer(self._game, number, action)
        if is_trap:
            await self._go_to(trap_place(self._game, number), trapped=True)
        elif not self._wrong:
            await self._go_to(lesson_place(self._game, number + 1))
        else:
            self._show()
            if typed:
                self._open_line("")
            with suppress(EngineFailed):  # then the lesson's own words have to do
                reason = await self.app.engine.run(lesson_reason, self._game, number, action)
                if reason and self._place.number == number:
                    self._wrong = f"{self._wrong} {reason}"
                    self._show()

    async def _go_to(self, place: LessonPlace, *, trapped: bool = False) -> None:
        """Show what happens on the way to a place, move by move, and then what is said there."""
        self._place, self._trapped, self._wrong, self._busy = place, trapped, "", True
        before, *after = place.way
        for self._at in after:
            self._show(before)
            before = self._at
            await asyncio.sleep(self.app.delay)
        self._busy, self._at = False, place.position
        self._show(place.way[-2] if after else None)
        self.query_one("#words", VerticalScroll).scroll_home(animate=False)
        if not self.asked:
            self._close_line()
            self.query_one("#go_on-button" if trapped else "#play-button").focus()
        elif not self.is_typing:  # or somebody types ahead
            self.board.focus()

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What can be done now."""
        can = {
            "trap": self.asked and bool(self._place.trap),
            "go_on": self._trapped and not self._busy,
            "play": self._place.over and not self._busy,
            "step_back": self._place.number > 1 and not self._busy,
        }
        return can.get(action, True) and super().check_action(action, parameters)

    @work(exclusive=True, group="lesson")
    async def action_trap(self) -> None:
        """Show the line that goes wrong here."""
        await self._go_to(trap_place(self._game, self._place.number), trapped=True)

    @work(exclusive=True, group="lesson")
    async def action_go_on(self) -> None:
        """Leave the line that goes wrong, back to the step."""
        await self._go_to(_arrived(lesson_place(self._game, self._place.number)))

    @work(exclusive=True, group="lesson")
    async def action_step_back(self) -> None:
        """Back to the step before."""
        number = self._place.number - (not self._trapped)
        await self._go_to(_arrived(lesson_place(self._game, number)))

    def action_play(self) -> None:
        """Choose an opponent for a real game."""
        self.app.pop_screen()
        self.app.open("new_game", self._game)


def _arrived(place: LessonPlace) -> LessonPlace:
    """A place without the moves that led to it: they have been seen."""
    return place._replace(way=place.way[-1:])
