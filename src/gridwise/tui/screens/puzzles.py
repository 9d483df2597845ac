"""PuzzleScreen: find the winning move, and go on until the game is won.

The opponent answers with the best defence, at the usual pace. A wrong move is refuted and can be
tried again. When it is over, the solution can be stepped through, with a word on each move. What is
solved is kept on disk, and moves the rating.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import random
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Static

from gridwise.core.game import Game
from gridwise.core.narration import COLOURS
from gridwise.core.position import Position, log_lines
from gridwise.core.registry import game as game_named
from gridwise.engine.puzzles import (
    HARDEST,
    ExplainedMove,
    Puzzle,
    PuzzleLine,
    games_with_puzzles,
    level_line,
    levels,
    next_puzzle,
    puzzle_at,
    puzzle_day,
    puzzle_of_the_day,
    start_line,
)
from gridwise.errors import GridwiseError, MoveError
from gridwise.play.look_back import BEST
from gridwise.play.puzzle_progress import (
    PuzzleProgress,
    add_result,
    add_solved,
    load_progress,
    rating_text,
    solved_text,
    streak_text,
)
from gridwise.play.setup import Choice
from gridwise.tui.screens.board_screen import CANCEL, MORE, TypingScreen
from gridwise.tui.widgets.board import BoardView, decided, left_cells
from gridwise.tui.widgets.forms import Chooser
from gridwise.tui.widgets.panel import PlayerPanel

WRONG = "✗"  # a mark on the board
BUTTONS = {
    "Hint": "hint",
    "Answer": "answer",
    "Next": "next",
    "Today's": "daily",
    "Earlier": "earlier",
    "Back": "leave",
}
FOR_YOU = Choice("", "For you", "near your rating")


class PuzzleScreen(TypingScreen):
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
        Binding(
            "left_square_bracket",
            "earlier",
            "Earlier",
            key_display="[",
            tooltip="The puzzle of the day before; ] for the day after",
        ),
        Binding("right_square_bracket", "later", "Later", show=False, key_display="]"),
        Binding(
            "right", "step(1)", "Explain", key_display="←→", tooltip="Step through the solution"
        ),
        Binding("left", "step(-1)", "Back", show=False),
        MORE,
        Binding("h", "rules", "Rules", show=False, tooltip="The rules of this game"),
        CANCEL,
        Binding("escape,q", "leave", "Leave", tooltip="Back to where you came from"),
    ]

    help_lines = (
        "Exactly one move wins. Find it, and go on until you have won; any move that still wins "
        "is right. Today's puzzle is the same for everybody, and changes at midnight UTC; [ shows "
        "those of the days before. A wrong move, a hint or the answer costs rating, once a puzzle.",
        "✗ marks moves that do not win.",
    )

    def __init__(
        self,
        game: Game | None = None,
        daily: bool = False,
        seed: int | None = None,
        difficulty: int | None = None,
        day: dt.date | None = None,
        *,
        today: dt.date | None = None,
    ) -> None:
        super().__init__()
        self.line: PuzzleLine | None = None
        self._game = game
        self._today = today or puzzle_day()
        self.day = day or (self._today if daily else None)  # whose puzzle is shown
        self._seed = random.SystemRandom().randrange(2**31) if seed is None else seed
        self._difficulty = difficulty  # to begin with; None for rising
        self._asked = 0  # puzzles since the screen was opened
        self._shown_answer = False
        self._solution: list[ExplainedMove] = []  # while it is stepped through
        self._at = 0  # how many moves of it are shown
        self._progress = PuzzleProgress()
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
        yield from self.compose_line()
        with VerticalScroll(id="words", can_focus=False):
            yield Static(id="said", markup=False)
        yield Chooser("Game", games, self._game.key if self._game else "", id="game")
        level = str(self._difficulty or "")
        yield Chooser("Difficulty", [Choice(level, level) if level else FOR_YOU], id="level")
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
    def daily(self) -> bool:
        """Whether it is the puzzle of a day."""
        return self.day is not None

    @property
    def is_over(self) -> bool:
        """Whether there is nothing more to find."""
        return bool(self.line and (self.line.is_solved or self._shown_answer) and not self._busy)

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
        position, marks = self._shown(line)
        self.board.show(position, marks, selectable=self.is_open)
        self.show_players(position, line.names, position.turn)
        self.query(PlayerPanel).set_class(self.has_class("-narrow"), "-short")
        level = line.puzzle.difficulty
        dots = "●" * level + "○" * (HARDEST - level)
        self.write("title", f"{self._what(line.puzzle)}: {line.position.game.title} {dots}")
        side = COLOURS[line.solver - 1].subject
        self.write("task", f"{side} (you) to move and win. Rated {line.puzzle.rating}.")
        self.refresh_bindings()

    def _what(self, puzzle: Puzzle) -> str:
        if self.day is None:
            return f"Puzzle {puzzle.number}"
        return "Today's puzzle" if self.day == self._today else f"Puzzle of {self.day:%d %B %Y}"

    def _words(self) -> Content:
        """What there is to say, and the moves so far."""
        line, said = self.line, Content.styled(self._said, "bold")
        if line is None or len(line.positions) < 2 or self._solution:
            return said
        played = log_lines(line.positions, line.names)
        return Content("\n").join([said, Content(""), *map(Content, played)])

    def _shown(self, line: PuzzleLine) -> tuple[Position, dict[int, str]]:
        """The position on the board, and its marks: of the line, or of the solution."""
        if not self._solution:
            return line.position, self._marks(line)
        if not self._at:
            return line.puzzle.position, {}
        move = self._solution[self._at - 1]
        return move.after, left_cells(move.before, move.after)

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
        before, self._progress = self._progress, load_progress()
        now = self._progress
        rating = rating_text(now, before if before.results else None)
        text = f"{rating}. {solved_text(now)}. {streak_text(now, self._today)}."
        if not (now.count() or now.results):
            text = "Solve today's puzzle to begin a streak."
        self.write("progress", text)

    # Puzzles

    def _load(self) -> None:
        """Show the next puzzle."""
        self.workers.cancel_group(self, "line")
        self._shown_answer, self._busy, self._solution = False, False, []
        try:
            self.line = start_line(self._puzzle())
        except GridwiseError as error:
            self.line = None
            self._show(str(error))
            return
        solved = self.day in self._progress.days
        again = "You have solved it already. Here it is again. " if solved else ""
        self._show(f"{again}Find the move that wins.")
        self._close_line()

    def _puzzle(self) -> Puzzle:
        """The puzzle that is next."""
        if self.day:
            return puzzle_at(puzzle_of_the_day(self.day))
        level = int(self.query_one("#level", Chooser).value or 0) or None
        chosen = self._chosen_games()
        among = [game for game in chosen if game in games_with_puzzles(level)] or chosen
        now = self._progress
        return next_puzzle(among, self._asked, self._seed, level, rating=now.rating, done=now.rated)

    def _chosen_games(self) -> list[Game]:
        """The games whose puzzles come, one after the other."""
        chosen = self.query_one("#game", Chooser).value
        return [game_named(chosen)] if chosen else games_with_puzzles()

    def _offer_levels(self) -> None:
        """The difficulties that there are puzzles of."""
        known = sorted({level for game in self._chosen_games() for level in levels(game)})
        offered = [
            Choice(str(level), f"{level} of {HARDEST}", level_line(level)) for level in known
        ]
        self.query_one("#level", Chooser).offer([FOR_YOU, *offered])

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        """A cell was chosen: that is the move."""
        if self.line and self.is_open:
            actions = self.line.position.view.cells[event.cell].actions
            if actions:
                self._try(actions[0])
            else:
                self.read_typed(self.line.position.cell_name(event.cell))

    @property
    def asked(self) -> bool:
        """Whether there is a move to find now."""
        return self.is_open

    @property
    def shown(self) -> Position | None:
        """Where the puzzle stands."""
        return self.line.position if self.line else None

    @property
    def can_type(self) -> bool:
        """Whether a move will be asked for here."""
        return bool(self.line and not (self.line.is_solved or self._shown_answer))

    def _say(self, note: str) -> None:
        """Say something, until the next move is shown."""
        self.write("said", Content.styled(note, "bold"))

    def read_typed(self, text: str) -> bool:
        """Try a move that was typed, or say what is wrong with it."""
        assert self.line
        try:
            self._try(self.line.position.read(text), typed=True)
        except MoveError as error:
            self._show(str(error))
            return False
        return True

    @work(exclusive=True, group="line")
    async def _try(self, chosen: int, *, typed: bool = False) -> None:
        line = self.line
        assert line
        action = await decided(self.board, line.position, chosen)
        if action is None:
            return
        if line.is_right(action):
            await self._play(line, action)
        else:
            self.line, why = line.why_not(action)
            self._rate(line, self.line)
            self._show(f"{why} Try again.")
            if typed:
                self._open_line("")

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
            self._solved(line)
            result = line.position.result_line(line.names)
            self._show(f"Solved{first}! {result} → explains the moves.")
            self._close_line()
            self.query_one("#next-button").focus()
        else:
            self._show("Right! And now?")

    def _solved(self, line: PuzzleLine) -> None:
        puzzle = line.puzzle
        # A streak counts what was solved on its own day.
        day = self._today if self.day == self._today else None
        self._keep(lambda: add_solved(puzzle.position.game.key, puzzle.difficulty, day))
        if line.clean:
            self._keep(lambda: add_result(puzzle, solved=True))
        self._show_progress()

    def _rate(self, before: PuzzleLine, now: PuzzleLine) -> None:
        """Count a puzzle as not solved, at the first mistake or help."""
        if before.clean and not now.clean:
            self._keep(lambda: add_result(now.puzzle, solved=False))
            self._show_progress()

    def _keep(self, add: Callable[[], PuzzleProgress]) -> None:
        try:
            add()
        except GridwiseError as error:
            self.notify(str(error), severity="warning")

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What can be done now."""
        can = {
            "hint": self.is_open,
            "answer": self.is_open,
            "next_game": not self.daily,
            "level": not self.daily,
            "daily": self.day != self._today,
            "earlier": self.daily,
            "later": self.day is not None and self.day < self._today,
            "step": self.is_over,
        }
        return can.get(action, True) and super().check_action(action, parameters)

    def action_hint(self) -> None:
        """Say something that helps."""
        if self.line and self.is_open:
            line = self.line
            self.line, text = line.hinted()
            self._rate(line, self.line)
            self._show(text)

    def action_answer(self) -> None:
        """Show the solution; the puzzle is not solved then."""
        if self.line and self.is_open:
            line, self._shown_answer = self.line, True
            self.line = replace(line, clean=False)
            self._rate(line, self.line)
            self._show(f"{line.explained()}. → explains the moves.")
            self.query_one("#next-button").focus()

    def action_next(self) -> None:
        """Another puzzle; after the one of the day, one like it."""
        self._asked += not self.daily
        self.day = None
        self._load()

    def action_daily(self) -> None:
        """Today's puzzle."""
        self.day = self._today
        self._load()

    def action_earlier(self) -> None:
        """The puzzle of the day before."""
        self._go_to_day(-1)

    def action_later(self) -> None:
        """The puzzle of the day after, up to today."""
        self._go_to_day(1)

    def _go_to_day(self, by: int) -> None:
        assert self.day
        self.day += dt.timedelta(days=by)
        self._load()

    def action_step(self, by: int) -> None:
        """Step through the solution, from where the puzzle began."""
        assert self.line
        if not self._solution:
            self._solution, self._at = start_line(self.line.puzzle).solution(), 0
        self._at = min(max(self._at + by, 0), len(self._solution))
        why = self._solution[self._at - 1].why if self._at else "Here is where it began."
        self._show(f"{self._at} of {len(self._solution)}: {why}")

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
