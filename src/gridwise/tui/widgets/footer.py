"""KeyFooter: the keys that can be pressed now, in the last line of a screen."""

from __future__ import annotations

from typing import NamedTuple

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.widgets import Footer
from textual.widgets._footer import FooterKey

COMMANDS = "ctrl+p"  # the key that stands at the end of the line for all commands


class _Key(NamedTuple):
    """A key as the line has it."""

    key: str
    shown: str
    name: str
    action: str
    enabled: bool

    @property
    def width(self) -> int:
        """Characters that it takes."""
        return cell_len(self.shown) + cell_len(self.name) + 3


_ALL = _Key(COMMANDS, ":", "Commands", "app.command_palette", True)
# What is fitted in first, by key or, where it is among the keys to be shown, by action.
_FIRST = ("escape", "read_on", "question_mark")


class KeyFooter(Footer):
    """As many keys as the line has room for; first those that matter most.

    Textual's footer shows the same keys in every window, and cuts the last ones off. Where there is
    room here come those, too, that are otherwise only in the help. It is made anew only when other
    keys are to be shown: a screen says four times a move that its keys may have changed, and to
    make the line each time was a third of what a whole game of Number Connect took.
    """

    _shown: list[_Key] | None = None

    def compose(self) -> ComposeResult:
        """Show the keys."""
        if not self._bindings_ready:
            return
        self._shown = self._fitting()
        for key in self._shown:
            yield FooterKey(
                key.key,
                key.shown,
                key.name,
                key.action,
                disabled=not key.enabled,
                classes="-command-palette" if key.key == COMMANDS else "",
            ).data_bind(compact=Footer.compact)

    async def recompose(self) -> None:
        """Show the keys anew, if they are not those that are shown."""
        if not self.is_attached or self._shown != self._fitting():
            await super().recompose()

    def on_resize(self) -> None:
        """Show more of them, or fewer."""
        self.call_after_refresh(self.recompose)

    def _fitting(self) -> list[_Key]:
        """The keys that there is room for, in the order in which the screen has them."""
        keys: dict[str, _Key] = {}  # by what they do
        more: dict[str, _Key] = {}
        for name, (_, binding, enabled, tooltip) in self.screen.active_bindings.items():
            shown = self.app.get_key_display(binding)
            key = _Key(name, shown, binding.description, binding.action, enabled)
            if binding.show:
                keys.setdefault(binding.action, key)
            elif tooltip and shown != ":":
                more.setdefault(binding.action, key)
        # While somebody types, `:` may be a character of what is typed.
        typing = getattr(self.screen, "is_typing", False)
        last = _ALL._replace(shown="^p") if typing else _ALL
        every = [*keys.values(), *(key for action, key in more.items() if action not in keys)]
        room = self.app.size.width - last.width - 2
        fitting = set()
        first = [key for key in _FIRST if key != "read_on" or key in keys]

        def rank(key: _Key) -> int:
            name = key.action if key.action in first else key.key
            return first.index(name) if name in first else len(first)

        # The way out and the help come first, though they do not stand there.
        for key in sorted(every, key=rank):
            if key.width <= room:
                fitting.add(key)
                room -= key.width
        return [*(key for key in every if key in fitting), last]
