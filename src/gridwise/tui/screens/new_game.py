"""NewGameScreen: who plays, on which board; Enter plays at once with what was chosen last time."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Button, Input, Label, Static

from gridwise.core.game import Game
from gridwise.core.narration import COLOURS, capitalized
from gridwise.errors import GridwiseError
from gridwise.play.setup import Setup, remembered, setup_fields, setup_from, shown_fields
from gridwise.players.new_match import set_up
from gridwise.tui.app import GridwiseApp
from gridwise.tui.background import in_background
from gridwise.tui.widgets.board import BoardView
from gridwise.tui.widgets.footer import KeyFooter
from gridwise.tui.widgets.forms import ArrowScreen, Chooser


class TypedRow(Horizontal):
    """A setting that is typed."""

    def __init__(self, name: str, example: str, *, id: str) -> None:  # noqa: A002 - as every widget
        super().__init__(id=f"row-{id}")
        self._label, self._example, self._input_id = name, example, id

    def compose(self) -> ComposeResult:
        """The name and the place to type in."""
        yield Label(self._label)
        yield Input(placeholder=self._example, id=self._input_id, compact=True, max_length=300)


class NewGameScreen(ArrowScreen[None]):
    """How a game is to be played."""

    app = getters.app(GridwiseApp)

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-normal"), (112, "-wide")]  # noqa: RUF012 - as Textual has it
    AUTO_FOCUS = "#play"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", key_display="esc", tooltip="Leave this screen"),
        Binding("enter", "play", "Play", tooltip="Begin with what is chosen"),
        Binding("h", "rules", "Rules", tooltip="The rules of this game"),
    ]

    def __init__(self, game: Game, *, watch: bool = False) -> None:
        super().__init__()
        self._game, self._watch = game, watch
        self._fields = setup_fields(game)

    def compose(self) -> ComposeResult:
        """A line for every choice, and the way to begin."""
        game, saved = self._game, self._saved
        with Horizontal(id="columns"):
            with VerticalScroll(id="form", can_focus=False):
                title = f"Watch {game.title}" if self._watch else game.title
                yield Static(title, id="title", markup=False)
                yield Static(game.text.SUMMARY, id="summary", markup=False)
                for name, field in self._fields.items():
                    if field.choices:
                        yield Chooser(field.label, field.choices, saved.get(name, ""), id=name)
                    else:
                        yield TypedRow(field.label, field.example, id=name)
                yield Static(id="outlook", markup=False)
                yield Static(id="hint", markup=False)
                yield Static(id="error", markup=False)
                with Horizontal(id="buttons"):
                    yield Button(self._verb, "primary", id="play")
                    yield Button("Rules", id="rules")
                    yield Button("Back", id="back")
            yield BoardView(small=True, id="picture")
        yield KeyFooter()

    @property
    def _verb(self) -> str:
        return "Watch" if self._watch else "Play"

    @property
    def _saved(self) -> dict[str, str]:
        settings = self.app.settings
        defaults = {"opponent": settings.opponent, "p1": "bot:strong", "p2": "bot:strong"}
        return defaults | settings.choices_for(self._game.key)

    # What is chosen

    def on_mount(self) -> None:
        """Fill in what was typed last time."""
        for typed in self.query(Input):
            typed.value = self._saved.get(typed.id or "", "")
        self._check()

    @property
    def values(self) -> dict[str, str]:
        """What is chosen and typed in every row."""
        chosen = {chooser.id or "": chooser.value for chooser in self.query(Chooser)}
        typed = {line.id or "": line.value for line in self.query(Input)}
        last_side = self._saved.get("last_side", "")
        return {**chosen, **typed, "last_side": last_side}

    def on_chooser_changed(self) -> None:
        """Show the rows that matter now."""
        self._check()

    def on_input_changed(self) -> None:
        """Say what is wrong with it while it is typed."""
        self._check()

    def on_descendant_focus(self) -> None:
        """Say a word on the row."""
        self._hint()

    def _check(self) -> None:
        values = self.values
        shown = shown_fields(self._game, values, watch=self._watch)
        for name, field in self._fields.items():
            row = self.query_one(f"#{name}" if field.choices else f"#row-{name}")
            row.display = name in shown
        self._hint()
        self._say("")
        try:
            setup = setup_from(self._game, values, watch=self._watch)
            self.query_one(BoardView).view = setup.preview()
            self._tell("outlook", setup.outlook(COLOURS))
        except GridwiseError as error:
            # An empty field is not wrong yet; Play says what is missing.
            if isinstance(self.focused, Input) and self.focused.value:
                self._say(str(error))

    def _hint(self) -> None:
        """Say below what there is no room for in the row."""
        row, about = self.focused, ""
        if isinstance(row, Chooser) and not row.about_fits:
            about = capitalized(row.choice.about)
        told = str(self.query_one("#outlook", Static).content)
        self._tell("hint", "" if about == told else about)

    def _say(self, error: str) -> None:
        self._tell("error", f"! {error}" if error else "")

    def _tell(self, place: str, text: str) -> None:
        """Put a text below the rows; without one its line is free."""
        line = self.query_one(f"#{place}", Static)
        line.update(text)
        line.display = bool(text)

    # What can be done

    @on(Button.Pressed, "#play")
    @on(Input.Submitted)
    def action_play(self) -> None:
        """Deal a board and begin."""
        values = self.values
        try:
            setup = setup_from(self._game, values, watch=self._watch)
            setup.preview()
        except GridwiseError as error:
            self._say(str(error))
            return
        settings = self.app.settings
        chosen = {**settings.choices, self._game.key: remembered(values, setup)}
        self.app.change_settings(replace(settings, choices=chosen))
        self._deal(setup)

    @work(exclusive=True)
    async def _deal(self, setup: Setup) -> None:
        """Set the game up; an even deal takes a moment."""
        button = self.query_one("#play", Button)
        button.label = "Dealing…"
        try:
            session = await in_background(set_up, setup)
        except GridwiseError as error:
            self._say(str(error))
            button.label = self._verb
            return
        self.app.go_home()  # from the game the way back is home
        self.app.open_match(session, setup)

    @on(Button.Pressed, "#rules")
    def action_rules(self) -> None:
        """The rules of this game."""
        self.app.open("rules", self._game)

    @on(Button.Pressed, "#back")
    def action_back(self) -> None:
        """Back to where one came from."""
        self.app.pop_screen()
