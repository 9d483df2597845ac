"""MatchScreen: a match as it goes on, whether people play in it or only watch.

The board stays in place; beside it is all there is to know. Every move is saved before it is shown.
Bots think in the background, one move at a time, and each move stays on the screen for a while
before the next.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Button, Static

from gridwise.core.game import Game
from gridwise.core.narration import COLOURS, capitalized
from gridwise.core.position import Player, Position
from gridwise.engine.bots import choose_and_return
from gridwise.errors import GridwiseError, printable
from gridwise.play.labels import move_rows
from gridwise.play.library import resume_command
from gridwise.play.series import Series
from gridwise.play.session import PlaySession
from gridwise.play.setup import Setup
from gridwise.players.new_match import set_up
from gridwise.players.seats import ExternalPlayer
from gridwise.tui.background import in_background
from gridwise.tui.screens.board_screen import BoardScreen, TypingScreen
from gridwise.tui.widgets.board import left_cells
from gridwise.tui.widgets.board_drawing import SHAPES, Layout, fit
from gridwise.tui.widgets.panel import MoveLog, PlayerPanel

_MIN_PANEL_WIDTH = 36  # characters that the panel beside the board takes at least,
_MAX_PANEL_WIDTH = 60  # and at most
_TALL_HEIGHT = 36  # lines from which on the players have large scores
_LINES_BELOW = 8  # lines that go below a board that takes the whole width, the footer included
PACE_STEP_SECONDS = 0.2
HOW_TO_MOVE = "Choose a cell with a dot: arrows and Enter, or click."
# What comes after the end: the action, its key, and what the button says.
_NEXT = {
    "play_again": ("p", "Play again"),
    "review": ("o", "Review"),
    "new_game": ("n", "New game"),
    "leave": ("q", "Home"),
}


class MatchScreen(BoardScreen, inherit_bindings=False):
    """One game, from where its session stands to the end and what comes after."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "rules", "Rules", tooltip="How to play: the rules of this game"),
        Binding("o", "review", "Review", tooltip="Look at the game move by move"),
        Binding("n", "new_game", "New game", show=False, tooltip="Choose opponent and board"),
        Binding("plus,equals_sign", "pace(-1)", "Faster", show=False, tooltip="Show moves faster"),
        Binding("minus", "pace(1)", "Slower", show=False, tooltip="Show moves more slowly"),
        Binding("escape,q", "leave", "Home", tooltip="Leave the game; it is kept"),
        Binding("tab", "app.focus_next", show=False),
        Binding("shift+tab", "app.focus_previous", show=False),
    ]

    def __init__(self, session: PlaySession, setup: Setup) -> None:
        super().__init__()
        self.session, self.setup = session, setup
        session.nameless = COLOURS
        begun = session.match.moves  # then it was said
        self._opening = [] if begun else setup.opening_lines(session, COLOURS)
        if self._opening and session.match.game.coin_toss:
            self._opening.append(f"{session.names[session.match.first - 1].does('begin')}.")
        self._note = ""  # what is said instead of whose turn it is: a hint, or what went wrong
        self._thinking: Player | None = None
        self._dots = 0
        self._failed = False  # whether a program that was to move did not
        self._unsettled: ExternalPlayer | None = None  # one whose answer nobody waits for any more

    # What is shown

    def compose_panel(self) -> ComposeResult:
        """Both players, whose turn it is, and the moves."""
        yield Static(id="series", markup=False)
        yield PlayerPanel(1)
        yield PlayerPanel(2)
        yield Static(id="status", markup=False)
        yield Static(id="counted", markup=False)
        yield from TypingScreen.compose_line()
        with Vertical(id="next"):
            for action, (_, label) in _NEXT.items():
                yield Button(label, id=action, name=action, compact=True)
        yield MoveLog()
        yield Static(id="legend", markup=False)

    def on_mount(self) -> None:
        """Show the position, and let whoever is to move begin."""
        self.board.focus()
        self.set_interval(0.3, self._tick)
        self._arrange()
        self._show()
        self._play()

    @property
    def game(self) -> Game:
        """The game that is shown."""
        return self.session.match.game

    def on_resize(self) -> None:
        """Put the panel where it leaves the board most room."""
        if self.is_mounted:
            self._arrange()
            self._show_status()

    def _arrange(self) -> None:
        (width, height), view = self.size, self.session.match.view
        beside = fit(view, width - _MIN_PANEL_WIDTH, height - 1)
        below = fit(view, width, height - _LINES_BELOW)
        stacked = _area(below) > _area(beside) or width < 2 * _MIN_PANEL_WIDTH
        self.set_class(stacked, "-stacked")
        self.set_class(stacked and height < view.rows + 1 + _LINES_BELOW, "-tiny")
        self.query(PlayerPanel).set_class(stacked, "-short")
        self.query(PlayerPanel).set_class(not stacked and height >= _TALL_HEIGHT, "-tall")
        self._label_next_steps()
        rest = min(width - beside.total_width - 2, _MAX_PANEL_WIDTH)
        panel = self.query_one("#panel")
        panel.styles.width = "100%" if stacked else max(_MIN_PANEL_WIDTH, rest)

    @property
    def _next_steps(self) -> dict[str, tuple[str, str]]:
        """What comes after the end; in a series that goes on, its next game."""
        series, outcome = Series.from_tags(self.session.tags), self.session.match.outcome
        following = series.next(outcome.winner) if series and outcome else None
        return _NEXT | ({"play_again": ("p", f"Game {following.round}")} if following else {})

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """The keys; after the end the one for the next game says what its button says."""
        bindings = super().active_bindings
        _, label = self._next_steps["play_again"]
        for key, active in bindings.items():
            if active.binding.action == "play_again" and self.session.match.outcome:
                binding = replace(active.binding, description=label)
                bindings[key] = active._replace(binding=binding)
        return bindings

    def _label_next_steps(self) -> None:
        for action, (key, label) in self._next_steps.items():
            shown = label if self.has_class("-stacked") else f"{key}  {label}"
            self.query_one(f"#{action}", Button).label = shown

    def _show(self, step: tuple[Position, Position] | None = None) -> None:
        """Show the position as it is, or a step, from one to another, that is not yet decided."""
        if not self.is_attached:  # the screen has been left meanwhile
            return
        session, positions = self.session, self.session.match.positions
        before, position = step or (positions[-2] if positions[1:] else None, positions[-1])
        marks = left_cells(before, position) if before else {}
        self.board.show(position, marks, selectable=session.asked and step is None)
        self.show_players(position, session.names, session.match.turn)
        self.write("title", self.game.title)
        self.write("series", self._series_line())
        self.write("legend", position.game.text.DRAWING.legend_with(COLOURS))
        one, two = position.game.text.DRAWING.letters
        heads = f"{SHAPES[1]} {one}", f"{SHAPES[2]} {two}"
        said, note = positions[-1].last_line(session.names), session.result_note
        said = f"{said}." if said else ""
        self.write("counted", note)
        self.set_class(bool(note), "-counted")
        if note and self.has_class("-stacked"):  # then it has no line of its own
            said = note
        self.query_one(MoveLog).show(move_rows(positions), heads, said)
        self.set_class(session.match.outcome is not None, "-over")
        self.set_class(self._is_opening, "-opening")
        self._label_next_steps()
        self.set_class(bool(self._series_line()), "-series")
        self._show_status()
        self.refresh_bindings()

    def _series_line(self) -> str:
        """How a series stands, this game included once it is over."""
        series, outcome = Series.from_tags(self.session.tags), self.session.match.outcome
        if series is None:
            return ""
        won = self.session.match.moves_of(outcome.winner) if outcome else 0
        stands = series.after(outcome.winner, won) if outcome else series
        return f"Game {series.round}. {stands.line(self.session.names)}"

    def _show_status(self) -> None:
        if self.is_attached:
            self.write("status", printable(self._note or self._turn_line()))

    @property
    def _is_opening(self) -> bool:
        """Whether people play, and none of them has moved."""
        session = self.session
        moved = (session.seats[mover - 1] is None for mover in session.match.movers)
        return None in session.seats and not (session.match.outcome or any(moved))

    def _turn_line(self) -> str:
        session, position = self.session, self.session.match.position
        if position.outcome:
            # Where the panel is below the board there is no line for the series alone.
            series = self._series_line() if self.has_class("-stacked") else ""
            return " ".join(filter(None, (position.result_line(session.names), series)))
        name = session.names[position.turn - 1]
        if self._thinking:
            return f"{name.subject} is thinking{'.' * (self._dots % 4)}"
        whose = name.possessive
        turn = f"{capitalized(whose)} turn"
        if not self._is_opening:
            return turn
        # Before a person's first move. Where there is one line, who is better off was in the form.
        opening = [] if self.has_class("-tiny") else self._opening
        return " ".join([*opening, f"{turn}.", HOW_TO_MOVE])

    def _tick(self) -> None:
        if self._thinking:
            self._dots += 1
            self._show_status()

    def _say(self, note: str) -> None:
        """Say something in place of whose turn it is, until the next move."""
        self._note = note
        self._show_status()

    # Moves

    @work(exclusive=True, group="play")
    async def _play(self) -> None:
        """Let programs move until a person is asked or the game is over."""
        await self._let_programs_move()

    async def _let_programs_move(self) -> None:
        while player := self._program_to_move():
            since = time.monotonic()
            action = await self._chosen(player, self.session.match.position)
            if action is None:
                break
            await self._pause(since)
            await self._make(action)
        self._show()

    def _program_to_move(self) -> Player | None:
        turn = self.session.match.turn
        return self.session.seats[turn - 1] if turn else None

    async def _chosen(self, player: Player, position: Position) -> int | None:
        """The move of a bot or an engine; None if it failed."""
        unsettled, self._unsettled = self._unsettled, None
        self._thinking, self._dots, self._failed = player, 0, False
        self._show()
        try:
            if unsettled:
                await in_background(unsettled.close)
            return await self._asked(player, position)
        except GridwiseError as error:
            self._failed = True
            self._note = f"{error} Press Enter to ask it again. The game is kept."
            return None
        finally:
            self._thinking = None

    async def _asked(self, player: Player, position: Position) -> int:
        """The answer of a player. Bots think in the engine's process, and keep their dice here."""
        if player.name.partition(":")[0] != "bot":
            return await in_background(player.choose, position)
        action, player = await self.app.engine.run(choose_and_return, player, position)
        one, two = self.session.seats
        self.session.seats = (player, two) if position.turn == 1 else (one, player)
        return action

    async def _make(self, action: int) -> None:
        """Make a move, keep it, then show it."""
        before = self.session.match.position
        question = before.question(action)
        self.workers.cancel_group(self, "hint")
        self._note = ""
        self.session.match.move(action)
        self._keep()
        if question and action != question.undecided:
            self._show((before, before.play(question.undecided)))  # then what came of it
            await self._pause(time.monotonic())
        self._show()

    async def _pause(self, since: float) -> None:
        """Leave what is shown on the screen for the usual time, counted from `since`."""
        await asyncio.sleep(max(0.0, since + self.app.delay - time.monotonic()))

    def _stop(self) -> None:
        """Stop whatever is going on; an answer that comes later is dropped."""
        self.workers.cancel_group(self, "hint")
        self.workers.cancel_group(self, "play")
        # A program's late answer must not be taken for the next one: it is started anew.
        if isinstance(self._thinking, ExternalPlayer):
            self._unsettled = self._thinking
        self._thinking = None

    def _keep(self) -> None:
        """Write the game to its file, so that nothing is lost whatever happens."""
        if warning := self.session.save():
            self.notify(warning, severity="warning", timeout=10)

    def way_back(self) -> list[str]:
        """What to say when the app is left in the middle of the game."""
        path, match = self.session.path, self.session.match
        if match.outcome or not match.moves or path is None:
            return []
        return [f"The game is saved. Continue with: {resume_command(path)}"]

    async def on_unmount(self) -> None:
        """End the programs that play."""
        await in_background(self.end_programs)

    def end_programs(self) -> None:
        """End the programs that play; it can take a moment."""
        for player in self.session.seats:
            if isinstance(player, ExternalPlayer):
                player.close()

    # Actions

    def action_review(self) -> None:
        """Look at the game so far."""
        self.app.open("review", self.session.record())

    def action_new_game(self) -> None:
        """Choose the opponent and the board of another game."""
        self.app.open("new_game", self.game)

    def action_pace(self, slower: int) -> None:
        """Show moves faster or more slowly."""
        self.app.set_delay(self.app.delay + slower * PACE_STEP_SECONDS)
        self.notify(f"{self.app.delay:.1f} seconds a move", title="Pace", timeout=2)

    def action_leave(self) -> None:
        """Leave the game, and those that it was started from."""
        self._stop()
        self.app.pop_screen()
        while isinstance(self.app.screen, MatchScreen):
            self.app.pop_screen()

    def action_play_again(self) -> None:
        """The next game: a new board, with sides swapped."""
        self._next_game()

    @work(group="ask", exclusive=True)
    async def _next_game(self) -> None:
        setup = self.setup.next_game(self.session)
        self._say("Dealing a new board…")
        try:
            session = await in_background(set_up, setup)
        except GridwiseError as error:
            self._say(str(error))
        else:
            self._stop()
            self.app.switch_screen(type(self)(session, setup))


def _area(layout: Layout) -> int:
    """How large the inside of a cell is; 0 where there is no room for lines."""
    return layout.line * layout.width * layout.height
