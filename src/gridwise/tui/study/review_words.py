"""What a review says about each place in a game: the words of `gridwise review`, line by line."""

from __future__ import annotations

from textual.content import Content

from gridwise.core.narration import Names
from gridwise.engine.review import (
    Review,
    ReviewRow,
    in_words,
    remark,
    rows,
    summary,
    worth_text,
)
from gridwise.tui.study.exploration import Exploration

WORKING = "Working out what this is worth…"


def list_lines(explored: Exploration, found: Review | None, names: Names) -> list[Content]:
    """A line for each move, and one for the end; with what they were worth once that is known."""
    if found:
        table = rows(found)
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


def standing(explored: Exploration, names: Names) -> str:
    """How the game ended, or who is to move."""
    last = explored.positions[-1]
    return last.result_line(names) or f"Unfinished: Player {last.turn} to move."


def place_words(explored: Exploration, found: Review | None, done: int, names: Names) -> list[str]:
    """What is to be said where somebody is in the game; `done` moves have been reviewed."""
    at, last = explored.at, explored.last
    if at == last:
        lines = [standing(explored, names)]
    else:
        lines = [explored.positions[at].log_line(explored.positions[at + 1], names) + "."]
    if found is None:
        return [*lines, f"Reviewing the moves: {done} of {last}"]
    if not last:
        return [*lines, "No move was made yet."]
    if at == last:
        return [*lines, *summary(found)]
    row = rows(found)[at]
    better = f" Best: {row.better}." if row.better else ""
    return [*lines, remark(found, at) or f"{row.move}: {row.worth}.{better}"]


def tried_words(explored: Exploration, found: Review | None) -> list[str]:
    """What is to be said about a move that is tried."""
    position, moves = explored.position, explored.tried_moves
    before = explored.evaluation(found, len(moves) - 1)
    here = explored.evaluation(found)
    lines = [f"You are trying {' '.join(moves)}."]
    if before:
        lines.append(f"{moves[-1]}: {in_words(before.of(position.history[-1]))}.")
    if position.outcome:
        return [*lines, position.result_line()]
    if here is None:
        return [*lines, WORKING]
    return [*lines, f"{worth_text(position.turn, here)} Best: {here.best.move}."]
