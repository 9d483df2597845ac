"""KeyFooter: the keys that can be pressed now, in the last line of a screen."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.binding import ActiveBinding
from textual.screen import Screen
from textual.widgets import Footer


class KeyFooter(Footer):
    """Textual's footer, made anew only when other keys are to be shown.

    Textual's own is made anew whenever a screen says that its keys may have changed: four times a
    move, which was a third of what a whole game of Number Connect took.
    """

    _shown: list[ActiveBinding] | None = None

    def compose(self) -> ComposeResult:
        """Show the keys."""
        self._shown = _shown_on(self.screen) if self._bindings_ready else None
        yield from super().compose()

    async def recompose(self) -> None:
        """Show the keys anew, if they are not those that are shown."""
        if not self.is_attached or self._shown != _shown_on(self.screen):
            await super().recompose()


def _shown_on(screen: Screen[object]) -> list[ActiveBinding]:
    return [active for active in screen.active_bindings.values() if active.binding.show]
