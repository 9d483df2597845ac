"""SettingsScreen: what can be set, each in a line; a change is saved at once."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from gridwise.play.setup import BOTS, PERSON, Choice
from gridwise.tui.app import GridwiseApp
from gridwise.tui.themes import ABOUT as ABOUT_THEMES
from gridwise.tui.widgets.footer import KeyFooter
from gridwise.tui.widgets.forms import ArrowScreen, Chooser

THEMES = tuple(Choice(name, label) for name, label in ABOUT_THEMES.items())
PACES = (
    Choice("0.0", "At once", "bots answer without a pause"),
    Choice("0.3", "Quick", "0.3 seconds a move"),
    Choice("0.6", "Normal", "0.6 seconds a move"),
    Choice("1.2", "Slow", "1.2 seconds a move"),
    Choice("2.5", "Very slow", "2.5 seconds a move"),
)
ON_OFF = (
    Choice("on", "On", "the little boards play by themselves"),
    Choice("", "Off", "nothing moves until you do something"),
)


class SettingsScreen(ArrowScreen[None]):
    """Themes, pace and the like."""

    app = getters.app(GridwiseApp)

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "app.pop_screen", "Back", key_display="esc"),
    ]

    def compose(self) -> ComposeResult:
        """A line for each setting."""
        settings, delay = self.app.settings, self.app.delay
        with VerticalScroll(id="form", can_focus=False):
            yield Static("Settings", id="title")
            yield Chooser("Theme", THEMES, settings.theme, id="theme")
            yield Chooser("Pace", _paces(delay), str(delay), id="delay")
            yield Chooser("Opponent", (*BOTS, PERSON), settings.opponent, id="opponent")
            yield Chooser("Animation", ON_OFF, "on" if settings.animation else "", id="animation")
            yield Static(id="about", markup=False)
        yield KeyFooter()

    def on_chooser_changed(self) -> None:
        """Save it, and show what it does."""
        chosen = {chooser.id: chooser.value for chooser in self.query(Chooser)}
        self.app.change_settings(
            replace(
                self.app.settings,
                theme=chosen["theme"],
                opponent=chosen["opponent"],
                animation=bool(chosen["animation"]),
            )
        )
        if float(chosen["delay"]) != self.app.delay:
            self.app.set_delay(float(chosen["delay"]))
        self._show_about()

    def on_descendant_focus(self) -> None:
        """Say what the setting is for."""
        self._show_about()

    def _show_about(self) -> None:
        if isinstance(self.focused, Chooser):
            about = ABOUT.get(self.focused.id or "", "")
            self.query_one("#about", Static).update(about)


ABOUT = {
    "theme": "The colours of the app. Nothing is said by colour alone.",
    "delay": "How long each move is shown before the next one.",
    "opponent": "Who plays against you in a game you have not played yet.",
    "animation": "Whether quiet games go on on the little boards of the home screen.",
}


def _paces(delay: float) -> tuple[Choice, ...]:
    """The paces, with the one that was set by `--delay` or with the keys of a game."""
    if any(float(pace.value) == delay for pace in PACES):
        return PACES
    own = Choice(str(delay), f"{delay:g} seconds", "as you have set it")
    return tuple(sorted((*PACES, own), key=lambda pace: float(pace.value)))
