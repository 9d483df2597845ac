"""PuzzleScreen: find the winning move, and go on until the game is won.

The opponent answers with the best defence, at the usual pace. A wrong move is refuted and can be
tried again. What is solved is kept on disk.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import random
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Static

from gridwise.core.game import Game
from gridwise.core.narration import Names
from gridwise.core.position import log_lines
from gridwise.core.registry import game as game_named
from gridwise.engine.puzzles import (
    HARDEST,
    Puzzle,
    PuzzleLine,
    games_with_puzzles,
    levels,
    next_puzzle,
    puzzle_at,
    puzzle_day,
    puzzle_of_the_day,
    start_line,
)
from gridwise.errors import GridwiseError, MoveError
from gridwise.play.look_back import BEST
from gridwise.play.match import HUMAN
from gridwise.play.puzzle_progress import add_solved, load_progress, solved_text, streak_text
from gridwise.play.session import player_names
from gridwise.play.setup import Choice
from gridwise.tui.screens.board_screen import BoardScreen
from gridwise.tui.widgets.board import BoardView, left_cells, move_to
from gridwise.tui.widgets.forms import Chooser
from gridwise.tui.widgets.panel import PlayerPanel

WRONG = "✗"  # a mark on the board
BUTTONS = {
    "Hint": "hint",
    "Answer": "answer",
    "Next": "next",
    "Today's": "daily",
    "Back": "leave",
}
RISING = Choice("", "Rising", "each a little harder")


class PuzzleScreen(BoardScreen):
    """One puzzle after the other, or the puzzle of the day."""

    AUTO_FOCUS = "#board"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("i", "hint", "Hint", tooltip="A hint; ask again for another"),
        Binding(
            "x", "answer", "Answer", tooltip="Show the solution; the puzzle is not solved then"
        ),
        Binding("n", "next", "Next", tooltip="The next puzzle"),
        Binding("g", "next_game", "Game", tooltip="Puzzles of another game"),
        Binding(
            "plus,equals_sign", "level(1)", "Harder", key_display="+", tooltip="Harder puzzles"
        ),
        Binding("minus", "level(-1)", "Easier", show=False, tooltip="Easier ones"),
        Binding("y", "daily", "Today's", show=False, tooltip="Today's puzzle"),
        Binding("r", "rules", "Rules", show=False, tooltip="The rules of this game"),
        Binding("escape,q", "leave", "Leave", tooltip="Back to where you came from"),
    ]

    help_lines = (
        "Exactly one move wins. Find it, and go on until you have won; any move that still wins",
        "is right. Today's puzzle is the same for everybody, and changes at midnight UTC.",
        "✗ marks moves that do not win.",
    )

    def __init__(
        self,
        game: Game | None = None,
        daily: bool = False,
        seed: int | None = None,
        difficulty: int | None = None,
        *,
        today: dt.date | None = None,
    ) -> None:
        super().__init__()
        self.daily = daily
        self.line: PuzzleLine | None = None
        self._game = game
        self._today = today or puzzle_day()
        self._seed = random.SystemRandom().randrange(2**31) if seed is None else seed
        self._difficulty = difficulty  # to begin with; None for rising
        self._asked = 0  # puzzles since the screen was opened
        self._shown_answer = False
        self._busy = False  # while the other player is answering
        self._said = ""

    # What is shown

    def compose_panel(self) -> ComposeResult:
        """What to find, both players, and how far you have come."""
        games = [Choice("", "All games")]
        games += [Choice(game.key, game.title) for game in games_with_puzzles()]
        yield Static(id="task", markup=False)
        yield PlayerPanel(1)
        yield PlayerPanel(2)
        with VerticalScroll(id="words", can_focus=False):
            yield Static(id="said", markup=False)
        yield Chooser("Game", games, self._game.key if self._game else "", id="game")
        level = str(self._difficulty or "")
        yield Chooser("Difficulty", [Choice(level, level) if level else RISING], id="level")
        yield Static(id="progress", markup=False)
        with Horizontal(id="buttons"):
            for label, action in BUTTONS.items():
                yield Button(label, name=action, id=f"{action}-button", compact=True)

    def on_mount(self) -> None:
        """Show the first puzzle."""
        self._show_progress()
        self._offer_levels()
        self._load()

    def on_resize(self) -> None:
        """Fit the players into the room there is."""
        self.call_after_refresh(self._show)

    @property
    def game(self) -> Game | None:
        """The game of the puzzle that is shown."""
        return self.line.position.game if self.line else None

    @property
    def is_open(self) -> bool:
        """Whether there is a move to find now."""
        line = self.line
        return bool(line and line.is_open and not (self._shown_answer or self._busy))

    def _show(self, said: str = "") -> None:
        """Show where the puzzle stands, and say something about it."""
        line = self.line
        self._said = said or self._said
        self.write("said", self._words())
        self.set_class(self.daily, "-daily")
        if line is None:
            self.board.selectable = False
            self.refresh_bindings()
            return
        self.board.show(line.position, self._marks(line), selectable=self.is_open)
        self.show_players(line.position, self._names(line), line.position.turn)
        self.query(PlayerPanel).set_class(self.has_class("-narrow"), "-short")
        level = line.puzzle.difficulty
        what = "Today's puzzle" if self.daily else "Puzzle"
        dots = "●" * level + "○" * (HARDEST - level)
        self.write("title", f"{what}: {line.position.game.title} {dots}")
        self.write("task", f"Player {line.solver} to move and win.")
        self.refresh_bindings()

    @staticmethod
    def _names(line: PuzzleLine) -> Names:
        return player_names((HUMAN, HUMAN), line.solver)

    def _words(self) -> Content:
        """What there is to say, and the moves so far."""
        line, said = self.line, Content.styled(self._said, "bold")
        if line is None or len(line.positions) < 2:
            return said
        played = log_lines(line.positions, self._names(line))
        return Content("\n").join([said, Content(""), *map(Content, played)])

    def _marks(self, line: PuzzleLine) -> dict[int, str]:
        """Where a token came from, moves that are wrong, and the solution if it was shown."""
        position, cells = line.position, line.position.view.cells
        marks = left_cells(*line.positions[-2:]) if line.positions[1:] else {}
        for cell, shown in enumerate(cells):
            if shown.actions and set(shown.actions) <= line.ruled_out:
                marks[cell] = WRONG
        if self._shown_answer:
            marks[position.target(line.step.solution.action)] = BEST
        return marks

    def _show_progress(self) -> None:
        progress = load_progress()
        text = f"{solved_text(progress)}. {streak_text(progress, self._today)}."
        if not progress.count():
            text = "Solve today's puzzle to begin a streak."
        self.write("progress", text)

    # Puzzles

    def _load(self) -> None:
        """Show the next puzzle."""
        self.workers.cancel_group(self, "line")
        self._shown_answer, self._busy = False, False
        try:
            self.line = start_line(self._puzzle())
        except GridwiseError as error:
            self.line = None
            self._show(str(error))
            return
        solved = self.daily and self._today in load_progress().days
        again = "You have solved it already. Here it is again. " if solved else ""
        self._show(f"{again}Find the move that wins.")
        self.board.focus()

    def _puzzle(self) -> Puzzle:
        """The puzzle that is next."""
        if self.daily:
            return puzzle_at(puzzle_of_the_day(self._today))
        level = int(self.query_one("#level", Chooser).value or 0) or None
        chosen = self._chosen_games()
        among = [game for game in chosen if game in games_with_puzzles(level)] or chosen
        return next_puzzle(among, self._asked, self._seed, level)

    def _chosen_games(self) -> list[Game]:
        """The games whose puzzles come, one after the other."""
        chosen = self.query_one("#game", Chooser).value
        return [game_named(chosen)] if chosen else games_with_puzzles()

    def _offer_levels(self) -> None:
        """The difficulties that there are puzzles of."""
        known = sorted({level for game in self._chosen_games() for level in levels(game)})
        offered = [Choice(str(level), f"{level} of {HARDEST}") for level in known]
        self.query_one("#level", Chooser).offer([RISING, *offered])

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        """A cell was chosen: that is the move."""
        if self.is_open:
            self._try(event.cell)

    @work(exclusive=True, group="line")
    async def _try(self, cell: int) -> None:
        line = self.line
        assert line
        try:
            action = await move_to(self.board, line.position, cell)
        except MoveError as error:
            self._show(str(error))
            return
        if action is None:
            return
        if line.is_right(action):
            await self._play(line, action)
        else:
            self.line, why = line.why_not(action)
            self._show(f"{why} Try again.")

    async def _play(self, line: PuzzleLine, action: int) -> None:
        """Make a right move, and answer it."""
        self._busy = True
        line = self.line = line.after(action)
        self._show("Right!")
        while line.awaits_answer:
            await asyncio.sleep(self.app.delay)
            line = self.line = line.after_answer()
        self._busy = False
        if line.is_solved:
            first = " on the first try" if line.clean else ""
            self._solved(line.puzzle)
            self._show(f"Solved{first}! {line.position.result_line(self._names(line))}")
            self.query_one("#next-button").focus()
        else:
            self._show("Right! And now?")

    def _solved(self, puzzle: Puzzle) -> None:
        try:
            add_solved(
                puzzle.position.game.key, puzzle.difficulty, self._today if self.daily else None
            )
        except GridwiseError as error:
            self.notify(str(error), severity="warning")
        self._show_progress()

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's
        """What can be done now."""
        can = {
            "hint": self.is_open,
            "answer": self.is_open,
            "next_game": not self.daily,
            "level": not self.daily,
            "daily": not self.daily,
        }
        return can.get(action, True)

    def action_hint(self) -> None:
        """Say something that helps."""
        if self.line and self.is_open:
            self.line, text = self.line.hinted()
            self._show(text)

    def action_answer(self) -> None:
        """Show the solution; the puzzle is not solved then."""
        if self.line and self.is_open:
            self._shown_answer = True
            self._show(self.line.explained())
            self.query_one("#next-button").focus()

    def action_next(self) -> None:
        """Another puzzle; after the one of the day, one like it."""
        self._asked += not self.daily
        self.daily = False
        self._load()

    def action_daily(self) -> None:
        """Today's puzzle."""
        self.daily = True
        self._load()

    def action_next_game(self) -> None:
        """Puzzles of the next game."""
        self.query_one("#game", Chooser).action_step(1)

    def action_level(self, by: int) -> None:
        """Harder or easier puzzles."""
        self.query_one("#level", Chooser).action_step(by)

    @on(Chooser.Changed, "#game")
    def _other_game(self) -> None:
        self._offer_levels()
        self._other_puzzles()

    @on(Chooser.Changed, "#level")
    def _other_puzzles(self) -> None:
        self._asked += 1
        self._load()
