"""Values on the board: what each move is worth, on the cell that it goes to.

One model for the app, the pages and plain text: a few characters for the cell, the same in words,
and what kind of result it is. Values come from a Position, which cannot hold what is hidden.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from gridwise.core.narration import percent
from gridwise.core.position import Position
from gridwise.engine.evaluation import Evaluation, MoveValue
from gridwise.engine.hints import in_moves
from gridwise.play.look_back import BEST

# What each kind of value has on a cell. A letter or a sign tells them apart; a colour only repeats
# it.
SIGNS = {"win": "W", "loss": "L", "draw": "=", "endless": "∞", "unknown": "-"}
# What is asked before values are shown in a game that is played.
PRACTICE = (
    "Practise with the values of the moves?",
    "The game is then marked as played with help, and a win does not count.",
)
MARKED = "The game is marked as played with help from now on, and a win does not count."
BOTH = "*"  # where one player may be passed over, the moves of both are counted


class CellValue(NamedTuple):
    """What the best move to a cell is worth to the player who makes it."""

    name: str  # of the cell
    text: str  # for the cell: `W5`, `L3`, `=`, `∞`, `63%`; with the mark: `W5!`
    kind: str  # "win", "loss", "draw", "endless", "chance" or "unknown"
    best: bool  # whether no move is better
    words: str  # for a screen reader, of every move to the cell: "0,1: wins in 5 moves"
    worth: str  # of the best of them: "wins in 5 moves"
    mark: str = ""  # what sets the move apart from the plain one to the same cell: `!` of `0,1!`

    @property
    def star(self) -> str:
        """The mark of the best move, where it is one."""
        return BEST if self.best else ""

    def fitted(self, width: int) -> str:
        """The text in so many characters; what has no room is left out from its end."""
        short = self.text if len(self.text) <= width else self.text.rstrip("%" + BOTH + self.mark)
        return short if len(short) <= width else short[:1]


def cell_values(position: Position, evaluation: Evaluation) -> dict[int, CellValue]:
    """What the moves are worth, by the cell that they go to."""
    by_cell: dict[int, list[MoveValue]] = {}
    for each in evaluation.moves:
        by_cell.setdefault(position.target(each.action), []).append(each)
    best = {each.action for each in evaluation.best_moves if each.is_known}
    return {
        cell: _cell_value(position.cell_name(cell), moves, best) for cell, moves in by_cell.items()
    }


def _cell_value(name: str, moves: list[MoveValue], best: set[int]) -> CellValue:
    top = max(moves, key=lambda each: (each.is_known, each.rank))
    plain = min((each.move for each in moves), key=len)
    mark = top.move[len(plain) :] if top.move.startswith(plain) else ""
    words = "; ".join(f"{each.move}: {worth_in_words(each)}" for each in moves)
    text, is_best = short_worth(top) + mark, top.action in best
    return CellValue(name, text, kind_of(top), is_best, words, worth_in_words(top), mark)


def kind_of(worth: MoveValue) -> str:
    """Which kind of result it is."""
    return "chance" if worth.win is not None else worth.value or "unknown"


def short_worth(worth: MoveValue) -> str:
    """What a move is worth in two or three characters; distances in moves of one's own."""
    if worth.win is not None:
        return percent(worth.win).replace(" ", "")
    sign = SIGNS[worth.value or "unknown"]
    if worth.value not in ("win", "loss") or worth.distance is None:
        return sign
    both = worth.passes and worth.distance > 1
    return f"{sign}{worth.distance}{BOTH}" if both else f"{sign}{(worth.distance + 1) // 2}"


def worth_in_words(worth: MoveValue) -> str:
    """The same in words: `wins in 5 moves`."""
    if worth.win is not None:
        return f"{percent(worth.win)} to win"
    return {
        "win": f"wins in {in_moves(worth)}",
        "loss": f"loses in {in_moves(worth)}",
        "draw": "draws",
        "endless": "nobody can force a win",
    }.get(worth.value or "", "not worked out")


def legend(values: Mapping[int, CellValue]) -> str:
    """What the signs mean, by an example of each kind that is there, the best one first."""
    examples = {each.kind: each for each in sorted(values.values(), key=lambda each: each.best)}
    said = [
        each.worth if kind == "chance" else f"{each.text.removesuffix(each.mark)} {each.worth}"
        for kind, each in reversed(examples.items())
    ]
    if BOTH in "".join(each.text for each in values.values()) and BOTH not in "".join(said):
        said.append(f"{BOTH} counts the moves of both")
    marked = {each.mark: each.name for each in values.values() if each.mark}
    said += [f"{mark} by playing {name}{mark}" for mark, name in marked.items()]
    return " · ".join([*said, f"{BEST} best"] if values else [])


def values_data(values: Mapping[int, CellValue]) -> dict[str, Any]:
    """The values for a page or a program, by the names of the cells."""
    return {
        "values": {
            each.name: {
                "text": each.text,
                "kind": each.kind,
                "best": each.best,
                "words": each.words,
            }
            for each in values.values()
        },
        "legend": legend(values),
    }
