"""MyGamesScreen: the games that were played; to go on with, look at, export or delete.

The list is read in the background, and rows are made as somebody scrolls to them: with 10,000 games
the first ones are on the screen as quickly as with ten.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import DataTable, Input, Static

from gridwise.errors import GridwiseError, printable
from gridwise.play.labels import date_label, game_line, game_story, opponent_label, status_label
from gridwise.play.ladder import Help
from gridwise.play.library import EXPORT_FORMS, SavedGame, SavedStatus, export
from gridwise.play.records import Record, read_record, recorded_positions
from gridwise.play.setup import Setup
from gridwise.play.values import PRACTICE
from gridwise.tui.app import GridwiseApp
from gridwise.tui.background import in_background
from gridwise.tui.widgets.board import BoardView
from gridwise.tui.widgets.dialogs import ESCAPED, AskScreen
from gridwise.tui.widgets.footer import KeyFooter

FIRST_CHUNK_SIZE = 60  # games that are read before the list is shown,
CHUNK_SIZE = 250  # and at a time from then on
ROWS_AT_ONCE, ROWS_AHEAD = 100, 40  # rows that are made at a time, when the last one is that near
NONE_YET = "You have no games yet. Every game you play is kept here from its first move on."
NONE_SUCH = "There are no such games."
REVIEW_QUESTION = "See what the moves are worth before the end?"
ACTIONS = {
    "go_on": "Continue",
    "replay": "Replay",
    "review": "Review",
    "export": "Export",
    "delete": "Delete",
}
# What a column is called, and how many characters of a screen 80 and 40 wide it gets.
COLUMNS = {
    "Game": (14, 14),
    "Opponent": (23, 11),
    "Result": (14, 8),
    "Date": (11, 0),
    "Moves": (5, 0),
}
ALL_COLUMNS_WIDTH = 77  # characters


class GameTable(DataTable[Text]):
    """A table whose rows are reached with the keys of a list."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "cursor_down", "Down", show=False),
        Binding("k", "cursor_up", "Up", show=False),
        Binding("home", "scroll_top", "First", show=False),
        Binding("end", "scroll_bottom", "Last", show=False),
    ]


class MyGamesScreen(Screen[None]):
    """A list of saved games, the newest first."""

    app = getters.app(GridwiseApp)

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", "Back", key_display="esc", tooltip="Leave the list"),
        Binding("slash", "filter", "Filter", key_display="/", tooltip="Show only some games"),
        Binding("c", "go_on", "Continue", tooltip="Go on with this game"),
        Binding("p", "replay", "Replay", tooltip="Watch this game again, move by move"),
        Binding("o", "review", "Review", tooltip="Step through this game, with the best moves"),
        Binding("e", "export", "Export", tooltip="Write this game to a file"),
        Binding("d,delete", "delete", "Delete", key_display="d", tooltip="Delete this game"),
        Binding("z", "restore", "Undelete", tooltip="Bring back the game that you deleted"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._games: list[SavedGame] = []  # as far as they have been read
        self._matching: list[SavedGame] = []  # those that the filter lets through
        self._shown: list[SavedGame] = []  # those that have a row
        self._words: list[str] = []  # what is typed into the filter
        self._all_read = False
        self._deleted = ""  # the name of the file that was deleted last
        self._possible: list[str] = []  # what can be done with the game that is pointed at

    def compose(self) -> ComposeResult:
        """A filter, a list, and a picture of the game that is pointed at."""
        with Horizontal(id="head"):
            yield Static("My games", id="title")
            yield Static(id="count", markup=False)
            yield Input(placeholder="/ to filter: maze, strong, won …", id="filter", compact=True)
        with Horizontal(id="columns"):
            yield GameTable(id="list", cursor_type="row")
            with Vertical(id="side"):
                yield BoardView(small=True)
                yield Static(id="story", markup=False)
        yield Static(id="empty", markup=False)
        yield KeyFooter()

    @property
    def table(self) -> GameTable:
        """The list."""
        return self.query_one("#list", GameTable)

    @property
    def chosen(self) -> SavedGame | None:
        """The game that is pointed at."""
        row = self.table.cursor_row
        return self._shown[row] if 0 <= row < len(self._shown) else None

    # The list

    def on_mount(self) -> None:
        """Read the games."""
        self.table.focus()
        self._make_columns()
        self.watch(self.table, "scroll_y", self._make_rows, init=False)
        self._read()

    def on_screen_resume(self) -> None:
        """Read them again: one may have been continued."""
        if self._all_read:
            self._read()

    def on_resize(self) -> None:
        """Leave out columns where there is no room."""
        if self.is_mounted and len(self.table.columns) != len(self._widths):
            self._make_columns()

    @property
    def _widths(self) -> dict[str, int]:
        narrow = self.size.width < ALL_COLUMNS_WIDTH
        return {name: widths[narrow] for name, widths in COLUMNS.items() if widths[narrow]}

    @work(exclusive=True, group="read")
    async def _read(self) -> None:
        """Read all games, the newest first; the list grows meanwhile."""
        games: list[SavedGame] = []
        size = FIRST_CHUNK_SIZE

        try:
            every = self.app.library.games()
            while chunk := await in_background(list, islice(every, size)):
                games += chunk
                size = CHUNK_SIZE
                if len(games) >= len(self._games):
                    self._games = games
                    await self._sift()
        except GridwiseError as error:
            self.notify(str(error), severity="error")
        self._games, self._all_read = games, True
        await self._sift()

    async def _sift(self) -> None:
        """Show the games that the filter lets through."""
        games, words = list(self._games), self._words

        def matches(saved: SavedGame) -> bool:
            return all(saved.mentions(word) for word in words)

        # 10,000 games take a third of a second.
        matching = await in_background(list, filter(matches, games)) if words else games
        if words == self._words:
            self._matching = matching
            self._refresh()

    def _refresh(self) -> None:
        """Make the rows again, unless more games have only come after them."""
        before = self.chosen
        if self._shown != self._matching[: len(self._shown)] or not self._shown:
            self.table.clear()
            self._shown = []
        self._make_rows()
        self._point_at(before)
        matching, total = len(self._matching), len(self._games)
        counted = f"{total:,}" if matching == total else f"{matching:,} of {total:,}"
        counted += "" if self._all_read else " …"
        if any(saved.help for saved in self._matching):
            counted += "  * with help"
        self.query_one("#count", Static).update(counted)
        self.query_one("#empty", Static).update(NONE_SUCH if self._games else NONE_YET)
        self.set_class(self._all_read and not matching, "-none")
        self._show_actions()

    def _make_columns(self) -> None:
        before, made = self.chosen, len(self._shown)
        self.table.clear(columns=True)
        for name, width in self._widths.items():
            self.table.add_column(name, width=width)
        self._shown = []
        while len(self._shown) < min(made, len(self._matching)):
            self._add_rows()
        self._point_at(before)

    def _point_at(self, saved: SavedGame | None) -> None:
        """Point at a game again, if it still has a row; it may have been continued since."""
        for row, shown in enumerate(self._shown):
            if saved and shown.path == saved.path:
                self.table.move_cursor(row=row, animate=False)

    def _make_rows(self) -> None:
        """Make more rows, if somebody is near the last one."""
        table = self.table
        seen = max(table.cursor_row, round(table.scroll_y) + table.size.height)
        if seen + ROWS_AHEAD >= len(self._shown):
            self._add_rows()

    def _add_rows(self) -> None:
        made = len(self._shown)
        for saved in self._matching[made : made + ROWS_AT_ONCE]:
            self.table.add_row(*row_cells(saved)[: len(self.table.columns)])
            self._shown.append(saved)

    @on(DataTable.RowHighlighted)
    def _pointed(self) -> None:
        self._make_rows()
        self._show_actions()

    def _show_actions(self) -> None:
        """Say what can be done with the game that is pointed at, and how it ended."""
        actions = (*ACTIONS, "restore")
        possible = [action for action in actions if self.check_action(action, ())]
        if possible != self._possible:  # the footer takes 20 ms
            self._possible = possible
            self.refresh_bindings()
        self._show_end()

    @work(exclusive=True, group="end")
    async def _show_end(self) -> None:
        """Show the last position, where there is room for it."""
        saved = self.chosen
        if not saved or not self.has_class("-wide"):
            return
        story, board = self.query_one("#story", Static), self.query_one(BoardView)
        try:
            last = await in_background(lambda: recorded_positions(read_record(saved.path))[-1])
        except GridwiseError as error:
            board.view = None
            story.update(printable(str(error), 300))
            return
        board.view = last.view
        story.update(game_story(saved, last))

    # The filter

    def action_filter(self) -> None:
        """Type what to look for."""
        self.query_one("#filter").focus()

    @on(Input.Changed, "#filter")
    @work(exclusive=True, group="sift")
    async def _typed(self, event: Input.Changed) -> None:
        self._words = event.value.split()
        await self._sift()

    @on(Input.Submitted, "#filter")
    def _filtered(self) -> None:
        self.table.focus()

    def action_back(self) -> None:
        """Out of the filter, then out of the list."""
        line = self.query_one("#filter", Input)
        if line.has_focus or line.value:
            line.value = ""
            self.table.focus()
        else:
            self.app.pop_screen()

    # What can be done with a game

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:  # noqa: ARG002
        """What can be done with the game that is pointed at."""
        saved = self.chosen
        if action == "go_on":
            return saved is not None and saved.status is SavedStatus.UNFINISHED
        if action in ("replay", "review", "export"):
            return saved is not None and not saved.problem
        if action == "delete":
            return saved is not None
        return action != "restore" or bool(self._deleted)

    @on(DataTable.RowSelected)
    @work(exclusive=True, group="ask")
    async def _ask(self) -> None:
        """What to do with the game."""
        saved = self.chosen
        if saved is None:
            return
        possible = [action for action in ACTIONS if self.check_action(action, ())]
        labels = [ACTIONS[action] for action in possible]
        problem = printable(saved.problem, 300)
        dialog = AskScreen(saved.title or saved.path.name, labels, text=problem or game_line(saved))
        answer = await self.app.push_screen_wait(dialog)
        if answer != ESCAPED:
            await self.run_action(possible[answer])

    def action_go_on(self) -> None:
        """Go on with an unfinished game."""
        if self.chosen:
            self.app.play(Setup(resume=self.chosen.path))

    def action_replay(self) -> None:
        """Watch the game again."""
        record = self._record()
        if record:
            self.app.open("replay", record)

    @work(exclusive=True, group="ask")
    async def action_review(self) -> None:
        """Step through the game; that is help where there is something to win yet."""
        record = self._record()
        if record and self.chosen and await self._may_help(self.chosen.path):
            self.app.open("review", record)

    async def _may_help(self, path: Path) -> bool:
        """Whether somebody wants the games that a review helps in to be marked so."""
        library = self.app.library
        helped = library.helped_by_review(path)
        unmarked = [saved for saved in helped if Help.VALUES not in saved.help]
        if unmarked:
            answers = ("Review", "Better not")
            dialog = AskScreen.sure(REVIEW_QUESTION, answers, text=PRACTICE[1])
            if await self.app.push_screen_wait(dialog) != 0:
                return False
        try:
            for saved in unmarked:
                library.note_help(saved, Help.VALUES)
        except GridwiseError as error:
            self.notify(str(error), severity="error")
            return False
        return True

    def _record(self) -> Record | None:
        """The game that is pointed at; what is wrong with it is said."""
        try:
            return read_record(self.chosen.path) if self.chosen else None
        except GridwiseError as error:
            self.notify(str(error), severity="error")
            return None

    @work(exclusive=True, group="ask")
    async def action_export(self) -> None:
        """Write the game to a file in the folder where the program was started."""
        saved, record = self.chosen, self._record()
        if not saved or not record:
            return
        title = f"Export to {Path.cwd()}"
        answer = await self.app.push_screen_wait(AskScreen(title, list(EXPORT_FORMS.values())))
        if answer == ESCAPED:
            return
        target = Path.cwd() / f"{saved.path.stem}{list(EXPORT_FORMS)[answer]}"
        try:
            await in_background(export, record, target)
        except GridwiseError as error:
            self.notify(str(error), severity="error")
        else:
            self.notify(f"Written to {target}")

    @work(exclusive=True, group="ask")
    async def action_delete(self) -> None:
        """Delete the game, if it is meant."""
        saved = self.chosen
        if saved is None:
            return
        answers = ("Delete", "Keep it")
        dialog = AskScreen.sure("Delete this game?", answers, text=game_line(saved))
        if await self.app.push_screen_wait(dialog) != 0:
            return
        try:
            self.app.library.delete(saved.path.name)
        except GridwiseError as error:
            self.notify(str(error), severity="error")
            return
        self._deleted = saved.path.name
        self._games = [game for game in self._games if game != saved]
        await self._sift()
        self._read()  # the list may be read at this moment, and have found it yet
        self.notify("Deleted. Press z to bring it back.")

    def action_restore(self) -> None:
        """Bring back the game that was deleted last."""
        try:
            self.app.library.restore(self._deleted)
        except GridwiseError as error:
            self.notify(str(error), severity="error")
        self._deleted = ""
        self._read()


def row_cells(saved: SavedGame) -> list[Text]:
    """A game as a row of the list; Text, because a name may look like markup."""
    words = (
        saved.title,
        opponent_label(saved),
        status_label(saved),
        date_label(saved),
        f"{saved.moves:>5}" if saved.game else "",
    )
    return [Text(word, no_wrap=True, overflow="ellipsis") for word in words]
