"""Small screens over another one: a question, what is being waited for, and the help."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Offset, Region, Size
from textual.screen import ModalScreen, Screen
from textual.widgets import Button, Static

ESCAPED = -1
_FRAME_WIDTH = 4  # characters of border and padding


class AskScreen(ModalScreen[int]):
    """A question with a few answers; its result is the number of the answer, ESCAPED for Escape.

    `near` is a region of the screen that the question belongs to. It is shown beside it, and not
    over those to `avoid` if there is room elsewhere. `hint`, where there is one, finds a sentence
    that helps to choose. `chosen` is the answer that Enter gives at first, `letters` has a key for
    each answer, besides its number: `yn`.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", f"answer({ESCAPED})", "Back"),
        Binding("down,right,j", "app.focus_next", "Next", show=False),
        Binding("up,left,k", "app.focus_previous", "Previous", show=False),
        Binding("i", "hint", "Hint", show=False),
        *(Binding(str(number + 1), f"answer({number})", show=False) for number in range(9)),
    ]

    def __init__(
        self,
        title: str,
        answers: Sequence[str],
        *,
        text: str = "",
        near: Region | None = None,
        avoid: Sequence[Region] = (),
        hint: Callable[[], Awaitable[str]] | None = None,
        chosen: int = 0,
        letters: str = "",
    ) -> None:
        super().__init__()
        self._title, self._answers, self._text = title, answers, text
        self._near, self._avoid, self._hint, self._chosen = near, avoid, hint, chosen
        self._letters = letters
        self._placed_in: Size | None = None

    @classmethod
    def sure(cls, title: str, answers: tuple[str, str], *, text: str = "") -> AskScreen:
        """Whether something is meant that cannot go on afterwards; Enter says no."""
        return cls(title, answers, text=text, chosen=1, letters="yn")

    def compose(self) -> ComposeResult:
        """The question, and a button for each answer."""
        with Vertical():
            yield self._line(self._title, "title")
            if self._text:
                yield self._line(self._text)
            for number, answer in enumerate(self._answers):
                key = self._letters[number] if self._letters else str(number + 1)
                yield Button(Content(f"{key} {answer}"), name=str(number), compact=True)
            yield self._line("", "hint")

    def _line(self, text: str, classes: str = "") -> Static:
        line = Static(text, markup=False, classes=classes)
        self._set_width(line, text)
        return line

    def _set_width(self, line: Static, text: str) -> None:
        # Left to itself, a text that is wrapped would take one line only.
        line.styles.width = min(cell_len(text), self.app.size.width - _FRAME_WIDTH)

    def on_mount(self) -> None:
        """Go beside the cell that it is about."""
        self.set_class(self._near is None, "-centred")
        self.query(Button)[self._chosen].focus()
        self.call_after_refresh(self._place)

    def on_resize(self) -> None:
        """What it is about is elsewhere now: go to the middle."""
        if self._placed_in not in (None, self.size):
            self._near = None
            self.add_class("-centred")
            self.query_one(Vertical).styles.offset = Offset(0, 0)

    def _place(self) -> None:
        self._placed_in = size = self.size
        near, box = self._near, self.query_one(Vertical).outer_size
        if near is None:
            return
        right, left = (near.right + 2, near.y - 1), (near.x - 2 - box.width, near.y - 1)
        below, above = (near.x, near.bottom + 1), (near.x, near.y - 1 - box.height)
        regions = [Region(*at, box.width, box.height) for at in (right, left, below, above)]
        inside = [place for place in regions if size.region.contains_region(place)]
        free = [place for place in inside if not any(map(place.overlaps, self._avoid))]
        x, y = ((free or inside or regions)[0]).offset
        x = max(0, min(x, size.width - box.width))
        y = max(0, min(y, size.height - box.height))
        self.query_one(Vertical).styles.offset = Offset(x, y)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """An answer was chosen."""
        self.dismiss(int(event.button.name or 0))

    def action_answer(self, number: int) -> None:
        """Choose an answer by its number."""
        if number < len(self._answers):
            self.dismiss(number)

    def on_key(self, event: events.Key) -> None:
        """Choose an answer by its letter."""
        char = (event.character or "").casefold()
        if char and char in self._letters:
            event.stop()
            self.dismiss(self._letters.index(char))

    async def action_hint(self) -> None:
        """Say what speaks for one of the answers."""
        if self._hint is not None:
            self.run_worker(self._show_hint(self._hint), exclusive=True)

    async def _show_hint(self, hint: Callable[[], Awaitable[str]]) -> None:
        shown = self.query_one(".hint", Static)
        shown.display = True
        self._set_width(shown, "Thinking…")
        shown.update("Thinking…")
        text = await hint()
        self._set_width(shown, text)
        shown.update(text)
        self.call_after_refresh(self._place)


class WaitScreen(ModalScreen[None]):
    """Says what is being waited for. Escape goes to the screen below."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Home")]

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        """The text, and no more."""
        yield Static(self._text, markup=False)


class HelpScreen(ModalScreen[None]):
    """A cheat sheet.

    A screen that has `help_lines` has them first; then come all keys that have a tooltip.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,enter,space", "dismiss", "Back"),
    ]

    def __init__(self, below: Screen[object]) -> None:
        super().__init__()
        self._below = below  # in `compose` it cannot be asked: this screen may not be on top yet

    def compose(self) -> ComposeResult:
        """Everything on one page."""
        page = VerticalScroll(Static(_page(self._below)))
        page.border_title = "Help"
        page.border_subtitle = "esc: back"
        yield page

    def on_click(self) -> None:
        """Anywhere will do to close it."""
        self.dismiss()


def _page(screen: Screen[object]) -> Content:
    lines: list[Content] = [Content(line) for line in getattr(screen, "help_lines", [])]
    keys: dict[str, list[str]] = {}
    about: dict[str, str] = {}
    for _, binding, _, tooltip in screen.active_bindings.values():
        if tooltip:
            keys.setdefault(binding.action, []).append(screen.app.get_key_display(binding))
            about[binding.action] = f"{binding.description}: {tooltip}"
    width = max((len(_joined(names)) for names in keys.values()), default=0)
    if lines:
        lines.append(Content(""))
    lines += [
        Content.assemble((_joined(names).ljust(width), "bold $accent"), f"  {about[action]}")
        for action, names in keys.items()
    ]
    return Content("\n").join(lines)


def _joined(names: list[str]) -> str:
    return " ".join(dict.fromkeys(names))
