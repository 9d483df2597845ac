"""ReviewScreen: a game move by move, with what each move was worth and what would have been better.

The board shows the position in which a move was to be made, with the move that was played and the
best one. Another one can be tried, and the game can be played on from there.
"""

from __future__ import annotations

import textwrap
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Button, OptionList, Static

from gridwise.core.game import Game
from gridwise.core.narration import COLOURS, Names
from gridwise.core.position import Position
from gridwise.engine.bots import LEVELS
from gridwise.engine.evaluation import evaluate
from gridwise.engine.lines import best_line
from gridwise.engine.review import (
    MARKS,
    SECONDS,
    Review,
    ReviewRow,
    decisions,
    judge,
    limits_for,
    review_of,
    rows,
    try_out,
    what_if_limits,
)
from gridwise.engine_pool import EnginePool
from gridwise.errors import BadRequest, EngineFailed, MoveError
from gridwise.play.analysis_board import AnalysisBoard
from gridwise.play.labels import player_label
from gridwise.play.look_back import (
    BEST_LINE,
    NO_LINE,
    Exploration,
    line_words,
    place_words,
    standing,
    tried_words,
)
from gridwise.play.match import one_person
from gridwise.play.records import Record
from gridwise.play.session import player_names
from gridwise.play.setup import Setup
from gridwise.play.values import legend
from gridwise.players.new_match import play_on
from gridwise.tui.screens.board_screen import CANCEL, TypingScreen
from gridwise.tui.widgets.board import BoardView, decided
from gridwise.tui.widgets.board_drawing import SHAPES
from gridwise.tui.widgets.dialogs import ESCAPED, AskScreen
from gridwise.tui.widgets.win_graph import WinGraph

_MIN_TEXT_WIDTH = 12  # characters of a line of the list, behind number and move
# What the buttons say and do. Where room is short some are left out: a click on a cell tries it.
BUTTONS = {
    "◂◂": "go(False)",
    "◂": "step(-1)",
    "▸": "step(1)",
    "▸▸": "go(True)",
    "?▸": "mistake(1)",
    "Try": "try_move",
    "Values": "values",
    "Line": "follow",
    "Play on": "play_on",
    "Back": "leave",
}


class ReviewScreen(TypingScreen):
    """A game, finished or not, looked at move by move."""

    enter_does = "Try"

    AUTO_FOCUS = "#moves"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,comma", "step(-1)", "Back", key_display="←", tooltip="One move back"),
        Binding("right,full_stop", "step(1)", "On", key_display="→", tooltip="One move on"),
        Binding("home", "go(False)", "Start", show=False, tooltip="The first move"),
        Binding("end", "go(True)", "End", show=False, tooltip="How the game ended"),
        Binding("n", "mistake(1)", "Mistake", tooltip="The next mistake"),
        Binding("b", "mistake(-1)", "Last mistake", show=False, tooltip="The mistake before"),
        Binding("m", "try_move", "Try", tooltip="Try another move from here"),
        Binding("z,backspace", "take_back", "Undo", tooltip="Take the tried move back"),
        Binding("v", "values", "Values", tooltip="What each move is worth, on its cell"),
        Binding("f", "follow", "Line", tooltip="The best line from here, to step through"),
        Binding(
            "x", "follow_played", "Then", show=False, tooltip="Best play after the move played here"
        ),
        Binding("a", "analyse", "Analyse", show=False, tooltip="The analysis board from here"),
        Binding("p", "play_on", "Play on", tooltip="Play on from here against a bot"),
        Binding(
            "space,pagedown", "read_on", "More", show=False, tooltip="Read on, where it is long"
        ),
        Binding("h", "rules", "Rules", show=False, tooltip="The rules of this game"),
        CANCEL,
        Binding("escape,q", "leave", "Leave", tooltip="Leave what is tried, then the review"),
    ]

    help_lines = (
        "The board shows the position before a move, with the move that was played (→, or ?!, ? "
        "and ?? for mistakes) and the best one (★). Click a cell, or type a move, to try it.",
    )

    def __init__(self, record: Record, seconds: float = SECONDS) -> None:
        super().__init__()
        self._limits = limits_for(record.game, seconds)
        self.explored = Exploration(record)
        self.review: Review | None = None
        self._names = player_names(record.players, one_person(record.players), COLOURS)
        self._reviewed = 0  # moves so far
        self._mistakes: list[int] = []
        self._choosing = False  # whether a cell is to be chosen on the board
        self._note = ""  # why a move cannot be tried
        self._lines: list[Content] = []
        self._pointed = 0  # the line that has the pointer
        self._width_listed = 0  # characters that the lines have been broken for

    # What is shown

    def compose_panel(self) -> ComposeResult:
        """The graph, the words and the moves."""
        yield Static(id="about", markup=False)
        yield WinGraph()
        with VerticalScroll(id="words", can_focus=False):
            yield Static(id="said", markup=False)
        yield from self.compose_line()
        yield OptionList(id="moves", markup=False, compact=True)
        with Horizontal(id="buttons"):
            for label, action in BUTTONS.items():
                yield Button(
                    label, name=action, compact=True, classes=f"-{action.partition('(')[0]}"
                )

    def on_mount(self) -> None:
        """Show the end of the game, and begin to work out what its moves were worth."""
        record = self.explored.record
        one, two = (
            name.subject if name.is_you else player_label(player)
            for name, player in zip(self._names, record.players, strict=True)
        )
        self.write("title", f"Review: {record.game.title}")
        blue, red = (_side(player) for player in (1, 2))
        self.write("about", f"{blue}: {one}. {red}: {two}.")
        self._list_moves()
        self._show()
        # Its messages come late: the next key would still be of where one was.
        self.watch(self.moves, "highlighted", self._move_chosen, init=False)
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
        judged = []
        try:
            for self._reviewed, decision in enumerate(decisions(positions)):
                judged.append(await self.app.engine.run(judge, decision, limits))
        except EngineFailed as error:
            self._say(str(error))
            return
        if not self.query(WinGraph):
            return  # the screen is being left at this moment
        self.review = review_of(positions, judged)
        graph = self.query_one(WinGraph)
        graph.curve = self.review.graph
        graph.numbers = tuple(map(self.review.own_number, range(len(self.review.decisions))))
        graded = enumerate(self.review.decisions)
        graph.marks = {at: MARKS[move.grade] for at, move in graded if move.grade in MARKS}
        self._mistakes = self.review.worth_a_look
        self._list_moves()
        self._show()

    def on_resize(self) -> None:
        """Break the lines of the list where they end now."""
        self.call_after_refresh(self._list_again)

    def _list_again(self) -> None:
        if self._width_listed != self._list_width:
            self._list_moves()
            self._show()

    @property
    def _list_width(self) -> int:
        """Characters of a line of the list, without the pointer and the bar to scroll with."""
        return self.moves.content_size.width - 2

    def _tick(self) -> None:
        if self.review is None:
            self._show_words()

    def _list_moves(self) -> None:
        self._width_listed = self._list_width
        self._lines = list_lines(self.explored, self.review, self._names, self._width_listed)
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
        evaluation = explored.evaluation(self.review)
        self.board.values = self.values_of(explored.playable, evaluation)
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
            lines = tried_words(explored, self.review, self._names)
        else:
            lines = place_words(explored, self.review, self._reviewed, self._names)
            if line := line_words(explored):
                lines.insert(0, line)
            if self._choosing:
                lines.insert(0, f"Try a move for {self._names[explored.playable.turn - 1].object}.")
        if self._note:
            lines = [self._note]
        elif self.board.values:
            lines.append(legend(self.board.values))
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
        if self.app.shows_values:
            self._work_out()

    def action_step(self, by: int) -> None:
        """One move on or back, in a line or in the game."""
        if not self.explored.line:
            self._go_to(self.explored.at + by)
        elif by < 0 or self.explored.moves_ahead:
            self._note = ""
            self.explored.step(by)
            self._show()
            self._work_out()

    def action_go(self, end: bool) -> None:
        """To the start or the end of the game."""
        self._go_to(self.explored.last if end else 0)

    def action_mistake(self, by: int) -> None:
        """To the next mistake or the one before; after the last comes the first."""
        at, mistakes = self.explored.at, self._mistakes
        ahead = [number for number in mistakes if (number - at) * by > 0]
        if mistakes:
            self._go_to((ahead or mistakes)[0 if by > 0 else -1])

    def _move_chosen(self, number: int | None) -> None:
        # The list tells of our own changes too.
        if number not in (None, self.explored.at):
            self._go_to(number)

    def on_win_graph_chosen(self, event: WinGraph.Chosen) -> None:
        """A place was clicked on the graph."""
        self._go_to(event.number)

    def action_values(self) -> None:
        """Show what each move is worth, or no more."""
        self.app.shows_values = not self.app.shows_values
        self._show()
        self._work_out()

    # Following lines

    @work(exclusive=True, group="line")
    async def action_follow(self) -> None:
        """Lay the best line from here ahead."""
        await self._follow(BEST_LINE)

    @work(exclusive=True, group="line")
    async def action_follow_played(self) -> None:
        """Make the move that was played, and lay best play after it ahead."""
        if self.explored.played is None:
            return
        move = self.explored.record.moves[self.explored.at]
        self._go_to(self.explored.at + 1)
        await self._follow(f"After {move}")

    async def _follow(self, name: str) -> None:
        position = self.explored.playable
        try:
            line = await self.app.engine.run(best_line, position)
        except EngineFailed as error:
            self._say(str(error))
            return
        if position != self.explored.playable:  # somebody has gone on meanwhile
            return
        self._choosing = False
        self.explored.follow(name, line)
        self._note = "" if line or position.outcome else NO_LINE
        self.moves.focus()
        self._show()

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

    @property
    def asked(self) -> bool:
        """Whether a move can be tried now."""
        return not self.explored.playable.outcome

    @property
    def shown(self) -> Position:
        """The position that a move is tried in."""
        return self.explored.playable

    @property
    def takes_letters(self) -> bool:
        """From the list of moves, too."""
        return self.focused in (self.board, self.moves)

    def read_typed(self, text: str) -> bool:
        """Try a move that was typed, or say why it cannot be tried."""
        try:
            action = self.shown.read(text)
        except MoveError as error:
            self._say(str(error))
            return False
        self._try_action(action, typed=True)
        return True

    def _close_line(self) -> None:
        super()._close_line()
        if not (self._choosing or self.explored.tried):
            self.moves.focus()

    def _try(self, cell: int) -> None:
        """Try the move to a cell, or say why it cannot be tried."""
        position = self.shown
        actions = position.view.cells[cell].actions
        if actions:
            self._try_action(actions[0])
        else:
            self.read_typed(position.cell_name(cell))

    @work(exclusive=True, group="try")
    async def _try_action(self, chosen: int, *, typed: bool = False) -> None:
        self._note = ""
        try:
            action = await decided(self.board, self.shown, chosen)
            if action is not None:
                self.explored.try_move(action)
        except BadRequest as error:
            self._note = str(error)
        self._choosing = True
        self._show()
        self._work_out()
        if typed and self._note:
            self._open_line("")

    @work(exclusive=True, group="what if")
    async def _work_out(self) -> None:
        """What the position is worth that somebody tries moves in."""
        try:
            found = await work_out(self.app.engine, self.explored, self.review)
        except EngineFailed as error:
            self._say(str(error))
            return
        if found:
            self._show()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What can be done now."""
        can = {
            "type_move": False,  # its key is the one for trying a move
            "take_back": bool(self.explored.tried),
            "mistake": bool(self._mistakes),
            "follow": not self.explored.playable.outcome,
            "follow_played": self.explored.played is not None,
            "try_move": not self._choosing and not self.explored.playable.outcome,
            "play_on": not self.explored.playable.outcome,
        }
        return can.get(action, True) and super().check_action(action, parameters)

    # And then

    def action_analyse(self) -> None:
        """Open the analysis board here, with what was played, or is tried, ahead."""
        record, explored = self.explored.record, self.explored
        moves = explored.playable.moves if explored.tried else record.moves
        board = AnalysisBoard(record.game, record.board, record.first, moves)
        board.go_to_move(explored.at + explored.place)
        self.app.open("analysis", board)

    @work(exclusive=True, group="ask")
    async def action_play_on(self) -> None:
        """Play on from here against a bot, as a new game."""
        turn, levels = self.explored.playable.turn, list(LEVELS)
        sides = [f"{_side(side)}{' (to move)' * (side == turn)}" for side in (1, 2)]
        side = await self.app.push_screen_wait(AskScreen("Play on: which side is yours?", sides))
        if side == ESCAPED:
            return
        bots = [f"{level.capitalize()} bot" for level in levels]
        title = f"Who plays {COLOURS[1 - side].subject}?"
        level = await self.app.push_screen_wait(AskScreen(title, bots))
        if level == ESCAPED:
            return
        session = play_on(self.explored.playable, side + 1, f"bot:{levels[level]}")
        one, two = session.players
        self.app.open("play", session, Setup(game=session.match.game.key, p1=one, p2=two))

    def action_leave(self) -> None:
        """Leave what is tried; from the game itself, the screen."""
        if self._choosing or self.explored.line:
            self._go_to(self.explored.at)
        else:
            super().action_leave()


# The list of moves


def list_lines(
    explored: Exploration, review: Review | None, names: Names, room: int
) -> list[Content]:
    """A line for each move, and one for the end; with what they were worth once that is known.

    None is longer than its room: the rest goes below.
    """
    if review:
        table = rows(review)
        width = max((len(row.move) for row in table), default=0)
        lines = [_row_line(row, width, room) for row in table]
    else:
        lines, played = [], [0, 0]  # moves of each player
        for position, move in zip(explored.positions, explored.record.moves, strict=False):
            played[position.turn - 1] += 1
            number = played[position.turn - 1]
            lines.append(Content(f"{number:>3} {SHAPES[position.turn]} {move}"))
    if len(lines) == explored.last:  # nobody resigned
        lines.append(_below(Content("    "), standing(explored, names), room))
    return lines


def _row_line(row: ReviewRow, width: int, room: int) -> Content:
    better = f" ★ {row.better}" if row.better else ""
    number, move = f"{row.number or '':>3} {SHAPES[row.player]} ", f"{row.move:{width}}"
    # No colours: the line may be the one that is highlighted.
    head = Content.assemble(number, (move, "bold"), " ")
    return _below(head, f"{row.worth:16}{better}", room)


def _below(head: Content, text: str, room: int) -> Content:
    """A text behind a head, and where it is too long for the room in further lines below itself."""
    indent = head.cell_length
    parts = textwrap.wrap(text, max(room - indent, _MIN_TEXT_WIDTH)) if room > 0 else [text]
    return Content("\n" + " " * indent).join([head + parts[0], *map(Content, parts[1:])])


def _side(player: int) -> str:
    """A side as the list has it, and in a word: `● Blue`."""
    return f"{SHAPES[player]} {COLOURS[player - 1].subject}"


def pointed(line: Content, here: bool) -> Content:
    """A line of the list, with a pointer if it is the current one: colour is not enough."""
    return Content("▸" if here else " ") + line


async def work_out(
    engine: EnginePool, explored: Exploration, reviewed: Review | None = None
) -> bool:
    """Find out what a position off the game is worth, and why the move to it; whether it is news.

    Raises EngineFailed.
    """
    position, before = explored.playable, explored.before
    limits = what_if_limits(position.game)
    if before and position not in explored.reasons:
        explored.add_trial(position, await engine.run(try_out, before, position, limits))
    elif not position.outcome and not explored.evaluation(reviewed):
        explored.evaluations[position] = await engine.run(evaluate, position, limits)
    else:
        return False
    return True
