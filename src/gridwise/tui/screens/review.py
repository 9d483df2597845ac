"""ReviewScreen: a game move by move, with what each move was worth and what would have been better.

The board shows the position in which a move was to be made, with the move that was played and the
best one. Another one can be tried, and the game can be played on from there.
"""

from __future__ import annotations

from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Button, OptionList, Static

from gridwise.core.game import Game
from gridwise.core.narration import Names
from gridwise.engine.bots import LEVELS
from gridwise.engine.evaluation import evaluate
from gridwise.engine.review import (
    MARKS,
    SECONDS,
    Review,
    ReviewRow,
    decisions,
    limits_for,
    review_of,
    rows,
    what_if_limits,
)
from gridwise.errors import BadRequest, EngineFailed, MoveError
from gridwise.play.labels import player_label
from gridwise.play.look_back import Exploration, place_words, standing, tried_words
from gridwise.play.match import HUMAN
from gridwise.play.records import Record
from gridwise.play.session import player_names
from gridwise.play.setup import Setup
from gridwise.players.new_match import play_on
from gridwise.tui.screens.board_screen import BoardScreen
from gridwise.tui.widgets.board import BoardView, move_to
from gridwise.tui.widgets.dialogs import ESCAPED, AskScreen
from gridwise.tui.widgets.win_graph import WinGraph

# What the buttons say and do.
BUTTONS = {
    "◂◂": "go(False)",
    "◂": "step(-1)",
    "▸": "step(1)",
    "▸▸": "go(True)",
    "?▸": "mistake(1)",
    "Try": "try_move",
    "Play on": "play_on",
    "Back": "leave",
}


class ReviewScreen(BoardScreen):
    """A game, finished or not, looked at move by move."""

    AUTO_FOCUS = "#moves"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h,comma", "step(-1)", "Back", key_display="←", tooltip="One move back"),
        Binding("right,l,full_stop", "step(1)", "On", key_display="→", tooltip="One move on"),
        Binding("home", "go(False)", "Start", show=False, tooltip="The first move"),
        Binding("end", "go(True)", "End", show=False, tooltip="How the game ended"),
        Binding("n", "mistake(1)", "Mistake", tooltip="The next mistake"),
        Binding("b", "mistake(-1)", "Last mistake", show=False, tooltip="The mistake before"),
        Binding("m", "try_move", "Try a move", tooltip="Try another move from here"),
        Binding("u,backspace", "take_back", "Undo", tooltip="Take the tried move back"),
        Binding("p", "play_on", "Play on", tooltip="Play on from here against a bot"),
        Binding("space", "read_on", "More", show=False, tooltip="Read on, where it is long"),
        Binding("r", "rules", "Rules", show=False, tooltip="The rules of this game"),
        Binding("escape,q", "leave", "Leave", tooltip="Leave what is tried, then the review"),
    ]

    help_lines = (
        "The board shows the position before a move, with the move that was played (→, or ?!, ?",
        "and ?? for mistakes) and the best one (★). Click a cell to try a move there.",
    )

    def __init__(self, record: Record, seconds: float = SECONDS) -> None:
        super().__init__()
        self._limits = limits_for(record.game, seconds)
        self.explored = Exploration(record)
        self.review: Review | None = None
        players = record.players
        person = players.index(HUMAN) + 1 if players.count(HUMAN) == 1 else 0
        self._names = player_names(players, person)
        self._reviewed = 0  # moves so far
        self._mistakes: list[int] = []
        self._choosing = False  # whether a cell is to be chosen on the board
        self._note = ""  # why a move cannot be tried
        self._lines: list[Content] = []
        self._pointed = 0  # the line that has the pointer

    # What is shown

    def compose_panel(self) -> ComposeResult:
        """The graph, the words and the moves."""
        yield Static(id="about", markup=False)
        yield WinGraph()
        with VerticalScroll(id="words", can_focus=False):
            yield Static(id="said", markup=False)
        yield OptionList(id="moves", markup=False, compact=True)
        with Horizontal(id="buttons"):
            for label, action in BUTTONS.items():
                yield Button(label, name=action, compact=True)

    def on_mount(self) -> None:
        """Show the end of the game, and begin to work out what its moves were worth."""
        record = self.explored.record
        one, two = (
            name.subject if name.is_you else player_label(player)
            for name, player in zip(self._names, record.players, strict=True)
        )
        self.write("title", f"Review: {record.game.title}")
        self.write("about", f"Player 1: {one}. Player 2: {two}.")
        self._list_moves()
        self._show()
        self.set_interval(0.2, self._tick)
        self._review()

    @property
    def game(self) -> Game:
        """The game that is looked at."""
        return self.explored.record.game

    @property
    def moves(self) -> OptionList:
        """The list of moves."""
        return self.query_one("#moves", OptionList)

    @work(exclusive=True, group="review")
    async def _review(self) -> None:
        """Work out what the moves were worth; leaving the screen stops it."""
        positions, limits = self.explored.positions, self._limits
        evaluations = []
        try:
            for self._reviewed, position in enumerate(decisions(positions)):
                evaluations.append(await self.app.engine.run(evaluate, position, limits))
        except EngineFailed as error:
            self._say(str(error))
            return
        self.review = review_of(positions, evaluations)
        graph = self.query_one(WinGraph)
        graph.curve = self.review.curve
        graded = enumerate(self.review.decisions)
        graph.marks = {at: MARKS[move.grade] for at, move in graded if move.grade in MARKS}
        self._mistakes = list(graph.marks)
        self._list_moves()
        self._show()

    def _tick(self) -> None:
        if self.review is None:
            self._show_words()

    def _list_moves(self) -> None:
        self._lines = list_lines(self.explored, self.review, self._names)
        self._pointed = self.explored.at
        self.moves.clear_options()
        self.moves.add_options(
            pointed(line, at == self._pointed) for at, line in enumerate(self._lines)
        )

    def _show(self) -> None:
        """Show where we are."""
        explored = self.explored
        trying = self._choosing or bool(explored.tried)
        position = explored.playable if trying else explored.position
        self.set_class(trying, "-trying")
        selectable = trying and not position.outcome
        self.board.show(position, explored.marks(self.review), selectable=selectable)
        self.query_one(WinGraph).at = explored.at
        for at in (self._pointed, explored.at):
            line = pointed(self._lines[at], at == explored.at)
            self.moves.replace_option_prompt_at_index(at, line)
        self._pointed = self.moves.highlighted = explored.at
        self._show_words()
        self.refresh_bindings()
        self.call_after_refresh(self.moves.scroll_to_highlight)

    def _say(self, note: str) -> None:
        """Say what went wrong, until somebody goes elsewhere."""
        self._note = note
        self._show_words()

    def _show_words(self) -> None:
        explored = self.explored
        if explored.tried:
            lines = tried_words(explored, self.review)
        else:
            lines = place_words(explored, self.review, self._reviewed, self._names)
            if self._choosing:
                lines.insert(0, f"Try a move for Player {explored.playable.turn}.")
        if self._note:
            lines = [self._note]
        first, *rest = lines
        said = Content("\n").join([Content.styled(first, "bold"), *map(Content, rest)])
        self.write("said", said)

    # Going through the game

    def _go_to(self, number: int) -> None:
        self._choosing, self._note = False, ""
        self.explored.go_to(number)
        if self.board.has_focus:
            self.moves.focus()
        self._show()

    def action_step(self, by: int) -> None:
        """One move on or back; off the game, the tried move is taken back."""
        if not self.explored.tried:
            self._go_to(self.explored.at + by)
        elif by < 0:
            self.action_take_back()

    def action_go(self, end: bool) -> None:
        """To the start or the end of the game."""
        self._go_to(self.explored.last if end else 0)

    def action_mistake(self, by: int) -> None:
        """To the next mistake or the one before; after the last comes the first."""
        at, mistakes = self.explored.at, self._mistakes
        ahead = [number for number in mistakes if (number - at) * by > 0]
        if mistakes:
            self._go_to((ahead or mistakes)[0 if by > 0 else -1])

    @on(OptionList.OptionHighlighted, "#moves")
    def _move_chosen(self, event: OptionList.OptionHighlighted) -> None:
        # The list tells of our own changes too, and late: by then we may be elsewhere.
        if event.option_index == self.moves.highlighted != self.explored.at:
            self._go_to(event.option_index)

    def on_win_graph_chosen(self, event: WinGraph.Chosen) -> None:
        """A place was clicked on the graph."""
        self._go_to(event.number)

    def action_read_on(self) -> None:
        """Scroll the words on; from their end, back to where they begin."""
        words = self.query_one("#words", VerticalScroll)
        if words.scroll_offset.y < words.max_scroll_y:
            words.scroll_page_down(animate=False)
        else:
            words.scroll_home(animate=False)

    # Trying moves

    def action_try_move(self) -> None:
        """Choose a move on the board."""
        if self.explored.playable.outcome:
            return
        self._choosing, self._note = True, ""
        self.board.focus()
        self._show()
        self._work_out()

    def action_take_back(self) -> None:
        """Take the last tried move back."""
        self._note = ""
        self.explored.take_back()
        self._choosing = True
        self._show()

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        """A cell was chosen, or clicked before a move was asked for: that move is tried."""
        if self.explored.playable.outcome:
            return
        if not self.board.selectable:
            self.action_try_move()
        self._try(event.cell)

    @work(exclusive=True, group="try")
    async def _try(self, cell: int) -> None:
        """Try the move to a cell, or say why it cannot be tried."""
        position, self._note = self.explored.playable, ""
        try:
            action = await move_to(self.board, position, cell)
            if action is not None:
                self.explored.try_move(action)
        except (MoveError, BadRequest) as error:
            self._note = str(error)
        self._choosing = True
        self._show()
        self._work_out()

    @work(exclusive=True, group="what if")
    async def _work_out(self) -> None:
        """What the position is worth that somebody tries moves in."""
        position = self.explored.playable
        if position.outcome or self.explored.evaluation(self.review):
            return
        limits = what_if_limits(position.game)
        try:
            evaluation = await self.app.engine.run(evaluate, position, limits)
        except EngineFailed as error:
            self._say(str(error))
            return
        self.explored.evaluations[position] = evaluation
        self._show()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's
        """What can be done now."""
        can = {
            "take_back": bool(self.explored.tried),
            "mistake": bool(self._mistakes),
            "try_move": not self._choosing and not self.explored.playable.outcome,
            "play_on": not self.explored.playable.outcome,
        }
        return can.get(action, True)

    # And then

    @work(exclusive=True, group="ask")
    async def action_play_on(self) -> None:
        """Play on from here against a bot, as a new game."""
        turn, levels = self.explored.playable.turn, list(LEVELS)
        sides = [f"Player {side}{' (to move)' * (side == turn)}" for side in (1, 2)]
        side = await self.app.push_screen_wait(AskScreen("Play on: which side is yours?", sides))
        if side == ESCAPED:
            return
        bots = [f"{level.capitalize()} bot" for level in levels]
        title = f"Who plays Player {2 - side}?"
        level = await self.app.push_screen_wait(AskScreen(title, bots))
        if level == ESCAPED:
            return
        session = play_on(self.explored.playable, side + 1, f"bot:{levels[level]}")
        one, two = session.players
        self.app.open("play", session, Setup(game=session.match.game.key, p1=one, p2=two))

    def action_leave(self) -> None:
        """Leave what is tried; from the game itself, the screen."""
        if self._choosing or self.explored.tried:
            self._go_to(self.explored.at)
        else:
            super().action_leave()


# The list of moves


def list_lines(explored: Exploration, review: Review | None, names: Names) -> list[Content]:
    """A line for each move, and one for the end; with what they were worth once that is known."""
    if review:
        table = rows(review)
        width = max((len(row.move) for row in table), default=0)
        lines = [_row_line(row, width) for row in table]
    else:
        played = zip(explored.positions, explored.record.moves, strict=False)
        lines = [
            Content(f"{number:>3} P{position.turn} {move}")
            for number, (position, move) in enumerate(played, 1)
        ]
    if len(lines) == explored.last:  # nobody resigned
        lines.append(Content(f"    {standing(explored, names)}"))
    return lines


def _row_line(row: ReviewRow, width: int) -> Content:
    better = f" ★ {row.better}" if row.better else ""
    number, move = f"{row.number or '':>3} P{row.player} ", f"{row.move:{width}}"
    # No colours: the line may be the one that is highlighted.
    return Content.assemble(number, (move, "bold"), f" {row.worth:16}{better}")


def pointed(line: Content, here: bool) -> Content:
    """A line of the list, with a pointer if it is the current one: colour is not enough."""
    return Content("▸" if here else " ") + line
