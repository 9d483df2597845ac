"""ArrowScreen: a screen on which the arrow keys move the focus to what lies in that direction."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.screen import Screen

Result = TypeVar("Result")
SIDEWAYS = 4  # to be off to the side counts this many times as much as to be far away


class ArrowScreen(Screen[Result]):
    """A screen whose widgets are reached with the arrow keys, as well as with Tab and the mouse."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "up,k",
            "focus_towards(0, -1)",
            "Move",
            show=False,
            key_display="↑↓←→",
            tooltip="Go to what lies in that direction",
        ),
        Binding("down,j", "focus_towards(0, 1)", "Down", show=False),
        Binding("left,h", "focus_towards(-1, 0)", "Left", show=False),
        Binding("right,l", "focus_towards(1, 0)", "Right", show=False),
    ]

    def action_focus_towards(self, right: int, down: int) -> None:
        """Focus the nearest widget in a direction; stay where there is none."""
        if self.focused is None:
            self.focus_next()
            return
        here = self.focused.region
        distances = [
            (distance, number)
            for number, widget in enumerate(self.focus_chain)
            if (distance := _distance(here, widget.region, right, down)) is not None
        ]
        if distances:
            self.set_focus(self.focus_chain[min(distances)[1]])


def _distance(here: Region, there: Region, right: int, down: int) -> float | None:
    """How far another widget is in a direction; None if it lies elsewhere."""
    if right:
        ahead = there.x - here.right if right > 0 else here.x - there.right
        aside = max(there.y - here.bottom + 1, here.y - there.bottom + 1, 0)
    else:
        ahead = there.y - here.bottom if down > 0 else here.y - there.bottom
        aside = max(there.x - here.right + 1, here.x - there.right + 1, 0)
    return None if ahead < 0 or not there.area else ahead + SIDEWAYS * aside
