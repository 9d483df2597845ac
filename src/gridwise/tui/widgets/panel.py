"""What stands beside a board: each player, with what they have and need to win, and the moves."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from gridwise.core.contracts import Objective
from gridwise.core.narration import COLOURS
from gridwise.core.position import Position
from gridwise.play.labels import MoveRow
from gridwise.tui.widgets.board_drawing import FLAG, SHAPES, small_digits

_BAR_WIDTH = 10  # characters that the bar to the points takes at most,
_MIN_BAR_WIDTH = 5  # and at least
_MIN_HEADED = 5  # lines from which on the list of moves has a head and a blank line


class PlayerPanel(Widget):
    """A player in two lines; in one where there is little room, in three where there is much."""

    def __init__(self, player: int) -> None:
        super().__init__(id=f"player{player}", classes=f"-player{player}")
        self._player = player
        self._called = ""
        self._position: Position | None = None
        self._to_move = False

    def show(self, position: Position, name: str, *, to_move: bool) -> None:
        """Show a player, whom people call `name`, at a position."""
        self._position, self._called, self._to_move = position, name, to_move
        self.set_class(to_move, "-to-move")
        self.refresh()

    def render(self) -> Content:
        """Who it is, the score, and the objective."""
        position, (width, height) = self._position, self.content_size
        if position is None:
            return Content("")
        scores, objective = position.scores, position.objective(self._player)
        score = scores[self._player - 1] if scores else None
        goal = position.cell_name(objective.goal) if objective.goal >= 0 else ""
        # What somebody needs or has to do is of no use after the end.
        over = position.outcome is not None
        must_move = Content(
            f"must move {objective.number}" if objective.number and not over else ""
        )
        points = Content.styled(_points(score, objective), "bold")
        if height < 2:
            needs = self._needs_in_short(score, objective, must_move, goal)
            return _joined(self._who(position, width - needs.cell_length - 1), needs, width)
        who = self._who(position, width - points.cell_length - 1)
        right = [points, must_move]
        if height > 2:
            shown = objective.number or None if score is None else score
            digits = [""] * 3 if shown is None else small_digits(str(shown))
            right = [Content(line) for line in digits]
        # Sentences speak of Blue and Red, also where there are no colours or other ones.
        side = Content.styled(f"  {self._side:5}", self._colour)
        room = width - side.cell_length - right[1].cell_length - 1
        left = [who, side + self._needs(objective, goal, room, over=over)]
        if height > 2:
            left.append(Content("  ") + (points if points.plain else must_move))
        return Content("\n").join([_joined(*ends, width) for ends in zip(left, right, strict=True)])

    @property
    def _side(self) -> str:
        """The colour, as sentences call it; nothing where that is the name."""
        colour = COLOURS[self._player - 1].subject
        return "" if colour == self._called else colour

    @property
    def _colour(self) -> str:
        return f"$p{self._player}-text"

    def _who(self, position: Position, width: int) -> Content:
        won = position.outcome is not None and position.outcome.winner == self._player
        pointer = "▶ " if self._to_move else "★ " if won else "  "
        badge = f"{SHAPES[self._player]} {position.game.text.DRAWING.letters[self._player - 1]} "
        room = width - len(pointer) - len(badge)
        name = self._called if len(self._called) <= room else f"{self._called[: max(0, room - 1)]}…"
        return Content.assemble((pointer, "bold"), (badge, f"bold {self._colour}"), (name, "bold"))

    def _needs(self, objective: Objective, goal: str, width: int, *, over: bool) -> Content:
        """A bar to the points to reach, or the flag on the cell to reach."""
        text = "" if over else objective.text
        if objective.need:
            room = width - len(text) - 1
            if room < _MIN_BAR_WIDTH:
                return Content(text)
            return self._bar(objective, min(_BAR_WIDTH, room)) + f" {text}"
        return self._flag + f"to {goal}" if goal else Content(text)

    def _needs_in_short(
        self, score: int | None, objective: Objective, must_move: Content, goal: str
    ) -> Content:
        """What is needed and the score, in as few characters as can be."""
        if objective.need:
            return self._bar(objective, _BAR_WIDTH) + f" {_points(score, objective)}"
        points = Content("" if score is None else f"{score} ")
        flag = self._flag + goal if goal else Content("")
        return Content(" ").join(part for part in (points, must_move, flag) if part.plain)

    def _bar(self, objective: Objective, width: int) -> Content:
        full = max(0, min(width, width * objective.have // objective.need))
        return Content.styled("█" * full + "░" * (width - full), self._colour)

    @property
    def _flag(self) -> Content:
        return Content.styled(f"{FLAG}{self._player} ", f"bold {self._colour}")


def _points(score: int | None, objective: Objective) -> str:
    if score is None:
        return ""
    if objective.need and score <= objective.need:
        return f"{score} of {objective.need}"
    return f"{score} point{'s' * (score != 1)}"


def _joined(left: Content, right: Content, width: int) -> Content:
    """One line with a part at each end."""
    gap = max(1, width - left.cell_length - right.cell_length)
    return left + " " * gap + right if right.plain else left


class MoveLog(VerticalScroll):
    """The moves in two columns, a player's in each, and the last one in words."""

    def compose(self) -> ComposeResult:
        """One text; a game has few enough moves."""
        yield Static(id="lines")

    _shown: tuple[Sequence[MoveRow], tuple[str, str], str] = ((), ("", ""), "")

    def show(self, rows: Sequence[MoveRow], heads: tuple[str, str], said: str) -> None:
        """Show these moves under what the players are called, and what the last one did."""
        self._shown = rows, heads, said
        self._write()

    def on_resize(self) -> None:
        """Fit it into the room there is."""
        self._write()

    def _write(self) -> None:
        (rows, heads, said), is_high = self._shown, self.size.height > _MIN_HEADED
        table = [(f"{row.number}.", row.one, row.two) for row in rows]
        if rows and is_high:
            table.insert(0, ("", *heads))
        number, first = (max((len(line[at]) for line in table), default=0) for at in (0, 1))
        lines = [
            Content.assemble(
                (f"{label:>{number}} ", "dim"),
                (f"{one:{first}}  ", "$p1-text"),
                (two, "$p2-text"),
            )
            for label, one, two in table
        ]
        if said:
            lines += [*([Content("")] if is_high else []), Content(said)]
        self.query_one("#lines", Static).update(Content("\n").join(lines))
        self.call_after_refresh(self.scroll_end, animate=False)
