"""PlayerPanel: one of the two players, with what they have and what they need to win."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from gridwise.core.contracts import Objective
from gridwise.core.position import Position
from gridwise.tui.widgets.board_drawing import FLAG, SHAPES
from gridwise.tui.widgets.digits import small_digits

_BAR = 10  # characters


@dataclass(frozen=True)
class PlayerStatus:
    """What there is to say about a player at a position."""

    player: int
    name: str
    letters: str
    to_move: bool
    score: int | None
    objective: Objective
    goal: str = ""  # the name of the cell to reach
    won: bool = False

    @staticmethod
    def at(position: Position, player: int, name: str, *, to_move: bool) -> PlayerStatus:
        """The status of a player, whom people call `name`."""
        scores, objective = position.scores, position.objective(player)
        outcome = position.outcome
        return PlayerStatus(
            player=player,
            name=name,
            letters=position.game.text.DRAWING.letters[player - 1],
            to_move=to_move,
            score=scores[player - 1] if scores else None,
            objective=objective,
            goal=position.cell_name(objective.goal) if objective.goal >= 0 else "",
            won=outcome is not None and outcome.winner == player,
        )


class PlayerPanel(Widget):
    """A player in two lines; in one where there is little room, in three where there is much."""

    DEFAULT_CSS = """
    PlayerPanel {
        height: 2;
        padding: 0 1;
        border-left: outer $p1;
        background: $surface;
        &.-player2 { border-left: outer $p2; }
        &.-to-move { background: $panel; }
        &.-tall { height: 5; padding: 1; }
        &.-short { height: 1; border-left: none; padding: 0; }
    }
    """
    status: reactive[PlayerStatus | None] = reactive(None)

    def watch_status(self, status: PlayerStatus | None) -> None:
        """Another position."""
        if status:
            self.set_class(status.player == 2, "-player2")
            self.set_class(status.to_move, "-to-move")

    def render(self) -> Content:
        """Who it is, the score, and the objective."""
        status = self.status
        if status is None:
            return Content("")
        width = self.content_size.width
        if self.content_size.height < 2:
            needs = _needs_in_short(status)
            return _joined(_who(status, width - needs.cell_length - 1), needs, width)
        score, number = Content.styled(_score(status), "bold"), _number(status)
        who = _who(status, width - score.cell_length - 1)
        left, right = [who, Content("  ") + _needs(status, width - 2)], [score, number]
        if self.content_size.height > 2:
            left.append(Content("  ") + (score if score.plain else number))
            right = [Content(line) for line in _large_number(status)]
        lines = [_joined(*ends, width) for ends in zip(left, right, strict=True)]
        return Content("\n").join(lines)


def _large_number(status: PlayerStatus) -> list[str]:
    """The score, or how far the token goes, in three lines."""
    number = status.objective.number or None
    shown = number if status.score is None else status.score
    return [""] * 3 if shown is None else small_digits(str(shown))


def _who(status: PlayerStatus, width: int) -> Content:
    colour = f"bold $p{status.player}-text"
    pointer = "▶ " if status.to_move else "★ " if status.won else "  "
    badge = f"{SHAPES[status.player]} {status.letters} "
    room = width - len(pointer) - len(badge)
    name = status.name if len(status.name) <= room else f"{status.name[: max(0, room - 1)]}…"
    return Content.assemble((pointer, "bold"), (badge, colour), (name, "bold"))


def _score(status: PlayerStatus) -> str:
    if status.score is None:
        return ""
    if status.objective.need:
        return f"{status.score} of {status.objective.need}"
    return f"{status.score} point{'s' * (status.score != 1)}"


def _needs(status: PlayerStatus, width: int) -> Content:
    """A bar to the points to reach, or the flag on the cell to reach."""
    objective = status.objective
    if objective.need:
        bar = _bar(status, min(_BAR, width - len(objective.text) - 1))
        return bar + f" {objective.text}"
    return _flag(status) + f"to {status.goal}" if status.goal else Content(objective.text)


def _needs_in_short(status: PlayerStatus) -> Content:
    """The same with the score, in as few characters as can be."""
    if status.objective.need:
        return _bar(status, _BAR) + f" {_score(status)}"
    score = "" if status.score is None else f"{status.score} "
    goal = _flag(status) + status.goal if status.goal else Content("")
    return Content(" ").join(part for part in (Content(score), _number(status), goal) if part.plain)


def _bar(status: PlayerStatus, width: int) -> Content:
    objective, colour = status.objective, f"$p{status.player}-text"
    full = max(0, min(width, width * objective.have // objective.need))
    return Content.assemble(("█" * full, colour), ("░" * (width - full), colour))


def _flag(status: PlayerStatus) -> Content:
    return Content.styled(f"{FLAG}{status.player} ", f"bold $p{status.player}-text")


def _number(status: PlayerStatus) -> Content:
    """How far the token goes, where a number says so."""
    number = status.objective.number
    return Content(f"must move {number}") if number else Content("")


def _joined(left: Content, right: Content, width: int) -> Content:
    """One line with a part at each end."""
    gap = max(1, width - left.cell_length - right.cell_length)
    return left + " " * gap + right if right.plain else left
