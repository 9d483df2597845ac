"""A puzzle: a position with exactly one winning move, and all that is known about how it goes on.

Whoever solves a puzzle needs no search: what every move is worth is written down, step by step. A
step is a position in which the solver is to move. It is kept as text, a word for each legal move,
in the order in which moves are shown:

    W5:12@2   wins in 5 plies; the best defence is action 12, and step 2 comes then
    L4:3      loses in 4 plies, to action 3 first; D draws, E does not force a win
    37:3      wins 37 % of the time, where cells are face down; 100 wins for certain

After `:` come the opponent's answers up to the solver's next turn, joined by commas. Steps are a
graph, not a tree: a game may come to the same position in two ways, or go round in circles.
"""

from __future__ import annotations

from typing import NamedTuple

from gridwise.core.board import Board
from gridwise.core.position import Position
from gridwise.core.rng import Stream
from gridwise.engine.evaluation import Evaluation, MoveValue

HARDEST = 5
CHOICES = 3  # cells to choose from, at least: with two anybody is right half of the time
_VALUES = {"W": "win", "L": "loss", "D": "draw", "E": "endless"}
_LETTERS = {value: letter for letter, value in _VALUES.items()}


class Step(NamedTuple):
    """What every move is worth in one position of a puzzle, and what follows."""

    evaluation: Evaluation
    answers: dict[int, tuple[int, ...]]  # to each move, up to the solver's next turn
    following: dict[int, int]  # the step after each winning move that does not end the game

    @property
    def solution(self) -> MoveValue:
        """The move that wins fastest."""
        return self.evaluation.best


class Puzzle(NamedTuple):
    """A position with one winning move; the steps from there on, the first one at that position."""

    position: Position
    difficulty: int  # how many moves there are to find, up to HARDEST
    steps: tuple[str, ...]
    number: int = 0  # in the book, among those of its game and difficulty

    @property
    def solution(self) -> MoveValue:
        """The winning move."""
        return self.step(0, self.position).solution

    def step(self, number: int, position: Position) -> Step:
        """One of the steps, whose position is known."""
        return parse_step(self.steps[number], position)


def is_won(found: MoveValue) -> bool:
    """Whether a move wins for certain."""
    return found.rank[0] == 1 and not found.error


def choices(position: Position) -> int:
    """How many cells there are to choose from."""
    return len({position.target(action) for action in position.legal})


def true_board(position: Position) -> Board:
    """The board of a puzzle: cells that nobody has seen are dealt, the same ones every time."""
    text = position.game.board_text(position.board)
    return position.game.deal_unknown(position.board, Stream(f"puzzle {text}"))


def step_text(step: Step) -> str:
    """A step as text."""
    return " ".join(_word(move, step) for move in step.evaluation.moves)


def _word(move: MoveValue, step: Step) -> str:
    answers, then = step.answers[move.action], step.following.get(move.action)
    written = ":" + ",".join(map(str, answers)) if answers else ""
    return _worth(move) + written + (f"@{then}" if then is not None else "")


def _worth(move: MoveValue) -> str:
    if move.win is not None:
        return "100" if is_won(move) else str(min(99, round(100 * move.win)))
    assert move.value, "puzzles are searched to their end"
    return _LETTERS[move.value] + str(move.distance or "")


def parse_step(text: str, position: Position) -> Step:
    """The step that `step_text` wrote."""
    moves: list[MoveValue] = []
    answers: dict[int, tuple[int, ...]] = {}
    following: dict[int, int] = {}
    for (action, name), word in zip(position.named_moves.items(), text.split(), strict=True):
        left, _, then = word.partition("@")
        worth, _, written = left.partition(":")
        moves.append(_parse_worth(worth, action, name))
        answers[action] = tuple(map(int, written.split(","))) if written else ()
        if then:
            following[action] = int(then)
    best = Evaluation(tuple(moves)).best
    evaluation = Evaluation(tuple(moves), best.value, best.distance, best.win)
    return Step(evaluation, answers, following)


def _parse_worth(worth: str, action: int, name: str) -> MoveValue:
    if worth.isdigit():
        return MoveValue(action, name, win=int(worth) / 100)
    return MoveValue(action, name, _VALUES[worth[0]], int(worth[1:]) if worth[1:] else None)
