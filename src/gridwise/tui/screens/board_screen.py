"""BoardScreen: what all screens with a large board share, to play, to solve or to look back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import events, getters
from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Button, Input, Static

from gridwise.core.game import Game
from gridwise.core.narration import Names
from gridwise.core.position import Position
from gridwise.tui.app import GridwiseApp
from gridwise.tui.widgets.board import BoardView
from gridwise.tui.widgets.footer import KeyFooter
from gridwise.tui.widgets.panel import PlayerPanel

if TYPE_CHECKING:  # they come with the engine: 60 ms
    from gridwise.engine.evaluation import Evaluation
    from gridwise.play.values import CellValue


class BoardScreen(Screen[None]):
    """A board, words beside it, and buttons that do what the keys do."""

    app = getters.app(GridwiseApp)

    def compose(self) -> ComposeResult:
        """The board, and the panel beside it or below."""
        with Horizontal(id="main"):
            yield BoardView(id="board")
            with Vertical(id="panel"):
                yield Static(id="title", markup=False)
                yield from self.compose_panel()
        yield KeyFooter()

    def compose_panel(self) -> ComposeResult:
        """What stands below the title in the panel."""
        raise NotImplementedError

    @property
    def board(self) -> BoardView:
        """The board."""
        return self.query_one("#board", BoardView)

    @property
    def game(self) -> Game | None:
        """The game that is shown, if there is one."""
        raise NotImplementedError

    def write(self, name: str, text: str | Content) -> None:
        """Put a text into the part of that name; nothing in it is markup."""
        self.query_one(f"#{name}", Static).update(
            text if isinstance(text, Content) else Content(text)
        )

    @property
    def shows_values(self) -> bool:
        """Whether the board shows what the moves are worth: as it was last chosen."""
        return self.app.shows_values

    def values_of(self, position: Position, evaluation: Evaluation | None) -> dict[int, CellValue]:
        """What the moves are worth, by their cells, where that is known and to be shown."""
        if evaluation is None or not self.shows_values:
            return {}
        from gridwise.play.values import cell_values  # noqa: PLC0415 - the engine, as above

        return cell_values(position, evaluation)

    def show_players(self, position: Position, names: Names, turn: int) -> None:
        """Show both players; `turn` is the one to move."""
        for player, name in enumerate(names, 1):
            panel = self.query_one(f"#player{player}", PlayerPanel)
            panel.show(position, name.subject, to_move=player == turn)

    async def on_button_pressed(self, event: Button.Pressed) -> None:
        """What the keys do, with the mouse."""
        await self.run_action(event.button.name or "leave")

    def action_read_on(self) -> None:
        """Scroll the words on; from their end, back to where they begin."""
        words = self.query_one("#words", VerticalScroll)
        if words.scroll_offset.y < words.max_scroll_y:
            words.scroll_page_down(animate=False)
        else:
            words.scroll_home(animate=False)

    def action_rules(self) -> None:
        """Show the rules."""
        if self.game:
            self.app.open("rules", self.game)

    def action_leave(self) -> None:
        """Go back to where one came from."""
        self.app.pop_screen()


_LINE_OPENERS = "/("  # characters that open the line for a typed move, besides letters and digits


# Of a screen with words that may be long; the board has the arrows.
MORE = Binding(
    "pagedown",
    "read_on",
    "More",
    show=False,
    key_display="pgdn",
    tooltip="Read on, where it is long",
)
# A screen that has another binding for Escape needs this one beside it.
CANCEL = Binding("escape", "cancel_typing", "Cancel")
NOT_YET = "It is not your turn yet. Press Enter again when it is."
_BESIDE_THE_LINE = ("escape", "pagedown")  # keys that do while somebody types what they always do


class MoveLine(Input):
    """A line for a typed move, which leaves `:` to the screen as long as nothing is typed."""

    def on_key(self, event: events.Key) -> None:
        """No move begins with it."""
        if event.character == ":" and not self.value:
            event.prevent_default()


class TypingScreen(BoardScreen):
    """A board on which a move can be typed as well as pointed at.

    A letter with which a move of this board can begin begins a typed move, and is no key; every
    command is behind `:` too. So a word that is typed is a move and nothing else, in every game.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "type_move", "Type", show=False, tooltip="Type a move: a cell or a direction"),
        CANCEL,
    ]

    line_id = "#move"
    enter_does = "Play"  # what Enter does with what was typed

    @property
    def asked(self) -> bool:
        """Whether a move can be made now."""
        raise NotImplementedError

    @property
    def shown(self) -> Position | None:
        """The position on the board."""
        raise NotImplementedError

    @property
    def can_type(self) -> bool:
        """Whether the line can be opened; also while somebody else is to move, to type ahead."""
        return self.shown is not None and not self.shown.outcome

    def read_typed(self, text: str) -> bool:
        """Make a move that was typed; otherwise say what is wrong with it."""
        raise NotImplementedError

    def _say(self, note: str) -> None:
        """Say something, until more happens."""
        raise NotImplementedError

    @staticmethod
    def compose_line() -> ComposeResult:
        """The line for a typed move, which is shown while somebody types."""
        yield MoveLine(id="move", placeholder="Your move", select_on_focus=False)

    @property
    def move_line(self) -> Input:
        """The line for a typed move."""
        return self.query_one(self.line_id, Input)

    @property
    def is_typing(self) -> bool:
        """Whether the line is open."""
        return self.has_class("-typing")

    @property
    def takes_letters(self) -> bool:
        """Whether a letter can begin a move where the keys go now."""
        return self.focused is self.board

    def _begins_a_move(self, char: str) -> bool:
        letters = self.shown.move_initials if self.shown else ""
        return char.isdigit() or char in _LINE_OPENERS or char.casefold() in letters

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """The keys; those that begin a move are not among them: what they would do is behind `:`.

        Nor are those that go into the line while it is open. For the footer, the help and the
        commands.
        """
        bindings = super().active_bindings
        for key, active in bindings.items():
            changed = active.binding
            if self.is_typing and key == "enter":
                does = self.enter_does
                changed = replace(changed, show=True, key_display="⏎", description=does)
            elif self._is_typed(key):
                changed = replace(changed, show=False, key_display=":")
            elif changed.action == MORE.action and self._is_more_to_read:
                changed = replace(changed, show=True)
            bindings[key] = active._replace(binding=changed)
        return bindings

    def _is_typed(self, key: str) -> bool:
        """Whether a key does nothing else now than to type."""
        if self.is_typing:
            return not (key.startswith("ctrl+") or key in _BESIDE_THE_LINE)
        return len(key) == 1 and self._begins_a_move(key)

    def on_mount(self) -> None:
        """Say which key reads on, as soon as there is more than is shown."""
        for words in self.query("#words"):
            self.watch(words, "show_vertical_scrollbar", self.refresh_bindings, init=False)

    @property
    def _is_more_to_read(self) -> bool:
        return any(words.show_vertical_scrollbar for words in self.query("#words"))

    def on_key(self, event: events.Key) -> None:
        """Begin a typed move, go on with it, or open the commands."""
        char = event.character or ""
        if self.app.screen is not self:
            return  # another one has opened meanwhile
        can_command = not self.move_line.value if self.is_typing else self.focused is self.board
        if char == ":" and can_command:
            # At once: what is typed behind it is no move.
            event.stop()
            if self.is_typing:
                self._close_line()
            self.app.action_command_palette()
        elif self.is_typing:
            if event.is_printable:
                # Typed so fast that it was on its way to the board when the line opened.
                event.stop()
                self.move_line.insert_text_at_cursor(char)
        elif self.takes_letters and char and self._begins_a_move(char):
            event.stop()
            self._open_line("" if char == "/" else char)

    def on_paste(self, event: events.Paste) -> None:
        """A move that is pasted is a typed one."""
        if self.takes_letters and event.text.strip():
            event.stop()
            self._open_line(event.text.split("\n")[0].strip())

    def _open_line(self, text: str) -> None:
        # Also while somebody else is to move: who types ahead means a move, not a command.
        if not self.can_type:
            return
        self.add_class("-typing")
        line = self.move_line
        line.value = text
        self.set_focus(line)  # at once: with `line.focus()` keys that come fast go to the board
        line.cursor_position = len(text)

    def _close_line(self) -> None:
        self.remove_class("-typing")
        self.set_focus(self.board)  # at once: the line may be opened again

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Play what was typed; after what cannot be played the line is empty, for the next try.

        What is sent before its time stays, to be sent again.
        """
        if not event.value.strip():
            self._close_line()
        elif not self.asked:
            self._say(NOT_YET)
        else:
            event.input.value = ""
            if self.read_typed(event.value):
                self._close_line()

    def action_type_move(self) -> None:
        """Open the line for a typed move."""
        self._open_line("")

    def action_cancel_typing(self) -> None:
        """Close the line for a typed move."""
        self._close_line()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's
        """Escape closes the line first."""
        if action == "cancel_typing":
            return self.is_typing
        return action != "leave" or not self.is_typing
